"""The header lines of a record, read into what they stand for."""

import re
from dataclasses import dataclass

from cantstop.dice import (
    DailyDice,
    DaySeal,
    EnteredDice,
    GradualDice,
    GradualSeal,
    Seal,
    SealedDice,
    SealedSalt,
    SecureDice,
    SeededDice,
    check_commitment,
    check_word,
    read_day,
)
from cantstop.record.errors import RecordError
from cantstop.record.record import (
    ENDED_BY_RESIGNING,
    FORMAT_VERSION,
    RecordedDice,
    check_seats,
    check_text,
)
from cantstop.rules import CantStopError, InvalidText, Phrase, Position, Rules

MAX_HEADER = 4096
"""Characters of a header line; the position on the largest board has 1,400."""

_HEADER = re.compile(r'\[([A-Za-z]+[1-9]?) "((?:[^"\\]|\\["\\])*)"\]')
_PLAIN = (
    *("Cantstop", "Rules", "Position", "Edition", "Date", "Ended", "Hints", "Resigned"),
    *("Dice", "Seed", "Day", "Table", "Lost"),
)
_SEALED = ("Scheme", "Redraws", "Commitment", "Secret")
_PER_SEAT = ("Seat", "Salt", "Commitment", "Since")
_SCHEMES = ("1", "2", "3")
_GRADUAL = 3


@dataclass(frozen=True)
class Header:
    """One header line."""

    key: str
    value: str
    line: int


def parse_header(text: str, line: int) -> Header:
    """Read one header line such as ``[Seat1 "Anne"]``."""
    found = _HEADER.fullmatch(text.rstrip()) if len(text) <= MAX_HEADER else None
    if not found:
        raise RecordError(
            line,
            InvalidText(
                '“{text}” is not a header; they look like [Seat1 "Anne"].',
                text=text[:MAX_HEADER].rstrip(),
            ),
        )
    key, value = found[1], re.sub(r"\\(.)", r"\1", found[2])
    if key not in (*_PLAIN, *_SEALED) and key.rstrip("1234") not in _PER_SEAT:
        raise RecordError(line, InvalidText("There is no header “{key}”.", key=key))
    return Header(key, value, line)


