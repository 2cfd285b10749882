"""The ladder at a terminal: games against the animals are kept, summed up, and lead on."""

import json
from pathlib import Path
from typing import Any

import pytest

from app_player import controller_of, use_app
from cantstop.bots import LADDER
from cantstop.language import LANGUAGES, Translator
from cantstop.rules import InvalidText
from cantstop.terminal.console import Console
from cantstop.terminal.ladder import (
    ANIMALS,
    Ladder,
    LadderGame,
    enter_game,
    journey_lines,
    ladder_game,
    read_ladder,
    result_text,
    standing_text,
)
from cantstop.terminal.local_game import LocalGame, LocalSeat
from cantstop.terminal.new_game import ladder_seats
from cantstop.terminal.plain import Session
from cantstop.terminal.save_file import SaveError, SaveFile
from people import local_game

WON = "v1,players=2 2:3,12:3/6:9 1 7:13 -"
"""Whoever is in turn has only to stop."""


def games(*results: tuple[str, bool]) -> Ladder:
    return Ladder(
        tuple(
            LadderGame(f"game {at}", bot, f"2026-11-{at + 1:02d}", won)
            for at, (bot, won) in enumerate(results)
        )
    )


def finished(local: LocalGame, folder: Path, *answers: str) -> str:
    """What is printed while a player ends a game, types lines, and leaves."""
    lines: list[str] = []
    typed = iter(answers)

    def read(question: str) -> str:
        lines.append(question)
        answer = next(typed, None)
        if answer is None:
            raise EOFError
        return answer

    console = Console(Translator(), read, lines.append)
    Session(SaveFile(local, folder), console).run(["cantstop", "play", "--resume"])
    return "\n".join(lines)


def test_the_way_up_has_a_tick_a_score_and_a_day_for_who_is_beaten_and_names_the_next() -> None:
    ladder = games(("chick", False), ("chick", True), ("chick", True), ("tortoise", False))
    title, *animals, standing = journey_lines(Translator(), ladder)
    assert title == "The way up"
    assert len(animals) == len(LADDER)
    assert animals[0].split() == ["✓", "Chick", "2–1", "beaten", "on", "2", "Nov", "2026"]
    assert animals[1] == "  → Magpie           Rating 1487 · is waiting"
    assert animals[2] == "  · Tortoise    0–1  Rating 1582"
    assert standing == "1 of 8 animals is beaten. Next on the ladder: Magpie."


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_many_are_beaten_is_said_for_every_number(language: str) -> None:
    words = Translator(language)
    said = [
        standing_text(words, games(*((bot, True) for bot in ANIMALS[:beaten])))
        for beaten in range(9)
    ]
    assert len(set(said)) == len(said)
    if language == "en":
        assert said[0] == "0 of 8 animals are beaten. Next on the ladder: Chick."
        assert said[7] == "7 of 8 animals are beaten. Next on the ladder: Champion."
        assert said[8] == "You have beaten them all."
    else:
        assert not any("animals" in text or "beaten" in text for text in said)


def test_a_game_that_is_won_or_lost_is_kept_and_told(tmp_path: Path) -> None:
    said = finished(local_game(WON, "Anne", "bot:chick"), tmp_path, "stop")
    assert "Chick is beaten! Your score against Chick: 1–0." in said
    assert "Next on the ladder: Magpie." in said
    lost = finished(local_game(WON, "bot:chick", "Anne"), tmp_path)
    assert "Your score against Chick: 1–1." in lost
    assert "is beaten!" not in lost
    assert read_ladder(tmp_path).score("chick").won == 1


def test_who_resigns_has_lost(tmp_path: Path) -> None:
    said = finished(local_game(WON, "Anne", "bot:fox"), tmp_path, "resign", "resign")
    assert "Your score against Fox: 0–1." in said


