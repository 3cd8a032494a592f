"""The recall index: one pair's whole timeline in memory, as arrays."""

from echovessel.adapters.index.pair_index import NumpyPairIndex

__all__ = ["NumpyPairIndex"]
