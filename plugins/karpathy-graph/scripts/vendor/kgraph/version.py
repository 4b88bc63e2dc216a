"""The one place for the version."""

__version__ = "2.0.0"
