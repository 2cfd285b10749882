"""Names: what nobody can see is refused, and so is what could be taken for another name."""

import pytest
from starlette.testclient import TestClient

from cantstop.server.errors import BadName
from cantstop.server.tables.names import clean_name, distinct_name, name_shape
from table_client import OPEN, human, open_table, sit_down


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",  # Hangul filler: a letter without a shape
        "Bob\uffa0",
        "\u2800\u2800",  # Braille blank
        "Bo\u200bb",  # zero-width space
        "\u202ebob",  # right-to-left override
        "Bo\u2066b",
        "Bo\u034fb",
        "\u0301",
        "\u0301Bob",
        "B" + "\u0335" * 4,  # struck through until nothing is left
        "Bob\U000e0101",
        "Bob\x00",
    ],
    ids=ascii,
)
def test_what_nobody_can_see_is_refused(name: str) -> None:
    with pytest.raises(BadName):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Zoë",
        "Ng\u0169",
        "Åsa-Lill",
        "O’Neill",
        "李雷",
        "안녕",
        "محمد",
        "अनीता",
        "R2-D2",
        "\U0001f3b2",
        "Đặng",
    ],
)
def test_names_of_people_are_left_as_they_are(name: str) -> None:
    assert clean_name(name) == name


def test_an_emoji_loses_only_its_style() -> None:
    assert clean_name("\u2764\ufe0f Bob") == "\u2764 Bob"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anne", "\u0410nn\u0435"),  # Cyrillic
        ("Bob", "\u0392ob"),  # Greek
        ("Bob", "B0b"),
        ("Ian", "lan"),
        ("Anne", "ANNE"),
        ("Anne", "\uff21nne"),  # full width
        ("Tom", "Torn"),
        ("Anne Marie", "AnneMarie"),
        ("O'Neill", "O’Neill"),
    ],
    ids=ascii,
)
def test_names_that_look_alike_are_not_for_one_table(one: str, other: str) -> None:
    assert name_shape(one) == name_shape(other)
    with pytest.raises(BadName):
        distinct_name(other, [one])


@pytest.mark.parametrize(("one", "other"), [("Anne", "Anna"), ("Zoe", "Zoë"), ("Jon", "Jan")])
def test_other_names_are(one: str, other: str) -> None:
    assert distinct_name(other, [one]) == other


def test_a_second_one_of_the_same_name_gets_a_number() -> None:
    assert distinct_name("Bob", ["Bob", "Bob 2"]) == "Bob 3"
    long = "Bob" * 8
    assert distinct_name(long, [long]) == long[:22] + " 2"


def test_a_table_has_no_two_names_that_look_alike(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="a"), human("Anne", salt="b"), OPEN, OPEN)
    assert [seat["name"] for seat in opened["state"]["seats"]] == ["Anne", "Anne 2", None, None]
    answer = server.post(f"/api/tables/{opened['id']}/seats", json={"name": "\u0410nne"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "name")
    sit_down(server, opened["id"], "Bob")
    body = {"mode": "hotseat", "seats": [human("Bob"), human("B0b")]}
    assert server.post("/api/tables", json=body).json()["error"]["code"] == "name"
