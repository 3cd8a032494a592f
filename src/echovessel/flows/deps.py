"""What the stories are told with: every port, handed in by wiring."""

from dataclasses import dataclass, field

from echovessel.flows.bell import Bells
from echovessel.flows.live import LiveReplies
from echovessel.flows.recent import RecentVectors
from echovessel.flows.resting import Resting
from echovessel.ports.backups import Backups
from echovessel.ports.clock import Clock, Ids
from echovessel.ports.embedder import Embedder
from echovessel.ports.index import PairIndex
from echovessel.ports.llm import Models
from echovessel.ports.meter import Meter
from echovessel.ports.nearby import Nearby
from echovessel.ports.settings import SettingsSource
from echovessel.ports.store import Store
from echovessel.prompts.catalog import Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Deps:
    """One process's ports. `embedder` is None when the owner switched vectors off."""

    store: Store
    index: PairIndex
    embedder: Embedder | None
    models: Models
    nearby: Nearby
    clock: Clock
    ids: Ids
    settings: SettingsSource
    catalog: Catalog
    live: LiveReplies
    backups: Backups
    bells: Bells
    resting: Resting = field(default_factory=Resting)
    recent: RecentVectors = field(default_factory=RecentVectors)
    meter: Meter = field(default_factory=Meter)
