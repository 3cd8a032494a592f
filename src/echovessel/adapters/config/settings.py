"""`config.toml` as a `SettingsSource`: file < environment < command-line flags."""

import asyncio
import errno
import logging
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pydantic import SecretStr, ValidationError

from echovessel.adapters.config.keys import PREFIX, PROFILES, field_of, key_of, nested, split, variable_of
from echovessel.adapters.config.problems import first_problem, line_of, merge, place, unknown_key
from echovessel.adapters.config.template import commented_settings
from echovessel.adapters.config.writing import put
from echovessel.adapters.home import write_private
from echovessel.core.errors import BadInput, ConfigError, Conflict, DiskFailing, DiskFull, StoreDown
from echovessel.core.text import keepable
from echovessel.ports.settings import READ_AT_START, Settings

log = logging.getLogger(__name__)

# Names with our prefix that are not settings.
NOT_SETTINGS = frozenset({"ECHOVESSEL_HOME"})


@dataclass(frozen=True, slots=True)
class Layers:
    """What wins over the file: environment variables, and above them the flags of a command (`section.key`)."""

    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    flags: Mapping[str, object] = field(default_factory=dict[str, object])


class FileSettings:
    """Settings of one home. Read when made, again at each save, so that edits by hand are kept, and when `refresh` is asked."""

    def __init__(self, path: Path, layers: Layers | None = None) -> None:
        """Raises ConfigError with the line (or variable) that is wrong, and what is allowed there."""
        self._path = path
        self._layers = layers or Layers()
        self._saving = asyncio.Lock()
        self._problem: ConfigError | None = None
        self._blank = False
        self._seen = self._stamp()
        self._current = self._at_start = self._checked(self._read())

    def current(self) -> Settings:
        """The settings in force now."""
        return self._current

    async def save(self, changes: dict[str, object]) -> Settings:
        """Write `section.key` values into the file, keeping its comments; None removes a key, or a whole `profiles.NAME`.
        BadInput names the key that is unknown, has a bad value, or is held by the environment."""
        for key, value in changes.items():
            self._refuse_unless_savable(key, removed=value is None)
        async with self._saving:
            self._current = await asyncio.to_thread(self._write, changes)
            self._problem = None
        return self._current

    async def refresh(self, *, anyway: bool = False) -> None:
        """See `ports.settings.SettingsSource.refresh`."""
        async with self._saving:
            seen = await asyncio.to_thread(self._stamp)
            if seen == self._seen and not anyway:
                return
            self._seen = seen
            blank = self.blank
            try:
                self._current = await asyncio.to_thread(lambda: self._checked(self._read()))
                self._problem = None
            except ConfigError as wrong:
                self._problem = wrong
            if self.blank and not blank:
                log.warning("the settings file was emptied: what it held has its default again")

    @property
    def blank(self) -> bool:
        """Whether the file is there and held nothing when it was read: an editor or a full disk may have emptied it."""
        return self._blank

    @property
    def problem(self) -> ConfigError | None:
        """See `ports.settings.SettingsSource.problem`."""
        return self._problem

    @property
    def at_next_start(self) -> Sequence[str]:
        """See `ports.settings.SettingsSource.at_next_start`."""
        return [key for key in READ_AT_START if _value(self._current, key) != _value(self._at_start, key)]

    def _stamp(self) -> tuple[int, int, int] | None:
        """What differs between two contents of the file: which it is, when it was written, how long it is."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _refuse_unless_savable(self, key: str, *, removed: bool) -> None:
        table, name = split(key)
        whole_profile = removed and not name and table.startswith(f"{PROFILES}.")
        if problem := unknown_key(key):
            raise problem.as_bad_input()
        if not name and not whole_profile:
            raise BadInput(f"{key} is a section.", field=key, do="Name a setting as section.key.")
        if variable := self._variable_that_holds(key):
            raise BadInput(
                f"{key} is set by the environment variable {variable}, which wins over the file.",
                field=key,
                do=f"Unset {variable} and start again, then change it here.",
            )
        if key in self._layers.flags:
            raise BadInput(
                f"{key} was given on the command line, which wins over the file.",
                field=key,
                do="Start again without that option, then change it here.",
            )

    def _variable_that_holds(self, key: str) -> str | None:
        """The variable that sets this key, or one of this profile's."""
        exact, within = variable_of(key), f"{variable_of(key)}__"
        return next((name for name in self._layers.environ if name == exact or name.startswith(within)), None)

    def _write(self, changes: dict[str, object]) -> Settings:
        import tomlkit

        held = self._read()
        try:
            self._checked(held)
        except ConfigError as wrong:
            raise Conflict(f"Nothing was saved: {wrong.message}", do=wrong.do) from wrong
        # A file that begins here explains itself, as one that `init` made does.
        document = tomlkit.parse(held if self._path.exists() else commented_settings())
        for key, value in changes.items():
            put(document, key, None if value is None else _plain(value))
        text = tomlkit.dumps(document)
        try:
            settings = self._validated(text)
        except ValidationError as cause:
            raise first_problem(cause).as_bad_input() from None
        try:
            write_private(self._path, text)
        except OSError as cause:
            raise _unwritten(self._path, cause) from cause
        return settings

    def _read(self) -> str:
        """The file's text, without the mark that some editors put before it; empty when there is no file."""
        if self._path.exists() and not self._path.is_file():
            raise ConfigError(
                f"{self._path} is not a file.", do="Move it away; a file of that name holds the settings."
            )
        self._blank = False
        try:
            text = self._path.read_text(encoding="utf-8-sig")
            self._blank = not text.strip()
        except FileNotFoundError:
            return ""
        except OSError as cause:
            raise ConfigError(
                f"{self._path} cannot be read: {cause.strerror or cause}.", do="Make it readable for yourself."
            ) from cause
        except UnicodeDecodeError as cause:
            raise ConfigError(f"{self._path} is not UTF-8 text.", do="Save it as UTF-8 in your editor.") from cause
        return text

    def _checked(self, text: str) -> Settings:
        try:
            return self._validated(text)
        except ValidationError as cause:
            problem = first_problem(cause)
            raise problem.as_config_error(self._origin(problem.key, text)) from None
        except tomllib.TOMLDecodeError as cause:
            raise ConfigError(
                f"{self._path} is not valid TOML: {cause}.", do="Correct that line; texts stand in double quotes."
            ) from cause
        except (ValueError, RecursionError) as cause:  # a number of thousands of digits, a list in lists without end
            raise ConfigError(
                f"{self._path} holds a value without end.", do="Remove it, or move the file away to start anew."
            ) from cause

    def _validated(self, text: str) -> Settings:
        file = tomllib.loads(text)
        flags = nested(self._layers.flags)
        return Settings.model_validate(merge([file, _from_environment(self._layers.environ), flags]))

    def _origin(self, key: str, text: str) -> str:
        if key in self._layers.flags:
            return f"--{key.partition('.')[2].replace('_', '-')}"
        if variable_of(key) in self._layers.environ:
            return variable_of(key)
        return place(self._path, line_of(text, key))


