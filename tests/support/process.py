"""How much a process holds right now, as Linux tells it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Holding:
    """Threads, open files and sockets, and memory that is its own, in MB (proc(5): VmRSS without shared file pages)."""

    threads: int
    files: int
    memory_mb: float


def holding(pid: int) -> Holding:
    """What the process `pid` holds."""
    place = Path("/proc") / str(pid)
    told = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
    return Holding(
        threads=int(told["Threads"]),
        files=len(list((place / "fd").iterdir())),
        memory_mb=int(told["RssAnon"].split()[0]) / 1024,
    )
