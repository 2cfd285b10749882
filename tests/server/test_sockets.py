"""The socket: hello, catching up, acting, and when it is closed."""

import asyncio
import json
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cantstop.server import ServerOptions, create_app
from cantstop.server.database import schema
from cantstop.server.database.connections import open_engine
from cantstop.server.http import connections, sockets
from cantstop.server.runtime.presence import Clocks
from cantstop.server.tables import opening
from cantstop.wire.requests import OpenTable
from table_client import (
    OPEN,
    Refusal,
    at_table,
    bot,
    human,
    open_table,
    pass_time,
    play_to_the_end,
    sit_down,
)


@pytest.fixture
def table(server: TestClient) -> dict[str, Any]:
    """A pass-and-play table on which the game has begun."""
    return open_table(
        server, human("Anne", salt="a"), human("Bob", salt="b"), mode="hotseat", help=True
    )


@pytest.fixture
def duel(server: TestClient) -> tuple[Any, Any, Any]:
    """An online table of two: its id, and the secrets of both seats."""
    opened = open_table(server, human("Anne", salt="a"), OPEN)
    return opened["id"], opened["secret"], sit_down(server, opened["id"], "Bob")["secret"]


def refusal(player: Any, kind: str, seat: int, **fields: Any) -> Any:
    before = player.n
    with pytest.raises(Refusal) as caught:
        player.act(kind, seat, **fields)
    assert player.n == before
    return caught.value.code


def closing(
    server: TestClient, table: Any, *messages: Any, address: str = "", **options: Any
) -> tuple[list[Any], Any]:
    """What a server says and the code that it closes with after some first messages."""
    path = f"/api/tables/{table}/socket{address}"
    heard = []
    with server.websocket_connect(path, **options) as socket:
        for message in messages:
            socket.send_text(message if isinstance(message, str) else json.dumps(message))
        try:
            while True:
                heard.append(socket.receive_json())
        except WebSocketDisconnect as closed:
            return heard, closed.code


