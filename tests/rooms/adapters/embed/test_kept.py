"""What was measured of an embedder lies in the home, for its owner alone, and a spoilt file is no obstacle."""

from pathlib import Path

import numpy as np
import pytest

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.kept import Kept, KeptCalibration
from echovessel.adapters.embed.manner import Manner
from echovessel.core.errors import EmbedderDown
from echovessel.core.language import Language

MANNER = Manner(np.eye(3, dtype=np.float32), np.eye(2, 3, dtype=np.float32))
MEASURED = Kept(Calibration({Language.ZH: np.ones(3, np.float32)}, 0.0, 0.4, MANNER), 2)


def test_what_is_kept_is_found_again_under_the_same_name_only(tmp_path: Path) -> None:
    KeptCalibration(tmp_path / "embedders", "bge-m3").save(MEASURED)

    found = KeptCalibration(tmp_path / "embedders", "bge-m3").load()

    assert found is not None
    assert (found.round, found.calibration.dimension, found.calibration.hi) == (2, 3, 0.4)
    assert len(found.calibration.manner.ours) == 3
    assert KeptCalibration(tmp_path / "embedders", "bge-m4").load() is None
    [file] = (tmp_path / "embedders").iterdir()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("spoilt", [b"", b"PK", b"\x93NUMPY", b"half of an archive" * 50])
def test_a_spoilt_file_is_as_good_as_none(tmp_path: Path, spoilt: bytes) -> None:
    kept = KeptCalibration(tmp_path, "bge-m3")
    kept.save(MEASURED)
    next(tmp_path.iterdir()).write_bytes(spoilt)

    assert kept.load() is None


def test_a_disk_that_does_not_let_us_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "embedders").write_text("a file where the folder should be")

    with pytest.raises(EmbedderDown, match="could not be kept"):
        KeptCalibration(tmp_path / "embedders", "bge-m3").save(MEASURED)
