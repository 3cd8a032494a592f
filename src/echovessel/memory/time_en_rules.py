"""Which English words are parts of a date, in lower case. What looks like one and is none (you may, march on, every Friday, a
second chance) is kept out by what stands beside it."""

import re

from echovessel.memory import time_en as en
from echovessel.memory.time_feasts import EN as FEASTS
from echovessel.memory.time_numbers import MANY, ORDINAL
from echovessel.memory.time_rules import Read, Rule, RuleBook
from echovessel.memory.time_span import Rank

_FULL_MONTHS = "january|february|april|june|july|august|september|october|november|december"
_SHORT_MONTHS = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|march|may"
_ANY_MONTH = f"(?P<month>{_FULL_MONTHS}|{_SHORT_MONTHS})\\b\\.?"
_FULL_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_ANY_DAY = f"(?P<day>{_FULL_DAYS}|mon|tues?|wed|thurs?|thur|fri|sat|sun)\\b\\.?"
_STEP = r"\b(?P<step>last|past|this past|previous|this|current|next|coming|following) "
_PREPOSITIONS = (
    *(
        "in",
        "of",
        "since",
        "by",
        "until",
        "till",
        "during",
        "from",
        "to",
        "through",
        "before",
        "after",
        "around",
        "early",
        "late",
    ),
    *("mid", "for", "and", "between"),
)
_AFTER_A_PREPOSITION = "(?:" + "|".join(rf"(?<=\b{word} )" for word in _PREPOSITIONS) + "|(?<=mid-)|(?<= [-–] ))"
_ORDINAL_DAY = rf"(?P<day>(?:[0-2]?\d|3[01])(?:st|nd|rd|th)?|{ORDINAL})"
_YEAR = r"(?:,? ?(?P<year>(?:19|20)\d\d)(?!\d))?"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)\b(?! roll| water| break)"
_UNIT = r"(?P<unit>day|week|weekend|fortnight|month|year|decade)s?\b"
_FEAST = f"(?P<feast>{'|'.join(sorted(map(re.escape, FEASTS), key=len, reverse=True))})(?!\\w)"
_PART = f"(?P<part>{'|'.join(en.PARTS)})\\b"
_NOT_EVERY = r"(?<!every )(?<!each )"
_MEASURES = (
    r"(?! ?(?:km|kg|people|steps|calories|dollars|words|miles|meters|pages|followers|points|bucks|yuan|times|feet)\b)"
)


_MONTH_WORDS = f"{_FULL_MONTHS}|{_SHORT_MONTHS}|sep|sept"
_DAY_WORDS = f"{_FULL_DAYS}|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"
_SEASON_WORDS = "|".join(en.SEASONS)
_PART_WORDS = "|".join(en.PARTS)
_UNIT_WORDS = "day|days|week|weeks|weekend|weekends|fortnight|month|months|year|years|decade|decades"
_FEAST_WORDS = "|".join(max(re.findall("[a-z]+", name), key=len) for name in FEASTS)


def _rule(needs: str, source: str, rank: Rank, read: Read, *, weak: bool = False) -> Rule:
    return Rule(source, rank, read, frozenset(needs.split("|")), weak)


