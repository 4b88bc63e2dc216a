"""The explorer: ``graph.html``. Layout and communities are computed here, when rendering; the page itself is built from /explorer."""

from __future__ import annotations

from kgraph.views.explorer.page import graph_html

__all__ = ["graph_html"]
