"""The terminal's desk over HTTP, on a real daemon and a real model endpoint on this machine."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from echovessel.core.errors import NotFound
from echovessel.core.talk import Voice
from echovessel.ports.front import AlsoSaid, ReplyDelta, ReplyDone, ReplyFailed, TurnEvent
from echovessel.runtime.client import Client
from echovessel.runtime.session import connected
from echovessel.runtime.talk import HttpDesk, find_persona
from echovessel.testing.model_scripts import cuts_after, fails, hangs_after, says
from echovessel.testing.model_server import ModelServer


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> Path:
    settings = {
        "HOME": str(tmp_path / "home"),
        "EMBEDDER__NAME": "none",
        "TURN__DEBOUNCE_S": "0",
        "LLM__BASE_URL": model.base_url,
        "LLM__MODEL": "scripted",
        "LLM__RETRIES": "0",
    }
    for name, value in settings.items():
        monkeypatch.setenv(f"ECHOVESSEL_{name}", value)
    return tmp_path / "home"


@pytest.fixture
def client(home: Path) -> Iterator[Client]:
    with connected(makes_home=True) as made:
        yield made


def _text(events: Iterator[TurnEvent]) -> tuple[str, TurnEvent]:
    """What a terminal shows in the end, and how it ended."""
    shown = ""
    for event in events:
        if not isinstance(event, ReplyDelta):
            return shown, event
        shown = event.text if event.reset else shown + event.text
    raise AssertionError("the turn did not end")


def test_a_talk_is_followed_stopped_and_worded_again(client: Client, model: ModelServer) -> None:
    client.post("/api/v1/personas", {"name": "小满", "greetings": ["来啦。"]})
    desk = HttpDesk(client)
    talk = desk.open("")
    assert (talk.persona, list(desk.names())) == ("小满", ["小满"])
    assert [line.text for line in talk.recent(5)] == ["来啦。"], "it greets in a new timeline"
    assert talk.greeted == talk.recent(1)
    assert desk.open("小满").greeted == ()
    assert len(talk.recent(5)) == 1, "and only there"

    model.will(says("早上好，今天出太阳了。"))
    with talk.say("早") as events:
        shown, end = _text(events)
    assert isinstance(end, ReplyDone)
    assert end.message_id
    assert shown == "早上好，今天出太阳了。"

    model.will(says("早。"))
    with talk.regenerate(end.message_id) as events:
        assert _text(events)[0] == "早。"
    assert [(line.voice, line.text) for line in talk.recent(2)] == [(Voice.USER, "早"), (Voice.PERSONA, "早。")]

    model.will(hangs_after("从前"))
    with talk.say("讲个故事") as events:
        first = next(events)
        talk.stop()
        shown, end = _text(chain([first], events))
    assert (shown, isinstance(end, ReplyDone)) == ("从前", True)


def test_a_failed_answer_brings_its_trouble(client: Client, model: ModelServer) -> None:
    client.post("/api/v1/personas", {"name": "Mira"})
    talk = HttpDesk(client).open("mira")

    model.will(fails(401))
    with talk.say("hello") as events:
        shown, end = _text(events)
    assert shown == ""
    assert isinstance(end, ReplyFailed)
    assert end.trouble.code == "model-refused-key"
    assert talk.recent(1)[0].trouble == end.trouble

    model.will(cuts_after("I was just"))
    with talk.say("hello?") as events:
        shown, end = _text(events)
    assert (shown, isinstance(end, ReplyFailed)) == ("I was just", True)


def test_where_help_is_comes_before_the_answer(client: Client, model: ModelServer) -> None:
    client.post("/api/v1/personas", {"name": "小满"})
    talk = HttpDesk(client).open("")
    model.will(says("我在听。"))

    with talk.say("我不想活了") as events:
        told = list(events)

    help_, *pieces, end = told
    assert isinstance(help_, AlsoSaid)
    assert (help_.voice, "12356" in help_.text) == (Voice.CARE, True)
    assert "".join(p.text for p in pieces if isinstance(p, ReplyDelta)) == "我在听。"
    assert isinstance(end, ReplyDone)
    assert [line.voice for line in talk.recent(3)] == [Voice.USER, Voice.CARE, Voice.PERSONA]


def test_without_a_model_the_answer_is_marked_as_the_keeper_s(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ECHOVESSEL_LLM__BASE_URL")
    with connected(makes_home=True) as client:
        client.post("/api/v1/personas", {"name": "小满"})
        with HttpDesk(client).open("").say("早") as events:
            answer, _ = list(events)

    assert home.is_dir()
    assert isinstance(answer, ReplyDelta)
    assert answer.voice is Voice.KEEPER


def test_which_persona_is_meant(client: Client) -> None:
    with pytest.raises(NotFound, match="no persona yet"):
        find_persona(client, "")
    mira = client.post("/api/v1/personas", {"name": "Mira"})
    assert find_persona(client, "") == mira
    client.post("/api/v1/personas", {"name": "小满"})

    client.post("/api/v1/personas", {"name": "Mirabelle"})
    assert find_persona(client, "小")["name"] == "小满"
    assert find_persona(client, "miraB")["name"] == "Mirabelle"
    with pytest.raises(NotFound, match="begins with Mir") as told:
        find_persona(client, "Mir")
    assert told.value.do == "Name one of: Mira, Mirabelle."

    assert find_persona(client, "MIRA")["id"] == find_persona(client, mira["id"])["id"] == mira["id"]
    with pytest.raises(NotFound, match="more than one"):
        find_persona(client, "")
