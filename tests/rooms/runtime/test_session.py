"""A command reaches the API through the owner of the home, or is the owner itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from echovessel.adapters.home import Daemon, Home, HomeInUse, HomeLock
from echovessel.core.errors import ConfigError, StoreUnusable
from echovessel.runtime import session
from echovessel.runtime.client import DaemonDown
from echovessel.runtime.session import NoHome, connected


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.setenv("ECHOVESSEL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ECHOVESSEL_EMBEDDER__NAME", "none")
    yield Home(tmp_path / "home")
    (tmp_path / "home").mkdir(exist_ok=True)
    with HomeLock(Home(tmp_path / "home")):
        pass  # whatever happened, the home is free again


def test_without_an_owner_the_command_is_the_daemon_and_others_find_it(home: Home) -> None:
    with connected(makes_home=True) as client:
        made = client.post("/api/v1/personas", {"name": "Mira"})
        with connected() as other:
            assert other.get(f"/api/v1/personas/{made['id']}") == made

    assert not home.daemon.exists()
    assert (home.logs / "echovessel.log").exists()


def test_an_owner_that_is_still_starting_is_waited_for(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.path.mkdir()
    lock = HomeLock(home)
    lock.acquire()
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            lock.publish(Daemon(url="http://127.0.0.1:9", pid=1))

    monkeypatch.setattr(session.time, "sleep", sleep)
    with connected(makes_home=True) as client, pytest.raises(DaemonDown):
        client.get("/api/v1/me")
    lock.release()

    assert len(pauses) == 3


def test_an_owner_that_ends_while_we_wait_leaves_the_home_to_us(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.path.mkdir()
    lock = HomeLock(home)
    lock.acquire()
    monkeypatch.setattr(session.time, "sleep", lambda _: lock.release())

    with connected(makes_home=True) as client:
        assert client.get("/api/v1/me")["id"]


def test_an_owner_that_never_says_where_it_is_is_named_in_the_end(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.path.mkdir()
    monkeypatch.setattr(session, "OWNER_STARTS_WITHIN_S", 0.1)

    with HomeLock(home), pytest.raises(HomeInUse), connected(makes_home=True):
        pass


@pytest.mark.parametrize(
    ("file", "content", "kind"),
    [("config.toml", "[llm]\nmodle = 1\n", ConfigError), ("memory.db", "no database" * 999, StoreUnusable)],
)
def test_what_keeps_it_from_starting_is_raised_as_it_is(
    home: Home, file: str, content: str, kind: type[Exception]
) -> None:
    home.path.mkdir()
    (home.path / file).write_text(content)

    with pytest.raises(kind), connected(makes_home=True):
        pass


def test_a_failure_of_the_command_itself_frees_the_home(home: Home) -> None:
    with pytest.raises(KeyboardInterrupt), connected(makes_home=True):
        raise KeyboardInterrupt


def test_looking_makes_no_home(home: Home) -> None:
    with pytest.raises(NoHome) as told, connected():
        pass

    assert str(home.path) in told.value.message
    assert "echovessel init" in told.value.do
    assert not home.path.exists()


def test_a_home_that_is_made_is_told_of_once(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    with connected(makes_home=True):
        pass
    assert capsys.readouterr().err == f"Made the home of EchoVessel: {home.path}\n"

    with connected(makes_home=True):
        pass
    assert capsys.readouterr().err == ""
