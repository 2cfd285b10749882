"""``cantstop check-bot``: whether a bot of your own plays as it should."""

from typing import Annotated

from cantstop.bots import any_bot
from cantstop.cli.options import Lang, echo, translator
from cantstop.cli.parser import Argument, Option


def check_bot(
    bot: Annotated[
        str,
        Argument(metavar="BOT", help="A program as program:COMMAND, or a class as module:Class."),
    ],
    timeout: Annotated[
        float, Option(metavar="SECONDS", help="How long it may think about an answer.")
    ] = 5.0,
    lang: Lang = None,
) -> None:
    """Try out a bot: whole games under different rules, with every answer checked.

    What a program writes to its standard error is shown. The first failure ends with exit code 1;
    to refuse all of the rules is one.

    Example: cantstop check-bot "program:perl examples/bots/steady.pl"
    """
    # NumPy and Numba take a while to load, and the other commands do without
    from cantstop.arena.trial import try_out

    words, player = translator(lang), any_bot(bot, timeout, show_errors=True)
    try:
        for trial in try_out(player):
            if trial.refusal is not None:
                echo(words.error(trial.refusal))
            else:
                echo(
                    words.say_count(
                        "{rules}: one answer, correct.",
                        "{rules}: {count} answers, all correct.",
                        trial.answers,
                        rules=trial.rules,
                    )
                )
    finally:
        player.close()
    echo(words.say("This bot can sit down at any table whose rules it plays."))
