"""`echovessel bench`; what it measures is tested beside `runtime.bench_recall` and `runtime.bench_scale`."""

from pathlib import Path

import pytest

from tests.rooms.runtime.commands.conftest import Command


@pytest.mark.parametrize("what", ["recall", "tune"])
def test_a_folder_without_a_set_is_told_with_status_2(command: Command, tmp_path: Path, what: str) -> None:
    done = command("bench", what, str(tmp_path))

    assert done.status == 2
    assert "holds no recall data" in done.err
    assert "Traceback" not in done.err


def test_what_is_no_size_is_told_with_status_2(command: Command) -> None:
    done = command("bench", "scale", "--sizes", "huge")

    assert done.status == 2
    assert "huge" in done.err
