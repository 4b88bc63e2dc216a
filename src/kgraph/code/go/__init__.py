"""Go: packages are folders, modules are what a go.mod names; calls by the declared types of receivers, variables and results."""
