"""The file of the ranker's weights."""

import tomllib
from pathlib import Path

from echovessel.memory.scoring import Factor, Weights

FILE = Path(__file__).parent / "weights.toml"


def load_weights(file: Path = FILE) -> Weights:
    """Read a file of weights. Raises OSError, or ValueError when it is not TOML, or does not name each factor once."""
    found: dict[str, float] = tomllib.loads(file.read_text(encoding="utf-8")).get("weights", {})
    if found.keys() != set(Factor):
        raise ValueError(
            f"{file.name} must name each factor and nothing else: {', '.join(sorted(found.keys() ^ set(Factor)))}"
        )
    return {name: float(found[name]) for name in Factor}
