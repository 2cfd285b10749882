"""``cantstop solve``: exact solutions of whole games."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cantstop.cli.options import Device, Json, Lang, echo, print_json, translator
from cantstop.cli.parser import Option
from cantstop.cli.progress import ProgressLine
from cantstop.files import user_cache_folder
from cantstop.language import Translator
from cantstop.rules import Board, InvalidText, Rules, Start
from cantstop.wire.reports import SolutionReport

if TYPE_CHECKING:
    from cantstop.solver import Progress, Solution

_SIDES, _SHORTEST = 6, 3


_DIGITS = {Device.CPU: 12, Device.CUDA: 6}
"""CUDA works in single precision."""


def solve(
    sides: Annotated[int | None, Option(metavar="N", help="Sides of the four dice.")] = None,
    shortest: Annotated[
        int | None,
        Option(metavar="N", help="Spaces of the outermost columns; inward each has 2 more."),
    ] = None,
    lengths: Annotated[
        str | None, Option(metavar="N.N.N", help="The length of every column instead.")
    ] = None,
    columns: Annotated[int | None, Option(metavar="N", help="Columns to win.")] = None,
    players: Annotated[int | None, Option(metavar="N", help="1 or 2 players.")] = None,
    runners: Annotated[int | None, Option(metavar="N", help="Runners of a turn.")] = None,
    rules: Annotated[
        str,
        Option(metavar="RULES", help="Rules as text, such as players=2,sharing=no-rest."),
    ] = "players=1",
    device: Annotated[Device, Option(help="What does the work.")] = Device.CPU,
    table: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Keep the value of every position here; an existing file is read instead.",
        ),
    ] = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Solve a game exactly: expected turns for one player, the chance to win for two.

    If interrupted, the same command resumes the solution.

    Example: cantstop solve --sides 4 --shortest 1 --json
    """
    # NumPy and Numba take a while to load, and the other commands do without
    from cantstop.solver import open_solution, save_solution

    words = translator(lang)
    wanted = _rules(rules, sides, shortest, lengths, columns, players, runners)
    if table is not None and table.exists():
        solution = open_solution(table, wanted)
    else:
        solution = _solved(words, wanted, device)
        if table is not None:
            save_solution(solution, table)
    if json:
        print_json(
            SolutionReport(
                str(wanted),
                device.value,
                solution.value,
                solution.anchors,
                solution.boards,
                round(solution.seconds, 3),
            )
        )
    else:
        _show(words, wanted, solution, _DIGITS[device])


def _solved(words: Translator, rules: Rules, device: Device) -> "Solution":
    from cantstop.solver import solve_game

    with ProgressLine() as line:
        try:
            return solve_game(
                rules,
                device.value,
                _unfinished(rules, device),
                lambda progress: line.show(_progress_text(words, progress)),
            )
        except KeyboardInterrupt:
            line.clear()  # or the next line would begin behind it
            echo(words.say("Interrupted: the same command resumes from here."), err=True)
            raise


def _rules(
    text: str,
    sides: int | None,
    shortest: int | None,
    lengths: str | None,
    columns: int | None,
    players: int | None,
    runners: int | None,
) -> Rules:
    given = Rules.parse(text)
    board = given.board
    if lengths is not None and (sides is not None or shortest is not None):
        raise InvalidText("A board has --lengths, or --sides and --shortest, not both.")
    if lengths is not None:
        board = Rules.parse("lengths=" + lengths.replace(",", ".")).board
    elif sides is not None or shortest is not None:
        board = Board.stepped(
            _SIDES if sides is None else sides, _SHORTEST if shortest is None else shortest
        )
    return replace(
        given,
        players=given.players if players is None else players,
        columns_to_win=given.columns_to_win if columns is None else columns,
        start=Start.FIRST_SEAT,
        board=replace(board, runners=given.board.runners if runners is None else runners),
    )


def _unfinished(rules: Rules, device: Device) -> Path:
    """The file that keeps this solution if it is interrupted."""
    name = sha256(f"{rules} {device.value}".encode()).hexdigest()[:16]
    return user_cache_folder() / "unfinished" / name


def _progress_text(words: Translator, progress: "Progress") -> str:
    left = progress.left
    return words.say(
        "Level {level} of {levels}, {percent}% of the work done, {minutes} min left",
        level=progress.level + 1,
        levels=progress.levels,
        percent=f"{100 * progress.share:.0f}",
        minutes="?" if left is None else f"{left / 60:.1f}",
    )


def _show(words: Translator, rules: Rules, solution: "Solution", digits: int) -> None:
    value = f"{solution.value:.{digits}f}"
    echo(str(rules))
    if rules.players == 1:
        echo(words.say("Expected turns: {value}", value=value))
    else:
        echo(words.say("The first player wins with probability {value}", value=value))
    echo(
        words.say(
            "{anchors} positions at the start of a turn, {boards} with those that end the game",
            anchors=f"{solution.anchors:,}",
            boards=f"{solution.boards:,}",
        )
    )
    echo(words.say("Solved in {seconds} s", seconds=f"{solution.seconds:.1f}"))
