"""The game server: tables that people and bots sit at. See docs/protocol.md.

``create_app(ServerOptions("sqlite:///games.db"))`` is its ASGI application.
"""

from typing import TYPE_CHECKING, Any

from cantstop.extras import require

if TYPE_CHECKING:
    from cantstop.server.app import ServerOptions, create_app

__all__ = ["ServerOptions", "create_app"]

require("web")


def __getattr__(name: str) -> Any:  # noqa: ANN401
    # imported when asked for: processes for heavy work need neither web framework nor database
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cantstop.server import app

    return getattr(app, name)
