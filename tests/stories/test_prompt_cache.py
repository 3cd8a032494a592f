"""What rests of a prompt rests byte for byte, so that a provider's cache finds it; what that spares is on the ledger."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from echovessel.core.ids import PersonaId
from echovessel.core.pair import Pair
from echovessel.core.text import estimate_tokens
from echovessel.testing.model_scripts import says
from echovessel.testing.model_server import ModelServer
from echovessel.testing.served import Asked, Exchange
from echovessel.testing.world import World

TALK = {
    "zh": ("今天下雨，{n}号线又停了。", "听着就冷，第{n}杯茶我替你泡上。"),
    "en": ("It rained again, and line {n} stood still.", "That sounds cold; cup {n} of tea is on me."),
}
WARM_UP, MEASURED = 6, 5
STEP = 64
"""Providers count what they kept in steps: OpenAI in 128 tokens, DeepSeek in 64."""


class ImplicitCache:
    """A provider that keeps every prompt and finds the longest beginning of the next among them, as OpenAI, DeepSeek and Google
    do unasked."""

    def __init__(self) -> None:
        self._kept: list[str] = []

    def __call__(self, exchange: Exchange) -> None:
        prompt = prompt_of(exchange.asked)
        found = max((shared(prompt, kept) for kept in self._kept), key=len, default="")
        self._kept.append(prompt)
        cached = estimate_tokens(found) // STEP * STEP
        usage = {"prompt_tokens": estimate_tokens(prompt), "completion_tokens": 9}
        usage |= {"prompt_tokens_details": {"cached_tokens": cached}}
        says(f"…{len(self._kept)}", usage=usage)(exchange)


def shared(one: str, other: str) -> str:
    """The beginning that both have."""
    return one[
        : next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    ]


def prompt_of(asked: Asked) -> str:
    return json.dumps(asked.messages, ensure_ascii=False)


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_over_five_turns_all_but_the_last_message_comes_from_the_cache(tmp_path: Path, locale: str) -> None:
    with ModelServer(idle=ImplicitCache()) as server:
        settings = f'[llm]\nbase_url = "{server.base_url}"\nmodel = "m"\nprice_in = 2.0\nprice_cached_in = 0.5\n'
        with World(tmp_path, locale=locale, settings=settings) as vessel:
            persona = vessel.run(vessel.vessel.library.take("mender", locale))
            vessel.pair = Pair(vessel.pair.user_id, PersonaId(persona.id))
            for n in range(WARM_UP + MEASURED):
                vessel.hears(TALK[locale][0].format(n=n))
                vessel.passes(45)
            store, turn_id = vessel.vessel.deps.store, vessel.last.turn_id
            assert turn_id is not None
            trace = json.loads(vessel.run(store.trace(vessel.pair.user_id, turn_id)) or "{}")
            spent = vessel.run(store.spent(vessel.clock.now().replace(hour=0)))

        measured = server.chats[WARM_UP - 1 :]
        shares: list[float] = []
        for before, after in pairwise(measured):
            common = shared(prompt_of(before), prompt_of(after))
            rests = prompt_of(before)[: -len(json.dumps(before.messages[-1], ensure_ascii=False)) - 1]
            assert common.startswith(rests), "everything before the last message rests"
            shares.append(len(common) / len(prompt_of(after)))
        assert min(shares) > 0.85, shares
        tried = trace["tried"][0]
        assert tried["cached_in"] > tried["tokens_in"] * 0.5
        assert spent.cached_in > 0
        full = (spent.tokens_in * 2.0) / 1e6
        assert spent.cost == pytest.approx(full - spent.cached_in * 1.5 / 1e6)
        assert spent.cost < full * 0.75
