"""The page of the MCP server's tools, made from the tools themselves: what it says is what an agent is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from kgraph.mcp.tools import READING, WRITING, Tool

PAGE = "plugins/karpathy-graph/references/mcp.md"
HEAD = """# The MCP server

Made from the server by `tools/generate.py`: don't edit it.

`kgraph mcp` answers agents that speak the Model Context Protocol. It needs the extra `mcp`: `pip install 'karpathy-graph[mcp]'`. A client
starts it by itself and talks over standard input and output:

```json
{"mcpServers": {"kgraph": {"command": "kgraph", "args": ["mcp", "--path", "/where/the/graph/is"]}}}
```

With `--name` or `--path` it begins at that graph; a tool's `graph` names another one under the same root.
`kgraph mcp --http 127.0.0.1:8765` serves streamable HTTP at `/mcp` instead. An address that other machines reach needs
`--allow-remote`, and then the bearer token that the server prints. It only reads: the tools that write are there with `--allow-write`
and not otherwise.

* An answer is JSON, the same as text and as structured content, cut to `max_tokens` (bytes / 3). `truncated` says that there is more,
  `left_out` how much, and `cursor` goes on, as long as nobody writes in between. `shortened` says that long texts were cut.
* A refusal is a tool error whose `errors` hold a `code`, a `message` and a `hint` that says what to do.
* Resources: `kgraph://ontology`, `kgraph://schema`, `kgraph://prompt`, `kgraph://report`, and `kgraph://report/{graph}`.
* The prompt `extract_unit` (`unit`, `graph`) gives one unit of context with the rules to read it by; hand the payload to `ingest`.
* Nothing is held between calls: other servers and the command line may use the graph at the same time."""


def pages() -> list[tuple[str, str]]:
    """(path from the project's root, text)."""
    parts = [
        HEAD,
        "## Tools that read",
        *map(_section, READING),
        "## Tools that write",
        *map(_section, WRITING),
    ]
    return [(PAGE, "\n\n".join(parts) + "\n")]


def _section(tool: Tool) -> str:
    return "\n".join(
        [f"### {tool.name}", "", tool.does, "", "| argument | does |", "|---|---|", *_rows(tool)]
    )


def _rows(tool: Tool) -> Iterator[str]:
    hints = get_type_hints(tool.asks, include_extras=True)
    defaults = tool.asks._field_defaults
    for name in tool.asks._fields:
        needed = "" if name in defaults else " (needed)"
        yield f"| `{name}`{needed} | {_said(hints[name]).replace('|', chr(92) + '|')} |"


def _said(hint: Any) -> str:
    return str(get_args(hint)[1].description)
