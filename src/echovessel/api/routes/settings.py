"""The settings that may change while we run. A saved key is never answered, and never sent to another address."""

from fastapi import APIRouter

from echovessel.api import keys
from echovessel.api.doors import DoorsDep
from echovessel.api.dto.settings import LlmTest, SettingsChange, SettingsView
from echovessel.api.dto.system import LlmTestView
from echovessel.api.openapi import errors
from echovessel.core.errors import BadInput

router = APIRouter(prefix="/settings", tags=["settings"])


@router.get("", operation_id="getSettings")
async def get_settings(doors: DoorsDep) -> SettingsView:
    """The settings in force."""
    return SettingsView.of(doors.settings.current())


@router.patch("", operation_id="changeSettings")
async def change_settings(change: SettingsChange, doors: DoorsDep) -> SettingsView:
    """Save settings into config.toml; comments in it are kept. Another address without a key forgets the saved key."""
    values = keys.without_shown(change.values(), doors.settings.current())
    forget = keys.to_forget(values, doors.settings.current())
    if values or forget:
        try:
            await doors.settings.save(values | forget)
        except BadInput as refused:
            raise (keys.key_stays(refused) if refused.field in forget else refused) from None
    return SettingsView.of(doors.settings.current())


@router.post("/llm/test", operation_id="testModel", responses=errors(502, 503, 504))
async def test_model(test: LlmTest, doors: DoorsDep) -> LlmTestView:
    """Try a model: ask it for a sentence, which stands on the ledger. With no model's name, only say which there are. Nothing
    is saved."""
    tried = keys.merged(doors.settings.current(), test)
    if not tried.model and tried.speaks != "gguf":
        return LlmTestView.listed(await doors.models.listed(tried))
    return LlmTestView.of(await doors.probe(tried))
