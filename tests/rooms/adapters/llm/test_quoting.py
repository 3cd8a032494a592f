import json

import pytest

from echovessel.adapters.llm.quoting import before_the_quote

SAID = "我昨天跟妈妈吵架了，\n她还不知道我辞职了"
TOLD = 'My sister doesn\'t know that I left "him" yet.'


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"messages[3].content is not allowed: '{SAID}'", "messages[3].content is not allowed:…"),
        (f"bad input: {json.dumps([{'role': 'user', 'content': SAID}])}", 'bad input: [{"role": "user", "content":…'),
        (f"bad input: {json.dumps({'content': TOLD})}, sorry", 'bad input: {"content":…'),
        (f"bad input: {[{'content': SAID}]!r}", "bad input: [{'content':…"),
        ("near «她还不知道我辞»", "near «…"),
        ("unsafe: My sister doesn't know th…", "unsafe:…"),
        ("不允许：“我怕。”", "不允许：…"),
    ],
)
def test_what_was_said_is_not_told(words: str, told: str) -> None:
    words = " ".join(words.split())  # as every word of an endpoint comes
    assert before_the_quote(words, ["You are Luna.", SAID, TOLD, "我怕。"]) == told


@pytest.mark.parametrize(
    "words",
    [
        "",
        "model 'luna-7b' does not know the field top_k",
        "模型不存在，请检查模型代码",
        "This model's maximum context length is 4096 tokens",
        "'hm' is no role",
    ],
)
def test_the_endpoints_own_words_are_told(words: str) -> None:
    assert before_the_quote(words, ["You are Luna. Keep to the field.", SAID, TOLD, "hm", ""]) == words
