"""Python runs this at start-up wherever tests put this folder on PYTHONPATH (see `tests/support/sockets.py`)."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).parents[1] / "sockets.py"))["block"]()
