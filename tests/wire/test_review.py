"""A review as JSON: each moment has the event that led to it, and the same keys everywhere."""

from pathlib import Path

import pytest

from cantstop.language import Translator
from cantstop.record import Record
from cantstop.review import review
from cantstop.rules import Busted, Moved, Position, Rolled, Stopped
from cantstop.wire.review import ReviewAnswer, review_view
from wire_json import as_json, check_type

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def record() -> Record:
    """A whole game of two, with stops that win columns and rolls that bust."""
    return Record.load(GOLDEN / "classic-two.cantstop")


def test_the_events_of_all_moments_are_the_game(record: Record) -> None:
    answer = review_view(review(record), Translator("en"), range(10, 1000))
    assert answer.moments[0].play is None
    position = record.start
    won: list[int] = []
    for event, moment in zip(record.events, answer.moments[1:], strict=True):
        play = moment.play
        assert play is not None
        assert play.seat == position.seat
        match event:
            case Rolled(dice):
                assert (play.kind, play.dice) == ("rolled", dice)
            case Moved(move):
                assert (play.kind, play.move) == ("moved", str(move))
            case Stopped():
                assert play.kind == "stopped"
                won += play.won or ()
            case Busted():
                assert play.kind == "busted"
        position = position.after(event)
        assert Position.parse(moment.position) == position
    tokens = position.tokens
    assert sorted(won) == sorted(tokens.won_by(0) + tokens.won_by(1))
    assert [moment.event for moment in answer.moments] == [
        10 + at for at in range(len(answer.moments))
    ]


def test_its_JSON_is_of_its_type_and_says_no_table_where_there_is_none(record: Record) -> None:
    told = as_json(review_view(review(record), Translator("de")))
    check_type(ReviewAnswer, told)
    assert {moment["event"] for moment in told["moments"]} == {None}
