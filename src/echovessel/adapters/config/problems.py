"""From what pydantic says about settings to one sentence that names the place, the key and the remedy."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from echovessel.adapters.config.keys import PROFILES, field_of, fields_of, sections, split
from echovessel.core.errors import BadInput, ConfigError

_HEADER = re.compile(r"^\s*\[{1,2}\s*(?P<section>[^\[\]]+?)\s*\]")
_KEY = re.compile(r"^\s*(?P<key>[\w.\-\"']+)\s*=")


@dataclass(frozen=True, slots=True)
class Problem:
    """One wrong setting: its key (or a section, or a profile), what is wrong, what can be done."""

    key: str
    message: str
    do: str

    def as_config_error(self, where: str) -> ConfigError:
        """Stop at start-up; `where` is a file with its line, or the name of an environment variable."""
        return ConfigError(f"{where}: {self.message}", do=self.do)

    def as_bad_input(self) -> BadInput:
        """Tell the one who asked for the change; the field is the key."""
        return BadInput(self.message, field=self.key, do=self.do)


def unknown_key(key: str) -> Problem | None:
    """What is wrong with the name of a setting (or of a section, or of a profile), if anything."""
    table, name = split(key)
    if table == PROFILES:
        return None
    fields = fields_of(table)
    if fields is None:
        known = [*sections(), PROFILES]
        return Problem(key, f"there is no section [{table}].", _suggest(table, known, "Sections"))
    if name and name not in fields:
        return Problem(
            key,
            f"[{table}] has no setting called {name!r}.",
            _suggest(name, list(fields), "It has"),
        )
    return None


def first_problem(cause: ValidationError) -> Problem:
    """The first thing pydantic found. Values are not repeated: one of them may be a key."""
    error = cause.errors(include_url=False, include_input=False)[0]
    if error["type"] == "setting":
        told = error.get("ctx", {})
        return Problem(told["key"], f"{told['key']}: {told['what']}.", told["do"])
    path = [str(part) for part in error["loc"]]
    key = ".".join(path[: 3 if path[:1] == [PROFILES] else 2])
    if error["type"] == "extra_forbidden":
        return unknown_key(key) or Problem(key, f"{key} is not a setting.", "Remove it.")
    if path[:1] == [PROFILES] and path[2:] == ["[key]"]:
        return Problem(f"{PROFILES}.{path[1]}", f"{path[1]!r} cannot name a profile.", _PROFILE_NAMES)
    if not split(key)[1]:
        return _no_table(error, key)
    return Problem(key, f"{key}: {_lower_first(error['msg'])}.", _allowed(error, key))


def line_of(text: str, key: str) -> int | None:
    """The line (from 1) that sets a key, else the line of its table, else None."""
    table = split(key)[0]
    current, found = "", None
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            current = full = _plain(header["section"])
        elif assignment := _KEY.match(line):
            here = _plain(assignment["key"])
            full = f"{current}.{here}" if current else here
            if full == key:
                return number
            if current == table:
                continue
        else:
            continue
        if found is None and split(full)[0] == table:
            found = number
    return found


def merge(layers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One nested mapping out of several; later ones win key by key."""
    merged: dict[str, Any] = {}
    for layer in layers:
        for name, value in layer.items():
            held: Any = merged.get(name)
            both = isinstance(held, dict) and isinstance(value, dict)
            merged[name] = merge(cast("list[dict[str, Any]]", [held, value])) if both else value
    return merged


def place(path: Path, line: int | None) -> str:
    """`path, line 3`, as it is shown to a person."""
    return f"{path}, line {line}" if line else str(path)


def _suggest(word: str, known: list[str], intro: str) -> str:
    near = get_close_matches(word, known, n=1, cutoff=0.6)
    everything = f"{intro}: {', '.join(known)}."
    return f"Did you mean {near[0]!r}? {everything}" if near else everything


_PROFILE_NAMES = "Use small letters, digits, - and single _ only, up to 40 of them."


def _no_table(error: ErrorDetails, key: str) -> Problem:
    if error["type"] == "too_long":
        return Problem(key, f"[{key}] has too many entries.", f"Keep {error.get('ctx', {})['max_length']} of them.")
    return Problem(key, f"[{key}] must be a section of settings.", f"Write [{key}] and its settings below it.")


def _allowed(error: ErrorDetails, key: str) -> str:
    field = field_of(key)
    assert field is not None
    default = field.get_default(call_default_factory=True)
    shown = f" The default is {default!r}." if isinstance(default, str | int | float) and default != "" else ""
    return f"Give {_kind(error)} for {key}, or remove the line.{shown}"


def _kind(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    limits = [f"{sign} {context[name]}" for name, sign in _LIMITS.items() if name in context]
    if limits:
        return f"a number {' and '.join(limits)}"
    if "expected" in context:
        return f"one of {context['expected']}"
    return _KINDS.get(error["type"].partition("_")[0], "another value")


_LIMITS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "string": 'a text in "quotes"',
    "bool": "true or false",
    "tuple": 'a list such as ["a", "b"]',
}


def _lower_first(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _plain(key: str) -> str:
    return re.sub(r"[\"'\s]", "", key)