RULES = RuleBook(
    (
        # years
        _rule(
            "####",
            rf"{_AFTER_A_PREPOSITION}(?P<year>(?:19|20)\d\d)\b(?![-/.:]\d){_MEASURES}",
            Rank.YEAR,
            en.named_year,
        ),
        _rule(
            "####",
            rf"(?<![\d$€£¥#.:/-])\b(?P<year>(?:19|20)\d\d)\b(?![-/.:%]\d){_MEASURES}",
            Rank.YEAR,
            en.named_year,
            weak=True,
        ),
        _rule("#", r"\b(?P<decade>(?:19|20)?\d0)'?s\b", Rank.YEAR, en.decade),
        _rule("year", rf"{_STEP}year\b", Rank.YEAR, en.relative_year),
        # seasons and months
        _rule(_SEASON_WORDS, rf"\b(?:in|during|over|since|of|that) (?:the )?{_SEASON}", Rank.SEASON, en.named_season),
        _rule(
            _SEASON_WORDS,
            rf"\b{_SEASON}(?= (?:of |in )?(?:(?:19|20)\d\d|last year|this year|next year))",
            Rank.SEASON,
            en.named_season,
        ),
        _rule(_SEASON_WORDS, rf"{_STEP}{_SEASON}", Rank.SEASON, en.relative_season),
        _rule("month", rf"{_STEP}month\b", Rank.MONTH, en.relative_month),
        _rule(_MONTH_WORDS, rf"{_STEP}{_ANY_MONTH}(?! \d)", Rank.MONTH, en.relative_named_month),
        _rule(_MONTH_WORDS, rf"\b(?P<month>{_FULL_MONTHS})\b", Rank.MONTH, en.named_month),
        _rule(
            _MONTH_WORDS,
            rf"\b(?=[jfmasond]){_AFTER_A_PREPOSITION}{_ANY_MONTH}(?! (?:be|you|we|not|on|for)\b)",
            Rank.MONTH,
            en.named_month,
        ),
        _rule(
            _MONTH_WORDS,
            rf"\b{_ANY_MONTH}(?=,? (?:of )?(?:(?:19|20)\d\d\b|(?:last|this|next) year))",
            Rank.MONTH,
            en.named_month,
        ),
        _rule(
            "early|mid|late|beginning|start|middle|end",
            r"\b(?P<phase>early|mid|late)(?: in)?[ -](?:the )?",
            Rank.PHASE,
            en.in_phase,
            weak=True,
        ),
        _rule(
            "early|mid|late|beginning|start|middle|end",
            r"\b(?P<phase>beginning|start|middle|end) of (?:the )?",
            Rank.PHASE,
            en.in_phase,
            weak=True,
        ),
        _rule(
            "week|weekend",
            r"\b(?P<nth>[1-5a-z][a-z]+) (?P<unit>week|weekend) (?:of|in) (?:the )?",
            Rank.WEEK,
            en.nth_week,
            weak=True,
        ),
        _rule(
            "before|after",
            r"\b(?P<unit>night|day|week|weekend|month) (?P<way>before|after) (?:the )?",
            Rank.BESIDE,
            en.beside,
            weak=True,
        ),
        # dates
        _rule(
            _MONTH_WORDS,
            rf"\b{_ANY_MONTH} ?(?:the )?{_ORDINAL_DAY}(?: ?(?:-|–|to|through|until) ?(?P<last>\d{{1,2}})(?:st|nd|rd|th)?)?"
            r"\b(?!\d|:|%| ?[ap]\.?m\b)",
            Rank.DAY,
            en.month_and_day,
        ),
        _rule(_MONTH_WORDS, rf"\b(?:the )?{_ORDINAL_DAY} (?:of )?{_ANY_MONTH}", Rank.DAY, en.month_and_day),
        _rule(
            "#",
            r"\b(?:on|by|until|since|before|after) the (?P<day>(?:[0-2]?\d|3[01])(?:st|nd|rd|th))\b(?=$|[,.!?;:)]| at\b)",
            Rank.DAY,
            en.day_of_month,
        ),
        _rule(_FEAST_WORDS, rf"\b{_FEAST}", Rank.DAY, en.feast),
        _rule(_FEAST_WORDS, rf"{_STEP}{_FEAST}", Rank.DAY, en.relative_feast),
        # weeks and days
        _rule("week", rf"{_STEP}week\b(?! (?:of|in)\b)", Rank.WEEK, en.relative_week),
        _rule(
            f"night|week|weekend|month|year|{_SEASON_WORDS}",
            rf"\bthe (?P<unit>night|week|weekend|month|year|{'|'.join(en.SEASONS)}) (?P<way>before last|after next)\b",
            Rank.DAY,
            en.before_last,
        ),
        _rule(
            "weekend",
            rf"{_NOT_EVERY}\b(?:(?P<step>last|past|this past|previous|this|coming|next|following) )?"
            r"weekend\b(?! (?:of|in|before|after)\b)",
            Rank.DAY,
            en.weekend_of,
        ),
        _rule(_DAY_WORDS, rf"{_STEP}{_ANY_DAY}", Rank.DAY, en.relative_weekday),
        _rule(_DAY_WORDS, rf"{_NOT_EVERY}\b(?P<day>{_FULL_DAYS})\b", Rank.DAY, en.named_weekday),
        _rule(_DAY_WORDS, rf"\bon {_ANY_DAY}", Rank.DAY, en.named_weekday),
        _rule(
            "yesterday|today|tomorrow",
            r"\b(?:the )?(?P<day>day before yesterday|day after tomorrow|yesterday|today|tomorrow)\b",
            Rank.DAY,
            en.relative_day,
        ),
        _rule("other|back", r"\bthe other (?:day|night)\b|\ba few days back\b", Rank.DAY, en.other_day),
        _rule(
            "morning|afternoon|evening|tonight",
            r"\b(?:earlier |later )?(?:this (?P<part>morning|afternoon|evening)|tonight)\b",
            Rank.DAY,
            en.part_of_today,
        ),
        _rule("night", r"\blast night\b", Rank.DAY, en.last_night),
        # counted from now
        _rule(
            "ago|back|earlier",
            rf"\b(?:about |around |almost |over |some )?(?P<count>\d{{1,3}}|{MANY}) "
            r"(?P<unit>minute|hour|day|week|weekend|fortnight|month|year|decade)s?(?: or so)?"
            r"(?P<half> and a half)? (?:ago|back|earlier today)\b",
            Rank.DAY,
            en.units_ago,
        ),
        _rule("ago", r"\bhalf a year ago\b", Rank.DAY, en.half_a_year_ago),
        _rule(
            _UNIT_WORDS, rf"\bin (?:about )?(?P<count>\d{{1,3}}|{MANY}) {_UNIT}(?! of\b|'s)", Rank.DAY, en.units_ahead
        ),
        _rule("now|today", rf"\b(?P<count>\d{{1,3}}|{MANY}) {_UNIT} from (?:now|today)\b", Rank.DAY, en.units_ahead),
        _rule(
            "past|last",
            rf"\b(?:the|these) (?:past|last) (?P<count>\d{{1,2}}|{MANY})? ?(?P<unit>day|week|month|year)s?\b(?! of)",
            Rank.DAY,
            en.past_units,
        ),
        # parts of a day
        _rule(_PART_WORDS, rf"\b(?:in the |at )?{_PART}", Rank.PART, en.part_of_day, weak=True),
        _rule(
            "#",
            r"\b(?:at )?(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>[ap]\.?m)\b\.?",
            Rank.CLOCK,
            en.clock,
            weak=True,
        ),
        _rule("#", r"\b(?:at )?(?P<hour>\d{1,2}):(?P<minute>\d\d)\b", Rank.CLOCK, en.clock, weak=True),
    )
)
