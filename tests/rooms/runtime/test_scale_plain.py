import sqlite3
from pathlib import Path

import pytest

from echovessel.runtime import scale_plain
from echovessel.runtime.scale_figures import Scale
from echovessel.runtime.scale_plain import Plain
from echovessel.runtime.scale_talk import text_of


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale_plain, "ASKED", 6)
    monkeypatch.setattr(scale_plain, "ADDED", 5)


@pytest.mark.parametrize("pairs", [1, 3])
def test_it_stores_opens_asks_and_adds(tmp_path: Path, pairs: int) -> None:
    scale = Scale(messages=120, pairs=pairs)

    spent = Plain().fill(tmp_path, scale)
    figures = Plain().measure(tmp_path, scale, spent)

    assert min(figures.add_cpu, figures.add_p50, figures.first_s, figures.recall_p50, figures.disk_mb) > 0
    assert (figures.cold_p50 is None) is (pairs == 1)
    with sqlite3.connect(tmp_path / "plain.db") as connection:
        assert connection.execute("SELECT count(*) FROM message").fetchone() == (125,)


def test_it_finds_what_was_said_by_words_and_by_vector(tmp_path: Path) -> None:
    Plain().fill(tmp_path, Scale(messages=200))
    connection = scale_plain._connect(tmp_path)
    held = scale_plain._Held(connection)

    assert [held.recall(0, text_of(number))[0] for number in (3, 57, 199)] == [text_of(3), text_of(57), text_of(199)]
    connection.close()
