import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.core.errors import DailyCapReached, ModelCut, ModelDown, ModelEmpty, ModelRefusedKey, ModelTimeout
from echovessel.core.ids import TurnId, UserId
from echovessel.core.talk import ChatMessage, ChatRole, Usage
from echovessel.flows.ledger import ModelCall, cap_reached, cost_of
from echovessel.ports.clock import Ids
from echovessel.ports.llm import ChatRequest, Delta, Role
from echovessel.ports.records import Spent, User
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.scripted_model import ScriptedModel
from tests.support.settings import MemorySettings, llm_settings

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
USER = User(id=UserId("U"), name="", zone="Asia/Shanghai", locale="zh", created_at=NOON)
REQUEST = ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, "晚上好，在吗？"),))


class Purse:
    """A ledger that holds one sum, and remembers since when it was asked."""

    def __init__(self) -> None:
        self.held = Spent(calls=0, tokens_in=0, tokens_out=0, cost=0)
        self.asked_since: list[datetime] = []

    async def spent(self, since: datetime) -> Spent:
        self.asked_since.append(since)
        return self.held


@dataclass
class Desk:
    """What a call needs."""

    store: Purse = field(default_factory=Purse)
    settings: MemorySettings = field(default_factory=MemorySettings)
    clock: StoppedClock = field(default_factory=lambda: StoppedClock(NOON))
    ids: Ids = field(init=False)
    model: ScriptedModel = field(default_factory=ScriptedModel)

    def __post_init__(self) -> None:
        self.ids = CountedIds(self.clock)

    def call(self) -> ModelCall:
        return ModelCall(REQUEST, model=self.model, user=USER, turn_id=TurnId("T"), prompt="reply@1", deps=self)


@pytest.fixture
def desk() -> Desk:
    return Desk()


async def _hear(call: ModelCall) -> str:
    async with aclosing(call.stream()) as events:
        return "".join([event.text async for event in events if isinstance(event, Delta)])


async def test_a_good_call_is_written_down_with_its_price(desk: Desk) -> None:
    desk.model.settings = llm_settings(price_in=2, price_out=8)
    desk.model.will_say("我在。", usage=Usage(tokens_in=1_000_000, tokens_out=500_000, cached_in=7, cache_written_in=3))
    call = desk.call()
    assert await _hear(call) == "我在。"
    line = call.record()
    assert (line.user_id, line.turn_id, line.role, line.prompt) == ("U", "T", "main", "reply@1")
    assert (line.outcome, line.model, line.cost, line.at) == ("ok", "scripted", 6, NOON)
    assert (line.tokens_in, line.tokens_out, line.cached_in, line.estimated) == (1_000_000, 500_000, 7, False)
    assert (line.profile, line.cache_written_in) == ("", 3)


async def test_a_call_has_one_line_and_another_call_another(desk: Desk) -> None:
    call, other = desk.call(), desk.call()
    assert call.record().id == call.record().id
    assert call.record().id != other.record().id


async def test_seconds_run_from_the_call_to_its_end(desk: Desk) -> None:
    hold = desk.model.will_say("one two", hold_after=1)
    call = desk.call()
    async with aclosing(call.stream()) as events:
        await anext(events)
        desk.clock.advance(3)
        hold.release()
        assert [event async for event in events]
    desk.clock.advance(60)
    assert call.record().seconds == 3


@pytest.mark.parametrize(
    ("failure", "said", "worked_on"),
    [
        (ModelRefusedKey("no", do="x"), "", False),
        (ModelDown("no", do="x"), "", False),
        (ModelTimeout("no", do="x"), "", True),
        (ModelCut("no", do="x"), "I was just ", True),
    ],
)
async def test_a_failed_call_is_written_down_with_what_it_probably_cost(
    desk: Desk, failure: ModelDown, said: str, worked_on: bool
) -> None:
    desk.model.will_say(said, then=failure)
    call = desk.call()
    with pytest.raises(type(failure)):
        await _hear(call)
    line = call.record()
    assert line.outcome == failure.code
    assert (line.tokens_in > 0) is worked_on
    assert (line.tokens_out > 0) is bool(said)
    assert line.estimated is worked_on


