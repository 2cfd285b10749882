"""``cantstop me``: one's own profile on a server, from this terminal."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from cantstop.cli.options import Json, Lang, echo, translator
from cantstop.cli.parser import Argument, Option
from cantstop.files import user_data_folder
from cantstop.language import Translator, message, name_text, time_left_text
from cantstop.rules import InvalidText
from cantstop.terminal.player_keys import PlayerKeys
from cantstop.untrusted import escaped, printable

if TYPE_CHECKING:
    from cantstop.wire.club import GamesPage, GameSummary, Profile, ProfileWithGames, RatingView
    from cantstop.wire.turns import TurnList, TurnSeat, TurnTable

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
    turns: Annotated[
        bool, Option("--turns", help="Show which of your games wait for you, and for whom else.")
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Show your profile on a server: results, ratings, luck and skill, and your newest games.

    The first time, begin a profile, or add this machine to the one that you have: a key is made and
    kept in your data folder, and the server keeps a hash of it. With --turns, show your games with
    others that are not over: those that wait for you first, each with its link.

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
    if turns:
        found = club.turns(address, key, language=language)
        if json:
            _print_json(found)
        else:
            _print_turns(words_of, address, found)
        return
    mine = club.me(address, key, language=language)
    profile = club.profile(address, mine.id, key, language=language)
    games = club.games(address, mine.id, key, language=language)
    if json:
        from cantstop.wire.club import ProfileWithGames

        _print_json(ProfileWithGames(profile, games.games))
    else:
        _print(words_of, profile, games)


def _print_json(found: "ProfileWithGames | TurnList") -> None:
    import msgspec

    text = msgspec.json.encode(found)
    echo(escaped(msgspec.json.format(text, indent=2).decode()))


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


def _print_turns(words: Translator, server: str, found: "TurnList") -> None:
    echo(words.say_count("{count} game waits for you", "{count} games wait for you", found.waiting))
    for table in found.tables:
        echo(_turn(words, server, table))


def _turn(words: Translator, server: str, table: "TurnTable") -> str:
    names = [_seat_name(words, seat) for seat in table.seats]
    others = ", ".join(name for number, name in enumerate(names) if number != table.seat)
    since = datetime.fromisoformat(table.since).astimezone().strftime("%Y-%m-%d %H:%M")
    if table.to_act is None:
        state = words.say("waits for players since {since}", since=since)
    elif table.mine:
        state = words.say("your turn since {since}", since=since)
    else:
        state = words.say("{name} is to play since {since}", name=names[table.to_act], since=since)
    notes = [state]
    if table.left is not None:
        notes.append(time_left_text(words, table.left))
    notes += _absences(words, table, names)
    return f"{server}/t/{table.id}  {others}: {', '.join(notes)}"


def _absences(words: Translator, table: "TurnTable", names: list[str]) -> Iterator[str]:
    """Who is away from a slow table, and who has missed turns there."""
    for number, seat in enumerate(table.seats):
        if seat.away is not None:
            until = datetime.fromisoformat(seat.away).astimezone().strftime("%Y-%m-%d %H:%M")
            yield words.say("{name} is away until {until}", name=names[number], until=until)
        if number in table.drop:
            yield words.say("{name} has missed two turns in a row", name=names[number])


def _seat_name(words: Translator, seat: "TurnSeat") -> str:
    if seat.bot is not None:
        return name_text(words, seat.bot)
    return words.say("a free seat") if seat.name is None else printable(seat.name)


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
