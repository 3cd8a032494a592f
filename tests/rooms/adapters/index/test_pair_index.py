"""The index and the store agree after every commit, and nobody's words reach another's index."""

import asyncio
import gc
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from echovessel.adapters.index import NumpyPairIndex, load_weights
from echovessel.adapters.index.timeline import Timeline
from echovessel.adapters.store import open_store
from echovessel.core.ids import MessageId, TextId
from echovessel.core.pair import Pair
from echovessel.core.talk import TurnState
from echovessel.memory.question import Asked, ask
from echovessel.memory.recall import rank
from echovessel.ports.changes import DeleteMessage, EditMessage, PutVectors, Tidy
from echovessel.ports.embedder import Kind
from echovessel.ports.index import IndexCheck, Query
from echovessel.ports.records import IndexRow
from echovessel.ports.store import Store
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.contracts.store_house import StoreHouse
from echovessel.testing.hash_embedder import HashEmbedder


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[StoreHouse]:
    clock = StoppedClock()
    store = open_store(url=None, path=tmp_path / "memory.db", clock=clock)
    yield await StoreHouse(store, clock, CountedIds(clock)).moved_in()
    await store.close()


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def index(house: StoreHouse, embedder: HashEmbedder) -> NumpyPairIndex:
    return NumpyPairIndex(store=house.store, embedder=embedder, weights=load_weights(), max_bytes=1 << 30)


def asking(text: str) -> Asked:
    return ask(text, user_name="", persona_name="")


async def found(index: NumpyPairIndex, house: StoreHouse, text: str, pair: Pair | None = None) -> list[str]:
    pair = pair or house.home.pair
    ids = [message_id for message_id, _, _ in rank(await index.candidates(pair, Query(asked=asking(text))))]
    words = {m.id: m.text for m in await house.store.messages_by_id(pair.user_id, ids)}
    return [words[message_id] for message_id in ids]


async def embed_all(house: StoreHouse, embedder: HashEmbedder) -> None:
    for row in await house.store.unembedded(embedder.name, 1000):
        [vector] = await embedder.embed([row.text], Kind.PASSAGE)
        await house.do(
            PutVectors(
                user_id=row.user_id,
                persona_id=row.persona_id,
                embedder=embedder.name,
                vectors=((row.text_id, vector.tobytes()),),
            )
        )


async def test_a_message_is_found_as_soon_as_it_is_stored(index: NumpyPairIndex, house: StoreHouse) -> None:
    assert await found(index, house, "violin") == []

    await house.hears("my violin is broken")
    assert await found(index, house, "violin") == ["my violin is broken"]

    await house.hears("审批流程要走三天")
    assert (await found(index, house, "审批"))[0] == "审批流程要走三天"


async def test_a_vector_is_found_as_soon_as_it_is_stored(
    index: NumpyPairIndex, house: StoreHouse, embedder: HashEmbedder
) -> None:
    await house.do(house.saying("my violin is broken"))
    [vector] = await embedder.embed(["my violin is broken"], Kind.QUERY)
    query = Query(asked=asking("…"), vector=vector)
    assert (await index.candidates(house.home.pair, query)).ids == ()

    await embed_all(house, embedder)

    found = await index.candidates(house.home.pair, Query(asked=asking("violin broken my is"), vector=vector))
    assert found.similarity.tolist() == pytest.approx([1], abs=0.01)


async def test_edits_variants_and_deletions_are_followed(index: NumpyPairIndex, house: StoreHouse) -> None:
    reply = await house.answered("what was it?", "it was the trombone")
    assert await found(index, house, "trombone")

    edit = EditMessage(
        user_id=house.user_id,
        message_id=reply.id,
        text_id=TextId(house.ids.ulid()),
        text="it was the violin",
        at=house.clock.now(),
    )
    await house.do(edit)
    assert await found(index, house, "trombone") == []
    assert (await found(index, house, "violin"))[0] == "it was the violin"

    turn, fence = await house.rerolling(reply)
    await house.do(house.finishing(turn, "it was the oboe"), fence)
    assert await found(index, house, "violin") == []
    assert (await found(index, house, "oboe"))[0] == "it was the oboe"

    await house.do(DeleteMessage(user_id=house.user_id, message_id=reply.id))
    assert await found(index, house, "oboe") == []


