"""The server: tables that people and bots play at, over HTTP and sockets. See docs/protocol.md."""

from cantstop.server.app import create_app

__all__ = ["create_app"]
