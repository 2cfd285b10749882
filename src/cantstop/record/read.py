"""Reading records: the whole game is replayed under its rules while it is read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, takewhile

from cantstop.game import Game
from cantstop.record.errors import RecordError
from cantstop.record.files import check_size
from cantstop.record.headers import Headers, parse_header
from cantstop.record.notes import SIGNS, Annotation, Comment
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
_SIGN = re.compile("(?<![!?])(?:" + "|".join(map(re.escape, SIGNS)) + ")$")
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
    return records_in((found[0] for found in _LINE.finditer(text)), MAX_RECORDS)


def records_in(lines: Iterable[str], most: int | None = None) -> Iterator[Record]:
    """Yield the records of some lines, up to a limit."""
    cut: RecordError | None = None
    for number, (block, line) in enumerate(_blocks(lines)):
        if cut is not None:
            raise cut
        if number == most:
            raise RecordError(
                line, InvalidText("A text cannot have more than {most} records.", most=most)
            )
        record = _read_block(block, line)
        yield record
        cut = record.cut


def _blocks(lines: Iterable[str]) -> Iterator[tuple[list[str], int]]:
    """The lines of each record, comments above it included, with the number of the first."""
    block: list[str] = []
    first = 1
    begun = False
    size = 0
    for content in lines:
        line = content.removeprefix("\ufeff") if not block else content  # some editors write a mark
        if line.startswith("[Cantstop "):
            above = _comments_at_end(block) if begun else len(block)
            if begun:
                yield block[: len(block) - above], first
                first += len(block) - above
            block = block[len(block) - above :]
            size = sum(map(len, block))
            begun = True
        block.append(line)
        size += len(line)
        check_size(size, first)
    yield block, first


def _comments_at_end(block: list[str]) -> int:
    """How many lines at the end have no more than comments."""
    return sum(1 for _ in takewhile(lambda line: not _without_comment(line).strip(), block[::-1]))


def _read_block(block: list[str], line: int) -> Record:
    headers = Headers(line)
    lines = list(enumerate(block, line))
    comments: list[Comment] = []
    for at, content in lines:
        if content.startswith("["):
            try:
                headers.add(parse_header(content, at))
            except RecordError:
                # the last line of a text that stops in mid-line
                if content.endswith("\n") or "Rules" not in headers:
                    raise
                return _cut_in_headers(headers, _cut(block, line), comments)
        elif _without_comment(content).strip():
            break
        else:
            comments += [Comment(0, text) for text in _comment(content)]
    else:
        return _cut_in_headers(headers, _cut(block, line), comments)
    game = Game(start=headers.start())
    reader = _Reader(game, lines[at - line :], comments)
    complete = reader.read()
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
        None if complete else _cut(block, line),
        tuple(comments),
        tuple(reader.annotations),
    )


def _cut_in_headers(headers: Headers, cut: RecordError, comments: list[Comment]) -> Record:
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
        comments=tuple(comments),
    )


def _ended_before(headers: Headers) -> str | None:
    """Why the game ended; the line that goes with it may be lost."""
    try:
        return headers.ended()
    except RecordError:
        return None


def _cut(block: list[str], line: int) -> RecordError:
    """What is said of a record that begins in a line and ends too early."""
    last = line + "".join(block).rstrip().count("\n")
    return RecordError(last, InvalidText("the record is cut off here; everything before was read."))


@dataclass(frozen=True)
class _Token:
    text: str
    line: int
    last: bool  # nothing follows, not even a line end: the word may have lost its tail


class _CutOff(Exception):
    """The tokens ended."""


class _Reader:
    """Reads the turns of one record into a game, and what is said about them."""

    def __init__(self, game: Game, lines: list[tuple[int, str]], comments: list[Comment]) -> None:
        self._game = game
        self.annotations: list[Annotation] = []
        self._comments = comments
        self._tokens = self._find_tokens(lines)
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

    def _find_tokens(self, lines: list[tuple[int, str]]) -> Iterator[_Token]:
        """The words of the lines; a comment goes with the event that was read before it."""
        for line, content in lines:
            for found in _TOKEN.finditer(_without_comment(content)):
                yield _Token(found[0], line, last=found.end() == len(content))
            self._comments += [Comment(self._events, text) for text in _comment(content)]

    def _next(self) -> str:
        token = next(self._tokens, None)
        if token is None:
            raise _CutOff
        self._token = token
        return token.text

    def _push(self, event: Event, sign: str) -> None:
        if self._token.last:
            raise _CutOff  # “2” may be what is left of “2+9”
        if self._events == MAX_EVENTS:
            raise InvalidText("A record cannot have more than {most} events.", most=MAX_EVENTS)
        self._events += 1
        self._game.push(event)
        if sign:
            self.annotations.append(Annotation(self._events, sign))

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
        elif word == "=":
            self._use(*_signed(self._next()))
        else:
            self._act(*_signed(word))
        return False

    def _act(self, word: str, sign: str) -> None:
        if word == "stop":
            self._push(Stopped(), sign)
            self._end_turn()
        else:
            self._push(Rolled(parse_dice(word)), sign)

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
            thrown, sign = _signed(dice)
            self._push(Rolled(parse_dice(thrown)), sign)

    def _use(self, word: str, sign: str) -> None:
        if word == "bust":
            self._push(Busted(), sign)
            self._end_turn()
        else:
            self._push(Moved(Move.parse(word)), sign)

    def _close(self, word: str) -> None:
        result = result_text(self._game.outcome)
        seats = 0 if word == "*" else max(1, len(result.split()) - 1)
        found = " ".join([word, *(self._next() for _ in range(seats))])
        if found != result:
            raise IllegalAction(
                "The result says “{found}”, but the game says “{result}”.",
                found=found,
                result=result,
            )


def _without_comment(content: str) -> str:
    return content.partition("#")[0]


def _comment(content: str) -> list[str]:
    """The comment of a line, if it has one."""
    _, mark, text = content.partition("#")
    return [text.replace("\r", " ").strip()] if mark else []


def _signed(word: str) -> tuple[str, str]:
    """A word and the sign of annotation at its end."""
    found = _SIGN.search(word)
    return (word[: found.start()], found[0]) if found else (word, "")
