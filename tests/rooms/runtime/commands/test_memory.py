"""`echovessel memory …`."""

from tests.rooms.runtime.commands.conftest import Command


def test_what_was_said_is_listed_and_found(command: Command) -> None:
    command("persona", "new", "小满")
    command("chat", stdin="我把龟背竹搬到了窗边\n今天下雨了\n")

    listed = command("memory", "list", "--limit", "3")
    found = command("memory", "search", "龟背竹", "--json").json["items"]

    assert len(listed.out.splitlines()) == 3
    assert "You: 今天下雨了" in listed.out
    assert found[0]["message"]["text"] == "我把龟背竹搬到了窗边"
    assert found[0]["factors"]
    assert "龟背竹" in command("memory", "search", "龟背竹").out


def test_the_program_s_words_are_told_from_the_persona_s(command: Command) -> None:
    command("persona", "new", "Mira")
    command("chat", "--once", "I want to kill myself")

    you, care, keeper = command("memory", "list").out.splitlines()

    assert "You: I want" in you
    assert "EchoVessel, not Mira: It sounds" in care
    assert "The keeper, not Mira: " in keeper


def test_the_list_can_be_narrowed_to_words(command: Command) -> None:
    command("persona", "new", "Mira")
    command("chat", stdin="the tomatoes are ripe\nit rained\nwe walked home\nthe bus was late\ngood soup\n")

    assert "tomatoes" in command("memory", "list", "--words", "tomatoes").out
    assert "it rained" not in command("memory", "list", "--words", "tomatoes").out


def test_nothing_that_fits_is_said_so(command: Command) -> None:
    command("persona", "new", "Mira")

    command("chat", stdin="the tomatoes are ripe\nit rained\nwe walked home\nthe bus was late\ngood soup\n")

    assert command("memory", "search", "violin").out.startswith("Nothing that fits. `--all`")
    fitting = command("memory", "search", "the ripe tomatoes").out.splitlines()
    everything = command("memory", "search", "the ripe tomatoes", "--all").out.splitlines()
    assert any("the tomatoes are ripe" in line for line in fitting)
    assert len(everything) > len(fitting)


def test_what_was_said_cannot_steer_the_terminal(command: Command) -> None:
    command("persona", "new", "Mira")
    command("chat", "--once", "red \x1b[31malert")

    assert "\x1b" not in command("memory", "list").out
