"""The socket that a server listens on."""

import socket

from cantstop.server.serving import listen


def test_what_is_sent_is_not_held_back_until_more_comes():
    with (
        listen("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
