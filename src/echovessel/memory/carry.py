"""What of the live talk goes along when a burst does not say what it is about: "where is she from?", 后来呢？

A burst stands alone when it says enough by itself. It does not when it is very short, is left to be completed ("and Anna?"),
or points at somebody or something that was named before.
"""

import re
from collections.abc import Sequence

from echovessel.core.text import normalise, tokens
from echovessel.memory.relations import Owner, related
from echovessel.memory.stop_words import is_stop_word

ENOUGH = 1.5
"""The weight of telling words from which a burst stands alone: 1 for a word, a half for a Chinese character."""
ENOUGH_WITH_PRONOUN = 7.0
"""The same for one that points back: a long one mostly says by itself whom it means."""
ENOUGH_BEFORE_PRONOUN = 2.5
"""From so much on before the first pronoun, that is what the pronoun stands for."""
CARRIED = 12.0
"""The weight of telling words after which nothing older is carried."""
LONG = 400
"""A burst of so many characters is about something."""
MOST_MESSAGES = 4
MOST_CHARACTERS = 200
"""Of one message, its end."""

_A_HAN_CHARACTER = 0.5
_OWN_RELATION = 0.5

_SAYS_A_WORD = re.compile(r"\w")
_POINTS_BACK = re.compile(
    r"\b(?:he|him|his|she|her|hers|they|them|their|theirs|it|its|he's|she's|they're|it'?ll)\b|"
    r"\b(?:that|this) (?:one|thing|place|time|day|night|guy|girl|man|woman|book|film|movie|song|trip|story|job|show)\b|"
    r"\b(?:that|this|those|these|there|then)(?=\s*(?:[?.!,]|$))|\bthe (?:other|same|first|last) (?:one|time)\b|"
    r"\b(?:what|how) about\b|\bhow come\b|"
    r"[他她它]|(?<![\u3400-\u9fff])[那这](?!个?(?:周|月|星期|礼拜|年|春|夏|秋|冬|么|样|几|两|一年|段时间))|"
    r"(?<=[把在从跟和对给是问说])[那这](?=[个家次天里边儿本件只位部首张种套回段条座场晚份句支])|"
    r"那会儿|^后来|(?:后来|然后|结果|接着|还有)呢|另一个|同一个"
)
_LEFT_OPEN = re.compile(
    r"^(?:and|or|but|so|also)\b[^?]{0,40}\?|^(?:那|还有|以及|可是|但|所以).{0,12}[呢吗?]|^.{0,8}呢[?!~]*$"
)
_EXPLETIVE = re.compile(
    r"\bit(?:'s| is| was| has been|'ll be) (?:\w+ )?"
    r"(?:raining|snowing|windy|late|early|cold|hot|warm|dark|sunny|friday|monday|time|been)\b|"
    r"\b(?:is|was) it\b|\bdid it (?:feel|take)\b|\bit (?:felt|feels|took|takes)\b"
)
_NOTHING_ASKED = re.compile(
    r"[\W_]*+(?>(?:ok(?:ay)?|k|yes|yeah|yep|ya|nope|no|nah|sure|right|thank you|thanks?|thx|ty|lol|lmao|haha++|hehe|hm++|hi|"
    r"hey|hello|goodnight|morning|evening|"
    r"good (?:morning|night|evening)|gn|night|bye|see you|wow|cool|nice|great|fine|true|exactly|same|"
    r"嗯++|哦++|噢|嗨|好的?|行|可以|是的?|对|没错|不是|哈++|嘿++|嘻嘻|呵呵|谢谢你?|多谢|晚安|早[安上呀啊]?好?|你好|在吗|拜拜|再见|收到|"
    r"知道了|真好|太好了|也是)[呀啊呢哦嘛\W_]*+)++"
)


def carried(burst: str, before: Sequence[str]) -> str | None:
    """What of the messages before, the oldest first, is searched along with a burst; None when it stands alone.

    The last of them, a line each, as far as they tell something: their names and things are what a pronoun stands for.
    """
    plain = normalise(burst)
    if not before or _stands_alone(plain):
        return None
    taken: list[str] = []
    told = 0.0
    for message in reversed(before[-MOST_MESSAGES:]):
        line = " ".join(message[-MOST_CHARACTERS:].split())
        weight = _telling(line)
        if weight:
            taken.append(line)
        told += weight
        if told >= CARRIED:
            break
    return "\n".join(reversed(taken)) or None


def _stands_alone(plain: str) -> bool:
    if len(plain) > LONG or not _SAYS_A_WORD.search(plain) or _NOTHING_ASKED.fullmatch(plain):
        return True
    told = _telling(plain) + sum(_OWN_RELATION for word in related(plain) if word.owner is not Owner.ANOTHER)
    return told >= (ENOUGH_WITH_PRONOUN if _needs_what_was_said(plain) else ENOUGH)


def _needs_what_was_said(plain: str) -> bool:
    if _LEFT_OPEN.search(plain):
        return True
    bare = _EXPLETIVE.sub(" ", plain)
    pointer = _POINTS_BACK.search(bare)
    return pointer is not None and _telling(bare[: pointer.start()]) < ENOUGH_BEFORE_PRONOUN


def _telling(text: str) -> float:
    """The weight of the words of a text that say something."""
    return sum(_weight(token) for token in tokens(text) if not is_stop_word(token))


def _weight(token: str) -> float:
    if token.isascii():
        return 1.0
    return _A_HAN_CHARACTER if len(token) == 1 else 0.0  # its bigrams say the same again
