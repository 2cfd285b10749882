"""Records in files, and as rows for whatever reads tables."""

from pathlib import Path

import pytest

from cantstop import (
    DiceSource,
    EnteredDice,
    Game,
    InvalidText,
    Position,
    Record,
    RecordError,
    SeededDice,
    play_game,
    read_record,
    record_text,
    verify,
)


def short_game(dice: DiceSource | int | None = None) -> Game:
    game = Game("players=2,start=roll-off", dice=dice)
    for throw in ("11", "66", "2345"):
        game.roll(throw)
    game.move("6+8")
    game.stop()
    return game


def test_a_record_comes_back_from_its_file(tmp_path: Path) -> None:
    record = Record.of(short_game(), ["Zoë", "Bob"], edition="asmodee", date="2026-01-02")
    record.save(tmp_path / "game.cantstop")
    assert Record.load(tmp_path / "game.cantstop") == record
    assert Record.load(str(tmp_path / "game.cantstop")) == record
    assert str(record) == record_text(record)
    assert read_record(str(record)) == record


def test_many_records_come_from_one_file(tmp_path: Path) -> None:
    one, two = Record.of(short_game()), Record.of(Game(players=3), ["a", "b", "c"])
    (tmp_path / "games").write_text(f"{one}\n{two}")
    assert Record.load_all(tmp_path / "games") == [one, two]
    with pytest.raises(RecordError, match="should be one record here, not 2"):
        Record.load(tmp_path / "games")


def test_a_file_that_is_not_text_or_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidText, match="picture cannot be read: it is not text in UTF-8"):
        Record.load(tmp_path / "picture")
    with pytest.raises(FileNotFoundError):
        Record.load(tmp_path / "nowhere")


def test_a_byte_order_mark_as_some_editors_write_it_is_no_part_of_the_record(
    tmp_path: Path,
) -> None:
    record = Record.of(short_game())
    (tmp_path / "game").write_text(str(record), encoding="utf-8-sig")
    assert Record.load(tmp_path / "game") == record


def test_a_place_where_no_record_can_be_saved_is_named_as_it_was_given(tmp_path: Path) -> None:
    record, nowhere = Record.of(short_game()), tmp_path / "nowhere" / "game"
    with pytest.raises(FileNotFoundError) as missing:
        record.save(nowhere)
    with pytest.raises(IsADirectoryError) as folder:
        record.save(tmp_path)
    assert (missing.value.filename, folder.value.filename) == (str(nowhere), str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_record_is_read_from_its_text_and_tells_its_outcome() -> None:
    record = play_game(["careful", "bold"], dice=7)
    assert Record.parse(str(record)) == record
    assert record.outcome is not None
    assert record.outcome.winner == 1
    assert Record.of(short_game()).outcome is None


def test_seats_without_names_have_numbers() -> None:
    assert Record.of(Game(players=3)).names == ("1", "2", "3")


def test_dice_are_recorded_where_every_roll_can_be_checked_against_them() -> None:
    game = Game(dice=7)
    game.roll()
    assert Record.of(game).dice == SeededDice(7)
    assert verify(Record.of(game)).dice_checked
    assert Record.of(short_game(dice=EnteredDice())).dice == EnteredDice()
    assert Record.of(short_game(dice=7)).dice is None  # its dice were given one by one
    assert Record.of(short_game()).dice is None


def test_rows_tell_every_event_with_whom_it_belongs_to() -> None:
    rows = Record.of(short_game(), ["Anne", "Bob"]).rows()
    assert [(row["n"], row["turn"], row["name"], row["event"]) for row in rows] == [
        (1, 0, "Anne", "rolled"),
        (2, 0, "Bob", "rolled"),
        (3, 1, "Bob", "rolled"),
        (4, 1, "Bob", "moved"),
        (5, 1, "Bob", "stopped"),
    ]
    assert [row["dice"] for row in rows] == ["11", "66", "2345", None, None]
    assert rows[3]["move"] == "6+8"
    last = Position.parse(str(rows[-1]["position"]))
    assert last == short_game().position


def test_turns_in_rows_are_those_of_the_game() -> None:
    game = Game.parse("v1,players=2 -/- 1 2:3,3:1,7:5 -")
    game.roll("3366")
    game.roll("2345")
    rows = Record.of(game).rows()
    assert [(row["turn"], row["seat"], row["event"]) for row in rows] == [
        (1, 0, "rolled"),
        (1, 0, "busted"),
        (2, 1, "rolled"),
    ]


def test_a_summary_is_the_whole_game_in_one_row() -> None:
    game = Game.parse("v1,players=2 2:3,7:13/- 1 12:2 -")
    assert Record.of(game).summary()["winner"] is None
    game.roll("6666")
    game.move("12")
    game.stop()
    assert Record.of(game, ["Anne", "Bob"]).summary() == {
        "rules": "v1,players=2",
        "date": None,
        "names": "Anne, Bob",
        "winner": 0,
        "winner_name": "Anne",
        "ended": None,
        "turns": 1,
        "rolls": 1,
        "busts": 0,
    }
    assert repr(Record.of(game)) == "<Record v1,players=2 1, 2: 3 events>"
