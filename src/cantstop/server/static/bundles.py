"""The client's packed files, made again only when one of their sources has changed."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cantstop.server.static.bundle import packed_rest, packed_script, packed_style

_Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Pack:
    """A file that was put together from many."""

    content: bytes

    @property
    def query(self) -> str:
        """Names this very content: at an address that ends so, it never changes."""
        return f"v={hashlib.sha256(self.content).hexdigest()[:16]}"


def packs_of(web: Path) -> Mapping[str, Pack]:
    """The packs of the client in that folder, by their names."""
    return _packs(web, _stamp(web))


def _stamp(web: Path) -> _Stamp:
    """What changes when a file does; its time of change cannot be set back, unlike the other."""
    sources = (path for path in sorted(web.rglob("*")) if path.suffix in (".js", ".css"))
    found = ((path.as_posix(), path.stat()) for path in sources)
    return tuple((name, stat.st_ctime_ns, stat.st_size) for name, stat in found)


@lru_cache(maxsize=4)
def _packs(web: Path, _stamp: _Stamp) -> Mapping[str, Pack]:
    rest = Pack(packed_rest(web).encode())
    script = Pack(packed_script(web, f"./more.js?{rest.query}").encode())
    return {"app.js": script, "more.js": rest, "app.css": Pack(packed_style(web).encode())}
