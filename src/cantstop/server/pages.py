"""The browser client's files: one page for every address of it, and what that page loads."""

import os
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

WEB = Path(__file__).parent.parent / "web"

ADDRESSES = ("/", "/new", "/t/{table_id}", "/rules", "/learn", "/games", "/verify")

# The system's own list may be missing or wrong, and a browser runs no script of another type.
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class ClientFiles(StaticFiles):
    """The files of the browser client."""

    def file_response(
        self,
        full_path: PathLike,
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, or word that the browser has it already."""
        response = FileResponse(
            full_path,
            status_code=status_code,
            stat_result=stat_result,
            media_type=_TYPES.get(Path(full_path).suffix, "application/octet-stream"),
            # names do not change with what is in a file, so a browser has to ask each time
            headers={"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"},
        )
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response

    def page(self, scope: Scope, status_code: int = 200) -> Response:
        """The one page that every address of the client gets."""
        path, found = self.lookup_path("index.html")
        assert found is not None, "the browser client is not installed"
        return self.file_response(path, found, scope, status_code)
