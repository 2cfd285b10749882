"""A game written down: who sat where, under which rules, and everything that happened."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self, cast

from cantstop.dice import (
    DailyDice,
    DaySeal,
    EnteredDice,
    GradualDice,
    GradualSeal,
    Seal,
    SealedDice,
    SecureDice,
    SeededDice,
)
from cantstop.game import Game
from cantstop.record.errors import RecordError
from cantstop.record.files import Source, Target, check_is_file, lines, read_text, write_text
from cantstop.record.notes import Annotation, Comment
from cantstop.rules import Event, InvalidText, Outcome, Position, Rolled, Rules, WrongType

FORMAT_VERSION = 1

UnrevealedDice = Seal | GradualSeal | DaySeal
"""A seal whose secret, or key, is not revealed yet."""
RevealedDice = SealedDice | GradualDice | DailyDice
"""A seal whose secret, or key, is."""
RecordedDice = SecureDice | SeededDice | EnteredDice | RevealedDice | UnrevealedDice
"""Where the dice came from."""

LONGEST_NAME = 60

OFFICIAL_SOLO = Rules(players=1)
"""The rules of the daily game."""

ENDED_BY_RESIGNING = "resigned"
"""Why a game ended of which only one seat, or none, has not resigned."""


@dataclass(frozen=True)
class Record:
    """Everything a record file holds. Equal records print equal text, and the other way round.

    ``Record.of`` writes a game down; ``load``, ``load_all`` and ``parse`` read records.

    >>> game = Game()
    >>> _ = game.roll("2345"); game.move("6+8"); game.stop()
    >>> record = Record.of(game, ["Anne", "Bob"])
    >>> record
    <Record v1,players=2 Anne, Bob: 3 events>
    >>> Record.parse(str(record)) == record
    True
    """

    start: Position
    names: tuple[str, ...]
    events: tuple[Event, ...] = ()
    edition: str | None = None
    date: str | None = None
    dice: RecordedDice | None = None
    ended: str | None = None
    """Why the game ended before its end by the rules, in one word, if it did."""
    hints: tuple[int, ...] = ()
    """The seats that have had hints, lowest first."""
    resigned: tuple[int, ...] = ()
    """The seats that have resigned, lowest first; where the game went on, a bot played them."""
    cut: RecordError | None = field(default=None, compare=False)
    """Where the text was cut off, if it was: what stands before is all here."""
    comments: tuple[Comment, ...] = ()
    """Comments on the game, in its order."""
    annotations: tuple[Annotation, ...] = ()
    """Signs such as ``?!`` after events, in their order."""

    def __post_init__(self) -> None:
        if not isinstance(self.start, Position):
            raise WrongType(
                "{value} is not a position to start from; Record.of writes a game down.",
                value=repr(self.start),
            )
        if isinstance(self.names, str) or not isinstance(self.names, Sequence):
            raise WrongType(
                "{names} are not the names of the seats, such as [“Anne”, “Bob”].",
                names=repr(self.names),
            )
        object.__setattr__(self, "names", tuple(self.names))  # a list will do
        if len(self.names) != self.rules.players:
            raise InvalidText(
                "The number of names is {count}, but that of seats {players}.",
                count=len(self.names),
                players=self.rules.players,
            )
        given = (text for text in (self.edition, self.date, self.ended) if text is not None)
        for text in (*self.names, *given):
            check_text(text)
        check_seats("Hints", self.hints, self.rules.players)
        check_seats("Resigned", self.resigned, self.rules.players)
        if self.ended == ENDED_BY_RESIGNING and not self.resigned:
            raise InvalidText("The game ended by resigning, but no seat has resigned.")
        self._check_dice()
        self._check_notes()

    def _check_notes(self) -> None:
        object.__setattr__(self, "comments", tuple(self.comments))
        object.__setattr__(self, "annotations", tuple(self.annotations))
        for first, notes in ((0, self.comments), (1, self.annotations)):
            numbers = [note.n for note in notes]
            within = all(first <= n <= len(self.events) for n in numbers)
            if not within or numbers != sorted(numbers):
                raise InvalidText(
                    "Comments and annotations go with events {first} to {last}, in their order.",
                    first=first,
                    last=len(self.events),
                )
        numbers = [note.n for note in self.annotations]
        if len(set(numbers)) < len(numbers):
            raise InvalidText("An event has one sign of annotation at most.")

    def _check_dice(self) -> None:
        seal = self.dice.seal if isinstance(self.dice, RevealedDice) else self.dice
        salts: tuple[object, ...] | None = None
        if isinstance(seal, Seal | GradualSeal):
            salts = seal.salts if isinstance(seal, Seal) else seal.seats
        if salts is not None and len(salts) != self.rules.players:
            raise InvalidText(
                "The number of salts is {count}, but that of seats {players}.",
                count=len(salts),
                players=self.rules.players,
            )
        sides = self.rules.board.sides
        if isinstance(self.dice, DailyDice | DaySeal) and self.start != Position.initial(
            OFFICIAL_SOLO
        ):
            raise InvalidText("Daily dice are for the official solo game, from its start.")
        if (
            self.dice is not None
            and not isinstance(self.dice, UnrevealedDice)
            and self.dice.sides != sides
        ):
            raise InvalidText(
                "Dice with {sides} sides do not fit this board: it takes {due}.",
                sides=self.dice.sides,
                due=sides,
            )

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    @classmethod
    def of(
        cls,
        game: Game,
        names: Sequence[str] | None = None,
        *,
        edition: str | None = None,
        date: str | None = None,
    ) -> Self:
        """A game written down; seats without names are called by their number.

        The game's source of dice is recorded too, where every roll can be checked against it, or
        where the players have entered all of them.

        >>> game = Game(players=2)
        >>> _ = game.roll("2345")
        >>> Record.of(game, ["Anne", "Bob"]).names
        ('Anne', 'Bob')

        Raises:
            WrongType: If it is not a game.
        """
        if not isinstance(game, Game):
            raise WrongType("{value} is not a game that can be recorded.", value=repr(game))
        if names is None:
            names = [str(seat) for seat in range(1, game.rules.players + 1)]
        given = cast("tuple[str, ...]", names)
        return cls(game.start, given, game.events, edition, date, _known_dice(game))

    @classmethod
    def parse(cls, text: str) -> "Record":
        """Read the one record in a text, as ``str`` writes it; ``read_records`` reads many."""
        from cantstop.record.read import read_record  # it needs this class

        return read_record(text)

    @classmethod
    def load(cls, file: Source) -> "Record":
        """The one record in a file: its name, or an open file; ``load_all`` reads a file of many.

        Raises:
            RecordError: What is in the file is not a record, or more than one.
            InvalidText: It is not text in UTF-8.
            OSError: The file cannot be read, or is larger than 16 MiB.
        """
        from cantstop.record.read import read_record  # it needs this class

        return read_record(read_text(file))

    @classmethod
    def load_all(cls, file: Source) -> "list[Record]":
        """All records in a file, in their order; ``iterate`` gives them one by one."""
        from cantstop.record.read import read_records  # it needs this class

        return read_records(read_text(file))

    @classmethod
    def iterate(cls, file: Source) -> "Iterator[Record]":
        """The records in a file one by one: a file of any size takes the memory of one record.

        ``file`` is a name or an open file, for text or bytes: ``gzip.open(…)`` and ``sys.stdin``
        are files too. Errors are those of ``load``.

        >>> from io import StringIO
        >>> text = str(Record.of(Game(), ["Anne", "Bob"]))
        >>> sum(record.names[0] == "Anne" for record in Record.iterate(StringIO(text * 1000)))
        1000
        """
        from cantstop.record.read import records_in  # it needs this class

        check_is_file(file, "readline")
        return records_in(lines(file))

    def save(self, file: Target) -> None:
        """Write the record to a file: by its name, whole at any time; or into an open file."""
        write_text(file, str(self))

    def annotated(self, n: int, comment: str | None = None, sign: str | None = None) -> "Record":
        """The record with a comment or a sign after event ``n``, or both; 0 is before the first.

        >>> game = Game()
        >>> _ = game.roll("2345"); game.move("6+8")
        >>> record = Record.of(game, ["Anne", "Bob"]).annotated(2, "or 7+7", "!?")
        >>> print(str(record).splitlines()[-2])
        1. (1) 2345=6+8!? # or 7+7
        """
        comments, annotations = self.comments, self.annotations
        if comment is not None:
            comments = (*comments, Comment(n, comment))
        if sign is not None:
            others = (one for one in annotations if one.n != n)
            annotations = (*others, Annotation(n, sign))
        return replace(
            self,
            comments=tuple(sorted(comments, key=lambda one: one.n)),
            annotations=tuple(sorted(annotations, key=lambda one: one.n)),
        )

    def __str__(self) -> str:
        from cantstop.record.write import record_text  # it needs this class

        return record_text(self)

    def __repr__(self) -> str:
        return f"<Record {self.rules} {', '.join(self.names)}: {len(self.events)} events>"

    def rows(self) -> list[dict[str, str | int | None]]:
        """A row for each event, as pandas and spreadsheets take them."""
        from cantstop.record.rows import event_rows  # it needs this class

        return event_rows(self)

    def summary(self) -> dict[str, str | int | None]:
        """The whole game as one row: the rules, who won, how long it took."""
        from cantstop.record.rows import summary  # it needs this class

        return summary(self)

    def game(self) -> Game:
        """The game, replayed."""
        return Game.replay(self.start, self.events)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended by the rules, or None if it did not; the game is replayed for it."""
        return self.game().outcome

    def winners(self, outcome: Outcome | None) -> tuple[int, ...] | None:
        """Who has won a game with this outcome by the rules: whoever all others resigned to, too.

        None while nobody has.
        """
        if outcome is not None:
            return outcome.winners
        left = [seat for seat in range(self.rules.players) if seat not in self.resigned]
        return tuple(left) if self.ended == ENDED_BY_RESIGNING and len(left) == 1 else None


