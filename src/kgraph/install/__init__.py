"""kgraph in a coding agent: skills, an MCP entry and a section of instructions where each agent reads them.

Deciding and writing are apart: ``plan`` says every change, ``carry_out`` writes, and a receipt beside the skills remembers what was
written, so that ``uninstall`` takes back that and nothing else. What a person wrote or changed is never replaced.
"""

from kgraph.install.placing import Scope, carry_out, plan, take_back
from kgraph.install.platforms import PLATFORMS, found

__all__ = ["PLATFORMS", "Scope", "carry_out", "found", "plan", "take_back"]
