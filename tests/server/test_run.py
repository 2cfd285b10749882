"""A worker's process: the socket that it listens on, its open files, its garbage."""

import gc
import socket
import subprocess
import sys
import weakref

import pytest

from cantstop.server import run
from cantstop.server.run import listen


def test_what_is_sent_is_not_held_back_until_more_comes() -> None:
    with (
        listen("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


MODEST = """
import resource
from cantstop.server.http.transport import raise_open_file_limit
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
raise_open_file_limit()
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)
"""


def test_a_server_takes_all_the_connections_that_the_system_lets_it_have() -> None:
    subprocess.run([sys.executable, "-c", MODEST], check=True)


class Node:
    itself: "Node"


@pytest.mark.parametrize(
    ("looks", "ticks"), [(0, run.YOUNG_TICKS), (2, run.HOUR_TICKS)], ids=["new", "old"]
)
def test_garbage_is_found_although_the_collector_does_not_run(looks: int, ticks: int) -> None:
    gc.disable()
    try:
        node = Node()
        node.itself = node
        for _ in range(looks):
            gc.collect(1)
        gone = weakref.ref(node)
        del node
        run._collect_garbage(0)
        assert gone() is not None
        run._collect_garbage(ticks - 1)
        assert gone() is None
    finally:
        gc.enable()
