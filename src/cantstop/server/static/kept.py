"""What a browser keeps to have the app without a connection: the service worker's list."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from cantstop.language import LANGUAGES
from cantstop.server.static.bundle import Client, words_name
from cantstop.server.static.content import short_hash

LIST = "kept.json"

PLAIN = ("offline.html", "device/offline.js", "style/base.css", "manifest.webmanifest")
"""Files whose addresses have no hash."""


def kept_list(web: Path, client: Client, named: Mapping[str, Iterable[str]]) -> bytes:
    """The release's files as JSON, by addresses relative to the list's own.

    ``named`` are files of a language whose addresses have no hash.
    """
    words = {
        code: [
            f"{name}?{bundle.query}"
            for name, bundle in client.bundles.items()
            if name.startswith(words_name(code, ""))
        ]
        for code in LANGUAGES
    }
    every = [
        f"{name}?{bundle.query}"
        for name, bundle in client.bundles.items()
        if not name.startswith("words/")
    ]
    icons = sorted(f"icons/{path.name}" for path in (web / "icons").iterdir())
    told = {
        "all": [*every, *PLAIN, *icons],
        "words": {code: [*words[code], *named[code]] for code in LANGUAGES},
    }
    release = short_hash(json.dumps(told).encode())
    return json.dumps({"release": release, **told}, separators=(",", ":")).encode()
