"""Logs: lines for programs and for people, about requests and tables, without secrets."""

import json
import logging
import logging.config
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cantstop.server import ServerOptions, create_app
from cantstop.server.ops.logs import LogFormat, logging_config
from cantstop.server.tables import opening
from table_client import at_table, human, open_table

SECRET = "the-secret-of-a-seat"


@pytest.fixture
def logged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Callable[..., Any]]]:
    """Sets logging up as a server does, and reads what was written."""
    # It would close the handlers of all libraries in this process, and that of absl, which
    # OpenSpiel brings, closes its stream: that may be pytest's own.
    monkeypatch.setattr(logging.config, "_clearExistingHandlers", lambda: None)
    before = logging.root.handlers[:], logging.root.level

    def start(form: Any) -> Callable[..., Any]:
        logging.config.dictConfig(logging_config(form))
        return lambda: capsys.readouterr().err

    yield start
    logging.root.handlers[:], logging.root.level = before
    for name in ("cantstop", "uvicorn"):
        logging.getLogger(name).setLevel(logging.NOTSET)


@pytest.fixture
def fragile(url: str, web: Path) -> Iterator[TestClient]:
    """A server that answers errors instead of raising them."""
    with TestClient(
        create_app(ServerOptions(url, pace=0, web=web)), raise_server_exceptions=False
    ) as server:
        yield server


class TestJson:
    def lines(self, text: str) -> list[Any]:
        return [json.loads(line) for line in text.splitlines()]

    def test_a_request_is_one_object(
        self, logged: Callable[..., Callable[..., Any]], fragile: TestClient
    ) -> None:
        written = logged(LogFormat.JSON)
        answer = fragile.get(f"/api/tables/nowhere?lang=de&seat={SECRET}")
        (line,) = self.lines(written())
        assert datetime.fromisoformat(line["time"]).tzinfo is not None
        assert line["level"] == "info"
        assert line["message"] == "GET /api/tables/nowhere: 404"
        assert line["request"] == answer.headers["X-Request-ID"]
        assert line["table"] == "nowhere"
        assert (line["method"], line["path"], line["status"]) == (
            "GET",
            "/api/tables/nowhere",
            404,
        )
        assert line["worker"] > 0
        assert line["seconds"] >= 0

    def test_an_exception_is_a_field_of_its_request(
        self,
        logged: Callable[..., Callable[..., Any]],
        fragile: TestClient,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def broken(*_: Any) -> None:
            logging.getLogger("cantstop.server").warning("about to fail")
            raise ZeroDivisionError

        monkeypatch.setattr(opening, "new_table_id", broken)
        written = logged(LogFormat.JSON)
        body = {"mode": "hotseat", "seats": [human(), human("Bob")]}
        answer = fragile.post("/api/tables", json=body)
        logging.getLogger("uvicorn.error").error(
            "it failed", exc_info=ZeroDivisionError("division")
        )
        warning, request, failure = self.lines(written())
        assert answer.status_code == 500
        assert warning["request"] == request["request"] == answer.headers["X-Request-ID"]
        assert request["status"] == 500
        assert "ZeroDivisionError" in failure["exception"]

    def test_a_socket_is_told_of_with_its_table(
        self, logged: Callable[..., Callable[..., Any]], fragile: TestClient
    ) -> None:
        table = open_table(fragile, human(salt="a"), human("Bob", salt="b"), mode="hotseat")
        written = logged(LogFormat.JSON)
        with at_table(fragile, table["id"], table["secret"]) as player:
            player.act("roll", 0)
        (line,) = self.lines(written())
        assert (line["method"], line["status"], line["table"]) == ("SOCKET", 101, table["id"])

    def test_a_socket_that_is_not_let_in_is_told_of_too(
        self, logged: Callable[..., Callable[..., Any]], fragile: TestClient
    ) -> None:
        written = logged(LogFormat.JSON)
        with (
            pytest.raises(WebSocketDisconnect),
            at_table(fragile, "nowhere", headers={"Origin": "https://elsewhere.example"}),
        ):
            pass
        (line,) = self.lines(written())
        assert (line["method"], line["status"]) == ("SOCKET", 403)

    def test_no_line_holds_a_secret(
        self, logged: Callable[..., Callable[..., Any]], fragile: TestClient
    ) -> None:
        written = logged(LogFormat.JSON)
        table = open_table(fragile, human(), human("Bob", salt="b"), mode="hotseat")
        with at_table(fragile, table["id"], table["secret"], after=f"1&seat={SECRET}") as player:
            player.act("roll", 0)
        fragile.get(f"/t/{table['id']}?seat={SECRET}")
        fragile.get(
            f"/api/tables/{table['id']}", headers={"Authorization": f"Bearer {table['secret']}"}
        )
        text = written()
        assert text.count(table["id"]) >= 3
        assert table["secret"] not in text
        assert SECRET not in text

    def test_what_somebody_sends_cannot_make_up_lines(
        self, logged: Callable[..., Callable[..., Any]], fragile: TestClient
    ) -> None:
        written = logged(LogFormat.JSON)
        fragile.get("/nowhere%0a%7b%22level%22:%22error%22%7d")
        (line,) = self.lines(written())
        assert line["path"] == '/nowhere\n{"level":"error"}'


class TestText:
    def test_only_what_needs_attention_is_told(
        self, logged: Callable[..., Callable[..., Any]], fragile: TestClient
    ) -> None:
        written = logged(LogFormat.TEXT)
        fragile.get("/")
        logging.getLogger("cantstop.server").info("nothing special")
        assert written() == ""

    def test_a_line_is_for_people(self, logged: Callable[..., Callable[..., Any]]) -> None:
        written = logged(LogFormat.TEXT)
        logging.getLogger("cantstop.server").error(
            "It failed.", exc_info=ZeroDivisionError("the reason")
        )
        first, *others = written().splitlines()
        assert first.endswith("ERROR It failed.")
        assert others[-1] == "ZeroDivisionError: the reason"
