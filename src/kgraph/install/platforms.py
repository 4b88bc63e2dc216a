"""What each coding agent reads, as data. ``source`` says where that is documented, or in which client it was tried."""

from __future__ import annotations

import os

from kgraph.tuples import NamedTuple


class Registry(NamedTuple):
    """Where an agent keeps its MCP servers: a file for a project, one for a user ('' for none), and how an entry looks there."""

    project: str
    user: str
    key: str = "mcpServers"
    form: str = (
        "command"  # "command": command and args; "list": one list, typed local; "toml": a table
    )


class Platform(NamedTuple):
    """Paths of a project count from its folder, those of a user from home. '' where an agent reads nothing of the kind."""

    title: str
    skills: str
    user_skills: str
    registry: Registry
    instructions: str = ""  # a file of a project that the agent always reads
    user_instructions: str = ""
    rule: str = ""  # a file of a project that is a rule by itself
    agents: str = ""  # sub-agents of a project
    user_agents: str = ""
    marks: tuple[str, ...] = ()  # what shows that the agent is used here
    source: str = ""


PLATFORMS: dict[str, Platform] = {
    "claude-code": Platform(
        "Claude Code", ".claude/skills", ".claude/skills", Registry(".mcp.json", ".claude.json"),
        agents=".claude/agents", user_agents=".claude/agents", marks=(".claude", "CLAUDE.md"),
        source="https://code.claude.com/docs/en/skills, https://code.claude.com/docs/en/mcp; tried with @anthropic-ai/claude-code 2.1",
    ),
    "codex": Platform(
        "Codex", ".agents/skills", ".agents/skills",
        Registry(".codex/config.toml", ".codex/config.toml", "mcp_servers", "toml"),
        instructions="AGENTS.md", user_instructions=".codex/AGENTS.md", marks=(".codex",),
        source="https://developers.openai.com/codex/skills, https://developers.openai.com/codex/mcp; tried with @openai/codex",
    ),
    "cursor": Platform(
        "Cursor", ".cursor/skills", ".cursor/skills", Registry(".cursor/mcp.json", ".cursor/mcp.json"),
        rule=".cursor/rules/kgraph.mdc", marks=(".cursor",),
        source="https://cursor.com/docs/context/skills, https://cursor.com/docs/context/rules, https://cursor.com/docs/context/mcp",
    ),
    "gemini": Platform(
        "Gemini CLI", ".gemini/skills", ".gemini/skills", Registry(".gemini/settings.json", ".gemini/settings.json"),
        marks=(".gemini", "GEMINI.md"),
        source="docs/cli/skills.md and docs/tools/mcp-server.md of @google/gemini-cli; tried with @google/gemini-cli",
    ),
    "copilot": Platform(
        "GitHub Copilot", ".github/skills", ".copilot/skills",
        Registry(".vscode/mcp.json", ".copilot/mcp-config.json", "servers"),
        instructions=".github/copilot-instructions.md", marks=(".github/copilot-instructions.md", ".copilot"),
        source="https://docs.github.com/en/copilot/concepts/agents/about-agent-skills, "
               "https://code.visualstudio.com/docs/copilot/customization/mcp-servers",
    ),
    "opencode": Platform(
        "OpenCode", ".opencode/skills", ".config/opencode/skills",
        Registry("opencode.json", ".config/opencode/opencode.json", "mcp", "list"),
        instructions="AGENTS.md", marks=(".opencode", "opencode.json"),
        source="https://opencode.ai/docs/skills, https://opencode.ai/docs/mcp-servers, https://opencode.ai/docs/rules",
    ),
    "windsurf": Platform(
        "Windsurf", ".windsurf/skills", ".codeium/windsurf/skills", Registry("", ".codeium/windsurf/mcp_config.json"),
        rule=".windsurf/rules/kgraph.md", marks=(".windsurf", ".codeium"),
        source="https://docs.windsurf.com/windsurf/cascade/skills, https://docs.windsurf.com/windsurf/cascade/mcp",
    ),
    "agents": Platform(
        "any agent that reads AGENTS.md and .agents/skills", ".agents/skills", ".agents/skills", Registry("", ""),
        instructions="AGENTS.md", marks=(".agents",),
        source="https://agents.md, https://agentskills.io",
    ),
}  # fmt: skip


def found(folder: str) -> list[str]:
    """The agents that a folder shows signs of."""
    return [
        name
        for name, platform in PLATFORMS.items()
        if any(os.path.exists(os.path.join(folder, mark)) for mark in platform.marks)
    ]
