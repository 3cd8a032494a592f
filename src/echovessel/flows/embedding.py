"""Give every text its vector, soon after its turn is over; what a crash left without one is found by asking the store."""

from itertools import groupby

import numpy as np

from echovessel.core.errors import EmbedderDown
from echovessel.core.ids import TextId
from echovessel.flows.deps import Deps
from echovessel.ports.changes import Change, ForgetVectors, PutVectors
from echovessel.ports.embedder import Embedder, Kind, Vectors
from echovessel.ports.records import Unembedded

BATCH = 8
"""Texts embedded in one go: short, so that a live query never waits long behind one."""
SLICE = 64
"""Texts whose vectors are written in one transaction."""
PROBE = "早 good morning"
"""What every embedder can take that is not down."""


async def embed_some(embedder: Embedder, deps: Deps) -> int:
    """Embed up to SLICE texts that have no vector yet; returns how many. Raises EmbedderDown."""
    waiting = await deps.store.unembedded(embedder.name, SLICE)
    if not waiting:
        return 0
    changes: list[Change] = []
    for (user_id, persona_id), rows in groupby(waiting, lambda r: (r.user_id, r.persona_id)):
        changes.append(
            PutVectors(
                user_id=user_id,
                persona_id=persona_id,
                embedder=embedder.name,
                vectors=tuple(await _vectors(list(rows), embedder)),
            )
        )
    await deps.store.apply(changes)
    return len(waiting)


async def forget_others(embedder: Embedder, deps: Deps) -> None:
    """Remove the vectors of embedders no longer in use; to be called once every text has this one's."""
    if set(await deps.store.embedders()) <= {embedder.name}:
        return
    forget = ForgetVectors(keep=embedder.name)
    while (await deps.store.apply([forget])).outcomes[0].fresh:
        pass


async def _vectors(rows: list[Unembedded], embedder: Embedder) -> list[tuple[TextId, bytes]]:
    vectors: list[tuple[TextId, bytes]] = []
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        raw = await _embed([r.text for r in batch], embedder)
        vectors.extend((row.text_id, raw[i].tobytes()) for i, row in enumerate(batch))
    return vectors


async def _embed(texts: list[str], embedder: Embedder) -> Vectors:
    """A vector for each text; zeros for one that the embedder cannot take, which is then found by its words alone.

    Raises EmbedderDown when it is not the text that is at fault.
    """
    try:
        return await embedder.embed(texts, Kind.PASSAGE)
    except EmbedderDown:
        await embedder.embed([PROBE], Kind.PASSAGE)
        if len(texts) == 1:
            return np.zeros((1, embedder.dimension), np.float32)
        return np.concatenate([await _embed([text], embedder) for text in texts])
