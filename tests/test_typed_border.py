"""The check for dictionaries of anything finds them; ``make lint`` asks it about the package."""

from pathlib import Path

import pytest

from typed_border import FOREIGN, SOURCE, check, untyped


@pytest.mark.parametrize(
    "source",
    [
        "def answer() -> dict[str, Any]: ...",
        "def answer() -> dict[str, object]: ...",
        "def answer() -> dict: ...",
        "def read(told: Mapping[str, Any]) -> None: ...",
        "def read(told: dict) -> None: ...",
        "Json = dict[str, Any]",
        "rows: list[dict[str, Any]] = []",
        'scope = cast("dict[str, Any]", scope)',
        'def answer() -> "dict[str, Any] | None": ...',
        "async def answer() -> dict: ...",
        "def answer() -> dict | None: ...",
        "def answer() -> list[dict]: ...",
        'def answer() -> "dict": ...',
        "Json = dict",
        "def answer() -> typing.Dict[str, typing.Any]: ...",
        'rows: dict[str, "Any"] = {}',
        "rows: dict[str, Any | None] = {}",
        "rows: dict[str, list[Any]] = {}",
        "rows: OrderedDict[str, object] = {}",
        "def read(told: Mapping[str, tuple[str, Any]]) -> None: ...",
        'text = json.dumps({"error": error})',
        'text = encode({"error": error})',
        'return_value = JSONResponse({"error": error})',
    ],
)
def test_a_dictionary_of_anything_is_found_with_its_line(source: str) -> None:
    assert list(untyped(f"\n{source}")) == [2]


@pytest.mark.parametrize(
    "source",
    [
        "def answer() -> dict[str, int]: ...",
        "def read(told: Mapping[str, object]) -> None: ...",
        "def answer() -> ReviewAnswer: ...",
        '"""A dict[str, Any] in prose."""',
        "tasks: dict[str, Task[Any]] = {}",
        'message("dictionary")',
        "text = json.dumps(asdict(report))",
        "seen = dict(pairs)",
    ],
)
def test_types_are_left_alone(source: str) -> None:
    assert list(untyped(source)) == []


def test_each_place_is_said_with_its_file_and_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("x = 1\ndef answer() -> dict: ...\n", "utf-8")
    assert check([bad]) == [f"{bad}:2: a dictionary of anything: give it a type"]
    assert check([SOURCE / "cpp.py"]) == []  # excepted


def test_what_is_excepted_is_there() -> None:
    assert all((SOURCE / Path(name)).exists() for name in FOREIGN)
