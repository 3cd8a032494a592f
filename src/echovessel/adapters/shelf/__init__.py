"""The personas that ship with the program."""

from echovessel.adapters.shelf.built_in import BuiltInShelf

__all__ = ["BuiltInShelf"]
