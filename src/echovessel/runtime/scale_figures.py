"""What one contender took at one size, and how to measure it."""

import resource
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_MB = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much was said: `messages` by `pairs` pairs, as many by each."""

    messages: int
    pairs: int = 1

    @property
    def each(self) -> int:
        """Messages of one pair."""
        return self.messages // self.pairs

    def __str__(self) -> str:
        return f"{self.messages:,}" + (f" of {self.pairs} pairs" if self.pairs > 1 else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Times in milliseconds, or seconds where it says so; CPU where it says so, else on the wall.

    `import_cpu`: a message when many are stored in one transaction, with its vector. `add`: a message alone, durably, without
    embedding. `first_s`, `first_cpu_s`: from opening to the first answer. `cold`: the first answer of another pair, None with
    one pair. `recall`: an answer of a pair asked before. `peak_mb`: the most memory the process ever had.
    """

    import_cpu: float
    add_cpu: float
    add_p50: float
    add_p95: float
    first_s: float
    first_cpu_s: float
    cold_p50: float | None
    recall_p50: float
    recall_p95: float
    peak_mb: float
    disk_mb: float

    @classmethod
    def of(
        cls,
        folder: Path,
        *,
        import_cpu: float,
        add: tuple[float, Sequence[float]],
        first: tuple[float, float],
        cold: Sequence[float],
        warm: Sequence[float],
    ) -> "Figures":
        """What was timed on the data below `folder`. `add`: CPU of one, and each on the wall; `first`: wall and CPU;
        `cold` and `warm`: each answer."""
        add_cpu, walls = add
        first_s, first_cpu_s = first
        return cls(
            import_cpu=import_cpu,
            add_cpu=add_cpu,
            add_p50=percentile(walls, 0.5),
            add_p95=percentile(walls, 0.95),
            first_s=first_s,
            first_cpu_s=first_cpu_s,
            cold_p50=percentile(cold, 0.5) if cold else None,
            recall_p50=percentile(warm, 0.5),
            recall_p95=percentile(warm, 0.95),
            peak_mb=peak_mb(),
            disk_mb=disk_mb(folder),
        )


class Contender(Protocol):
    """Something that stores messages and finds them again. It is pickled: each step runs in a process of its own, so that
    nothing else is in its memory."""

    @property
    def name(self) -> str:
        """As the table calls it."""
        ...

    def fill(self, folder: Path, scale: Scale) -> float:
        """Store everything below `folder`; the milliseconds of CPU that a message took."""
        ...

    def measure(self, folder: Path, scale: Scale, import_cpu: float) -> Figures:
        """Open what was stored, and measure the rest."""
        ...


def percentile(times: Sequence[float], share: float) -> float:
    """The time that this share of them does not exceed, in milliseconds; `times` in seconds, at least one."""
    return sorted(times)[int(share * (len(times) - 1))] * 1000


def peak_mb() -> float:
    """The most memory this process ever had resident, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # what `getrusage` tells on Linux includes the process that started this one
        lines = status.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")) / _MB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / _MB


def disk_mb(folder: Path) -> float:
    """What the files below a folder take, in MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / _MB
