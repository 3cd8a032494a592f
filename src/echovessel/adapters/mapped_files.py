"""Files that are mapped for reading, such as an embedder's weights: their pages need not stay in the process (madvise(2)).

Each word that was not met before maps another piece of the weights, sixteen pages at once, and none ever leaves: the process
grows for hours. What is let go stays in the system's cache and is mapped again when it is read, a millisecond for all of it.
"""

import ctypes
import sys
from collections import defaultdict
from pathlib import Path

_DONTNEED = 4
_MAPS = Path("/proc/self/maps")


def let_go() -> None:
    """Unmap the pages of all files of which nothing is mapped but to be read; elsewhere than on Linux it does nothing.

    A library is never such a file: some of it can be run, and what was changed in it before it was closed to writing would be
    lost.
    """
    if sys.platform != "linux":
        return
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for begins, ends in _only_read(_MAPS.read_text(encoding="utf-8", errors="surrogateescape")):
        madvise(begins, ends - begins, _DONTNEED)


def _only_read(maps: str) -> list[tuple[int, int]]:
    """The address ranges of such files. Format: proc_pid_maps(5)."""
    ranges: dict[str, list[tuple[int, int]]] = defaultdict(list)
    rights: dict[str, set[str]] = defaultdict(set)
    for line in maps.splitlines():
        addresses, allowed, _, _, _, *path = line.split(maxsplit=5)
        if path and path[0].startswith("/"):
            begins, _, ends = addresses.partition("-")
            ranges[path[0]].append((int(begins, 16), int(ends, 16)))
            rights[path[0]].add(allowed[:3])
    return [mapped for path, all_of_it in ranges.items() if rights[path] == {"r--"} for mapped in all_of_it]
