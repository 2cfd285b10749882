"""Results on paper: for people, for programs, as pictures."""

import csv
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet
import pytest

from cantstop.arena import Plan, compete
from cantstop.arena.chart import chart
from cantstop.arena.export import arena_report, writer_for
from cantstop.arena.pools import LocalPool
from cantstop.arena.report import report
from cantstop.bots.simple import CountingBot
from cantstop.extras import MissingExtra
from cantstop.language import Translator
from cantstop.rules import InvalidText, Rules


@pytest.fixture(scope="module")
def match() -> Any:
    return compete(Plan.of(["bold", "careful"], games=101, seed=6), pool=LocalPool(1))


@pytest.fixture(scope="module")
def robin() -> Any:
    plan = Plan.of(["bold", "careful", "random"], games=100, rules=Rules(players=2), seed=6)
    return compete(plan, pool=LocalPool(1))


@pytest.fixture(scope="module")
def solo() -> Any:
    plan = Plan.of(["bold", "careful"], games=100, rules=Rules(players=1), seed=6)
    return compete(plan, pool=LocalPool(1))


def shown(results: Any) -> Any:
    """Results as the command prints them."""
    return json.loads(json.dumps(asdict(arena_report(results))))


def test_the_keys_that_programs_rely_on(match: Any) -> None:
    answer: Any = shown(match)
    assert answer["games"] == 101
    assert sum(answer["wins"]) == 101
    assert all(isinstance(wins, int) for wins in answer["wins"])
    assert 0 < answer["first_player_wins"] < 101
    assert answer["turns_per_game"] == match.matches[0].turns_per_game.mean
    assert answer["rolls_per_game"] > answer["turns_per_game"] > 5


def test_a_round_robin_sums_its_tables(robin: Any) -> None:
    answer: Any = shown(robin)
    assert answer["games"] == 300
    assert sum(answer["wins"]) == 300
    matches = [[bot["wins"] for bot in match["bots"]] for match in answer["tables"]]
    assert answer["wins"] == [
        matches[0][0] + matches[1][0],
        matches[0][1] + matches[2][0],
        matches[1][1] + matches[2][1],
    ]


def test_what_each_bot_did_adds_up_to_what_happened(robin: Any) -> None:
    for match in robin.matches:
        turns = sum(standing.turns for standing in match.standings)
        assert turns == match.turns_per_game.mean * match.games
        assert sum(match.turn_counts) == match.games
        for standing in match.standings:
            assert standing.interval.low <= standing.share <= standing.interval.high
            assert 0 <= standing.busts_per_turn < 1


def test_alone_the_distribution_of_turns_has_the_mean_of_turns(solo: Any) -> None:
    for match in solo.matches:
        mean = sum(turns * count for turns, count in enumerate(match.turn_counts)) / match.games
        assert mean == pytest.approx(match.turns_per_game.mean)
    assert solo.ratings is None
    assert arena_report(solo).ratings is None


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".json"])
def test_files_hold_a_row_for_each_bot_at_each_table(
    robin: Any, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"results{ending}"
    writer_for(path)(robin)
    due = robin.rows()
    assert len(due) == 6
    if ending == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(file))
        assert [{key: str(value) for key, value in row.items()} for row in due] == found
    elif ending == ".parquet":
        assert pyarrow.parquet.read_table(path).to_pylist() == due
    else:
        assert json.loads(path.read_text("utf-8")) == json.loads(
            json.dumps(asdict(arena_report(robin)))
        )


def test_the_name_of_a_bot_is_no_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    writer_for(path)(compete([CountingBot("=1+1", 2), "bold"], games=2, seed=1))
    with path.open(encoding="utf-8", newline="") as file:
        assert [row["bot"] for row in csv.DictReader(file)] == ["'=1+1", "bold"]


def test_files_that_cannot_be_written_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidText, match=r"has to end in \.json, \.csv, \.parquet"):
        writer_for(tmp_path / "results.xls")
    with pytest.raises(InvalidText, match="cannot be written: No such file or directory"):
        writer_for(tmp_path / "nowhere" / "results.csv")
    monkeypatch.setattr("cantstop.extras.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"cantstop-game\[parquet\]"):
        writer_for(tmp_path / "results.parquet")


def test_people_read_a_table_of_the_bots(match: Any) -> None:
    text = "\n".join(report(Translator(), match))
    assert "101 games" in text
    assert "Whoever starts wins" in text
    assert "Ratings on Elo's scale" in text
    for name, wins in zip(("bold", "careful"), match.wins, strict=True):
        assert any(line.split()[:2] == [name, f"{wins:g}"] for line in text.splitlines())


def test_people_read_a_distribution_of_turns(solo: Any) -> None:
    lines = list(report(Translator(), solo))
    assert "bold: 100 games" in lines
    assert sum("█" in line for line in lines) > 10
    assert not any("Elo" in line for line in lines)


@pytest.mark.parametrize("language", ["fr", "nl", "it", "de"])
def test_reports_speak_every_language(match: Any, language: str) -> None:
    text = "\n".join(report(Translator(language), match))
    assert "Whoever" not in text
    assert "bold" in text


def test_the_chart_is_a_picture_with_a_bar_for_each_bot_and_each_number_of_turns(
    robin: Any,
) -> None:
    picture = ElementTree.fromstring(chart(Translator(), robin))
    titles = [title.text for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    for match in robin.matches:
        for standing in match.standings:
            assert f"{standing.name} wins {standing.share * 100:.1f}%" in titles
    assert any(title.endswith("%") and ": " in title for title in titles if title)


def test_names_cannot_break_out_of_the_chart(solo: Any) -> None:
    results = type(solo)(
        Plan.of(["<script>", "careful"], games=100, rules=Rules(players=1), seed=6),
        solo.matches,
        finished=True,
    )
    assert "<script>" not in chart(Translator(), results)
