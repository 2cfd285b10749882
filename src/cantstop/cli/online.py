"""``cantstop play`` at a table on a server: --join, --watch and --open."""

from collections.abc import Callable
from dataclasses import dataclass

from cantstop.rules import InvalidText
from cantstop.terminal import Console, NewGameOptions, default_name
from cantstop.terminal.plain import play_lines
from cantstop.terminal.tui import AppOptions, play_online

Draw = Callable[..., str]
"""Draws a position; with ``names``, the seats too."""


@dataclass(frozen=True)
class OnlineOptions:
    """Which table on a server is meant, if any: to sit down at, to watch, or to be opened."""

    join: str | None
    watch: str | None
    open: str | None
    clock: int | None

    def __post_init__(self) -> None:
        if sum(given is not None for given in (self.join, self.watch, self.open)) > 1:
            raise InvalidText("Only one of --join, --watch and --open can be given.")
        if self.clock is not None and self.open is None:
            raise InvalidText("--clock goes with --open.")

    @property
    def are_given(self) -> bool:
        """Whether a table on a server is meant at all."""
        return (self.join, self.watch, self.open) != (None, None, None)


def play_at_server(
    console: Console,
    app_options: AppOptions,
    online: OnlineOptions,
    options: NewGameOptions,
    draw: Draw | None,
    *,
    tui: bool,
) -> int:
    """Play at a table on a server, or watch it; returns the exit code."""
    # the other ways to play do without the client's dependency
    from cantstop.client import Pace, SeatSecrets
    from cantstop.terminal.online import join_table
    from cantstop.terminal.open_table import open_from

    words, secrets = console.words, SeatSecrets(app_options.folder.parent / "seats")
    address = online.join or online.watch
    if online.open is not None:
        address = str(open_from(online.open, options, words, secrets, online.clock))
        console.print(words.say("The table is open. Whoever has this link can sit down:"))
        console.write(f"  {address}")
    assert address is not None
    name = options.seats[0].name if options.seats else default_name(words, 1)
    # lines of text need no time to be looked at
    pace = Pace.NORMAL if tui else Pace.AT_ONCE
    sits = online.watch is None
    controller = join_table(address, name if sits else None, words.language, secrets, pace)
    if tui:
        return play_online(words, app_options, controller)
    return play_lines(controller, console, draw)
