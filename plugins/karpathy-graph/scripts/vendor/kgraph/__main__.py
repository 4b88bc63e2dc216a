"""``python -m kgraph`` is the command line."""

import sys

from kgraph.cli import main

sys.exit(main())
