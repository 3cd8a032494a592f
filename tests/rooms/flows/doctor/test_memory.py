"""What is remembered, and what might be wrong with it."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, TurnId
from echovessel.core.pair import Pair
from echovessel.flows.deps import Deps
from echovessel.flows.doctor.memory import (
    EARLY,
    look_at_clock,
    look_at_database,
    look_at_embedder,
    look_at_index,
    look_at_owner_of_home,
    look_at_vectors,
)
from echovessel.ports.changes import Change, HearMessage, OpenConversation, PutPersona, PutVectors
from echovessel.ports.front import Verdict
from echovessel.ports.index import IndexCheck
from echovessel.ports.records import Persona, PersonaKind, StoreHealth, User
from echovessel.testing.hash_embedder import HashEmbedder
from tests.rooms.flows.doctor.conftest import OWNER

HEALTH = StoreHealth(
    kind="sqlite", where="memory.db", revision="0001", integrity="ok", durable=True, messages=3, parked_jobs=0
)


def _heard(at: datetime) -> list[Change]:
    pair, conversation = Pair(OWNER, PersonaId("p")), ConversationId("c")
    persona = Persona(
        id=pair.persona_id, name="小满", kind=PersonaKind.FICTIONAL, locale="zh", zone="UTC", created_at=at
    )
    heard = HearMessage(
        message_id=MessageId("m"),
        text_id=TextId("t"),
        turn_id=TurnId("turn"),
        conversation_id=conversation,
        pair=pair,
        channel="page",
        text="早",
        sent_at=at,
        zone="UTC",
        due_at=at,
    )
    opened = OpenConversation(conversation_id=conversation, pair=pair, channel="page", key="k", at=at)
    return [PutPersona(persona=persona), opened, heard]


@pytest.mark.parametrize(
    ("health", "verdict", "remedy"),
    [
        (HEALTH, Verdict.OK, ""),
        (replace(HEALTH, integrity="row 3 missing from index"), Verdict.BROKEN, "backup"),
        (replace(HEALTH, durable=False), Verdict.BROKEN, "synchronous"),
    ],
)
def test_a_sick_database_is_broken(health: StoreHealth, verdict: Verdict, remedy: str) -> None:
    check = look_at_database(health)

    assert check.verdict is verdict
    assert remedy in check.do


@pytest.mark.parametrize(
    ("ahead", "verdict", "said"),
    [
        (timedelta(0), Verdict.OK, ""),
        (EARLY, Verdict.OK, ""),
        (timedelta(minutes=20), Verdict.BROKEN, "20 minutes in the future"),
        (timedelta(hours=5), Verdict.BROKEN, "5 hours in the future"),
        (timedelta(days=366), Verdict.BROKEN, "366 days in the future"),
    ],
)
async def test_a_clock_that_is_behind_what_was_said(deps: Deps, ahead: timedelta, verdict: Verdict, said: str) -> None:
    await deps.store.apply(_heard(deps.clock.now() + ahead))

    check = await look_at_clock(deps, OWNER)

    assert check.verdict is verdict
    assert said in check.found


async def test_before_the_first_word_the_clock_is_right(deps: Deps) -> None:
    assert (await look_at_clock(deps, OWNER)).verdict is Verdict.OK


@pytest.mark.parametrize(
    ("zone", "locale", "verdict"),
    [
        ("UTC", "zh", Verdict.NOTE),
        ("Etc/UTC", "zh", Verdict.NOTE),
        ("Asia/Shanghai", "zh", Verdict.OK),
        ("UTC", "en", Verdict.OK),
        ("Mars/Base", "en", Verdict.BROKEN),
    ],
)
def test_who_you_are_is_told_and_a_zone_that_may_be_wrong(zone: str, locale: str, verdict: Verdict) -> None:
    at = datetime.fromisoformat("2026-03-02T09:00:00Z")
    you = look_at_owner_of_home(User(id=OWNER, name="阿青", zone=zone, locale=locale, created_at=at))

    assert (you.verdict, "--zone" in you.do) == (verdict, verdict is not Verdict.OK)
    assert you.found.startswith(f"阿青, time zone {zone}, language {locale}.")


async def test_waiting_vectors_and_those_of_another_embedder_are_noticed(deps: Deps) -> None:
    assert (await look_at_vectors(deps, HashEmbedder())).verdict is Verdict.OK
    await deps.store.apply(_heard(deps.clock.now()))
    old = PutVectors(user_id=OWNER, persona_id=PersonaId("p"), embedder="old@1", vectors=((TextId("t"), bytes(16)),))
    await deps.store.apply([old])

    assert "1 of old@1" in (await look_at_vectors(deps, HashEmbedder())).found

    await deps.store.apply([replace(old, embedder=HashEmbedder.name)])

    assert "1 of old@1 are no longer needed" in (await look_at_vectors(deps, HashEmbedder())).found


async def test_a_broken_embedder_is_named_and_none_is_the_owner_s_choice(deps: Deps) -> None:
    embedder = HashEmbedder()
    well = await look_at_embedder(embedder, deps.clock)
    assert well.verdict is Verdict.OK
    assert well.found == "hash-256@1 works: 0 ms for a question, 256 numbers in a vector, calibrated."
    embedder.down = True
    assert (await look_at_embedder(embedder, deps.clock)).verdict is Verdict.BROKEN
    assert (await look_at_embedder(None, deps.clock)).verdict is Verdict.NOTE


async def test_an_embedder_that_is_still_to_be_measured_is_no_fault(deps: Deps) -> None:
    embedder = HashEmbedder()
    embedder.calibrated, embedder.down = False, True

    assert (await look_at_embedder(embedder, deps.clock)).verdict is Verdict.NOTE


class ComparedIndex:
    """An index that was compared with its store."""

    def __init__(self, astray: int) -> None:
        self._astray = astray

    async def check(self) -> IndexCheck:
        return IndexCheck(pairs=2, messages=30, astray=self._astray)


async def test_an_index_that_differed_is_counted_and_nothing_to_do() -> None:
    whole = await look_at_index(ComparedIndex(0))  # pyright: ignore[reportArgumentType]
    astray = await look_at_index(ComparedIndex(1))  # pyright: ignore[reportArgumentType]

    assert (whole.verdict, astray.verdict) == (Verdict.OK, Verdict.NOTE)
    assert "30 messages of 2 talks" in whole.found
    assert "1 talks differed" in astray.found
    assert "anew" in astray.do
