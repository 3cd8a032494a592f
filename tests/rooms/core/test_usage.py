from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.core.usage import TOKENS_A_MESSAGE, estimate_usage

HELLO = ChatMessage(ChatRole.USER, "你好，小满")


def test_an_estimate_says_that_it_is_one() -> None:
    assert estimate_usage([HELLO], "").estimated


def test_every_message_costs_its_text_and_its_frame() -> None:
    one, two = estimate_usage([HELLO], ""), estimate_usage([HELLO, HELLO], "")
    assert two.tokens_in == 2 * one.tokens_in
    assert one.tokens_in == 5 + TOKENS_A_MESSAGE


def test_the_answer_is_counted_apart() -> None:
    usage = estimate_usage([], "twelve chars")
    assert (usage.tokens_in, usage.tokens_out) == (0, 3)
