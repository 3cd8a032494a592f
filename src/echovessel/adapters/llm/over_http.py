"""What HTTP brings, whichever SDK asked: the bytes of an answer, error bodies, and connections that never stood.

`httpx2` is imported when it is needed: it comes with the SDKs, and takes a moment.
"""

import json
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import datetime
from email.utils import parsedate_to_datetime

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.failures import Refusal, not_let_through, refusal, unreachable
from echovessel.adapters.llm.piece import CutOff
from echovessel.core.errors import ModelUnreachable


async def bytes_of(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """The same bytes; raises CutOff when the connection breaks."""
    import anyio
    import httpx2

    try:
        async for chunk in chunks:
            yield chunk
    except (httpx2.TransportError, httpx2.DecodingError, ssl.SSLError, anyio.EndOfStream) as cause:
        raise CutOff from cause


def refused_with(status: int, body: str, retry_after: str | None, *, now: datetime, key: str) -> Refusal:
    """The refusal that an error answer is; `retry_after` is its header as it came."""
    return refusal(json_or_nothing(body), status=status, retry_after=seconds_to_wait(retry_after, now), key=key)


def no_answer(address: Address, error: Exception) -> ModelUnreachable | CutOff:
    """What an SDK's connection error was: a connection that never stood, or one that broke before the answer."""
    import httpx2

    if isinstance(error.__cause__, httpx2.ProxyError):
        return not_let_through(address, str(error.__cause__))
    never_stood = httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.UnsupportedProtocol | ssl.SSLError
    return unreachable(address, error) if isinstance(error.__cause__, never_stood) else CutOff()


def json_or_nothing(text: str) -> object:
    """The JSON value in `text`, or None when there is none or it is nested without end."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def seconds_to_wait(retry_after: str | None, now: datetime) -> float | None:
    """Seconds to wait as a Retry-After header says (RFC 9110 §10.2.3: seconds or a date); None when it says nothing."""
    if not retry_after:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        at = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (at - now).total_seconds()) if at.tzinfo else None
