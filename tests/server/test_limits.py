"""Limits: what is refused, how it is said, and who never meets them."""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cantstop.server import ServerOptions, create_app
from cantstop.server.errors import LimitExceeded
from cantstop.server.http.proxies import client_address
from cantstop.server.limits import limiter, token_buckets
from cantstop.server.limits.policy import Cap, Limits, Rate
from cantstop.server.limits.token_buckets import TokenBucket, TokenBuckets
from cantstop.server.runtime.presence import Clocks
from table_client import OPEN, Refusal, at_table, bot, human, open_table, sit_down

PAGE_LOAD = (
    "/",
    "/static/app.css",
    "/static/app.js",
    "/static/words/de/app.json",
    "/static/icons/icon.svg",
    "/static/manifest.webmanifest",
    "/static/table-panels-lobby.js",
    "/static/style/opponents.css",
    "/static/style/lobby.css",
    "/static/words/de/table-panels-lobby.json",
    "/api/editions",
)
"""What a browser that was never here before asks for at once."""


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> Any:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stopped = Clock()
    monkeypatch.setattr(limiter, "monotonic", stopped)
    return stopped


@pytest.fixture
def limited(url: str, web: Path, clock: Clock) -> Iterator[Any]:  # noqa: ARG001
    """A server with tight limits, and a way to ask it from any address."""
    limits = Limits(
        requests=Rate(1, 60),
        tables=Rate(0.1, 3),
        sockets=Cap(4),
        watchers=Cap(3),
        seat_sockets=Cap(2),
        actions=Rate(1, 6),
        address_actions_a_day=Rate(0.02, 8),
        reactions=Rate(0.1, 3),
        messages=Rate(2, 5),
        refusals=Rate(2, 10),
    )
    app = create_app(ServerOptions(url, pace=0, web=web, clocks=Clocks(600, 0, 0), limits=limits))
    with TestClient(app) as server:

        def client(address: str = "192.0.2.1") -> TestClient:
            there = TestClient(app, client=(address, 50000))
            there.portal = server.portal
            return there

        yield client


def refused(answer: Any) -> tuple[Any, Any, Any]:
    return answer.status_code, answer.json()["error"]["code"], answer.headers.get("retry-after")


class TestBucket:
    @given(st.integers(1, 5), st.integers(1, 8), st.lists(st.integers(0, 9), max_size=60))
    def test_it_gives_what_a_bucket_of_tokens_gives(
        self, every: Any, burst: Any, pauses: Any
    ) -> None:
        bucket, tokens, now = TokenBucket(Rate(1 / every, burst)), burst * every, 0
        for pause in pauses:
            now += pause
            tokens = min(burst * every, tokens + pause)  # counted in parts, so that they are whole
            wait = bucket.take(now)
            if tokens >= every:
                tokens -= every
                assert wait == 0
            else:
                assert wait == pytest.approx(every - tokens)

    def test_a_token_can_be_taken_before_it_is_due(self) -> None:
        one = TokenBucket(Rate(10, 2))
        assert [one.reserve(5) for _ in range(4)] == pytest.approx([0, 0, 0.1, 0.2])
        assert one.take(5.2) == pytest.approx(0.1)
        assert one.reserve(5.3) == pytest.approx(0)
        assert TokenBuckets(Rate(1, inf)).reserve("anybody", 0) == 0

    def test_those_that_are_full_again_are_dropped(self) -> None:
        many = TokenBuckets(Rate(10, 20))
        for number in range(5000):
            many.take(str(number), number / 1000)
        assert len(many) <= 101  # one token is back after a tenth of a second
        for _ in range(20):
            many.take("greedy", 5)
        many.take("another", 6.9)
        assert many.take("greedy", 6.9) == 0
        assert many.take("greedy", 5.0) > 0

    def test_there_are_never_more_than_so_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(token_buckets, "MAX_BUCKETS", 100)
        many = TokenBuckets(Rate(1, 2))
        for number in range(1000):
            many.take(str(number), 0)
        assert len(many) == 100


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1:2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("testclient", "testclient", True),
    ],
)
def test_a_household_is_one_address(one: str, other: str, same: bool) -> None:
    def address(host: str) -> Any:
        return client_address(Request({"type": "http", "client": (host, 1)}))

    assert (address(one) == address(other)) is same


def test_without_an_address_everybody_is_one() -> None:
    assert client_address(Request({"type": "http", "client": None})) == ""


