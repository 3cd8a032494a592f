"""A talk in the terminal, played with a desk of scripted answers."""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from echovessel.channels.terminal import Screen, StopKey, TerminalChannel, say_once, words
from echovessel.core.errors import NotFound, PortDown
from echovessel.core.ids import MessageId, TurnId
from echovessel.core.talk import Trouble, Voice
from echovessel.ports.desk import Line
from echovessel.ports.front import AlsoSaid, ReplyDelta, ReplyDone, ReplyFailed, TurnEvent

TURN, MESSAGE = TurnId("t"), MessageId("m")
HELP = AlsoSaid(TURN, MessageId("c"), Voice.CARE, "Call 988.")
HELP_SHOWN = "── EchoVessel, not 小满 ──\nCall 988.\n──\n"
DOWN = Trouble(code="model-unreachable", message="No connection.", do="Start the endpoint.", aside="I remember tea.")

GONE = PortDown("It was stopped.", do="Start it again.")

SWALLOWED = "Ctrl-C inside a library that loses the exception"

Script = list[TurnEvent | type[KeyboardInterrupt] | PortDown | str]


def answer(*pieces: str) -> Script:
    offsets = [sum(len(p) for p in pieces[:i]) for i in range(len(pieces))]
    return [*(ReplyDelta(TURN, o, p) for o, p in zip(offsets, pieces, strict=True)), ReplyDone(TURN, MESSAGE)]


@dataclass
class Scripted:
    """Both desk and talk. Every answer is taken from `answers`; what was asked is in `asked`."""

    answers: list[Script]
    persona: str = "小满"
    locale: str = "en"
    greeted: Sequence[Line] = ()
    lines: list[Line] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    stop_key: StopKey = field(default_factory=StopKey)

    def names(self) -> Sequence[str]:
        return ["小满", "Mira"]

    def open(self, name: str) -> "Scripted":
        if name not in self.names():
            raise NotFound(f"There is no persona called {name}.", do="Name one of: 小满, Mira.")
        self.persona = name if name != "小满" else self.persona
        return self

    def recent(self, limit: int) -> Sequence[Line]:
        return self.lines[-limit:]

    @contextmanager
    def say(self, text: str) -> Iterator[Iterator[TurnEvent]]:
        self.asked.append(text)
        yield _Events(self.answers.pop(0), self.stop_key)

    @contextmanager
    def regenerate(self, message_id: MessageId) -> Iterator[Iterator[TurnEvent]]:
        self.asked.append(f"again {message_id}")
        yield _Events(self.answers.pop(0), self.stop_key)

    def stop(self) -> None:
        self.asked.append("stop")


class _Events(Iterator[TurnEvent]):
    """Unlike a generator it goes on after a KeyboardInterrupt, as reading from a socket does."""

    def __init__(self, script: Script, stop_key: StopKey) -> None:
        self._script = script
        self._stop_key = stop_key

    def __next__(self) -> TurnEvent:
        if not self._script:
            raise StopIteration
        event = self._script.pop(0)
        if isinstance(event, str):
            with suppress(KeyboardInterrupt):
                self._stop_key.press()
            return next(self)
        if isinstance(event, type | PortDown):
            raise event
        return event


def _reader(lines: Sequence[str | type[BaseException]]) -> Callable[[str], str]:
    waiting = iter(lines)

    def read(prompt: str) -> str:
        line = next(waiting, EOFError)
        if isinstance(line, str):
            return line
        raise line

    return read


def _played(desk: Scripted, *lines: str | type[BaseException], name: str = "小满", columns: int | None = None) -> str:
    out = io.StringIO()
    TerminalChannel(desk, Screen(out, columns=columns), _reader(lines), desk.stop_key).run(name)
    return out.getvalue()


def test_an_answer_is_shown_behind_the_persona_s_name() -> None:
    desk = Scripted([answer("早", "上好。")])

    assert "小满: 早上好。\n" in _played(desk, "早", "", "   ")
    assert desk.asked == ["早"]