def test_only_one_person_against_one_animal_plays_on_the_ladder(tmp_path: Path) -> None:
    three = "v1,players=3 2:3,12:3/6:9/- 1 7:13 -"
    for start, *seats in (
        (WON, "Anne", "Bob"),
        (WON, "Anne", "bot:careful"),
        (three, "Anne", "bot:chick", "bot:fox"),
        (three, "Anne", "Bob", "bot:chick"),
    ):
        finished(local_game(start, *seats), tmp_path, "stop")
    assert not (tmp_path / "ladder.json").exists()
    assert ladder_game(local_game(WON, "Anne", "bot:chick")) is None  # it is not over


def test_a_game_counts_once_as_it_ended_last(tmp_path: Path) -> None:
    local = local_game(WON, "Anne", "bot:chick")
    finished(local, tmp_path, "stop")
    finished(local, tmp_path)  # resumed after its end
    assert str(read_ladder(tmp_path).score("chick")) == "1–0"
    game = ladder_game(local)
    assert game is not None
    changed = LadderGame(game.id, game.bot, game.day, won=False)
    assert str(enter_game(tmp_path, changed).score("chick")) == "0–1"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"games": 5}', '{"games": [5, {}, {"id": 1, "bot": "chick", "day": "x"}]}'],
)
def test_a_damaged_file_counts_as_empty_and_is_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / "ladder.json").write_text(text, "utf-8")
    assert read_ladder(tmp_path) == Ladder()
    finished(local_game(WON, "Anne", "bot:chick"), tmp_path, "stop")
    (kept,) = json.loads((tmp_path / "ladder.json").read_text("utf-8"))["games"]
    assert (kept["bot"], kept["won"]) == ("chick", True)


def test_a_folder_that_cannot_be_written_costs_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("", "utf-8")
    with pytest.raises(SaveError):
        enter_game(folder, LadderGame("one", "chick", "2026-11-01", won=True))
    said = finished(local_game(WON, "Anne", "bot:chick"), folder, "stop")
    assert "ladder.json cannot be written" in said


def test_the_option_seats_a_person_and_who_is_next() -> None:
    words, beaten = Translator(), games(("chick", True))
    assert [str(seat) for seat in ladder_seats(words, beaten, ())] == ["Player 1", "bot:magpie"]
    anne = [LocalSeat("Anne")]
    all_beaten = games(*((bot, True) for bot in ANIMALS))
    assert [str(seat) for seat in ladder_seats(words, all_beaten, anne)] == ["Anne", "bot:champion"]
    for seats in (["Anne", "Bob"], ["bot:fox"]):
        with pytest.raises(InvalidText, match="--ladder chooses the opponent"):
            ladder_seats(words, beaten, [LocalSeat.parse(text) for text in seats])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_names_the_animal_in_the_players_language(language: str) -> None:
    ladder = games(("falcon", True), ("falcon", False))
    words = Translator(language)
    won, lost = (result_text(words, ladder, game) for game in ladder.games)
    assert won != lost
    for text in (won, lost):
        assert "1–1" in text
        assert "falcon" not in text


def test_the_app_tells_the_score_shows_the_way_up_and_offers_the_next(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await somebody.press("s")
        await somebody.wait_until(lambda: somebody.game.outcome is not None)
        await somebody.wait_until(lambda: "Chick is beaten!" in somebody.sentence("#log-text"))
        await somebody.press("w")
        way = somebody.text("#page-text")
        assert "✓ Chick" in way
        assert "→ Magpie" in way
        assert "1 of 8 animals is beaten. Next on the ladder: Magpie." in " ".join(way.split())
        await somebody.press("escape", "n")
        await somebody.wait_until(lambda: bool(somebody.app.screen.query("#kind-2")))
        assert somebody.find("#kind-2").value == "magpie"
        assert ("Chick · 1410 · 1–0 ✓", "chick") in somebody.find("#kind-2")._options

    app = use_app(play, tmp_path, local_game(WON, "Anne", "bot:chick"))
    assert controller_of(app).own_seat == 0
