"""The browser game as static files: for any host and any folder, without a server of its own."""

import gzip
import json
from html import escape
from pathlib import Path

from cantstop.files import write_atomically
from cantstop.server.static.pages import WEB, ClientFiles

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""What the pages may load: nothing of another origin, and no script but the files."""

ONLINE = ("../turns", "../daily")
"""Pages that are nothing without a server."""

_TEXT = {".html", ".css", ".js", ".json", ".svg", ".txt", ".webmanifest", ".wasm", ".bin"}


def site_files(web: Path = WEB, server: str | None = None) -> dict[str, bytes]:
    """All files of the site by their paths; ``server`` is where its visitors play online."""
    files = ClientFiles(web)
    found = {f"static/{name}": content for name, content in files.contents().items()}
    found["index.html"] = _page(files.index, server)
    found["sw.js"] = found.pop("static/sw.js")
    manifest = json.loads(found["static/manifest.webmanifest"])
    manifest.pop("share_target")  # it posts to a page's address, and a static host takes no posts
    manifest["shortcuts"] = [one for one in manifest["shortcuts"] if one["url"] not in ONLINE]
    for shortcut in manifest["shortcuts"]:
        shortcut["url"] = shortcut["url"].replace("../", "../#/", 1)
    found["static/manifest.webmanifest"] = json.dumps(manifest, indent=2).encode()
    return found


def write_site(out: Path, web: Path = WEB, server: str | None = None) -> int:
    """Write the site into a folder, each text also compressed; returns how many bytes it has.

    Files of an earlier release stay: pages that are open still load them.
    """
    total = 0
    for name, content in site_files(web, server).items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
        total += len(content)
        if path.suffix in _TEXT:
            write_atomically(path.with_name(f"{path.name}.gz"), gzip.compress(content, 9, mtime=0))
    return total


def _page(index: bytes, server: str | None) -> bytes:
    text = index.decode().replace('"/static/', '"static/').replace("<html ", "<html data-site ", 1)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    told = f'\n    <meta name="server" content="{escape(server)}">' if server else ""
    return text.replace("<head>", f"<head>\n    {policy}{told}", 1).encode()