def test_the_last_lines_are_shown_with_their_days() -> None:
    lines = [
        Line(id=MESSAGE, voice=Voice.USER, text="早", at=datetime(2026, 3, 1, 9, tzinfo=UTC), trouble=None),
        Line(id=MESSAGE, voice=Voice.PERSONA, text="", at=datetime(2026, 3, 2, 9, tzinfo=UTC), trouble=DOWN),
    ]

    shown = _played(Scripted([], lines=lines))

    assert "── 2026-03-01 ──\nYou: 早\n── 2026-03-02 ──\n× No connection.\n" in shown


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ([HELP, *answer("I am", " here.")], f"{HELP_SHOWN}小满: I am here.\n"),
        ([ReplyDelta(TURN, 0, "I am "), HELP, *answer("here.")], f"小满: I am\n{HELP_SHOWN}小满: here.\n"),
        ([HELP, ReplyFailed(TURN, MESSAGE, DOWN)], f"{HELP_SHOWN}× No connection.\n"),
        ([KeyboardInterrupt, HELP, ReplyDone(TURN, MESSAGE)], f"to leave)\n{HELP_SHOWN}"),
    ],
)
def test_where_help_is_is_shown_whatever_becomes_of_the_answer(script: Script, expected: str) -> None:
    shown = _played(Scripted([script]), "I want to die")

    assert expected in shown
    assert shown.count("988") == 1


def test_the_dots_come_back_below_what_the_program_says() -> None:
    in_a_terminal = HELP_SHOWN.replace("Call", "  Call")

    shown = _played(Scripted([[HELP, *answer("Yes.")]]), "hm", columns=80)

    assert f"小满 …\r\x1b[K{in_a_terminal}小满 …\r\x1b[K小满: Yes.\n" in shown


def test_the_program_s_words_are_never_the_persona_s() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    lines = [
        Line(id=MESSAGE, voice=Voice.PERSONA, text="hello", at=at, trouble=None),
        Line(id=MessageId("k"), voice=Voice.KEEPER, text="I keep the house.", at=at, trouble=None),
        Line(id=MessageId("c"), voice=Voice.CARE, text="Call 988.", at=at, trouble=None),
    ]
    by_keeper = ReplyDelta(TURN, 0, "Only me.", voice=Voice.KEEPER)
    desk = Scripted([[by_keeper, ReplyDone(TURN, MESSAGE)], answer("again")], lines=lines)

    shown = _played(desk, "hi", "/regenerate")

    assert f"小满: hello\nThe keeper, not 小满: I keep the house.\n{HELP_SHOWN}" in shown
    assert "The keeper, not 小满: Only me.\n" in shown
    assert desk.asked == ["hi", "again k"], "what the program said by itself is not worded again"
    assert "看家的代答，不是小满: I keep the house." in _played(Scripted([], locale="zh", lines=lines))


def test_a_failed_answer_says_why_and_what_helps_and_is_retried() -> None:
    failed: Script = [ReplyDelta(TURN, 0, "I th"), ReplyFailed(TURN, MESSAGE, DOWN)]
    at = datetime(2026, 3, 1, tzinfo=UTC)
    lines = [Line(id=MESSAGE, voice=Voice.PERSONA, text="I th", at=at, trouble=DOWN)]
    desk = Scripted([failed, answer("I think so.")], lines=lines)

    shown = _played(desk, "really?", "/retry")

    assert "小满: I th\n× No connection.\n  Start the endpoint. /retry tries again.\n" in shown
    assert "I remember tea." in shown
    assert shown.count("小满: I think so.\n") == 1
    assert desk.asked == ["really?", "again m"]


def test_what_breaks_an_answer_off_stands_on_a_line_of_its_own() -> None:
    begun: Script = [ReplyDelta(TURN, 0, "Once upon"), GONE]
    out = io.StringIO()

    assert "小满: Once upon\n× It was stopped.\n  Start it again.\n" in _played(Scripted([begun]), "a story")
    assert "小满 …\r\x1b[K× It was stopped." in _played(Scripted([[GONE]]), "a story", columns=80)
    with pytest.raises(PortDown):
        say_once(Scripted([[ReplyDelta(TURN, 0, "Once upon"), GONE]]), "a story", Screen(out), words("en"))
    assert out.getvalue() == "Once upon\n"


def test_there_is_nothing_to_retry_before_the_first_answer() -> None:
    assert "no answer to word again" in _played(Scripted([]), "/regenerate")


