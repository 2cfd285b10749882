"""Material and set-up: M1 to M4."""

from collections import Counter
from itertools import product

import pytest

from cantstop import EDITIONS, InvalidRules, Position, Rules, Sharing, Start
from cantstop.rules import OFFICIAL, Board
from speak import play


def test_M1_eleven_columns_with_the_lengths_of_the_standard_board() -> None:
    lengths = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}
    assert {column: OFFICIAL.top(column) for column in OFFICIAL.columns} == lengths


def test_M1_the_top_is_the_last_of_the_spaces() -> None:
    assert play("v1,players=2 7:12/- 1 - 3434", "=7", "stop").startswith("v1,players=2 7:13/-")


def test_M1_a_board_steps_up_by_two_towards_the_middle() -> None:
    assert Board.stepped(sides=6, shortest=3) == OFFICIAL
    assert Board.stepped(sides=3, shortest=2, runners=2) == Board((2, 4, 6, 4, 2), runners=2)


def test_M2_four_six_sided_dice_and_three_runners() -> None:
    chances = Position.parse("v1,players=2 -/- 1 - -").chances
    throws = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=4))
    assert {chance.dice: chance.probability * 6**4 for chance in chances} == throws
    assert Position.parse("v1,players=2 -/- 1 - -").free_runners == 3
    assert Position.parse("v1,players=2 -/- 1 6:1,8:2 -").free_runners == 1


def test_M2_the_boxes_hold_so_many_tokens_of_a_colour() -> None:
    supplies = {name: edition.tokens for name, edition in EDITIONS.items()}
    assert supplies == {"classic": None, "trademark": 11, "ravensburger": 11, "asmodee": 9}


def test_M2_a_supply_of_nine_stops_nobody_from_placing_a_tenth_token() -> None:
    nine = "2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1"
    text = f"v1,players=2,start=roll-off {nine}/- 1 11:1 -"
    ten = play(text, "stop").split()[1].split("/")[0]
    assert ten == nine + ",11:1"


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_M3_one_to_four_players_take_turns(players: int) -> None:
    position = f"v1,players={players} {'/'.join('-' * players)} 1 - -"
    seats = []
    for _ in range(players + 1):
        seats.append(int(position.split()[2]))
        position = play(position, "1234", "=5+5", "stop")
    assert seats == [*range(1, players + 1), 1]


@pytest.mark.parametrize("players", [0, 5])
def test_M3_no_other_number_of_players_is_possible(players: int) -> None:
    with pytest.raises(InvalidRules, match=f"for 1 to 4 players, not {players}"):
        Rules(players=players)


def test_M4_without_a_word_on_it_the_first_seat_starts() -> None:
    assert str(Position.initial(Rules(players=3))) == "v1,players=3 -/-/- 1 - -"


def test_M4_the_seat_that_the_table_marks_as_the_youngest_starts() -> None:
    rules = Rules.parse("players=3,start=youngest")
    assert Position.initial(rules).seat == 0
    assert str(Position.initial(rules, first=2)) == "v1,players=3,start=youngest -/-/- 3 - -"


def test_M4_the_youngest_has_to_sit_at_the_table() -> None:
    with pytest.raises(InvalidRules, match="Seat 4 cannot start: the number of seats is 3"):
        Position.initial(Rules.parse("players=3,start=youngest"), first=3)


@pytest.mark.parametrize("start", ["first-seat", "roll-off"])
def test_M4_where_the_youngest_does_not_start_no_seat_can_be_named(start: str) -> None:
    with pytest.raises(InvalidRules, match=f"Seat 2 cannot be named .* “{start}”"):
        Position.initial(Rules.parse(f"start={start}"), first=1)


def test_M4_the_highest_sum_of_two_dice_starts() -> None:
    start = str(Position.initial(Rules.parse("players=3,start=roll-off")))
    assert start == "v1,players=3,start=roll-off -/-/- start:1,2,3 - -"
    one = play(start, "34")
    assert one == "v1,players=3,start=roll-off -/-/- start:1=7,2,3 - -"
    assert play(one, "66", "11") == "v1,players=3,start=roll-off -/-/- 2 - -"


def test_M4_only_those_who_tie_for_the_highest_sum_throw_again() -> None:
    tie = play("v1,players=4,start=roll-off -/-/-/- start:1,2,3,4 - -", "36", "11", "45", "11")
    assert tie == "v1,players=4,start=roll-off -/-/-/- start:1,3 - -"
    again = play(tie, "12", "21")
    assert again == tie
    assert play(again, "12", "13") == "v1,players=4,start=roll-off -/-/-/- 3 - -"


def test_M4_the_seat_in_a_roll_off_is_the_one_that_throws_next() -> None:
    position = Position.parse("v1,players=3,start=roll-off -/-/- start:1=7,3 - -")
    assert position.seat == 2
    assert position.dice_to_roll == 2
    assert {chance.dice: chance.probability * 36 for chance in position.chances} == Counter(
        tuple(sorted(throw)) for throw in product(range(1, 7), repeat=2)
    )


def test_M4_alone_there_is_nobody_to_roll_off_against() -> None:
    solo = Position.initial(Rules.parse("players=1,start=roll-off"))
    assert str(solo) == "v1,players=1,start=roll-off - 1 - -"


def test_M4_after_the_roll_off_play_goes_clockwise() -> None:
    text = "v1,players=3,start=roll-off -/-/- start:1,2,3 - -"
    second = play(text, "11", "12", "66", "1234", "=5+5", "stop")
    assert second.split()[2] == "1"


def test_the_editions_start_and_vary_as_their_rulebooks_print() -> None:
    starts = {name: edition.start for name, edition in EDITIONS.items()}
    assert starts == {
        "classic": Start.FIRST_SEAT,
        "trademark": Start.ROLL_OFF,
        "ravensburger": Start.YOUNGEST,
        "asmodee": Start.ROLL_OFF,
    }
    assert [name for name, edition in EDITIONS.items() if edition.early] == ["ravensburger"]
    free, no_rest, leapfrog = Sharing
    assert {name: edition.sharing for name, edition in EDITIONS.items()} == {
        "classic": (free,),
        "trademark": (free,),
        "ravensburger": (free, no_rest),
        "asmodee": (free, no_rest, leapfrog),
    }
