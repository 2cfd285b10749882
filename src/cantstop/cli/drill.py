"""``cantstop drill``: positions with one good answer, to practise with."""

import random
from pathlib import Path
from typing import Annotated

from cantstop.cli.options import Ascii, Lang, draws_unicode, echo, translator
from cantstop.cli.parser import Option
from cantstop.drills import (
    Topic,
    is_about,
    load_progress,
    package_drills,
    read_progress,
    save_progress,
)
from cantstop.files import user_data_folder, write_atomically
from cantstop.language import Translator
from cantstop.rules import InvalidText
from cantstop.terminal.console import standard_console

_LARGEST_SEED = 10**18


def drill(
    kind: Annotated[Topic | None, Option(help="What to practise; by default everything.")] = None,
    players: Annotated[
        int | None,
        Option(metavar="N", least=1, most=4, help="Only games for this many players, 1 to 4."),
    ] = None,
    count: Annotated[
        int | None, Option(metavar="N", least=1, help="Quit after this many drills.")
    ] = None,
    progress: Annotated[
        Path | None, Option(metavar="FILE", help="Keep rating and progress in this file.")
    ] = None,
    export: Annotated[
        Path | None, Option(metavar="FILE", help="Write the progress to a new file.")
    ] = None,
    import_: Annotated[
        Path | None,
        Option(
            "--import", metavar="FILE", help="Continue with the progress in a file; yours is kept."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option(metavar="N", least=0, most=_LARGEST_SEED, help="The same choice every time."),
    ] = None,
    ascii: Ascii = False,  # noqa: A002
    lang: Lang = None,
) -> None:
    """Practise: stop or roll, which move, openings, endgames, variants; with a rating.

    Every drill has one good answer; the chances to win and the reasons follow yours. Rating and
    progress stay on this machine; --export takes them along.

    Example: cantstop drill --kind stop --players 2
    """
    words = translator(lang)
    path = progress or user_data_folder() / "drills.json"
    if export is not None or import_ is not None:
        _export_or_import(words, path, export, import_)
        return
    # loaded here: the other commands start sooner without it
    from cantstop.terminal.plain.drills import DrillSession

    session = DrillSession(
        standard_console(words, ascii),
        package_drills(),
        load_progress(path),
        path,
        random.Random(seed),  # noqa: S311 - nobody has to be kept from guessing the next drill
        is_about(kind, players),
        ascii or not draws_unicode(),
        count,
    )
    raise SystemExit(session.run())


def _export_or_import(
    words: Translator, path: Path, export: Path | None, import_: Path | None
) -> None:
    """Write the progress elsewhere, or take that of another file; no file is lost."""
    from cantstop.drills.text import progress_text

    if export is not None and import_ is not None:
        raise InvalidText("Either --export or --import: one file at a time.")
    if export is not None:
        if export.exists():
            raise InvalidText("{path} already exists: nothing was written.", path=export)
        found = load_progress(path)
        save_progress(export, found)
    else:
        assert import_ is not None
        found = read_progress(import_)
        if path.exists():
            kept = path.with_name(f"{path.name}.before")
            write_atomically(kept, path.read_bytes())
            echo(words.say("The previous progress is in {path}.", path=kept))
        save_progress(path, found)
    echo(progress_text(words, found))
