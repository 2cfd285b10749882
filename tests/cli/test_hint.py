"""``cantstop hint`` as a person or a program calls it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from cantstop.cli import main

ANCHOR = "v1,players=2 7:4/6:9,8:3 1 - -"


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Any, Any, Any]]:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments: str) -> tuple[Any, Any, Any]:
        with pytest.raises(SystemExit) as exit_:
            main(["hint", *arguments])
        captured = capsys.readouterr()
        return exit_.value.code or 0, captured.out, captured.err

    return run


def test_every_move_is_listed_with_its_chance_to_win_the_best_first(
    run: Callable[..., tuple[Any, Any, Any]],
) -> None:
    code, out, _ = run(ANCHOR, "--dice", "2345")
    assert code == 0
    lines = out.splitlines()
    assert sorted(line.split(",")[0] for line in lines[:3]) == ["5+9", "6+8", "7+7"]
    chances = [float(line.split(" ± ")[0].split()[-1].rstrip("%")) for line in lines[:3]]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= float(line.split(" ± ")[1]) < 5 for line in lines[:3])
    assert lines[3] == "The chance to win."
    assert lines[4].startswith("The turn ends with a stop: ")


def test_json_has_options_with_move_and_win(run: Callable[..., tuple[Any, Any, Any]]) -> None:
    code, out, _ = run(ANCHOR, "--dice", "2345", "--json")
    found = json.loads(out)
    assert code == 0
    assert {option["move"] for option in found["options"]} == {"5+9", "6+8", "7+7"}
    assert found["win"][found["seat"]] == found["options"][0]["win"]
    assert sum(found["win"]) == pytest.approx(1)
    assert found["options"][0]["then"] in ("stop", "roll")
    assert found["position"].endswith("2345")
    assert 0 <= found["error"]["rms"] <= found["error"]["p99"] < 0.1


def test_where_no_error_was_measured_none_is_shown(
    run: Callable[..., tuple[Any, Any, Any]],
) -> None:
    board = "v1,players=2,lengths=1.3.5.3.1 -/- 1 - 1223"
    _, out, _ = run(board)
    assert "±" not in out
    _, out, _ = run(board, "--json")
    assert json.loads(out)["error"] is None


def test_after_a_move_it_compares_stopping_with_rolling(
    run: Callable[..., tuple[Any, Any, Any]],
) -> None:
    _, out, _ = run("v1,players=2 7:4/6:11,8:3 1 2:3,3:4,12:2 -")
    assert [line.split()[0] for line in out.splitlines()[:2]] == ["stop", "roll"]


def test_alone_it_tells_turns(run: Callable[..., tuple[Any, Any, Any]]) -> None:
    _, out, _ = run("v1,players=1 - 1 - 2345")
    assert "How many turns will follow this one, on average." in out
    _, out, _ = run("v1,players=1 - 1 - 2345", "--json")
    found = json.loads(out)
    assert found["solo"]
    assert found["win"] == [found["options"][0]["win"]]
    assert -10 < found["win"][0] < 0, "minus the number of turns: plus is good"


def test_a_bust_is_said(run: Callable[..., tuple[Any, Any, Any]]) -> None:
    _, out, _ = run("v1,players=2 -/- 1 2:1,3:1,4:1 -", "--dice", "5566")
    assert out == "This roll is of no use: it is a bust.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("v1,players=2 2:3,3:5,12:3/- 1 - -",), "The game is over"),
        (("v1,players=2 -/- 1 - 2345", "--dice", "1111"), "cantstop: "),
        (("nonsense",), "cantstop: "),
        ((ANCHOR, "--dice", "7"), "cantstop: "),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    run: Callable[..., tuple[Any, Any, Any]],
    arguments: tuple[Any, ...] | tuple[str, ...],
    said: str,
) -> None:
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_it_speaks_the_language_that_is_asked_for(run: Callable[..., tuple[Any, Any, Any]]) -> None:
    _, out, _ = run(ANCHOR, "--dice", "2345", "--lang", "de")
    assert "dann weiterwürfeln" in out
