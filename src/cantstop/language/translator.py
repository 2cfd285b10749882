"""Which languages there are, and messages in one of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from cantstop.rules import CantStopError, InvalidText, Phrase, choices_for

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

    Raises:
        InvalidText: If there is no such language.
    """
    if option is not None:
        if _code(option) not in LANGUAGES:
            raise InvalidText(
                "There is no language “{text}”; {choices}",
                text=option,
                choices=choices_for(option, LANGUAGES),
            )
        return _code(option)
    wanted = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    return next((code for code in map(_code, wanted.split(":")) if code in LANGUAGES), "en")


def _code(text: str) -> str:
    """The language in a locale's name: ``fr`` in ``fr_CH.UTF-8`` and in ``fr-CH``."""
    return text.strip().replace("-", "_").partition("_")[0].partition(".")[0].lower()


def message(text: str) -> str:
    """Mark a text for the catalogues where it is kept, to be said later."""
    return text


def _catalogue(language: str) -> NullTranslations:
    if language == "en":
        return NullTranslations()
    path = files("cantstop.language") / "catalogues" / language / "LC_MESSAGES" / "cantstop.mo"
    with path.open("rb") as compiled:
        return GNUTranslations(compiled)


@dataclass(frozen=True)
class Translator:
    """Says things in one language.

    >>> english = Translator()
    >>> english.say("{name} stops.", name="Anne")
    'Anne stops.'
    >>> english.join([6, 7, 8])
    '6, 7 and 8'
    """

    language: str = "en"
    catalogue: NullTranslations = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "catalogue", _catalogue(self.language))

    def say(self, text: str, /, **fields: object) -> str:
        """A message with its fields filled in."""
        return self._filled(self.catalogue.gettext(text), fields)

    def say_count(self, singular: str, plural: str, count: int, /, **fields: object) -> str:
        """A message that depends on a count, which is its field ``count``."""
        text = self.catalogue.ngettext(singular, plural, count)
        return self._filled(text, {"count": count, **fields})

    def error(self, error: CantStopError) -> str:
        """What an error says, down to the errors and phrases in its fields."""
        return self.say(error.template, **error.fields)

    def join(self, items: Iterable[object]) -> str:
        """A list that a sentence can hold: ``6, 7 and 8``."""
        return self._list(items, self.say("{most} and {last}"))

    def either(self, items: Iterable[object]) -> str:
        """A choice that a sentence can hold: ``6, 7 or 8``."""
        return self._list(items, self.say("{most} or {last}"))

    def percent(self, chance: Fraction) -> str:
        """A chance as a percentage with one decimal."""
        # rounded half up, as people do by hand; a Fraction has no float's surprises
        tenths = int(chance * 1000 + Fraction(1, 2))
        return self.say("{whole}.{tenths}%", whole=tenths // 10, tenths=tenths % 10)

    def decimal(self, value: float, places: int = 1) -> str:
        """A number that is not negative, with a fixed number of decimals.

        Half is rounded up, and what half is says the number as it is written: so do browsers.

        >>> Translator().decimal(6.71531, 2), Translator().decimal(1.005, 2)
        ('6.72', '1.01')
        """
        units = int(Fraction(repr(float(value))) * 10**places + Fraction(1, 2))
        whole, rest = divmod(units, 10**places)
        return self.say("{whole}.{tenths}", whole=whole, tenths=f"{rest:0{places}}")

    def _filled(self, text: str, fields: Mapping[str, object]) -> str:
        if not fields:
            return text
        return text.format(**{name: self._field(value) for name, value in fields.items()})

    def _field(self, value: object) -> object:
        if isinstance(value, CantStopError):
            return self.error(value)
        return self.catalogue.gettext(value) if isinstance(value, Phrase) else value

    def _list(self, items: Iterable[object], pattern: str) -> str:
        *most, last = [str(item) for item in items] or [""]
        return pattern.format(most=", ".join(most), last=last) if most else last
