"""The event stream of a whole vessel: what happened, in order, once; what was missed; a reply as it grows."""

from sqlalchemy import create_engine

from echovessel.adapters.store import feed
from echovessel.core.errors import ModelBusy
from echovessel.ports.changes import Tidy
from echovessel.testing.world import World
from tests.rooms.api.conftest import Api, Stranger


def test_a_talk_is_told_as_it_happens(api: Api, world: World) -> None:
    world.model_says("还好，它又长了一片新叶。")
    with api.events() as events:
        said = api.post(f"{api.persona}/messages", {"text": "龟背竹还好吗？", "client_id": "c-1"})
        world.answers(said["turn_id"])
        told = events.until("reply.done")

    heard = next(e for e in told if e.name == "message.created")
    pieces = [e for e in told if e.name == "reply.delta"]
    done = told[-1]
    assert heard.data["message"]["text"] == "龟背竹还好吗？"
    assert heard.data["message"]["client_id"] == "c-1"
    assert heard.data["message"]["id"] == said["message_id"]
    assert heard.data["persona_id"] == world.pair.persona_id
    assert {e.id for e in pieces} <= {None}
    assert {(e.data["turn_id"], e.data["persona_id"]) for e in pieces} <= {(said["turn_id"], world.pair.persona_id)}
    assert done.data["message"]["text"] == "还好，它又长了一片新叶。"
    assert done.data["turn_id"] == said["turn_id"]
    stored = [e.id for e in told if e.id is not None]
    assert stored == sorted(set(stored))


def test_what_was_missed_is_told_once_to_who_comes_back(api: Api, world: World) -> None:
    world.model_says("早。")
    with api.events() as events:
        said = api.post(f"{api.persona}/messages", {"text": "早安"})
        world.answers(said["turn_id"])
        whole = [e for e in events.until("reply.done") if e.id is not None]

    for at, event in enumerate(whole[:-1]):
        with api.events(after=event.id) as again:
            replayed = [again.next() for _ in whole[at + 1 :]]
        assert [(e.id, e.name) for e in replayed] == [(e.id, e.name) for e in whole[at + 1 :]]


def test_who_joins_in_the_middle_of_a_reply_gets_all_of_it(api: Api, world: World) -> None:
    hold = world.model_says("one two three four five", hold_after=3)
    said = api.post(f"{api.persona}/messages", {"text": "count"})
    world.waits_for(hold)

    with api.events() as events:
        snapshot = events.until("reply.delta")[-1]
        hold.release()
        rest = [e for e in events.until("reply.done") if e.name == "reply.delta"]

    assert (snapshot.data["offset"], snapshot.data["reset"]) == (0, True)
    assert snapshot.data["turn_id"] == said["turn_id"]
    assert snapshot.data["text"].startswith("one")
    assert all(e.data["offset"] > 0 and not e.data["reset"] for e in rest)


def test_a_failed_reply_says_what_to_do(api: Api, world: World) -> None:
    world.model_fails(ModelBusy("The model is busy.", do="Wait a minute."))
    with api.events() as events:
        said = api.post(f"{api.persona}/messages", {"text": "hello?"})
        world.answers(said["turn_id"])
        failed = events.until("reply.failed")[-1]

    assert failed.data["trouble"]["code"] == "model-busy"
    assert failed.data["trouble"]["do"]
    assert failed.data["message"]["trouble"] == failed.data["trouble"]
    assert failed.data["turn_id"] == said["turn_id"]


def test_edits_deletions_and_rerolls_are_told(api: Api, world: World) -> None:
    world.model_says("first")
    said = api.post(f"{api.persona}/messages", {"text": "hi"})
    world.answers(said["turn_id"])
    reply = world.last.id

    with api.events() as events:
        api.patch(f"/api/v1/messages/{said['message_id']}", {"text": "hi there"})
        edited = events.until("message.edited")[-1]
        world.model_says("second")
        turn_id = world.regenerates(reply)
        rerolled = events.until("reply.done")[-1]
        api.call("DELETE", f"/api/v1/messages/{said['message_id']}")
        deleted = events.until("message.deleted")[-1]

    assert (edited.data["message"]["text"], edited.data["message"]["edited"]) == ("hi there", True)
    assert rerolled.data["turn_id"] == turn_id
    assert (rerolled.data["message"]["id"], rerolled.data["message"]["text"]) == (reply, "second")
    assert len(rerolled.data["message"]["variants"]) == 2
    assert (deleted.data["message"]["state"], deleted.data["message"]["text"]) == ("deleted", "")


def test_people_and_personas_are_told(api: Api, world: World) -> None:
    with api.events() as events:
        api.patch("/api/v1/me", {"name": "阿青"})
        user = events.until("user.changed")[-1]
        api.patch(api.persona, {"tagline": "Waters plants."})
        persona = events.until("persona.changed")[-1]

    assert user.data["user"]["name"] == "阿青"
    assert persona.data["persona"]["tagline"] == "Waters plants."


def test_an_id_that_this_database_never_gave_means_start_anew(api: Api) -> None:
    with api.events(after=10**9) as events:
        first = events.next()
        api.patch("/api/v1/me", {"name": "A"})
        second = events.next()

    assert (first.name, first.id, first.data) == ("feed.reset", None, {})
    assert second.name == "user.changed"


def test_whoever_missed_what_is_no_longer_kept_starts_anew(api: Api, world: World) -> None:
    now = world.clock.now()
    for name in ("A", "B", "C"):
        api.patch("/api/v1/me", {"name": name})
    world.run(world.vessel.deps.store.apply([Tidy(traces_before=now, jobs_before=now, changes_kept=1)]))
    head = world.run(world.vessel.deps.store.head(world.pair.user_id))

    with api.events(after=head - 2) as events:
        assert events.next().name == "feed.reset"
    with api.events(after=head - 1) as events:
        assert events.next().name == "user.changed"


def test_whoever_knew_the_database_that_a_backup_replaced_starts_anew(api: Api, world: World) -> None:
    for name in ("A", "B"):
        api.patch("/api/v1/me", {"name": name})
    head = world.run(world.vessel.deps.store.head(world.pair.user_id))
    engine = create_engine(f"sqlite:///{world.home.database}")
    with engine.begin() as conn:
        feed.begin_anew(conn, {world.pair.user_id: head + 40})
    engine.dispose()

    for after in (head - 1, head, head + 20, head + 40):
        with api.events(after=after) as events:
            assert events.until("feed.reset"), after
    with api.events(after=head + 40) as events:
        assert events.next().id == head + 41
    with api.events(after=head + 41) as events:
        api.patch("/api/v1/me", {"name": "C"})
        assert events.next().name == "user.changed"


def test_another_users_talk_is_not_told(api: Api, world: World, stranger: Stranger) -> None:
    with api.events(after=0) as events:
        api.patch("/api/v1/me", {"name": "A"})
        told = events.until("user.changed")

    assert stranger.message_id not in str(told)
    assert stranger.text not in str(told)
