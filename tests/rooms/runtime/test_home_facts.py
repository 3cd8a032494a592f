"""What the doctor is told of a home before anything is opened."""

import os
import resource
import socket
import threading
from pathlib import Path

import pytest

from echovessel.adapters.home import Daemon, Home, HomeLock, open_home
from echovessel.adapters.system import SystemClock, SystemIds
from echovessel.flows.doctor import OwnerFacts, Token
from echovessel.ports.settings import ServerSettings
from echovessel.runtime import home_facts
from echovessel.runtime.home_facts import facts_of, owner_of, why_taken
from tests.support.nearby import serving


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    open_home(made, SystemIds(SystemClock()))
    return made


def test_a_home_in_order(home: Home) -> None:
    facts = facts_of(home)

    assert (facts.exists, facts.token, facts.unwritable, facts.unlogged) == (True, Token.GOOD, "", "")
    assert list(facts.open_to_others) == []
    assert sorted(path.name for path in home.path.iterdir()) == ["logs", "token"], "the trial leaves nothing"


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    facts = facts_of(Home(tmp_path / "none" / "home"))

    assert not facts.exists
    assert facts.free_bytes > 0
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(("held", "token"), [("", Token.MISSING), ("\n", Token.MISSING), ("short", Token.SPOILT)])
def test_a_token_that_is_none(home: Home, held: str, token: Token) -> None:
    home.token.write_text(held)

    assert facts_of(home).token is token


def test_a_folder_and_a_log_that_cannot_be_written_are_told(home: Home) -> None:
    (home.path / ".doctor").mkdir()
    (home.logs / "echovessel.log").mkdir()
    facts = facts_of(home)

    assert "directory" in facts.unwritable.lower()
    assert "echovessel.log" in facts.unlogged


def test_a_disk_without_room_is_told_of_home_and_log_and_nothing_is_left_behind(home: Home) -> None:
    (home.logs / "echovessel.log").write_text("{}\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # files may be opened and made, as on a full disk
    try:
        facts = facts_of(home)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert facts.unwritable
    assert str(home.logs) in facts.unlogged
    assert sorted(path.name for path in home.path.rglob("*")) == ["echovessel.log", "logs", "token"]


def test_nobody_owns_a_home_whose_lock_is_free(home: Home) -> None:
    home.daemon.write_text("left behind by one that was killed")

    assert owner_of(home) is None


def test_an_owner_that_answers_and_one_that_does_not(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_facts, "OWNER_ANSWERS_WITHIN_S", 1)
    with HomeLock(home) as lock, serving({"GET /healthz": {"status": "ok"}}) as well, serving({"*": 2.5}) as hung:
        for served, answers in ((well, True), (hung, False)):
            lock.publish(Daemon(url=served.root, pid=os.getpid()))
            assert owner_of(home) == OwnerFacts(pid=os.getpid(), url=served.root, answers=answers)


def test_an_owner_that_says_nothing_is_waited_for_but_not_for_long(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_facts, "OWNER_STARTS_WITHIN_S", 0.5)
    with HomeLock(home) as lock:
        home.daemon.write_text("{garbage")
        silent = owner_of(home)
        threading.Timer(0.1, lambda: lock.publish(Daemon(url="http://127.0.0.1:1", pid=7))).start()
        late = owner_of(home)

    assert silent is not None
    assert (silent.url, silent.answers) == ("", False)
    assert late == OwnerFacts(pid=7, url="http://127.0.0.1:1", answers=False)


def test_an_address_is_free_or_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        wrong = why_taken(ServerSettings(port=port))  # pyright: ignore[reportCallIssue]
        assert wrong is not None
        assert str(port) in wrong.message
    assert why_taken(ServerSettings(port=port)) is None  # pyright: ignore[reportCallIssue]
