"""``cantstop review``: what every decision of a game gave away, and what the dice did."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cantstop.cli.options import (
    Ascii,
    GameNumber,
    Json,
    Lang,
    chosen,
    echo,
    print_json,
    read_text,
    translator,
)
from cantstop.cli.parser import Argument, Option
from cantstop.cli.progress import ProgressLine
from cantstop.files import write_atomically, write_csv
from cantstop.language import Translator
from cantstop.record import Record, read_records
from cantstop.rules import CantStopError, InvalidText

if TYPE_CHECKING:
    from cantstop.review import Review

_BAR = 30


def review(
    files: Annotated[
        list[str], Argument(metavar="RECORD...", help="Record files, or - for stdin.")
    ],
    game: GameNumber = None,
    rows: Annotated[
        bool, Option("--csv", help="Print a row for each seat of each game, for programs.")
    ] = False,
    svg: Annotated[
        Path | None, Option(metavar="FILE", help="Write the chart of a game (SVG).")
    ] = None,
    html: Annotated[
        Path | None, Option(metavar="FILE", help="Write the review of a game as a web page.")
    ] = None,
    ascii_only: Ascii = False,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Review games: luck and errors separated, and the decisions worth a look.

    Several games give a table, and what each player's games add up to; --game reviews one of them.

    Examples: cantstop review game.cantstop; cantstop review *.cantstop --csv > games.csv
    """
    words = translator(lang)
    games = _Games(files, words)
    if game is not None:
        games.choose(game)
    if (svg or html) and len(games.found) != 1:
        raise InvalidText(
            "A chart or a page shows one game: there are {count}.", count=len(games.found)
        )
    plain = ascii_only or not sys.stdout.isatty()
    if len(games.found) == 1 and (game is not None or len(files) == 1):
        ((_, record),) = games.found
        _one(record, words, rows=rows, json=json, svg=svg, html=html, plain=plain)
    elif json:
        _many_json(games, words)
    elif rows:
        _many_rows(games)
    else:
        _table(games, words)
    games.complain()


class _Games:
    """The records of all files; what cannot be read or reviewed is reported at the end."""

    def __init__(self, files: list[str], words: Translator) -> None:
        self._words = words
        self._wrong: list[tuple[str, CantStopError]] = []
        self.found: list[tuple[str, Record]] = []
        for file in files:
            try:
                self.found += [(file, record) for record in read_records(read_text(file))]
            except CantStopError as error:
                if len(files) == 1:
                    raise
                self._wrong.append((file, error))

    def choose(self, game: int) -> None:
        """Keep only one of the games."""
        record = chosen([record for _, record in self.found], game)
        self.found = [(self.found[game - 1][0], record)]

    def reviewed(self) -> Iterator[tuple[int, str, "Review"]]:
        """The reviews one after the other, with a progress bar; Ctrl-C ends them."""
        # the engine takes a moment to load, and the other commands do without
        from cantstop.review import review as look_at

        with ProgressLine() as line:
            for number, (file, record) in enumerate(self.found, start=1):
                line.show(self._bar(number - 1))
                try:
                    found = look_at(record)
                except CantStopError as error:
                    self._wrong.append((file, error))
                    continue
                if record.cut is not None:
                    self._wrong.append((file, record.cut))
                line.clear()
                yield number, file, found

    def _bar(self, done: int) -> str:
        filled = _BAR * done // len(self.found)
        counted = self._words.say_count(
            "{done} of {count} game", "{done} of {count} games", len(self.found), done=done
        )
        return f"[{'#' * filled}{'.' * (_BAR - filled)}] {counted}"

    def complain(self) -> None:
        """One sentence for each file that is not what it should be."""
        for file, error in self._wrong:
            echo(f"cantstop: {file}: {self._words.error(error)}", err=True)
        if self._wrong:
            raise SystemExit(2)


def _one(
    record: Record,
    words: Translator,
    *,
    rows: bool,
    json: bool,
    svg: Path | None,
    html: Path | None,
    plain: bool,
) -> None:
    from cantstop.review import review as look_at
    from cantstop.review.chart import chart_svg
    from cantstop.review.export import COLUMNS, review_rows
    from cantstop.review.page import review_html
    from cantstop.review.text import review_text
    from cantstop.wire.review import review_view

    found = look_at(record)
    if svg is not None:
        _write(svg, chart_svg(found, words))
    if html is not None:
        _write(html, review_html(found, words))
    if json:
        print_json(review_view(found, words))
    elif rows:
        write_csv(sys.stdout, [COLUMNS, *review_rows("", 1, found)])
    elif svg is None and html is None:
        echo(review_text(found, words, ascii_only=plain))
    if record.cut is not None:
        raise record.cut


def _write(file: Path, text: str) -> None:
    try:
        write_atomically(file, text)
    except OSError as error:
        raise InvalidText(
            "{name} cannot be written: {reason}.", name=file, reason=error.strerror
        ) from None


def _many_json(games: _Games, words: Translator) -> None:
    from cantstop.wire.review import Reviews, review_view

    found = tuple(review_view(one, words) for _, _, one in games.reviewed())
    print_json(Reviews(found))


def _many_rows(games: _Games) -> None:
    """Row by row: whoever interrupts keeps what was done."""
    from cantstop.review.export import COLUMNS, review_rows

    write_csv(sys.stdout, [COLUMNS])
    for number, file, found in games.reviewed():
        write_csv(sys.stdout, review_rows(file, number, found))
        sys.stdout.flush()


def _table(games: _Games, words: Translator) -> None:
    """All games, and all players; an interruption shows those that were done."""
    from cantstop.review.summary import Summary, game_rows, heading, summary_text, table_text

    rows, summary, interrupted = [heading(words)], Summary(), False
    try:
        for number, _, found in games.reviewed():
            rows += game_rows(number, found, words)
            summary.add(found)
    except KeyboardInterrupt:
        interrupted = True
    if len(rows) > 1:
        echo(table_text(rows))
        echo()
        echo(summary_text(summary, words))
    if interrupted:
        raise SystemExit(130)
