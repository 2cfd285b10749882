"""Reading records: the whole game is replayed under its rules while it is read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from cantstop.game import Game
from cantstop.record.errors import RecordError
from cantstop.record.headers import Headers, parse_header
from cantstop.record.record import Record
from cantstop.record.write import result_text
from cantstop.rules import (
    Busted,
    CantStopError,
    Event,
    IllegalAction,
    InvalidText,
    Move,
    Moved,
    Rolled,
    Stopped,
    check_is_text,
    parse_dice,
)

MAX_EVENTS = 100_000
"""Events of one record: the longest game that bots have played here had a tenth of that."""

MAX_RECORDS = 100_000
"""Records of one text."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # the line ends that a person sees, unlike splitlines
_TOKEN = re.compile(r"=|[^\s=]+")


def read_record(text: str) -> Record:
    """Read the one record in a text.

    A text that was cut off loads up to there, and the record's ``cut`` says where; anything else
    that is wrong is a ``RecordError`` with its line.

    >>> from cantstop import play_game
    >>> read_record(str(play_game(["careful", "bold"], dice=7))).names
    ('careful', 'bold')
    """
    records = read_records(text)
    if len(records) != 1:
        raise RecordError(
            1, InvalidText("There should be one record here, not {count}.", count=len(records))
        )
    return records[0]


def read_records(text: str) -> list[Record]:
    """Read all records of a text; only the last one can be cut off.

    >>> from cantstop import play_game
    >>> one, other = play_game(["careful"], dice=1), play_game(["bold"], dice=1)
    >>> [record.names for record in read_records(f"{one}{other}")]
    [('careful',), ('bold',)]
    """
    return list(each_record(text))


def each_record(text: str) -> Iterator[Record]:
    """The records of a text one by one: a large file needs no more memory than its largest game."""
    check_is_text(text, '[Cantstop "1"] …')
    text = text.removeprefix("\ufeff")  # a byte order mark, which some editors write
    cut: RecordError | None = None
    for number, (block, line) in enumerate(_blocks(text)):
        if cut is not None:
            raise cut
        if number == MAX_RECORDS:
            raise RecordError(
                line, InvalidText("A text cannot have more than {most} records.", most=MAX_RECORDS)
            )
        record = _read_block(block, line)
        yield record
        cut = record.cut


def _blocks(text: str) -> Iterator[tuple[str, int]]:
    """The text of each record with the number of its first line."""
    starts = (found.start() for found in re.finditer(r"^\[Cantstop ", text, re.MULTILINE))
    next(starts, None)  # comments may stand above the first record
    line = 1
    for start, end in pairwise(chain([0], starts, [len(text)])):
        block = text[start:end]
        yield block, line
        line += block.count("\n")


def _read_block(text: str, line: int) -> Record:
    headers = Headers(line)
    lines = list(enumerate(_LINE.findall(text), line))
    cut = _cut(line + text.rstrip().count("\n"))
    for at, content in lines:
        if content.startswith("["):
            try:
                headers.add(parse_header(content, at))
            except RecordError:
                # the last line of a text that stops in mid-line
                if content.endswith("\n") or "Rules" not in headers:
                    raise
                return _cut_in_headers(headers, cut)
        elif _without_comment(content).strip():
            break
    else:
        return _cut_in_headers(headers, cut)
    game = Game(start=headers.start())
    complete = _Reader(game, lines[at - line :]).read()
    return Record(
        game.start,
        headers.names(game.rules),
        game.events,
        headers.text("Edition"),
        headers.text("Date"),
        headers.dice(game.rules),
        headers.ended(),
        headers.seats("Hints", game.rules),
        headers.seats("Resigned", game.rules),
        None if complete else cut,
    )


def _cut_in_headers(headers: Headers, cut: RecordError) -> Record:
    start = headers.start()
    try:
        dice = headers.dice(start.rules)
    except RecordError:  # the lines that go with it are lost
        dice = None
    return Record(
        start,
        headers.names(start.rules),
        edition=headers.text("Edition"),
        date=headers.text("Date"),
        dice=dice,
        ended=_ended_before(headers),
        hints=headers.seats("Hints", start.rules),
        resigned=headers.seats("Resigned", start.rules),
        cut=cut,
    )


