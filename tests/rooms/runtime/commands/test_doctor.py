"""`echovessel doctor`."""

from pathlib import Path

import pytest

from tests.rooms.runtime.commands.conftest import Command


def test_a_new_home_is_well(command: Command) -> None:
    command("init", "--name", "Ada", "--zone", "Europe/Paris", "--locale", "en")

    done = command("doctor")

    assert done.status == 0
    assert "you: Ada, time zone Europe/Paris, language en." in done.out
    assert "BROKEN" not in done.out
    checks = {check["name"]: check for check in command("doctor", "--json").json["items"]}
    assert checks["database"]["verdict"] == "ok"
    assert checks["model"]["verdict"] == "note"


@pytest.mark.parametrize(
    ("file", "content", "name", "said"),
    [
        ("config.toml", "[llm]\nmodle = 1\n", "settings", "line 2"),
        ("memory.db", "no database" * 1000, "database", "damaged"),
    ],
)
def test_what_keeps_it_from_starting_is_named(
    command: Command, home: Path, file: str, content: str, name: str, said: str
) -> None:
    command("init")
    (home / file).write_text(content)

    done = command("doctor", "--json")

    assert done.status == 1
    (broken,) = (check for check in done.json["items"] if check["verdict"] == "broken")
    assert broken["name"] == name
    assert said in broken["found"]
    assert broken["do"]
    assert (home / file).read_text() == content


def test_a_home_that_others_may_read_is_named(command: Command, home: Path) -> None:
    command("init")
    (home / "token").chmod(0o644)
    home.chmod(0o755)

    done = command("doctor")

    assert done.status == 1
    assert "BROKEN  home:" in done.out
    assert command("doctor").status == 0, "starting closed it"


def test_without_a_home_it_says_so_and_makes_none(command: Command, home: Path) -> None:
    done = command("doctor")

    assert done.status == 1
    assert "BROKEN  home: There is no home at" in done.out
    assert "echovessel init" in done.out
    assert not home.exists()
