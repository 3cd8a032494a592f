"""The model words a reply: pieces go to the followers at once and to the store every second, until it ends or is stopped."""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass

from echovessel.core.errors import ModelDown
from echovessel.core.talk import MessageState, Turn
from echovessel.flows.deps import Deps
from echovessel.flows.ledger import ModelCall
from echovessel.flows.live import LiveReply
from echovessel.ports.changes import Fence, SaveDraft
from echovessel.ports.llm import Delta


@dataclass(frozen=True, slots=True)
class Spoken:
    """How the wording ended. `down` is the failure that ended it, if one did; `text` is what came before."""

    text: str
    state: MessageState
    down: ModelDown | None = None


async def speak(call: ModelCall, turn: Turn, fence: Fence, reply: LiveReply, deps: Deps) -> Spoken:
    """Stream the reply. Raises FenceLost when another worker took the turn over."""
    reading = asyncio.create_task(_read(call, reply, deps))
    saving = asyncio.create_task(_save_drafts(turn, fence, reply, deps))
    stopping = asyncio.create_task(reply.stop.wait())
    try:
        await asyncio.wait((reading, saving, stopping), return_when=asyncio.FIRST_COMPLETED)
        if saving.done():
            saving.result()
        if not reading.done():
            return Spoken(reply.text, MessageState.PARTIAL if reply.text else MessageState.FAILED)
        return await reading
    finally:
        await _cancel(reading, saving, stopping)


async def _read(call: ModelCall, reply: LiveReply, deps: Deps) -> Spoken:
    try:
        async with aclosing(call.stream()) as events:
            async for event in events:
                if isinstance(event, Delta):
                    deps.live.say(reply, event.text)
    except ModelDown as down:
        return Spoken(reply.text, MessageState.PARTIAL if reply.text else MessageState.FAILED, down)
    return Spoken(reply.text, MessageState.COMPLETE)


async def _save_drafts(turn: Turn, fence: Fence, reply: LiveReply, deps: Deps) -> None:
    """Save the text so far and renew the lease until cancelled; pass on a wish to stop that reached the store."""
    settings = deps.settings.current().turn
    while True:
        await deps.clock.sleep(min(settings.draft_every_s, settings.lease_s / 3))
        applied = await deps.store.apply(
            [
                SaveDraft(
                    user_id=turn.pair.user_id,
                    turn_id=turn.id,
                    text=reply.text,
                    lease_seconds=settings.lease_s,
                )
            ],
            fence,
        )
        if applied.outcomes[0].stop_asked:
            reply.stop.set()


async def _cancel(*tasks: asyncio.Task[object]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