def test_an_answer_that_begins_anew_is_shown_anew() -> None:
    anew: Script = [ReplyDelta(TURN, 0, "Hel"), ReplyDelta(TURN, 0, "Hello", reset=True), ReplyDone(TURN, MESSAGE)]

    assert "小满: Hel\n小满: Hello\n" in _played(Scripted([anew]), "hi")


def test_ctrl_c_stops_the_answer_and_keeps_what_was_said() -> None:
    script: Script = [
        ReplyDelta(TURN, 0, "Once upon"),
        KeyboardInterrupt,
        ReplyDelta(TURN, 9, " a"),
        ReplyDone(TURN, MESSAGE),
    ]
    desk = Scripted([script, answer("Yes.")])

    shown = _played(desk, "a story", "again?")

    assert "小满: Once upon\n(stopping; once more to leave)\n小满: Yes.\n" in shown
    assert desk.asked == ["a story", "stop", "again?"]


def test_ctrl_c_that_a_library_swallowed_stops_the_answer_at_its_next_word() -> None:
    script: Script = [ReplyDelta(TURN, 0, "Once upon"), SWALLOWED, ReplyDelta(TURN, 9, " a"), ReplyDone(TURN, MESSAGE)]
    desk = Scripted([script, answer("Yes.")])

    shown = _played(desk, "a story", "again?")

    assert "小满: Once upon a\n(stopping; once more to leave)\n小满: Yes.\n" in shown
    assert desk.asked == ["a story", "stop", "again?"]


def test_a_second_ctrl_c_during_an_answer_leaves() -> None:
    desk = Scripted([[KeyboardInterrupt, KeyboardInterrupt, ReplyDone(TURN, MESSAGE)]])

    assert _played(desk, "a story", "never read").endswith("Everything said is kept.\n")
    assert desk.asked == ["a story", "stop"]


def test_ctrl_c_at_the_prompt_leaves_only_the_second_time() -> None:
    desk = Scripted([answer("a"), answer("b")])

    _played(desk, KeyboardInterrupt, "one", KeyboardInterrupt, KeyboardInterrupt, "two")

    assert desk.asked == ["one"]


def test_commands() -> None:
    desk = Scripted([answer("hi")])

    shown = _played(desk, "/help", "/persona", "/persona Mira", "/persona Nobody", "/sing", " /sing", "/quit", "never")

    assert "/regenerate" in shown
    assert "You can talk with: 小满, Mira" in shown
    assert "Talking with Mira." in shown
    assert "× There is no persona called Nobody.\n  Name one of: 小满, Mira.\n" in shown
    assert "There is no command /sing." in shown
    assert desk.asked == [" /sing"], "a space before it says it as it is"


def test_the_dots_are_wiped_before_the_answer_only_in_a_terminal() -> None:
    assert "小满 …\r\x1b[K小满: 早\n" in _played(Scripted([answer("早")]), "早", columns=80)
    assert "…" not in _played(Scripted([answer("早")]), "早")


def test_chinese_is_spoken_to_those_who_speak_it() -> None:
    assert "正在和小满说话" in _played(Scripted([], locale="zh"))


@pytest.mark.parametrize(
    ("script", "written", "trouble"),
    [
        (answer("早", "上好\x1b[2J。"), "早上好[2J。\n", None),
        ([ReplyDelta(TURN, 0, "I"), ReplyFailed(TURN, MESSAGE, DOWN)], "I\n", DOWN),
        ([ReplyFailed(TURN, MESSAGE, DOWN)], "", DOWN),
        ([HELP, *answer("I am", " here.")], f"{HELP_SHOWN}I am here.\n", None),
        ([ReplyDelta(TURN, 0, "I am"), HELP, *answer(" here.")], f"I am\n{HELP_SHOWN} here.\n", None),
    ],
)
def test_once_writes_the_answer_alone(script: Script, written: str, trouble: Trouble | None) -> None:
    out = io.StringIO()

    assert say_once(Scripted([script]), "早", Screen(out), words("en")) == trouble
    assert out.getvalue() == written


def test_a_persona_s_name_cannot_steer_the_terminal() -> None:
    shown = _played(Scripted([answer("hi")], persona="Eve\x1b[2J"), "hi", name="小满", columns=80)

    assert "\x1b[2J" not in shown
