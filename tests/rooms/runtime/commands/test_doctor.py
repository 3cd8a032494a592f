"""`echovessel doctor`: what it prints. The faults themselves are injected in tests/e2e/test_doctor.py."""

from pathlib import Path

from tests.rooms.runtime.commands.conftest import Command


def test_a_new_home_is_well(command: Command) -> None:
    command("init", "--name", "Ada", "--zone", "Europe/Paris", "--locale", "en")

    done = command("doctor")

    assert done.status == 0
    assert "Ada, time zone Europe/Paris, language en." in done.out
    assert "BROKEN" not in done.out
    assert "0 broken, " in done.out
    checks = command("doctor", "--json").json["items"]
    assert {check["name"]: check["verdict"] for check in checks}["database"] == "ok"
    assert all(set(check) == {"name", "verdict", "found", "do"} for check in checks)


def test_what_is_broken_comes_first_with_its_remedy_below(command: Command, home: Path) -> None:
    command("init")
    (home / "token").chmod(0o644)
    home.chmod(0o755)

    done = command("doctor")
    first, remedy = done.out.splitlines()[:2]

    assert done.status == 1
    assert first.startswith("BROKEN  home ")
    assert remedy.strip().startswith("→ Start EchoVessel")
    assert "1 broken, " in done.out.splitlines()[-1]
    assert command("doctor").status == 0, "starting closed it"


def test_without_a_home_it_says_so_and_makes_none(command: Command, home: Path) -> None:
    done = command("doctor")

    assert done.status == 1
    assert "There is no home at" in done.out
    assert "echovessel init" in done.out
    assert not home.exists()
