from pathlib import Path

import pytest

from echovessel.runtime import scale_ours
from echovessel.runtime.scale_figures import Scale
from echovessel.runtime.scale_ours import Ours


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale_ours, "ASKED", 6)
    monkeypatch.setattr(scale_ours, "ADDED", 5)
    monkeypatch.setattr(scale_ours, "open_shipped", lambda _: None)


@pytest.mark.parametrize("pairs", [1, 3])
def test_it_stores_opens_asks_and_adds(tmp_path: Path, pairs: int) -> None:
    scale = Scale(messages=120, pairs=pairs)

    spent = Ours().fill(tmp_path, scale)
    figures = Ours().measure(tmp_path, scale, spent)

    assert figures.import_cpu == spent > 0
    assert min(figures.add_cpu, figures.add_p50, figures.first_s, figures.recall_p50, figures.disk_mb) > 0
    assert figures.recall_p95 >= figures.recall_p50
    assert (figures.cold_p50 is None) is (pairs == 1)
