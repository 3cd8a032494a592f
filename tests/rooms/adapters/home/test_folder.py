"""The home folder is private, wherever it came from."""

import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from echovessel.adapters.home import Home, find_home, open_home, write_private
from echovessel.adapters.home.folder import open_to_others
from echovessel.core.errors import ConfigError


class CountedIds:
    """Tokens `token-of-16-letters-1`, …"""

    def __init__(self) -> None:
        self._next: Iterator[int] = iter(range(1, 100))

    def ulid(self, at: datetime | None = None) -> str:
        raise NotImplementedError

    def token(self) -> str:
        return f"token-of-16-letters-{next(self._next)}"


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_environment_names_the_home(tmp_path: Path) -> None:
    assert find_home({"ECHOVESSEL_HOME": str(tmp_path)}).path == tmp_path
    assert find_home({}).path == Path.home() / ".echovessel"


def test_a_new_home_is_closed_to_others_and_keeps_its_token(tmp_path: Path) -> None:
    home, ids = Home(tmp_path / "a" / "home"), CountedIds()

    assert not home.exists
    assert open_home(home, ids) == "token-of-16-letters-1"
    assert open_home(home, ids) == "token-of-16-letters-1"
    assert home.exists
    assert _mode(home.path) == 0o700
    assert _mode(home.token) == 0o600
    assert open_to_others(home) == []


def test_a_home_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.path.chmod(0o755)
    home.token.write_text("my-own-long-token\n")
    home.token.chmod(0o644)
    home.config.touch(0o600)
    assert open_to_others(home) == [home.path, home.token]

    assert open_home(home, CountedIds()) == "my-own-long-token"
    assert open_to_others(home) == []


def test_a_home_that_is_a_file_is_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")

    with pytest.raises(ConfigError) as refused:
        open_home(Home(tmp_path / "home"), CountedIds())

    assert "ECHOVESSEL_HOME" in refused.value.do


@pytest.mark.parametrize("held", [b"x\n", b"a-token-of-mine\nand-another-one\n", b"a token with blanks", b"\xff" * 20])
def test_what_no_client_could_send_is_no_token(tmp_path: Path, held: bytes) -> None:
    home = Home(tmp_path)
    home.token.write_bytes(held)

    with pytest.raises(ConfigError, match="does not hold a token"):
        open_home(home, CountedIds())

    assert home.token.read_bytes() == held


def test_a_private_file_is_replaced_whole_even_after_a_crash_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / ".file.part").write_text("left by a crash")
    path.write_text("old")

    write_private(path, "新的")

    assert path.read_text(encoding="utf-8") == "新的"
    assert _mode(path) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_processes_that_make_a_home_at_once_agree_on_its_token(tmp_path: Path) -> None:
    make = (
        "import pathlib, sys; from echovessel.adapters.home import Home, open_home;"
        "from echovessel.adapters.system import SystemClock, SystemIds; sys.stdin.readline();"
        "print(open_home(Home(pathlib.Path(sys.argv[1])), SystemIds(SystemClock())))"
    )
    command = [sys.executable, "-c", make, str(tmp_path / "home")]
    makers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    for maker in makers:
        assert maker.stdin
        maker.stdin.write("\n")
        maker.stdin.flush()
    tokens = {maker.communicate()[0].strip() for maker in makers}

    assert tokens == {(tmp_path / "home" / "token").read_text().strip()}
    assert {path.name for path in (tmp_path / "home").iterdir()} == {"token", "logs"}
