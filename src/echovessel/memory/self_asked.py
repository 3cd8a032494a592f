"""Whether someone asks about themselves: "what time do I get up?", 我的车是什么牌子的？ Only what was said before can tell.

"How do I boil an egg?" and 能不能帮我翻译一下？ hold the same words and ask for help, which anyone could give.
"""

import re

from echovessel.core.text import normalise
from echovessel.memory.l2_log import is_question

FIRST_PERSON = re.compile(r"我|\b(?:i|me|my|mine|myself|i'm|i've|i'd|i'll)\b")
_ASKS_FOR_HELP = re.compile(
    r"\bhow (?:do|can|could|should|would|to|shall)\b(?! (?:i|we) (?:feel|usually|always|know)\b)|"
    r"\b(?:can|could|may|should|shall|would) (?:i|we|you)\b|"
    r"\b(?:help|tell|give|show|teach|let|excuse) me\b"
    r"(?! (?:about )?(?:what|who|when|where|which|why|how (?:many|much|long|old)))|"
    r"怎么(?!样|认识|说|想|了|回|知道|看|处理)|如何|[帮给教让]我|请问|能不能|可不可以|可以"
)


def asks_of_self(text: str) -> bool:
    """Whether it is a question in the first person, and no call for help."""
    if not is_question(text):
        return False
    plain = normalise(text)
    return FIRST_PERSON.search(plain) is not None and _ASKS_FOR_HELP.search(plain) is None
