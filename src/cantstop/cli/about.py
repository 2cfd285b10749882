"""``cantstop editions``, ``bots`` and ``rules``: what there is."""

from typing import Annotated

from cantstop.bots import BOTS, BotEntry
from cantstop.cli.completion import complete_edition
from cantstop.cli.options import Json, Lang, RulesText, echo, print_json, translator
from cantstop.cli.parser import Option
from cantstop.language import Translator, short_rules
from cantstop.rules import EDITIONS, Edition, Sharing, rules_from_text


def rules(
    edition: Annotated[
        str | None,
        Option(metavar="NAME", help="The rules of one edition.", complete=complete_edition),
    ] = None,
    rules: RulesText = "players=2",
    lang: Lang = None,
) -> None:
    """Print the rules of a game in short.

    Example: cantstop rules --edition ravensburger --lang fr
    """
    echo(short_rules(translator(lang), rules_from_text(rules, edition=edition)))


def editions(json: Json = False, lang: Lang = None) -> None:
    """List the printed editions and the variants they allow.

    Example: cantstop editions --json
    """
    if json:
        print_json([_edition_json(edition) for edition in EDITIONS.values()])
        return
    words = translator(lang)
    for edition in EDITIONS.values():
        variants = _variants(edition)
        echo(
            f"{edition.name:<14}{edition.title:<22}"
            + (", ".join(variants) or words.say("no variants"))
        )


def _variants(edition: Edition) -> list[str]:
    longer = sorted({win for _, win in edition.longer})
    return [
        *(["V1 (" + ", ".join(map(str, longer)) + ")"] if longer else []),
        *(["V2"] if edition.early else []),
        *(["V3"] if Sharing.NO_REST in edition.sharing else []),
        *(["V4"] if Sharing.LEAPFROG in edition.sharing else []),
    ]


def _edition_json(edition: Edition) -> dict[str, object]:
    return {
        "name": edition.name,
        "title": edition.title,
        "start": edition.start.value,
        "tokens": edition.tokens,
        "columns_to_win": {
            str(players): [3, *edition.longer_games(players)] for players in (1, 2, 3, 4)
        },
        "early": edition.early,
        "sharing": [sharing.value for sharing in edition.sharing],
    }


def bots(json: Json = False, lang: Lang = None) -> None:
    """List the bots that can take a seat.

    Example: cantstop bots
    """
    if json:
        print_json([_bot_json(bot) for bot in BOTS.values()])
        return
    words = translator(lang)
    for bot in BOTS.values():
        echo(f"{_heading(words, bot)}\n    {words.say(bot.about)}")


def _heading(words: Translator, bot: BotEntry) -> str:
    if bot.level is None:
        return bot.name
    return words.say(
        "{name} (level {level}, rating {rating})",
        name=bot.name,
        level=bot.level,
        rating=bot.rating,
    )


def _bot_json(bot: BotEntry) -> dict[str, object]:
    return {"name": bot.name, "about": bot.about, "level": bot.level, "rating": bot.rating}
