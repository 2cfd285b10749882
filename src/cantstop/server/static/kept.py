"""What a browser keeps to have the app without a connection: the service worker's list."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from cantstop.language import LANGUAGES
from cantstop.server.static.bundle import Client, words_name
from cantstop.server.static.content import short_hash

LIST = "kept.json"

PLAIN = ("offline.html", "device/offline.js", "style/base.css", "manifest.webmanifest")
"""Files whose addresses have no hash."""


@dataclass
class KeptFiles:
    """The service worker's list. ``release`` changes with every file of it."""

    all: list[str]
    words: dict[str, list[str]]
    """Beside all of them, those of each language."""
    release: str = ""


def kept_list(web: Path, client: Client, named: Mapping[str, Iterable[str]]) -> bytes:
    """The release's files as JSON, by addresses relative to the list's own.

    ``named`` are files of a language whose addresses have no hash.
    """
    words = {
        code: [
            bundle.address(name)
            for name, bundle in client.bundles.items()
            if name.startswith(words_name(code, ""))
        ]
        for code in LANGUAGES
    }
    every = [
        bundle.address(name)
        for name, bundle in client.bundles.items()
        if not name.startswith("words/")
    ]
    icons = sorted(f"icons/{path.name}" for path in (web / "icons").iterdir())
    kept = KeptFiles(
        [*every, *PLAIN, *icons], {code: [*words[code], *named[code]] for code in LANGUAGES}
    )
    kept.release = short_hash(_json(kept))
    return _json(kept)


def _json(kept: KeptFiles) -> bytes:
    return json.dumps(asdict(kept), separators=(",", ":")).encode()
