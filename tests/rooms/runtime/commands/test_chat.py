"""`echovessel chat`, without a model: the keeper answers."""

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
    done = command("chat", "--once", "hello")

    assert done.status == 1
    assert "persona take" in done.err


def test_an_empty_message_is_refused(command: Command) -> None:
    command("persona", "new", "Mira")

    done = command("chat", "--once", " ")

    assert done.status == 2
    assert "text" in done.err


def test_where_help_is_comes_before_the_answer_in_a_pipe_too(command: Command) -> None:
    command("persona", "new", "Mira")

    done = command("chat", "--once", "I want to kill myself")

    assert done.out.startswith("── EchoVessel, not Mira ──\n")
    assert "116 123" in done.out.partition("\n──\n")[0]
    assert "program" in done.out.partition("\n──\n")[2], "the keeper's own answer"
