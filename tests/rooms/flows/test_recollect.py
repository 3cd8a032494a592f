"""What memory is asked with, besides the words themselves."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from echovessel.flows.recollect import query_of, query_vector
from echovessel.ports.embedder import Kind
from echovessel.ports.recollecting import Said
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.world import World

SHANGHAI = ZoneInfo("Asia/Shanghai")


def said(text: str, *before: str) -> Said:
    at = datetime(2025, 6, 18, 20, tzinfo=UTC).astimezone(SHANGHAI)
    return Said(text=text, before=before, at=at, user_name="沈岚", persona_name="小满")


def test_who_is_meant_goes_along_when_the_burst_does_not_say_it(vessel: World) -> None:
    query, lost = vessel.run(query_of(said("她后来同意了吗？", "我姐周婷不想搬家", "那怎么办"), vessel.vessel.deps))

    assert "周婷" in query.asked.text
    assert query.asked.terms["周婷"] < query.asked.terms["同意"]
    assert lost == ()


def test_a_burst_that_stands_alone_is_asked_alone(vessel: World) -> None:
    query, _ = vessel.run(query_of(said("我姐搬去哪个城市了？", "今天好热"), vessel.vessel.deps))

    assert query.asked.text == "我姐搬去哪个城市了？"


def test_a_question_asked_twice_is_embedded_once(vessel: World) -> None:
    embedder = HashEmbedder()
    deps = replace(vessel.vessel.deps, embedder=embedder)

    first, _ = vessel.run(query_vector("我的猫呢", deps))
    again, _ = vessel.run(query_vector("我的猫呢", deps))

    assert first is again is not None
    assert embedder.asked[Kind.QUERY] == 1


def test_yesterday_is_the_users_yesterday(vessel: World) -> None:
    query, _ = vessel.run(query_of(said("昨天我说了什么？"), vessel.vessel.deps))

    [yesterday] = query.asked.times
    assert yesterday.since == datetime(2025, 6, 18, tzinfo=SHANGHAI)
    assert query.zone == SHANGHAI
