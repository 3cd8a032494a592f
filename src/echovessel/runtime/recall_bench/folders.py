"""Which sets a folder holds: our own talks (two halves), or sets in the common form."""

from collections.abc import Iterator
from pathlib import Path

from echovessel.core.errors import BadInput
from echovessel.runtime.recall_bench import common_form
from echovessel.runtime.recall_bench.data import RecallSet
from echovessel.runtime.recall_bench.own_set import read_own
from echovessel.runtime.recall_bench.talks import SPLITS, TALKS, talk_names

OWN = Path(__file__).parents[4] / "bench" / "data"
"""Our own set, which a clone has and an installed package has not."""


def own_folder() -> Path:
    """Our own set. BadInput where it is not at hand."""
    if not talk_names(OWN):
        raise BadInput(
            "Our own talks are in the source, not in the installed package.",
            field="folder",
            do="Name a folder of recall data, or run this in a clone.",
        )
    return OWN


def sets(folder: Path, only: str | None = None) -> Iterator[RecallSet]:
    """The sets of a folder, or the `only` one of that name. BadInput when there is none."""
    known = _names(folder)
    if not known:
        raise BadInput(
            f"{folder} holds no recall data.",
            field="folder",
            do=f"It must hold NAME{common_form.CONVERSATIONS} and NAME{common_form.QUESTIONS}, or {TALKS}/NAME.txt.",
        )
    if only is not None and only not in known:
        raise BadInput(f"{folder} has no set called {only}.", field="set", do=f"Name one of: {', '.join(known)}.")
    for name in known if only is None else [only]:
        own = name in SPLITS and talk_names(folder)
        data = read_own(folder, name) if own else common_form.read(folder, name)
        if data.conversations or only is not None:
            yield data


def _names(folder: Path) -> list[str]:
    return [*(SPLITS if talk_names(folder) else ()), *common_form.names(folder)]
