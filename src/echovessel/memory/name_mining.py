"""Which names a message gives to whom: "my sister Anna", "I named the cat Biscuit", 我妹妹小雨, 我老板叫陈伟, 小雨是我妹妹.

A wrong link hurts every later search: what is asked, denied or only imagined gives none, and nothing is taken from words that
have not the shape of a name.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from echovessel.core.text import composed, normalise, simplify
from echovessel.memory import name_shapes
from echovessel.memory.relations import Owner, Related, Relation, related

MAX_TEXT = 2_000
"""Only the first so many characters are read."""
_WINDOW = 60
"""So many characters before a relation may belong to its name."""

_SENTENCE = re.compile(r"[^。！？!?\n.…]+(?:\.(?=\S)[^。！？!?\n.…]*)*[。！？!?.…]*")
_ASKS = re.compile(
    r"[?？]|[吗么呢][。！]*$|谁|什么|哪[个位只]|^\s*(?:who|what|is|are|was|do|does|did)\b", re.IGNORECASE
)
_IMAGINED = re.compile(
    r"\b(?:if|wish|imagine|pretend|suppose|as though)\b|如果|要是|假如|假装|好像|像是|就像", re.IGNORECASE
)
_DENIED = re.compile(r"(?:\bnot|n't|\bnever|\bno longer|不是|不叫|没有|不算|并非)[^,，。.]{0,12}$", re.IGNORECASE)

_EN_NAMED = re.compile(
    r"(?:'s name (?:is|was)|,? (?:is |was |were )?(?:called|named)|,? (?:whose|his|her|its) name is) "
)
_EN_APPOSED = re.compile(r",? (?=[A-Z\u3400-\u9fff])")
_EN_COMMA_CLOSES = re.compile(r",(?! (?:and|or|&)\b)|[.!;)]|$")
_EN_NAMING = re.compile(r"\b(?:[Ii]|[Ww]e) (?:named|called|call) (?:the |our |my |this )?(?:new |little )?$")
_EN_IS = re.compile(r"(?:,? (?:is|was)|'s|,) (?:a |the |also |actually |now )?$")
_EN_AFTER = re.compile(r"(?!'s|s\b|-| of\b)(?=$|[\s,.!;)])")
_ZH_NAMED = re.compile(
    r"(?:的名字|名字|的大名|的小名)?(?:就|也)?(?:叫做|叫作|名叫|名字叫|叫|名字是|取名叫?|起名叫?|是叫)[“\"「『]?"
)
_ZH_IS = re.compile(r"(?:，|,|、)?(?:就|其实|也|才)?是$|[，,（(]$")
_ZH_CLOSED = re.compile(r"(?=$|[\s，。！？、,.!?；;”\"』」）)~～啊呀哦嘛啦呢了])")
_CLAUSE = re.compile(
    r"(?:^|[，,。；;！!\s：:])(?:其实|就是|原来|那个|这个|因为|所以|对了|而且|但是|不过|我说的|.*(?:遇到|遇见|碰到|见到|约了|找了|和|跟))?([^，,。；;！!\s：:]{1,14})$"
)
_MEASURE = re.compile(r"[只条个位头]$")


@dataclass(frozen=True, slots=True)
class Link:
    """Somebody is called so: `owner` is the one who speaks or the one spoken to. Of several relations one is meant."""

    name: str
    relations: tuple[Relation, ...]
    owner: Owner


def links(text: str) -> frozenset[Link]:
    """The names that a message gives to people and animals of the two who talk."""
    text = text[:MAX_TEXT]
    if next(related(normalise(text)), None) is None:
        return frozenset()
    cased = simplify(unicodedata.normalize("NFKC", composed(text))).replace("’", "'")
    return frozenset(link for sentence in _SENTENCE.findall(cased) for link in _in_sentence(sentence))


def _in_sentence(sentence: str) -> Iterator[Link]:
    lower = sentence.lower()
    words = list(related(lower)) if len(lower) == len(sentence) else []
    if not words or _ASKS.search(sentence) or _IMAGINED.search(sentence):
        return
    for word in words:
        before = sentence[_begin(word) : word.opens]
        if word.owner is Owner.ANOTHER or _DENIED.search(before):
            continue
        chinese = not sentence[word.start : word.end].isascii()
        name = _zh_name(sentence, word) if chinese else _en_name(sentence, word)
        if name is not None and name_shapes.shaped_like_a_name(name):
            owner = Owner.SPEAKER if word.owner is Owner.UNSAID else word.owner
            yield Link(name, word.relations, owner)


def _begin(word: Related) -> int:
    return max(0, word.opens - _WINDOW)


# ---------------------------------------------------------------- English


def _en_name(sentence: str, word: Related) -> str | None:
    owned = word.owner is not Owner.UNSAID
    named = _EN_NAMED.match(sentence, word.end)
    if named:
        return _name_at(name_shapes.EN, sentence, named.end())
    naming = _EN_NAMING.search(sentence, _begin(word), word.opens)
    apposed = _EN_APPOSED.match(sentence, word.end) if owned or naming else None
    if apposed:
        return _en_apposed(sentence, word, apposed)
    if naming:
        return _name_at(name_shapes.EN, sentence, word.end + 1)
    if owned and _EN_AFTER.match(sentence, word.end):
        return _en_name_before(sentence, word)
    return None


def _en_apposed(sentence: str, word: Related, joint: re.Match[str]) -> str | None:
    """My sister Anna; my sister, Anna, is here. Not "my sister, Anna and I", nor "your sister, Anna." to Anna."""
    name = _name_at(name_shapes.EN, sentence, joint.end())
    if name is None or not joint[0].startswith(","):
        return name
    closed = _EN_COMMA_CLOSES.match(sentence, joint.end() + len(name))
    return name if closed and word.owner is Owner.SPEAKER else None


def _en_name_before(sentence: str, word: Related) -> str | None:
    """Anna is my sister; with Biscuit, my dog."""
    joint = _EN_IS.search(sentence, _begin(word), word.opens)
    if joint is None:
        return None
    if joint[0].startswith(", ") and not re.match(r"[,.!;)]|$", sentence[word.end :]):
        return None  # "Anna, my mom called": she is spoken to
    found = [
        match
        for match in name_shapes.EN.finditer(sentence, _begin(word), joint.start())
        if match.end() == joint.start()
    ]
    return found[-1][0] if found else None


# ---------------------------------------------------------------- Chinese


def _zh_name(sentence: str, word: Related) -> str | None:
    is_pet = any(relation.is_pet for relation in word.relations)
    if (named := _ZH_NAMED.match(sentence, word.end)) is not None:
        shape = name_shapes.ZH_PET if is_pet else name_shapes.ZH_WHOLE
        return _closed_name_at(shape, sentence, named.end())
    if word.owner is Owner.UNSAID:
        return None
    if (after := _name_at(name_shapes.ZH, sentence, word.end)) is not None:
        return after
    if (joint := _ZH_IS.search(sentence, _begin(word), word.opens)) is not None and _ZH_CLOSED.match(
        sentence, word.end
    ):
        clause = _CLAUSE.search(sentence, _begin(word), joint.start())
        whole = name_shapes.ZH_WHOLE.fullmatch(clause[1]) if clause is not None else None
        return whole[0] if whole is not None else None
    return None


def _closed_name_at(shape: re.Pattern[str], sentence: str, start: int) -> str | None:
    """A name that fills the rest of its clause."""
    rest = re.match(r"[^\s，。！？、,.!?；;”\"』」）)~～]+(?: [A-Z][a-z]+)?", sentence[start:])
    whole = shape.fullmatch(rest[0].rstrip("啊呀哦嘛啦呢的")) if rest is not None else None
    return whole[0] if whole is not None else None


def _name_at(shape: re.Pattern[str], sentence: str, start: int) -> str | None:
    found = shape.match(sentence, start)
    return found[0] if found is not None else None
