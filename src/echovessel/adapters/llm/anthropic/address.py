"""Where the Messages API is spoken."""

from dataclasses import replace
from typing import Final

from echovessel.adapters.llm.access import Address
from echovessel.ports.settings import ANTHROPIC_HOST

_ITS_OWN: Final = f"https://{ANTHROPIC_HOST}"
_PASTED_TOO_MUCH = ("/messages", "/v1")


def address_of(base_url: str) -> Address:
    """What stands before `/v1/messages`; nothing means Anthropic itself. Raises ModelUnreachable when it is no URL."""
    url = base_url.strip() or _ITS_OWN
    for end in _PASTED_TOO_MUCH:
        url = url.rstrip("/").removesuffix(end)
    return replace(
        Address.parse(url),
        endpoint="an endpoint of Anthropic's Messages API",
        usual=f"It is what stands before /v1/messages, for example {_ITS_OWN}.",
    )


def is_anthropic_itself(address: Address) -> bool:
    """Whether requests go to Anthropic, and not to a server or gateway that speaks like it."""
    return address.host == ANTHROPIC_HOST
