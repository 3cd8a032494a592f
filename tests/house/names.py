"""What documents may name: routes, settings, events, commands and what `make` makes, each as the program itself tells it."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from typer.main import get_command

from echovessel.adapters.config.keys import variable_of
from echovessel.api.app import without_doors
from echovessel.api.dto.events import EventData
from echovessel.api.openapi import describe
from echovessel.ports.settings import ModelSettings, Settings
from echovessel.runtime.cli import cli
from tests.house.rules import ROOT


@cache
def routes() -> frozenset[str]:
    """`GET /api/v1/me` and the others."""
    paths = describe(without_doors())["paths"]
    return frozenset(f"{method.upper()} {path}" for path, methods in paths.items() for method in methods)


@cache
def settings() -> frozenset[str]:
    """`section.key`."""
    return frozenset(f"{section}.{key}" for section, keys in Settings().model_dump().items() for key in keys)


@cache
def variables() -> frozenset[str]:
    """The settings' variables, those of a profile called cloud, and the one that names the home."""
    cloud = (f"profiles.cloud.{key}" for key in ModelSettings.model_fields)
    return frozenset(map(variable_of, (*settings(), *cloud))) | {"ECHOVESSEL_HOME"}


@cache
def events() -> frozenset[str]:
    """What stands in an event's `event:`."""
    return frozenset(field.alias or name for name, field in EventData.model_fields.items())


@cache
def targets() -> frozenset[str]:
    """What `make` makes."""
    return frozenset(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@cache
def commands() -> Mapping[str, frozenset[str]]:
    """The options of each command, by what is written after `echovessel`; a group of commands has its own."""
    return dict(_below(get_command(cli), ""))


def _below(command: Any, path: str) -> Iterator[tuple[str, frozenset[str]]]:
    yield (
        path.strip(),
        frozenset(option for parameter in command.params for option in parameter.opts) | {"--help", "-h"},
    )
    for name, below in getattr(command, "commands", {}).items():
        yield from _below(below, f"{path} {name}")
