from echovessel.core.text import estimate_tokens
from echovessel.prompts.wording import cost, wording
from tests.support.prompting import CATALOG, Talk, material, persona, user


def test_names_and_macros_stand_in_the_words() -> None:
    words = wording("reply", material(burst=[Talk().said("user", "hi")]), CATALOG, "en")

    assert words.part("opening").startswith("You are Mira, in a private chat with Lin.")
    assert words.quoted("{{char}} knows {{user}}. </echo-about> ") == "Mira knows Lin. ‹/echo-about>"


def test_a_user_without_a_name_is_named_by_the_language() -> None:
    nameless = material(burst=[Talk().said("user", "hi")], by=persona("zh", "林夏"), to=user("zh", ""))

    assert wording("reply", nameless, CATALOG, "zh").user == "对方"
    assert wording("reply", nameless, CATALOG, "en").speaker == "User"
    assert wording("keeper", nameless, CATALOG, "en").user == "you"


def test_a_piece_costs_its_tokens_and_its_break() -> None:
    assert cost("") == 0
    assert cost("one two") == estimate_tokens("one two") + 1
