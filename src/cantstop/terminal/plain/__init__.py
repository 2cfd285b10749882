"""The game in lines of text: for screen readers, pipes and simple terminals."""

from cantstop.terminal.plain.session import Quit, Session

__all__ = ["Quit", "Session"]
