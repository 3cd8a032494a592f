"""Memory that was freed goes back to the system, where glibc keeps it for later: mallopt(3), malloc_trim(3).

A thread that allocates gets an arena of its own, and what is freed in between stays there. With a dozen threads that build
lists and drop them again, the process grows for hours although its objects do not.
"""

import ctypes
import sys

_ARENA_MAX = -8
_ARENAS = 2


def share_arenas() -> None:
    """Let all threads share two arenas. To be called before there are any; elsewhere than on glibc it does nothing."""
    if mallopt := _of_the_library("mallopt"):
        mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Return whole pages that nobody uses. Takes some milliseconds, in which other threads wait to allocate."""
    if trim := _of_the_library("malloc_trim"):
        trim(0)


def _of_the_library(name: str) -> "ctypes._NamedFuncPointer | None":  # pyright: ignore[reportPrivateUsage]
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
