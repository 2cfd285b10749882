"""docs/protocol.md and recorded messages agree with the one definition of the protocol."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from cantstop.client import connection
from cantstop.rules import Ending, Phase, Sharing, Start
from cantstop.server.runtime.presence import Clocks
from cantstop.server.static.pages import WEB
from cantstop.wire.actions import BaseAction, TableAction
from cantstop.wire.errors import ErrorCode
from cantstop.wire.events import DATA
from cantstop.wire.messages import MAX_MESSAGE_BYTES, CloseCode, ServerMessage
from cantstop.wire.schema import http_schemas, message_schemas

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
CONVERSATIONS = sorted((Path(__file__).parent / "data" / "conversations").glob("*.jsonl"))


def rows(*header: str) -> list[list[str]]:
    """The rows of the one table on the page that has this header."""
    _, found, rest = PAGE.partition(f"\n| {' | '.join(header)} |\n")
    assert found, f"docs/protocol.md has no table {header}"
    lines = rest.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]


def words(cell: str) -> list[str]:
    """The words in a cell that are written as code."""
    return re.findall(r"`([a-z_-]+)`", cell)


def numbers(cell: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", cell)]


class TestTables:
    def test_error_codes_and_their_status(self) -> None:
        written = {
            code: int(status)
            for codes, status, _ in rows("code", "status", "when")
            for code in words(codes)
        }
        assert written == {code.value: code.status for code in ErrorCode}

    def test_close_codes(self) -> None:
        written = [
            code for codes, *_ in rows("code", "why", "reconnect?") for code in numbers(codes)
        ]
        assert sorted(written) == sorted(CloseCode)

    def test_clients_reconnect_as_the_close_codes_say(self) -> None:
        table = rows("code", "why", "reconnect?")
        final = {
            code
            for codes, _, when in table
            if when in ("no", "as a watcher")
            for code in numbers(codes)
        }
        later = {code for codes, _, when in table if when == "later" for code in numbers(codes)}
        browser = (WEB / "net" / "socket.js").read_text("utf-8")
        written = re.search(r"FINAL_CODES = .*?\[([\d, ]+)\].*TOO_MANY = (\d+)", browser, re.DOTALL)
        assert written
        assert (final, later) == (set(numbers(written[1])), {int(written[2])})
        assert (final, later) == (set(connection.FINAL_CODES), {connection.TOO_MANY_CODE})

    def test_messages_of_the_server(self) -> None:
        written = [words(kind)[0] for kind, *_ in rows("`t`", "`d`", "meaning")]
        assert sorted(written) == sorted(ServerMessage)

    def test_actions_and_their_fields(self) -> None:
        written = {
            words(kind)[0]: words(named)
            for kind, named, _ in rows("action `kind`", "fields", "who")
        }
        defined = {}
        for action in get_args(TableAction):
            common = set(BaseAction.__struct_fields__)
            defined[action.__struct_config__.tag] = sorted(
                one.encode_name for one in msgspec.structs.fields(action) if one.name not in common
            )
        assert written == defined

    def test_events_and_their_data(self) -> None:
        written = {
            words(kind)[0]: [word for word in words(data) if word != "null"]
            for kind, data in rows("kind", "data")
        }
        defined = {kind: [one.name for one in fields(data)] for kind, data in DATA.items()}
        assert written == defined

    def test_events_without_a_seat(self) -> None:
        sentence = re.search(r"`seat` is `null` for ([^.]*)\.", PAGE)
        assert sentence
        schemas = message_schemas()["$defs"]
        without = {
            kind
            for kind, data in DATA.items()
            if schemas[f"{data.__name__.removesuffix('Data')}Event"]["properties"]["seat"]
            == {"type": "null"}
        }
        assert set(words(sentence[1])) == without

    def test_clocks(self) -> None:
        written = {
            clock: numbers(runs)[0]
            for clock, runs, _ in rows("timeout", "runs for", "when it ends")
        }
        clocks = Clocks()
        assert written == {one.name: getattr(clocks, one.name) for one in fields(clocks)}

    def test_the_size_of_a_message(self) -> None:
        assert f"A message has {MAX_MESSAGE_BYTES // 1024} kB at most" in PAGE

    def test_requests(self, server: TestClient) -> None:
        api: dict[str, Any] = server.get("/api/openapi.json").json()
        described = {
            f"{method.upper()} {path.replace('{table_id}', '{id}')}"
            for path, operations in api["paths"].items()
            for method in operations
        }
        written = [
            re.match(r"`([A-Z]+ [^`?]*)", request) for request, _ in rows("request", "answer")
        ]
        assert {found[1] for found in written if found} == described


def test_words_of_the_rules_are_all_in_the_schemas() -> None:
    def written(schema: str, field: str) -> object:
        found = schemas[schema]["properties"][field]
        named = (found.get("items") or found)["$ref"].rpartition("/")[2]
        return sorted(schemas[named]["enum"])

    schemas = http_schemas()
    assert written("View", "phase") == sorted(phase.value for phase in Phase)
    assert written("OutcomeView", "ending") == sorted(ending.value for ending in Ending)
    assert written("EditionOffer", "start") == sorted(start.value for start in Start)
    assert written("EditionOffer", "sharing") == sorted(sharing.value for sharing in Sharing)


@pytest.fixture(scope="module")
def validators() -> dict[tuple[str, str], Draft202012Validator]:
    schemas = message_schemas()
    return {
        (side, t): Draft202012Validator({**schema, "$defs": schemas["$defs"]})
        for side in ("server", "client")
        for t, schema in schemas[side].items()
    }


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_recorded_messages_have_their_schemas(
    path: Path, validators: dict[tuple[str, str], Draft202012Validator]
) -> None:
    seen = set()
    for line in path.read_text("utf-8").splitlines():
        message = json.loads(line).get("hear")
        if message is None:
            continue
        told = message["d"]
        sort = (message["t"], told.get("kind"), told.get("view", {}).get("phase"))
        if sort not in seen:  # one of each is enough, and jsonschema is slow
            seen.add(sort)
            validators["server", message["t"]].validate(told)


def test_an_action_of_every_kind_has_a_schema(
    validators: dict[tuple[str, str], Draft202012Validator],
) -> None:
    own = {"move": "6+8", "reaction": "cheer", "for": 1, "instead": None, "salt": "4f"}
    own |= {"salt_commitment": "9c" * 32, "asked": 12, "bot": "fox", "dice": [2, 4, 5, 5]}
    own |= {"runners": True, "column": True, "bust": 30}
    for kind, named, _ in rows("action `kind`", "fields", "who"):
        action = {"id": "12345678", "seat": 0, "kind": words(kind)[0]}
        action |= {name: own[name] for name in words(named)}
        validators["client", "act"].validate({"t": "act", "d": action})
        assert not validators["client", "act"].is_valid({"t": "act", "d": action | {"x": 1}})
