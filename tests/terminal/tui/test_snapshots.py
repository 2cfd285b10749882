"""The screens look as they did when they were last reviewed; ``make snapshots`` renews them."""

import asyncio
from typing import Any

import pytest

from snapshots import FOLDER, IN_DOCS, SMALL, Snapshot, snapshots

ALL = list(snapshots())


@pytest.mark.parametrize("snapshot", ALL, ids=lambda snapshot: snapshot.path.stem)
def test_the_screen_is_as_reviewed(snapshot: Any) -> None:
    taken = asyncio.run(snapshot.take())
    assert taken == snapshot.path.read_text("utf-8"), "make snapshots, and look at the difference"


def test_no_picture_is_left_over() -> None:
    assert set(FOLDER.glob("*.svg")) == {snapshot.path for snapshot in ALL}


def test_the_picture_in_the_documentation_is_one_of_them() -> None:
    shown = Snapshot("table", SMALL, light=False).path
    assert IN_DOCS.read_text("utf-8") == shown.read_text("utf-8")


def test_pictures_need_nothing_from_elsewhere() -> None:
    for path in FOLDER.glob("*.svg"):
        text = path.read_text("utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "http" not in text
