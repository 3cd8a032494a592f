"""The models that the settings name: implements `ports.llm.Models`."""

from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

from echovessel.adapters.llm.connection import Connection, connect
from echovessel.ports.clock import Clock
from echovessel.ports.llm import LLM
from echovessel.ports.settings import ModelSettings, SettingsSource


class ConfiguredModels:
    """Follows the settings: a change of them takes effect with the next call of `in_order`."""

    def __init__(self, *, settings: SettingsSource, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._connected: dict[str, Connection] = {}

    def in_order(self) -> Sequence[LLM]:
        """The connections of the settings in their order; one whose settings are as before is the same as before."""
        wanted = self._settings.current().models_in_order()
        held = self._connected
        self._connected = {
            name: held.pop(name)
            if name in held and held[name].settings == settings
            else connect(profile=name, settings=settings, clock=self._clock)
            for name, settings in wanted.items()
        }
        for dropped in held.values():
            dropped.close()
        return tuple(self._connected.values())

    def close(self) -> None:
        """Let go of every model."""
        for connection in self._connected.values():
            connection.close()
        self._connected = {}

    @contextmanager
    def connect(self, settings: ModelSettings, profile: str = "") -> Generator[LLM]:
        """A connection of its own; a model file that is loaded already is not loaded twice."""
        if settings.speaks == "gguf" and (loaded := self._loaded(settings)):
            yield loaded
            return
        with closing(connect(profile=profile, settings=settings, clock=self._clock)) as connection:
            yield connection

    async def listed(self, settings: ModelSettings) -> tuple[str, ...]:
        """The models at the address of these settings. Raises ModelDown, also when there are none."""
        with closing(connect(profile="", settings=settings, clock=self._clock)) as connection:
            return await connection.models()

    def _loaded(self, wanted: ModelSettings) -> Connection | None:
        """The connection that holds this file already, with as much context."""
        for held in self._connected.values():
            same = (held.settings.file, held.settings.context_tokens) == (wanted.file, wanted.context_tokens)
            if held.settings.speaks == "gguf" and same:
                return held
        return None
