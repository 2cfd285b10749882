"""A server that is asked to end: everybody is asked to come back, and nothing is cut short."""

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cantstop.server import ServerOptions, create_app
from patience import PATIENCE, PATIENT_SOCKET
from postgresql import Postgres

WATCH = {"t": "hello", "d": {"secret": None}}
TABLE = {
    "mode": "hotseat",
    "seats": [
        {"kind": "human", "name": "Anne", "salt": "a"},
        {"kind": "human", "name": "Bob", "salt": "b"},
    ],
}


@contextmanager
def running(url: str, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and where it is."""
    command = [sys.executable, "-m", "cantstop", "serve", "--port", "0", "--database", url]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().split()[4].removeprefix("http://").strip("/")
        finally:
            process.kill()


def closing_code(line: ClientConnection) -> int | None:
    """Listen to the end of a line; returns how it ended."""
    try:
        while True:
            line.recv()
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


def asked(address: str, path: str, body: Any = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://{address}{path}", data, headers)
    with urllib.request.urlopen(request) as answer:
        return str(answer.read(), "utf-8")


def test_everybody_is_told_to_come_back_and_a_request_under_way_is_answered(
    each_url: str, web: Path
) -> None:
    workers = "1" if each_url.startswith("sqlite") else "2"  # as many as it can have
    with running(each_url, "--workers", workers) as (process, address), ExitStack() as ends:
        table = json.loads(asked(address, "/api/tables", TABLE))["id"]
        path = f"ws://{address}/api/tables/{table}/socket"
        lines = [ends.enter_context(connect(path, **PATIENT_SOCKET)) for _ in range(6)]
        for line in lines:
            line.send(json.dumps(WATCH))
            assert json.loads(line.recv())["t"] == "state"
        body = json.dumps(TABLE).encode()
        host, _, port = address.partition(":")
        with socket.create_connection((host, int(port))) as slow:
            slow.sendall(
                f"POST /api/tables HTTP/1.1\r\nHost: {address}\r\nContent-Length: {len(body)}\r\n"
                "Content-Type: application/json\r\n\r\n".encode()
                + body[:10]
            )
            assert "classic" in asked(address, "/api/editions")  # so it has read that much by now
            process.send_signal(signal.SIGTERM)
            assert closing_code(lines[0]) == 1012
            slow.sendall(body[10:])  # at once: a server that ends does not wait for long
            assert [closing_code(line) for line in lines[1:]] == [1012] * 5
            assert slow.makefile().readline().startswith("HTTP/1.1 201")
        with pytest.raises(OSError), socket.create_connection((host, int(port))):
            pass
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    # nobody has lost anything
    with TestClient(create_app(ServerOptions(each_url, web=web))) as server:
        assert server.get(f"/api/tables/{table}").json()["stage"] == "playing"


def test_the_options_of_a_host_reach_the_workers(postgres: Postgres) -> None:
    url, workers = postgres.new_database(), 2
    options = ["--metrics", "--log", "json", "--proxy", "127.0.0.1,::1", "--limits", "0.002"]
    with running(url, "--workers", str(workers), *options) as (process, address):
        headers = {"X-Forwarded-For": "192.0.2.7", "X-Request-ID": "from-the-proxy"}
        statuses = []
        for _ in range(workers + 3):
            request = urllib.request.Request(f"http://{address}/api/editions", headers=headers)
            try:
                with urllib.request.urlopen(request) as answer:
                    statuses.append(answer.status)
                    assert answer.headers["X-Request-ID"] == "from-the-proxy"
                    assert "Server" not in answer.headers
            except urllib.error.HTTPError as error:
                statuses.append(error.code)
                error.close()
        assert 200 in statuses
        assert 429 in statuses
        figures = asked(address, "/metrics")
        hits = f'cantstop_limited_total{{limit="requests"}} {statuses.count(429)}.0'
        assert hits in figures.splitlines()
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
    lines = [json.loads(line) for line in errors.splitlines()]
    answered = [line for line in lines if line["path"] == "/api/editions"]
    assert sorted(line["status"] for line in answered) == sorted(statuses)
    assert {line["request"] for line in answered} == {"from-the-proxy"}
