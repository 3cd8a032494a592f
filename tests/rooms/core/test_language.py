"""Lines of a talk and the language they are in."""

import pytest

from echovessel.core.language import Language, language

LINES = {
    Language.ZH: ["我今天想早点睡", "在吗", "我昨天去了 gym 练腿", "這是繁體字", "ＯＫ，那就这样"],
    Language.JA: ["今日はもう寝る", "コーヒーが飲みたい", "東京に行きたいな"],
    Language.KO: ["오늘은 일찍 잘래", "커피 마시고 싶다"],
    Language.EN: [
        "ok",
        "haha",
        "I had a déjà vu in the café",
        "She said “très bien” to me and left with him",
        "Let's celebrate!",
        "Anna!",
    ],
    Language.ES: [
        "No puedo dormir porque mañana tengo un examen",
        "¿Dónde estás?",
        "Mi hermana vive en Madrid",
        "gracias por todo",
    ],
    Language.FR: [
        "Je ne peux pas dormir",
        "C'est vraiment gentil, merci",
        "Où es-tu ?",
        "On se voit demain chez ma mère",
    ],
    Language.DE: [
        "Ich kann nicht schlafen",
        "Wo bist du gerade?",
        "Meine Schwester wohnt in Wien",
        "Danke, das ist lieb",
    ],
}


@pytest.mark.parametrize(("line", "told"), [(line, each) for each, lines in LINES.items() for line in lines])
def test_the_language_of_a_line(line: str, told: Language) -> None:
    assert language(line) is told


@pytest.mark.parametrize("line", ["", "?!", "😂😂", "12:30", "привет, как дела", "สวัสดี", "\x00", "\ud800"])
def test_what_is_in_none_of_them(line: str) -> None:
    assert language(line) is None
