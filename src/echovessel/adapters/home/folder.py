"""The home folder: where each thing lies, readable by its owner alone."""

import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from echovessel.core.errors import ConfigError
from echovessel.ports.clock import Ids

VARIABLE = "ECHOVESSEL_HOME"
FOLDER_MODE = 0o700
FILE_MODE = 0o600
_TOKEN = re.compile(r"[!-~]{16,}")


@dataclass(frozen=True, slots=True)
class Home:
    """Paths in one home; nothing is touched by asking for them."""

    path: Path

    @property
    def exists(self) -> bool:
        """Whether anything of ours is in the folder."""
        return any(path.exists() for path in (self.token, self.config, self.database))

    @property
    def config(self) -> Path:
        """The owner's settings."""
        return self.path / "config.toml"

    @property
    def database(self) -> Path:
        """The SQLite file, when no other database is configured."""
        return self.path / "memory.db"

    @property
    def token(self) -> Path:
        """The key to the API of this home."""
        return self.path / "token"

    @property
    def lock(self) -> Path:
        """Locked by the process that owns the home."""
        return self.path / "lock"

    @property
    def daemon(self) -> Path:
        """How to reach the process that owns the home."""
        return self.path / "daemon.json"

    @property
    def embedders(self) -> Path:
        """The folder of what was measured of embedders that the owner chose."""
        return self.path / "embedders"

    @property
    def logs(self) -> Path:
        """The folder of log files."""
        return self.path / "logs"


def find_home(environ: Mapping[str, str]) -> Home:
    """The home named by ECHOVESSEL_HOME, else `~/.echovessel`."""
    named = environ.get(VARIABLE)
    return Home(Path(named).expanduser().absolute() if named else Path.home() / ".echovessel")


def open_home(home: Home, ids: Ids) -> str:
    """Make the home where it is missing, close it to others, and return its token."""
    with writing_to(home):
        home.path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        home.logs.mkdir(mode=FOLDER_MODE, exist_ok=True)
        home.path.chmod(FOLDER_MODE)
        return _token(home.token, ids)


@contextmanager
def writing_to(home: Home) -> Generator[None]:
    """Say what the system would not do with the home, and what to do: ConfigError."""
    try:
        yield
    except OSError as cause:
        raise ConfigError(
            f"The home {home.path} cannot be used: {cause.strerror or cause}.",
            do=f"Make it a folder you may write to, or name another one in {VARIABLE}.",
        ) from cause


def open_to_others(home: Home) -> list[Path]:
    """What in the home people other than its owner may reach: nothing below a folder that is closed to them, else the folder
    and those of its entries that are open too."""
    if os.name == "nt" or not home.path.is_dir() or not _is_open(home.path):
        return []
    return [home.path, *(path for path in sorted(home.path.iterdir()) if _is_open(path))]


def write_private(path: Path, content: str | bytes) -> None:
    """Replace a file in one step, durably, readable by its owner alone."""
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), "wb") as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)


def _is_open(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o077)


def sync_file(path: Path) -> None:
    """Wait until what a file holds is on disk."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on disk."""
    if os.name == "nt":
        return  # a folder cannot be opened there; a rename is journalled by the file system
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def held_token(path: Path) -> str:
    """The token in a file; empty when there is none. ConfigError when what it holds is none."""
    held = path.read_bytes().strip().decode("ascii", "replace") if path.exists() else ""
    if held and not _TOKEN.fullmatch(held):
        raise ConfigError(
            f"{path} does not hold a token: one line of at least 16 letters, digits and signs.",
            do="Remove the file; a new token is made at the next start.",
        )
    return held


def _token(path: Path, ids: Ids) -> str:
    if held := held_token(path):
        path.chmod(FILE_MODE)
        return held
    if path.exists():
        path.unlink()  # empty: a start that was cut off
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    write_private(part, ids.token() + "\n")
    try:
        os.link(part, path)
    except FileExistsError:
        pass  # another process made the home at the same moment: its token is the token
    except OSError:
        part.replace(path)  # a file system without links
    part.unlink(missing_ok=True)
    sync_folder(path.parent)
    return held_token(path)
