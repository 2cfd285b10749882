"""The file of drills: what the package has, and what is refused."""

import lzma
from hashlib import sha256
from pathlib import Path

import pytest

from cantstop.drills import (
    BadDrills,
    Drill,
    Topic,
    answers_in,
    package_drills,
    read_drills,
    topic_of,
    write_drills,
)
from cantstop.drills.file import MAGIC, TURN_UNITS, WIN_UNITS
from cantstop.engine import best_evaluator, hint
from cantstop.review import thresholds
from cantstop.rules import Choice, Phase

STOP = Drill("v1,players=2 -/6:5,7:6,8:5 1 6:6,7:7,8:6 -", Topic.OPENING, 1600, (0.471, 0.508))
MOVE = Drill(
    "v1,players=1 - 1 - 1266", Topic.OPENING, 1480, (-6.125, -5.5), (Choice.ROLL, Choice.STOP)
)


def test_what_is_written_is_read_the_easiest_first(tmp_path: Path) -> None:
    file = tmp_path / "drills.bin"
    size = write_drills(file, [STOP, MOVE], {"seed": 1})
    assert file.stat().st_size == size
    assert read_drills(file) == ((MOVE, STOP), {"seed": 1})


def packed(content: bytes) -> bytes:
    """A file with this content, however wrong that is."""
    stream = lzma.compress(content)
    return b"%s1\n%s\n%s" % (MAGIC, sha256(stream).hexdigest().encode(), stream)


LINE = b"stop 1612 4710,5080 v1,players=2 -/- 1 7:2 -"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"another program",
        MAGIC,
        MAGIC + b"2\nabc\n",
        MAGIC + b"1\nabc\nxyz",
        packed(b"{}\n" + LINE)[:-1],
        packed(b"{}\n" + LINE) + b"more",
        MAGIC + b"1\n%s\nno stream" % sha256(b"no stream").hexdigest().encode(),
        packed(b"[]\n"),
        packed(b"{}\n\xff"),
        packed(b"[" * 100_000),
        packed(b"{}\nnonsense"),
        packed(b"{}\nstop 1612 4710 v1,players=2 -/- 1 7:2 -"),
        packed(b"{}\nstop 1612 4710r,5080 v1,players=2 -/- 1 7:2 -"),
        packed(b"{}\nstop 99999 4710,5080 v1,players=2 -/- 1 7:2 -"),
        packed(b"{}\nguess 1612 4710,5080 v1,players=2 -/- 1 7:2 -"),
        packed(b"{}\n" + LINE + b"\n" + LINE),
        packed(b"{}\n" + LINE + b"\n" + LINE.replace(b"1612", b"1611").replace(b"7:2", b"7:3")),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "drills.bin"
    file.write_bytes(data)
    with pytest.raises(BadDrills, match=r"^drills\.bin [^\n]*\.$"):
        read_drills(file)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "drills.bin"
    file.write_bytes(packed(b"{}\n" + b" " * (17 << 20)))
    with pytest.raises(BadDrills):
        read_drills(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDrills):
        read_drills(tmp_path / "none")


# Those of the package


def test_there_are_thousands_of_every_kind() -> None:
    drills = package_drills()
    assert len(drills) >= 5000
    assert len({drill.id for drill in drills}) == len(drills)
    for topic in Topic:
        assert sum(drill.topic is topic for drill in drills) >= 300
    for players in range(1, 5):
        assert sum(f"players={players}" in drill.text for drill in drills) >= 300
    variants = {"early", "sharing=no-rest", "sharing=leapfrog", "win=4", "win=5"}
    for variant in variants:
        assert sum(variant in drill.text for drill in drills) >= 50


def test_every_drill_is_a_decision_with_one_answer_that_is_better_by_the_stated_margin() -> None:
    for drill in package_drills():
        position = drill.position
        unit = 1 / (TURN_UNITS if drill.is_solo else WIN_UNITS)
        assert str(position) == drill.text
        assert drill.topic is topic_of(position)
        assert len(answers_in(position)) == len(drill.worths) > 1
        assert len(drill.thens) == (len(drill.worths) if position.phase is Phase.MOVE else 0)
        least = thresholds(position.rules.players).inaccuracy
        error = best_evaluator(position.rules).error(position)
        assert error is not None
        assert drill.margin >= max(least, 5 * error.rms) - 1.01 * unit


@pytest.mark.parametrize("drill", package_drills()[::400], ids=lambda drill: drill.id)
def test_the_engine_says_the_same(drill: Drill) -> None:
    found = hint(drill.position)
    worths = {str(option.action): option.worth for option in found.options}
    unit = 1 / (TURN_UNITS if drill.is_solo else WIN_UNITS)
    for option in drill.options:
        name = str(option.answer)
        assert abs(worths[name] - option.worth) < 0.51 * unit
