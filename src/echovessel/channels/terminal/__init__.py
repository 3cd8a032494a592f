"""A talk in the terminal."""

from echovessel.channels.terminal.channel import TerminalChannel, say_once
from echovessel.channels.terminal.screen import Screen
from echovessel.channels.terminal.talk import Desk, Line, Talk

__all__ = ["Desk", "Line", "Screen", "Talk", "TerminalChannel", "say_once"]
