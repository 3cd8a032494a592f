"""`echovessel init`."""

import tomllib
from pathlib import Path

from tests.rooms.runtime.commands.conftest import Command


def test_it_makes_a_home_that_explains_itself_and_keeps_what_is_there(home: Path, command: Command) -> None:
    first = command("init", "--json")
    config = home / "config.toml"

    assert first.json == {"home": str(home), "config": str(config), "made_config": True}
    assert set(tomllib.loads(config.read_text())) >= {"server", "llm"}
    assert (home / "token").exists()

    config.write_text("# mine\n")
    again = command("init")

    assert "kept as it is" in again.out
    assert config.read_text() == "# mine\n"


def test_a_home_that_cannot_be_made_is_told_with_a_remedy(home: Path, command: Command) -> None:
    home.write_text("a file")

    done = command("init")

    assert done.status == 2
    assert "ECHOVESSEL_HOME" in done.err
