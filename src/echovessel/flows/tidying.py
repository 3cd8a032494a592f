"""Nothing grows for ever but what was said: old traces, work that is done and old entries of the feeds go."""

from datetime import timedelta

from echovessel.flows.deps import Deps
from echovessel.ports.changes import Tidy

TRACES_LAST = timedelta(days=90)
"""How long it can be looked up why a turn said what it said."""
JOBS_LAST = timedelta(days=7)
CHANGES_KEPT = 50_000
"""Of each user's feed, about eight thousand turns: whoever was away for longer loads anew."""


async def tidy(deps: Deps) -> None:
    """Remove it bit by bit, so that nobody who writes waits long."""
    now = deps.clock.now()
    old = Tidy(traces_before=now - TRACES_LAST, jobs_before=now - JOBS_LAST, changes_kept=CHANGES_KEPT)
    while (await deps.store.apply([old])).outcomes[0].fresh:
        pass
