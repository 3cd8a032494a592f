"""What a text asks memory for: whose words, which terms weigh how much, and of which time."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from echovessel.core.talk import Speaker
from echovessel.core.text import estimate_tokens, normalise, tokens
from echovessel.memory.l2_log import is_question
from echovessel.memory.self_asked import FIRST_PERSON, asks_of_self
from echovessel.memory.stop_words import is_stop_word
from echovessel.memory.time_asked import asks_when
from echovessel.memory.time_expr import Mention, find

LONGEST_TIME = timedelta(days=400)
"""A time asked for that is longer than a year tells nothing apart."""
_OTHERS_SHARE = 0.4
"""What a term weighs that only the other one said, in a text that is a written talk."""
_BEFORE_SHARE = 0.5
"""What a term weighs that stands in the talk before, and not in the text itself."""
_SAID_LINE = re.compile(r"\s*([^\s:：][^\n:：]{0,23})(?:：\s*|:\s+)(\S.*)")
_MOST_SPEAKERS = 4
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
"""A character of a script that sets no space between words."""
_OWNS = re.compile(r"['’]s$")
_AFTER_WORDS = re.compile(r"\w['’\"”）)]*\s*$")
_SECOND_PERSON = re.compile(r"[你您]|\b(?:you|your|yours|yourself|you're|u|ur)\b")
_CALLS = re.compile(
    r"(?:^|[^a-z])(?:hey|hi|hello|hiya|yo|oh|ok|okay|so|well|please|thanks|thank you|cheers|dear|morning|evening|night|bye)"
    r"\s*$|"
    r"[嗨嘿喂哎欸哈喽]\s*$|(?:谢谢|多谢|[早晚]安|早上好|晚上好|你好|拜拜|再见|亲爱的)\s*$",
    re.IGNORECASE,
)
"""What a name that follows it is called with."""
_BESIDE = 40
"""How many characters before and after a name say how it is used."""
_GOES_ON = re.compile(r"\s*(?:['’\"”）)]*\s*\w|[?？])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`text`: what is embedded: the question without the names of the two who talk, after what of the talk goes along with it.

    `terms`: the search terms with their weights. `about`: the one whose words are asked for, if it says. `times`: the times
    that it names, which had begun when it was asked. `asks_when`: whether a time is the answer. `tells_of`: whether it tells of
    one of the two by name, or is a talk written out with its speakers. `of_self`: whether someone asks about themselves.
    `length`: estimated tokens of all of it, without what goes along.
    """

    text: str
    terms: Mapping[str, float]
    about: Speaker | None = None
    times: tuple[Mention, ...] = field(default=())
    asks_when: bool = False
    tells_of: bool = False
    of_self: bool = False
    length: int = 0


def ask(text: str, *, user_name: str, persona_name: str, asked_at: datetime | None = None, before: str = "") -> Asked:
    """Read a question put to a pair's memory at `asked_at`, aware, in the zone of the one who asks; None leaves times aside.

    `before`: what of the talk before is needed to know what it is about.

    Each message belongs to one of the two anyway: left in, their names draw in every message that addresses someone by name.
    "I" means the user's own words are asked for, even where the persona is spoken to by name; else the one name given says it.
    Of a text that is itself a talk, line by line with its speakers, the last one's lines are the question.
    """
    own, others = _last_speaker(text)
    without_user = _without(own, user_name)
    rest = _without(without_user, persona_name)
    named_user, named_persona = without_user != own, rest != without_user
    about = None
    if FIRST_PERSON.search(normalise(own)) or (named_user and not named_persona):
        about = Speaker.USER
    elif named_persona and not named_user:
        about = Speaker.PERSONA
    question = rest if rest.strip() else own
    return Asked(
        text=f"{before}\n{question}" if before else question,
        terms=_joined(question, {others: _OTHERS_SHARE, before: _BEFORE_SHARE}),
        about=about,
        times=_times(question, asked_at) if asked_at else (),
        asks_when=asks_when(question),
        tells_of=bool(others) or _tells_of(own, user_name) or (_is_about_others(own) and _tells_of(own, persona_name)),
        of_self=asks_of_self(own),
        length=estimate_tokens(own) + estimate_tokens(others),
    )


def terms(text: str) -> Mapping[str, float]:
    """The search terms of a question with their weights, `1 + ln(times said)`.

    Function words count only when there is nothing else.
    """
    said = Counter(tokens(text))
    telling = {token: times for token, times in said.items() if not is_stop_word(token)}
    return {token: 1 + math.log(times) for token, times in (telling or said).items()}


def _joined(question: str, along: Mapping[str, float]) -> Mapping[str, float]:
    """The terms of a question, and those of what goes along with it, which weigh less."""
    joined = dict(terms(question))
    for text, share in along.items():
        for token, weight in terms(text).items():
            joined[token] = joined.get(token, 0) + share * weight
    return joined


def _times(question: str, asked_at: datetime) -> tuple[Mention, ...]:
    return tuple(
        mention
        for mention in find(question, asked_at)
        if mention.since < asked_at and mention.until - mention.since <= LONGEST_TIME
    )


def _last_speaker(text: str) -> tuple[str, str]:
    """Of a written talk, what the last speaker says and what the others say, without who says it; else the text itself.

    In a talk someone speaks again; in a list ("Time: …", "地点：…") each label stands once.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    said = [match.groups() for line in lines if (match := _SAID_LINE.fullmatch(line))]
    speakers = {speaker for speaker, _ in said}
    if not len(speakers) < len(said) == len(lines) or not 1 < len(speakers) <= _MOST_SPEAKERS:
        return text, ""
    last = said[-1][0]
    return _words(said, last, own=True), _words(said, last, own=False)


def _words(said: Sequence[tuple[str, ...]], last: str, *, own: bool) -> str:
    return "\n".join(words for speaker, words in said if (speaker == last) is own)


def _without(text: str, name: str) -> str:
    """`text` without the whole words of `name` or of its first word, in any case; a possessive ending goes with it."""
    rest = text
    for spelling in _spellings(name):
        rest = re.sub(_whole(spelling), " ", rest, flags=re.IGNORECASE)
    return text if rest == text else " ".join(rest.split())


def _tells_of(text: str, name: str) -> bool:
    """Whether `name` stands in `text` other than to call someone: after a word, and not as the end of what is no question."""
    return any(
        _OWNS.search(match[0]) or _amid_words(text, match)
        for spelling in _spellings(name)
        for match in re.finditer(_whole(spelling), text, re.IGNORECASE)
    )


def _is_about_others(text: str) -> bool:
    """Whether it is a question that speaks to nobody: else the persona's name in it is called out more often than told of."""
    return is_question(text) and _SECOND_PERSON.search(normalise(text)) is None


def _amid_words(text: str, name: re.Match[str]) -> bool:
    before = text[max(0, name.start() - _BESIDE) : name.start()]
    return bool(_AFTER_WORDS.search(before) and not _CALLS.search(before) and _GOES_ON.match(text, name.end()))


def _whole(spelling: str) -> str:
    """A pattern for a spelling as whole words, with a possessive ending."""
    starts = "" if _UNSPACED.match(spelling[0]) else r"(?<!\w)"
    ends = "" if _UNSPACED.match(spelling[-1]) else r"(?:['’]s)?(?!\w)"
    return f"{starts}{re.escape(spelling)}{ends}"


def _spellings(name: str) -> list[str]:
    """How someone is called: the whole name, then its first word. One character alone is too often another word's part."""
    words = name.split()
    return [
        spelling
        for spelling in (" ".join(words), *words[:1])
        if len(spelling) > 1 and not is_stop_word(spelling.lower())
    ]
