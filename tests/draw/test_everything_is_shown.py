"""Whatever stands on the board is found again in its pictures, read without the drawing code."""

import random
from collections.abc import Iterator
from itertools import islice, product
from xml.etree import ElementTree

import pytest

from cantstop.draw import RUNNER_MARK, SEAT_MARKS, board_svg, board_text
from cantstop.rules import NOBODY, Board, Phase, Position, Rules, Sharing, Start, Tokens

Pieces = set[tuple[str, int, int]]
"""What stands where: a seat's or the runner's symbol, the column and the space."""

CROWDED = [
    # four tokens on one space, three and a runner on another, the same next to a won column
    "v1,players=4 2:3,7:4/6:11,7:4,8:3/5:3,7:4,8:3/5:3,7:4,8:3 1 7:8,8:3,9:1 1236",
    # three runners on tops
    "v1,players=2 7:12/7:12 1 2:3,7:13,12:3 -",
    # a finished game with tokens left over
    "v1,players=3 2:3,5:9,7:13,8:3/6:11,8:3/8:3 1 - -",
]


def playout(rules: Rules, seed: int, every: int) -> Iterator[Position]:
    """One position in ``every`` of a game of chance, to its end or 160 events long."""
    return islice(_playout(rules, seed), 0, None, every)


def _playout(rules: Rules, seed: int) -> Iterator[Position]:
    fate = random.Random(seed)
    position = Position.initial(rules)
    yield position
    for _ in range(160):
        match position.phase:
            case Phase.OVER:
                return
            case Phase.MOVE:
                position = position.move(fate.choice(position.legal_moves))
            case Phase.BUST:
                position = position.bust()
            case Phase.CHOICE if position.may_stop and fate.random() < 0.4:
                position = position.stop()
            case _:
                count = position.dice_to_roll
                dice = [fate.randint(1, rules.board.sides) for _ in range(count)]
                position = position.roll(tuple(dice))
        yield position


def standing(position: Position) -> Pieces:
    """What a picture has to show, with won columns apart: their losers' tokens are gone."""
    pieces = {
        (SEAT_MARKS[seat].symbol, column, space)
        for seat, spaces in enumerate(position.tokens.spaces)
        for column, space in enumerate(spaces)
        if space
    }
    runners = enumerate(position.runners)
    return pieces | {(RUNNER_MARK.symbol, column, space) for column, space in runners if space}


def owners(position: Position) -> dict[int, str]:
    found = enumerate(position.tokens.owners)
    return {column: SEAT_MARKS[seat].symbol for column, seat in found if seat != NOBODY}


def read_text(text: str, board: Board) -> tuple[Pieces, dict[int, str]]:
    """The pieces and the won columns of a text board of at most 13 columns."""
    picture, _, _ = text.partition("\n\n")
    lines = [line.ljust(80) for line in picture.splitlines()]
    pieces: Pieces = set()
    won: dict[int, str] = {}
    for column in board.columns:
        left = 6 * (column - 2) + 1
        cells = [line[left : left + 5] for line in lines]
        upper, lower = (row for row, cell in enumerate(cells) if str(column) in cell)
        spaces = cells[upper + 1 : lower][::-1]
        assert len(spaces) == board.top(column)
        for space, cell in enumerate(spaces, 1):
            marks = cell.replace(" ", "").strip("·↑")
            if len(marks) == 5 and len(set(marks)) == 1:
                won[column] = marks[0]
            else:
                pieces |= {(mark, column, space) for mark in marks}
    return pieces | {(mark, column, board.top(column)) for column, mark in won.items()}, won


def read_svg(svg: str) -> tuple[Pieces, dict[int, str]]:
    pieces: Pieces = set()
    won: dict[int, str] = {}
    for found in ElementTree.fromstring(svg).iter():
        kinds = found.get("class", "").split()
        if "token" in kinds:
            mark = SEAT_MARKS[int(found.attrib["data-seat"])].symbol
            pieces.add((mark, *_where(found)))
        elif "runner" in kinds and "data-column" in found.attrib:
            pieces.add((RUNNER_MARK.symbol, *_where(found)))
        elif "data-owner" in found.attrib:
            owner = SEAT_MARKS[int(found.attrib["data-owner"])]
            won[int(found.attrib["data-column"])] = owner.symbol
    return pieces, won


def _where(found: ElementTree.Element) -> tuple[int, int]:
    return int(found.attrib["data-column"]), int(found.attrib["data-space"])


def in_ascii(pieces: Pieces) -> Pieces:
    letters = {mark.symbol: mark.letter for mark in (*SEAT_MARKS, RUNNER_MARK)}
    return {(letters[mark], column, space) for mark, column, space in pieces}


def assert_all_shown(position: Position) -> None:
    expected = standing(position), owners(position)
    assert read_text(board_text(position), position.rules.board) == expected
    assert read_svg(board_svg(position)) == expected


@pytest.mark.parametrize("text", CROWDED)
def test_pieces_that_share_a_space_are_all_shown(text: str) -> None:
    assert_all_shown(Position.parse(text))


def test_even_a_space_with_everybody_and_a_runner_shows_them_all() -> None:
    # no game gets there: a runner is always above its player's token
    everywhere = (0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0)
    assert_all_shown(Position(Tokens(Rules(players=4), (everywhere,) * 4), 0, everywhere))


@pytest.mark.parametrize(("sharing", "players"), list(product(Sharing, (1, 2, 3, 4))))
def test_positions_of_all_kinds_of_games_are_shown_whole(sharing: Sharing, players: int) -> None:
    rules = Rules(players, sharing=sharing, start=Start.ROLL_OFF)
    for position in playout(rules, seed=players, every=3):
        assert_all_shown(position)


@pytest.mark.parametrize(
    "board",
    [
        Board.stepped(sides=2, shortest=1),
        Board.stepped(sides=4, shortest=1, runners=7),
        Board((4, 1, 3, 2, 6)),
        Board.stepped(sides=7, shortest=2),
    ],
)
def test_every_board_is_shown_whole(board: Board) -> None:
    for position in playout(Rules(players=3, board=board), seed=1, every=3):
        assert_all_shown(position)


@pytest.mark.parametrize("sides", [8, 20])
def test_a_board_too_wide_for_the_terminal_continues_below(sides: int) -> None:
    board = Board.stepped(sides=sides, shortest=1)
    for position in playout(Rules(players=2, board=board), seed=1, every=20):
        text = board_text(position)
        assert max(map(len, text.splitlines())) <= 80
        for column in board.columns:
            assert text.count(f" {column} ") >= 2
        assert read_svg(board_svg(position)) == (standing(position), owners(position))


def test_the_longest_columns_are_simply_tall() -> None:
    position = Position.initial(Rules(board=Board((99,) * 39)))
    assert len(board_text(position).splitlines()) == 3 * 101 + 1 + 3
    assert board_svg(position).count("data-space") == 39 * 99


@pytest.mark.parametrize("text", CROWDED)
def test_ascii_shows_the_same_pieces_in_letters(text: str) -> None:
    position = Position.parse(text)
    drawn = board_text(position, ascii=True).replace("^", "↑").replace(".", "·")
    pieces, _ = read_text(drawn, position.rules.board)
    assert pieces == in_ascii(standing(position))
