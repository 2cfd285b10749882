"""Positions as records, and back."""

import pytest

from cantstop.kernel.records import to_position, to_record
from cantstop.rules import Position


@pytest.mark.parametrize(
    "text",
    [
        "v1,players=2 -/- 1 - -",
        "v1,players=2 7:4/6:11,8:3 1 7:5,9:1 -",
        "v1,players=3,win=4,sharing=leapfrog 2:3/7:2,8:9/12:1 2 7:4,8:11,9:1 -",
        "v1,players=1,lengths=2.4.6.4.2,runners=2 2:1,4:3 1 4:6,5:1 -",
    ],
)
def test_a_position_survives_the_way_there_and_back(text: str) -> None:
    position = Position.parse(text)
    assert to_position(position.rules, to_record(position, 1)) == position


def test_a_record_lists_the_legal_moves_in_the_rules_order() -> None:
    position = Position.parse("v1,players=2 7:4/6:11,8:3 1 7:5,9:1 1236")
    record = to_record(position, 2)[0]
    assert record["move_count"] == len(position.legal_moves) == 4
    assert [
        tuple(column for column in move if column) for move in record["moves"][:4].tolist()
    ] == list(position.legal_moves)


def test_a_record_knows_which_columns_a_roll_could_use() -> None:
    # 6 is won, the runner of 8 is on the top, one runner is free
    record = to_record(Position.parse("v1,players=2 -/6:11 1 7:5,8:11 -"), 3)[0]
    usable = [column for column in range(13) if record["usable"] >> column & 1]
    assert usable == [2, 3, 4, 5, 7, 9, 10, 11, 12]
    assert (record["free"], record["topped"], record["moves_made"]) == (1, 1, 3)
    # with no runner free only the columns with a runner are left
    record = to_record(Position.parse("v1,players=2 -/6:11 1 2:1,7:5,8:11 -"), 4)[0]
    assert [column for column in range(13) if record["usable"] >> column & 1] == [2, 7]
