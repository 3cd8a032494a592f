"""Vectors from an endpoint: what is sent, what is read, and every way in which it can fail."""

from pathlib import Path

import numpy as np
import pytest

from echovessel.adapters.embed.endpoint import BATCH, EndpointSource
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind
from echovessel.testing.embedding_server import EmbeddingServer
from echovessel.testing.model_server import refused_address
from echovessel.testing.served import Exchange, Script
from tests.support.embedders import embedder_settings


def source_at(base_url: str, **settings: object) -> EndpointSource:
    return EndpointSource(embedder_settings(base_url=base_url, model="bge-m3", **settings))


async def test_texts_go_out_prepared_with_their_prefix_and_come_back_as_unit_vectors_in_order() -> None:
    with EmbeddingServer() as server:
        source = source_at(server.base_url, query_prefix="query: ", api_key="sk-1")

        asked = await source.embed(["龜背竹", "monstera"], Kind.QUERY)
        await source.embed(["龜背竹"], Kind.PASSAGE)

        sent, passage = server.asked
        assert sent.body == {"model": "bge-m3", "input": ["query: 龟背竹", "query: monstera"]}
        assert passage.body["input"] == ["龟背竹"]
        assert sent.headers["authorization"] == "Bearer sk-1"
        assert set(sent.headers) <= {
            "host",
            "accept",
            "authorization",
            "connection",
            "content-length",
            "content-type",
            "user-agent",
        }
        assert sent.headers["user-agent"] == "echovessel"
        assert asked.shape == (2, 256)
        assert np.allclose(np.linalg.norm(asked, axis=1), 1)
        assert not np.allclose(asked[0], asked[1])


async def test_many_texts_are_several_requests_and_a_long_one_is_cut() -> None:
    with EmbeddingServer() as server:
        vectors = await source_at(server.base_url).embed(
            ["字" * 100_000, *(f"line {n}" for n in range(BATCH))], Kind.PASSAGE
        )

        assert vectors.shape == (BATCH + 1, 256)
        assert [len(asked.body["input"]) for asked in server.asked] == [BATCH, 1]  # pyright: ignore[reportArgumentType]
        assert len(server.asked[0].body["input"][0]) < 1000  # pyright: ignore[reportIndexIssue]


def answers(status: int, body: object) -> Script:
    return lambda exchange: exchange.json(status, body)


def says_garbage(exchange: Exchange) -> None:
    exchange.whole(200, b"<html>Hello</html>")


def hangs_up(exchange: Exchange) -> None:
    exchange.begin(200, "application/json", {"Content-Length": "100"})
    exchange.send(b'{"data"')
    exchange.hang_up()


def vectors_of(*vectors: list[object]) -> Script:
    return answers(200, {"data": [{"index": i, "embedding": vector} for i, vector in enumerate(vectors)]})


FAILURES: list[tuple[Script, str]] = [
    (says_garbage, "no list of vectors"),
    (answers(200, {"choices": []}), "no list of vectors"),
    (answers(200, {"data": []}), "0 vectors for 1 texts"),
    (answers(200, {"data": [{"index": 1, "embedding": [1.0]}]}), "1 vectors for 1 texts"),
    (vectors_of([1.0], [2.0]), "2 vectors for 1 texts"),
    (vectors_of([]), "different lengths"),
    (vectors_of(["x"]), "no list of vectors"),
    (lambda exchange: exchange.whole(200, b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'), "no number|no list"),
    (vectors_of([1e39, 1.0]), "no number"),
    (answers(404, {"error": {"message": "model not found"}}), "bge-m3"),
    (answers(400, {"error": {"message": "This model does not support embeddings"}}), "does not support embeddings"),
    (answers(401, {"error": {"message": "Incorrect API key provided: sk-secret-0123456789"}}), "refused the key"),
    (answers(301, {}), "another address"),
    (answers(429, {}), "busy"),
    (answers(500, {"error": "out of memory"}), "out of memory"),
    (hangs_up, "could not be reached"),
]


@pytest.mark.parametrize(("script", "told"), FAILURES)
async def test_every_failure_is_a_sentence_with_a_remedy_and_without_the_key(script: Script, told: str) -> None:
    with EmbeddingServer() as server:
        server.will(script)
        with pytest.raises(EmbedderDown, match=told) as down:
            await source_at(server.base_url, api_key="sk-secret-0123456789").embed(["a secret dinner"], Kind.QUERY)

    assert down.value.do
    assert "sk-secret" not in f"{down.value.message} {down.value.do}"


async def test_an_error_that_repeats_the_text_is_told_without_it() -> None:
    with EmbeddingServer() as server:
        server.will(answers(400, {"error": {"message": "cannot embed: 'I bought her a sapphire ring'"}}))
        with pytest.raises(EmbedderDown) as down:
            await source_at(server.base_url).embed(["I bought her a sapphire ring"], Kind.PASSAGE)

    assert "sapphire" not in down.value.message


async def test_nobody_there_and_no_answer_in_time() -> None:
    held, url = refused_address()
    with held, pytest.raises(EmbedderDown, match="could not be reached"):
        await source_at(url).embed(["a"], Kind.QUERY)

    with EmbeddingServer() as server:
        server.will(lambda exchange: exchange.wait(5))
        with pytest.raises(EmbedderDown, match=r"in 0\.1 seconds"):
            await source_at(server.base_url, timeout_s=0.1).embed(["a"], Kind.QUERY)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"base_url": "ftp://x"}, "embedder.base_url"),
        ({"base_url": "http://127.0.0.1:9/v1", "api_key": "zwei Worte"}, "embedder.api_key"),
        ({"base_url": "http://127.0.0.1:9/v1", "api_key_file": "/nowhere/key"}, "embedder.api_key_file"),
    ],
)
async def test_settings_that_cannot_be_used_are_named(settings: dict[str, object], told: str) -> None:
    with pytest.raises(EmbedderDown) as down:
        await EndpointSource(embedder_settings(model="m", **settings)).embed(["a"], Kind.QUERY)

    assert told in down.value.do


async def test_the_key_may_be_in_a_file_which_is_read_each_time(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-2\n")
    with EmbeddingServer() as server:
        source = source_at(server.base_url, api_key_file=str(tmp_path / "key"))
        await source.embed(["a"], Kind.QUERY)
        (tmp_path / "key").write_text("sk-3\n")
        await source.embed(["a"], Kind.QUERY)

        assert [asked.headers["authorization"] for asked in server.asked] == ["Bearer sk-2", "Bearer sk-3"]


def test_the_name_tells_what_the_vectors_depend_on() -> None:
    plain, there = source_at("http://a/v1"), source_at("http://b/v1")
    prefixed = source_at("http://a/v1", query_prefix="query: ")

    assert plain.name == there.name == "bge-m3"
    assert prefixed.name.startswith("bge-m3+")
    assert prefixed.name != source_at("http://a/v1", passage_prefix="query: ").name
