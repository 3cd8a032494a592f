"""Finding the line that a person has to correct."""

import pytest

from echovessel.adapters.config.problems import line_of, merge, unknown_key


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[llm]\nmodel = 1", 2),
        ("[server]\nmodel = 1\n[ llm ]\n  'model' = 2", 4),
        ("llm.model = 1", 1),
        ("# model = 1\n[llm]\n# model = 2", 2),
        ("llm = {model = 1}", 1),
        ("[server]\nport = 1", None),
    ],
)
def test_the_line_that_sets_a_key(text: str, line: int | None) -> None:
    assert line_of(text, "llm.model") == line


def test_later_layers_win_key_by_key() -> None:
    assert merge([{"a": {"x": 1, "y": 1}}, {"a": {"y": 2}}, {"b": 3}]) == {"a": {"x": 1, "y": 2}, "b": 3}


def test_a_known_key_has_no_problem() -> None:
    assert unknown_key("llm.model") is None
    assert unknown_key("llm") is None
