"""The guard: nobody makes this server ask for what is inside its own network."""

import asyncio
import socket
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from cantstop.server.calls.guard import Answer, Forbidden, Guard, NoAnswer, is_public
from local_service import local_service
from patience import PATIENCE

INSIDE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::10.0.0.1",
    "2002:7f00:1::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
OUTSIDE = ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::1.1.1.1"]


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_inside(address: str) -> None:
    assert not is_public(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(Forbidden):
        Guard().read(f"https://{host}/hook")


@pytest.mark.parametrize("address", OUTSIDE)
def test_addresses_outside(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "https://",
        "https:///path",
        "https://user:password@example.org/",
        "https://user@example.org/",
        "https://example.org:22/",
        "https://example.org:25/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/\r\nX: y",
        "https://exämple.org/",
        "https://[::1/",
        f"https://example.org/{'x' * 1000}",
    ],
)
def test_what_is_no_address_for_us(url: str) -> None:
    with pytest.raises(Forbidden):
        Guard().read(url)


def test_an_address_is_taken_apart() -> None:
    place = Guard().read("https://push.example:8443/a/b?c=d")
    assert (place.host, place.port, place.path) == ("push.example", 8443, "/a/b?c=d")
    assert place.authority == "push.example:8443"
    assert Guard().read("https://push.example").authority == "push.example"


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names resolve to the first of these, then the second …; returns the hosts asked for."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **_options: object) -> list[Any]:
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("found", [["127.0.0.1"], ["1.1.1.1", "10.0.0.1"], ["fe80::1%eth0"]])
def test_a_name_that_resolves_to_an_address_inside(
    monkeypatch: pytest.MonkeyPatch, found: list[str]
) -> None:
    asked = resolving(monkeypatch, found)
    with pytest.raises(Forbidden):
        asyncio.run(Guard().post("https://rebind.example/", {}, b""))
    assert asked == ["rebind.example"]


def test_a_name_is_resolved_once_and_that_address_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name that resolves outside first and inside then (DNS rebinding) gains nothing."""
    asked = resolving(monkeypatch, ["1.1.1.1"], ["127.0.0.1"])
    connected: list[tuple[str, str | None]] = []

    async def open_connection(host: str, _port: int, **options: Any) -> None:
        connected.append((host, options["server_hostname"]))
        raise OSError

    monkeypatch.setattr(asyncio, "open_connection", open_connection)
    with pytest.raises(NoAnswer):
        asyncio.run(Guard().post("https://rebind.example/", {}, b""))
    assert asked == ["rebind.example"]
    assert connected == [("1.1.1.1", "rebind.example")]


def test_an_operator_may_allow_a_network_of_their_own() -> None:
    async def run() -> Answer:
        async with local_service() as service:
            for guard in (Guard(), Guard([ip_network("10.0.0.0/8")])):
                with pytest.raises(Forbidden):
                    await guard.post(service.url("/"), {}, b"")
            assert service.connections == 0
            allowed = Guard([ip_network("127.0.0.0/8")], PATIENCE)
            return await allowed.post(service.url("/201"), {"X-Own": "yes"}, b"7")

    assert asyncio.run(run()).status == 201


def test_redirects_are_not_followed() -> None:
    async def run() -> tuple[Answer, int]:
        async with local_service() as service:
            service.headers = {"Location": service.url("/inside")}
            guard = Guard([ip_network("127.0.0.0/8")], PATIENCE)
            return await guard.post(service.url("/302"), {}, b""), service.connections

    answer, connections = asyncio.run(run())
    assert (answer.status, connections) == (302, 1)


def test_without_encryption_only_into_allowed_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["1.1.1.1"])
    with pytest.raises(Forbidden):
        asyncio.run(Guard([ip_network("10.0.0.0/8")]).post("http://out.example/", {}, b""))


@pytest.mark.parametrize(
    "lines",
    ["x", "X: y\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "\0"],
    ids=["bytes", "headers", "not yet", "nothing"],
)
def test_an_answer_without_end_is_none(lines: str) -> None:
    """Byte by byte for as long as one reads: what is read is bounded, and so is the time."""

    async def run() -> None:
        gone = asyncio.Event()

        async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")
                while True:
                    for byte in lines.encode():
                        writer.write(bytes([byte]))
                        await writer.drain()
                        await asyncio.sleep(0)
            except OSError:
                gone.set()

        server = await asyncio.start_server(drip, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        guard = Guard([ip_network("127.0.0.0/8")], PATIENCE)
        with pytest.raises(NoAnswer):
            await guard.post(f"http://127.0.0.1:{port}/", {}, b"7")
        await gone.wait()
        server.close()

    asyncio.run(run())