class TestRequests:
    def test_too_many_are_told_when_to_come_back(self, limited: Any, clock: Clock) -> None:
        client = limited()
        for _ in range(60):
            assert client.get("/api/editions").status_code == 200
        answer = client.get("/api/editions", headers={"Accept-Language": "de"})
        assert refused(answer) == (429, "too-many", "1")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.json()["error"]["message"] != (
            "Too many requests from your address: try again in 1 s."
        )
        assert limited("192.0.2.2").get("/api/editions").status_code == 200
        clock.now += 1
        assert client.get("/api/editions").status_code == 200
        assert client.get("/api/editions").status_code == 429

    def test_a_monitor_may_always_ask(self, limited: Any) -> None:
        client = limited()
        for _ in range(61):
            client.get("/")
        assert client.get("/").status_code == 429
        assert client.get("/metrics").status_code == 404

    def test_tables_have_a_limit_of_their_own(self, limited: Any, clock: Clock) -> None:
        client = limited()
        for _ in range(3):
            open_table(client, human(), OPEN)
        request = {"mode": "online", "seats": [human(), OPEN]}
        answer = client.post("/api/tables", json=request)
        assert refused(answer) == (429, "too-many", "10")
        assert client.get("/api/editions").status_code == 200
        clock.now += 10
        assert client.post("/api/tables", json=request).status_code == 201

    def test_a_rematch_is_a_table_too(self, limited: Any) -> None:
        """Whoever resigns from one after the other would else open as many as they like."""
        opened = open_table(limited(), human("Anne", salt="a"), bot())
        table = opened["id"]
        for _ in range(2):
            with at_table(limited(), table, opened["secret"]) as anne:
                seat = anne.state["you"][0]
                anne.act("resign", seat)
                anne.act("rematch", seat)
                table = anne.events[-1]["data"]["table"]
        with at_table(limited(), table, opened["secret"]) as anne:
            seat = anne.state["you"][0]
            anne.act("resign", seat)
            with pytest.raises(Refusal, match="Too many tables"):
                anne.act("rematch", seat)


class TestSockets:
    def closing(self, client: Any, table: Any) -> tuple[Any, Any, Any, Any]:
        with client.websocket_connect(f"/api/tables/{table}/socket") as socket:
            socket.send_json({"t": "hello", "d": {}})
            message = socket.receive_json()
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
        return message["t"], message["d"]["id"], message["d"]["error"]["code"], closed.value.code

    def test_a_table_has_so_many_watchers(self, limited: Any) -> None:
        client = limited()
        table = open_table(client, human(), OPEN)["id"]
        with at_table(client, table), at_table(client, table):
            with at_table(client, table):
                other = limited("192.0.2.9")
                assert self.closing(other, table) == ("refused", None, "too-many", 4420)
            with at_table(client, table) as watcher:
                assert watcher.presence["watchers"] == 3

    def test_watchers_do_not_keep_a_player_out(self, limited: Any) -> None:
        crowd, home = limited("192.0.2.9"), limited()
        opened = open_table(home, human(salt="a"), OPEN)
        table = opened["id"]
        with at_table(crowd, table), at_table(crowd, table), at_table(crowd, table):
            assert self.closing(home, table) == ("refused", None, "too-many", 4420)
            with at_table(home, table, opened["secret"]) as player:
                assert player.state["you"] == [0]
                assert player.presence["seats"] == [True, False]

    def test_a_place_is_taken_with_the_hello_only(self, limited: Any) -> None:
        crowd, home = limited("192.0.2.9"), limited()
        table = open_table(home, human(), OPEN)["id"]
        address = f"/api/tables/{table}/socket"
        with ExitStack() as silent:
            for _ in range(4):
                silent.enter_context(crowd.websocket_connect(address))
            with at_table(home, table) as watcher:
                assert watcher.presence["watchers"] == 1

    def test_a_seat_has_so_many_sockets(self, limited: Any) -> None:
        client = limited()
        opened = open_table(client, human(salt="a"), OPEN)
        with (
            at_table(client, opened["id"], opened["secret"]),
            at_table(client, opened["id"], opened["secret"]),
            client.websocket_connect(f"/api/tables/{opened['id']}/socket") as third,
        ):
            third.send_json({"t": "hello", "d": {"secret": opened["secret"]}})
            assert third.receive_json()["d"]["error"]["code"] == "too-many"

    def test_an_address_has_so_many_sockets(self, limited: Any) -> None:
        client = limited()
        tables = [open_table(client, human(), OPEN)["id"] for _ in range(2)]
        with at_table(client, tables[0]), at_table(client, tables[0]), at_table(client, tables[1]):
            with at_table(client, tables[1]):
                assert self.closing(client, tables[1]) == ("refused", None, "too-many", 4420)
                with at_table(limited("192.0.2.9"), tables[1]) as other:
                    assert other.presence["watchers"] == 3
            with at_table(client, tables[1]) as again:
                assert again.presence["watchers"] == 2

    def test_coming_and_going_all_the_time_is_three_requests_each_time(self, limited: Any) -> None:
        client = limited()
        table = open_table(client, human(), OPEN)["id"]
        for _ in range(20):
            with at_table(client, table):
                pass
        assert self.closing(client, table) == ("refused", None, "too-many", 4420)


