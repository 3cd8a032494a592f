"""Columns, wrapping and harmless text."""

import io

import pytest

from echovessel.channels.terminal.screen import Screen, harmless, width


def _written(pieces: list[str], columns: int | None = 20, label: str = "") -> str:
    out = io.StringIO()
    flow = Screen(out, columns=columns).flow(label)
    for piece in pieces:
        flow.add(piece)
    flow.end()
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("龟背竹", 6), ("，", 2), ("e\u0301", 1), ("a\u200bb", 2), ("한국", 4), ("①", 1), ("🌿", 2), ("", 0)],
)
def test_a_wide_character_takes_two_columns(text: str, columns: int) -> None:
    assert width(text) == columns


def test_control_characters_cannot_reach_the_terminal() -> None:
    assert harmless("a\x1b[2Jb\x07\r\n\tc\x9b31m") == "a[2Jb\n c31m"


def test_words_wrap_at_spaces_and_are_never_cut() -> None:
    assert _written(["the quick brown fox jumps over it"]) == "the quick brown fox\njumps over it\n"


def test_chinese_wraps_between_characters_and_no_line_begins_with_a_stop() -> None:
    written = _written(["一二三四五六七八九十，甲乙丙丁。"])

    assert written == "一二三四五六七八九\n十，甲乙丙丁。\n"
    assert all(width(line) <= 20 for line in written.splitlines())


def test_the_pieces_do_not_matter() -> None:
    text = "Scott 说 the 龟背竹 is alive，真的！ See https://example.org/a/very/long/address for more.\n第二段。"
    whole = _written([text])

    assert _written(list(text)) == whole
    assert all(width(line) <= 20 for line in whole.splitlines())


def test_lines_hang_below_the_label() -> None:
    assert _written(["一二三四五六七八九十"], label="小满: ") == "小满: 一二三四五六七\n      八九十\n"


def test_line_breaks_and_blank_lines_stay() -> None:
    assert _written(["a\n\n  b  c"]) == "a\n\n  b  c\n"


def test_without_a_terminal_nothing_is_wrapped() -> None:
    text = "word " * 50 + "字" * 200

    assert _written([text], columns=None).strip() == text.strip()


def test_colour_is_left_out_unless_wanted() -> None:
    plain, coloured = io.StringIO(), io.StringIO()
    Screen(plain).line("x", "\x1b[1m")
    Screen(coloured, colour=True).line("x", "\x1b[1m")

    assert plain.getvalue() == "x\n"
    assert coloured.getvalue() == "\x1b[1mx\x1b[0m\n"


def test_what_the_encoding_cannot_show_becomes_a_question_mark() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    Screen(out).line("早 a\ud800")

    assert raw.getvalue() == b"? a?\n"
