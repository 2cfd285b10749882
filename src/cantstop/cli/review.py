"""``cantstop review``: what every decision of a game gave away, and what the dice did."""

import csv
import sys
from typing import Annotated

import typer

from cantstop.cli.options import Ascii, Json, Lang, print_json, read_text, translator
from cantstop.cli.progress import ProgressLine
from cantstop.record import Record, read_records


def review(
    files: Annotated[
        list[str], typer.Argument(metavar="RECORD...", help="Record files, or - for stdin.")
    ],
    rows: Annotated[
        bool, typer.Option("--csv", help="Print a row for each seat of each game, for programs.")
    ] = False,
    ascii_only: Ascii = False,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Look at games again: luck and errors told apart, and the decisions worth a look.

    Example: cantstop review game.cantstop
    """
    words = translator(lang)
    found = [(file, record) for file in files for record in read_records(read_text(file))]
    # NumPy and Numba take a while to load, and the other commands do without
    from cantstop.review import Review
    from cantstop.review import review as look_at
    from cantstop.review.export import COLUMNS, review_json, review_rows
    from cantstop.review.text import review_text

    reviewed: list[tuple[str, Record, Review]] = []
    with ProgressLine() as line:
        for file, record in found:
            line.show(words.say("{done} of {all} games", done=len(reviewed) + 1, all=len(found)))
            reviewed.append((file, record, look_at(record)))
    if json:
        games = [review_json(one) for _, _, one in reviewed]
        print_json(games[0] if len(games) == 1 else {"games": games})
    elif rows:
        table = csv.writer(sys.stdout, lineterminator="\n")
        table.writerow(COLUMNS)
        for number, (file, _, one) in enumerate(reviewed, start=1):
            table.writerows(review_rows(file, number, one))
    else:
        plain = ascii_only or not sys.stdout.isatty()
        texts = [review_text(one, words, ascii_only=plain) for _, _, one in reviewed]
        typer.echo("\n\n".join(texts))
    for _, record, _ in reviewed:
        if record.cut is not None:
            raise record.cut
