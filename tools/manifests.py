"""The plugin's manifest and the marketplace's, which all say the same name, version and description."""

from __future__ import annotations

import json

import kgraph

NAME = "karpathy-graph"
OWNER = "kgraph contributors"
DESCRIPTION = (
    "Builds, questions and checks typed knowledge graphs in which every statement cites the file, line and words it came from. "
    "Needs Python 3.11 and nothing else."
)
KEYWORDS = ["knowledge-graph", "provenance", "citations", "extraction", "grounding"]


def pages() -> list[tuple[str, str]]:
    """(path from the project's root, text) of each manifest. The marketplace's stands where each kind of agent looks for it."""
    plugin = {
        "name": NAME,
        "version": kgraph.__version__,
        "description": DESCRIPTION,
        "author": {"name": OWNER},
        "license": "MIT",
        "keywords": KEYWORDS,
    }
    entry = {
        "name": NAME,
        "source": f"./plugins/{NAME}",
        "description": DESCRIPTION,
        "license": "MIT",
        "keywords": KEYWORDS,
    }
    marketplace = {
        "name": NAME,
        "owner": {"name": OWNER},
        "metadata": {"description": DESCRIPTION},
        "plugins": [entry],
    }
    return [
        (f"plugins/{NAME}/.claude-plugin/plugin.json", _text(plugin)),
        ("marketplace.json", _text(marketplace)),
        (".claude-plugin/marketplace.json", _text(marketplace)),
    ]


def _text(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
