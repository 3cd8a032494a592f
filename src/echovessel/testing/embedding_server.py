"""An endpoint for embeddings on this machine: a real HTTP server, whose vectors are those of `HashEmbedder`.

    with EmbeddingServer() as server:
        ... the program under test, with embedder.base_url = server.base_url ...
        assert server.asked[0].body["input"] == ["query: Where are my tomatoes?"]

It does what it was told by `will`, one script a request; when those are used up it answers as it should.
"""

from typing import cast

from typing_extensions import override

from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.served import Exchange, ScriptedServer


class EmbeddingServer(ScriptedServer):
    """Speaks as OpenAI does. `dimension` may be changed while it runs, as when another model is put under the same name."""

    def __init__(self, *, dimension: int = HashEmbedder.dimension) -> None:
        super().__init__()
        self.dimension = dimension
        self._model = HashEmbedder()

    @property
    def base_url(self) -> str:
        """What to put into `embedder.base_url`."""
        return f"{self.address}/v1"

    @override
    def route(self, exchange: Exchange) -> None:
        match exchange.asked.path:
            case "/v1/embeddings" if (script := self.next_script()) is not None:
                script(exchange)
            case "/v1/embeddings":
                exchange.json(200, self._answer(cast("list[str]", exchange.asked.body["input"])))
            case path:
                exchange.json(404, {"error": {"message": f"Nothing at {path}", "type": "not_found_error"}})

    def _answer(self, texts: list[str]) -> object:
        """The vectors in another order than that of the texts, which the protocol allows."""
        vectors = self._model.raw(texts)[:, : self.dimension]
        data = [{"object": "embedding", "index": i, "embedding": vector.tolist()} for i, vector in enumerate(vectors)]
        return {"object": "list", "data": data[::-1], "model": "hash"}
