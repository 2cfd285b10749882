"""The languages there are, and which one a person wants."""

from collections.abc import Mapping

from cantstop.rules import InvalidText

LANGUAGES = {
    "en": "English",
    "fr": "Français",
    "nl": "Nederlands",
    "it": "Italiano",
    "de": "Deutsch",
}
"""Code to the language's own name. English is the source text, the others are catalogues."""

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def pick_language(option: str | None, environment: Mapping[str, str]) -> str:
    """The language that was asked for, else the one of the environment, else English.

    As everywhere with gettext, the first variable that is set decides.

    >>> pick_language(None, {"LANG": "nl_BE.UTF-8"}), pick_language("fr", {"LANG": "nl_BE.UTF-8"})
    ('nl', 'fr')
    """
    if option is not None:
        if _code(option) not in LANGUAGES:
            raise InvalidText(
                "There is no language “{text}”; there are: {choices}.",
                text=option,
                choices=", ".join(LANGUAGES),
            )
        return _code(option)
    wanted = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    return next((code for code in map(_code, wanted.split(":")) if code in LANGUAGES), "en")


def _code(text: str) -> str:
    """The language in a locale's name: ``fr`` in ``fr_CH.UTF-8`` and in ``fr-CH``."""
    return text.strip().replace("-", "_").partition("_")[0].partition(".")[0].lower()
