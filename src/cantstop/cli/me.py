"""``cantstop me``: one's own profile on a server, from this terminal."""

from typing import TYPE_CHECKING, Annotated

from cantstop.cli.options import Json, Lang, echo, translator
from cantstop.cli.parser import Argument, Option
from cantstop.files import user_data_folder
from cantstop.language import Translator, message
from cantstop.rules import InvalidText
from cantstop.terminal.player_keys import PlayerKeys
from cantstop.untrusted import escaped, printable

if TYPE_CHECKING:
    from cantstop.wire.club import GamesPage, GameSummary, Profile, RatingView

_KINDS = {"results": message("Results"), "play": message("Play, without the luck")}
_SIZES = {"two": message("for two"), "more": message("for three and four")}


def me(
    server: Annotated[str, Argument(metavar="SERVER", help="The address of the server.")],
    begin: Annotated[
        str | None, Option(metavar="NAME", help="Begin a profile with this name.")
    ] = None,
    code: Annotated[
        str | None, Option(metavar="CODE", help="Add this machine by a code of another device.")
    ] = None,
    words: Annotated[
        str | None, Option(metavar="WORDS", help="Add this machine by your recovery words.")
    ] = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Show your profile on a server: results, ratings, luck and skill, and your newest games.

    The first time, begin a profile, or add this machine to the one that you have: a key is made and
    kept in your data folder, and the server keeps a hash of it.

    Example: cantstop me http://localhost:8000 --begin Anne
    """
    # only here a server is asked
    from cantstop.client import club
    from cantstop.client.links import server_address

    words_of, address = translator(lang), server_address(server)
    language, keys = words_of.language, PlayerKeys(user_data_folder() / "players.json")
    given = [one for one in (begin, code, words) if one is not None]
    if len(given) > 1:
        raise InvalidText("Give one of --begin, --code and --words.")
    key = keys.of(address)
    if given:
        key = club.new_key()
        if begin is not None:
            club.begin(address, key, begin, language=language)
        elif code is not None:
            club.add_by_code(address, key, code, language=language)
        else:
            club.add_by_words(address, key, given[0], language=language)
        keys.save(address, key)
    if key is None:
        raise InvalidText(
            "This machine has no profile on {server}: begin one with --begin NAME, or add the "
            "machine to yours with --code or --words.",
            server=address,
        )
    mine = club.me(address, key, language=language)
    profile = club.profile(address, mine.id, key, language=language)
    games = club.games(address, mine.id, key, language=language)
    if json:
        _print_json(profile, games)
    else:
        _print(words_of, profile, games)


def _print_json(profile: "Profile", games: "GamesPage") -> None:
    import msgspec

    from cantstop.wire.club import ProfileWithGames

    found = msgspec.json.encode(ProfileWithGames(profile, games.games))
    echo(escaped(msgspec.json.format(found, indent=2).decode()))


def _print(words: Translator, profile: "Profile", games: "GamesPage") -> None:
    total = profile.total
    played = words.say_count("{count} game", "{count} games", total.games)
    won = words.say("{count} won", count=total.won)
    echo(f"{printable(profile.player.name)}: {played}, {won}")
    for rating in profile.player.ratings:
        echo(_rating(words, rating))
    if profile.months:
        month = profile.months[-1]
        echo(
            words.say(
                "{month}: luck {luck}, skill {skill} points of a win a game",
                month=month.month,
                luck=f"{100 * month.luck:+.1f}",
                skill=f"{100 * month.skill:+.1f}",
            )
        )
    for game in games.games:
        echo(_game(words, game))


def _rating(words: Translator, rating: "RatingView") -> str:
    return words.say(
        "{kind} {size}: {value} ({low} to {high})",
        kind=words.say(_KINDS[rating.kind.value]),
        size=words.say(_SIZES[rating.size.value]),
        value=round(rating.value),
        low=round(rating.low),
        high=round(rating.high),
    )


def _game(words: Translator, game: "GameSummary") -> str:
    mine = next(seat for seat in game.seats if seat.seat == game.seat)
    others = (
        printable(seat.name) or seat.bot or words.say("a player")
        for seat in game.seats
        if seat.seat != game.seat
    )
    result = words.say("won") if mine.won else words.say("lost")
    rated = f", {words.say('rated')}" if game.counts else ""
    return f"{game.finished_at[:10]}  {game.table}  {result}: {', '.join(others)}{rated}"
