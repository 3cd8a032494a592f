"""What the doctor found, on a page."""

from echovessel.ports.front import Check, Verdict
from echovessel.runtime.findings import page_of

CHECKS = [
    Check(name="home", verdict=Verdict.OK, found="It is yours alone."),
    Check(
        name="model", verdict=Verdict.BROKEN, found="Nothing answers there, whoever asks.", do="Start the server of it."
    ),
    Check(name="you", verdict=Verdict.NOTE, found="Ada.", do="Nothing."),
]


def test_the_broken_comes_first_names_stand_in_a_column_and_the_last_line_counts() -> None:
    assert list(page_of(CHECKS, None)) == [
        "BROKEN  model  Nothing answers there, whoever asks.",
        "               → Start the server of it.",
        "note    you    Ada.",
        "               → Nothing.",
        "ok      home   It is yours alone.",
        "",
        "1 broken, 1 to note, 1 in order.",
    ]


def test_a_terminal_s_lines_are_no_longer_than_it_is_wide_and_what_is_copied_stays_whole() -> None:
    command = "`echovessel-init --model-url http://127.0.0.1:11434/v1`"
    check = Check(
        name="model", verdict=Verdict.NOTE, found="Found: " + "a server, " * 20, do=f"Connect it with {command}."
    )

    lines = list(page_of([*CHECKS, check], 60))

    assert max(len(line) for line in lines if "http" not in line) <= 60
    assert any("http://127.0.0.1:11434/v1" in line for line in lines)
    assert [line for line in lines if line.startswith(" " * 15) and "a server, a server" in line]
