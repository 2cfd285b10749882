"""Everything that is asked over HTTP besides opening and sitting down."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from cantstop import Seal, read_record
from cantstop.bots import BOTS
from cantstop.rules import EDITIONS, Position
from cantstop.server import ServerOptions, create_app
from cantstop.table.table import Table
from table_client import OPEN, at_table, bot, human, open_table, play_to_the_end, sit_down


def error(answer: Any) -> tuple[Any, Any]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture
def table(server: TestClient) -> dict[str, Any]:
    return open_table(server, human("Anne", salt="a"), human("Bob", salt="b"), mode="hotseat")


class TestState:
    def test_it_is_what_the_socket_tells(self, server: TestClient, table: dict[str, Any]) -> None:
        with at_table(server, table["id"]) as watcher:
            state = server.get(f"/api/tables/{table['id']}").json()
            assert state == watcher.state

    def test_a_secret_says_which_seats_are_yours(self, server: TestClient) -> None:
        opened = open_table(server, human(), OPEN)
        address = f"/api/tables/{opened['id']}"
        seated = sit_down(server, opened["id"], "Bob")
        headers = {"Authorization": f"Bearer {seated['secret']}"}
        assert server.get(address, headers=headers).json()["you"] == [1]
        wrong = server.get(address, headers={"Authorization": "Bearer dead"})
        assert error(wrong) == (403, "wrong-secret")

    @pytest.mark.parametrize("table", ["nowhere", "%2e%2e", "%00", "a" * 50, "é", "' or 1=1"])
    @pytest.mark.parametrize("what", ["", "/events", "/record", "/board.svg"])
    def test_an_unknown_table_is_not_found(self, server: TestClient, table: str, what: str) -> None:
        assert error(server.get(f"/api/tables/{table}{what}")) == (404, "table-unknown")


class TestEvents:
    def test_each_event_comes_with_the_view_after_it(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            player.act("roll", 0)
            player.act("move", 0, move=player.view["moves"][0]["move"])
            live = player.events
        told = server.get(f"/api/tables/{table['id']}/events").json()["events"]
        assert [event["n"] for event in told] == [1, 2, 3, 4, 5, 6]
        assert told[4:] == live
        assert told[0]["view"]["position"] == str(
            Position.initial(EDITIONS["classic"].rules(players=2))
        )
        later = server.get(f"/api/tables/{table['id']}/events?after=5").json()["events"]
        assert later == told[5:]
        assert server.get(f"/api/tables/{table['id']}/events?after=6").json() == {
            "events": [],
            "next": None,
        }

    def test_events_can_be_read_page_by_page(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        address = f"/api/tables/{table['id']}/events"
        whole = server.get(address).json()["events"]
        pages, after = [], 0
        while after is not None:
            page = server.get(f"{address}?after={after}&limit=3").json()
            assert len(page["events"]) <= 3
            pages += page["events"]
            after = page["next"]
        assert pages == whole
        for limit in ("0", "-1", "1001", "x"):
            assert error(server.get(f"{address}?limit={limit}")) == (400, "malformed")

    @pytest.mark.parametrize("after", ["-1", "x", "1.5", "9" * 40])
    def test_a_number_that_is_none_is_refused(
        self, server: TestClient, table: dict[str, Any], after: str
    ) -> None:
        answer = server.get(f"/api/tables/{table['id']}/events?after={after}")
        assert error(answer) == (400, "malformed")


class TestRecord:
    def test_before_the_end_it_has_the_seal_but_not_the_secret(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        with at_table(server, table["id"], table["secret"]) as player:
            player.act("roll", 0)
        answer = server.get(f"/api/tables/{table['id']}/record")
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["content-disposition"] == (
            f'attachment; filename="cantstop-{table["id"]}.cantstop"'
        )
        record = read_record(answer.text)
        assert record.dice == Seal(table["id"], table["state"]["commitment"], ("a", "b"))
        assert len(record.events) >= 1

    def test_there_is_none_before_the_game_begins(self, server: TestClient) -> None:
        opened = open_table(server, human(), OPEN)
        assert error(server.get(f"/api/tables/{opened['id']}/record")) == (409, "not-now")


class TestPicture:
    def test_it_shows_the_board_after_any_event(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        address = f"/api/tables/{table['id']}/board.svg"
        with at_table(server, table["id"], table["secret"]) as player:
            player.act("roll", 0)
            player.act("move", 0, move=player.view["moves"][0]["move"])
            position, early = player.view["position"], player.state["view"]["position"]
        answer = server.get(address)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "'unsafe-inline'" in answer.headers["content-security-policy"]
        assert ElementTree.fromstring(answer.text).get("data-position") == position
        assert (
            ElementTree.fromstring(server.get(f"{address}?n=4").text).get("data-position") == early
        )

    @pytest.mark.parametrize(("n", "status"), [("0", 404), ("99", 404), ("x", 400), ("-3", 400)])
    def test_there_is_none_of_an_event_that_never_was(
        self, server: TestClient, table: dict[str, Any], n: str, status: int
    ) -> None:
        answer = server.get(f"/api/tables/{table['id']}/board.svg?n={n}")
        assert answer.status_code == status

    @pytest.mark.parametrize(("language", "name"), [("en", "Chick"), ("de", "Küken")])
    def test_a_bot_has_the_name_that_people_read(
        self, server: TestClient, language: str, name: str
    ) -> None:
        opened = open_table(server, human("Anne"), bot("chick"), mode="hotseat")
        asked = {"Accept-Language": language}
        picture = server.get(f"/api/tables/{opened['id']}/board.svg", headers=asked).text
        assert name in picture
        assert "chick" not in picture

    def test_a_seat_that_is_free_has_no_name(self, server: TestClient) -> None:
        opened = open_table(server, human("Anne"), OPEN)
        assert "Anne" in server.get(f"/api/tables/{opened['id']}/board.svg").text


class TestOffers:
    def test_they_are_the_editions_and_bots_there_are(self, server: TestClient) -> None:
        offers = server.get("/api/editions").json()
        assert [edition["name"] for edition in offers["editions"]] == [*EDITIONS, "custom"]
        assert [bot["name"] for bot in offers["bots"]] == list(BOTS)
        assert offers["colours"] == 4
        assert "tease" in offers["reactions"]
        assert offers["lessons"] == ["basics", "no-rest", "leapfrog", "early"]
        assert offers["languages"]["nl"] == "Nederlands"

    def test_every_game_that_is_offered_can_be_opened(self, server: TestClient) -> None:
        for edition in server.get("/api/editions").json()["editions"]:
            for players, wins in edition["win"].items():
                seats = [bot()] * int(players)
                for win in wins:
                    for sharing in edition["sharing"]:
                        open_table(
                            server,
                            *seats[1:],
                            human(),
                            mode="solo" if players == "1" else "hotseat",
                            edition=edition["name"],
                            win=win,
                            sharing=sharing,
                            early=edition["early"],
                        )

    def test_bots_are_described_in_the_readers_language(self, server: TestClient) -> None:
        english = server.get("/api/editions").json()["bots"]
        french = server.get("/api/editions?lang=fr").json()["bots"]
        assert all(
            one["about"] != other["about"] for one, other in zip(english, french, strict=True)
        )


class TestExpiry:
    def test_a_table_that_was_left_alone_is_gone(self, url: str, web: Path) -> None:
        moment = datetime(2026, 11, 15, tzinfo=UTC)
        app = create_app(
            ServerOptions(url, pace=0, web=web, keep=timedelta(days=2), clock=lambda: moment)
        )
        with TestClient(app) as server:
            opened = open_table(server, human(salt="a"), OPEN)
            address = f"/api/tables/{opened['id']}"
            moment += timedelta(days=1.5)
            sit_down(server, opened["id"], "Bob")
            moment += timedelta(days=1.5)
            assert server.get(address).status_code == 200
            moment += timedelta(days=1)
            answer = server.get(address)
            assert error(answer) == (410, "table-expired")
            for what in ("/events", "/record", "/board.svg"):
                assert error(server.get(address + what)) == (410, "table-expired")
            assert error(server.post(f"{address}/seats", json={"name": "Carla"})) == (
                410,
                "table-expired",
            )
            with server.websocket_connect(f"{address}/socket") as socket:
                socket.send_json({"t": "hello", "d": {"secret": opened["secret"]}})
                assert socket.receive_json()["d"]["error"]["code"] == "table-expired"
                assert socket.receive()["code"] == 4410


class TestErrors:
    def test_they_have_one_shape(self, server: TestClient) -> None:
        assert error(server.get("/api/nothing")) == (404, "not-found")
        assert error(server.delete("/api/tables/x")) == (405, "method")
        assert error(server.get("/api/tables")) == (405, "method")
        assert error(server.get("/static/nothing.js")) == (404, "not-found")
        assert error(server.get("/api/languages/xx")) == (404, "not-found")

    def test_a_fault_of_the_server_is_answered_without_details(
        self, url: str, web: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with TestClient(
            create_app(ServerOptions(url, web=web)), raise_server_exceptions=False
        ) as server:
            monkeypatch.setattr(Table, "opening", lambda *_: 1 / 0)
            answer = server.get("/api/tables/abc")
            request = {"mode": "online", "seats": [human(), OPEN]}
            failed = server.post("/api/tables", json=request)
        assert error(answer) == (404, "table-unknown")
        assert error(failed) == (500, "internal")
        assert "holders" not in failed.text

    def test_a_finished_game_takes_no_more_actions(self, server: TestClient) -> None:
        opened = open_table(server, human(salt="a"), mode="solo", win=1, edition="custom")
        with at_table(server, opened["id"], opened["secret"]) as player:
            play_to_the_end(player)
            for kind in ("roll", "stop"):
                player.say("act", id=f"too-late-{kind}", kind=kind, seat=0)
                refused = player.hear_until(lambda message: message["t"] == "refused")
                assert refused["d"]["error"] == {
                    "code": "not-now",
                    "message": "The game is over.",
                }


def test_a_seat_that_is_asked_for_again_with_the_same_secret_is_the_same(
    server: TestClient,
) -> None:
    opened = open_table(server, human(salt="a"), OPEN, OPEN)
    table, mine = opened["id"], "a-secret-of-my-own-0123456789"
    answers = [sit_down(server, table, "Bob", secret=mine) for _ in range(3)]
    assert answers == [{"seat": 1, "secret": mine}] * 3
    assert sit_down(server, table, "Carl")["seat"] == 2
    assert sit_down(server, table, "Bob", secret=mine)["seat"] == 1  # also at a full table
    state = server.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {mine}"}).json()
    assert state["you"] == [1]
    assert [seat["name"] for seat in state["seats"]] == ["Anne", "Bob", "Carl"]


@pytest.mark.parametrize("secret", ["", "short", "x" * 129, "no spaces in it please 0123", 7])
def test_a_secret_that_could_be_guessed_is_refused(server: TestClient, secret: object) -> None:
    opened = open_table(server, human(salt="a"), OPEN)
    answer = server.post(
        f"/api/tables/{opened['id']}/seats", json={"name": "Bob", "secret": secret}
    )
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "malformed"
