"""A file that is built rather than kept: its content, its address, and how it travels."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Bundle:
    """A file that is built from many."""

    content: bytes
    version: str = ""
    """A hash that it has in common with others; its own where there is none."""

    @cached_property
    def hash(self) -> str:
        """What tells it from the same file of another release."""
        return self.version or short_hash(self.content)

    def address(self, name: str) -> str:
        """A name with the hash in it: it is the same in two releases if the content is."""
        stem, dot, suffix = name.rpartition(".")
        return f"{stem}.{self.hash}{dot}{suffix}"

    @cached_property
    def packed(self) -> bytes:
        """The content as it travels: compressed once, so it may take its time."""
        return gzip.compress(self.content, 9, mtime=0)


def short_hash(content: bytes) -> str:
    """What tells one content from another in an address."""
    return hashlib.sha256(content).hexdigest()[:8]
