"""Names as code writes them, and the things whose full names end in them: 'Graph.ingest' for pkg.graph.Graph.ingest, 'hex_of()'."""

from __future__ import annotations

import re

from kgraph.index.read import NodeView, Reader
from kgraph.language.tokens import words_of

LOOKED_AT = 150  # nodes with the words side by side
MOST = 12  # things that one ending may mean; more and it names none of them
MOST_IN_A_TEXT = 5
_IDENTIFIER = re.compile(
    r"(?<!\w)(?:\w+(?:(?:\.|::|/|#)\w+)+|\w*[^\W_]_\w+|\w+(?=\(\))|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?!\w)"
)


def identifiers(text: str) -> list[str]:
    """Words that are joined or spelled as identifiers are, in order, each once."""
    return list(dict.fromkeys(found[0] for found in _IDENTIFIER.finditer(text)))[:MOST_IN_A_TEXT]


def ending_in(reader: Reader, identifier: str) -> list[NodeView]:
    """The things, of any type but Claim, one of whose names ends in an identifier; none where more do than it can mean."""
    words = words_of(identifier)
    if not words:
        return []
    hits = reader.matches(f'{{name aliases}} : "{" ".join(words)}"', LOOKED_AT)
    found = [
        node for node in reader.nodes(hits).values()
        if node.live and node.type != "Claim" and any(words_of(name)[-len(words) :] == words for name in (node.name, *node.aliases))
    ]  # fmt: skip
    return found if len(found) <= MOST else []
