"""Reading records: the whole game is replayed under its rules while it is read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cantstop.game import Game
from cantstop.record.errors import RecordError
from cantstop.record.headers import Headers, naming_line, parse_header
from cantstop.record.record import Record
from cantstop.record.write import result_text
from cantstop.rules import (
    Busted,
    CantStopError,
    Dice,
    IllegalAction,
    InvalidText,
    Move,
    Moved,
    Rolled,
    Stopped,
    parse_dice,
)

_TOKEN = re.compile(r"#[^\n]*|=|[^\s=#]+")


def read_record(text: str) -> Record:
    """Read the one record in a text.

    A text that was cut off loads up to there, and the record's ``cut`` says where; anything else
    that is wrong is a ``RecordError`` with its line.
    """
    records = read_records(text)
    if len(records) != 1:
        raise RecordError(
            1, InvalidText("There should be one record here, not {count}.", count=len(records))
        )
    return records[0]


def read_records(text: str) -> list[Record]:
    """Read all records of a text; only the last one can be cut off."""
    return [_read_block(block, line) for block, line in _blocks(text)]


def _blocks(text: str) -> Iterator[tuple[str, int]]:
    """The text of each record with the number of its first line."""
    starts = [found.start() for found in re.finditer(r"^\[Cantstop ", text, re.MULTILINE)]
    if not starts or text[: starts[0]].strip():
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start:end], text.count("\n", 0, start) + 1


def _read_block(text: str, line: int) -> Record:
    headers = Headers(line)
    lines = text.splitlines(keepends=True)
    count = 0
    for count, content in enumerate(lines, 1):
        if content.startswith("["):
            try:
                headers.add(parse_header(content, line + count - 1))
            except RecordError:
                # the last line of a text that stops in mid-line
                if content.endswith("\n") or "Rules" not in headers:
                    raise
                return _cut_in_headers(headers, line + count - 1)
        elif content.strip() and not content.startswith("#"):
            count -= 1
            break
    start = headers.start()
    body = "".join(lines[count:])
    if not body.strip():
        return _cut_in_headers(headers, line + max(count - 1, 0))
    game = Game(start=start)
    cut = _Reader(game, body, line + count).read()
    with naming_line(line):
        return Record(
            start,
            headers.names(start.rules),
            game.events,
            headers.get("Edition"),
            headers.get("Date"),
            headers.dice(start.rules),
            cut,
        )


def _cut_in_headers(headers: Headers, line: int) -> Record:
    start = headers.start()
    try:
        dice = headers.dice(start.rules)
    except RecordError:  # the lines that go with it are lost
        dice = None
    with naming_line(line):
        return Record(
            start,
            headers.names(start.rules),
            edition=headers.get("Edition"),
            date=headers.get("Date"),
            dice=dice,
            cut=_cut(line),
        )


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

    def __init__(self, game: Game, text: str, line: int) -> None:
        self._game = game
        self._sides = game.rules.board.sides
        self._tokens = _tokens(text, line)
        self._token = _Token("", line, last=False)
        self._headed = False  # the number and seat of the turn in progress have been read

    def read(self) -> RecordError | None:
        """Read everything; returns where the text was cut off, if it was."""
        try:
            while not self._closed():
                pass
        except _CutOff:
            return _cut(self._token.line)
        except CantStopError as error:
            if self._token.last:
                return _cut(self._token.line)
            raise RecordError(self._token.line, error) from None
        return None

    def _next(self) -> str:
        token = next(self._tokens, None)
        if token is None:
            raise _CutOff
        self._token = token
        return token.text

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
            self._game.push(Stopped())
            self._headed = False
        elif word == "=":
            self._use(self._next())
        else:
            self._game.push(Rolled(self._dice(word)))
        return False

    def _head(self, word: str) -> None:
        turn = f"{self._game.turn}. ({self._game.seat + 1})"
        if self._game.position.roll_off is not None:
            raise IllegalAction("The roll-off for the start is not over yet.")
        if self._game.outcome is not None:
            raise IllegalAction("The game is over.")
        if f"{word} {self._next()}" != turn:
            raise InvalidText("Here the turn “{turn}” should begin.", turn=turn)
        self._headed = True

    def _roll_off(self) -> None:
        roll_off = self._game.position.roll_off
        if roll_off is None:
            raise IllegalAction("There is no roll-off for the start here.")
        for seat in roll_off.contenders[len(roll_off.sums) :]:
            named, _, dice = self._next().partition(":")
            if named == "*":  # the game was left in the middle of the roll-off
                self._tokens = iter([self._token, *self._tokens])
                return
            if named != str(seat + 1):
                raise InvalidText("Here seat {seat} should throw for the start.", seat=seat + 1)
            self._game.push(Rolled(self._dice(dice)))

    def _dice(self, text: str) -> Dice:
        dice = parse_dice(text)
        if self._token.last and "-" in text and dice[-1] * 10 <= self._sides:
            raise _CutOff  # the last die may have lost its second digit
        return dice

    def _use(self, word: str) -> None:
        if word == "bust":
            self._game.push(Busted())
            self._headed = False
            return
        move = Move.parse(word)
        longer = [legal for legal in map(str, self._game.legal_moves) if legal.startswith(word)]
        if self._token.last and len(longer) > 1:
            raise _CutOff  # “2” may be what is left of “20”
        self._game.push(Moved(move))

    def _close(self, word: str) -> None:
        result = result_text(self._game.outcome)
        count = len(result.split()) if word != "*" else 1
        found = " ".join([word, *(self._next() for _ in range(count - 1))])
        if found != result:
            raise InvalidText(
                "The result says “{found}”, but the game says “{result}”.",
                found=found,
                result=result,
            )
        if next(self._tokens, None) is not None:
            raise InvalidText("Nothing can follow the result.")


def _tokens(text: str, line: int) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        if not found[0].startswith("#"):
            at = line + text.count("\n", 0, found.start())
            yield _Token(found[0], at, last=found.end() == len(text))
