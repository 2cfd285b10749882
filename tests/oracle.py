"""The rules written once more in another way: an independent truth to hold the package against.

Written from the words of docs/rules.md alone. A table is read from a position text, the pieces on
it are pushed about step by step, and it is written back as text; nothing comes from the package.
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations

OFFICIAL = "3.5.7.9.11.13.11.9.7.5.3"


@dataclass
class Table:
    """A board with its pieces. Seats are counted from 1, as in the text."""

    rules: str
    settings: dict[str, str]
    tops: dict[int, int]
    tokens: dict[int, dict[int, int]]
    seat: int
    contest: dict[int, int | None] | None  # M4: who throws for the start, and what was thrown
    runners: dict[int, int]
    dice: list[int]

    @property
    def opponents(self) -> list[dict[int, int]]:
        return [tokens for seat, tokens in self.tokens.items() if seat != self.seat]

    @property
    def supply(self) -> int:
        """The runners of a turn (M2)."""
        return int(self.settings.get("runners", 3))


def read(text: str) -> Table:
    rules, tokens, seat, runners, dice = text.split(" ")
    settings = {key: value or "yes" for key, _, value in map(_at_equals, rules.split(","))}
    lengths = settings.get("lengths", OFFICIAL).split(".")
    contest = None
    if seat.startswith("start:"):
        throws = [part.split("=") for part in seat.removeprefix("start:").split(",")]
        contest = {int(who): int(total[0]) if total else None for who, *total in throws}
        seat = str(next(who for who, total in contest.items() if total is None))
    return Table(
        rules,
        settings,
        tops={column: int(length) for column, length in enumerate(lengths, 2)},
        tokens={who: _spaces(spaces) for who, spaces in enumerate(tokens.split("/"), 1)},
        seat=int(seat),
        contest=contest,
        runners=_spaces(runners),
        dice=[]
        if dice == "-"
        else [int(die) for die in (dice.split("-") if "-" in dice else dice)],
    )


def _at_equals(text: str) -> tuple[str, str, str]:
    return text.partition("=")


def _spaces(text: str) -> dict[int, int]:
    pairs = [] if text == "-" else [part.split(":") for part in text.split(",")]
    return {int(column): int(space) for column, space in pairs}


def write(table: Table) -> str:
    if table.contest is None:
        seat = str(table.seat)
    else:
        throws = [f"{who}={total}" if total else f"{who}" for who, total in table.contest.items()]
        seat = "start:" + ",".join(throws)
    glue = "-" if len(table.tops) > 17 else ""  # 17 columns are those of nine-sided dice
    tokens = "/".join(_spaces_text(spaces) for spaces in table.tokens.values())
    dice = glue.join(map(str, table.dice)) or "-"
    return f"{table.rules} {tokens} {seat} {_spaces_text(table.runners)} {dice}"


def _spaces_text(spaces: dict[int, int]) -> str:
    return ",".join(f"{column}:{spaces[column]}" for column in sorted(spaces)) or "-"


@cache
def ordered_sums(dice: tuple[int, ...]) -> frozenset[tuple[int, int]]:
    """T1: every way to lay the dice into a first and a second pair."""
    return frozenset((a + b, c + d) for a, b, c, d in permutations(dice))


def is_won(table: Table, column: int) -> bool:
    """W2: whose token is on the top has the column."""
    return any(spaces.get(column) == table.tops[column] for spaces in table.tokens.values())


def can_use(table: Table, runners: dict[int, int], column: int) -> bool:
    """T2."""
    if is_won(table, column):
        return False
    if column in runners:
        return runners[column] < table.tops[column]
    return len(runners) < table.supply


def space_above(table: Table, runners: dict[int, int], column: int) -> int:
    """T3, and V4: a space with an opponent's token is not counted."""
    own = table.tokens[table.seat].get(column, 0)
    space = runners.get(column, own) + 1
    if table.settings.get("sharing") == "leapfrog":
        while any(spaces.get(column) == space for spaces in table.opponents):
            space += 1
    return space


def options(table: Table, dice: tuple[int, ...]) -> dict[str, dict[int, int]]:
    """What the dice allow: each move with the runners it leads to.

    The pairs are played one after the other, in both orders, each if it can be: so two usable
    sums are both played (T4), the last runner goes to either (T5), equal sums step twice (T6).
    """
    found: dict[str, dict[int, int]] = {}
    for sums in ordered_sums(dice):
        runners, played = dict(table.runners), []
        for column in sums:
            if can_use(table, runners, column):
                runners[column] = space_above(table, runners, column)
                played.append(column)
        if played:
            found["+".join(map(str, sorted(played)))] = runners
    if "early" in table.settings and found:  # V2
        most = max(map(len, found.values()))
        found = {move: runners for move, runners in found.items() if len(runners) == most}
    return found


def may_stop(table: Table) -> bool:
    """T8 and V3."""
    if table.dice or not table.runners:
        return False
    return table.settings.get("sharing") != "no-rest" or not any(
        spaces.get(column) == space
        for column, space in table.runners.items()
        for spaces in table.opponents
    )


def result(table: Table) -> str:
    """W4 and W5: the line that closes a record."""
    won = {
        seat: sum(space == table.tops[column] for column, space in spaces.items())
        for seat, spaces in table.tokens.items()
    }
    most = max(won.values())
    if most < int(table.settings.get("win", 3)) and sum(won.values()) < len(table.tops):
        return "*"
    winners = [str(seat) for seat in won if won[seat] == most]
    return " ".join(["won" if len(winners) == 1 else "shared", *winners])


def roll(table: Table, dice: tuple[int, ...]) -> None:
    """T1, or in the contest for the start M4."""
    if table.contest is None:
        table.dice = sorted(dice)
        return
    table.contest[table.seat] = sum(dice)
    waiting = [seat for seat, total in table.contest.items() if total is None]
    if not waiting:
        best = max(total for total in table.contest.values() if total is not None)
        waiting = [seat for seat, total in table.contest.items() if total == best]
        table.contest = dict.fromkeys(waiting) if len(waiting) > 1 else None
    table.seat = waiting[0]


def move(table: Table, text: str) -> None:
    table.runners = options(table, tuple(table.dice))[text]
    table.dice = []


def stop(table: Table) -> None:
    """T9 and W2."""
    for column, space in table.runners.items():
        table.tokens[table.seat][column] = space
        if space == table.tops[column]:
            for spaces in table.opponents:
                spaces.pop(column, None)
    end_turn(table)


def end_turn(table: Table) -> None:
    """T7: all that a bust does."""
    table.runners, table.dice = {}, []
    if result(table) == "*":
        table.seat = table.seat % len(table.tokens) + 1
