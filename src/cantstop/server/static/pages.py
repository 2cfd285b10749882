"""The browser client's files: one page for every address of it, and what that page loads."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from cantstop.server.static.bundle import Bundle, build_bundles
from cantstop.server.static.languages import translator_for

WEB = Path(__file__).parents[2] / "web"

INSIGHT_ADDRESSES = ("/t/{table_id}/review", "/review", "/analysis", "/odds")
"""The pages whose scripts and styles are loaded on demand."""
ADDRESSES = (
    *("/", "/new", "/t/{table_id}", "/rules", "/learn", "/games", "/verify", "/daily"),
    *INSIGHT_ADDRESSES,
)

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


_PRELOAD_FETCH = "rel=preload; as=fetch; crossorigin=anonymous"


class ClientFiles(StaticFiles):
    """The files of the browser client; a running server keeps the bundles that it has built."""

    def __init__(self, web: Path) -> None:
        super().__init__(directory=web, check_dir=False)
        self._web = web

    @cached_property
    def _bundles(self) -> Mapping[str, Bundle]:
        return build_bundles(self._web)

    @cached_property
    def _index(self) -> bytes:
        """The page, which names the bundles by their content."""
        content = (self._web / "index.html").read_text("utf-8")
        for name, bundle in self._bundles.items():
            content = content.replace(f'"/static/{name}"', f'"/static/{name}?{bundle.query}"')
        return content.encode()

    def file_response(
        self,
        full_path: PathLike,
        stat_result: os.stat_result,  # noqa: ARG002
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, or 304 where the browser has it already."""
        return self._answer(
            Path(full_path).read_bytes(), Path(full_path).suffix, scope, status_code
        )

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A bundle, or one of the files."""
        if bundle := self._bundles.get(path):
            response = self._answer(bundle.content, Path(path).suffix, scope)
            if scope["query_string"] == bundle.query.encode():
                response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
            return response
        return await super().get_response(path, scope)

    def _answer(
        self,
        content: bytes,
        suffix: str,
        scope: Scope,
        status_code: int = 200,
        link: str = "",
    ) -> Response:
        response = Response(
            content,
            status_code,
            {
                # names do not change with the content: a browser has to revalidate
                "Cache-Control": "no-cache",
                # nor do modification times in an installed package
                "ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"',
                "Service-Worker-Allowed": "/",
            },
            _TYPES.get(suffix, "application/octet-stream"),
        )
        if link:
            response.headers["Link"] = link
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response

    def page(self, request: Request, status_code: int = 200, head: str = "") -> Response:
        """The page of every address of the client, with a ``Link`` header of what to preload.

        ``head`` is HTML that its head has besides.
        """
        names = ["app.css", "app.js"]
        if _is_insight(request):
            names += ["more.js", "insight.js", "insight.css"]
        link = ", ".join(
            [
                *(
                    f"</static/{name}?{self._bundles[name].query}>; {_preload(name)}"
                    for name in names
                ),
                *(f"<{address}>; {_PRELOAD_FETCH}" for address in _preloaded(request)),
            ]
        )
        content = self._index
        if head:
            content = content.replace(b"</head>", f"{head}\n</head>".encode(), 1)
        return self._answer(content, ".html", request.scope, status_code, link)


def _preload(name: str) -> str:
    return "rel=preload; as=style" if name.endswith(".css") else "rel=modulepreload"


def _is_insight(request: Request) -> bool:
    table = request.path_params.get("table_id", "")
    return request.scope["path"] in [each.format(table_id=table) for each in INSIGHT_ADDRESSES]


def _preloaded(request: Request) -> Iterable[str]:
    """What the client requests first: the browser can load it before the client runs."""
    if (language := translator_for(request).language) != "en":
        yield f"/api/languages/{language}"
    if table := request.path_params.get("table_id"):
        yield f"/api/tables/{quote(table, safe='')}"
