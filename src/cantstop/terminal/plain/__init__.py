"""The game in lines of text: for screen readers, pipes and simple terminals."""

from typing import TYPE_CHECKING

from cantstop.terminal.plain.session import Quit, Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from cantstop.terminal.console import Console
    from cantstop.terminal.online import OnlineController

__all__ = ["Quit", "Session", "play_lines"]


def play_lines(
    controller: "OnlineController",
    console: "Console",
    draw: "Callable[..., str] | None" = None,
) -> int:
    """Play at a table on a server in lines of text, or watch it; returns the exit code."""
    from cantstop.terminal.plain.online import play_online  # it needs the client's dependency

    return play_online(controller, console, draw)
