"""The measurements of the value networks are those of the file that is shipped."""

import json
from functools import cache
from pathlib import Path

import pytest

from cantstop.engine import race_model, value_model
from cantstop.engine.evaluators import ErrorTable, Stage
from cantstop.engine.evaluators.value import model
from cantstop.engine.evaluators.value.model import FILE
from cantstop.rules import Rules
from research.train.stated import (
    MIN_POSITIONS,
    NETWORKS,
    PLAYERS,
    POSITIONS,
    RACE,
    STAGES,
    Measured,
    pooled_rms,
    stated_errors,
    with_tables,
)

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/value-networks.md").read_text("utf-8")


@cache
def measured() -> Measured:
    found: Measured = json.loads((ROOT / "research/train/results/measured.json").read_text("utf-8"))
    return found


def test_the_page_and_the_measurements_are_about_the_file_that_is_shipped() -> None:
    data = Path(model.__file__).with_name(FILE).read_bytes()
    digest = data.split(b"\n", 3)[2].decode()
    assert f"{len(data):,} bytes" in PAGE
    assert f"`{digest}`" in PAGE
    assert with_tables(PAGE, measured()) == PAGE


@pytest.mark.parametrize(("players", "most"), [(2, 0.35), (3, 0.6), (4, 0.85)])
def test_plain_games_are_as_close_as_the_page_says(players: int, most: float) -> None:
    plain = measured()[f"v1,players={players}"]
    for part in (plain, plain["again"]):
        for kind in ("mixed", "classic"):
            table = part[kind][NETWORKS]["solved"]
            assert table["all"]["rms"] < most
            assert max(table[stage]["rms"] for stage in STAGES) <= 1.5 * table["all"]["rms"]
    assert f"{plain['mixed'][NETWORKS]['solved']['all']['rms']:.2f} |" in PAGE


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_said_comes_true(players: int) -> None:
    for kind in ("mixed", "classic", "self_play"):
        rows = measured()[f"v1,players={players}"][kind][NETWORKS]["reliability"]
        assert len(rows) == 10
        assert all(abs(row["said"] - row["true"]) < 0.5 for row in rows)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("players", PLAYERS)
def test_fresh_positions_bear_out_what_is_stated(players: int, stage: str) -> None:
    stated, found = (pooled_rms(measured(), players, stage, again=again) for again in (False, True))
    assert 3 / 4 < found / stated < 4 / 3


@pytest.mark.parametrize("players", PLAYERS)
def test_the_networks_play_no_worse_than_those_before(players: int) -> None:
    gain = measured()[f"v1,players={players}"]["against_before"]["less_luck"]
    assert gain["gain"] > (-gain["interval"] if players == 2 else gain["interval"])


@pytest.mark.parametrize(
    ("who", "errors"), [(NETWORKS, value_model().errors), (RACE, race_model().errors)]
)
def test_the_stated_errors_are_those_of_ordinary_games(who: str, errors: ErrorTable) -> None:
    assert errors == ErrorTable.parse(stated_errors(measured(), who))
    assert len(errors.figures) == len(measured()) == 54
    for rules, found in measured().items():
        solved, stated = found[POSITIONS][who]["solved"], errors.figures[Rules.parse(rules)]
        for stage in Stage:
            one = solved.get(stage, solved["all"])
            error = stated.get(stage, stated["all"])
            if one["positions"] >= MIN_POSITIONS:
                assert error.rms == pytest.approx(max(one["rms"], one["noise"]) / 100, abs=6e-6)
            else:
                assert error.rms >= max(one["rms"], solved["all"]["rms"]) / 100 - 6e-6


def test_a_rare_stage_never_states_less_than_the_whole_game() -> None:
    def figures(positions: int, rms: float, within: float) -> dict[str, float]:
        return {"positions": positions, "rms": rms, "noise": 0.1, "within_99": within}

    solved = {
        "all": figures(160, 0.5, 2.0),
        "opening": figures(60, 0.3, 3.0),
        "middle": figures(MIN_POSITIONS, 0.04, 0.2),
        "end": figures(20, 0.9, 1.0),
    }
    (stated,) = stated_errors({"v1": {POSITIONS: {"race": {"solved": solved}}}}, "race").values()
    assert {stage: (one["rms"], one["within_99"]) for stage, one in stated.items()} == {
        "all": (0.5, 2.0),
        "middle": (0.1, 0.2),
        "end": (0.9, 2.0),
    }
