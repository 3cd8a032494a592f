from pathlib import Path

import numpy as np

from echovessel.runtime.scale_figures import Scale, disk_mb, peak_mb, percentile


def test_a_percentile_is_one_of_the_times_in_milliseconds() -> None:
    times = [0.003, 0.001, 0.002, 0.004]

    assert percentile(times, 0.5) == 2
    assert percentile(times, 0.95) == 3
    assert percentile([0.007], 0.95) == 7


def test_the_peak_of_memory_never_falls() -> None:
    before = peak_mb()
    held = np.ones(8_000_000)
    with_it = peak_mb()
    size = held.nbytes / 1e6
    del held

    assert 10 < before < with_it
    assert peak_mb() > 0.98 * with_it > size


def test_the_size_of_a_folder_is_that_of_all_files_in_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a").write_bytes(b"x" * 1_500_000)
    (tmp_path / "b").write_bytes(b"x" * 500_000)

    assert disk_mb(tmp_path) == 2


def test_a_scale_tells_how_many_said_it() -> None:
    assert str(Scale(messages=10_000)) == "10,000"
    assert str(Scale(messages=1_000_000, pairs=500)) == "1,000,000 of 500 pairs"
    assert Scale(messages=1_000_000, pairs=500).each == 2000
