"""The home: one folder that holds everything, owned by one process at a time."""

from echovessel.adapters.home.folder import (
    Home,
    find_home,
    held_token,
    open_home,
    open_to_others,
    sync_file,
    sync_folder,
    write_private,
)
from echovessel.adapters.home.lock import Daemon, HomeInUse, HomeLock

__all__ = [
    "Daemon",
    "Home",
    "HomeInUse",
    "HomeLock",
    "find_home",
    "held_token",
    "open_home",
    "open_to_others",
    "sync_file",
    "sync_folder",
    "write_private",
]
