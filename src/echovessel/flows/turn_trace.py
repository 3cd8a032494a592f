"""Why a turn said what it said: ids, factors and numbers, never words."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from echovessel.core.talk import Turn
from echovessel.flows.care import CareVerdict
from echovessel.flows.remember import Remembered
from echovessel.memory.knowing import Verdict
from echovessel.memory.recall import TraceRow
from echovessel.ports.changes import PutTrace, RecordCall
from echovessel.prompts.render import ReplyPrompt

DROPPED = 10
"""How many of the dropped candidates are told, the best ones: the others were further away still."""


def write(
    remembered: Remembered, verdict: CareVerdict, prompt: ReplyPrompt | None = None, calls: Sequence[RecordCall] = ()
) -> str:
    """The trace as JSON, a few kilobytes. `lost`: what had to be done without.

    `knowing`: whether anything that was said bears on the burst, how certain that is (0…1), and what each sign added.
    `recalled`: of the `candidates` that were weighed, best first, every one that was kept and the best `DROPPED` of the others,
    with why. A factor has three decimals, and none is named that added nothing. `tried`: the models in the order in which they
    were asked, with what came of it.
    """
    return json.dumps(
        {
            "prompt": prompt and prompt.name,
            "tokens": prompt and prompt.tokens,
            "sections": dict(prompt.sections) if prompt else {},
            "history_kept": prompt and prompt.history_kept,
            "passages_kept": prompt and prompt.passages_kept,
            "crisis": verdict.crisis,
            "asks_if_ai": verdict.asks_if_ai,
            "tried": [_tried(call) for call in calls],
            "lost": list(remembered.lost),
            "knowing": _known(remembered.knowing),
            "candidates": len(remembered.trace),
            "recalled": [_told(row) for row in _worth_telling(remembered.trace)],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _known(verdict: Verdict) -> dict[str, Any]:
    evidence = {name: round(value, 2) for name, value in verdict.evidence.items()}
    return {"comes": verdict.comes, "certainty": round(verdict.certainty, 3), "evidence": evidence}


def _worth_telling(rows: Sequence[TraceRow]) -> Iterator[TraceRow]:
    dropped = 0
    for row in rows:
        dropped += not row.kept
        if row.kept or dropped <= DROPPED:
            yield row


def _told(row: TraceRow) -> dict[str, Any]:
    rounded = {name: round(value, 3) for name, value in row.factors.items()}
    factors = {name: value for name, value in rounded.items() if value}
    return {"message_id": row.message_id, "arm": row.arm, "factors": factors, "kept": row.kept, "why": row.why}


def _tried(call: RecordCall) -> dict[str, Any]:
    return {
        "profile": call.profile,
        "model": call.model,
        "outcome": call.outcome,
        "tokens_in": call.tokens_in,
        "cached_in": call.cached_in,
        "cache_written_in": call.cache_written_in,
        "tokens_out": call.tokens_out,
        "estimated": call.estimated,
        "seconds": round(call.seconds, 3),
    }


def change(turn: Turn, trace: str) -> PutTrace:
    """The change that keeps it."""
    return PutTrace(user_id=turn.pair.user_id, turn_id=turn.id, trace=trace)
