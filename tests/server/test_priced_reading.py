"""What it costs to have a table read: loaded, folded, drawn; and who pays for a day's results."""

import asyncio
import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.draw import board_png
from cantstop.rules import Position, Rules
from cantstop.server import ServerOptions, create_app
from cantstop.server.http import insight
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import head_cost
from cantstop.server.runtime import pictures
from cantstop.server.work.turns import FairThread
from table_client import OPEN, human, open_table

NOBODY = "v1,players=2 -/- 1 - -"


@dataclass
class Priced:
    """A server, and what its requests are charged beyond one each."""

    client: TestClient
    charged: list[float] = field(default_factory=list)

    def cost(self, path: str, **more: Any) -> float:
        self.charged.clear()
        assert self.client.get(path, **more).status_code == 200
        return sum(self.charged)

    def forget(self, table: str) -> None:
        """As if nobody had been at the table for a while."""
        master = self.client.app.state.runtime.master  # type: ignore[attr-defined]
        master._cache.pop(table)
        master._idle.pop(table)


@pytest.fixture
def priced(url: str, web: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Priced]:
    with TestClient(create_app(ServerOptions(url, web=web))) as client:
        server = Priced(client)

        def charge(_: RateLimiter, _address: str, requests: float) -> None:
            server.charged.append(requests)

        monkeypatch.setattr(RateLimiter, "charge_request", charge)
        yield server


def new_table(server: Priced) -> str:
    return str(open_table(server.client, human(salt="a"), OPEN)["id"])


def test_a_picture_is_drawn_once_and_costs_more_than_one_that_is_known(
    priced: Priced, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Any] = []

    def counted(*args: Any, **options: Any) -> bytes:
        drawn.append(args)
        return board_png(*args, **options)

    monkeypatch.setattr(pictures, "board_png", counted)
    path = f"/api/tables/{new_table(priced)}/board.png"
    assert priced.cost(path) >= 5
    assert priced.cost(path) == 0
    assert len(drawn) == 1


@pytest.mark.anyio
async def test_a_picture_that_many_ask_for_at_once_is_drawn_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[Position] = []

    def counted(position: Position, **_: Any) -> bytes:
        drawn.append(position)
        return b"a picture"

    monkeypatch.setattr(pictures, "board_png", counted)
    one, position = pictures.Pictures(FairThread()), Position.initial(Rules())
    asked = [one.png(position, (0, 1), f"192.0.2.{number}") for number in range(20)]
    assert set(await asyncio.gather(*asked)) == {b"a picture"}
    assert drawn == [position]


@pytest.mark.parametrize("part", ["", "/events", "/record", "/board.svg", "/players"])
def test_to_load_a_table_is_charged_by_its_events(priced: Priced, part: str) -> None:
    seats = [human(name, salt=name) for name in ("Anne", "Bob")]
    table = str(open_table(priced.client, *seats, mode="hotseat")["id"])
    known = priced.cost(f"/api/tables/{table}{part}")
    priced.forget(table)
    again = priced.cost(f"/api/tables/{table}{part}")
    assert again > known if part != "/events" else again > 0


def test_a_long_head_is_charged_by_its_bytes(priced: Priced) -> None:
    assert priced.cost("/api/editions") == 0
    languages = priced.cost("/api/editions", headers={"Accept-Language": "a," * 5000})
    parameters = priced.cost("/api/editions?" + "a&" * 5000)
    assert min(languages, parameters) >= head_cost(10_000) > 3


def test_an_answer_that_is_not_compressed_is_made_piece_by_piece(
    priced: Priced, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(insight, "PIECE_BYTES", 100)
    asked: dict[str, Any] = {"params": {"position": NOBODY}}
    packed = priced.client.get("/api/analysis", **asked)
    plain = priced.client.get("/api/analysis", headers={"Accept-Encoding": "identity"}, **asked)
    assert "Content-Length" not in plain.headers
    assert plain.json() == packed.json()
    cost = priced.cost("/api/analysis", headers={"Accept-Encoding": "identity"}, **asked)
    assert cost == len(plain.content) / 100_000


@pytest.mark.anyio
async def test_its_pieces_are_the_whole() -> None:
    content = json.dumps([*range(100_000)]).encode()
    pieces = [piece async for piece in insight._unpacked(gzip.compress(content))]
    assert b"".join(pieces) == content
    assert max(map(len, pieces)) == insight.PIECE_BYTES


def test_who_reads_a_day_pays_for_what_is_not_known_of_it(
    priced: Priced, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[str] = []
    runtime = priced.client.app.state.runtime  # type: ignore[attr-defined]
    submit: Callable[..., Any] = runtime.pool.submit

    async def noted(*args: Any, **options: Any) -> Any:
        shares.append(options["share"])
        return await submit(*args, **options)

    monkeypatch.setattr(runtime.pool, "submit", noted)
    day = priced.client.get("/api/daily/archive").json()["days"][2]["day"]
    assert priced.cost(f"/api/daily/{day}") > 4
    assert shares == ["testclient"]
    assert priced.cost(f"/api/daily/{day}") == 0
