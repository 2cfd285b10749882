"""The browser client's files: one page for every address of it, and what that page loads."""

import hashlib
import os
from pathlib import Path
from typing import ClassVar

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from cantstop.server.packing import packed_script, packed_style

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

    _packs: ClassVar = {"app.js": packed_script, "app.css": packed_style}

    def __init__(self, web: Path) -> None:
        super().__init__(directory=web, check_dir=False)
        self._web = web

    def file_response(
        self,
        full_path: PathLike,
        stat_result: os.stat_result,  # noqa: ARG002
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, or word that the browser has it already."""
        return self._answer(
            Path(full_path).read_bytes(), Path(full_path).suffix, scope, status_code
        )

    async def get_response(self, path: str, scope: Scope) -> Response:
        """One of the files, or all modules or style sheets in one."""
        if path in self._packs:
            content = self._packs[path](self._web).encode()
            return self._answer(content, Path(path).suffix, scope)
        return await super().get_response(path, scope)

    def _answer(
        self, content: bytes, suffix: str, scope: Scope, status_code: int = 200
    ) -> Response:
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
            _TYPES.get(suffix, "application/octet-stream"),
        )
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response

    def page(self, scope: Scope, status_code: int = 200) -> Response:
        """The one page that every address of the client gets."""
        path, found = self.lookup_path("index.html")
        assert found is not None, "the browser client is not installed"
        return self.file_response(path, found, scope, status_code)
