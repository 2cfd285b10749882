"""The game server: tables that people and bots sit at. See docs/protocol.md.

``create_app(ServerOptions("sqlite:///games.db"))`` is its ASGI application.
"""

from cantstop.server.app import ServerOptions, create_app

__all__ = ["ServerOptions", "create_app"]
