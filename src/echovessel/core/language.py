"""Which language a line is in: its script, and for Latin letters the small words that no line does without.

No model and no table of trigrams: the lines of a talk are short, and what tells them apart are their articles, pronouns and
prepositions. English needs no proof: a line without a sign of another language is taken for it.
"""

import re
from enum import StrEnum

from echovessel.core.text import Script, script


class Language(StrEnum):
    """The languages that are told apart, by their ISO 639-1 codes."""

    ZH = "zh"
    EN = "en"
    JA = "ja"
    KO = "ko"
    ES = "es"
    FR = "fr"
    DE = "de"


_OF_SCRIPT = {Script.HAN: Language.ZH, Script.KANA: Language.JA, Script.HANGUL: Language.KO}
_ENGLISH = frozenset(
    """i you he she it we they me him her them my your his our their this that these those the an of to in on at for with
    from by about as is are was were be been am do does did have has had will would can could should not no yes and or but
    if when what where who why how which there here so too very just all any some again really let""".split()  # noqa: SIM905
)
_OTHERS = {
    Language.ES: frozenset(
        """el la los las un una unos unas del al yo tú mi mis tus su sus nos lo le les se que qué quién cómo cuándo cuánto
        dónde cuál de en con para por pero y o si sí no es está están estoy estás era fue ser hay he ha han muy más ya también
        nunca siempre porque cuando como donde este esta esto ese esa eso hoy ayer mañana todo nada tengo tiene quiero hace
        me te ti mí solo ni sin sobre desde hasta entonces gracias""".split()  # noqa: SIM905
    ),
    Language.FR: frozenset(
        """le la les un une des du de je j tu il elle l nous vous ils elles mon ma mes ta tes sa ses notre votre leur ce
        cet cette ces c qu que qui quoi où quand comment pourquoi est suis es sont était ai avons avez ont et ou mais si
        ne n pas rien jamais toujours dans sur sous avec sans pour par chez en au aux y très trop aussi bien moi toi lui
        fait être avoir on se ça hier demain merci quel quelle donc alors""".split()  # noqa: SIM905
    ),
    Language.DE: frozenset(
        """der die das den dem des ein eine einen einem einer ich er sie es wir ihr mich mir dich dir ihn ihm uns euch sich
        mein meine meinen meinem meiner dein deine unser ist sind bin bist war waren sein hat habe haben hast hatte wird werden
        wurde kann muss will soll nicht kein keine nie und oder aber wenn weil dass ob als wie was wer wo wann warum zu zum zur
        im in am an auf aus bei mit nach von vor für über unter um so sehr auch noch schon nur immer heute gestern morgen
        ja nein danke gerade dann doch mal du etwas gegen wieder lass man""".split()  # noqa: SIM905
    ),
}
_SIGNS = {
    Language.ES: re.compile("[áíóúñ¿¡]"),
    Language.FR: re.compile("[àâçèêëîïôùûœ]"),
    Language.DE: re.compile("[äöüß]"),
}
_FOREIGN = frozenset[str]().union(*_OTHERS.values()) - _ENGLISH
_WORD = re.compile(r"[^\W\d_]+")


def language(text: str) -> Language | None:
    """The language of most of a text; None for scripts whose languages are not told apart, and for a text without letters."""
    written = script(text)
    if written is not Script.LATIN:
        return _OF_SCRIPT.get(written)
    lower = text.lower()
    if lower.isascii() and _FOREIGN.isdisjoint(lower.replace("'", " ").split()):
        return Language.EN
    words = _WORD.findall(lower)
    signs = {each: len(sign.findall(lower)) for each, sign in _SIGNS.items()}
    found = {each: signs[each] + sum(word in known for word in words) for each, known in _OTHERS.items()}
    likeliest = max(found, key=lambda each: found[each])
    return likeliest if found[likeliest] > sum(word in _ENGLISH for word in words) else Language.EN
