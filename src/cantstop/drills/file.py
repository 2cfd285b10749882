"""The file of drills, written and read.

    cantstop drills                  a line that says what it is
    1                                the version of this format, a line
    5c1e…                            SHA-256 of all that follows, in hexadecimal, a line
    …                                an XZ stream

In the stream is text: a line of JSON, what its maker says of the drills; then a line for each drill
with its topic, its difficulty, what its answers are worth, and its position, in the order of the
difficulties:

    stop 1612 4710,5080 v1,players=2 -/6:5,7:6,8:5 1 6:6,7:7,8:6 -
    move 1480 5412r,5120s v1,players=2 -/- 1 - 1266

Worths are ten-thousandths of a win, alone thousandths of a turn; ``r`` or ``s`` after that of a
move says whether to roll or to stop then.

A file is not trusted: it is at most so large, so is what it unpacks to, and every line is checked.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path

from cantstop.drills.drill import Drill, Topic
from cantstop.files import write_atomically
from cantstop.language import message
from cantstop.rules import CantStopError, Choice
from cantstop.untrusted import BadFile, PackedFormat

FILE = "drills.bin"

MAGIC = b"cantstop drills\n"
VERSION = 1

FORMAT = PackedFormat(MAGIC, VERSION, max_file=4 << 20, max_content=16 << 20)

WIN_UNITS, TURN_UNITS = 10_000, 1_000
"""The units of a win and of a turn: a value is stored as a whole number of them."""

_LINE = re.compile(
    rf"({'|'.join(Topic)}) ([0-9]{{1,4}}) (-?[0-9]{{1,7}}[rs]?(?:,-?[0-9]{{1,7}}[rs]?)+) "
    r"(v[0-9]+,players=([1-4])[!-~]* [!-~]+ [1-4] [!-~]+ [!-~]+)"
)
_THEN = {"r": Choice.ROLL, "s": Choice.STOP}


class BadDrills(CantStopError):
    """A file of drills that cannot be used; the sentence says why."""


def write_drills(path: Path, drills: Iterable[Drill], notes: Mapping[str, object]) -> int:
    """Write drills into a file, in the order of their difficulties; returns its size in bytes."""
    ordered = sorted(drills, key=lambda drill: (drill.difficulty, drill.id))
    text = "\n".join([json.dumps(notes), *map(_line, ordered)]) + "\n"
    data = FORMAT.pack(text.encode())
    write_atomically(path, data)
    return len(data)


def _line(drill: Drill) -> str:
    units = TURN_UNITS if drill.is_solo else WIN_UNITS
    letters = [then.value[0] for then in drill.thens] or [""] * len(drill.worths)
    worths = ",".join(
        f"{round(worth * units)}{letter}"
        for worth, letter in zip(drill.worths, letters, strict=True)
    )
    return f"{drill.topic.value} {drill.difficulty} {worths} {drill.text}"


def read_drills(path: Path) -> tuple[tuple[Drill, ...], Mapping[str, object]]:
    """The drills of a file, the easiest first, and the notes that came with them.

    Raises:
        BadDrills: If the file is not one of drills.
    """
    head, _, rest = _content(path).partition("\n")
    try:
        notes = json.loads(head)
    except (ValueError, RecursionError):
        notes = None
    if not isinstance(notes, dict):
        raise BadDrills("{name} has a damaged header.", name=path.name)
    drills = tuple(_drill(path, line) for line in rest.splitlines())
    if len({drill.text for drill in drills}) < len(drills):
        raise BadDrills("{name} has a drill twice.", name=path.name)
    if any(one.difficulty > two.difficulty for one, two in pairwise(drills)):
        raise BadDrills("{name} does not have its drills in order.", name=path.name)
    return drills, notes


def _content(path: Path) -> str:
    """What a file unpacks to."""
    try:
        return FORMAT.read(path, message("{name} is not a file of drills.")).decode("ascii")
    except BadFile as bad:
        raise BadDrills(bad.template, name=path.name, **bad.fields) from None
    except UnicodeDecodeError:
        raise BadDrills("{name} cannot be unpacked.", name=path.name) from None


def _drill(path: Path, line: str) -> Drill:
    found = _LINE.fullmatch(line)
    if found is None:
        raise BadDrills(
            "{name} has a line that is not a drill: “{line}”.", name=path.name, line=line
        )
    topic, difficulty, listed, text, players = found.groups()
    parts = listed.split(",")
    thens = tuple(_THEN[part[-1]] for part in parts if part[-1] in _THEN)
    if thens and len(thens) != len(parts):
        raise BadDrills(
            "{name} has a line that is not a drill: “{line}”.", name=path.name, line=line
        )
    units = TURN_UNITS if players == "1" else WIN_UNITS
    return Drill(
        text,
        Topic(topic),
        int(difficulty),
        tuple(int(part.rstrip("rs")) / units for part in parts),
        thens,
    )


def package_lines() -> str:
    """The lines of the package's drills, as a browser reads them: without the maker's notes."""
    with as_file(files("cantstop.drills") / FILE) as path:
        return _content(path).partition("\n")[2]


@cache
def package_drills() -> tuple[Drill, ...]:
    """The drills that come with the package, the easiest first; made by ``research/drills``."""
    with as_file(files("cantstop.drills") / FILE) as path:
        return read_drills(path)[0]