async def test_what_may_not_be_recalled_is_not(index: NumpyPairIndex, house: StoreHouse) -> None:
    await house.do(house.saying("the violin of the keeper", made_by="keeper@1"))
    turn, fence = await house.running("…")
    await house.do(house.finishing(turn, None, state=TurnState.FAILED), fence)

    assert await found(index, house, "violin") == []


async def test_pairs_do_not_mix(index: NumpyPairIndex, house: StoreHouse) -> None:
    same_user = await house.opens(house.user_id, await house.shelves("Bo"), key="bo")
    other_user = await house.opens(await house.meets("Cy"), house.home.pair.persona_id)
    for thread in (house.home, same_user, other_user):
        assert await found(index, house, "violin", thread.pair) == []  # so that changes are followed, not read anew

    await house.hears("violin at home")
    await house.hears("violin told to Bo", thread=same_user)
    await house.hears("violin of Cy", thread=other_user)

    assert await found(index, house, "violin") == ["violin at home"]
    assert await found(index, house, "violin", same_user.pair) == ["violin told to Bo"]
    assert await found(index, house, "violin", other_user.pair) == ["violin of Cy"]


async def test_an_index_built_anew_answers_as_the_one_that_followed(
    index: NumpyPairIndex, house: StoreHouse, embedder: HashEmbedder
) -> None:
    for number in range(30):
        await index.candidates(house.home.pair, Query(asked=asking("violin")))
        await house.do(house.saying(f"violin {number}" if number % 3 else f"rain and 猫 {number}"))
    await embed_all(house, embedder)
    anew = NumpyPairIndex(store=house.store, embedder=embedder, weights=load_weights(), max_bytes=1 << 30)
    [vector] = await embedder.embed(["violin 猫"], Kind.QUERY)
    query = Query(asked=asking("violin 猫"), vector=vector)

    followed = rank(await index.candidates(house.home.pair, query))
    built = rank(await anew.candidates(house.home.pair, query))

    assert [hit[0] for hit in followed] == [hit[0] for hit in built]
    assert np.allclose([hit[1] for hit in followed], [hit[1] for hit in built], atol=1e-4)


async def test_questions_asked_at_once_see_the_same_timeline(index: NumpyPairIndex, house: StoreHouse) -> None:
    for number in range(5):
        await house.hears(f"violin {number}")

    answers = await asyncio.gather(*(found(index, house, "violin") for _ in range(8)))

    assert all(sorted(answer) == [f"violin {number}" for number in range(5)] for answer in answers)


class CountingStore:
    """A store that counts how often a whole pair is read."""

    def __init__(self, store: Store) -> None:
        self.read: list[Pair] = []
        self._store = store

    async def index_rows(
        self, pair: Pair, embedder: str, *, after: IndexRow | None, limit: int | None
    ) -> Sequence[IndexRow]:
        self.read += [] if after else [pair]
        return await self._store.index_rows(pair, embedder, after=after, limit=limit)

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


async def test_a_pair_is_read_once_and_the_least_used_is_dropped_when_memory_is_short(
    house: StoreHouse, embedder: HashEmbedder
) -> None:
    other = await house.opens(house.user_id, await house.shelves("Bo"), key="bo")
    await house.hears("violin at home")
    await house.hears("violin told to Bo", thread=other)
    home, bo = house.home.pair, other.pair

    async def reads(max_bytes: int) -> list[Pair]:
        store = CountingStore(house.store)
        index = NumpyPairIndex(store=store, embedder=embedder, weights=load_weights(), max_bytes=max_bytes)  # pyright: ignore[reportArgumentType]
        for pair in (home, home, bo, bo, home):
            assert await found(index, house, "violin", pair)
        return store.read

    assert await reads(1 << 30) == [home, bo]
    assert await reads(1) == [home, bo, home]


