"""How much a process holds right now."""

from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Holding:
    """Threads, open files and sockets, and memory that is its own, in MB."""

    threads: int
    files: int
    memory_mb: float


def holding(pid: int) -> Holding:
    """What the process `pid` holds."""
    process = psutil.Process(pid)
    with process.oneshot():
        return Holding(process.num_threads(), process.num_fds(), process.memory_full_info().uss / 1e6)
