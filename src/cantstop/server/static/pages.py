"""The browser client's files: one page for every address of it, and what that page loads."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from html import escape
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from cantstop.language import LANGUAGES
from cantstop.language.guide import guide_json
from cantstop.server.static.bundle import APP, Client, build_client, words_name
from cantstop.server.static.content import Bundle
from cantstop.server.static.engine_files import engine_files
from cantstop.server.static.kept import LIST, PLAIN, kept_list
from cantstop.server.static.languages import catalogues, translator, translator_for
from cantstop.server.static.modules import read_pages
from cantstop.wire.codec import encode
from cantstop.wire.offers import offers

WEB = Path(__file__).parents[2] / "web"

GUIDES = {f"guide/{code}.json": code for code in LANGUAGES}
OFFERS = {f"offers/{code}.json": code for code in LANGUAGES}
"""The strategy guide and what a new game can be, by the names of files that there are not."""

# The system's own list may be missing or wrong, and a browser runs no script of another type.
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}

_PRELOAD_FETCH = "rel=preload; as=fetch; crossorigin=anonymous"
_PRELOAD = {
    ".css": "rel=preload; as=style",
    ".js": "rel=modulepreload",
    ".json": _PRELOAD_FETCH,
}


@cache
def _offers(code: str) -> bytes:
    return encode(offers(translator(code)))


@cache
def _guide(code: str) -> bytes:
    return guide_json(translator(code)).encode()


class ClientFiles(StaticFiles):
    """The files of the browser client; a running server keeps the bundles that it has built."""

    def __init__(self, web: Path, imprint: str | None = None, *, lobby: bool = False) -> None:
        super().__init__(directory=web, check_dir=False)
        self._web = web
        self._imprint = imprint
        """The operator's own page, which the start page links to."""
        self._lobby = lobby
        """Whether the start page has a lobby."""

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The module of every page by its address."""
        return read_pages(self._web)

    @cached_property
    def _client(self) -> Client:
        return build_client(self._web, catalogues(), engine_files())

    @cached_property
    def _kept(self) -> bytes:
        """What the service worker keeps."""
        named = {code: (f"guide/{code}.json", f"offers/{code}.json") for code in LANGUAGES}
        return kept_list(self._web, self._client, named)

    def prepare(self) -> None:
        """Build the bundles now: the first visitor's page would hold up everybody for a moment."""
        _ = self.index, self._kept

    @property
    def bundles(self) -> Mapping[str, Bundle]:
        """What is built, by its name."""
        return self._client.bundles

    def contents(self) -> dict[str, bytes]:
        """Everything that a browser may load, by its address below ``/static/``."""
        plain = (
            *PLAIN,
            "sw.js",
            *(f"icons/{path.name}" for path in (self._web / "icons").iterdir()),
        )
        return {
            **{name: (self._web / name).read_bytes() for name in plain},
            **{name: bundle.content for name, bundle in self._client.by_address.items()},
            **{name: _guide(code) for name, code in GUIDES.items()},
            **{name: _offers(code) for name, code in OFFERS.items()},
            LIST: self._kept,
        }

    @cached_property
    def index(self) -> bytes:
        """The page, which names the bundles by their content."""
        content = (self._web / "index.html").read_text("utf-8")
        for name in self._client.chunks[APP]:
            content = content.replace(f'"/static/{name}"', f'"{self._client.address(name)}"')
        if self._lobby:
            content = content.replace("<html ", "<html data-lobby ", 1)
        if self._imprint is not None:
            notice = f'<link rel="privacy-policy" href="{escape(self._imprint)}">'
            content = content.replace("</head>", f"  {notice}\n  </head>", 1)
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
        """A bundle, the guide in a language, or one of the files."""
        if path in GUIDES:
            return self._answer(_guide(GUIDES[path]), ".json", scope)
        if path in OFFERS:
            return self._answer(_offers(OFFERS[path]), ".json", scope)
        if path == LIST:
            return self._answer(self._kept, ".json", scope)
        if bundle := self._client.by_address.get(path):
            response = self._bundle(bundle, Path(path).suffix, scope)
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
            return response
        if bundle := self._client.bundles.get(path):
            return self._bundle(bundle, Path(path).suffix, scope)
        return await super().get_response(path, scope)

    def _bundle(self, bundle: Bundle, suffix: str, scope: Scope) -> Response:
        packed = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        response = self._answer(bundle.packed if packed else bundle.content, suffix, scope)
        response.headers["Vary"] = "Accept-Encoding"
        if packed and response.status_code == HTTPStatus.OK:
            response.headers["Content-Encoding"] = "gzip"
        return response

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
        link = ", ".join(f"<{address}>; {kind}" for address, kind in self._preloaded(request))
        content = self.index
        if head:
            content = content.replace(b"</head>", f"{head}\n</head>".encode(), 1)
        return self._answer(content, ".html", request.scope, status_code, link)

    def _preloaded(self, request: Request) -> Iterator[tuple[str, str]]:
        """What the client asks for first: the browser can load it before the client runs."""
        table = request.path_params.get("table_id", "")
        chunks = [APP]
        for address, module in self.addresses.items():
            given = {"table_id": "", "name": "", **request.path_params}
            if request.scope["path"] == address.format(**given):
                chunks += [self._client.names[module]] if module in self._client.names else []
        language = translator_for(request).language
        for chunk in chunks:
            names = [*self._client.chunks[chunk]]
            if language != "en":
                names.append(words_name(language, chunk))
            for name in names:
                yield self._client.address(name), _PRELOAD[Path(name).suffix]
        if table:
            yield f"/api/tables/{quote(table, safe='')}", _PRELOAD_FETCH
