"""The recall index: one pair's whole timeline in memory, as arrays."""

from echovessel.adapters.index.pair_index import NumpyPairIndex
from echovessel.adapters.index.weights import load_weights

__all__ = ["NumpyPairIndex", "load_weights"]
