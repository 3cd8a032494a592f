import asyncio

import pytest

from echovessel.core.errors import BadInput, Conflict, ModelCut, NotFound
from echovessel.core.ids import PersonaId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Speaker, Voice
from echovessel.flows.front import open_conversation
from echovessel.ports.front import (
    AlsoSaid,
    Incoming,
    NewPersona,
    ReplyDelta,
    ReplyDone,
    ReplyFailed,
    TurnEvent,
)
from echovessel.ports.records import ChangeRow
from echovessel.testing.world import World


def incoming(vessel: World, text: str = "你好", **changes: object) -> Incoming:
    fields: dict[str, object] = {
        "pair": vessel.pair,
        "channel": "page",
        "conversation": "c",
        "text": text,
        "zone": "Asia/Shanghai",
    }
    return Incoming(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", " \n\t", "\x00", "a\x00b", "\ud83d", "x" * 1_000_000])
def test_a_text_we_cannot_take_is_refused_and_leaves_nothing(vessel: World, text: str) -> None:
    with pytest.raises(BadInput) as refusal:
        vessel.run(vessel.vessel.front.hear(incoming(vessel, text)))
    assert refusal.value.field == "text"
    assert vessel.timeline == []


@pytest.mark.parametrize("text", ["👩‍👩‍👧‍👦🏳️‍🌈", "\u202eمرحبا\u202c", "e\u0301", "。", "a" * 100_000])
def test_strange_but_honest_text_is_kept(vessel: World, text: str) -> None:
    vessel.run(vessel.vessel.front.hear(incoming(vessel, text)))
    assert vessel.said[0] in (text, "é")


def test_an_unknown_persona_or_zone_is_refused(vessel: World) -> None:
    stranger = Pair(vessel.pair.user_id, PersonaId("nobody"))
    with pytest.raises(NotFound, match="no such persona"):
        vessel.run(vessel.vessel.front.hear(incoming(vessel, pair=stranger)))
    with pytest.raises(BadInput, match="no time zone"):
        vessel.run(vessel.vessel.front.hear(incoming(vessel, zone="Mars/Olympus")))


def test_a_conversation_cannot_be_rebound(vessel: World) -> None:
    other = vessel.run(vessel.vessel.library.create(NewPersona(name="另一个")))
    vessel.run(vessel.vessel.front.hear(incoming(vessel, conversation="thread")))
    with pytest.raises(Conflict):
        vessel.run(
            vessel.vessel.front.hear(incoming(vessel, conversation="thread", pair=Pair(vessel.pair.user_id, other.id)))
        )


def test_a_conversation_is_opened_once(vessel: World) -> None:
    async def both() -> set[str]:
        opened = [open_conversation(vessel.vessel.deps, vessel.pair, "page", "new") for _ in range(4)]
        return set(await asyncio.gather(*opened))

    assert len(vessel.run(both())) == 1


def test_a_follower_reads_the_reply_as_it_grows(vessel: World) -> None:
    hold = vessel.model_says("one two three four", hold_after=2)
    receipt = vessel.sends("count")
    vessel.waits_for(hold)

    async def follow() -> list[TurnEvent]:
        events: list[TurnEvent] = []
        async for event in vessel.vessel.front.follow(vessel.pair.user_id, receipt.turn_id):
            events.append(event)
            hold.release()
        return events

    events = vessel.run(follow())
    pieces = [e for e in events if isinstance(e, ReplyDelta)]
    assert "".join(p.text for p in pieces) == "one two three four"
    assert [p.offset for p in pieces] == [sum(len(q.text) for q in pieces[:i]) for i in range(len(pieces))]
    assert events[-1] == ReplyDone(receipt.turn_id, vessel.last.id)


def test_a_follower_may_come_late_and_leave_out_what_it_has_read(vessel: World) -> None:
    hold = vessel.model_says("one two three", hold_after=2)
    receipt = vessel.sends("count")
    vessel.waits_for(hold)

    async def first() -> TurnEvent:
        async for event in vessel.vessel.front.follow(vessel.pair.user_id, receipt.turn_id, after=4):
            return event
        raise AssertionError

    assert vessel.run(first()) == ReplyDelta(receipt.turn_id, 4, "two")
    hold.release()


def test_a_failed_turn_ends_with_what_to_do(vessel: World) -> None:
    vessel.model_says("half", then=ModelCut("It broke off.", do="Try again."))
    receipt = vessel.hears("hello")

    async def last() -> TurnEvent:
        return [e async for e in vessel.vessel.front.follow(vessel.pair.user_id, receipt.turn_id)][-1]

    event = vessel.run(last())
    assert isinstance(event, ReplyFailed)
    assert (event.trouble.code, event.trouble.do) == ("model-cut", "Try again.")


async def _told(vessel: World, turn_id: TurnId, after: int = 0) -> list[TurnEvent]:
    return [e async for e in vessel.vessel.front.follow(vessel.pair.user_id, turn_id, after)]


def test_where_help_is_comes_before_the_reply_and_once(vessel: World) -> None:
    hold = vessel.model_says("我 在 听", hold_after=1)
    receipt = vessel.sends("我不想活了")

    async def follow() -> list[TurnEvent]:
        events: list[TurnEvent] = []
        async for event in vessel.vessel.front.follow(vessel.pair.user_id, receipt.turn_id):
            events.append(event)
            if isinstance(event, ReplyDelta):
                hold.release()
        return events

    vessel.passes(vessel.vessel.deps.settings.current().turn.debounce_s)
    events = vessel.run(asyncio.wait_for(follow(), 10))

    care = next(m for m in vessel.timeline if m.made_by == "care@1")
    assert "12356" in care.text
    assert events[0] == AlsoSaid(receipt.turn_id, care.id, Voice.CARE, care.text)
    assert sum(isinstance(e, AlsoSaid) for e in events) == 1
    assert "".join(e.text for e in events if isinstance(e, ReplyDelta)) == "我 在 听"
    assert events[-1] == ReplyDone(receipt.turn_id, vessel.last.id)


def test_a_late_follower_is_told_where_help_is_too(vessel: World) -> None:
    vessel.model_says("我在听")
    receipt = vessel.hears("我不想活了")

    events = vessel.run(_told(vessel, receipt.turn_id, after=1))

    assert [type(e) for e in events] == [AlsoSaid, ReplyDelta, ReplyDone]


def test_without_a_model_the_answer_is_marked_as_the_keeper_s(vessel: World) -> None:
    vessel.without_model()
    receipt = vessel.hears("我不想活了")

    said, answer, done = vessel.run(_told(vessel, receipt.turn_id))

    assert isinstance(said, AlsoSaid)
    assert isinstance(answer, ReplyDelta)
    assert (answer.voice, answer.text) == (Voice.KEEPER, vessel.reply)
    assert done == ReplyDone(receipt.turn_id, vessel.last.id)


def test_where_help_is_never_counts_as_the_reply(vessel: World) -> None:
    vessel.model_says("我在听")
    receipt = vessel.hears("我不想活了")
    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, vessel.last.id))
    assert [m.made_by for m in vessel.timeline if m.speaker is Speaker.PERSONA and m.text] == ["care@1"]

    assert vessel.run(_told(vessel, receipt.turn_id))[-1] == ReplyDone(receipt.turn_id, None)


