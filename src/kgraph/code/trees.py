"""What every tree-sitter language needs: a parser, the words of a node, the first place that the grammar could not read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Language, Node, Parser

from kgraph.code.comments import clean_comment
from kgraph.code.facts import Broken
from kgraph.code.places import Bytes


def parsed(text: str, grammar: Callable[[], object]) -> tuple[Node, Bytes]:
    """The root of the tree and the way from its bytes to the text."""
    at = Bytes(text)
    return Parser(Language(grammar())).parse(at.data).root_node, at


def word(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "surrogatepass") if node is not None else ""


def below(
    node: Node, types: frozenset[str], within: frozenset[str] = frozenset()
) -> Iterator[Node]:
    """All nodes of some types in the order of the text; what lies below a node of ``within`` is left out."""
    stack = list(reversed(node.children))
    while stack:
        here = stack.pop()
        if here.type in types:
            yield here
        if here.type not in within:
            stack.extend(reversed(here.children))


def broken(root: Node, at: Bytes) -> tuple[Broken, ...]:
    """The first node that the grammar could not place, found by going only where there is one."""
    if not root.has_error:
        return ()
    node = root
    while True:
        inner = next(
            (
                child
                for child in node.children
                if child.has_error or child.is_missing or child.type == "ERROR"
            ),
            None,
        )
        if inner is None or inner.type == "ERROR" or inner.is_missing:
            return (Broken(at.line((inner or node).start_byte), "syntax error"),)
        node = inner


def comment_before(node: Node) -> str:
    """The words of the comment lines that end right above a node."""
    rows: list[str] = []
    edge, here = node.start_point[0], node.prev_sibling
    while (
        here is not None
        and "comment" in here.type
        and edge - here.end_point[0] <= (0 if here.end_point[1] == 0 else 1)
    ):
        rows.append(word(here).rstrip())
        edge, here = here.start_point[0], here.prev_sibling
    text = clean_comment("\n".join(reversed(rows)))
    return "" if re.search(r"copyright|licen[sc]ed|SPDX", text, re.IGNORECASE) else text
