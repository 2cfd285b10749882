"""The socket that a server listens on."""

import socket
import subprocess
import sys

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
