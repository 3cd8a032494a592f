"""Python runs this at start-up wherever tests put this folder on PYTHONPATH (see `tests/support/sockets.py`)."""

import sys
from importlib import util
from pathlib import Path

# Under its own name: a Python that runs tests itself finds the guard in place, and knows what it raises.
spec = util.spec_from_file_location("tests.support.sockets", Path(__file__).parents[1] / "sockets.py")
assert spec is not None
assert spec.loader is not None
guard = sys.modules[spec.name] = util.module_from_spec(spec)
spec.loader.exec_module(guard)
guard.block()
