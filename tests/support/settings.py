"""Settings in memory, for tests of what reads them."""

from collections.abc import Sequence

from echovessel.core.errors import ConfigError
from echovessel.ports.settings import LlmSettings, Settings


class MemorySettings:
    """Implements `ports.settings.SettingsSource`; `llm(...)` changes the model's section."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()

    def current(self) -> Settings:
        return self._settings

    async def save(self, changes: dict[str, object]) -> Settings:
        whole = self._settings.model_dump()
        for name, value in changes.items():
            section, _, key = name.partition(".")
            whole[section][key] = value
        self._settings = Settings.model_validate(whole)
        return self._settings

    async def refresh(self, *, anyway: bool = False) -> None:
        """There is no file."""

    @property
    def problem(self) -> ConfigError | None:
        return None

    @property
    def at_next_start(self) -> Sequence[str]:
        return ()

    def llm(self, **values: object) -> LlmSettings:
        """Set these values of the section, keep the others, and return it."""
        section = self._settings.llm.model_dump() | values
        self._settings = self._settings.model_copy(update={"llm": LlmSettings.model_validate(section)})
        return self._settings.llm


def llm_settings(**values: object) -> LlmSettings:
    """The model's section with these values, by default impatient and without retries."""
    impatient = {"model": "scripted", "retries": 0, "first_token_timeout_s": 5, "idle_timeout_s": 5}
    return LlmSettings.model_validate(impatient | values)
