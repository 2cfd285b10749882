"""States how far win chances are from the truth, at positions of ordinary games.

``python -m research.train.stated`` needs neither a GPU nor PyTorch. It reads the figures of
``results/measured.json`` and writes what hints, reviews and drills go by: the notes of the value
networks' file, whose arrays stay as they are, and ``errors.json`` of the race model; and the tables
of docs/value-networks.md that tell where these figures come from.

Ordinary games are those whose seats are drawn from the ladder's levels and classic bots.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import as_file, files
from math import ceil, sqrt
from pathlib import Path
from typing import Any

from cantstop.engine.evaluators.value.file import write_packed
from cantstop.engine.evaluators.value.model import FILE
from cantstop.engine.evaluators.value.packed import read_packed

Measured = Mapping[str, Mapping[str, Any]]
"""What was measured, by rules."""

Errors = dict[str, dict[str, dict[str, float]]]
"""As ``ErrorTable.parse`` reads them."""

MEASURED = Path(__file__).parent / "results" / "measured.json"
PAGE = Path(__file__).parents[2] / "docs" / "value-networks.md"
BEGIN, END = "<!-- written by research/train -->\n", "<!-- end -->\n"

POSITIONS = "mixed"
"""The positions that count, as the measurements name them."""

NETWORKS, RACE = "champion", "race"
"""Whose errors were measured."""

MIN_POSITIONS = 100
"""Fewer positions of a stage do not determine its error."""

STAGES = ("opening", "middle", "end", "all")
PLAYERS = (2, 3, 4)


def stated_errors(measured: Measured, who: str) -> Errors:
    """What an evaluator states, in points, by rules and stage.

    A stage with too few positions states what the whole game does, or its own error if that is
    larger. An error that cannot be distinguished from the noise of its measurement is stated as
    that noise.
    """
    return {
        rules: {
            stage: _stated(one, solved["all"])
            for stage, one in solved.items()
            if one["positions"] >= MIN_POSITIONS or _rms(one) > _rms(solved["all"])
        }
        for rules, found in measured.items()
        for solved in [found[POSITIONS][who]["solved"]]
    }


def _rms(one: Mapping[str, float]) -> float:
    return max(one["rms"], one["noise"])


def _stated(one: Mapping[str, float], whole: Mapping[str, float]) -> dict[str, float]:
    within = one["within_99"]
    if one["positions"] < MIN_POSITIONS:
        within = max(within, whole["within_99"])
    return {
        "rms": round(_rms(one), 3),
        "within_99": round(within, 2),
        "positions": one["positions"],
    }


def standard_error(one: Mapping[str, float]) -> float:
    """The standard error of a stated root mean square, if errors scatter normally."""
    return one["rms_with_noise"] ** 2 / (_rms(one) * sqrt(2 * one["positions"]))


# The page


def page_lines(measured: Measured) -> Iterator[str]:
    """The tables of the page: what is stated for every game, and how reliable win chances are."""
    yield "| rules | opening | middle | end | all | 99 % within |"
    yield "|---|---|---|---|---|---|"
    for rules, found in measured.items():
        solved = found[POSITIONS][NETWORKS]["solved"]
        cells = (_cell(solved.get(stage)) for stage in STAGES)
        within = solved["all"]["within_99"]
        yield f"| `{rules.removeprefix('v1,')}` | {' | '.join(cells)} | {within:.1f} |"
    yield ""
    yield "| players | stage | stated | found again |"
    yield "|---|---|---|---|"
    for players in PLAYERS:
        for stage in STAGES:
            first, again = (
                f"{pooled_rms(measured, players, stage, again=again):.2f}"
                for again in (False, True)
            )
            yield f"| {players} | {stage} | {first} | {again} |"
    yield ""
    yield "| said | two | three | four |"
    yield "|---|---|---|---|"
    for tenth in range(0, 100, 10):
        cells = (_reliability(measured[f"v1,players={players}"], tenth) for players in PLAYERS)
        yield f"| {tenth}–{tenth + 10} % | {' | '.join(cells)} |"


def pooled_rms(measured: Measured, players: int, stage: str, *, again: bool) -> float:
    """The error over all games for a number of players, every position counting alike."""
    square = positions = 0.0
    for rules, found in measured.items():
        if f"players={players}" not in rules:
            continue
        part = found["again"] if again else found
        one = part[POSITIONS][NETWORKS]["solved"].get(stage)
        if one is not None:
            square += one["positions"] * (one["rms_with_noise"] ** 2 - one["noise"] ** 2)
            positions += one["positions"]
    return sqrt(max(square, 0.0) / positions)


def _reliability(found: Mapping[str, Any], tenth: int) -> str:
    for row in found[POSITIONS][NETWORKS]["reliability"]:
        if row["from"] == tenth:
            return f"{row['said']:.2f}, {row['true']:.2f} ± {row['error']:.2f} ({row['shares']:,})"
    return "-"


def _cell(one: Mapping[str, float] | None) -> str:
    if one is None:
        return "-"
    error = ceil(100 * standard_error(one)) / 100
    return f"{_rms(one):.2f} ± {error:.2f} ({one['positions']:,})"


def with_tables(page: str, measured: Measured) -> str:
    """The page with its tables written again."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = "\n".join(page_lines(measured))
    return f"{before}{BEGIN}\n{lines}\n\n{END}{after}"


def main() -> None:
    """Write the notes, the race model's errors and the page."""
    measured: Measured = json.loads(MEASURED.read_text("utf-8"))
    package = files("cantstop.engine.evaluators")
    with as_file(package / "value" / FILE) as path:
        networks, notes = read_packed(path)
        errors = stated_errors(measured, NETWORKS)
        print(write_packed(path, networks, {**notes, "errors": errors}), "bytes")
        print(path.read_bytes().split(b"\n", 3)[2].decode())
    with as_file(package / "race" / "errors.json") as path:
        errors = stated_errors(measured, RACE)
        path.write_text(json.dumps(errors, indent=1) + "\n", "utf-8")
    PAGE.write_text(with_tables(PAGE.read_text("utf-8"), measured), "utf-8")


if __name__ == "__main__":
    main()
