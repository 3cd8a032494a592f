"""Whether a text asks when something was or will be."""

import re

from echovessel.core.text import normalise

_VERB = r"(?:did|do|does|was|were|is|are|am|will|have|has|had|would|should|can|could|might|exactly)\b|'s\b|'d\b|'re\b"
_ASKS = re.compile(
    rf"\bwhens?\b ?(?:{_VERB})|\bwhens\b|\bwhen\s*\?|"
    r"\b(?:know|remember|recall|forg[eo]t|tell me|sure|wonder|say|said|guess) (?:exactly )?when\b(?! i\b)|"
    r"\b(?:what|which) (?:exact )?(?:day|date|month|year|week|weekday|weekend|time|season|decade)s?\b(?! (?:off|old|trip))|"
    r"\bhow long (?:ago|has|have|had|since|is it since|was it)\b|\bhow many (?:days|weeks|months|years) passed\b|"
    r"\bhow many (?:minutes|hours|days|weeks|months|years) (?:ago|since|has it been|before|after)\b|"
    r"\bsince when\b|\bhow (?:recently|old was|old were)\b|\bwhat's the date\b|"
    r"(?<!不管)(?<!无论)(?:什么时候|啥时候?|何时|几时|哪个?时候|什么日子)(?![都也])|哪一?[天年月周]|"
    r"哪个?(?:月|星期|礼拜|季节|年份|周末)|(?<![好这那前后十过])几(?:月份?|号|点钟?|月几号)(?![前后来级建个线楼意])|"
    r"(?:星期|周|礼拜)几|多少号|哪一?日|何年|什么时间|啥时间|多久没|"
    r"(?:多久|多长时间|多少[天年]|几[天年周]|几[个月星期]*)(?:之前|以前|前|了[吗?？呀啊呢]*$)"
)


def asks_when(text: str) -> bool:
    """ "When did …", "how long ago", 什么时候, 哪天, 几号, 多久以前: not "when I was small", 什么时候都行, 好几天."""
    return _ASKS.search(normalise(text)) is not None
