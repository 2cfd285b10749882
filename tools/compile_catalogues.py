"""Compiles the translations: by itself, and whenever a wheel or an editable install is built."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent.parent


def compile_catalogues(root: Path = ROOT) -> None:
    """Write a .mo file beside every .po file."""
    for source in sorted(root.glob("src/cantstop/language/catalogues/*/LC_MESSAGES/*.po")):
        with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(text))


class CatalogueHook(BuildHookInterface[Any]):
    """Lets the build backend compile the catalogues before it packs the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Called by hatchling before each build."""
        compile_catalogues(Path(self.root))


if __name__ == "__main__":
    compile_catalogues()
