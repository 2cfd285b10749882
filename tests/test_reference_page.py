"""The reference has every public name and attribute, with its parameters: compared with Python."""

import ast
import enum
import importlib
import inspect
import pkgutil
import re
import textwrap
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import cantstop
from api_reference import PACKAGES, PAGES, fenced, index

ROOT = Path(__file__).parents[1]
PAGE_NAMES = [path.name for path in sorted(PAGES.glob("*.md"))]
TEXTS = {name: (PAGES / name).read_text("utf-8") for name in PAGE_NAMES}
SIGNATURE = r"^#+ {name}\n\n```python\n(.*?)^```$"


def page_of(package: str) -> str:
    return TEXTS[f"{package.rpartition('.')[2]}.md"]


def headings(text: str) -> set[str]:
    return set(re.findall(r"^#{2,4} ([\w.]+)$", text, re.MULTILINE))


def names_of(package: ModuleType) -> list[str]:
    if hasattr(package, "__all__"):
        return list(package.__all__)
    own = [name for name in vars(package) if not name.startswith("_")]
    return [
        name
        for name in own
        if getattr(getattr(package, name), "__module__", package.__name__) == package.__name__
        and not isinstance(getattr(package, name), ModuleType)
    ]


def attributes_of(found: type) -> set[str]:
    """The public attributes that it has from classes of this package."""
    ours = [one for one in found.__mro__ if one.__module__.startswith("cantstop.")]
    named = {name for one in ours for name in (*vars(one), *inspect.get_annotations(one))}
    named |= {field.name for field in fields(found)} if is_dataclass(found) else set()
    return {name for name in named if not name.startswith("_")}


def shown_at(package: str, name: str) -> tuple[str, str]:
    """The page that describes a name, and the name that it has there."""
    text = page_of(package)
    referred = re.search(rf"^## {name}\n\nSee \[(\w+)\]\((\w+\.md)#", text, re.MULTILINE)
    return (TEXTS[referred[2]], referred[1]) if referred else (text, name)


def exported() -> list[tuple[str, str, Any]]:
    found = []
    for package in PACKAGES:
        module = importlib.import_module(package)
        found += [(package, name, getattr(module, name)) for name in names_of(module)]
    return found


def test_every_package_that_the_library_shows_has_a_page() -> None:
    packages = {
        name
        for _, name, is_package in pkgutil.iter_modules(cantstop.__path__)
        if is_package and name in dir(cantstop)
    }
    assert {f"cantstop.{name}" for name in packages} <= set(PACKAGES)
    shown = (ROOT / "docs/reference.md").read_text("utf-8")
    assert shown == index()
    site = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert all(f"reference/{name}" in site and f"reference/{name}" in shown for name in TEXTS)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_in_the_reference(package: str) -> None:
    module = importlib.import_module(package)
    assert set(names_of(module)) <= headings(page_of(package))


def test_every_public_attribute_of_every_public_class_is_in_the_reference() -> None:
    missing = []
    for package, name, value in exported():
        if isinstance(value, type) and value.__module__.startswith("cantstop."):
            text, shown = shown_at(package, name)
            due = {f"{shown}.{attribute}" for attribute in attributes_of(value)}
            missing += sorted(due - headings(text))
    assert missing == []


def test_every_parameter_of_every_public_function_is_in_the_reference() -> None:
    missing, looked_at = [], 0
    for package, name, value in exported():
        text, shown = shown_at(package, name)
        called: dict[str, Any] = {shown: value} if inspect.isfunction(value) else {}
        if isinstance(value, type) and value.__module__.startswith("cantstop."):
            called = {
                f"{shown}.{attribute}": getattr(value, attribute)
                for attribute in attributes_of(value)
                if inspect.isfunction(getattr(value, attribute, None))
                or inspect.ismethod(getattr(value, attribute, None))
            }
            made = "__init__" in vars(value) and not getattr(value, "_is_protocol", False)
            if made and not issubclass(value, BaseException | enum.Enum):
                called[shown] = value
        for what, function in called.items():
            found = re.search(
                SIGNATURE.format(name=re.escape(what)), text, re.MULTILINE | re.DOTALL
            )
            parameters = set(inspect.signature(function).parameters) - {"self", "cls"}
            looked_at += 1
            written = set(re.findall(r"\w+", found[1])) if found else set()
            missing += [f"{what}({parameter})" for parameter in parameters - written]
    assert missing == []
    assert looked_at > 200


def test_every_error_that_a_public_function_raises_is_in_its_docstring() -> None:
    missing = []
    for _, name, value in exported():
        called: dict[str, Any] = {name: value} if inspect.isfunction(value) else {}
        if isinstance(value, type) and value.__module__.startswith("cantstop."):
            called = {one: getattr(value, one, None) for one in attributes_of(value)}
        for what, function in called.items():
            if inspect.isfunction(function) or inspect.ismethod(function):
                tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
                raised = [one.exc for one in ast.walk(tree) if isinstance(one, ast.Raise)]
                errors = {
                    ast.unparse(one.func).partition(".")[0]
                    for one in raised
                    if isinstance(one, ast.Call)
                }
                classes = {error for error in errors if error[0].isupper()}
                told = function.__doc__ or ""
                missing += [f"{name}: {what}: {one}" for one in classes if one not in told]
    assert missing == []


def test_a_position_is_described_as_a_stranger_needs_it() -> None:
    """Those that a first reference left out."""
    for name in ("legal_moves", "phase", "seat", "tokens", "runners", "dice", "outcome"):
        described = re.search(
            rf"^### Position\.{name}\n\n```python\n{name}: .*\n```\n\n[A-Z]",
            TEXTS["cantstop.md"],
            re.MULTILINE,
        )
        assert described, name


def test_what_is_read_as_an_attribute_is_not_shown_as_a_method() -> None:
    for name, kind in (("Board.tops", "tuple[int, ...]"), ("Board.sides", "int")):
        shown = f"### {name}\n\n```python\n{name.partition('.')[2]}: {kind}\n```"
        assert shown in TEXTS["cantstop.md"]


def test_examples_get_fences_and_nothing_else_changes() -> None:
    text = "Adds.\n\n>>> 1 + 1\n2\n>>> 2 + 2\n4\n\nAnd more, > 3."
    due = "Adds.\n\n```pycon\n>>> 1 + 1\n2\n>>> 2 + 2\n4\n```\n\nAnd more, > 3."
    assert fenced(text) == due
    assert fenced("Says nothing.") == "Says nothing."