class TestHello:
    def test_a_player_is_told_the_state_their_seats_and_who_is_there(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            assert [message["t"] for message in player.heard] == ["state", "presence"]
            assert player.state["you"] == [0, 1]
            assert player.state["n"] == len(player.state["log"]) == 4
            assert [seat["present"] for seat in player.state["seats"]] == [True, True]
            assert player.presence == {"seats": [True, True], "expected": [], "watchers": 0}

    def test_watching_needs_no_secret(self, server: TestClient, table: dict[str, Any]) -> None:
        with at_table(server, table["id"]) as watcher:
            assert watcher.state["you"] == []
            assert watcher.presence == {"seats": [False, False], "expected": [], "watchers": 1}
            assert refusal(watcher, "roll", 0) == "not-your-seat"
            assert refusal(watcher, "react", 0, reaction="cheer") == "not-your-seat"

    def test_a_secret_that_holds_no_seat_is_told_so(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        hello = {"t": "hello", "d": {"secret": "dead"}}
        (message,), code = closing(server, table["id"], hello)
        assert code == 4403
        assert message["t"] == "refused"
        assert message["d"]["id"] is None
        assert message["d"]["error"]["code"] == "wrong-secret"

    @pytest.mark.parametrize("unknown", ["nowhere", "%00", "a" * 40, "x'--"])
    def test_an_unknown_table_is_told_so(self, server: TestClient, unknown: str) -> None:
        (message,), code = closing(server, unknown, {"t": "hello", "d": {}})
        assert (message["d"]["error"]["code"], code) == ("table-unknown", 4404)

    @pytest.mark.parametrize(
        "first",
        [
            "",
            "hello",
            "{}",
            {"t": "ping"},
            {"t": "act", "d": {"id": "12345678", "kind": "roll", "seat": 0}},
            {"t": "hello"},
            {"t": "hello", "d": {"secret": 7}},
            {"t": "hello", "d": {"salt": "no spaces"}},
            "[" * 4000,
        ],
        ids=str,
    )
    def test_whoever_does_not_say_hello_first_is_sent_away(
        self, server: TestClient, table: dict[str, Any], first: dict[str, Any] | str
    ) -> None:
        (message,), code = closing(server, table["id"], first)
        assert (message["d"]["error"]["code"], code) == ("malformed", 4400)

    def test_refusals_are_in_the_language_that_was_asked_for(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(
            server, table["id"], headers={"Accept-Language": "xx, nl;q=0.8, fr;q=0.9"}
        ) as watcher:
            watcher.say("act", id="12345678", kind="roll", seat=0)
            french = watcher.hear()["d"]["error"]["message"]
        assert french != "This seat is not yours."

    def test_only_our_own_pages_may_connect(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], headers={"Origin": "http://testserver"}) as watcher:
            assert watcher.state
        for origin in (
            "http://elsewhere.example",
            "null",
            "http://testserver.example",
            "https:",
            "http://[",
        ):
            with (
                pytest.raises(WebSocketDisconnect),
                at_table(server, table["id"], headers={"Origin": origin}),
            ):
                pass


class TestCatchingUp:
    def test_missed_events_come_in_order_and_alone(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            player.act("roll", 0)
            player.act("react", 0, reaction="cheer")
            last = player.n
        with at_table(server, table["id"], table["secret"], after=4) as player:
            assert [message["t"] for message in player.heard[:-1]] == ["event"] * (last - 4)
            assert [event["n"] for event in player.events] == list(range(5, last + 1))
        with at_table(server, table["id"], after=last) as watcher:
            assert [message["t"] for message in watcher.heard] == ["presence"]

    @pytest.mark.parametrize("after", [99, -1, "x", "", "1e3", "٤", "9" * 30])
    def test_a_number_that_makes_no_sense_gets_the_state(
        self, server: TestClient, table: dict[str, Any], after: int | str
    ) -> None:
        with at_table(server, table["id"], after=after) as watcher:
            assert [message["t"] for message in watcher.heard] == ["state", "presence"]

    def test_who_missed_a_lot_gets_the_state(
        self, server: TestClient, table: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sockets, "MAX_CATCH_UP", 3)
        with at_table(server, table["id"], after=0) as watcher:
            assert watcher.heard[0]["t"] == "state"
        with at_table(server, table["id"], after=1) as watcher:
            assert [event["n"] for event in watcher.events] == [2, 3, 4]

    def test_the_same_seat_can_be_held_from_two_devices(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with (
            at_table(server, table["id"], table["secret"]) as phone,
            at_table(server, table["id"], table["secret"]) as laptop,
        ):
            phone.act("roll", 0)
            assert laptop.hear_event("rolled") == phone.events[0]


class TestActing:
    def test_an_accepted_action_is_an_event_and_an_ack_with_its_number(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            assert player.act("roll", 0) == 5
            assert player.events[0]["kind"] == "rolled"
            assert player.events[0]["data"]["roll"] == 1
            assert player.view["dice"] == player.events[0]["data"]["dice"]

    def test_the_same_id_again_is_answered_the_same_and_changes_nothing(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            first = player.act("roll", 0, action="the-same-id")
            move = player.view["moves"][0]["move"]
            player.act("move", 0, move=move)
            assert player.act("roll", 0, action="the-same-id") == first
            assert player.kinds == ["rolled", "moved"]
        with at_table(server, table["id"], table["secret"]) as player:
            assert player.act("roll", 0, action="the-same-id") == first
            assert player.n == 6

    def test_nobody_acts_out_of_turn_or_for_somebody_else(
        self, server: TestClient, duel: tuple[Any, Any, Any]
    ) -> None:
        table, annes, bobs = duel
        with at_table(server, table, annes) as anne, at_table(server, table, bobs) as bob:
            assert refusal(bob, "roll", 1) == "not-your-turn"
            assert refusal(bob, "roll", 0) == "not-your-seat"
            assert refusal(anne, "roll", 3) == "not-your-seat"
            anne.act("roll", 0)
            bob.hear_event("rolled")
            assert refusal(bob, "move", 1, move="6+8") == "not-your-turn"

    def test_the_rules_have_the_last_word(self, server: TestClient, table: dict[str, Any]) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            assert refusal(player, "stop", 0) == "illegal"
            assert refusal(player, "move", 0, move="6+8") == "illegal"
            player.act("roll", 0)
            assert refusal(player, "roll", 0) == "illegal"
            assert refusal(player, "stop", 0) == "illegal"
            assert refusal(player, "move", 0, move="2+2+2") == "malformed"
            assert refusal(player, "move", 0, move="99") == "illegal"

    def test_an_action_on_an_old_view_is_stale(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            seen = player.n
            player.act("roll", 0, n=seen)
            player.act("move", 0, move=player.view["moves"][0]["move"], n=player.n)
            assert refusal(player, "roll", 0, n=seen) == "stale"
            player.act("react", 0, reaction="gasp")
            player.act("roll", 0, n=player.n - 1)  # what was said since does not matter

    def test_nothing_is_played_before_everybody_sits(self, server: TestClient) -> None:
        opened = open_table(server, human("Anne", salt="a"), OPEN)
        with at_table(server, opened["id"], opened["secret"]) as anne:
            assert refusal(anne, "roll", 0) == "not-now"
            anne.act("react", 0, reaction="laugh")
            assert anne.events[-1]["data"] == {"reaction": "laugh"}

    @pytest.mark.parametrize(
        "data",
        [
            {},
            {"id": "12345678"},
            {"id": "12345678", "kind": "roll"},
            {"id": "12345678", "kind": "roll", "seat": "0"},
            {"id": "12345678", "kind": "roll", "seat": True},
            {"id": "12345678", "kind": "roll", "seat": -1},
            {"id": "12345678", "kind": "roll", "seat": 0, "dice": [6, 6, 6, 6]},
            {"id": "12345678", "kind": "move", "seat": 0},
            {"id": "12345678", "kind": "move", "seat": 0, "move": ["6", "8"]},
            {"id": "12345678", "kind": "move", "seat": 0, "move": "6+8" * 9},
            {"id": "12345678", "kind": "react", "seat": 0, "reaction": "you all cheat"},
            {"id": "12345678", "kind": "finish", "seat": 0},
            {"id": "12345678", "kind": ["roll"], "seat": 0},
            {"id": "12345678", "kind": "roll", "seat": 0, "n": "5"},
            {"id": "12345678", "kind": "substitute", "seat": 0, "for": 9},
        ],
        ids=str,
    )
    def test_an_action_that_cannot_be_read_is_refused_by_its_id(
        self, server: TestClient, table: dict[str, Any], data: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            player.say("act", **data)
            answer = player.hear()
            assert answer["t"] == "refused"
            assert answer["d"]["id"] == data.get("id")
            assert answer["d"]["error"]["code"] == "malformed"
            assert player.act("roll", 0) == 5

    @pytest.mark.parametrize(
        "name", ["short", "x" * 65, "with space", "bot:12345", "\ud800" * 8, 12345678]
    )
    def test_an_id_is_a_plain_word(
        self, server: TestClient, table: dict[str, Any], name: int | str
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            player.say("act", id=name, kind="roll", seat=0)
            assert player.hear()["d"]["error"]["code"] == "malformed"

    @pytest.mark.parametrize(
        "text", ["", "roll", "[]", "null", '{"t": "dance"}', '{"t": NaN}', "{" * 99]
    )
    def test_noise_is_refused_and_the_connection_stays(
        self, server: TestClient, table: dict[str, Any], text: str
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            player.socket.send_text(text)
            assert player.hear()["d"]["error"]["code"] == "malformed"
            player.socket.send_bytes(b"\x00\xff")
            assert player.hear()["d"] == {
                "id": None,
                "error": {"code": "malformed", "message": "A message is text, not bytes."},
            }
            player.say("hello", secret=None)
            assert player.act("roll", 0) == 5


class TestClosing:
    def test_a_ping_is_answered(self, server: TestClient, table: dict[str, Any]) -> None:
        with at_table(server, table["id"]) as watcher:
            watcher.socket.send_text('{"t": "ping"}')
            assert watcher.hear() == {"t": "pong", "d": {}}

    def test_a_message_that_is_too_large_closes(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        hello = {"t": "hello", "d": {"secret": None}}
        _, code = closing(server, table["id"], hello, {"t": "ping", "d": "x" * 5000})
        assert code == 1009
        (message,), code = closing(server, table["id"], "é" * 2100)
        assert (message["d"]["error"]["code"], code) == ("too-large", 1009)

    def test_silence_closes(self, url: str, web: Path) -> None:
        app = create_app(ServerOptions(url, pace=0, web=web, clocks=Clocks(heartbeat=600)))
        with TestClient(app) as server:
            table = open_table(server, bot(), human(), mode="hotseat")["id"]
            with server.websocket_connect(f"/api/tables/{table}/socket") as silent:
                pass_time(server, 601)
                assert silent.receive()["code"] == 4408
            with at_table(server, table) as watcher:
                pass_time(server, 601)
                with pytest.raises(WebSocketDisconnect) as closed:
                    watcher.hear_until(lambda _: False)
            assert closed.value.code == 4408
            assert [message["t"] for message in watcher.heard] == ["state", "presence"]

    def test_whoever_cannot_keep_up_is_let_go(
        self, server: TestClient, table: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "QUEUE_LIMIT", 1)
        _, code = closing(server, table["id"], {"t": "hello", "d": {}})
        assert code == 4429

    @pytest.mark.anyio
    async def test_a_line_that_breaks_while_something_is_sent_ends_quietly(
        self, url: str, web: Path
    ) -> None:
        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "websocket.send":
                raise OSError("the line is dead")

        app = create_app(ServerOptions(url, web=web))
        said: asyncio.Queue[Any] = asyncio.Queue()
        said.put_nowait({"type": "websocket.connect"})
        said.put_nowait({"type": "websocket.receive", "text": '{"t": "hello", "d": {}}'})
        request = msgspec.convert({"mode": "hotseat", "seats": [bot(), human()]}, OpenTable)
        async with app.router.lifespan_context(app):
            runtime = app.state.runtime
            table = await runtime.master.open(
                opening.open_table(request, runtime.clock()).new_table
            )
            path = f"/api/tables/{table.id}/socket"
            scope: dict[str, Any] = {
                "type": "websocket",
                "path": path,
                "headers": [],
                "query_string": b"",
            }
            await app(scope, said.get, send)
            assert runtime.presence.connections() == 0

    def test_whoever_leaves_before_hello_leaves_no_trace(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with server.websocket_connect(f"/api/tables/{table['id']}/socket"):
            pass
        with at_table(server, table["id"]) as watcher:
            assert watcher.presence["watchers"] == 1


class TestPresence:
    def test_everybody_sees_who_comes_and_goes(
        self, server: TestClient, duel: tuple[Any, Any, Any]
    ) -> None:
        table, annes, bobs = duel
        with at_table(server, table, annes) as anne:
            assert anne.presence == {"seats": [True, False], "expected": [], "watchers": 0}
            with at_table(server, table, bobs) as bob:
                anne.hear()
                there = {"seats": [True, True], "expected": [], "watchers": 0}
                assert anne.presence == bob.presence == there
                state = server.get(f"/api/tables/{table}").json()
                assert [seat["present"] for seat in state["seats"]] == [True, True]
            anne.hear()
            with at_table(server, table):
                anne.hear()
                assert anne.presence == {"seats": [True, False], "expected": [], "watchers": 1}

    def test_a_bot_is_always_there(self, server: TestClient) -> None:
        opened = open_table(server, human(salt="a"), bot(), mode="hotseat")
        with at_table(server, opened["id"]) as watcher:
            assert watcher.presence == {"seats": [False, True], "expected": [], "watchers": 1}
            assert watcher.state["seats"][1]["present"]


def test_no_message_tells_the_dices_secret_before_the_end(server: TestClient) -> None:
    opened = open_table(server, human(salt="a"), bot(), mode="hotseat", win=1, edition="custom")
    told = [json.dumps(opened)]
    with at_table(server, opened["id"], opened["secret"]) as player:
        play_to_the_end(player)
        secret = player.events[-1]["data"]["secret"]
        assert len(bytes.fromhex(secret)) == 32
        told += [json.dumps(message) for message in player.heard[:-2]]
    assert not any(secret in text for text in told)
    assert secret in server.get(f"/api/tables/{opened['id']}/record").text


def test_the_state_of_a_game_in_progress_does_not_tell_the_secret(
    server: TestClient, table: dict[str, Any], common_url: str
) -> None:
    engine = open_engine(common_url)
    question = sa.select(schema.tables.c.dice_secret).where(schema.tables.c.id == table["id"])
    with engine.connect() as connection:
        secret = connection.scalars(question).one()
    engine.dispose()
    with at_table(server, table["id"], table["secret"]) as player:
        player.act("roll", 0)
        texts = [json.dumps(message) for message in player.heard]
    texts += [
        server.get(f"/api/tables/{table['id']}{path}").text
        for path in ("", "/events", "/record", "/board.svg")
    ]
    for text in texts:
        assert secret.hex() not in text
        assert table["secret"] not in text or text == texts[0]
