"""The names that a server answers to: another site's name that points here reaches nothing."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cantstop.server import ServerOptions, create_app
from cantstop.server.run import host_names
from table_client import at_table, human, open_table


def client(tmp_path: Path, web: Path, names: tuple[str, ...] | None, host: str) -> TestClient:
    url = f"sqlite:///{tmp_path}/tables.db"
    app = create_app(ServerOptions(url, web=web, host_names=names))
    return TestClient(app, base_url=f"http://{host}")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8000",
        "localhost:8000",
        "[::1]:8000",
        "192.168.1.7",
        "app.localhost",
        "LOCALHOST.",
    ],
)
def test_addresses_and_localhost_work_out_of_the_box(tmp_path: Path, web: Path, host: str) -> None:
    with client(tmp_path, web, (), "127.0.0.1") as server:
        assert server.get("/api/editions", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["attacker.example:8000", "127.0.0.1.attacker.example", "", "localhost.example"]
)
def test_another_name_reaches_nothing(tmp_path: Path, web: Path, host: str) -> None:
    with client(tmp_path, web, (), "127.0.0.1") as server:
        table = open_table(server, human(salt="a"), human("Bob", salt="b"), mode="hotseat")["id"]
        answer = server.get(f"/api/tables/{table}", headers={"Host": host})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")
        assert answer.headers["x-content-type-options"] == "nosniff"
        with (
            pytest.raises(WebSocketDisconnect),
            at_table(server, table, headers={"Host": host, "Origin": f"http://{host}"}),
        ):
            pass


def test_names_that_are_given_are_answered_to(tmp_path: Path, web: Path) -> None:
    with client(tmp_path, web, ("Play.Example.org",), "play.example.org") as server:
        assert server.get("/api/editions").status_code == 200
        refused = server.get("/api/editions", headers={"Host": "other.example.org"})
        assert refused.status_code == 400
    with client(tmp_path, web, None, "any.example.org") as server:
        assert server.get("/api/editions").status_code == 200


@pytest.mark.parametrize(
    ("given", "host", "proxies", "names"),
    [
        (None, "127.0.0.1", (), ()),
        (None, "::1", (), ()),
        (None, "localhost", (), ()),
        (None, "0.0.0.0", (), None),
        (None, "192.168.1.7", (), None),
        (None, "127.0.0.1", ("127.0.0.1",), None),
        (["a.example"], "0.0.0.0", (), ("a.example",)),
        (["a.example"], "127.0.0.1", ("127.0.0.1",), ("a.example",)),
    ],
)
def test_by_default_only_a_server_for_this_machine_is_strict(
    given: Any, host: str, proxies: Any, names: Any
) -> None:
    assert host_names(given, host, proxies) == names
