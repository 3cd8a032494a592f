from echovessel.adapters.llm.turns import Turn, system_of, turns_of
from echovessel.core.talk import ChatMessage, ChatRole

SYSTEM, USER, ASSISTANT = ChatRole.SYSTEM, ChatRole.USER, ChatRole.ASSISTANT


def _messages(*said: tuple[ChatRole, str]) -> list[ChatMessage]:
    return [ChatMessage(role, content) for role, content in said]


def test_the_system_prompt_stands_apart() -> None:
    messages = _messages((SYSTEM, "You are 小满."), (SYSTEM, "Be kind."), (USER, "在吗？"))
    assert system_of(messages) == "You are 小满.\n\nBe kind."
    assert turns_of(messages) == [Turn(USER, "在吗？")]


def test_words_of_one_side_in_a_row_are_one_turn() -> None:
    messages = _messages(
        (USER, "在吗？"), (USER, "  "), (USER, "睡了？"), (ASSISTANT, "没。"), (SYSTEM, "Note."), (USER, "好")
    )
    assert turns_of(messages) == [Turn(USER, "在吗？\n\n睡了？"), Turn(ASSISTANT, "没。"), Turn(USER, "Note.\n\n好")]


def test_the_user_begins_and_an_unfinished_turn_ends_in_a_word() -> None:
    assert turns_of(_messages((ASSISTANT, "Well, \n"))) == [Turn(USER, "…"), Turn(ASSISTANT, "Well,")]
    assert turns_of([]) == [Turn(USER, "…")]
