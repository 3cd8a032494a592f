"""Our own evaluation talks are what their check wants, and the check finds what is wrong."""

import subprocess
import sys
from pathlib import Path

from tests.house.rules import ROOT


def check(*arguments: str | Path) -> tuple[int, str]:
    """The status and the lines of the check."""
    command = [sys.executable, "scripts/check_talks.py", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_every_talk_of_ours_passes_its_check() -> None:
    status, told = check()

    assert status == 0, told
    assert "16 talks:" in told


def test_what_is_wrong_with_a_talk_is_told(tmp_path: Path) -> None:
    for folder in ("talks", "questions"):
        (tmp_path / folder).mkdir()
    (tmp_path / "talks" / "short.txt").write_text(
        "talk short\nlanguages en\nuser Ada\npersona Bo\nzone UTC\nsplit tune\nabout Rain\n\n"
        "== 2025-01-01 10:00\n1 u It rains on my umbrella.\n== 2025-01-01 09:00\n2 p Again?\n",
        encoding="utf-8",
    )
    asked = '{"kind": "%s", "lang": "%s", "asked_at": "%s", "ask": "Whose umbrellas?", "context": [], "evidence": %s}\n'
    (tmp_path / "questions" / "short.jsonl").write_text(
        asked % ("fact", "en", "2025-02-01 10:00", "[[1]]")
        + asked % ("pronoun", "fr", "2024-02-01 10:00", "[[2]]")
        + asked % ("several", "en", "2025-02-01 10:00", "[[1]]")
        + asked % ("unrelated", "en", "2025-02-01 10:00", "[[1]]")
        + asked % ("riddle", "en", "2025-02-01 10:00", "[[1]]"),
        encoding="utf-8",
    )

    status, told = check("--folder", tmp_path)

    assert status == 1
    for fault in (
        "2 messages; at least 220",
        "message 2 is not said after 1",
        "no kind is called 'riddle'",
        "0 of kind cross; at least 3",
        "4 questions besides the unrelated lines; at least 34",
        "only 1 of 5 questions share no word",
        "question 2 (pronoun): 'fr' is no language",
        "question 2 (pronoun): a pronoun needs its context",
        "question 2 (pronoun): it is asked before the talk ended",
        "question 3 (several): one piece of evidence is not several",
        "question 4 (unrelated): evidence does not go with the kind",
        "'Whose umbrellas?' is asked 5 times",
    ):
        assert fault in told, told


def test_a_talk_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    status, told = check("--folder", tmp_path, "nowhere")

    assert status == 1
    assert told.startswith(f"nowhere: {tmp_path}/talks/nowhere.txt is missing.\n0 talks:")
