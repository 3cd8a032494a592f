"""Why a turn said what it said: ids, factors and numbers, never words."""

import json

from echovessel.core.talk import Turn
from echovessel.flows.care import CareVerdict
from echovessel.flows.remember import Remembered
from echovessel.ports.changes import PutTrace
from echovessel.prompts.render import ReplyPrompt


def write(remembered: Remembered, verdict: CareVerdict, prompt: ReplyPrompt | None = None) -> str:
    """The trace as JSON. `lost`: what had to be done without. `recalled`: every candidate, kept or dropped and why."""
    return json.dumps(
        {
            "prompt": prompt and prompt.name,
            "tokens": prompt and prompt.tokens,
            "sections": dict(prompt.sections) if prompt else {},
            "history_kept": prompt and prompt.history_kept,
            "passages_kept": prompt and prompt.passages_kept,
            "crisis": verdict.crisis,
            "asks_if_ai": verdict.asks_if_ai,
            "lost": list(remembered.lost),
            "recalled": [
                {
                    "message_id": row.message_id,
                    "arm": row.arm,
                    "factors": {name: round(value, 4) for name, value in row.factors.items()},
                    "kept": row.kept,
                    "why": row.why,
                }
                for row in remembered.trace
            ],
        },
        ensure_ascii=False,
    )


def change(turn: Turn, trace: str) -> PutTrace:
    """The change that keeps it."""
    return PutTrace(user_id=turn.pair.user_id, turn_id=turn.id, trace=trace)
