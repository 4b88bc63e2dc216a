"""How properties are tried: as long as it takes, since a loaded machine is no fault of the code."""

from __future__ import annotations

import os
import tempfile

from hypothesis import HealthCheck, settings

settings.register_profile(
    "kgraph",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("kgraph")

# What a test confirms is confirmed for the test run alone. Set for the processes that tests start, too.
_settings = tempfile.TemporaryDirectory(prefix="kgraph-settings-")
os.environ["XDG_CONFIG_HOME"] = _settings.name
