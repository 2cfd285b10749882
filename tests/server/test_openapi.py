"""The description at /api/openapi.json: complete, and true of real answers."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from cantstop.server.http.openapi import body_examples
from cantstop.wire.errors import ErrorAnswer, ErrorCode
from cantstop.wire.offers import Messages, Offers
from cantstop.wire.schema import EventsAnswer, OpenedAnswer, State, TableEvent
from cantstop.wire.table import SeatAnswer
from table_client import (
    OPEN,
    Refusal,
    at_table,
    bot,
    human,
    open_table,
    play_to_the_end,
    sit_down,
)
from wire_json import check_type, checked

JSON = "application/json"


@pytest.fixture(scope="module")
def api(server: TestClient) -> Any:
    return server.get("/api/openapi.json").json()


@pytest.fixture(scope="module")
def operations(api: Any) -> dict[Any, Any]:
    return {
        operation["operationId"]: operation
        for path in api["paths"].values()
        for operation in path.values()
    }


class TestRealAnswers:
    """Each kind of table, from its opening to the end."""

    @pytest.mark.parametrize(
        "table",
        [
            {"mode": "solo", "seats": [human()], "edition": "custom", "win": 1, "help": True},
            {"mode": "hotseat", "seats": [human(), human("Bob")], "edition": "asmodee", "win": 4},
            {"mode": "online", "seats": [human(), OPEN, bot("bold")], "edition": "ravensburger"},
            {"lesson": "no-rest", "name": "Anne"},
        ],
        ids=lambda table: table.get("mode", "lesson"),
    )
    def test_they_are_as_described_at_every_moment(
        self, server: TestClient, table: dict[str, Any]
    ) -> None:
        opened = checked(OpenedAnswer, server.post("/api/tables", json=table))
        address = f"/api/tables/{opened['id']}"
        with at_table(server, opened["id"], opened["secret"]) as player:
            if table.get("mode") == "online":
                checked(State, server.get(address))
                taken = server.post(f"{address}/seats", json={"name": "Carla"})
                secret = checked(SeatAnswer, taken)["secret"]
                player.act("react", 0, reaction="gasp")
                player.act("substitute", 0, absent=1)
                with at_table(server, opened["id"], secret) as carla:
                    checked(State, server.get(address))
                    carla.act("return", 1)
                    play_to_the_end(player, carla)
            else:
                play_to_the_end(player)
            if "mode" in table:
                player.act("rematch", 0)
        headers = {"Authorization": f"Bearer {opened['secret']}"}
        state = checked(State, server.get(address, headers=headers))
        told = checked(EventsAnswer, server.get(f"{address}/events"))["events"]
        assert all(event["view"] for event in told)
        assert not any("view" in entry for entry in state["log"])
        assert len(told) == state["n"]

    def test_offers_and_languages(self, server: TestClient) -> None:
        checked(Offers, server.get("/api/editions?lang=de"))
        checked(Messages, server.get("/api/languages/de"))

    def test_what_a_socket_tells(self, server: TestClient) -> None:
        opened = open_table(server, human(salt="a"), OPEN)
        sit_down(server, opened["id"], "Bob")
        with at_table(server, opened["id"], opened["secret"]) as player:
            check_type(State, player.state)
            player.act("roll", 0)
            for event in player.events:
                check_type(TableEvent, event)
                assert event["view"]

    def test_refusals(self, server: TestClient) -> None:
        table = open_table(server, human(salt="a"), bot())["id"]
        answers = [
            server.get("/api/tables/nowhere"),
            server.get("/api/tables/nowhere/record"),
            server.get("/api/nothing"),
            server.put("/api/tables"),
            server.post("/api/tables", content="{"),
            server.post("/api/tables", json={"mode": "online", "seats": [OPEN] * 2, "win": 9}),
            server.post("/api/tables", content="x" * 100_000),
            server.post(f"/api/tables/{table}/seats", json={"name": "Bob"}),
            server.post(f"/api/tables/{table}/seats", json={"name": 3}),
            server.get(f"/api/tables/{table}", headers={"Authorization": "Bearer wrong"}),
            server.get(f"/api/tables/{table}/events?after=x"),
            server.get(f"/api/tables/{table}/board.svg?n=1000"),
        ]
        for answer in answers:
            checked(ErrorAnswer, answer)
        statuses = [answer.status_code for answer in answers]
        assert statuses == [404, 404, 404, 405, 400, 422, 413, 409, 400, 403, 400, 404]

    def test_refusals_on_a_socket_have_codes_that_are_described(self, server: TestClient) -> None:
        opened = open_table(server, human(salt="a"), OPEN)
        with (
            at_table(server, opened["id"], opened["secret"]) as player,
            pytest.raises(Refusal) as refusal,
        ):
            player.act("stop", 0)
        assert refusal.value.code in list(ErrorCode)


class TestDescription:
    def test_every_request_is_there_with_words_and_an_id_of_its_own(
        self, operations: dict[Any, Any]
    ) -> None:
        assert set(operations) >= {
            "open_a_table",
            "state",
            "take_a_seat",
            "events",
            "record",
            "board",
            "preview_picture",
            "editions",
            "language",
            "analysis",
            "hint",
            "review",
            "review_record",
            "daily",
            "play_daily",
            "ask_for_a_drill",
            "answer_a_drill",
            "check_progress",
        }
        for operation in operations.values():
            assert operation["summary"]
            assert operation["description"].endswith(".")
            for parameter in operation["parameters"]:
                assert parameter["description"]

    def test_every_refusal_has_the_one_shape(self, api: Any, operations: dict[Any, Any]) -> None:
        for operation in operations.values():
            statuses = set(operation["responses"])
            assert {"429", "500", "503", "default"} < statuses
            for status, answer in operation["responses"].items():
                if not status.startswith("2"):
                    assert set(answer["content"]) == {JSON}
                    reference = {"$ref": "#/components/schemas/ErrorAnswer"}
                    assert answer["content"][JSON]["schema"] == reference
        assert "HTTPValidationError" not in api["components"]["schemas"]

    def test_the_statuses_of_each_request(self, operations: dict[Any, Any]) -> None:
        always = {"429", "500", "503", "default"}
        statuses = {
            name: set(operation["responses"]) - always for name, operation in operations.items()
        }
        assert statuses == {
            "open_a_table": {"201", "400", "403", "404", "413", "422"},
            "state": {"200", "403", "404", "410"},
            "take_a_seat": {"201", "400", "403", "404", "409", "410", "413"},
            "events": {"200", "400", "404", "410"},
            "record": {"200", "404", "409", "410"},
            "board": {"200", "400", "404", "410"},
            "preview_picture": {"200", "400", "404", "410"},
            "editions": {"200"},
            "language": {"200", "404"},
            "analysis": {"200", "400", "422"},
            "hint": {"200", "403", "404", "409", "410"},
            "own_hint": {"200", "403", "404", "409", "410"},
            "review": {"200", "404", "409", "410"},
            "review_record": {"200", "400", "413", "422"},
            "daily": {"200"},
            "daily_archive": {"200"},
            "daily_day": {"200", "400", "404"},
            "play_daily": {"201", "400", "404", "413"},
            "ask_for_a_drill": {"200", "400", "404", "413"},
            "answer_a_drill": {"200", "400", "404", "413"},
            "check_progress": {"200", "400", "413"},
            "me": {"200", "403"},
            "begin": {"201", "400", "409", "413"},
            "change_me": {"200", "400", "403", "409", "413"},
            "erase_me": {"204", "403"},
            "link": {"201", "403"},
            "add_device": {"201", "400", "403", "409", "413"},
            "remove_device": {"204", "403", "404", "409"},
            "words": {"201", "403"},
            "restore": {"201", "400", "403", "409", "413"},
            "kept_record": {"200", "404"},
            "passkey_challenge": {"201", "400", "409"},
            "add_passkey": {"201", "400", "403", "409", "413"},
            "use_passkey": {"201", "400", "403", "409", "413"},
            "remove_passkey": {"204", "403", "404"},
            "claim_days": {"200", "400", "403", "409", "413"},
            "turns": {"200", "403"},
            "hours": {"200", "403"},
            "set_hours": {"200", "400", "403", "409", "413"},
            "announce_away": {"201", "400", "403", "409", "413"},
            "cancel_away": {"200", "400", "403", "404"},
            "calls": {"200", "403"},
            "add_push": {"201", "400", "403", "409", "413"},
            "add_mail": {"201", "400", "403", "409", "413"},
            "add_ntfy": {"201", "400", "403", "409", "413"},
            "add_webhook": {"201", "400", "403", "409", "413"},
            "set_reminders": {"200", "400", "403", "413"},
            "add_feed": {"201", "400", "403"},
            "remove_feed": {"204", "400", "403"},
            "change_contact": {"200", "400", "403", "404", "413"},
            "remove_contact": {"204", "403", "404"},
            "test_contact": {"200", "403", "404", "409"},
            "table_players": {"200", "403", "404", "410"},
            "report": {"204", "400", "403", "404", "410", "413"},
            "export": {"200", "403"},
            "courtesy": {"200", "403"},
            "set_courtesy": {"204", "400", "403", "404", "409", "413"},
            "lift_courtesy": {"204", "403"},
            "profile": {"200", "403", "404"},
            "player_games": {"200", "400", "403", "404"},
            "leaders": {"200", "400"},
            "club": {"200"},
            "lobby": {"200", "403", "404"},
            "seek": {"200", "400", "403", "404", "409", "413", "422"},
            "seek_bot": {"200", "403", "404", "409"},
            "stop_seeking": {"204", "403", "404"},
        }

    def test_the_examples_are_what_they_are_examples_of(
        self, api: Any, operations: dict[Any, Any]
    ) -> None:
        found = 0
        for operation in operations.values():
            for answer in operation["responses"].values():
                for content in answer.get("content", {}).values():
                    examples = [one["value"] for one in content.get("examples", {}).values()]
                    for example in [*examples, *filter(None, [content.get("example")])]:
                        schema = {**content["schema"], "components": api["components"]}
                        Draft202012Validator(schema).validate(example)
                        found += 1
        assert found > 30

    def test_the_examples_of_bodies_are_accepted(self, server: TestClient) -> None:
        for example in body_examples("open_a_table"):
            assert server.post("/api/tables", json=example).status_code == 201
        table = open_table(server, OPEN, OPEN)["id"]
        for example in body_examples("take_a_seat"):
            answer = server.post(f"/api/tables/{table}/seats", json=example)
            assert answer.status_code == 201

    def test_the_schemas_themselves_are_sound(self, api: Any) -> None:
        for schema in api["components"]["schemas"].values():
            Draft202012Validator.check_schema(schema)
