"""The calibration of an embedder of one's own, as a file in the home."""

from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.home.folder import FOLDER_MODE, write_private
from echovessel.core.errors import EmbedderDown


@dataclass(frozen=True, slots=True)
class Kept:
    """A calibration, and how often this embedder was measured."""

    calibration: Calibration
    round: int


class KeptCalibration:
    """One file for each embedder that was ever measured in this home, so that going back to one costs nothing."""

    def __init__(self, folder: Path, name: str) -> None:
        self._file = folder / f"{sha256(name.encode()).hexdigest()[:16]}.npz"

    def load(self) -> Kept | None:
        """What was measured last; None when nothing was, or the file cannot be used: then it is measured again."""
        try:
            with np.load(self._file, allow_pickle=False) as kept:
                return Kept(Calibration.of(kept), int(kept["round"]))
        except (OSError, EOFError, KeyError, ValueError, BadZipFile):
            return None

    def save(self, kept: Kept) -> None:
        """Replace the file. Raises EmbedderDown when the disk does not let us."""
        calibration, held = kept.calibration, BytesIO()
        np.savez(held, allow_pickle=False, round=np.array(kept.round), **calibration.arrays())
        try:
            self._file.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
            write_private(self._file, held.getvalue())
        except OSError as cause:
            raise EmbedderDown(
                f"The calibration of the embedder could not be kept: {cause.strerror or cause}.",
                do="Make room on the disk of the home, and see that you may write there.",
            ) from cause
