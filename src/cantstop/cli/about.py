"""``cantstop editions``, ``bots`` and ``rules``: what there is."""

from typing import Annotated

from cantstop.bots import BOTS, BotEntry
from cantstop.cli.options import (
    ColumnsToWin,
    EditionName,
    Json,
    Lang,
    Variants,
    echo,
    print_json,
    rules_options,
    translator,
)
from cantstop.cli.parser import Option
from cantstop.language import Translator, short_rules
from cantstop.rules import EDITIONS, Edition, Sharing, rules_from_text
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.wire.offers import bot_offer, edition_offer


def rules(
    players: Annotated[
        int, Option(metavar="N", least=1, most=MOST_PLAYERS, help="How many play.")
    ] = 2,
    edition: EditionName = None,
    win: ColumnsToWin = None,
    variant: Variants = None,
    rules: Annotated[
        str | None,
        Option(metavar="RULES", help="Rules as text, such as players=3,win=4,sharing=leapfrog."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Print the rules of a game in short.

    Example: cantstop rules --edition ravensburger --variant no-rest --lang fr
    """
    if win is None and not variant:
        chosen = rules_from_text(rules, edition=edition, players=players)
    else:
        chosen = rules_options(rules, edition, win, variant).rules(players)
    echo(short_rules(translator(lang), chosen))


def editions(json: Json = False, lang: Lang = None) -> None:
    """List the printed editions and the variants they allow.

    Example: cantstop editions --json
    """
    if json:
        print_json([edition_offer(edition) for edition in EDITIONS.values()])
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


def bots(json: Json = False, lang: Lang = None) -> None:
    """List the bots that can take a seat.

    Example: cantstop bots
    """
    words = translator(lang)
    if json:
        print_json([bot_offer(bot, words) for bot in BOTS.values()])
        return
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
