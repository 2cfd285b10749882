"""Compiles the translations: by itself, and whenever a wheel or an editable install is built."""

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent.parent


def compile_catalogues(root: Path = ROOT) -> None:
    """Write a .mo file beside every .po file."""
    for source in sorted(root.glob("src/cantstop/language/catalogues/*/LC_MESSAGES/*.po")):
        # whoever reads the old one meanwhile is not to see half of the new one
        unfinished = source.with_suffix(f".{os.getpid()}")
        with source.open("rb") as text, unfinished.open("wb") as compiled:
            write_mo(compiled, read_po(text))
        unfinished.replace(source.with_suffix(".mo"))


class CatalogueHook(BuildHookInterface[Any]):
    """Lets the build backend compile the catalogues before it packs the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Called by hatchling before each build."""
        compile_catalogues(Path(self.root))


if __name__ == "__main__":
    compile_catalogues()
