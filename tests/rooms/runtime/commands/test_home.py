"""`echovessel init`."""

import tomllib
from pathlib import Path

import pytest

from echovessel.adapters.home import Home, HomeLock
from tests.rooms.runtime.commands.conftest import Command


def test_it_makes_a_home_that_explains_itself_and_keeps_what_is_there(home: Path, command: Command) -> None:
    first = command("init", "--json")
    config = home / "config.toml"

    assert first.json == {
        "home": str(home),
        "config": str(config),
        "made_config": True,
        "you": None,
        "model": None,
    }
    assert first.err == f"Made the home of EchoVessel: {home}\n"
    assert set(tomllib.loads(config.read_text())) >= {"server", "llm"}
    assert (home / "token").exists()

    config.write_text("# mine\n")
    again = command("init")

    assert again.out.endswith("Start it with `echovessel run`.\n")
    assert "kept as it is" in again.out
    assert again.err == ""
    assert config.read_text() == "# mine\n"


def test_it_is_not_to_be_started_while_it_runs(home: Path, command: Command) -> None:
    command("init")
    with HomeLock(Home(home)) as lock:
        assert lock.acquire()
        done = command("init")

    assert done.out.endswith("EchoVessel is running.\n")


@pytest.mark.parametrize(("language", "named"), [("zh_CN.UTF-8", "zh"), ("en_GB.UTF-8", "en")])
def test_the_language_of_the_machine_is_the_example(
    command: Command, monkeypatch: pytest.MonkeyPatch, language: str, named: str
) -> None:
    monkeypatch.setenv("LC_ALL", language)

    assert f"--locale {named}`" in command("init").out


def test_a_home_that_cannot_be_made_is_told_with_a_remedy(home: Path, command: Command) -> None:
    home.write_text("a file")

    done = command("init")

    assert done.status == 2
    assert "ECHOVESSEL_HOME" in done.err


def test_it_says_who_you_are_and_changes_only_what_is_named(command: Command) -> None:
    first = command("init", "--name", "阿青", "--zone", "Asia/Shanghai", "--locale", "zh")
    second = command("init", "--name", "青", "--json").json["you"]

    assert "阿青, time zone Asia/Shanghai, language zh" in first.out
    assert (second["name"], second["zone"], second["locale"]) == ("青", "Asia/Shanghai", "zh")


def test_a_model_is_connected_by_one_command_and_comments_stay(home: Path, command: Command) -> None:
    command("init")
    done = command("init", "--model-url", "http://127.0.0.1:11434/v1", "--model", "qwen3:8b")
    config = (home / "config.toml").read_text()

    assert "Model     qwen3:8b at http://127.0.0.1:11434/v1" in done.out
    assert tomllib.loads(config)["llm"]["base_url"] == "http://127.0.0.1:11434/v1"
    assert tomllib.loads(config)["llm"]["model"] == "qwen3:8b"
    assert config.count("#") > 20


def test_an_address_that_is_none_is_refused(home: Path, command: Command) -> None:
    done = command("init", "--model-url", "localhost:11434")

    assert done.status == 2
    assert "http" in done.err


@pytest.mark.parametrize(
    ("option", "value", "said"), [("--zone", "Mars/Base", "no time zone"), ("--locale", "fr", "zh")]
)
def test_what_cannot_be_is_refused_before_anything_is_made(
    home: Path, command: Command, option: str, value: str, said: str
) -> None:
    done = command("init", option, value)

    assert done.status == 2
    assert said in done.err
    assert not home.exists()


@pytest.mark.parametrize(
    ("language", "zone", "noted"), [("zh_CN", "UTC", True), ("zh_CN", "Etc/UTC", True), ("zh_CN", "Asia/Tokyo", False)]
)
def test_a_zone_that_may_be_wrong_is_noted(
    command: Command, monkeypatch: pytest.MonkeyPatch, language: str, zone: str, noted: bool
) -> None:
    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.setenv("TZ", zone)

    assert ("echovessel init --zone" in command("init").out) is noted
