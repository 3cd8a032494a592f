"""A prompt cache as Anthropic describes it: what stands before a mark is kept, and found again when it comes the same.

Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

import json
from collections.abc import Mapping
from typing import cast

from echovessel.core.text import estimate_tokens
from echovessel.testing.served import Exchange

LOOKS_BACK = 20
"""Blocks before a mark at which something kept is looked for."""

_Block = Mapping[str, object]


class PromptCache:
    """Counts a request's tokens, as `usage` for `testing.anthropic_scripts.says`; `least` tokens must stand before a mark."""

    def __init__(self, *, least: int = 64) -> None:
        self._least = least
        self._kept: set[str] = set()

    def __call__(self, exchange: Exchange) -> Mapping[str, int]:
        """The count of this request, `output_tokens` left out; afterwards its marked beginnings are kept."""
        blocks = blocks_of(exchange.asked.body)
        sums = _running_sums(blocks)
        marks = [at for at, block in enumerate(blocks, 1) if "cache_control" in block and sums[at] >= self._least]
        looked = {at for mark in marks for at in range(max(1, mark - LOOKS_BACK + 1), mark + 1)}
        found = max((at for at in looked if _beginning(blocks, at) in self._kept), default=0)
        written = max([found, *marks])
        self._kept |= {_beginning(blocks, mark) for mark in marks}
        return {
            "input_tokens": sums[-1] - sums[written],
            "cache_read_input_tokens": sums[found],
            "cache_creation_input_tokens": sums[written] - sums[found],
        }


def blocks_of(body: Mapping[str, object]) -> list[_Block]:
    """The blocks of a request in the order of its prompt: tools, system, messages."""
    tools = cast("list[_Block]", body.get("tools", []))
    blocks = [*tools, *_as_blocks(body.get("system"), "system")]
    for message in cast("list[Mapping[str, object]]", body.get("messages", [])):
        blocks += _as_blocks(message.get("content"), str(message.get("role")))
    return blocks


def _as_blocks(content: object, role: str) -> list[_Block]:
    if isinstance(content, str):
        return [{"type": "text", "text": content, "role": role}]
    return [{**block, "role": role} for block in cast("list[_Block]", content or [])]


def _running_sums(blocks: list[_Block]) -> list[int]:
    sums = [0]
    for block in blocks:
        sums.append(sums[-1] + estimate_tokens(str(block.get("text", block))))
    return sums


def _beginning(blocks: list[_Block], end: int) -> str:
    """The first blocks as one text; marks are no part of it."""
    bare = [{key: value for key, value in block.items() if key != "cache_control"} for block in blocks[:end]]
    return json.dumps(bare, sort_keys=True, ensure_ascii=False)
