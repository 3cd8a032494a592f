"""The bytes of an answer, read: server-sent events, or one JSON object from endpoints that do not stream.

The content type is not asked, as many endpoints name a wrong one; what the bytes look like decides. Of the event stream
format only `data:` lines matter: every protocol we speak puts one JSON object on each.
Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

import codecs
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass

from echovessel.adapters.llm.piece import CutOff, NotTheProtocol

MAX_LINE_BYTES = 1 << 20
MAX_OBJECT_BYTES = 8 << 20

_EVENT_FIELDS = (b":", b"data:", b"event:", b"id:", b"retry:")
_LONGEST_FIELD = max(map(len, _EVENT_FIELDS))


@dataclass(frozen=True, slots=True)
class Data:
    """The text of one event, not yet parsed. `alone`: it is no event but the one object that the whole body is."""

    text: str
    alone: bool = False


async def read_data(body: AsyncIterator[bytes]) -> AsyncGenerator[Data, None]:
    """What stands after each `data:`, blank ones left out, or the one object that the bytes are.

    Raises CutOff when there are no bytes, and NotTheProtocol when they are neither, not UTF-8, or longer than a line
    (`MAX_LINE_BYTES`) or an object (`MAX_OBJECT_BYTES`) can be.
    """
    head = await _head(body)
    match head[:1]:
        case b"":
            raise CutOff
        case b"{":
            yield Data(await _whole(head, body), alone=True)
            return
        case b"<":
            raise NotTheProtocol("a web page")
        case _ if not head.startswith(_EVENT_FIELDS):
            raise NotTheProtocol("something that is no answer")
        case _:
            pass
    held = bytearray()
    chunk: bytes | None = head
    while chunk is not None:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            held += line
            data = _decode(bytes(held)).removeprefix("data:").strip() if held.startswith(b"data:") else ""
            held.clear()
            if data:
                yield Data(data)
        held += rest  # a last line without its end is left out: it was cut
        if len(held) > MAX_LINE_BYTES:
            raise NotTheProtocol(f"a line of more than {MAX_LINE_BYTES >> 20} MB")
        chunk = await anext(body, None)


async def _head(body: AsyncIterator[bytes]) -> bytes:
    """The first bytes that are not blank: enough to see what they begin, or all there are."""
    head = b""
    async for chunk in body:
        head = (head + chunk).lstrip().removeprefix(codecs.BOM_UTF8).lstrip()
        if len(head) >= _LONGEST_FIELD:
            break
    return head


async def _whole(head: bytes, body: AsyncIterator[bytes]) -> str:
    held = bytearray(head)
    async for chunk in body:
        held += chunk
        if len(held) > MAX_OBJECT_BYTES:
            raise NotTheProtocol(f"an object of more than {MAX_OBJECT_BYTES >> 20} MB")
    return _decode(bytes(held))


def _decode(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as cause:
        raise NotTheProtocol("bytes that are not UTF-8") from cause
