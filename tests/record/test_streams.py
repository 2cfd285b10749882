"""Records from open files and files of any size."""

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any
from weakref import ref

import pytest

from cantstop import Game, InvalidText, Record, RecordError, WrongType
from cantstop import read_record as parsed
from cantstop.record import files


def short(*names: str) -> Record:
    game = Game()
    game.roll("2345")
    game.move("6+8")
    game.stop()
    return Record.of(game, names or ("Zoë", "Bob"))


RECORD = short()
MANY = f"# first\n{RECORD}\n{short('a', 'b')}# last\n{RECORD}"


@pytest.mark.parametrize("opened", [io.StringIO, lambda text: io.BytesIO(text.encode())])
def test_open_files_are_read_as_text_or_as_bytes(opened: Callable[[str], IO[Any]]) -> None:
    assert Record.load(opened(str(RECORD))) == RECORD
    assert [record.names for record in Record.load_all(opened(MANY))] == [
        *(("Zoë", "Bob"), ("a", "b"), ("Zoë", "Bob"))
    ]
    assert list(Record.iterate(opened(MANY))) == Record.load_all(opened(MANY))


def test_open_files_are_written_as_text_or_as_bytes(tmp_path: Path) -> None:
    text, data = io.StringIO(), io.BytesIO()
    for file in (text, data):
        RECORD.save(file)
        short("a", "b").save(file)
    assert text.getvalue() == str(RECORD) + str(short("a", "b"))
    assert data.getvalue() == text.getvalue().encode()
    with gzip.open(tmp_path / "games.gz", "wt", encoding="utf-8") as packed:
        RECORD.save(packed)
    with gzip.open(tmp_path / "games.gz") as packed:
        assert list(Record.iterate(packed)) == [RECORD]


def test_a_file_by_its_name_is_iterated_like_an_open_one(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text(MANY, encoding="utf-8-sig")
    assert list(Record.iterate(path)) == list(Record.iterate(str(path))) == Record.load_all(path)


def test_what_is_wrong_names_its_line_and_comes_after_what_is_right() -> None:
    records = Record.iterate(io.StringIO(f"{RECORD}".replace("6+8", "6+9")))
    with pytest.raises(RecordError, match=r"^Line 6: "):
        next(records)
    half = str(RECORD)
    found = Record.iterate(io.StringIO(half.removesuffix("*\n") + half))
    assert next(found).cut is not None
    with pytest.raises(RecordError, match="cut off here"):
        next(found)


def test_nothing_in_a_file_is_no_record() -> None:
    with pytest.raises(RecordError, match="no header “Cantstop”"):
        list(Record.iterate(io.StringIO("")))


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match=r"^- cannot be read: it is not text in UTF-8"):
        list(Record.iterate(io.BytesIO(b"\xff\xfe\n")))
    path = tmp_path / "picture"
    path.write_bytes(b"\xff")
    with path.open("rb") as file, pytest.raises(InvalidText, match="picture cannot be read"):
        Record.load(file)
    with pytest.raises(InvalidText, match="picture cannot be read"):
        next(Record.iterate(path))


@pytest.mark.parametrize(
    "call",
    [
        lambda file: Record.load(file),
        lambda file: Record.iterate(file),
        lambda file: RECORD.save(file),
    ],
)
def test_what_is_no_file_is_refused_at_once(call: Callable[[Any], object]) -> None:
    with pytest.raises(WrongType, match="3 is not the name of a file"):
        call(3)


class Endless(io.RawIOBase):
    """Bytes that never end, and how many were read."""

    def __init__(self, pattern: bytes) -> None:
        self._pattern, self.given = pattern, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = len(buffer)
        at = self.given % len(self._pattern)
        repeated = self._pattern * (size // len(self._pattern) + 2)
        buffer[:] = repeated[at : at + size]
        self.given += size
        return size


@pytest.mark.parametrize("pattern", [b"x", b"# a comment\n"])
@pytest.mark.parametrize("read", [Record.load, lambda file: next(Record.iterate(file))])
def test_a_record_has_a_bound_even_where_a_file_has_none(
    pattern: bytes, read: Callable[[Any], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_TEXT_BYTES", 1 << 20)
    source = Endless(pattern)
    with pytest.raises(RecordError, match="Line 1: A record cannot be larger than 1 MiB"):
        read(io.BufferedReader(source))
    assert source.given < 2 << 20


class Repeated(io.RawIOBase):
    """A file with a text again and again, which is nowhere as a whole."""

    def __init__(self, text: bytes) -> None:
        self._text, self._rest, self.given = text, b"", 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            self._rest, self.given = self._text, self.given + 1
        part = self._rest[: len(buffer)]
        self._rest = self._rest[len(part) :]
        buffer[: len(part)] = part
        return len(part)


def test_of_a_file_of_any_size_only_one_record_is_kept() -> None:
    source = Repeated(str(RECORD).encode())
    records = Record.iterate(io.BufferedReader(source, 64))
    before: list[ref[Record]] = []
    for number in range(1, 1001):
        before.append(ref(next(records)))
        assert source.given <= number + 2  # it reads no further than to where the next one begins
    assert sum(one() is not None for one in before) <= 1


def test_a_long_line_is_read_whole() -> None:
    comment = "x" * (3 << 16)
    assert parsed(str(RECORD.annotated(1, comment))).comments[0].text == comment
    (found,) = Record.iterate(io.StringIO(str(RECORD.annotated(1, comment))))
    assert found.comments[0].text == comment
