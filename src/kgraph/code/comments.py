"""The words of comments, without the marks of a language."""

from __future__ import annotations

import re


def clean_comment(comment: str) -> str:
    """The words of a comment without its marks; tags (``@param``) end them, a file tag gives way to its words."""
    rows = [
        re.sub(r"^\s*(?:/\*[*!]?|\*/|\*|//[/!]*)?[ \t]?", "", row).removesuffix("*/").rstrip()
        for row in comment.splitlines()
    ]
    words = re.sub(
        r"^\s*@(?:file|fileoverview|module|packageDocumentation|description)\b[ \t]*",
        "",
        "\n".join(rows).strip(),
        flags=re.MULTILINE,
    )
    return re.split(r"(?m)^\s*@\w+", words, maxsplit=1)[0].strip()
