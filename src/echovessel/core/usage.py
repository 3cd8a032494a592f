"""Counting tokens where the provider does not."""

from collections.abc import Sequence

from echovessel.core.talk import ChatMessage, Usage
from echovessel.core.text import estimate_tokens

TOKENS_A_MESSAGE = 4
"""What the chat formats add around each message, about."""


def estimate_usage(messages: Sequence[ChatMessage], answer: str) -> Usage:
    """An estimate of what asking `messages` and hearing `answer` (its thinking included) took."""
    return Usage(
        tokens_in=sum(estimate_tokens(message.content) + TOKENS_A_MESSAGE for message in messages),
        tokens_out=estimate_tokens(answer),
        estimated=True,
    )
