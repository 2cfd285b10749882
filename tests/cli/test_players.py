"""``cantstop players``: what an operator sees and does, while nobody has to stop a server."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cantstop.server.database import players
from cantstop.server.database.sql import open_database
from cantstop.server.tables.players import Device, Player
from cantstop.server.tables.seating import hashed

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture
def club(tmp_path: Path, run: Callable[..., tuple[int, str, str]]) -> Callable[..., Any]:
    """Runs the command on a database with Anne and Bob."""
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def begin() -> None:
        async with open_database(url) as storage:
            for name in ("Anne", "Bob"):
                player = Player(name.ljust(12, "x"), name, 0, public=False, created_at=NOON)
                device = Device(name, "", NOON, NOON, hashed(name))
                await storage.write(partial(players.add_player, player=player, device=device))

    asyncio.run(begin())
    return lambda *arguments: run("players", *arguments, "--database", url)


def listed(club: Callable[..., Any]) -> dict[str, Any]:
    return {one["name"]: one for one in json.loads(club("list", "--json")[1])}


def test_they_are_listed_renamed_and_excluded(club: Callable[..., Any]) -> None:
    assert club()[1].splitlines() == ["Annexxxxxxxx  Anne: 0 games", "Bobxxxxxxxxx  Bob: 0 games"]
    assert club("rename", "Anne", "Hanna")[:2] == (0, "Anne has a new name: Hanna\n")
    assert club("exclude", "Bob")[:2] == (0, "Bob is excluded from lobby and ratings.\n")
    assert [one["excluded"] for one in listed(club).values()] == [False, True]
    assert club("include", "Bobxxxxxxxxx")[0] == 0
    assert not listed(club)["Bob"]["excluded"]
    done = json.loads(club("log", "--json")[1])
    assert [act["what"] for act in done] == ["include", "exclude", "rename"]


def test_a_name_that_another_has_is_refused(club: Callable[..., Any]) -> None:
    code, _, err = club("rename", "Anne", "B o b")
    assert code == 2
    assert err == "cantstop: Another player has the name “B o b”, or one like it.\n"
    assert club("erase", "Nobody")[2] == (
        "cantstop: There is no such player here, or they keep to themselves.\n"
    )


def test_one_is_exported_and_erased(club: Callable[..., Any]) -> None:
    export = json.loads(club("export", "Anne")[1])
    assert export["player"]["name"] == "Anne"
    assert [device["id"] for device in export["player"]["devices"]] == ["Anne"]
    assert club("erase", "Anne", "--json")[0] == 0
    assert set(listed(club)) == {"Bob"}
    assert "Anne" not in json.loads(club("log", "--json")[1])[0]["what"]
    assert club("reports")[1] == "Nothing was reported.\n"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["list", "Anne"], "“Anne” cannot be used here."),
        (["exclude"], "Which player? Give the name, or the id."),
        (["rename", "Anne"], "Give the new name, too."),
        (["erase", "Anne", "Bob"], "“Bob” cannot be used here."),
    ],
)
def test_what_is_missing_or_too_much(
    club: Callable[..., Any], arguments: list[str], error: str
) -> None:
    assert club(*arguments) == (2, "", f"cantstop: {error}\n")