def check_seats(header: str, seats: Sequence[int], players: int) -> None:
    """The seats in a header are named once each, lowest first."""
    if list(seats) != [seat for seat in range(players) if seat in seats]:
        raise InvalidText(
            "The seats in “{header}” have to be in order, from 1 to {players}.",
            header=header,
            players=players,
        )


def check_is_record(value: object) -> None:
    """Raise WrongType unless the value is a Record."""
    if not isinstance(value, Record):
        raise WrongType(
            "{value} is not a record; read_record reads one, and Record.of writes a game down.",
            value=repr(value),
        )


def _known_dice(game: Game) -> SeededDice | SealedDice | EnteredDice | None:
    source = game.dice_source
    if isinstance(source, EnteredDice):
        return source
    if not isinstance(source, SeededDice | SealedDice):
        return None
    rolled = [event.dice for event in game.events if isinstance(event, Rolled)]
    own = all(dice == source.roll(n, len(dice)) for n, dice in enumerate(rolled, 1))
    return source if own else None


def check_text(text: str) -> None:
    """Names and the like are one printable line."""
    if (
        not isinstance(text, str)
        or not text.isprintable()
        or not text.strip()
        or len(text) > LONGEST_NAME
    ):
        raise InvalidText(
            "“{text}” cannot be used: it takes 1 to {most} printable characters.",
            text=str(text)[:LONGEST_NAME],
            most=LONGEST_NAME,
        )
