"""The store on SQLite or PostgreSQL: the only part that writes what must be kept."""

from echovessel.adapters.store.opening import open_store

__all__ = ["open_store"]
