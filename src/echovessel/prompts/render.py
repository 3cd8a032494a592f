"""A reply's prompt: the stable beginning, the chat so far, and last what changes with every turn.

    system     who you are · how you speak · rules · whom you speak with      the same from turn to turn
    user/…     the history in chat roles                                      grows at its end
    user       notes (remembered, now, care, voice) and then what is unanswered   new each turn

The notes stand inside the last user message because many chat templates refuse a second system message
(docs/why/0003-notes-in-the-last-user-message.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from echovessel.core.ids import MessageId
from echovessel.core.talk import ChatMessage, ChatRole, Message
from echovessel.prompts.catalog import Catalog
from echovessel.prompts.fence import neutral
from echovessel.prompts.history import MESSAGE_OVERHEAD, Past, counts_as_speech, past
from echovessel.prompts.identity import Identity, identity
from echovessel.prompts.material import SMALLEST_BUDGET, PromptBudget, ReplyMaterial, ReplyPrompt
from echovessel.prompts.remembered import remembered
from echovessel.prompts.when import ago, clock, date, local
from echovessel.prompts.wording import Wording, cost, wording

TEMPLATE = "reply"

_IDENTITY_SHARE = 0.5
_TURN_SHARE = 0.2
"""Of what the identity leaves, this much is kept free for the notes and the burst, so that they seldom shorten the history."""
_BURST_SHARE = 0.7
_LATELY = timedelta(hours=1)
"""Whoever wrote within it need not be told when that was."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A prompt without its memories: these do not change where the history begins."""

    material: ReplyMaterial
    budget: PromptBudget
    words: Wording
    identity: Identity
    past: Past
    notes: Mapping[str, str]
    burst: str
    left: int

    @property
    def shown(self) -> frozenset[MessageId]:
        """The messages the prompt shows as chat: what recall need not bring up again."""
        return frozenset(m.id for m in (*self.past.shown, *self.material.burst))


def frame(material: ReplyMaterial, budget: PromptBudget, catalog: Catalog) -> Frame:
    """Share the room out: identity first, then notes and burst, then history; memories get what is left.

    `material.remembered` is not looked at.
    """
    words = wording(TEMPLATE, material, catalog, material.persona.locale)
    who = identity(material, int(_room(budget) * _IDENTITY_SHARE), words)
    rest = _room(budget) - cost(who.text) - MESSAGE_OVERHEAD
    notes = _notes(material, words)
    for_turn = rest - cost(words.part("notes", text="\n\n".join(notes.values()))) - MESSAGE_OVERHEAD
    burst = _burst(material, int(for_turn * _BURST_SHARE), words)
    left = for_turn - cost(burst)
    so_far = past(material.history, min(_history_cap(rest, budget), left), words)
    return Frame(material, budget, words, who, so_far, notes, burst, left - so_far.tokens)


def reply(frame: Frame, passages: Sequence[Sequence[Message]]) -> ReplyPrompt:
    """The prompt of a reply, within the budget's tokens (at least `SMALLEST_BUDGET`). The burst is always in it.

    `passages` are what is remembered, the best first, each in the order it was said.
    """
    memories = remembered(
        passages,
        (*frame.past.shown, *frame.material.burst),
        tokens=min(frame.left, int(_room(frame.budget) * frame.budget.recall_share)),
        now=frame.material.now,
        words=frame.words,
    )
    notes = {"remembered": memories.text, **frame.notes}
    fenced = frame.words.part("notes", text="\n\n".join(text for text in notes.values() if text))
    answered, unanswered = _split(frame.past.chat)
    messages = (
        ChatMessage(ChatRole.SYSTEM, frame.identity.text),
        *answered,
        ChatMessage(ChatRole.USER, "\n\n".join((fenced, *unanswered, frame.burst))),
    )
    sections = {
        **frame.identity.sections,
        "history": frame.past.tokens,
        **{name: cost(text) for name, text in notes.items()},
        "burst": cost(frame.burst),
    }
    return ReplyPrompt(
        name=frame.words.template.stamp,
        messages=messages,
        tokens=sum(cost(m.content) + MESSAGE_OVERHEAD for m in messages),
        sections={name: tokens for name, tokens in sections.items() if tokens},
        history_kept=len(frame.past.shown),
        passages_kept=memories.passages,
    )


def _split(chat: tuple[ChatMessage, ...]) -> tuple[tuple[ChatMessage, ...], tuple[str, ...]]:
    """The chat up to the persona's last words, and what the user has said since: that belongs to the burst."""
    if not chat or chat[-1].role is not ChatRole.USER:
        return chat, ()
    return chat[:-1], (chat[-1].content,)


def _room(budget: PromptBudget) -> int:
    return max(budget.tokens, SMALLEST_BUDGET)


def _history_cap(rest: int, budget: PromptBudget) -> int:
    """The history's room: independent of the turn's burst and memories, so that its beginning rests."""
    shared = rest * (1 - _TURN_SHARE)
    in_proportion = shared * budget.history_share / (budget.history_share + budget.recall_share)
    return int(min(_room(budget) * budget.history_share, in_proportion))


def _burst(material: ReplyMaterial, tokens: int, words: Wording) -> str:
    return words.shortened("\n\n".join(neutral(m.text) for m in material.burst), tokens)


def _notes(material: ReplyMaterial, words: Wording) -> dict[str, str]:
    """The volatile sections that are always there or follow from the burst."""
    return {
        "now": words.part("now", text=_now(material, words)),
        **_care(material, words),
        **({"asks_if_ai": words.part("asks_if_ai")} if material.asks_if_ai else {}),
        "voice": words.part("voice_plain" if material.care else "voice"),
    }


def _care(material: ReplyMaterial, words: Wording) -> dict[str, str]:
    """Danger now, or else danger not long ago."""
    if material.care:
        return {"care": words.part("care")}
    return {"care_before": words.part("care_before")} if material.care_before else {}


def _now(material: ReplyMaterial, words: Wording) -> str:
    here, there = (local(material.now, zone) for zone in (material.user.zone, material.persona.zone))
    lines = [words.part("here", date=date(here, words.locale), time=clock(here))]
    if here.utcoffset() != there.utcoffset():
        lines.append(words.part("there", date=date(there, words.locale), time=clock(there)))
    else:
        lines.append(words.part("together"))
    lines.extend(_acquaintance(material, words))
    return "\n".join(lines)


def _acquaintance(material: ReplyMaterial, words: Wording) -> list[str]:
    """Whether the user has a name, and how long the two have not spoken; nothing where that goes without saying."""
    lines = [] if material.user.name.strip() else [words.part("unnamed")]
    if all(m.made_by == "card" for m in material.history if counts_as_speech(m)):
        lines.append(words.part("only_greeted" if any(map(counts_as_speech, material.history)) else "first"))
    elif material.last_spoke is not None and material.now - material.last_spoke >= _LATELY:
        spoke, now = (local(at, material.user.zone) for at in (material.last_spoke, material.now))
        lines.append(words.part("last_spoke", ago=ago(spoke, now, words.locale)))
    return lines
