"""What bots are called on screen; records and commands know them by their plain names."""

import re

from cantstop.language.translator import Translator, message

BOT_NAMES = {
    "chick": message("Chick"),
    "magpie": message("Magpie"),
    "tortoise": message("Tortoise"),
    "ibex": message("Ibex"),
    "monkey": message("Monkey"),
    "fox": message("Fox"),
    "falcon": message("Falcon"),
    "champion": message("Champion"),
    "random": message("Chance"),
    "careful": message("Careful"),
    "bold": message("Bold"),
    "rule-of-28": message("Rule of 28"),
    "rule-of-28-program": message("Rule of 28, the program"),
    "rule-of-28-simple": message("Rule of 28, simple"),
    "glenn-aloi-constant": message("Glenn & Aloi, constant"),
    "glenn-aloi-linear": message("Glenn & Aloi, linear"),
    "glenn-linear": message("Glenn, linear"),
    "simple": message("The guide's card"),
    "max-expected-progress": message("Expected progress"),
    "expert": message("Expert"),
}

_BOT = re.compile(r"(?:bot:)?(?P<kind>[a-z0-9-]+)(?::(?P<level>[\d.]+))?(?P<seat> \d+)?")


def name_text(words: Translator, name: str) -> str:
    """A seat's name on screen: a bot's in the reader's language, a person's as it is.

    >>> [name_text(Translator(), name) for name in ("bot:chick", "careful:3", "fox 2", "Anne")]
    ['Chick', 'Careful 3', 'Fox 2', 'Anne']
    """
    found = _BOT.fullmatch(name)
    if found is None or found["kind"] not in BOT_NAMES:
        return name.removeprefix("bot:")
    level = f" {found['level']}" if found["level"] else ""
    return words.say(BOT_NAMES[found["kind"]]) + level + (found["seat"] or "")
