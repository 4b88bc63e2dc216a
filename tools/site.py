"""Hooks of the documentation site: pages that are kept elsewhere in the repository stand in it as well, and links between them hold."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# page of the site: file in the repository
KEPT_ELSEWHERE = {
    "index.md": "README.md",
    "architecture.md": "ARCHITECTURE.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "reference/cli.md": "plugins/karpathy-graph/references/cli.md",
}
_LINK = re.compile(r"\[([^\]\[]*)\]\(([^)#\s:]+)(#[^)\s]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for page, source in KEPT_ELSEWHERE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links are written for those who read the repository; here they lead to the page, or say the path where there is no page."""
    source = KEPT_ELSEWHERE.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    pages = {kept: shown for shown, kept in KEPT_ELSEWHERE.items()}
    here = posixpath.dirname(page.file.src_uri)

    def led(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2]))
        shown = pages.get(path) or (
            path.removeprefix("docs/") if path.startswith("docs/") and path.endswith(".md") else ""
        )
        if not shown:
            return found[1]
        return f"[{found[1]}]({posixpath.relpath(shown, here or '.')}{found[3] or ''})"

    return _LINK.sub(led, markdown)
