"""A measurement leaves nothing behind, and the talks in its memory are those of the set."""

from pathlib import Path

import pytest

from echovessel.runtime.recall_bench.home import remember_talks, vessel
from echovessel.runtime.recall_bench.own_set import read_own
from echovessel.testing.hash_embedder import HashEmbedder

DATA = Path(__file__).parents[3] / "data" / "recall"


async def test_it_leaves_nothing_behind_and_touches_no_configured_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHOVESSEL_DATABASE__URL", "postgresql://nobody@localhost:1/never")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async with vessel(HashEmbedder(), None) as deps:
        await remember_talks(read_own(DATA, "tune").conversations, deps)
        assert list(tmp_path.glob("echovessel-bench-*"))

    assert list(tmp_path.iterdir()) == []


async def test_vectors_that_were_kept_are_not_made_again(tmp_path: Path) -> None:
    conversations = read_own(DATA, "tune").conversations
    first, second = HashEmbedder(), HashEmbedder()

    for embedder in (first, second):
        async with vessel(embedder, tmp_path) as deps:
            await remember_talks(conversations, deps)

    assert sum(first.asked.values()) == 12
    assert sum(second.asked.values()) == 0


async def test_two_personas_of_one_user_have_each_their_own_memory() -> None:
    data = read_own(DATA, "tune")
    lesson, knee = data.questions[0], data.questions[3]

    async with vessel(HashEmbedder(), None) as deps:
        memories = await remember_talks(data.conversations, deps)
        violin, coach = memories["violin"], memories["violin-coach"]
        user = await deps.store.user(violin.pair.user_id)

        assert violin.pair.user_id == coach.pair.user_id
        assert (await coach.ask(lesson, deps)).fitting == ()
        assert (await coach.ask(knee, deps)).fitting[0] == "violin-coach:3"

    assert user is not None
    assert (user.name, user.zone) == ("Ada", "Europe/Berlin")


async def test_people_of_different_talks_are_different_users() -> None:
    conversations = [told for half in ("tune", "test") for told in read_own(DATA, half).conversations]

    async with vessel(HashEmbedder(), None) as deps:
        memories = await remember_talks(conversations, deps)

    assert memories["kitten"].pair.user_id != memories["violin"].pair.user_id
