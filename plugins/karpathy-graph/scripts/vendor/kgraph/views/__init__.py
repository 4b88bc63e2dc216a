"""What people see and other programs read: report, explorer, diagram, exports and imports. All pure functions of a ``Snapshot``."""

from __future__ import annotations

from kgraph.views.figures import Figures, figures
from kgraph.views.snapshot import Snapshot

__all__ = ["Figures", "Snapshot", "figures"]
