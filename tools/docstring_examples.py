"""Shows the examples of docstrings as code on the reference page.

They are doctests without a heading, whose ``>>>`` Markdown takes for quotations in quotations.
MkDocs loads this file: see ``mkdocs.yml``.
"""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""From a prompt to the next empty line."""


def fenced(text: str) -> str:
    r"""The text with fences around its examples.

    >>> print(fenced("Adds.\n\n>>> 1 + 1\n2\n\nAnd more."))
    Adds.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    And more.
    """
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", text)


class DocstringExamples(griffe.Extension):
    """What MkDocs is given: every docstring with its examples fenced."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401
        """Change the docstring of whatever has one."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
