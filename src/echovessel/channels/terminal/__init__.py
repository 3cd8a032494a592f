"""A talk in the terminal."""

from echovessel.channels.terminal.channel import TerminalChannel, say_once, show_lines
from echovessel.channels.terminal.screen import Screen
from echovessel.channels.terminal.stop_key import StopKey
from echovessel.channels.terminal.words import words

__all__ = ["Screen", "StopKey", "TerminalChannel", "say_once", "show_lines", "words"]
