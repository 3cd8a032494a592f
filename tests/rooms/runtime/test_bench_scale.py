"""The bench's shape; what it measures is tested beside the contenders."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.bench_scale import Row, measure, scales, table
from echovessel.runtime.scale_figures import Figures, Scale


def figures(import_cpu: float, cold: float | None = None) -> Figures:
    return Figures(
        import_cpu=import_cpu,
        add_cpu=0.5,
        add_p50=1,
        add_p95=2,
        first_s=0.25,
        first_cpu_s=0.125,
        cold_p50=cold,
        recall_p50=3,
        recall_p95=4,
        peak_mb=123.4,
        disk_mb=56.7,
    )


@dataclass(frozen=True)
class Counting:
    """Leaves a file behind while it is measured."""

    name: str = "counting"

    def fill(self, folder: Path, scale: Scale) -> float:
        (folder / "filled").write_text(str(scale.messages))
        return 0.125

    def measure(self, folder: Path, scale: Scale, import_cpu: float) -> Figures:
        assert (folder / "filled").read_text() == str(scale.messages)
        return figures(import_cpu)


def test_each_contender_is_filled_and_measured_in_a_folder_that_then_goes() -> None:
    [row] = measure(Scale(messages=100), [Counting()])

    assert (row.contender, row.messages, row.figures.import_cpu) == ("counting", 100, 0.125)


def test_sizes_are_read_and_a_million_is_said_by_many_pairs() -> None:
    assert scales("1k, 10K,500,1m") == [
        Scale(messages=1000),
        Scale(messages=10_000),
        Scale(messages=500),
        Scale(messages=1_000_000, pairs=500),
    ]


@pytest.mark.parametrize("sizes", ["", "ten", "1k,,2k", "99", "11m", "-1k", "1.5k"])
def test_what_is_no_size_is_refused(sizes: str) -> None:
    with pytest.raises(BadInput):
        scales(sizes)


def test_the_table_says_that_it_is_synthetic_and_leaves_out_what_is_not_known() -> None:
    lines = list(table([Row(1000, 1, "one", figures(0.2)), Row(1_000_000, 500, "two", figures(0.3, cold=70))]))

    assert "synthetic" in lines[0]
    assert lines[-2] == "| 1,000 | one | 0.20 | 0.50 | 1.00 | 2.00 | 0.25 | 0.12 | – | 3.00 | 4.00 | 123 | 57 |"
    assert lines[-1].startswith("| 1,000,000 of 500 pairs | two | 0.30 |")
    assert "| 70.00 |" in lines[-1]
    assert len({line.count("|") for line in lines[3:]}) == 1
