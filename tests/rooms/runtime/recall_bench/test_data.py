"""What is wrong with a set is told by file and line."""

from pathlib import Path

from echovessel.runtime.recall_bench.data import unreadable


def test_the_file_and_the_line_are_named() -> None:
    error = unreadable(Path("talks") / "violin.txt", 7, "nobody says anything")

    assert error.message == "violin.txt, line 7: nobody says anything."
    assert error.do == "Repair the file."