async def test_after_very_many_changes_it_is_built_anew_and_right(
    index: NumpyPairIndex, house: StoreHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("echovessel.adapters.index.pair_index._MOST_CHANGES", 10)
    monkeypatch.setattr("echovessel.adapters.index.pair_index._PAGE", 4)
    await found(index, house, "violin")

    await house.store.apply([house.importing(f"violin {number}", f"x{number}") for number in range(25)])

    assert len(await found(index, house, "violin")) == 25


async def test_what_was_deleted_does_not_stay_in_memory(
    house: StoreHouse, embedder: HashEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("echovessel.adapters.index.pair_index._FEW_ROWS", 4)
    index = NumpyPairIndex(store=house.store, embedder=embedder, weights=load_weights(), max_bytes=1 << 30)
    ids = [(await house.hears(f"violin {number}")).message_id for number in range(12)]
    await found(index, house, "violin")
    full = index.size().bytes

    for message_id in ids[:8]:
        assert message_id is not None
        await house.do(DeleteMessage(user_id=house.user_id, message_id=message_id))
    await found(index, house, "violin")

    assert len(await found(index, house, "violin")) == 4
    assert index.size().bytes < full


async def test_an_index_is_let_go_before_it_is_built_anew(
    index: NumpyPairIndex, house: StoreHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("echovessel.adapters.index.pair_index._MOST_CHANGES", 3)
    await found(index, house, "violin")
    await house.store.apply([house.importing(f"violin {number}", f"x{number}") for number in range(5)])
    alive: list[int] = []
    read = house.store.index_rows

    async def reading(
        pair: Pair, embedder: str, *, after: IndexRow | None = None, limit: int = 1000
    ) -> Sequence[IndexRow]:
        gc.collect()
        alive.append(sum(isinstance(held, Timeline) for held in gc.get_objects()))
        return await read(pair, embedder, after=after, limit=limit)

    monkeypatch.setattr(house.store, "index_rows", reading)
    assert len(await found(index, house, "violin")) == 5
    assert alive == [1]


async def test_what_the_feed_no_longer_tells_is_read_anew(index: NumpyPairIndex, house: StoreHouse) -> None:
    await found(index, house, "violin")
    await house.hears("my violin is broken")
    await house.do(Tidy(traces_before=house.clock.now(), jobs_before=house.clock.now(), changes_kept=0))
    await house.hears("another violin")

    assert len(await found(index, house, "violin")) == 2


async def test_an_index_out_of_step_with_the_store_is_found_and_built_anew(
    index: NumpyPairIndex, house: StoreHouse
) -> None:
    for text in ("my violin is broken", "rain", "the violin lesson"):
        await house.do(house.saying(text))
    assert len(await found(index, house, "violin")) == 3
    assert await index.check() == IndexCheck(pairs=1, messages=3, astray=0)

    lost = index._held[house.home.pair].timeline  # pyright: ignore[reportPrivateUsage]
    lost.drop([MessageId(lost.measured(Query(asked=asking("violin")))[0][0])])

    assert await index.check() == IndexCheck(pairs=1, messages=2, astray=1)
    assert len(await found(index, house, "violin")) == 3
    assert await index.check() == IndexCheck(pairs=1, messages=3, astray=0)


async def test_what_is_said_while_an_index_is_compared_does_not_make_it_wrong(
    index: NumpyPairIndex, house: StoreHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.do(house.saying("my violin is broken"))
    await found(index, house, "violin")
    page = house.store.index_rows

    async def late(*given: Any, **named: Any) -> Sequence[IndexRow]:
        monkeypatch.setattr(house.store, "index_rows", page)
        await house.do(house.saying("another violin"))
        return await page(*given, **named)

    monkeypatch.setattr(house.store, "index_rows", late)

    assert await index.check() == IndexCheck(pairs=1, messages=2, astray=0)


async def test_what_the_store_no_longer_has_is_found_out_too(index: NumpyPairIndex, house: StoreHouse) -> None:
    await house.do(house.saying("my violin is broken"))
    await found(index, house, "violin")
    held = index._held[house.home.pair].timeline  # pyright: ignore[reportPrivateUsage]
    [row] = await house.store.index_rows(house.home.pair, "")
    held.put([replace(row, message_id=MessageId("0" * 26))])

    assert (await index.check()).astray == 1
    assert await found(index, house, "violin") == ["my violin is broken"]
