"""What a file is by its first bytes, where its name says nothing or something else."""

from __future__ import annotations

from kgraph.sources.limits import Unreadable

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP = b"PK\x03\x04"
_STARTS = ((b"%PDF-", "pdf"), (b"{\\rtf", "rtf"))
_IN_ZIP = (
    (b"word/document.xml", "docx"),
    (b"xl/workbook.xml", "xlsx"),
    (b"ppt/presentation.xml", "pptx"),
    (b"mimetypeapplication/epub+zip", "epub"),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "odt"),
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "ods"),
    (b"mimetypeapplication/vnd.oasis.opendocument.presentation", "odp"),
)
_IN_OLE = (
    ("__properties_version1.0", "msg"),
    ("WordDocument", ".doc"),
    ("PowerPoint Document", ".ppt"),
    ("Workbook", ".xls"),
)


def is_container(head: bytes) -> bool:
    """Whether the bytes begin as documents do that aren't text."""
    return head.startswith((OLE, ZIP, *(start for start, _ in _STARTS)))


def by_content(data: bytes) -> str:
    """The name of a format, the extension of one that isn't read (``.doc``), or '' where the content tells nothing.

    Raises Unreadable for an Office document that is encrypted: it is a container of its own, whatever it is called.
    """
    for start, name in _STARTS:
        if data.startswith(start):
            return name
    if data.startswith(ZIP):
        return next((name for mark, name in _IN_ZIP if mark in data), "")
    if data.startswith(OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise Unreadable(
                "password-protected", "open it, save it without a password, and read that"
            )
        return next((name for mark, name in _IN_OLE if mark.encode("utf-16-le") in data), "")
    return ""
