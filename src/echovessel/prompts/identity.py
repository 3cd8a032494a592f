"""The stable beginning of a prompt: who the persona is, how it speaks, what always holds, whom it speaks with.

It depends on the persona, the user, their L1 blocks and the budget only, so that it is byte-identical from turn to turn and a
provider's cache of it hits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from echovessel.prompts.macros import example_blocks
from echovessel.prompts.material import ReplyMaterial
from echovessel.prompts.wording import Wording, cost

_BEFORE_RULES = ("persona", "style", "examples")
_AFTER_RULES = ("user", "relationship", "self")


@dataclass(frozen=True, slots=True)
class Identity:
    """The text of the system message, and the estimated tokens of each of its sections."""

    text: str
    sections: Mapping[str, int]


def identity(material: ReplyMaterial, tokens: int, words: Wording) -> Identity:
    """The system message in at most `tokens`, or the opening and the rules alone when not even they fit."""
    opening, rules = words.part("opening"), words.part("rules")
    room = tokens - cost(opening) - cost(rules)
    pinned = _pinned(material, room, words)
    examples = _examples(material.persona.examples, room - sum(map(cost, pinned.values())), words)
    parts = {**pinned, "examples": examples}
    order = {
        "opening": opening,
        **{name: parts.get(name, "") for name in _BEFORE_RULES},
        "rules": rules,
        **{name: parts.get(name, "") for name in _AFTER_RULES},
    }
    kept = {name: text for name, text in order.items() if text}
    return Identity("\n\n".join(kept.values()), {name: cost(text) for name, text in kept.items()})


def _pinned(material: ReplyMaterial, tokens: int, words: Wording) -> dict[str, str]:
    """The L1 blocks that hold something; those that are too long are shortened, each to a fair share."""
    texts = {block.label: text for block in material.blocks if (text := words.quoted(block.text))}
    frames = {label: cost(words.part(label, text="")) for label in texts}
    room = tokens - sum(frames.values())
    shares = fair_shares([cost(text) for text in texts.values()], room)
    return {
        label: words.part(label, text=words.shortened(text, share - 1))
        for (label, text), share in zip(texts.items(), shares, strict=True)
        if share > 1
    }


def _examples(examples: str, tokens: int, words: Wording) -> str:
    """As many whole example dialogues as fit, from the first on."""
    room = tokens - cost(words.part("examples", text=""))
    fitting: list[str] = []
    for block in map(words.example, example_blocks(examples)):
        room -= cost(block) + 1
        if room < 0:
            break
        fitting.append(block)
    return words.part("examples", text="\n---\n".join(fitting)) if fitting else ""


def fair_shares(wanted: Sequence[int], room: int) -> list[int]:
    """Max-min fair shares: nobody gets more than wanted, and who wants little takes nothing from it."""
    shares = [0] * len(wanted)
    left = max(room, 0)
    by_size = sorted(range(len(wanted)), key=lambda i: wanted[i])
    for served, i in enumerate(by_size):
        shares[i] = min(wanted[i], left // (len(wanted) - served))
        left -= shares[i]
    return shares
