"""Care that needs no model: is someone in danger, do they ask whether an AI speaks, did the reply own up to it?

By rule, in Chinese and English, on one burst of messages at a time. A false alarm costs a few lines on the page, a miss may
cost more: where a phrase is in doubt it counts. What it catches and misses is told in docs/reference/care.md.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from echovessel.core.text import normalise
from echovessel.flows import care_rules, honesty_rules
from echovessel.flows.phrases import phrases
from echovessel.prompts.catalog import language_of

CARE = "care@1"

FULL_TEXT_LASTS = timedelta(hours=12)
"""So long the full text stands for itself, and a further sign of danger only points to it."""

DANGER_LASTS = timedelta(hours=24)
"""So long after a sign of danger the persona is told that there was one."""

_LONGEST = 10_000
"""Characters looked at from the beginning and from the end of a burst."""

_SHORT_BURST = 60
"""Characters in several messages that may be one sentence together."""

_TITLE = re.compile(r"《[^》]{0,80}》")
_QUOTED = re.compile(r"[“\"「『‘][^“”\"「」『』‘’]{0,200}[”\"」』’]")
_BESIDE_HAN = re.compile(r"(?<=[\u4e00-\u9fff])[ \t]++|(?<![ \t])[ \t]++(?=[\u4e00-\u9fff])")
_SENTENCE_END = re.compile(r"[。!?;\n]+|\.(?=\s|$)")
_CLAUSE_END = re.compile(r"[。!?;,\n]+|\.(?=\s|$)|(?<=吗)")
_GONE = "▢"

_CARE_TEXT = {
    "zh": (
        "你刚才的话听起来很不容易，也可能你正处在危险里。\n"
        "如果现在就有危险，请马上打 120 或 110（欧洲 112，美国、加拿大 911）。\n"
        "想找人说说：中国大陆 12356（全国统一心理援助热线），香港 18111，台湾 1925，美国、加拿大 988，"
        "英国、爱尔兰 116 123（Samaritans）；别的地方看 findahelpline.com。\n"
        "也可以现在就告诉身边一个信得过的人。\n"
        "（这几行是程序自动给出的。如果是误会，接着聊就好。）"
    ),
    "en": (
        "It sounds as if things are very hard right now, or as if you are in danger.\n"
        "If there is danger at this moment, call 911 (US, Canada), 999 (UK), 112 (Europe), or 110 and 120 (China).\n"
        "To talk to someone: 988 (US, Canada), 116 123 (Samaritans: UK, Ireland), 12356 (China), "
        "18111 (Hong Kong), 1925 (Taiwan); elsewhere findahelpline.com knows the number.\n"
        "You can also tell one person near you whom you trust, now.\n"
        "(The program shows these lines by itself. If it misunderstood you, just go on.)"
    ),
}
_POINTER = {
    "zh": "上面的求助电话现在也能打。如果此刻就有危险，请马上打 120 或 110（欧洲 112，美国、加拿大 911）。（程序自动给出。）",
    "en": (
        "The help lines above are still there. If there is danger at this moment, call 911 (US, Canada), 999 (UK), "
        "112 (Europe), or 110 and 120 (China). (Shown by the program.)"
    ),
}
_OWNING_UP = {
    "zh": "不过这件事得照实说：我是 AI，不是真人。",
    "en": "But to be honest with you about this: I'm an AI, not a human being.",
}


@dataclass(frozen=True, slots=True)
class CareVerdict:
    """What a burst says: someone may be in danger; someone sincerely asks whether an AI is speaking."""

    crisis: bool
    asks_if_ai: bool


def check(texts: Sequence[str]) -> CareVerdict:
    """Look at all messages of one burst."""
    text = _plain("\n".join([*texts, *_said_in_pieces(texts)]))
    return CareVerdict(crisis=_in_crisis(text), asks_if_ai=_asks_if_ai(text))


def care_text(texts: Sequence[str], locale: str, said_lately: Collection[str] = ()) -> str:
    """Where help is, in the language of the texts, or of `locale` where their script does not tell it.

    One line that points to the full text when that is among what was `said_lately`.
    """
    language = language_of("\n".join(texts), locale)
    full = _CARE_TEXT[language]
    return _POINTER[language] if full in said_lately else full


def owns_up(reply: str, locale: str) -> str | None:
    """A sentence to add to the reply to a sincere question, in the reply's language, unless it says that an AI speaks.

    A reply that denies it or claims to be human needs the sentence whatever else it says; one that evades needs it too.
    """
    claims = [c for c in _CLAUSE_END.split(_plain(reply)) if not _honesty(honesty_rules.SUPPOSED).search(c)]
    denied = any(_honesty(honesty_rules.DENIED).search(claim) for claim in claims)
    admitted = any(_honesty(honesty_rules.ADMITTED).search(claim) for claim in claims)
    if admitted and not denied:
        return None
    return _OWNING_UP[language_of(reply, locale)]


def _said_in_pieces(texts: Sequence[str]) -> Iterator[str]:
    """A short burst read on from message to message: 我想, 死."""
    if len(texts) > 1 and sum(map(len, texts)) <= _SHORT_BURST:
        yield " ".join(texts)


def _plain(text: str) -> str:
    """The form the tables read: normalised, no blanks beside Chinese characters, of a long text only its ends."""
    ends = text if len(text) <= 2 * _LONGEST else f"{text[:_LONGEST]}\n{text[-_LONGEST:]}"
    return _BESIDE_HAN.sub("", normalise(ends))


def _in_crisis(text: str) -> bool:
    told = _TITLE.sub(_GONE, text)
    if _care(care_rules.HEARSAY).search(told):
        told = _QUOTED.sub(_GONE, told)
    told = _care(care_rules.IDIOMS).sub(_GONE, told)
    return any(_is_alarming(sentence) for sentence in _SENTENCE_END.split(told))


def _is_alarming(sentence: str) -> bool:
    return any(not _is_anothers_story(sentence, before) for before in _before_each(sentence))


def _before_each(sentence: str) -> Iterator[str]:
    """What stands before each alarming phrase of a sentence."""
    for found in _care(care_rules.PLANS).finditer(sentence):
        before = sentence[: found.start()]
        if not _care(care_rules.NEGATED).search(before):
            yield before
    for table in (care_rules.HOPELESS, care_rules.DANGER):
        for found in _care(table).finditer(sentence):
            yield sentence[: found.start()]


def _is_anothers_story(sentence: str, before: str) -> bool:
    """Whether the phrase belongs to a film, a book, a game or the news, and to somebody else in it."""
    if not _care(care_rules.FICTION).search(sentence):
        return False
    if _care(care_rules.JUST_BEFORE).search(before):
        return True
    told_of_another = _care(care_rules.ANOTHER).search(sentence) is not None
    return told_of_another and not _care(care_rules.ONESELF).search(sentence)


def _asks_if_ai(text: str) -> bool:
    return _honesty(honesty_rules.ASKED).search(_TITLE.sub(_GONE, text)) is not None


@cache
def _care(table: str) -> re.Pattern[str]:
    return phrases(table, care_rules.WORDS)


@cache
def _honesty(table: str) -> re.Pattern[str]:
    return phrases(table, honesty_rules.WORDS)