async def test_an_answer_that_the_length_limit_ended_is_marked(desk: Desk) -> None:
    desk.model.will_say("Once upon a", cut_short=True)
    call = desk.call()
    assert await _hear(call) == "Once upon a"
    assert call.record().outcome == "length"


async def test_a_call_that_is_left_is_written_down_as_stopped(desk: Desk) -> None:
    desk.model.will_say("Once upon a time")
    call = desk.call()
    async with aclosing(call.stream()) as events:
        await anext(events)
    line = call.record()
    assert line.outcome == "stopped"
    assert line.tokens_in > 0
    assert line.tokens_out > 0
    assert desk.model.closed_early == 1


async def test_thinking_that_is_stopped_is_paid_for(desk: Desk) -> None:
    hold = desk.model.will_say("Hm.", thinks="hmm " * 2000, hold_after=0)
    call = desk.call()
    hearing = asyncio.create_task(_hear(call))
    await hold.reached.wait()
    hearing.cancel()
    await asyncio.wait([hearing])
    line = call.record()
    assert (line.outcome, line.tokens_out, line.estimated) == ("stopped", 2000, True)


async def test_an_answer_that_was_all_thinking_is_paid_for(desk: Desk) -> None:
    desk.model.settings = llm_settings(price_out=10)
    desk.model.will_say("", thinks="hmm", usage=Usage(tokens_in=50, tokens_out=9000))
    call = desk.call()
    with pytest.raises(ModelEmpty):
        await _hear(call)
    line = call.record()
    assert (line.outcome, line.tokens_out, line.cost) == ("model-empty", 9000, 0.09)


async def test_the_cap_stops_politely_before_anything_is_asked(desk: Desk) -> None:
    desk.settings.llm(daily_cost_cap=1.5)
    desk.store.held = Spent(calls=3, tokens_in=10, tokens_out=10, cost=1.5)
    call = desk.call()
    with pytest.raises(DailyCapReached) as caught:
        await _hear(call)
    assert "tomorrow" in caught.value.do
    assert desk.model.requests == []
    line = call.record()
    assert (line.outcome, line.tokens_in, line.tokens_out, line.cost) == ("daily-cap", 0, 0, 0)


async def test_the_day_is_the_users_own(desk: Desk) -> None:
    desk.settings.llm(daily_token_cap=1000)
    desk.model.will_say("好")
    await _hear(desk.call())
    assert desk.store.asked_since == [datetime(2026, 3, 1, 16, 0, tzinfo=UTC)]


async def test_without_a_cap_the_ledger_is_not_asked(desk: Desk) -> None:
    desk.model.will_say("好")
    await _hear(desk.call())
    assert desk.store.asked_since == []


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_cap_of_zero_is_none_and_any_other_is_reached_in_the_end(tokens_in: int, tokens_out: int) -> None:
    spent = Spent(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, cost=tokens_in / 100)
    assert not cap_reached(spent, llm_settings())
    assert cap_reached(spent, llm_settings(daily_token_cap=1000)) is (tokens_in + tokens_out >= 1000)
    assert cap_reached(spent, llm_settings(daily_cost_cap=5)) is (tokens_in >= 500)


def test_prices_are_for_a_million_tokens() -> None:
    assert cost_of(Usage(tokens_in=2_000_000, tokens_out=0), llm_settings(price_in=0.5)) == 1
    assert cost_of(Usage(tokens_in=0, tokens_out=500_000), llm_settings(price_out=4)) == 2


def test_tokens_from_and_for_the_cache_have_prices_of_their_own_or_cost_as_others() -> None:
    usage = Usage(tokens_in=4_000_000, tokens_out=0, cached_in=2_000_000, cache_written_in=1_000_000)
    assert cost_of(usage, llm_settings(price_in=3)) == 12
    assert cost_of(usage, llm_settings(price_in=3, price_cached_in=0.3)) == pytest.approx(3 + 0.6 + 3)
    assert cost_of(usage, llm_settings(price_in=3, price_cached_in=0, price_cache_written_in=3.75)) == 6.75