class Headers:
    """The headers of one record by key; what is wrong names its line."""

    def __init__(self, line: int) -> None:
        self._first_line = line
        self._found: dict[str, Header] = {}

    def add(self, header: Header) -> None:
        """Take in one more header."""
        if header.key in self._found:
            raise RecordError(
                header.line, InvalidText("The header “{key}” is there twice.", key=header.key)
            )
        self._found[header.key] = header

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def text(self, key: str) -> str | None:
        """The value of a header that is free text, or None."""
        if key not in self:
            return None
        header = self._need(key)
        with naming_line(header.line):
            check_text(header.value)
        return header.value

    def start(self) -> Position:
        """The position that the record starts from, with its rules."""
        version = self._need("Cantstop")
        if version.value != str(FORMAT_VERSION):
            raise RecordError(
                version.line,
                InvalidText(
                    "Record version “{version}” is unknown: this program knows version {known}.",
                    version=version.value,
                    known=FORMAT_VERSION,
                ),
            )
        rules_header = self._need("Rules")
        with naming_line(rules_header.line):
            rules = Rules.parse(rules_header.value)
        if "Position" not in self:
            return Position.initial(rules)
        position_header = self._need("Position")
        with naming_line(position_header.line):
            position = Position.parse(position_header.value)
            if position.rules != rules:
                raise InvalidText("The position and the record have different rules.")
        return position

    def names(self, rules: Rules) -> tuple[str, ...]:
        """The names of the seats; one that is not named is called by its number."""
        self._check_seats("Seat", rules)
        return tuple(
            self.text(f"Seat{seat}") or f"Seat {seat}" for seat in range(1, rules.players + 1)
        )

    def seats(self, key: str, rules: Rules) -> tuple[int, ...]:
        """The seats that a header lists."""
        if key not in self:
            return ()
        header = self._need(key)
        numbers = {str(seat + 1): seat for seat in range(rules.players)}
        seats = tuple(numbers.get(number, -1) for number in header.value.split(","))
        with naming_line(header.line):
            check_seats(key, seats, rules.players)
        return seats

    def ended(self) -> str | None:
        """Why the game ended before its end by the rules."""
        found = self.text("Ended")
        if found == ENDED_BY_RESIGNING:
            self._need("Resigned")
        return found

    def dice(self, rules: Rules) -> RecordedDice | None:
        """Where the dice came from."""
        self._check_seats("Salt", rules)
        self._check_seats("Commitment", rules)
        self._check_seats("Since", rules)
        if "Dice" not in self:
            return None
        header = self._need("Dice")
        sides = rules.board.sides
        if header.value == "secure":
            return SecureDice(sides)
        if header.value == "entered":
            return EnteredDice(sides)
        if header.value == "seeded":
            return SeededDice(self._seed(), sides)
        if header.value == "sealed":
            self._check_scheme()
            return self._sealed(rules)
        if header.value == "daily":
            return self._daily(rules)
        with naming_line(header.line):
            raise InvalidText(
                "“{text}” is not a kind of dice; there are: secure, seeded, sealed, entered, "
                "daily.",
                text=header.value,
            )

    def _seed(self) -> int:
        header = self._need("Seed")
        if not re.fullmatch(r"-?(0|[1-9][0-9]{0,99})", header.value, re.ASCII):
            raise RecordError(
                header.line, InvalidText("“{text}” is not a seed.", text=header.value)
            )
        return int(header.value)

    def _sealed(self, rules: Rules) -> Seal | SealedDice | GradualSeal | GradualDice:
        if self._scheme() == _GRADUAL:
            return self._gradual(rules)
        table, commitment = self._word(Phrase("table"), "Table"), self._need("Commitment")
        salts = tuple(
            self._word(Phrase("salt"), f"Salt{seat}") for seat in range(1, rules.players + 1)
        )
        scheme, redraws = self._scheme(), self._redraws()
        promised = self._salt_commitments(rules)
        with naming_line(commitment.line):
            seal = Seal(table, commitment.value, salts, promised, redraws)
            if seal.scheme != scheme:
                raise InvalidText(
                    "In scheme 2 at least one seat commits to its salt; in scheme 1 none does."
                )
        secret = self._secret()
        return seal if secret is None else SealedDice(seal, secret, rules.board.sides)

    def _gradual(self, rules: Rules) -> GradualSeal | GradualDice:
        table, commitment = self._word(Phrase("table"), "Table"), self._need("Commitment")
        promised = self._salt_commitments(rules) or (None,) * rules.players
        lost = self.seats("Lost", rules)
        with naming_line(commitment.line):
            seats = tuple(
                self._sealed_salt(seat, text, seat in lost) for seat, text in enumerate(promised)
            )
            seal = GradualSeal(table, commitment.value, seats)
        secret = self._secret()
        return seal if secret is None else GradualDice(seal, secret, rules.board.sides)

    def _sealed_salt(self, seat: int, promised: str | None, lost: bool) -> SealedSalt:
        key = f"Salt{seat + 1}"
        if promised is None:
            return SealedSalt(None, self._word(Phrase("salt"), key), self._since(seat) or 1, lost)
        salt = self._word(Phrase("salt"), key) if key in self else None
        return SealedSalt(promised, salt, self._since(seat), lost)

    def _since(self, seat: int) -> int | None:
        """The turn from which a seat's salt counts."""
        key = f"Since{seat + 1}"
        if key not in self:
            return None
        header = self._need(key)
        if not re.fullmatch(r"[1-9][0-9]{0,5}", header.value, re.ASCII):
            raise RecordError(
                header.line,
                InvalidText("“{text}” is not the number of a turn.", text=header.value),
            )
        return int(header.value)

    def _daily(self, rules: Rules) -> DaySeal | DailyDice:
        day, commitment = self._need("Day"), self._need("Commitment")
        with naming_line(day.line):
            of_day = read_day(day.value)
        with naming_line(commitment.line):
            seal = DaySeal(of_day, commitment.value)
        key = self._secret()
        return seal if key is None else DailyDice(seal, key, rules.board.sides)

    def _secret(self) -> bytes | None:
        """The secret of sealed dice, or the key of a day's, if it is revealed."""
        if "Secret" not in self:
            return None
        secret = self._need("Secret")
        if not re.fullmatch(r"[0-9a-f]{64}", secret.value):
            raise RecordError(
                secret.line, InvalidText("The secret has to be 64 hexadecimal digits.")
            )
        return bytes.fromhex(secret.value)

    def _scheme(self) -> int:
        """How the salts came about; what is not said is the older way."""
        if "Scheme" not in self:
            return 1
        header = self._need("Scheme")
        if header.value not in _SCHEMES:
            raise RecordError(
                header.line,
                InvalidText(
                    "Sealed dice of scheme “{text}” are unknown: there are {known}.",
                    text=header.value,
                    known=", ".join(_SCHEMES),
                ),
            )
        return int(header.value)

    def _check_scheme(self) -> None:
        """Refuse headers of another scheme than the record's."""
        scheme = self._scheme()
        for key, header in self._found.items():
            is_gradual = key == "Lost" or key.startswith("Since")
            if is_gradual is not (scheme == _GRADUAL) and (is_gradual or key == "Redraws"):
                raise RecordError(
                    header.line,
                    InvalidText(
                        "The header “{key}” does not belong to scheme {scheme}.",
                        key=key,
                        scheme=scheme,
                    ),
                )

    def _redraws(self) -> int:
        if "Redraws" not in self:
            return 0
        header = self._need("Redraws")
        if not re.fullmatch(r"[1-9][0-9]?", header.value, re.ASCII):
            raise RecordError(
                header.line,
                InvalidText("“{text}” is not a number of redraws.", text=header.value),
            )
        return int(header.value)

    def _salt_commitments(self, rules: Rules) -> tuple[str | None, ...]:
        keys = [f"Commitment{seat}" for seat in range(1, rules.players + 1)]
        found = [self._need(key) if key in self else None for key in keys]
        for header in found:
            if header is not None:
                with naming_line(header.line):
                    check_commitment(header.value)
        if not any(found):
            return ()
        return tuple(None if header is None else header.value for header in found)

    def _word(self, kind: Phrase, key: str) -> str:
        header = self._need(key)
        with naming_line(header.line):
            check_word(kind, header.value)
        return header.value

    def _check_seats(self, kind: str, rules: Rules) -> None:
        for key, header in self._found.items():
            if (
                key.startswith(kind)
                and key not in _SEALED
                and key[len(kind) :] not in map(str, range(1, rules.players + 1))
            ):
                raise RecordError(
                    header.line,
                    InvalidText(
                        "“{key}” does not fit the number of seats, {players}.",
                        key=key,
                        players=rules.players,
                    ),
                )

    def _need(self, key: str) -> Header:
        try:
            return self._found[key]
        except KeyError:
            raise RecordError(
                self._first_line, InvalidText("The record has no header “{key}”.", key=key)
            ) from None


class naming_line:
    """Adds the number of the line to what goes wrong in it."""

    def __init__(self, line: int) -> None:
        self.line = line

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CantStopError) and not isinstance(error, RecordError):
            raise RecordError(self.line, error) from None
