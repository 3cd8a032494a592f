"""Ask a pair's memory: read what was said, embed it, let the index name candidates."""

from datetime import UTC

from echovessel.core.errors import EmbedderDown
from echovessel.core.pair import Pair
from echovessel.flows.deps import Deps
from echovessel.memory.carry import carried
from echovessel.memory.question import ask
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.index import Query
from echovessel.ports.recollecting import Recollected, Said


async def recollect(pair: Pair, said: Said, deps: Deps) -> Recollected:
    """Implements `ports.recollecting.Recollect`, once it has its ports."""
    query, lost = await query_of(said, deps)
    return Recollected(await deps.index.candidates(pair, query), lost)


async def query_of(said: Said, deps: Deps) -> tuple[Query, tuple[str, ...]]:
    """What the index is asked, and what was lost on the way."""
    asked = ask(
        said.text,
        user_name=said.user_name,
        persona_name=said.persona_name,
        asked_at=said.at,
        before=carried(said.text, said.before) or "",
    )
    vector, lost = await query_vector(asked.text, deps)
    zone = said.at.tzinfo or UTC
    return Query(asked=asked, vector=vector, zone=zone, exclude=said.exclude, until=said.until), lost


async def query_vector(text: str, deps: Deps) -> tuple[Vectors | None, tuple[str, ...]]:
    """The raw query vector; without an embedder, or with one that is down, None and what was lost by it."""
    if deps.embedder is None:
        return None, ()
    if (known := deps.recent.get(deps.embedder.name, text)) is not None:
        return known, ()
    try:
        [vector] = await deps.embedder.embed([text], Kind.QUERY)
    except EmbedderDown as down:
        return None, (down.code,)
    deps.recent.keep(deps.embedder.name, text, vector)
    return vector, ()
