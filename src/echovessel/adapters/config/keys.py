"""The names of settings: `section.key`, and `profiles.NAME.key` for the connections that the owner names.

What stands before the last dot is the table of the TOML file that holds the setting.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from echovessel.ports.settings import ModelSettings, Settings

PREFIX = "ECHOVESSEL_"
PROFILES = "profiles"


def sections() -> dict[str, type[BaseModel]]:
    """The sections of fixed name."""
    return {
        name: field.annotation
        for name, field in Settings.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
    }


def split(key: str) -> tuple[str, str]:
    """The table of a setting and its name there; the name is empty for a table alone."""
    section, _, rest = key.partition(".")
    if section != PROFILES:
        return section, rest
    profile, _, name = rest.partition(".")
    return (f"{PROFILES}.{profile}" if profile else PROFILES), name


def fields_of(table: str) -> Mapping[str, FieldInfo] | None:
    """The settings of a table by name; None when there is no such table."""
    if table.startswith(f"{PROFILES}."):
        return ModelSettings.model_fields
    section = sections().get(table)
    return section and section.model_fields


def field_of(key: str) -> FieldInfo | None:
    """What is known of a setting; None for one that does not exist."""
    table, name = split(key)
    return (fields_of(table) or {}).get(name)


def variable_of(key: str) -> str:
    """The environment variable of a setting: `ECHOVESSEL_<SECTION>__<KEY>`, `ECHOVESSEL_PROFILES__<NAME>__<KEY>`."""
    return PREFIX + key.upper().replace(".", "__")


def key_of(variable: str) -> str:
    """The setting that an environment variable with our prefix names, or would name."""
    return variable.removeprefix(PREFIX).lower().replace("__", ".")


def nested(values: Mapping[str, object]) -> dict[str, Any]:
    """`{"profiles.cloud.model": x}` → `{"profiles": {"cloud": {"model": x}}}`."""
    whole: dict[str, Any] = {}
    for key, value in values.items():
        table, name = split(key)
        held = whole
        for step in table.split("."):
            held = held.setdefault(step, {})
        held[name] = value
    return whole
