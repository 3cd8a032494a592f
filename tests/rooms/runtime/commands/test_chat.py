"""`echovessel chat`, without a model: the keeper answers."""

import sys
from pathlib import Path

import pytest

from echovessel.channels.terminal import Screen
from echovessel.runtime.commands import chat
from tests.rooms.runtime.commands.conftest import Command


def test_one_thing_is_said_and_answered(command: Command) -> None:
    command("persona", "new", "Mira")

    done = command("chat", "--once", "good morning")

    assert done.status == 0
    assert "Mira" in done.out
    assert "model" in done.out


def test_the_lines_of_a_pipe_are_said_one_after_another(command: Command) -> None:
    command("persona", "new", "小满", "--locale", "zh")

    done = command("chat", "小满", stdin="早\n\n晚安\n")

    assert done.status == 0
    listed = command("memory", "list", "--json").json["items"]
    assert [m["text"] for m in listed if m["speaker"] == "user"] == ["早", "晚安"]
    assert {m["channel"] for m in listed} == {"terminal"}
    assert all(m["text"] in done.out for m in listed if m["speaker"] == "persona")


def test_what_to_say_may_come_from_standard_input(command: Command) -> None:
    command("persona", "new", "Mira")

    assert command("chat", "--once", "-", stdin="two\nlines\n").status == 0
    assert command("memory", "list", "--json").json["items"][0]["text"] == "two\nlines\n"


def test_nobody_to_talk_to_is_told(command: Command) -> None:
    command("init")

    done = command("chat", "--once", "hello")

    assert done.status == 1
    assert "persona take" in done.err


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_message_is_refused(command: Command, text: str) -> None:
    command("persona", "new", "Mira", "--greeting", "Hello.")

    done = command("chat", "--once", text)

    assert done.status == 2
    assert done.err == "echovessel: This text is empty.\n  Write something before sending it.\n"
    assert command("memory", "list").out == "", "and nobody greeted"


@pytest.mark.parametrize("arguments", [["chat", "--once", "hi"], ["chat", "nobody"], ["import", __file__]])
def test_without_a_home_there_is_nobody_and_none_is_made(command: Command, home: Path, arguments: list[str]) -> None:
    done = command(*arguments)

    assert done.status == 1
    assert "no EchoVessel home" in done.err
    assert "persona take" in done.err
    assert not home.exists()


def test_a_greeting_is_shown_in_a_terminal_and_once(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    command("persona", "new", "Mira", "--greeting", "Hello, {{user}}.")
    command("persona", "new", "Noor", "--greeting", "Come in.")
    assert "Come in." not in command("chat", "Noor", "--once", "hi").out, "a pipe gets the answer alone"

    monkeypatch.setattr(chat, "_screen", lambda: Screen(sys.stdout, columns=80))
    first, second = (command("chat", "Mira", "--once", "hi").out for _ in range(2))

    assert "Mira: Hello, you.\n" in first
    assert "Hello, you." not in second


def test_where_help_is_comes_before_the_answer_in_a_pipe_too(command: Command) -> None:
    command("persona", "new", "Mira")

    done = command("chat", "--once", "I want to kill myself")

    assert done.out.startswith("── EchoVessel, not Mira ──\n")
    assert "116 123" in done.out.partition("\n──\n")[0]
    assert "program" in done.out.partition("\n──\n")[2], "the keeper's own answer"
