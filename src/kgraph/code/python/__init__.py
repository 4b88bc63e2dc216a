"""Python: parsed with the standard library, so that it belongs to the core."""
