"""Where the project is published, for the metadata of its package: the address of the repository that it is built from.

Nothing in the source names a host, so that a fork's package points at the fork.
"""

from __future__ import annotations

import os
import re
import subprocess
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ProjectUrls(MetadataHookInterface):  # type: ignore[misc]
    """``[project.urls]``, from the variable PROJECT_URL or from where git fetches; none where neither is known."""

    def update(self, metadata: dict[str, Any]) -> None:
        base = os.environ.get("PROJECT_URL", "") or _origin(self.root)
        metadata["urls"] = (
            {
                "Repository": base,
                "Issues": f"{base}/issues",
                "Changelog": f"{base}/blob/HEAD/CHANGELOG.md",
                "Documentation": f"{base}/tree/HEAD/docs",
            }
            if base
            else {}
        )


def _origin(folder: str) -> str:
    """The address of the remote that the repository was cloned from, as a browser takes it; '' where it is no web address."""
    try:
        told = subprocess.run(
            ["git", "-C", folder, "remote", "get-url", "origin"],
            capture_output=True, text=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    address = re.sub(r"^(?:ssh://)?git@([^:/]+)[:/]", r"https://\1/", told.stdout.strip())
    return (
        address.removesuffix(".git")
        if address.startswith("https://") and "@" not in address
        else ""
    )
