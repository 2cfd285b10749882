"""``cantstop join``, ``watch`` and ``open``: a table on a server, from this terminal."""

from typing import TYPE_CHECKING, Annotated

from cantstop.cli.options import (
    AllRules,
    Ascii,
    ColumnsToWin,
    EditionName,
    Lang,
    Plain,
    Players,
    Seats,
    ThemeName,
    Variants,
    Youngest,
    new_game_options,
    rules_options,
)
from cantstop.cli.parser import Argument, Option
from cantstop.cli.screen import Screen
from cantstop.terminal.new_game import default_name
from cantstop.terminal.plain import play_lines
from cantstop.terminal.tui import Theme, play_online

if TYPE_CHECKING:
    from cantstop.client import SeatSecrets

TableAddress = Annotated[
    str, Argument(metavar="LINK", help="The link of the table, as whoever opened it sent it.")
]


def join(
    link: TableAddress,
    name: Annotated[str | None, Option(metavar="NAME", help="Your name at the table.")] = None,
    plain: Plain = False,
    theme: ThemeName = Theme.DARK,
    ascii: Ascii = False,  # noqa: A002
    lang: Lang = None,
) -> None:
    """Sit down at a table on a server.

    The same command takes the same seat again, later or after a crash.

    Example: cantstop join http://localhost:8000/t/k7Qm --name Anne
    """
    screen = Screen.of(lang, theme, plain=plain, ascii=ascii)
    raise SystemExit(_enter(screen, link, name or default_name(screen.console.words, 1)))


def watch(
    link: TableAddress,
    plain: Plain = False,
    theme: ThemeName = Theme.DARK,
    ascii: Ascii = False,  # noqa: A002
    lang: Lang = None,
) -> None:
    """Watch a table on a server, without a seat.

    Example: cantstop watch http://localhost:8000/t/k7Qm
    """
    raise SystemExit(_enter(Screen.of(lang, theme, plain=plain, ascii=ascii), link, None))


def open_(
    server: Annotated[str, Argument(metavar="SERVER", help="The address of the server.")],
    seat: Seats = None,
    players: Players = None,
    edition: EditionName = None,
    win: ColumnsToWin = None,
    variant: Variants = None,
    rules: AllRules = None,
    youngest: Youngest = None,
    clock: Annotated[
        int | None, Option(metavar="SECONDS", least=1, help="The time for each decision.")
    ] = None,
    days: Annotated[
        int | None,
        Option(metavar="DAYS", least=1, most=7, help="Days for each turn, at a slow table."),
    ] = None,
    plain: Plain = False,
    theme: ThemeName = Theme.DARK,
    ascii: Ascii = False,  # noqa: A002
    lang: Lang = None,
) -> None:
    """Open a table on a server, and sit down at it.

    The first seat is yours; --seat open is for whoever follows the printed link.

    Example: cantstop open localhost:8000 --seat Anne --seat open --seat bot:fox
    """
    from cantstop.terminal.open_table import open_from

    screen = Screen.of(lang, theme, plain=plain, ascii=ascii)
    console = screen.console
    asked = rules_options(rules, edition, win, variant)
    options = new_game_options(seat, players, asked, youngest)
    address = str(open_from(server, options, console.words, _secrets(screen), clock, days))
    console.print(console.words.say("The table is open. Whoever has this link can sit down:"))
    console.write(f"  {address}")
    name = options.seats[0].name if options.seats else default_name(console.words, 1)
    raise SystemExit(_enter(screen, address, name))


def _enter(screen: Screen, address: str, name: str | None) -> int:
    """Play at a table under a name, or watch it without one; returns the exit code."""
    # the other commands do without the client's dependency
    from cantstop.client import Pace
    from cantstop.terminal.online import join_table

    console = screen.console
    # lines of text need no time to be looked at
    pace = Pace.NORMAL if screen.tui else Pace.AT_ONCE
    controller = join_table(address, name, console.words.language, _secrets(screen), pace)
    if screen.tui:
        return play_online(console.words, screen.app_options(), controller)
    return play_lines(controller, console, screen.draw)


def _secrets(screen: Screen) -> "SeatSecrets":
    """The secrets of the seats that were taken from here, in the user's data folder."""
    from cantstop.client import SeatSecrets

    return SeatSecrets(screen.app_options().folder.parent / "seats")
