"""Who is asking: proxies are believed only where the host said so."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cantstop.server import ServerOptions, create_app
from cantstop.server.http.proxies import InvalidProxy, read_proxies
from cantstop.server.limits.policy import Limits, Rate
from table_client import OPEN, at_table, human, open_table

ONE_EACH = Limits(requests=Rate(0.001, 1))


@pytest.fixture
def behind(url: str, web: Path) -> Iterator[Callable[..., TestClient]]:
    """Starts a server that trusts some proxies, and asks it from an address; the last one ends."""
    running: list[TestClient] = []

    def start(*proxies: Any, address: str = "192.0.2.1", limits: Any = ONE_EACH) -> TestClient:
        while running:
            running.pop().__exit__(None, None, None)
        app = create_app(ServerOptions(url, web=web, proxies=proxies, limits=limits))
        client = TestClient(app, client=(address, 50000))
        running.append(client.__enter__())
        return client

    yield start
    for client in running:
        client.__exit__(None, None, None)


def status(client: Any, **headers: Any) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.get("/api/editions", headers=named).status_code


class TestAddress:
    def test_nobody_is_believed_by_default(self, behind: Callable[..., TestClient]) -> None:
        for address in ("192.0.2.1", "127.0.0.1"):
            client = behind(address=address)
            assert status(client, X_Forwarded_For="198.51.100.1") == 200
            assert status(client, X_Forwarded_For="198.51.100.2") == 429

    def test_a_trusted_proxy_says_who_is_asking(self, behind: Callable[..., TestClient]) -> None:
        client = behind("192.0.2.1")
        assert status(client, X_Forwarded_For="198.51.100.1") == 200
        assert status(client, X_Forwarded_For="198.51.100.2") == 200
        assert status(client, X_Forwarded_For="198.51.100.1") == 429

    def test_what_a_client_made_up_before_the_proxy_is_not_believed(
        self, behind: Callable[..., TestClient]
    ) -> None:
        client = behind("192.0.2.1", "10.0.0.0/8")
        assert status(client, X_Forwarded_For="203.0.113.1, 198.51.100.1, 10.1.2.3") == 200
        assert status(client, X_Forwarded_For="203.0.113.2, 198.51.100.1, 10.1.2.4") == 429

    def test_another_machine_than_the_proxy_is_not_believed(
        self, behind: Callable[..., TestClient]
    ) -> None:
        client = behind("192.0.2.2")
        assert status(client, X_Forwarded_For="198.51.100.1") == 200
        assert status(client, X_Forwarded_For="198.51.100.2") == 429

    @pytest.mark.parametrize("text", ["*", "", "localhost", "10.0.0.0/33", "10.0.0.1/8", "::1,"])
    def test_a_proxy_is_an_address_or_a_network(self, text: str) -> None:
        with pytest.raises(InvalidProxy, match=r"is not the address of a proxy"):
            read_proxies([text])


class TestOrigin:
    def connects(self, client: Any, **headers: Any) -> bool:
        table = open_table(client, human(), OPEN)["id"]
        client.headers.update(headers)
        try:
            with at_table(client, table):
                return True
        except WebSocketDisconnect:
            return False

    @pytest.mark.parametrize(
        ("origin", "host", "same"),
        [
            ("https://play.example", "play.example", True),
            ("https://play.example", "play.example:443", True),
            ("https://play.example:8443", "play.example:8443", True),
            ("https://Play.example", "play.example", True),
            ("https://play.example", "other.example", False),
            ("https://play.example:8443", "play.example", False),
            ("http://play.example", "play.example", False),
            ("https://play.example.evil", "play.example", False),
            ("null", "play.example", False),
        ],
    )
    def test_behind_a_proxy_that_speaks_https(
        self, behind: Callable[..., TestClient], origin: str, host: str, same: bool
    ) -> None:
        client = behind("192.0.2.1", limits=Limits())
        headers = {"Host": host, "Origin": origin, "X-Forwarded-Proto": "https"}
        assert self.connects(client, **headers) is same

    @pytest.mark.parametrize("scheme", ["http", "https"])
    def test_behind_a_proxy_that_nobody_told_us_of(
        self, behind: Callable[..., TestClient], scheme: str
    ) -> None:
        client = behind(limits=Limits())
        headers = {"Host": "play.example", "Origin": f"{scheme}://play.example"}
        assert self.connects(client, **headers)


class TestRequestId:
    def test_every_answer_has_one(self, behind: Callable[..., TestClient]) -> None:
        client = behind(limits=Limits())
        names = {client.get("/").headers["X-Request-ID"] for _ in range(3)}
        assert len(names) == 3

    def test_only_a_trusted_proxy_chooses_it(self, behind: Callable[..., TestClient]) -> None:
        given = {"X-Request-ID": "from-the-proxy.1"}
        trusted = behind("192.0.2.1", limits=Limits())
        assert trusted.get("/", headers=given).headers["X-Request-ID"] == "from-the-proxy.1"
        plain = behind(limits=Limits())
        assert plain.get("/", headers=given).headers["X-Request-ID"] != "from-the-proxy.1"

    @pytest.mark.parametrize("name", ["", "x" * 65, "a b", 'quote"', "a\x7f"])
    def test_one_that_is_no_plain_word_is_replaced(
        self, behind: Callable[..., TestClient], name: str
    ) -> None:
        client = behind("192.0.2.1", limits=Limits())
        answer = client.get("/", headers={"X-Request-ID": name})
        assert answer.headers["X-Request-ID"] != name


def test_no_answer_tells_a_browser_to_insist_on_https(behind: Callable[..., TestClient]) -> None:
    client = behind("192.0.2.1", limits=Limits())
    for scheme in ("http", "https"):
        answer = client.get("/", headers={"X-Forwarded-Proto": scheme})
        assert "Strict-Transport-Security" not in answer.headers
