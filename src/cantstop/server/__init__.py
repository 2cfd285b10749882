"""Tables that people and bots sit at: the room that a browser connects to. See docs/protocol.md."""

from cantstop.server.app import create_app

__all__ = ["create_app"]
