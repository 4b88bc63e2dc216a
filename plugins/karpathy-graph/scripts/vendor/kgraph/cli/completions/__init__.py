"""Scripts with which a shell completes what is typed behind ``kgraph``."""

from kgraph.cli.completions import bash, fish, zsh
from kgraph.cli.completions.grammar import grammar

SCRIPTS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}

__all__ = ["SCRIPTS", "grammar"]
