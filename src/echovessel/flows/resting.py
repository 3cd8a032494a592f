"""Models that kept a turn waiting in vain are asked last for a while, so that not every turn pays for the wait."""

from collections.abc import Sequence

from echovessel.core.errors import ModelBusy, ModelDown, ModelTimeout, ModelUnreachable
from echovessel.ports.llm import LLM
from echovessel.ports.settings import ModelSettings

REST_S = 60.0
LONGEST_REST_S = 600.0


class Resting:
    """Who rests. A model that could not be reached, or said nothing in its time, rests for `REST_S` seconds; one that was busy,
    for as long as it asked us to wait. Resting ends early when it answers, and when its settings change.
    """

    def __init__(self) -> None:
        self._until: dict[str, tuple[ModelSettings, float]] = {}

    def last(self, models: Sequence[LLM], now: float) -> Sequence[LLM]:
        """The models in their order, those that rest after the others; `now` is on the monotonic clock, in seconds."""
        return sorted(models, key=lambda model: self._rests(model, now))

    def note(self, model: LLM, down: ModelDown | None, now: float) -> None:
        """What came of asking this model."""
        seconds = _rest_after(down)
        if seconds:
            self._until[model.profile] = (model.settings, now + seconds)
        elif down is None:
            self._until.pop(model.profile, None)

    def _rests(self, model: LLM, now: float) -> bool:
        settings, until = self._until.get(model.profile, (None, now))
        return now < until and settings == model.settings


def _rest_after(down: ModelDown | None) -> float:
    match down:
        case ModelUnreachable() | ModelTimeout():
            return REST_S
        case ModelBusy(retry_after=float() | int() as seconds):
            return min(seconds, LONGEST_REST_S)
        case _:
            return 0.0
