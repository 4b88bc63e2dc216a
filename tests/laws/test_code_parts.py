"""The order in which the parts of a tree are mapped says nothing: any sequence of partial runs ends where one whole run does."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import kgraph
from kgraph.extract.progress import Silent
from kgraph.extract.request import RunRequest
from kgraph.extract.run import Tools
from kgraph.models.secrets import mask_of

NAMES = (
    "shop/__init__.py",
    "shop/a.py",
    "shop/b.py",
    "shop/sub/__init__.py",
    "shop/sub/c.py",
    "run.py",
)
BODIES = (
    "",
    "def f():\n    return 1\n",
    "def f():\n    return g()\n\n\ndef g():\n    return 2\n",
    "from shop.a import f\n\n\ndef h():\n    return f()\n",
    "from shop import b\nimport shop.sub.c\n\n\nclass B(b.Base):\n    def run(self):\n        return self.go()\n",
    "import json\n\n\nclass Base:\n    def go(self):\n        return json\n",
    "from .b import Base\nfrom .gone import x\n\n\ndef make():\n    return Base().go()\n",
    "def broken(:\n",
)  # fmt: skip
edits = st.tuples(st.just("edit"), st.sampled_from(NAMES), st.sampled_from(BODIES))
maps = st.tuples(st.just("map"), st.sampled_from((*NAMES, "shop", "shop/sub")), st.just(""))


@given(
    first=st.lists(st.sampled_from(BODIES), min_size=len(NAMES), max_size=len(NAMES)),
    steps=st.lists(st.one_of(edits, maps), max_size=8),
    last=st.permutations(NAMES),
    level=st.sampled_from(("module", "symbol")),
)
@settings(max_examples=25, deadline=None)
def test_partial_runs_end_where_one_run_over_everything_does(
    first: list[str], steps: list[tuple[str, str, str]], last: list[str], level: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "tree")
        changed = set(NAMES)
        for name, text in zip(NAMES, first, strict=True):
            (root / name).parent.mkdir(exist_ok=True, parents=True)
            (root / name).write_text(text)
        with kgraph.create(folder + "/parts", source_root=str(root)) as parts:
            for action, name, text in steps:
                if action == "edit":
                    (root / name).write_text(text)
                    changed.add(name)
                else:
                    mapped(parts, root / name, level)
                    changed -= {one for one in NAMES if one == name or one.startswith(name + "/")}
            for name in last:
                if name in changed:
                    mapped(parts, root / name, level)
            found = facts(parts)
        with kgraph.create(folder + "/whole", source_root=str(root)) as whole:
            mapped(whole, root, level)
            assert found == facts(whole)


def mapped(graph: Any, path: Path, level: str) -> None:
    request = RunRequest((str(path),), graph.run_id(), code_level=level)
    graph.extract(request, Tools(Silent(), lambda: False, mask_of({})))


def facts(graph: Any) -> set[tuple[Any, ...]]:
    """Everything that the graph says now, and where."""
    reader = graph.reader()
    found: set[tuple[Any, ...]] = set()
    for node in reader.every_node():
        found.add(
            (
                node.id,
                node.name,
                node.description,
                tuple(sorted(map(str, node.attrs.items()))),
                str(sorted(node.fields.items())),
            )
        )
    for edge in reader.every_edge():
        said = {
            (one.event.get("source_doc"), one.event.get("quote"))
            for one in reader.edge_said(edge.eid)
            if one.live
        }
        found.add((edge.id, edge.kind, tuple(sorted(map(str, said)))))
    return found
