"""Pages of other sites: their visitors' browsers send nothing here that writes or costs much."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app

HOST = {"Host": "127.0.0.1:8000"}
FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:8000"},
    {"Origin": "http://attacker.example"},
    {"Origin": "http://127.0.0.1.attacker.example:8000"},
    {"Origin": "null"},
    {"Origin": "http://["},
]
OWN: list[dict[str, str]] = [
    {},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8000"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "http://127.0.0.1:8000"},
    # behind a proxy that ends TLS on another port
    {"Origin": "https://127.0.0.1"},
]


@pytest.fixture
def server(tmp_path: Path, web: Path) -> TestClient:
    url = f"sqlite:///{tmp_path}/tables.db"
    return TestClient(create_app(ServerOptions(url, web=web)), base_url="http://127.0.0.1:8000")


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_foreign_page_has_nothing_worked_out_and_opens_nothing(
    server: TestClient, headers: dict[str, str]
) -> None:
    with server:
        for answer in (
            server.get("/api/analysis?position=nonsense", headers=headers),
            server.post("/api/review", content="nonsense", headers=headers),
            server.get("/api/tables/nonsense/review", headers=headers),
            server.get("/api/tables/nonsense/hint", headers=headers),
            server.post("/api/tables", content="{}", headers=headers),
        ):
            assert answer.status_code == 400
            assert "other sites" in answer.json()["error"]["message"]


@pytest.mark.parametrize("headers", OWN)
def test_the_own_page_and_programs_are_served(server: TestClient, headers: dict[str, str]) -> None:
    with server:
        answer = server.post("/api/tables", content="{}", headers=headers)
        assert "other sites" not in answer.json()["error"]["message"]


def test_a_foreign_page_may_show_a_link_and_its_picture(server: TestClient) -> None:
    with server:
        foreign = {"Sec-Fetch-Site": "cross-site"}
        assert server.get("/", headers=foreign).status_code == 200
        picture = server.get("/api/tables/nonsense/board.png", headers=foreign)
        assert picture.status_code == 404


@pytest.mark.parametrize("host", ["127.0.0.1%x", "127.0.0.1%", "[127.0.0.1]", "::1", "[::1%]"])
def test_an_address_with_anything_behind_it_is_no_address(
    tmp_path: Path, web: Path, host: str
) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    app = create_app(ServerOptions(url, web=web, host_names=()))
    with TestClient(app, base_url="http://127.0.0.1:8000") as local:
        assert local.get("/api/editions", headers={"Host": host}).status_code == 400
