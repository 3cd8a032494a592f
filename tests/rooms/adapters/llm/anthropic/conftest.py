"""A server of the Messages API for each test that asks for one."""

from collections.abc import Iterator

import pytest

from echovessel.testing.anthropic_server import AnthropicServer


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer() as running:
        yield running