def test_nobody_follows_or_stops_what_is_not_theirs(vessel: World) -> None:
    receipt = vessel.sends("私事")

    async def pry() -> None:
        async for _ in vessel.vessel.front.follow(UserId("stranger"), receipt.turn_id):
            pass

    with pytest.raises(NotFound):
        vessel.run(asyncio.wait_for(pry(), 5))
    with pytest.raises(NotFound):
        vessel.run(vessel.vessel.front.stop(UserId("stranger"), receipt.turn_id))
    with pytest.raises(NotFound):
        vessel.run(vessel.vessel.front.stop(vessel.pair.user_id, TurnId("no such turn")))


def test_the_feed_tells_everything_in_order_and_replays_from_where_one_left(vessel: World) -> None:
    vessel.model_says("嗯 嗯 嗯")
    start = vessel.run(vessel.vessel.deps.store.head(vessel.pair.user_id))
    vessel.hears("在吗")
    vessel.rests()

    async def read(after: int | None, until: str) -> list[ChangeRow]:
        rows: list[ChangeRow] = []
        async for look in vessel.vessel.front.feed(vessel.pair.user_id, after):
            rows += look.stored
            if any(row.kind == until for row in look.stored):
                return rows
        raise AssertionError

    events = vessel.run(asyncio.wait_for(read(start, "reply.done"), 5))
    kinds = [e.kind for e in events]
    assert kinds.index("message.created") < kinds.index("reply.done")
    assert [e.seq for e in events] == list(range(start + 1, start + 1 + len(events)))
    middle = events[len(events) // 2].seq
    again = vessel.run(asyncio.wait_for(read(middle, "reply.done"), 5))
    assert again == events[len(events) // 2 + 1 :]


def test_a_reader_who_joins_in_the_middle_of_a_reply_gets_a_snapshot(vessel: World) -> None:
    hold = vessel.model_says("one two three", hold_after=2)
    receipt = vessel.sends("count")
    vessel.waits_for(hold)

    async def read() -> list[ReplyDelta]:
        deltas: list[ReplyDelta] = []
        async for look in vessel.vessel.front.feed(vessel.pair.user_id, None):
            if look.growing:
                deltas += look.growing
                hold.release()
            if any(row.kind == "reply.done" for row in look.stored):
                return deltas
        raise AssertionError

    deltas = vessel.run(asyncio.wait_for(read(), 5))
    assert deltas[0] == ReplyDelta(receipt.turn_id, 0, "one two", reset=True)
    assert "".join(d.text for d in deltas) == "one two three"
