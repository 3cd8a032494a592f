"""A line of `messages.jsonl`, as `flows.export` writes it, read back: one message that was said in a vessel."""

import json
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import cast
from zoneinfo import ZoneInfo

from echovessel.core.errors import BadInput
from echovessel.core.ids import MessageId, is_ulid
from echovessel.core.talk import Speaker, Voice
from echovessel.core.text import clean_input
from echovessel.core.time import zone
from echovessel.flows.history import Said, Told, instant_of

CONVERSATION = "exported"
"""What the conversation of all exported messages is called."""
SPEAKERS: Mapping[str, Speaker] = {str(speaker): speaker for speaker in Speaker}


class OwnWords(BadInput):
    """A message that the program itself said: it is nobody's memory."""


def read_exported(line: str, user_zone: ZoneInfo, now: datetime) -> Told | None:
    """The message on a line, as a conversation of its own; None when the line is of another kind. BadInput when it cannot be
    taken: what the program itself said is nobody's words, and what was never worded has none."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or "sent_at" not in fields or "conv_id" in fields:
        return None
    message = cast("dict[str, object]", fields)
    origin, speaker, text = (message.get(key) for key in ("id", "speaker", "text"))
    if not isinstance(origin, str) or not is_ulid(origin) or not isinstance(text, str) or not _is_speaker(speaker):
        raise _refused("It has no `id`, `speaker` and `text`.", "Take the line as it was exported.")
    if message.get("voice") in (Voice.KEEPER, Voice.CARE):
        raise OwnWords("The program itself said this.", field="file", do="Nothing to do: it is nobody's memory.")
    if not text:
        raise _refused("It has no words: the reply failed.", "Nothing to do.")
    named = message.get("zone")
    said = Said(
        json.dumps([CONVERSATION, origin], ensure_ascii=False),
        str(speaker),
        instant_of(message["sent_at"], user_zone, now),
        clean_input(text, "text"),
        zone=zone(named).key if isinstance(named, str) and named else None,
        origin=MessageId(origin),
    )
    return Told(CONVERSATION, [said], [], exported=True)


async def joined(
    conversations: AsyncIterator[tuple[int, Told | BadInput]], most: int
) -> AsyncIterator[tuple[int, Told | BadInput]]:
    """Exported messages that follow each other as one conversation of up to `most`; all else as it comes."""
    waiting: list[Said] = []
    number = 0

    def together() -> tuple[int, Told]:
        told = number, Told(CONVERSATION, list(waiting), [], exported=True)
        waiting.clear()
        return told

    async for place, read in conversations:
        if isinstance(read, Told) and read.exported:
            number = place
            waiting += read.said
            if len(waiting) >= most:
                yield together()
            continue
        if waiting:
            yield together()
        yield place, read
    if waiting:
        yield together()


def _is_speaker(named: object) -> bool:
    return isinstance(named, str) and named in SPEAKERS


def _refused(why: str, do: str) -> BadInput:
    return BadInput(why, field="file", do=do)
