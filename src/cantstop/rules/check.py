"""Whether a position can occur at all: for positions that come from outside."""

from cantstop.rules.errors import ImpossiblePosition
from cantstop.rules.position import Position
from cantstop.rules.settings import Sharing, Start
from cantstop.rules.start import RollOff
from cantstop.rules.tokens import NOBODY


def check(position: Position) -> None:
    """Raise ``ImpossiblePosition`` with the reason if no game can reach a position."""
    _check_tokens(position)
    _check_end(position)
    _check_runners(position)
    if position.roll_off is not None:
        _check_roll_off(position, position.roll_off)


def _check_tokens(position: Position) -> None:
    tokens, board = position.tokens, position.rules.board
    for column in board.columns:
        for seat, spaces in enumerate(tokens.spaces):
            if not 0 <= spaces[column] <= board.top(column):
                raise ImpossiblePosition(
                    "Seat {seat}'s token cannot be on space {space} of column {column}, "
                    "which has {top}.",
                    seat=seat + 1,
                    space=spaces[column],
                    column=column,
                    top=board.top(column),
                )
        standing = [spaces[column] for spaces in tokens.spaces if spaces[column]]
        if tokens.owners[column] != NOBODY and len(standing) > 1:
            raise ImpossiblePosition(
                "Column {column} is won, so nobody else can have a token there.", column=column
            )
        if position.rules.sharing is not Sharing.FREE and len(standing) > len(set(standing)):
            raise ImpossiblePosition(
                "Two tokens share a space of column {column}, which V3 and V4 rule out.",
                column=column,
            )


def _check_end(position: Position) -> None:
    outcome, counts = position.outcome, position.tokens.counts
    win = position.rules.columns_to_win
    for seat, count in enumerate(counts):
        if count >= win + position.rules.board.runners:
            raise ImpossiblePosition(
                "Seat {seat} cannot have won {count} columns: the game ends at {win}.",
                seat=seat + 1,
                count=count,
                win=win,
            )
    if sum(count >= win for count in counts) > 1:
        raise ImpossiblePosition("Two seats cannot both have won the game.")
    if outcome is None:
        return
    if any(position.runners) or position.dice or position.roll_off:
        raise ImpossiblePosition("The game is over: there can be no runners or dice.")
    # the game ends with a stop that wins a column, and the seat stays with the one who stopped
    last = position.seat
    if counts[last] == 0 or (max(counts) >= win and counts[last] < win):
        raise ImpossiblePosition(
            "The game is over, but seat {seat} cannot have made the last stop.", seat=last + 1
        )


def _check_runners(position: Position) -> None:
    board, tokens = position.rules.board, position.tokens
    count = sum(map(bool, position.runners))
    if count > board.runners:
        raise ImpossiblePosition(
            "There are {count} runners, but a turn has {runners}.",
            count=count,
            runners=board.runners,
        )
    for column in board.columns:
        space = position.runners[column]
        if not space:
            continue
        if tokens.owners[column] != NOBODY:
            raise ImpossiblePosition(
                "Column {column} is won: no runner can be there.", column=column
            )
        if not tokens.spaces[position.seat][column] < space <= board.top(column):
            raise ImpossiblePosition(
                "The runner of column {column} cannot be on space {space}: it has to be above the "
                "player's token and not above the top.",
                column=column,
                space=space,
            )
        if position.rules.sharing is Sharing.LEAPFROG and tokens.opponent_on(
            position.seat, column, space
        ):
            raise ImpossiblePosition(
                "The runner of column {column} stands on an opponent's token, which V4 rules out.",
                column=column,
            )


def _check_roll_off(position: Position, roll_off: RollOff) -> None:
    board, rules = position.rules.board, position.rules
    untouched = not any(map(any, position.tokens.spaces)) and not any(position.runners)
    if rules.start is not Start.ROLL_OFF or not untouched or position.dice:
        raise ImpossiblePosition("A roll-off for the start cannot be going on here.")
    if not all(2 <= thrown <= 2 * board.sides for thrown in roll_off.sums):
        raise ImpossiblePosition(
            "Two dice make 2 to {most}, so the roll-off cannot show {sums}.",
            most=2 * board.sides,
            sums=", ".join(map(str, roll_off.sums)),
        )
