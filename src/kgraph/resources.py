"""Data files of the package, read through its loader: in a folder, in a wheel and in a zip archive alike.

``importlib.resources`` and ``pkgutil`` do the same for more than a command's whole start.
"""

from __future__ import annotations

import os
import sys
from typing import Any


def text(package: str, name: str) -> str:
    """The file ``name`` beside the imported ``package``'s ``__init__``, as UTF-8. Raises OSError."""
    spec: Any = sys.modules[package].__spec__
    data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), *name.split("/")))
    return data.decode("utf-8")