def _ended_before(headers: Headers) -> str | None:
    """Why the game ended; the line that goes with it may be lost."""
    try:
        return headers.ended()
    except RecordError:
        return None


def _cut(line: int) -> RecordError:
    return RecordError(line, InvalidText("the record is cut off here; everything before was read."))


@dataclass(frozen=True)
class _Token:
    text: str
    line: int
    last: bool  # nothing follows, not even a line end: the word may have lost its tail


class _CutOff(Exception):
    """The tokens ended."""


class _Reader:
    """Reads the turns of one record into a game."""

    def __init__(self, game: Game, lines: list[tuple[int, str]]) -> None:
        self._game = game
        self._tokens = _tokens(lines)
        self._token: _Token
        self._headed = False  # the number and seat of the turn in progress have been read
        self._turn = 1  # counted here: a game counts the turns in its history each time it is asked
        self._events = 0

    def read(self) -> bool:
        """Read everything; False where the text was cut off."""
        try:
            while not self._closed():
                pass
        except _CutOff:
            return False
        except CantStopError as error:
            if self._token.last:
                return False
            raise RecordError(self._token.line, error) from None
        extra = next(self._tokens, None)
        if extra is not None:
            raise RecordError(extra.line, InvalidText("Nothing can follow the result."))
        return True

    def _next(self) -> str:
        token = next(self._tokens, None)
        if token is None:
            raise _CutOff
        self._token = token
        return token.text

    def _push(self, event: Event) -> None:
        if self._token.last:
            raise _CutOff  # “2” may be what is left of “2+9”
        if self._events == MAX_EVENTS:
            raise InvalidText("A record cannot have more than {most} events.", most=MAX_EVENTS)
        self._events += 1
        self._game.push(event)

    def _closed(self) -> bool:
        """Read one step; True when it was the result that closes the record."""
        word = self._next()
        if word in ("*", "won", "shared"):
            self._close(word)
            return True
        if word == "start":
            self._roll_off()
        elif not self._headed:
            self._head(word)
        elif word == "stop":
            self._push(Stopped())
            self._end_turn()
        elif word == "=":
            self._use(self._next())
        else:
            self._push(Rolled(parse_dice(word)))
        return False

    def _end_turn(self) -> None:
        self._headed = False
        self._turn += 1

    def _head(self, word: str) -> None:
        number, seat = f"{self._turn}.", f"({self._game.seat + 1})"
        if self._game.position.roll_off is not None:
            raise IllegalAction("The roll-off for the start is not over yet.")
        if self._game.outcome is not None:
            raise IllegalAction("The game is over.")
        if word != number or self._next() != seat:
            raise InvalidText("Here the turn “{turn}” should begin.", turn=f"{number} {seat}")
        self._headed = True

    def _roll_off(self) -> None:
        roll_off = self._game.position.roll_off
        if roll_off is None:
            raise IllegalAction("There is no roll-off for the start here.")
        for seat in roll_off.contenders[len(roll_off.sums) :]:
            named, _, dice = self._next().partition(":")
            if named == "*":  # the game was left in the middle of the roll-off
                self._tokens = chain([self._token], self._tokens)
                return
            if named != str(seat + 1):
                raise InvalidText("Here seat {seat} should throw for the start.", seat=seat + 1)
            self._push(Rolled(parse_dice(dice)))

    def _use(self, word: str) -> None:
        if word == "bust":
            self._push(Busted())
            self._end_turn()
        else:
            self._push(Moved(Move.parse(word)))

    def _close(self, word: str) -> None:
        result = result_text(self._game.outcome)
        seats = 0 if word == "*" else max(1, len(result.split()) - 1)
        found = " ".join([word, *(self._next() for _ in range(seats))])
        if found != result:
            raise InvalidText(
                "The result says “{found}”, but the game says “{result}”.",
                found=found,
                result=result,
            )


def _without_comment(content: str) -> str:
    return content.partition("#")[0]


def _tokens(lines: list[tuple[int, str]]) -> Iterator[_Token]:
    for line, content in lines:
        for found in _TOKEN.finditer(_without_comment(content)):
            yield _Token(found[0], line, last=found.end() == len(content))
