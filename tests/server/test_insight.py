"""Analyses, hints and reviews: what they say, who gets them, and what stays secret."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import cantstop
from cantstop import Position, read_record
from cantstop.engine import analyse, hint
from cantstop.language import Translator
from cantstop.review.story import Telling
from cantstop.review.text import decision_sentence
from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits, Rate
from cantstop.server.ops import metrics
from cantstop.server.runtime import daily
from cantstop.server.runtime.presence import Clocks
from cantstop.server.work import pool as pools
from cantstop.wire.insight import AnalysisAnswer, HintAnswer, HintPosition, analysis_view, hint_view
from cantstop.wire.review import ReviewAnswer
from slow_work import append, lines
from table_client import OPEN, at_table, bot, human, open_table, play_to_the_end, sit_down
from wire_json import as_json, checked

Json = dict[str, Any]

OPENING = "v1,players=2 -/- 1 - -"
CHOICE = "v1,players=2 7:4/6:9,8:3 1 6:1,7:6,8:2 -"
MOVE = "v1,players=3 7:4/6:9,8:3/- 2 - 1266"
NO_LIMITS = Limits().times(0)
SMALL = "v1,players=2,lengths=1.2.3.2.1"
"""A board on which nothing takes long."""


def refusal(answer: Any) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["message"]


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def look(server: TestClient, position: str, **headers: str) -> Any:
    return server.get("/api/analysis", params={"position": position}, headers=headers)


# Analyses


class TestAnalysis:
    @pytest.mark.parametrize(
        "position", [OPENING, CHOICE, MOVE, "v1,players=1 - 1 - -", f"{SMALL} 2:1,3:2,5:2/- 1 - -"]
    )
    def test_it_is_what_the_library_says(self, server: TestClient, position: str) -> None:
        found = checked(AnalysisAnswer, look(server, position))
        assert found == as_json(analysis_view(analyse(Position.parse(position))))

    def test_a_client_gets_it_packed_or_not_as_it_can_read_it(self, server: TestClient) -> None:
        packed = look(server, CHOICE, **{"Accept-Encoding": "gzip"})
        plain = look(server, CHOICE, **{"Accept-Encoding": "identity"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
        assert packed.json() == plain.json()

    @pytest.mark.parametrize(
        ("position", "status", "sentence"),
        [
            ("", 400, "A position has 5 fields"),
            ("rubbish", 400, "A position has 5 fields"),
            ("v1,players=2 7:4/- 3 - -", 400, "“3” is not a seat from 1 to 2"),
            ("v1,players=2 7:4/- 1 2:1,3:1,4:1,5:1 -", 422, "There are 4 runners"),
            ("v1,players=2 -/- 1 - 7777", 400, "In the dice of the position"),
            ("v1,players=2,runners=11 -/- 1 - -", 422, "as large as this one"),
            (f"v1,lengths={'.'.join(['99'] * 39)} -/- 1 - -", 422, "as large as this one"),
            (f"v1,lengths={'.'.join(['9'] * 999)} -/- 1 - -", 400, "“query.position”"),
        ],
    )
    def test_what_cannot_be_looked_at_gets_one_sentence(
        self, server: TestClient, position: str, status: int, sentence: str
    ) -> None:
        found, _, message = refusal(look(server, position))
        assert found == status
        assert sentence in message
        assert "\n" not in message

    def test_it_is_worked_out_once(self, server: TestClient) -> None:
        def worked() -> float:
            return float(metrics.INSIGHT.labels("analysis", "worked")._value.get())

        position = "v1,players=2 12:1/11:1 2 - -"
        first, before = look(server, position), worked()
        assert look(server, position).content == first.content
        assert worked() == before


# Hints


class TestHints:
    @pytest.mark.parametrize(
        ("table", "has_hints"),
        [
            ({"mode": "solo", "seats": [human()]}, True),
            ({"mode": "hotseat", "seats": [human(), human("Bob")]}, True),
            ({"mode": "online", "seats": [human(), bot()]}, True),
            ({"mode": "online", "seats": [OPEN, bot(), bot("bold")]}, True),
            ({"mode": "online", "seats": [human(), OPEN]}, False),
            ({"mode": "online", "seats": [human(), OPEN, bot()]}, False),
            ({"mode": "online", "seats": [human(), OPEN], "hints": True}, True),
            ({"mode": "solo", "seats": [human()], "hints": False}, False),
            ({"lesson": "basics", "name": "Anne"}, False),
        ],
    )
    def test_where_they_are_allowed(self, server: TestClient, table: Json, has_hints: bool) -> None:
        opened = server.post("/api/tables", json=table).json()
        assert opened["state"]["hints"] is has_hints

    def test_the_seat_that_is_to_decide_gets_one_and_all_know_of_the_first(
        self, server: TestClient
    ) -> None:
        opened = open_table(server, human(salt="a"), OPEN, hints=True)
        seated = sit_down(server, opened["id"], "Bob", salt="b")
        ask = partial(server.get, f"/api/tables/{opened['id']}/hint")
        with (
            at_table(server, opened["id"], opened["secret"]) as anne,
            at_table(server, opened["id"], seated["secret"]) as bob,
        ):
            anne.act("roll", 0)
            found = checked(HintAnswer, ask(headers=bearer(opened["secret"])))
            position = Position.parse(anne.view["position"])
            assert found == {
                "n": anne.n,
                **as_json(hint_view(hint(position))),
            }
            told = bob.hear_event("hinted")
            assert (told["n"], told["seat"], told["data"]) == (found["n"] + 1, 0, {})
            again = checked(HintAnswer, ask(headers=bearer(opened["secret"])))
            assert again == {**found, "n": found["n"] + 1}
            assert refusal(ask(headers=bearer(seated["secret"])))[:2] == (409, "not-your-turn")
            anne.act("move", 0, move=found["options"][0]["move"])
            bob.catch_up(anne.n)
            assert bob.kinds.count("hinted") == 1
        record = read_record(server.get(f"/api/tables/{opened['id']}/record").text)
        assert record.hints == (0,)

    def test_a_client_that_works_it_out_itself_is_told_the_position_and_all_know(
        self, server: TestClient
    ) -> None:
        opened = open_table(server, human(salt="a"), OPEN, hints=True)
        seated = sit_down(server, opened["id"], "Bob", salt="b")
        ask = partial(server.post, f"/api/tables/{opened['id']}/hint")
        with (
            at_table(server, opened["id"], opened["secret"]) as anne,
            at_table(server, opened["id"], seated["secret"]) as bob,
        ):
            anne.act("roll", 0)
            found = checked(HintPosition, ask(headers=bearer(opened["secret"])))
            assert found == {"n": anne.n, "position": anne.view["position"]}
            told = bob.hear_event("hinted")
            assert (told["n"], told["seat"]) == (found["n"] + 1, 0)
            assert refusal(ask(headers=bearer(seated["secret"])))[:2] == (409, "not-your-turn")
        assert refusal(ask())[:2] == (403, "wrong-secret")

    def test_who_holds_no_seat_gets_none(self, server: TestClient) -> None:
        opened = open_table(server, human(salt="a"), bot())
        address = f"/api/tables/{opened['id']}/hint"
        assert refusal(server.get(address))[:2] == (403, "wrong-secret")
        assert refusal(server.get(address, headers=bearer("x" * 32)))[:2] == (403, "wrong-secret")
        unknown = server.get("/api/tables/nowhere/hint", headers=bearer("x" * 32))
        assert refusal(unknown)[:2] == (404, "table-unknown")
        assert "hinted" not in [entry["kind"] for entry in self.log(server, opened["id"])]

    @staticmethod
    def log(server: TestClient, table: str) -> Any:
        return server.get(f"/api/tables/{table}").json()["log"]

    def test_none_without_a_decision(self, server: TestClient) -> None:
        seats = [human(salt="a"), human("Bob", salt="b")]
        hint_off = open_table(server, *seats, mode="hotseat", hints=False)
        not_begun = open_table(server, human(salt="a"), OPEN, hints=True)
        roll_off = open_table(server, *seats, mode="hotseat", edition="custom", start="roll-off")
        for opened, sentence in (
            (hint_off, "This table was opened without hints."),
            (not_begun, "The game has not begun: seats are still free."),
            (roll_off, "There is nothing to decide before the start."),
        ):
            asked = server.get(f"/api/tables/{opened['id']}/hint", headers=bearer(opened["secret"]))
            assert refusal(asked) == (409, "not-now", sentence)

    def test_none_for_a_seat_that_a_bot_plays_for(self, server: TestClient) -> None:
        opened = open_table(server, human(salt="a"), OPEN, hints=True)
        seated = sit_down(server, opened["id"], "Bob", salt="b")
        with at_table(server, opened["id"], seated["secret"]) as bob:
            bob.act("substitute", 1, absent=0)
            asked = server.get(f"/api/tables/{opened['id']}/hint", headers=bearer(opened["secret"]))
        assert refusal(asked)[:2] in ((409, "not-now"), (409, "not-your-turn"))

    def test_a_rematch_has_them_too(self, server: TestClient) -> None:
        opened = open_table(
            server, human(salt="a"), bot(), hints=True, edition="custom", win=1, mode="hotseat"
        )
        with at_table(server, opened["id"], opened["secret"]) as player:
            play_to_the_end(player)
            player.act("rematch", 0)
        asked = server.get(f"/api/tables/{opened['id']}/hint", headers=bearer(opened["secret"]))
        assert refusal(asked) == (409, "not-now", "The game is over.")
        following = server.get(f"/api/tables/{opened['id']}").json()["next"]
        assert server.get(f"/api/tables/{following}").json()["hints"] is True

    def test_a_hint_that_was_had_is_not_forgotten_by_a_restart(self, url: str, web: Path) -> None:
        options = ServerOptions(url, pace=0, web=web, clocks=Clocks(600, 0, 0), limits=NO_LIMITS)
        with TestClient(create_app(options)) as server:
            opened = open_table(server, human(salt="a"), mode="solo")
            address, mine = f"/api/tables/{opened['id']}", bearer(opened["secret"])
            assert server.get(f"{address}/hint", headers=mine).status_code == 200
        with TestClient(create_app(options)) as server:
            assert server.get(f"{address}/hint", headers=mine).status_code == 200
            kinds = [entry["kind"] for entry in server.get(address).json()["log"]]
            assert kinds.count("hinted") == 1
            assert '[Hints "1"]' in server.get(f"{address}/record").text


# Reviews


@pytest.fixture(scope="module")
def finished(server: TestClient) -> str:
    """A table whose game is over; there was table talk in between."""
    seats = [human(salt="a"), human("Bob", salt="b")]
    opened = open_table(server, *seats, mode="hotseat", edition="custom", win=1)
    with at_table(server, opened["id"], opened["secret"]) as player:
        player.act("roll", 0)
        player.act("react", 1, reaction="gasp")
        play_to_the_end(player)
    table: str = opened["id"]
    return table


class TestReviews:
    def test_it_is_what_the_library_says_with_the_tables_events(
        self, server: TestClient, finished: str
    ) -> None:
        answer = server.get(f"/api/tables/{finished}/review")
        found = checked(ReviewAnswer, answer)
        record = read_record(server.get(f"/api/tables/{finished}/record").text)
        review = cantstop.review(record)
        assert found["names"] == ["Anne", "Bob"]
        assert [moment["win"] for moment in found["moments"]] == [
            list(moment.worths) for moment in review.moments
        ]
        assert [one["why"] for one in found["decisions"]] == [
            decision_sentence(Translator(), one) if one.grade.is_error else None
            for one in review.decisions
        ]
        log = server.get(f"/api/tables/{finished}/events").json()["events"]
        assert "reacted" in [event["kind"] for event in log]
        for moment in found["moments"]:
            assert log[moment["event"] - 1]["view"]["position"] == moment["position"]

    def test_its_sentences_are_in_the_readers_language(
        self, server: TestClient, finished: str
    ) -> None:
        address = f"/api/tables/{finished}/review"
        english, german = (server.get(f"{address}?lang={code}").json() for code in ("en", "de"))
        record = read_record(server.get(f"/api/tables/{finished}/record").text)
        errors = [one for one in cantstop.review(record).decisions if one.grade.is_error]
        said = [one["why"] for one in german["decisions"] if one["why"] is not None]
        assert said == [decision_sentence(Translator("de"), one) for one in errors]
        telling = Telling(cantstop.review(record), Translator("de"))
        assert (german["headline"], german["verdict"]) == (telling.headline(), telling.verdict())
        assert [[one["text"] for one in told] for told in german["story"]] == [
            [one.text for one in telling.moments(seat)] for seat in range(len(record.names))
        ]
        for review in (english, german):
            for decision in review["decisions"]:
                del decision["why"]
            for key in ("headline", "verdict", "story"):
                del review[key]
        assert english == german

    def test_none_of_a_game_that_goes_on(self, server: TestClient) -> None:
        opened = open_table(server, human(salt="a"), bot())
        answer = server.get(f"/api/tables/{opened['id']}/review", headers=bearer(opened["secret"]))
        sentence = "There is a review once the game is over."
        assert refusal(answer) == (409, "not-now", sentence)
        assert refusal(server.get("/api/tables/nowhere/review"))[:2] == (404, "table-unknown")

    def test_a_record_gets_the_review_of_its_table(self, server: TestClient, finished: str) -> None:
        record = server.get(f"/api/tables/{finished}/record").text
        of_table = server.get(f"/api/tables/{finished}/review").json()
        for moment in of_table["moments"]:
            moment["event"] = None  # of a record, not of a table
        assert checked(ReviewAnswer, server.post("/api/review", content=record)) == of_table

    def test_a_game_that_is_not_over_and_one_of_one_player(self, server: TestClient) -> None:
        text = '[Cantstop "1"]\n[Rules "v1,players=1"]\n\n1. (1) 1266=7+8 stop\n2. (1) 12'
        found = checked(ReviewAnswer, server.post("/api/review", content=text))
        assert found["winners"] is None
        assert len(found["moments"]) == 4

    @pytest.mark.parametrize(
        ("text", "status", "sentence"),
        [
            ("", 400, "The record has no header “Cantstop”."),
            ("\x00" * 1000, 400, "Line 1"),
            ('[Cantstop "1"]\n[Rules "v1"]\n\n1. (1) 1266=9+9 stop\n*\n', 422, "Line 4"),
            ('[Cantstop "1"]\n[Rules "v1,players=9"]\n\n*\n', 422, "Line 2"),
            ('[Cantstop "1"]\n[Rules "v1"]\n\n*\n' * 2, 400, "one record here, not 2"),
            ('[Cantstop "1"]\n[Rules "v1,runners=11"]\n\n*\n', 422, "as large as this one"),
            ('[Cantstop "1"]\n[Rules "v1"]\n[Hints "2,1"]\n\n*\n', 400, "Line 3"),
            ("1" * 70_000, 413, "65536"),
            (b"\xff\xfe", 400, "UTF-8"),
        ],
    )
    def test_a_hostile_record_gets_one_sentence(
        self, server: TestClient, text: str | bytes, status: int, sentence: str
    ) -> None:
        found, _, message = refusal(server.post("/api/review", content=text))
        assert found == status
        assert sentence in message
        assert "\n" not in message


# The pool behind it: a real one, whose only process is kept busy for as long as a test needs


@dataclass
class Call:
    """A request whose client may go away."""

    app: FastAPI
    path: str
    address: str
    query: Json = field(default_factory=dict)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    status: int = 0
    headers: dict[bytes, bytes] = field(default_factory=dict)
    body: bytes = b""
    posted: bytes | None = None

    async def __call__(self) -> "Call":
        sent = False

        async def receive() -> Json:
            nonlocal sent
            if sent:
                await self.gone.wait()
                return {"type": "http.disconnect"}
            sent = True
            return {"type": "http.request", "body": self.posted or b""}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.status, self.headers = message["status"], dict(message["headers"])
            else:
                self.body += message.get("body", b"")

        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET" if self.posted is None else "POST",
            "scheme": "http",
            "path": self.path,
            "raw_path": self.path.encode(),
            "query_string": urlencode(self.query).encode(),
            "headers": [
                (b"host", b"localhost"),
                (b"accept-encoding", b"gzip"),
                (b"authorization", b"Bearer of-a-device"),
                (b"content-type", b"application/json"),
            ],
            "client": (self.address, 50_000),
            "server": ("localhost", 80),
        }
        await self.app(scope, receive, send)
        return self

    def json(self) -> Any:
        packed = self.headers.get(b"content-encoding") == b"gzip"
        return json.loads(gzip.decompress(self.body) if packed else self.body)


@dataclass
class Busy:
    """A server whose only process does nothing until it is let go."""

    app: FastAPI
    file: Path
    go: Path

    def analysis(self, position: str, address: str) -> Call:
        return Call(self.app, "/api/analysis", address, {"position": position})

    @property
    def queued(self) -> int:
        queued: int = self.app.state.runtime.pool.queued
        return queued

    async def until_queued(self, count: int) -> None:
        while self.queued != count:
            await asyncio.sleep(0.001)

    @asynccontextmanager
    async def kept_busy(self) -> AsyncIterator[None]:
        pool = self.app.state.runtime.pool
        work = pool.submit(
            append,
            (str(self.file), "busy", str(self.go)),
            key="busy",
            share="somebody",
            seconds=600,
        )
        task = asyncio.create_task(work)
        await lines(self.file, 1)
        try:
            yield
        finally:
            self.go.touch()
            await task


@pytest.fixture
def serve(tmp_path: Path, web: Path) -> Callable[..., Any]:
    @asynccontextmanager
    async def serve(limits: Limits = NO_LIMITS) -> AsyncIterator[Busy]:
        app = create_app(ServerOptions(f"sqlite:///{tmp_path / 'x.db'}", web=web, limits=limits))
        async with app.router.lifespan_context(app):
            yield Busy(app, tmp_path / "file", tmp_path / "go")

    return serve


def some_position(number: int) -> str:
    """One of many positions on a small board."""
    columns = [f"{column}:1" for column in range(2, 7) if number >> column - 2 & 1]
    return f"{SMALL},win=5 -/{','.join(columns) or '-'} 1 - -"


@pytest.mark.anyio
class TestPool:
    async def test_a_flood_from_one_address_does_not_come_before_anothers(
        self, serve: Callable[..., Any]
    ) -> None:
        done: list[str] = []

        async def ask(call: Call) -> None:
            assert (await call()).status == 200
            done.append(call.address)

        async with serve() as server:
            async with server.kept_busy():
                flood = [server.analysis(some_position(at), "192.0.2.1") for at in range(30)]
                tasks = [asyncio.create_task(ask(call)) for call in flood]
                await server.until_queued(30)
                tasks.append(asyncio.create_task(ask(server.analysis(CHOICE, "192.0.2.2"))))
                await server.until_queued(31)
            await asyncio.gather(*tasks)
        assert done.index("192.0.2.2") <= 2

    async def test_what_nobody_waits_for_is_cancelled(self, serve: Callable[..., Any]) -> None:
        async with serve() as server, server.kept_busy():
            first, second = (server.analysis(CHOICE, f"192.0.2.{at}") for at in (1, 2))
            tasks = [asyncio.create_task(call()) for call in (first, second)]
            while server.app.state.runtime.pool.waiting != 3:  # with who keeps it busy
                await asyncio.sleep(0.001)
            assert server.queued == 1  # two who ask for the same: one piece of work
            first.gone.set()
            await tasks[0]
            assert server.queued == 1
            second.gone.set()
            await tasks[1]
            await server.until_queued(0)
            assert [first.status, second.status] == [499, 499]

    async def test_too_much_at_once_is_refused_in_one_sentence(
        self, serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pools, "MOST_QUEUED_OF_SHARE", 2)
        async with serve() as server, server.kept_busy():
            waiting = [server.analysis(some_position(at), "192.0.2.1") for at in range(2)]
            tasks = [asyncio.create_task(call()) for call in waiting]
            await server.until_queued(2)
            refused = await server.analysis(some_position(2), "192.0.2.1")()
            assert refused.status == 429
            assert refused.headers[b"retry-after"] == b"2"
            sentence = "The server is too busy just now: try again in 2 s."
            assert refused.json()["error"] == {"code": "too-many", "message": sentence}
            other = server.analysis(some_position(2), "192.0.2.2")
            tasks.append(asyncio.create_task(other()))
            await server.until_queued(3)
            server.go.touch()
            answers = await asyncio.gather(*tasks)
            assert [answer.status for answer in answers] == [200, 200, 200]

    async def test_it_costs_more_than_a_plain_request_and_what_is_known_does_not(
        self, serve: Callable[..., Any]
    ) -> None:
        async with serve(Limits(requests=Rate(0.001, 12))) as server:
            for _ in range(3):
                assert (await server.analysis(CHOICE, "192.0.2.1")()).status == 200
            assert (await server.analysis(MOVE, "192.0.2.1")()).status == 200
            refused = await server.analysis(CHOICE, "192.0.2.1")()
            assert (refused.status, refused.json()["error"]["code"]) == (429, "too-many")
            assert (await server.analysis(CHOICE, "192.0.2.2")()).status == 200

    async def test_the_daily_game_of_a_day_does_not_wait_for_a_pool_that_has_no_time(
        self, serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(daily, "PATIENCE", 0.0)
        async with serve() as server, server.kept_busy():
            yesterday = (await Call(server.app, "/api/daily/archive", "192.0.2.1")()).json()["days"]
            day = yesterday[5]["day"]  # its key is revealed, so what best play comes to is shown
            found = await Call(server.app, f"/api/daily/{day}", "192.0.2.1")()
            assert (found.status, found.json()["best"]) == (200, None)
            await server.until_queued(1)
            await Call(server.app, f"/api/daily/{day}", "192.0.2.1")()
            assert server.queued == 1  # it is being found out already
