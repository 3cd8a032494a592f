"""`echovessel persona …`."""

import json
from pathlib import Path

import pytest

from tests.rooms.runtime.commands.conftest import Command


def test_a_persona_is_made_listed_and_shown(command: Command) -> None:
    command("init")
    assert "persona take" in command("persona", "list").out

    made = command(
        "persona", "new", "小满", "--about", "爱种花。", "--greeting", "来啦。", "--locale", "zh", "--json"
    ).json
    shown = command("persona", "show", "小满")

    assert made["name"] == "小满"
    assert command("persona", "list", "--json").json["items"] == [made]
    assert "爱种花。" in shown.out
    assert "来啦。" in shown.out
    assert command("persona", "show", made["id"].lower(), "--json").json["core_blocks"][0]["text"] == "爱种花。"


def test_a_card_is_imported(command: Command, tmp_path: Path) -> None:
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Mira", "description": "A gardener."}}
    file = tmp_path / "mira.json"
    file.write_text(json.dumps(card))

    assert command("persona", "import", str(file)).out.startswith("Mira is here.")
    assert command("persona", "list", "--json").json["items"][0]["name"] == "Mira"


@pytest.mark.parametrize(("name", "said"), [("missing.json", "missing.json cannot be read"), ("broken.png", "card")])
def test_a_file_that_is_no_card_is_told_with_status_2(command: Command, tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "broken.png").write_bytes(b"\x89PNG nonsense")

    done = command("persona", "import", str(tmp_path / name))

    assert done.status == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_the_library_is_shown_in_one_s_language_and_one_is_taken(command: Command) -> None:
    shelf = command("persona", "take", "--json").json["items"]
    assert {entry["locale"] for entry in shelf} == {"en"}

    taken = command("persona", "take", shelf[0]["slug"], "--locale", "zh", "--json").json

    assert taken["locale"] == "zh"


def test_whom_there_are_is_told_to_who_asks_for_someone_else(command: Command) -> None:
    command("persona", "new", "Mira")

    done = command("persona", "show", "Nobody")

    assert done.status == 1
    assert done.err == "echovessel: There is no persona called Nobody.\n  Name one of: Mira.\n"


def test_looking_makes_no_home(command: Command, home: Path) -> None:
    for arguments in (["persona", "list"], ["persona", "show"], ["memory", "list"], ["memory", "search", "x"]):
        done = command(*arguments)
        assert done.status == 1
        assert "no EchoVessel home" in done.err
    assert not home.exists()


def test_a_language_we_do_not_speak_is_refused_with_those_we_do(command: Command) -> None:
    for arguments in (["persona", "new", "Mira"], ["persona", "take"], ["persona", "take", "mender"]):
        done = command(*arguments, "--locale", "fr")
        assert done.status == 2
        assert "'zh', 'en'" in done.err


def test_a_card_s_macros_are_filled_in_for_a_reader_only(command: Command) -> None:
    command("persona", "new", "Mira", "--about", "{{char}} knows {{user}}.", "--greeting", "{{user}}! It is {{char}}.")
    assert "\nMira knows you.\n" in command("persona", "show", "mi").out
    command("init", "--name", "Ada")

    shown = command("persona", "show", "mi")

    assert "\nMira knows Ada.\n" in shown.out
    assert shown.out.endswith("\nAda! It is Mira.\n")
    assert command("persona", "show", "--json").json["greetings"] == ["{{user}}! It is {{char}}."]
