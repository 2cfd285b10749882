"""The reference page shows the examples of docstrings as code, not as quotations."""

import griffe

import cantstop
from docstring_examples import DocstringExamples, fenced


def test_examples_get_fences_and_nothing_else_changes() -> None:
    text = "Adds.\n\n>>> 1 + 1\n2\n>>> 2 + 2\n4\n\nAnd more, > 3."
    due = "Adds.\n\n```pycon\n>>> 1 + 1\n2\n>>> 2 + 2\n4\n```\n\nAnd more, > 3."
    assert fenced(text) == due
    assert fenced("Says nothing.") == "Says nothing."


def test_the_extension_finds_the_docstrings_that_the_page_shows() -> None:
    package = griffe.load(
        "cantstop.game", extensions=griffe.load_extensions(DocstringExamples), search_paths=["src"]
    )
    assert cantstop.Game.__doc__ is not None
    assert ">>> game = Game" in cantstop.Game.__doc__
    assert "```pycon\n>>> game = Game" in package["Game"].docstring.value
