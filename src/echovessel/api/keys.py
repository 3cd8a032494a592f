"""A saved key belongs to the address it was saved for: it is forgotten, or left out, when another one takes its place."""

from collections.abc import Mapping
from typing import Any

from echovessel.api.dto.settings import LlmTest
from echovessel.core.addresses import without_login
from echovessel.core.errors import BadInput
from echovessel.ports.settings import ANTHROPIC_HOST, ModelSettings, Settings

_NOWHERE = ModelSettings()  # pyright: ignore[reportCallIssue]
_DECIDE_THE_WAY = ("kind", "base_url", "proxy")


def merged(settings: Settings, test: LlmTest) -> ModelSettings:
    """The saved connection with what is to be tried; the saved key goes along only the way it was saved for.

    Raises BadInput when there is nothing to try.
    """
    saved: ModelSettings = settings.profiles.get(test.profile, _NOWHERE) if test.profile else settings.llm
    update: dict[str, Any] = {name: getattr(test, name) for name in ("kind", "base_url", "file", "model")}
    if test.base_url == _shown(saved):
        update["base_url"] = saved.base_url
    if test.proxy is not None:
        update["proxy"] = test.proxy
    if test.api_key is not None:
        update |= {"api_key": test.api_key, "api_key_file": ""}
    elif _way(saved.model_copy(update=update)) != _way(saved):
        update |= {"api_key": "", "api_key_file": ""}
    tried = ModelSettings.model_validate({name: getattr(saved, name) for name in ModelSettings.model_fields} | update)
    if tried.speaks is None:
        raise BadInput(
            "There is no model to try.", field="base_url", do="Give an address in base_url, or a model file in file."
        )
    return tried


def without_shown(values: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """The `section.key` values but those addresses that are the saved ones as they are shown: their logins stay."""
    shown = {table: _shown(saved) for table, saved in _connections(settings).items() if "@" in saved.base_url}
    return {key: value for key, value in values.items() if not (value and shown.get(_table_of_address(key)) == value)}


def to_forget(values: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """The saved keys and key files, emptied, where `section.key` values name another way or another key."""
    forget: dict[str, Any] = {}
    for table, saved in _connections(settings).items():
        if table not in values:  # a whole profile that goes takes its key along
            forget |= _to_forget(table, saved, values)
    return forget


def key_stays(refused: BadInput) -> BadInput:
    """The saved key cannot be forgotten: it does not lie in the file."""
    table = (refused.field or "").rpartition(".")[0]
    return BadInput(
        f"The key that was given for the present address would go to another one. {refused.message}",
        field=f"{table}.base_url",
        do=refused.do,
    )


def _connections(settings: Settings) -> Mapping[str, ModelSettings]:
    return {"llm": settings.llm, **{f"profiles.{name}": saved for name, saved in settings.profiles.items()}}


def _table_of_address(key: str) -> str:
    table, _, name = key.rpartition(".")
    return table if name == "base_url" else ""


def _shown(saved: ModelSettings) -> str:
    """The saved address as it comes back from whoever was shown it."""
    return without_login(saved.base_url).rstrip("/")


def _to_forget(table: str, saved: ModelSettings, values: Mapping[str, Any]) -> dict[str, Any]:
    key, key_file = f"{table}.api_key", f"{table}.api_key_file"
    change = {name: values[f"{table}.{name}"] for name in _DECIDE_THE_WAY if f"{table}.{name}" in values}
    if key not in values and _way(saved.model_copy(update=change)) == _way(saved):
        return {}
    forget: dict[str, Any] = {}
    if saved.api_key.get_secret_value() and key not in values:
        forget[key] = ""
    if saved.api_key_file:
        forget[key_file] = ""
    return forget


def _way(settings: ModelSettings) -> tuple[str, str]:
    """Where the key goes: the address, and the proxy where that could read along."""
    address = settings.base_url.rstrip("/")
    if not address and settings.kind == "anthropic":
        address = f"https://{ANTHROPIC_HOST}"
    return address, settings.proxy if address.partition("://")[0].lower() == "http" else ""
