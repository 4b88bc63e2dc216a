"""Java: types by their full name, packages by theirs; calls by declared types, inheritance and what overrides what."""
