"""A model server for each test that asks for one."""

from collections.abc import Iterator

import pytest

from echovessel.testing.model_server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running
