"""``cantstop backup`` and ``cantstop restore``: all tables in one file, and back."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

from cantstop.cli.options import Lang, echo, translator
from cantstop.cli.parser import Argument, Option
from cantstop.cli.progress import ProgressLine
from cantstop.cli.serve import default_database
from cantstop.files import open_atomically
from cantstop.language import Translator
from cantstop.rules import CantStopError

Database = Annotated[
    str | None,
    Option(metavar="URL", help="The database, as cantstop serve takes it."),
]


class UnusableFile(CantStopError):
    """A file that cannot be read or written."""


def backup(
    file: Annotated[str, Argument(metavar="FILE", help="Where to write it, or - for stdout.")],
    database: Database = None,
    lang: Lang = None,
) -> None:
    """Write all tables to one file, while servers keep running.

    The file can be restored into a SQLite file or into PostgreSQL, whichever it comes from. Keep it
    to yourself: it holds the secrets that the dice of running games come from.

    Example: cantstop backup tables.backup --database sqlite:///games.db
    """
    # the other commands do without a database, and start much quicker
    from cantstop.server.database.backup import back_up

    words = translator(lang)
    with _written(file) as target, ProgressLine() as line:
        counts = back_up(database or default_database(), target, _tell_rows(words, line))
    echo(
        words.say_count(
            "One table is backed up.", "{count} tables are backed up.", counts["tables"]
        ),
        err=file == "-",
    )


def restore(
    file: Annotated[
        str, Argument(metavar="FILE", help="What cantstop backup wrote, or - for stdin.")
    ],
    replace: Annotated[
        bool,
        Option(
            "--replace",
            help="Instead of what the database holds, even if that is damaged; stop servers first.",
        ),
    ] = False,
    database: Database = None,
    lang: Lang = None,
) -> None:
    """Fill an empty database with a backup; if anything is wrong with it, nothing is restored.

    Example: cantstop restore tables.backup --database postgresql://cantstop@localhost/cantstop
    """
    from cantstop.server.database.backup import restore as restore_backup

    words = translator(lang)
    with _opened(file) as source, ProgressLine() as line:
        counts = restore_backup(
            database or default_database(), source, _tell_rows(words, line), replace=replace
        )
    echo(
        words.say_count("One table is restored.", "{count} tables are restored.", counts["tables"])
    )


@contextmanager
def _written(name: str) -> Iterator[IO[bytes]]:
    """A file that is there once all of it is, for its owner alone; or standard output."""
    try:
        if name == "-":
            yield sys.stdout.buffer
            sys.stdout.flush()
            return
        with open_atomically(Path(name), private=True) as file:
            yield file
    except OSError as error:
        raise UnusableFile(
            "{name} cannot be written: {reason}.", name=name, reason=error.strerror
        ) from None


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    try:
        if name == "-":
            yield sys.stdin.buffer
        else:
            with Path(name).open("rb") as source:
                yield source
    except OSError as error:
        raise UnusableFile(
            "{name} cannot be read: {reason}.", name=name, reason=error.strerror
        ) from None


def _tell_rows(words: Translator, line: ProgressLine) -> Callable[[int], None]:
    def tell(rows: int) -> None:
        line.show(words.say("{rows} rows so far", rows=f"{rows:,}"))

    return tell
