"""The text board: two reviewed pictures, its width, and names from strangers."""

import pytest

from cantstop import Game
from cantstop.draw import board_text
from cantstop.draw.seats import width
from cantstop.rules import Board, CantStopError, Position, Rules, Start

FOUR_PLAYERS = "v1,players=4 2:3,7:4/6:11,7:4,8:3/5:3,7:4/5:3,7:4,8:3 1 7:8,8:3,9:1 1236"

PICTURE = """\
                              ╭─ 7 ─╮
                        ╭─ 6 ─┤  ·  ├─ 8 ─╮
                  ╭─ 5 ─┤■■■■■│  ·  │  ·  ├─ 9 ─╮
            ╭─ 4 ─┤  ·  │■■■■■│  ·  │  ·  │  ·  ├─ 10 ╮
      ╭─ 3 ─┤  ·  │  ·  │■■■■■│  ·  │  ·  │  ·  │  ·  ├─ 11 ╮
╭─ 2 ─┤  ·  │  ·  │  ·  │■■■■■│  ·  │  ·  │  ·  │  ·  │  ·  ├─ 12 ╮
│●●●●●│  ·  │  ·  │  ·  │■■■■■│  ★  │  ·  │  ·  │  ·  │  ·  │  ·  │
│●●●●●│  ·  │  ·  │  ·  │■■■■■│  ↑  │  ·  │  ·  │  ·  │  ·  │  ·  │
│●●●●●│  ·  │  ·  │  ·  │■■■■■│  ↑  │  ·  │  ·  │  ·  │  ·  │  ·  │
╰─ 2 ─┤  ·  │  ·  │ ▲ ◆ │■■■■■│  ↑  │  ·  │  ·  │  ·  │  ·  ├─ 12 ╯
      ╰─ 3 ─┤  ·  │  ·  │■■■■■│ ●■▲◆│ ■◆★ │  ·  │  ·  ├─ 11 ╯
            ╰─ 4 ─┤  ·  │■■■■■│  ·  │  ↑  │  ★  ├─ 10 ╯
                  ╰─ 5 ─┤■■■■■│  ·  │  ↑  ├─ 9 ─╯
                        ╰─ 6 ─┤  ·  ├─ 8 ─╯
                              ╰─ 7 ─╯

► ● Ann     1/3  2
  ■ さくら  1/3  6
  ▲ Zoë     0/3
  ◆ Di      0/3
  ★ ×0  [1] [2] [3] [6]"""

FINISHED_IN_ASCII = """\
                              +- 7 -+
                        +- 6 -+AAAAA+- 8 -+
                  +- 5 -+BBBBB|AAAAA|  .  +- 9 -+
            +- 4 -+AAAAA|BBBBB|AAAAA|  .  |  .  +- 10 +
      +- 3 -+  .  |AAAAA|BBBBB|AAAAA|  .  |  .  |  .  +- 11 +
+- 2 -+  .  |  .  |AAAAA|BBBBB|AAAAA|  .  |  .  |  .  |  .  +- 12 +
|AAAAA|  .  |  .  |AAAAA|BBBBB|AAAAA|  .  |  .  |  .  |  .  |  .  |
|AAAAA|  .  |  .  |AAAAA|BBBBB|AAAAA|  .  |  .  |  .  |  .  |  .  |
|AAAAA|  .  |  .  |AAAAA|BBBBB|AAAAA|  .  |  .  |  .  |  .  |  .  |
+- 2 -+  .  |  .  |AAAAA|BBBBB|AAAAA|  .  |  .  |  .  |  .  +- 12 +
      +- 3 -+  .  |AAAAA|BBBBB|AAAAA| A B |  .  |  .  +- 11 +
            +- 4 -+AAAAA|BBBBB|AAAAA|  .  |  .  +- 10 +
                  +- 5 -+BBBBB|AAAAA|  .  +- 9 -+
                        +- 6 -+AAAAA+- 8 -+
                              +- 7 -+

# A Zoe  3/3  2 5 7
  B ???  1/3  6"""


def legend(position: Position, names: list[str] | None = None) -> list[str]:
    return board_text(position, names=names).partition("\n\n")[2].splitlines()


def test_a_turn_of_four_players_is_drawn_like_this() -> None:
    names = ["Ann", "さくら", "Zoë", "Di"]
    assert board_text(Position.parse(FOUR_PLAYERS), names=names) == PICTURE


