"""For those who write a log, an index or a model adapter of their own: the suites that each must pass, and providers to try it on."""
