"""The store on SQLite or PostgreSQL: the only part that writes what must be kept."""

from echovessel.adapters.store.opening import is_older, open_store

__all__ = ["is_older", "open_store"]