def test_a_finished_game_in_ascii_is_drawn_like_this() -> None:
    position = Position.parse("v1,players=2 2:3,5:9,7:13,8:3/6:11,8:3 1 - -")
    assert board_text(position, names=["Zoë", "さくら"], ascii=True) == FINISHED_IN_ASCII


def test_ascii_is_ascii_whatever_the_names() -> None:
    names = ["Zoë", "さくら", "Łukasz 🎲", "\u202eabc"]
    assert board_text(Position.parse(FOUR_PLAYERS), names=names, ascii=True).isascii()


def test_a_game_prints_its_board() -> None:
    game = Game.parse(FOUR_PLAYERS)
    assert str(game) == board_text(game.position)


def test_the_runners_in_hand_and_the_dice_lie_under_the_seats() -> None:
    position = Position.parse("v1,players=2 -/- 2 7:1 -")
    assert legend(position)[-1] == "  ★ ×2"
    assert legend(position.roll((1, 1, 6, 6)))[-1] == "  ★ ×2  [1] [1] [6] [6]"


def test_dice_with_many_sides_are_numbers_as_well() -> None:
    position = Position.initial(Rules(board=Board.stepped(20, 1))).roll((1, 20, 12, 3))
    assert legend(position)[-1].endswith("[1] [3] [12] [20]")


def test_M4_the_roll_off_shows_what_was_thrown_and_who_is_still_to_throw() -> None:
    position = Position.initial(Rules(players=3, start=Start.ROLL_OFF)).roll((3, 4))
    assert legend(position) == ["  ● 1  0/3  = 7", "► ■ 2  0/3  = ·", "  ▲ 3  0/3  = ·"]
    tied = position.roll((1, 1)).roll((1, 6))
    assert legend(tied) == ["► ● 1  0/3  = ·", "  ■ 2  0/3", "  ▲ 3  0/3  = ·"]


def test_W5_a_shared_win_crowns_every_winner() -> None:
    text = "v1,players=3,win=5 2:3,3:5,4:7,5:9/6:11,7:13,8:11,9:9/10:7,11:5,12:3 3 - -"
    assert [line[0] for line in legend(Position.parse(text))] == ["♛", "♛", " "]


def test_seats_without_a_name_are_called_by_their_number() -> None:
    position = Position.initial(Rules(players=3))
    assert legend(position, ["", "\u200d", "Cy"])[:3] == [
        "► ● 1   0/3",
        "  ■ 2   0/3",
        "  ▲ Cy  0/3",
    ]


def test_names_have_to_be_one_a_seat() -> None:
    with pytest.raises(CantStopError, match=r"The number of names is 1, but that of seats 2\."):
        board_text(Position.initial(Rules()), names=["Ann"])


@pytest.mark.parametrize(
    "name",
    [
        "\x1b[2J\x1b[31mred",
        "two\nlines",
        "bell\a",
        "\u202ebackwards",
        "\x9b2J",
        "tab\there",
        "\ud800",
    ],
)
def test_a_name_cannot_steer_the_terminal(name: str) -> None:
    text = board_text(Position.initial(Rules(players=1)), names=[name])
    assert all(char.isprintable() for line in text.split("\n") for char in line)
    assert len(text.split("\n")) == 15 + 1 + 2


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("name", ["W" * 500, "さ" * 500, "e\u0301" * 500, "🎲" * 500])
def test_no_line_of_the_official_board_is_wider_than_80(name: str, plain: bool) -> None:
    position = Position.parse(FOUR_PLAYERS)
    lines = board_text(position, names=[name] * 4, ascii=plain).splitlines()
    assert max(map(width, lines)) <= 80
    heads = [line[: line.index("/3")] for line in lines if "/3" in line]
    assert len({width(head) for head in heads}) == 1


def test_more_columns_than_fit_on_a_line_continue_on_the_next() -> None:
    board = Board((1,) * 39, runners=39)
    won = ",".join(f"{column}:1" for column in range(2, 40))
    position = Position.parse(f"{Rules(players=1, columns_to_win=39, board=board)} {won} 1 - -")
    *lines, table = legend(position, ["Ann " * 20])
    assert len(lines) > 1
    assert max(map(len, lines)) <= 80
    assert " ".join(lines).split()[-38:] == [str(column) for column in range(2, 40)]
    assert table == "  ★ ×39"
