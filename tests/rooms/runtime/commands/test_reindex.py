"""`echovessel reindex`, with an endpoint for embeddings on this machine."""

import pytest

from echovessel.testing.embedding_server import EmbeddingServer
from tests.rooms.runtime.commands.conftest import Command


def chosen(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOVESSEL_EMBEDDER__NAME", "auto")
    monkeypatch.setenv("ECHOVESSEL_EMBEDDER__BASE_URL", server.base_url)
    monkeypatch.setenv("ECHOVESSEL_EMBEDDER__MODEL", "hash")


def test_it_calibrates_embeds_and_then_has_nothing_to_do(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    command("persona", "new", "小满")
    command("chat", stdin="我把龟背竹搬到了窗边\n今天下雨了\n")

    with EmbeddingServer(dimension=32) as server:
        chosen(server, monkeypatch)
        first = command("reindex")
        again = command("reindex", "--json")
        idle = command("reindex")

    assert first.status == 0
    assert "Calibrating hash" in first.err
    assert first.out.startswith("Done.\nEvery text has its vector: 2 of hash-32@1, 32 numbers each.")
    assert again.json["waiting"] == 0
    assert "Calibrating" not in again.err
    assert idle.out.startswith("Nothing is to be done.\n")


def test_another_model_under_the_same_name_is_refused_until_it_is_measured_anew(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("persona", "new", "小满")
    command("chat", stdin="我把龟背竹搬到了窗边\n")

    with EmbeddingServer(dimension=32) as server:
        chosen(server, monkeypatch)
        command("reindex")
        server.dimension = 16
        refused = command("reindex")
        done = command("reindex", "--anew", "--json")

    assert refused.status == 1
    assert "16 numbers; it was calibrated with 32" in refused.err
    assert "--anew" in refused.err
    assert (done.json["embedder"], done.json["dimension"], done.json["others"]) == ("hash-16@2", 16, {})


def test_an_embedder_that_is_not_there_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    command("init")
    with EmbeddingServer(dimension=32) as server:
        chosen(server, monkeypatch)

    refused = command("reindex")

    assert refused.status == 1
    assert "could not be reached" in refused.err


def test_switched_off_there_is_nothing_to_do(command: Command) -> None:
    command("init")

    refused = command("reindex")

    assert refused.status == 1
    assert "switched off" in refused.err
