"""The browser client's files: one page for every address of it, and what that page loads."""

import hashlib
import os
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
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
        stat_result: os.stat_result,  # noqa: ARG002
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, or word that the browser has it already."""
        content = Path(full_path).read_bytes()
        response = Response(
            content,
            status_code,
            {
                # names do not change with what is in a file, so a browser has to ask each time
                "Cache-Control": "no-cache",
                # nor do the times of files that were installed from a package
                "ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"',
                "Service-Worker-Allowed": "/",
            },
            _TYPES.get(Path(full_path).suffix, "application/octet-stream"),
        )
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response

    def page(self, scope: Scope, status_code: int = 200) -> Response:
        """The one page that every address of the client gets."""
        path, found = self.lookup_path("index.html")
        assert found is not None, "the browser client is not installed"
        return self.file_response(path, found, scope, status_code)
