"""Which files hold tests or benchmarks, by their names and folders."""

from __future__ import annotations

import re
from functools import lru_cache

_SUITES = (
    re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|bench_[^/]*|[^/]*_bench|benchmark_[^/]*)\.py$"),
    re.compile(r"(?:^|/)benchmarks?/[^/]+\.py$"),
    re.compile(r"\.(?:test|spec|bench)\.[cm]?[jt]sx?$|(?:^|/)__tests__/.*\.[cm]?[jt]sx?$"),
    re.compile(r"_test\.go$|(?:^|/)(?:tests|benches)/[^/]+\.rs$"),
    re.compile(r"(?:^|/)src/test/.*\.java$|(?:Tests?|IT)\.java$"),
    re.compile(
        r"_(?:spec|test)\.(?:rb|lua|exs|c|cc|cpp|cxx)$|(?:^|/)test_[^/]*\.(?:rb|lua|c|cc|cpp|sh)$"
    ),
    re.compile(
        r"(?:Tests?|Spec)\.(?:php|cs|kt|kts|swift|scala)$|\.bats$|(?:^|/)src/test/.*\.(?:kt|scala)$"
    ),
)
_FOLDERS = re.compile(r"(?:^|/)(?:tests|specs?|__tests__|testdata)/|^test/")


def is_suite(uri: str) -> bool:
    """Whether a file is a suite by its own name."""
    return any(pattern.search(uri) for pattern in _SUITES)


@lru_cache(100_000)
def is_of_tests(uri: str) -> bool:
    """A suite, or a file that stands among suites."""
    return is_suite(uri) or bool(_FOLDERS.search(uri))