class TestMessages:
    @pytest.fixture
    def table(self, limited: Any) -> dict[str, Any]:
        return open_table(limited(), human(salt="a"), human("Bob", salt="b"), mode="hotseat")

    def test_an_action_too_soon_is_refused_and_not_done(
        self, limited: Any, table: dict[str, Any], clock: Clock
    ) -> None:
        with at_table(limited(), table["id"], table["secret"]) as player:
            for _ in range(5):
                player.socket.send_text('{"t": "ping"}')
                player.hear()
            before = player.n
            with pytest.raises(Refusal) as caught:
                player.act("roll", 0, action="too-soon")
            assert caught.value.code == "too-many"
            clock.now += 0.5
            assert player.act("roll", 0, action="too-soon") == before + 1

    def test_a_seat_has_a_limit_over_all_its_sockets(
        self, limited: Any, table: dict[str, Any], clock: Clock
    ) -> None:
        def act(player: Any, kind: str, **more: Any) -> Any:
            try:
                player.act(kind, 0, **more)
            except Refusal as refused:
                return refused.code
            return "accepted"

        with (
            at_table(limited(), table["id"], table["secret"]) as phone,
            at_table(limited(), table["id"], table["secret"]) as laptop,
            at_table(limited("192.0.2.9"), table["id"]) as watcher,
        ):
            devices = (phone, laptop) * 2
            reactions = [act(device, "react", reaction="cheer") for device in devices]
            assert reactions == ["accepted"] * 3 + ["too-many"]
            assert act(watcher, "react", reaction="cheer") == "not-your-seat"
            assert act(phone, "roll") == "accepted"
            assert act(laptop, "stop") == "illegal"
            assert act(phone, "stop") == "too-many"
            clock.now += 1
            assert act(laptop, "stop") == "illegal"
            assert act(phone, "react", reaction="cheer") == "too-many"

    def test_nobody_uses_up_what_another_seat_has(
        self, limited: Any, table: dict[str, Any]
    ) -> None:
        with (
            at_table(limited(), table["id"], table["secret"]) as player,
            at_table(limited("192.0.2.9"), table["id"]) as watcher,
        ):
            for _ in range(5):
                with pytest.raises(Refusal) as caught:
                    watcher.act("react", 0, reaction="cheer")
                assert caught.value.code == "not-your-seat"
            for _ in range(3):
                player.act("react", 0, reaction="cheer")

    def test_an_address_has_a_limit_over_all_its_seats(
        self, limited: Any, table: dict[str, Any], clock: Clock
    ) -> None:
        other = open_table(limited(), human(salt="a"), human("Bob", salt="b"), mode="hotseat")
        with (
            at_table(limited(), table["id"], table["secret"]) as here,
            at_table(limited(), other["id"], other["secret"]) as there,
            at_table(limited("192.0.2.9"), other["id"], other["secret"]) as elsewhere,
        ):
            for seat in range(4):
                here.act("react", seat % 2, reaction="cheer")
            for seat in range(4):
                there.act("react", seat % 2, reaction="cheer")
            with pytest.raises(Refusal) as caught:
                there.act("roll", 0)
            assert caught.value.code == "too-many"
            elsewhere.act("roll", 0)
            clock.now += 1
            with pytest.raises(Refusal, match="address"):
                here.act("roll", 0)
            clock.now += 100
            here.act("roll", 0)

    def test_what_an_address_sends_over_all_its_sockets_waits_until_it_is_due(
        self, clock: Clock
    ) -> None:
        one = limiter.RateLimiter(Limits(address_messages=Rate(10, 4)))
        with one.socket("here") as phone, one.socket("here") as laptop, one.socket("there") as far:
            both = (phone, laptop) * 3
            assert [socket.delay() for socket in both] == pytest.approx([0, 0, 0, 0, 0.1, 0.2])
            assert not phone.is_answered_at_once()
            assert (far.delay(), far.is_answered_at_once()) == (0, True)
            clock.now += 0.3
            assert laptop.is_answered_at_once()
            assert not phone.is_answered_at_once()

    def test_actions_of_bots_wait_by_the_second_and_by_the_day(self, clock: Clock) -> None:
        rates = Limits(bot_actions=Rate(10, 2), bot_actions_a_day=Rate(0.5, 4))
        one = limiter.RateLimiter(rates)
        delays = [one.bot_delay("here") for _ in range(5)]
        assert delays == pytest.approx([0, 0, 0.1, 0.2, 2])
        assert one.bot_delay("there") == 0
        clock.now += 100
        assert one.bot_delay("here") == 0

    def test_actions_of_bots_count_for_a_player_at_their_table(
        self, limited: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        counted: list[str] = []

        def bot_delay(_: object, address: str) -> float:
            counted.append(address)
            return 0.0

        monkeypatch.setattr(limiter.RateLimiter, "bot_delay", bot_delay)
        opened = open_table(limited(), human("Anne", salt="a"), bot())
        with (
            at_table(limited("192.0.2.9"), opened["id"]),
            at_table(limited("192.0.2.7"), opened["id"], opened["secret"]) as anne,
        ):
            (seat,) = anne.state["you"]
            while anne.view["seat"] == seat:
                anne.play_on(moves=1)
            anne.hear_until(
                lambda message: message["t"] == "event" and message["d"]["seat"] != seat
            )
            assert set(counted) == {"192.0.2.7"}

    def test_one_socket_does_not_pay_for_another(self, limited: Any, table: dict[str, Any]) -> None:
        with (
            at_table(limited(), table["id"], table["secret"]) as one,
            at_table(limited(), table["id"], table["secret"]) as other,
        ):
            for _ in range(5):
                one.socket.send_text('{"t": "ping"}')
                assert one.hear_until(lambda message: message["t"] != "presence")["t"] == "pong"
            with pytest.raises(Refusal):
                one.act("react", 0, reaction="cheer")
            other.act("react", 0, reaction="cheer")

    def test_a_flood_ends_with_the_socket(self, limited: Any, table: dict[str, Any]) -> None:
        with at_table(limited(), table["id"], table["secret"]) as player:
            for _ in range(16):
                player.socket.send_text('{"t": "ping"}')
            answers = [player.hear() for _ in range(15)]
            with pytest.raises(WebSocketDisconnect) as closed:
                player.hear()
        assert [answer["t"] for answer in answers] == ["pong"] * 5 + ["refused"] * 10
        assert closed.value.code == 4420
        assert limited().get("/api/editions").status_code == 429  # a flood costs its address a lot
        assert limited("192.0.2.9").get(f"/api/tables/{table['id']}").json()["n"] == 4

    def test_whoever_pauses_in_between_is_no_flood(
        self, limited: Any, table: dict[str, Any], clock: Clock
    ) -> None:
        with at_table(limited(), table["id"], table["secret"]) as player:
            for _ in range(10):
                for _ in range(10):
                    player.socket.send_text('{"t": "ping"}')
                    player.hear()
                clock.now += 4
            player.act("roll", 0)


class TestEverydayUse:
    """Nobody who plays meets the usual limits, even if no time passes at all in between."""

    @pytest.fixture
    def home(self, url: str, web: Path, clock: Clock) -> Iterator[TestClient]:  # noqa: ARG002
        with TestClient(
            create_app(ServerOptions(url, pace=0, web=web, clocks=Clocks(600, 0, 0)))
        ) as server:
            yield server

    def test_a_class_of_thirty_behind_one_address(self, home: TestClient) -> None:
        tables = [open_table(home, human(salt="a"), OPEN)["id"] for _ in range(15)]
        for number in range(30):
            table = tables[number // 2]
            for path in (*PAGE_LOAD, f"/t/{table}", f"/api/tables/{table}"):
                assert home.get(path).status_code != 429
            with at_table(home, table) as player:
                assert player.state
        for table in tables:
            sit_down(home, table, "Bob")

    def test_a_family_of_four_that_reloads_again_and_again(self, home: TestClient) -> None:
        table = open_table(home, human(), OPEN, OPEN, OPEN)["id"]
        for _ in range(10):
            for _ in range(4):
                for path in (*PAGE_LOAD[:6], f"/t/{table}", f"/api/tables/{table}"):
                    assert home.get(path).status_code != 429
                with at_table(home, table) as player:
                    assert player.state

    def test_a_game_that_is_played_as_fast_as_fingers_go(
        self, home: TestClient, clock: Clock
    ) -> None:
        opened = open_table(home, human(salt="a"), human("Bob", salt="b"), mode="hotseat")
        with at_table(home, opened["id"], opened["secret"]) as player:
            while player.view["outcome"] is None:
                player.play_on()
                clock.now += 0.1


def test_limits_can_be_widened_and_switched_off(clock: Clock) -> None:  # noqa: ARG001
    assert Limits().times(0.001).watchers == Cap(1)
    for factor, granted in ((0.5, 300), (2, 1200), (0, 5000)):
        guard, let_in = limiter.RateLimiter(Limits().times(factor)), 0
        with suppress(LimitExceeded):
            while let_in < 5000:
                guard.check_request("192.0.2.1")
                let_in += 1
        assert let_in == granted
    with ExitStack() as sockets:
        for _ in range(1000):
            limiting = sockets.enter_context(guard.socket("192.0.2.1"))
            limiting.check_message()
    for _ in range(1000):
        limiting.check_message()
