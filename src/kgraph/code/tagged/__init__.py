"""Languages as data: a folder each with ``language.toml`` (names, endings, how imports and calls are tied) and ``tags.scm`` (what a
definition, a reference and an import look like in its grammar). The engine beside the folders is shared; CONTRIBUTING.md tells how to add one.
"""
