"""Brings the browser client's catalogues up to date with the messages in its modules."""

import io
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from compile_catalogues import ROOT, compile_catalogues

WEB = ROOT / "src" / "cantstop" / "web"
CATALOGUES = ROOT / "src" / "cantstop" / "language" / "catalogues"
LANGUAGES = ("de", "fr", "it", "nl")

# The header lines that gettext reads; dates and the like would differ from run to run.
HEADERS = ("Language:", "Plural-Forms:", "MIME-Version:", "Content-Type:")


def template() -> Catalog:
    """Every message in the modules, with the files that it is in."""
    catalogue = Catalog(charset="utf-8")
    for path, text in messages():
        catalogue.add(text, locations=[(path.relative_to(ROOT).as_posix(), 1)])
    return catalogue


def messages() -> Iterator[tuple[Path, str]]:
    """The first argument of every call of ``t``, in the order of the files."""
    for path in sorted(WEB.rglob("*.js")):
        with path.open("rb") as source:
            for _, text, _, _ in extract(
                "javascript", source, {"t": None}, options={"parse_template_string": True}
            ):
                assert isinstance(text, str)
                yield path, text


def updated(language: str) -> str:
    """A catalogue with the messages of today: translations are kept, similar ones made fuzzy."""
    path = _path(language)
    catalogue = Catalog(language)
    if path.exists():
        with path.open("rb") as text:
            catalogue = read_po(text, locale=language)
    catalogue.update(template())
    catalogue.fuzzy = False  # or the header would be left out of the compiled catalogue
    catalogue.header_comment = f"# The messages of the browser client: {language}"
    written = io.BytesIO()
    write_po(
        written, catalogue, width=100, sort_by_file=True, include_lineno=False, ignore_obsolete=True
    )
    header, _, entries = written.getvalue().decode().partition("\n\n")
    kept = [
        line
        for line in header.splitlines()
        if not line.startswith('"') or line.lstrip('"').startswith(HEADERS)
    ]
    return "\n".join([*kept, "", entries])


def _path(language: str) -> Path:
    return CATALOGUES / language / "LC_MESSAGES" / "web.po"


if __name__ == "__main__":
    for language in LANGUAGES:
        path = _path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(updated(language), "utf-8")
    compile_catalogues()
