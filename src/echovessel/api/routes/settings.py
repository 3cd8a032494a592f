"""The settings that may change while we run. A saved key is never answered, and never sent to another address."""

from typing import Any

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.system import LlmTest, LlmTestView, SettingsChange, SettingsView
from echovessel.api.openapi import errors
from echovessel.core.errors import BadInput
from echovessel.ports.settings import LlmSettings

router = APIRouter(prefix="/settings", tags=["settings"])


@router.get("", operation_id="getSettings")
async def get_settings(doors: DoorsDep) -> SettingsView:
    """The settings in force."""
    return SettingsView.of(doors.settings.current())


@router.patch("", operation_id="changeSettings")
async def change_settings(change: SettingsChange, doors: DoorsDep) -> SettingsView:
    """Save settings into config.toml; comments in it are kept. Another `base_url` without a key forgets the saved key."""
    values = change.values()
    forget = _keys_to_forget(values, doors.settings.current().llm)
    if values or forget:
        try:
            await doors.settings.save(values | forget)
        except BadInput as refused:
            raise (_key_stays(refused) if refused.field in forget else refused) from None
    return SettingsView.of(doors.settings.current())


@router.post("/llm/test", operation_id="testModel", responses=errors(502, 503, 504))
async def test_model(test: LlmTest, doors: DoorsDep) -> LlmTestView:
    """Try a model: ask it for one word. With no model's name, only say which there are. Nothing is saved."""
    tried = merged(doors.settings.current().llm, test)
    if not tried.model:
        return LlmTestView(model="", models=list(await doors.models.listed(tried)), first_token_s=None)
    return LlmTestView.of(await doors.models.probe(tried))


def merged(saved: LlmSettings, test: LlmTest) -> LlmSettings:
    """The saved settings with those to be tried; the saved key goes along only to the address it was saved for."""
    update: dict[str, Any] = {"base_url": test.base_url, "model": test.model}
    if test.api_key is not None:
        update |= {"api_key": test.api_key, "api_key_file": ""}
    elif not _same(test.base_url, saved):
        update |= {"api_key": "", "api_key_file": ""}
    return LlmSettings.model_validate(saved.model_dump() | update)


def _keys_to_forget(values: dict[str, Any], saved: LlmSettings) -> dict[str, Any]:
    """The saved key and key file, emptied, when another address or another key takes their place."""
    key_given = "llm.api_key" in values
    if not key_given and _same(values.get("llm.base_url", saved.base_url), saved):
        return {}
    forget: dict[str, Any] = {}
    if saved.api_key.get_secret_value() and not key_given:
        forget["llm.api_key"] = ""
    if saved.api_key_file:
        forget["llm.api_key_file"] = ""
    return forget


def _key_stays(refused: BadInput) -> BadInput:
    """The saved key cannot be forgotten: it does not lie in the file."""
    return BadInput(
        f"The key that was given for the present address would go to another one. {refused.message}",
        field="llm.base_url",
        do=refused.do,
    )


def _same(address: str, saved: LlmSettings) -> bool:
    return address.rstrip("/") == saved.base_url.rstrip("/")
