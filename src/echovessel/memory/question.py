"""What a text asks memory for: whose words, and which terms weigh how much."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from echovessel.core.talk import Speaker
from echovessel.core.text import normalise, tokens
from echovessel.memory.stop_words import is_stop_word

_FIRST_PERSON = re.compile(r"我|\b(?:i|me|my|mine|myself|i'm|i've|i'd|i'll)\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """`text`: the question without the names of the two who talk. `about`: the one whose words are asked for, if it says."""

    text: str
    about: Speaker | None


def ask(text: str, *, user_name: str, persona_name: str) -> Asked:
    """Read a question put to a pair's memory.

    Each message belongs to one of the two anyway: left in, their names draw in every message that addresses someone by name.
    "I" means the user's own words are asked for, even where the persona is spoken to by name; else the one name given says it.
    """
    without_user = _without(text, user_name)
    rest = _without(without_user, persona_name)
    named_user, named_persona = without_user != text, rest != without_user
    about = None
    if _FIRST_PERSON.search(normalise(text)) or (named_user and not named_persona):
        about = Speaker.USER
    elif named_persona and not named_user:
        about = Speaker.PERSONA
    return Asked(rest if rest.strip() else text, about)


def _without(text: str, name: str) -> str:
    """`text` without the whole words of `name` or of its first word, in any case; a possessive ending goes with it."""
    rest = text
    for spelling in _spellings(name):
        starts = r"(?<!\w)" if spelling[0].isascii() else ""
        ends = r"(?:['’]s)?(?!\w)" if spelling[-1].isascii() else ""
        rest = re.sub(f"{starts}{re.escape(spelling)}{ends}", " ", rest, flags=re.IGNORECASE)
    return text if rest == text else " ".join(rest.split())


def _spellings(name: str) -> list[str]:
    """How someone is called: the whole name, then its first word. One character alone is too often another word's part."""
    words = name.split()
    return [
        spelling
        for spelling in (" ".join(words), *words[:1])
        if len(spelling) > 1 and not is_stop_word(spelling.lower())
    ]


def terms(text: str) -> Mapping[str, float]:
    """The search terms of a question with their weights, `1 + ln(times said)`.

    Function words count only when there is nothing else.
    """
    said = Counter(tokens(text))
    telling = {token: times for token, times in said.items() if not is_stop_word(token)}
    return {token: 1 + math.log(times) for token, times in (telling or said).items()}
