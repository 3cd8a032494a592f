from collections.abc import Iterator
from pathlib import Path

import pytest

from echovessel.testing.world import World


@pytest.fixture
def vessel(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as world:
        yield world