def _unwritten(path: Path, cause: OSError) -> StoreDown:
    what = f"{path} could not be written: {cause.strerror or cause}. The settings are as before."
    if cause.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DiskFull(what, do="Free some space on the disk of the home, then save again.")
    return DiskFailing(what, do="See that the home and its disk may be written to, then save again.")


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """The overrides; ConfigError for a variable that looks like one and is none. An empty value of anything but a text means
    the default."""
    found: dict[str, object] = {}
    for variable, value in sorted(environ.items()):
        if not variable.startswith(PREFIX) or variable in NOT_SETTINGS:
            continue
        key = key_of(variable).rstrip("._")
        problem = unknown_key(key)
        if problem:
            raise problem.as_config_error(variable)
        field = field_of(key)
        if field is None:
            raise ConfigError(f"{variable} names a section, not a setting.", do=f"Write {variable.rstrip('_')}__<KEY>.")
        if not value.isascii() and value != keepable(value):
            raise ConfigError(f"{variable} is not UTF-8 text.", do="Set it again in a terminal that is set to UTF-8.")
        default = field.get_default()
        if isinstance(default, tuple):
            found[key] = tuple(part.strip() for part in value.split(",") if part.strip())
        elif value or isinstance(default, str | SecretStr):
            found[key] = value
    return nested(found)


def _value(settings: Settings, key: str) -> object:
    section, _, name = key.partition(".")
    return getattr(getattr(settings, section), name)


def _plain(value: object) -> object:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else value
