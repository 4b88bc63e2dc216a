"""The page of what each coding agent reads, made from the table that ``kgraph install`` works by."""

from __future__ import annotations

import re

from kgraph.install.platforms import PLATFORMS, Platform

PAGE = "docs/reference/agents.md"
HEAD = """# Coding agents

Made from `src/kgraph/install/platforms.py` by `tools/generate.py`: don't edit it.

`kgraph install --platform NAME` writes what an agent reads: in this project, or with `--user` for you in every project. Running it again
changes nothing. What is yours is never replaced: a file that kgraph didn't write is named and left, and an entry goes into a file of
yours as text, so that every other byte stays. `--uninstall` takes out what was written, unless somebody changed it since, and says so.

The skill carries its engine along when it is installed by the plugin's launcher, and calls `kgraph` when that is installed. The MCP
server needs the extra `mcp`; `--no-mcp` leaves the entry out.

In Claude Code the plugin is the shorter way: `claude plugin marketplace add PATH_OR_REPOSITORY`, then
`claude plugin install karpathy-graph@karpathy-graph`. It brings skills, agents, the MCP server, and `kgraph` on the path of its shell.
"""


def pages() -> list[tuple[str, str]]:
    """(path from the project's root, text) of each generated page."""
    return [(PAGE, HEAD + "\n" + "\n".join(_section(*item) for item in PLATFORMS.items()))]


def _section(name: str, platform: Platform) -> str:
    registry = platform.registry
    user_key = "mcpServers" if registry.key == "servers" else registry.key
    rows = [
        ("skills", platform.skills, platform.user_skills),
        ("MCP servers", _entry(registry.project, registry.key), _entry(registry.user, user_key)),
        ("instructions", platform.instructions or platform.rule, platform.user_instructions),
        ("sub-agents", platform.agents, platform.user_agents),
    ]
    table = "\n".join(
        f"| {what} | {_code(project)} | {_code(user and '~/' + user)} |"
        for what, project, user in rows
        if project or user
    )
    source = re.sub(r"(https://[^ ,;]+)", r"<\1>", platform.source)
    return f"## {name}\n\n{platform.title}. Source: {source}.\n\n| what | project | user |\n|---|---|---|\n{table}\n"


def _entry(path: str, key: str) -> str:
    return f"{path} → {key}.kgraph" if path else ""


def _code(text: str) -> str:
    return f"`{text}`" if text else "–"
