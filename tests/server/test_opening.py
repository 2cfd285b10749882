"""Opening tables: what can be asked for, what comes of it, and what is refused."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.rules import Rules
from table_client import OPEN, at_table, bot, human, open_table, sit_down


def refused(server: TestClient, status: Any, code: str, /, **request: Any) -> Any:
    answer = server.post("/api/tables", json=request)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    return answer.json()["error"]["message"]


def test_a_table_with_a_free_seat_is_open_until_somebody_takes_it(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="aa", colour=2), OPEN)
    state = opened["state"]
    assert (state["stage"], opened["seats"], state["you"]) == ("open", [0], [0])
    assert [seat["kind"] for seat in state["seats"]] == ["human", "open"]
    seated = sit_down(server, opened["id"], "Bob", salt="bb", colour=2)
    assert seated["seat"] == 1
    state = server.get(f"/api/tables/{opened['id']}").json()
    assert state["stage"] == "playing"
    assert state["salts"] == ["aa", "bb"]
    assert [seat["colour"] for seat in state["seats"]] == [2, 0]
    assert [entry["kind"] for entry in state["log"]] == ["opened", "seated", "seated", "started"]


def test_a_seat_without_a_salt_is_reserved_until_its_player_says_hello(server: TestClient) -> None:
    opened = open_table(server, human("Anne"), bot(), mode="hotseat")
    state = opened["state"]
    assert (state["stage"], state["seats"][0]["kind"]) == ("open", "reserved")
    assert state["commitment"]
    with at_table(server, opened["id"], opened["secret"], salt="after-the-commitment") as player:
        assert player.state["seats"][0]["name"] == "Anne"
        seated = player.hear_event("seated")
        assert seated["data"]["salt"] == "after-the-commitment"
        assert player.hear_event("started")["data"]["salts"][0] == "after-the-commitment"


def test_the_servers_salt_stands_in_for_one_that_was_not_given(server: TestClient) -> None:
    opened = open_table(server, human(), mode="solo")
    with at_table(server, opened["id"], opened["secret"]) as player:
        assert len(player.hear_event("seated")["data"]["salt"]) == 32


def test_one_secret_holds_every_seat_of_a_screen_also_online(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="a"), human("Bob", salt="b"), OPEN)
    assert opened["seats"] == [0, 1]


def test_the_rules_are_those_that_were_asked_for(server: TestClient) -> None:
    def rules(**settings: Any) -> Any:
        return open_table(server, human(), OPEN, OPEN, **settings)["state"]["rules"]

    assert rules() == str(Rules(players=3))
    assert rules(edition="Asmodee", win=4, sharing="no-rest") == (
        "v1,players=3,win=4,sharing=no-rest,start=roll-off"
    )
    assert rules(edition="custom", early=True, start="youngest", youngest=2, players=3) == (
        "v1,players=3,early,start=youngest"
    )


def test_settings_that_do_not_fit_are_refused(server: TestClient) -> None:
    solo, pair = [human()], [human(), OPEN]
    refused(server, 400, "malformed", mode="solo", seats=pair)
    refused(server, 400, "malformed", mode="online", seats=solo)
    refused(server, 400, "malformed", mode="hotseat", seats=pair)
    refused(server, 400, "malformed", mode="online", seats=pair, players=3)
    refused(server, 400, "malformed", mode="online", seats=[human(), bot("nobody")])
    refused(server, 422, "illegal", mode="online", seats=pair, edition="nowhere")
    refused(server, 422, "illegal", mode="online", seats=pair, edition="classic", early=True)
    refused(server, 422, "illegal", mode="online", seats=pair, start="roll-off")
    refused(server, 422, "illegal", mode="online", seats=pair, youngest=1)
    message = refused(
        server, 422, "illegal", mode="online", seats=pair, edition="ravensburger", youngest=2
    )
    assert message == "Seat 3 cannot start: the number of seats is 2."


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "nowhere"},
        {"mode": None},
        {"seats": []},
        {"seats": "two"},
        {"seats": [human()] * 5},
        {"seats": [human(), {"kind": "ghost"}]},
        {"seats": [human(), {}]},
        {"seats": [human(colour=4), OPEN]},
        {"seats": [human(colour="red"), OPEN]},
        {"seats": [human(salt="no spaces"), OPEN]},
        {"seats": [human(salt=""), OPEN]},
        {"seats": [human(nmae="Anne"), OPEN]},
        {"win": "3"},
        {"win": 2.5},
        {"win": 10**40},
        {"win": 0},
        {"early": 1},
        {"early": "yes"},
        {"sharing": "often"},
        {"help": None},
        {"youngest": -1},
        {"sharnig": "leapfrog"},
        {"edition": 7},
        {"lesson": "everything"},
        {"lesson": None},
    ],
    ids=str,
)
def test_a_wrong_field_is_named(server: TestClient, change: dict[str, Any]) -> None:
    request = {"mode": "online", "seats": [human(), OPEN], **change}
    answer = server.post("/api/tables", json=request)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "malformed"
    assert "is missing or cannot be read" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"table"', b"\xff\xfe", b"[" * 60_000, b'{"mode": NaN}'],
    ids=lambda body: repr(body[:8]),
)
def test_a_body_that_is_no_request_is_refused(server: TestClient, body: Any) -> None:
    answer = server.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "malformed"


@pytest.mark.parametrize("size", [100_000, 3_000_000])
def test_a_body_that_is_too_large_is_refused(server: TestClient, size: int) -> None:
    answer = server.post("/api/tables", json={"mode": "x" * size})
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too-large"


class TestNames:
    @pytest.mark.parametrize(
        ("typed", "shown"),
        [
            ("  Anne \t Marie\n", "Anne Marie"),
            ("<script>alert(1)</script>"[:24], "<script>alert(1)</script"),
            ("Zoe\u0308", "Zoë"),
            ("李雷", "李雷"),
            ("x" * 24, "x" * 24),
        ],
    )
    def test_a_name_is_kept_as_it_was_typed_but_for_its_spaces(
        self, server: TestClient, typed: Any, shown: str
    ) -> None:
        opened = open_table(server, human(typed, salt="a"), OPEN)
        assert opened["state"]["seats"][0]["name"] == shown
        sit_down(server, opened["id"], typed)
        record = server.get(f"/api/tables/{opened['id']}/record").text
        assert f'[Seat1 "{shown}"]' in record

    @pytest.mark.parametrize(
        "typed", ["", "   ", "x" * 25, "x" * 10_000, "a\x00b", "\u202eevil", "\x1b[31m"]
    )
    def test_a_name_that_cannot_be_shown_is_refused_with_a_sentence(
        self, server: TestClient, typed: str
    ) -> None:
        message = refused(server, 400, "name", mode="online", seats=[human(typed), OPEN])
        assert message == "A name has 1 to 24 printable characters."
        table = open_table(server, human(), OPEN)["id"]
        answer = server.post(f"/api/tables/{table}/seats", json={"name": typed})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "name")

    @pytest.mark.parametrize(
        "seat",
        [
            b'"kind": "human", "name": "\\ud800"',
            b'"kind": "bot", "bot": "\\ud800"',
        ],
    )
    def test_half_a_character_is_no_name(self, server: TestClient, seat: bytes) -> None:
        answer = server.post(
            "/api/tables",
            content=b'{"mode": "solo", "seats": [{' + seat + b"}]}",
            headers={"Content-Type": "application/json"},
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")


class TestSittingDown:
    def test_a_full_table_says_so(self, server: TestClient) -> None:
        table = open_table(server, human(), OPEN)["id"]
        sit_down(server, table, "Bob")
        answer = server.post(f"/api/tables/{table}/seats", json={"name": "Carla"})
        assert answer.status_code == 409
        assert answer.json()["error"] == {
            "code": "table-full",
            "message": "Every seat of this table is taken.",
        }

    def test_a_reserved_seat_is_not_free(self, server: TestClient) -> None:
        table = open_table(server, human(), bot(), mode="hotseat")["id"]
        answer = server.post(f"/api/tables/{table}/seats", json={"name": "Carla"})
        assert answer.json()["error"]["code"] == "table-full"

    def test_an_unknown_table_has_no_seats(self, server: TestClient) -> None:
        answer = server.post("/api/tables/nowhere/seats", json={"name": "Carla"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "table-unknown")

    def test_everybody_who_is_there_sees_who_sits_down(self, server: TestClient) -> None:
        opened = open_table(server, human("Anne", salt="a"), OPEN)
        with at_table(server, opened["id"], opened["secret"]) as anne:
            sit_down(server, opened["id"], "Bob", colour=3)
            seated = anne.hear_event("seated")
            assert (seated["seat"], seated["data"]["name"], seated["data"]["colour"]) == (
                1,
                "Bob",
                3,
            )
            assert anne.hear_event("started")["seat"] is None
