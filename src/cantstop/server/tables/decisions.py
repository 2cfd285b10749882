"""What an action leads to: pure decisions, from a table and an action to the changed table."""

from dataclasses import dataclass, replace
from datetime import datetime
from secrets import token_hex

from cantstop.bots import bot_named
from cantstop.bots import decide as decide_for
from cantstop.dice import new_salt, salt_commitment
from cantstop.rules import (
    Action,
    Busted,
    Choice,
    Dice,
    Event,
    Move,
    Moved,
    Phase,
    Rolled,
    Stopped,
)
from cantstop.server.errors import (
    Malformed,
    NotYourSeat,
    NotYourTurn,
    Refused,
    SaltNeeded,
    Stale,
    check_permission,
)
from cantstop.server.tables.changes import Change, StoredTable
from cantstop.server.tables.clock import SUBSTITUTE_BOT, spent_of
from cantstop.server.tables.dice import throw
from cantstop.server.tables.opening import open_rematch
from cantstop.server.tables.orders import give_order, revoke_order, with_orders
from cantstop.server.tables.resign import leave
from cantstop.server.tables.seating import bot_seated, free_colours, start_if_full
from cantstop.server.tables.takeback import agree, decline, take_back
from cantstop.table.events import (
    Committed,
    EndReason,
    Entry,
    Finished,
    Reacted,
    Redrawn,
    Rematched,
    Returned,
    Revealed,
    SaltLost,
    Seated,
    Substituted,
    SubstituteReason,
)
from cantstop.table.permissions import (
    SeatPresence,
    is_abandoned,
    why_no_return,
    why_no_substitute,
)
from cantstop.table.table import SeatKind, Stage, Table
from cantstop.wire.actions import (
    Agree,
    AroundAction,
    Commit,
    Deciding,
    Decline,
    Drop,
    Fill,
    GiveOrder,
    LoseSalt,
    MakeMove,
    Play,
    React,
    Rematch,
    Resign,
    Return,
    Reveal,
    Revoke,
    Roll,
    Stop,
    Substitute,
    TableAction,
    TakeBack,
)

MAX_EVENTS = 50_000
"""More than the longest game has: a table whose log is this long takes no more events."""

MAX_REACTIONS = 300
"""Of one seat at one table."""

MOST_TURNS_PER_SEAT = 300
"""Turns for each seat after which a game is ended, and nobody has won: among bots that never stop
it would go on for ever."""

MAX_REDRAWS = 3
"""How often a seat may be given up that has not revealed its salt, so that all draw again."""

Decision = tuple[Change, ...] | Entry
"""Changes to commit together, this table's last; or the event that an action became before."""


@dataclass(frozen=True)
class Caller:
    """Who asks: a person by the seats that their secret holds, or the bot that plays a seat."""

    seats: frozenset[int]
    bot: bool = False


def decide(
    stored: StoredTable,
    caller: Caller,
    action: TableAction,
    presence: SeatPresence,
    at: datetime,
    thinking_time: float = 0.0,
) -> Decision:
    """What an action leads to, or what it led to before; one that is not allowed is refused.

    ``thinking_time`` is how many seconds whoever is to decide has thought, where a clock runs.
    """
    table = stored.table
    if action.seat not in caller.seats:
        raise NotYourSeat("This seat is not yours.")
    done = table.accepted(action.id)
    if done is not None:
        return done
    _check_bounds(table, action)
    if isinstance(action, Deciding):
        return (_decided(stored, caller, action, at, spent_of(table, thinking_time)),)
    if isinstance(action, Rematch):
        return _rematched(table) or _rematch(stored, action, at)
    return (_around(stored, action, presence, at),)


def _decided(
    stored: StoredTable, caller: Caller, action: Deciding, at: datetime, spent: float
) -> Change:
    """What a decision, or an order to take some, leads to; standing orders follow at once."""
    table = stored.table
    if isinstance(action, GiveOrder):
        # whoever has thought for long may not leave the decision to an order to keep their bank
        ordered = (give_order(table, action, at),)
        spent = spent if table.decider == action.seat else 0.0
        return Change(_obeyed(stored, ordered, at, spent), before=table)
    _check_turn(table, action, bot=caller.bot)
    return Change(_obeyed(stored, _play(stored, action, at, spent), at), before=table)


def _around(
    stored: StoredTable, action: AroundAction, presence: SeatPresence, at: datetime
) -> Change:
    """What an action around the game leads to."""
    table = stored.table
    match action:
        case Commit() | Reveal() | LoseSalt():
            return Change(_salted(stored, action, at))
        case Revoke():
            return Change((revoke_order(table, action, at),))
        case React(reaction=reaction):
            return Change((table.append(Reacted(reaction), action.seat, at, action.id),))
        case Substitute() | Fill() | Return():
            return Change(_reseat(table, action, presence, at))
        case Resign() | Drop():
            return Change(leave(table, _revealed(stored), action, at))
        case TakeBack():
            return take_back(stored, action, at)
        case Agree():
            return agree(stored, action, at)
        case Decline():
            return decline(stored, action, at)


# Salts: a seat commits to one, and reveals it once all are bound, or at a slow table when its first
# turn begins (docs/dice.md)


def _salted(
    stored: StoredTable, action: Commit | Reveal | LoseSalt, at: datetime
) -> tuple[Table, ...]:
    match action:
        case Commit():
            return _commit(stored.table, action, at)
        case Reveal():
            return _reveal(stored.table, action, at)
        case LoseSalt():
            return _obeyed(stored, _lose_salt(stored.table, action, at), at)


def _commit(table: Table, action: Commit, at: datetime) -> tuple[Table, ...]:
    """A seat commits to a salt, after a redraw or because its player has lost the one before.

    Once all salts are bound a player may have revealed theirs: who could still change their mind
    then could choose among dice. So all draw again, and the record says so.
    """
    seat = table.seats[action.seat]
    if (
        table.stage is not Stage.OPEN
        or seat.salt is not None
        or seat.kind is not SeatKind.HUMAN
        or (table.opened.gradual and seat.is_bound)
    ):
        raise Refused("The salt of this seat cannot be changed any more.")
    if seat.salt_commitment != action.instead:
        raise Stale("The seat has committed to another salt meanwhile.")
    committed = Committed(action.salt_commitment)
    if not table.is_bound:
        return (table.append(committed, action.seat, at, action.id),)
    if table.redraws >= MAX_REDRAWS:
        raise Refused("The salts were redrawn too often: open another table.")
    redrawn = _redraw(table, action.seat, action.id, at)
    return (redrawn, redrawn.append(committed, action.seat, at))


def _redraw(table: Table, seat: int, action: str, at: datetime) -> Table:
    """All who have committed to a salt commit to another one.

    Salts given in the open stay as they are, and so does that of an absent player who has revealed
    it: nobody is there to commit again, and everybody else knows it before they do.
    """
    committed = [
        number
        for number, other in enumerate(table.seats)
        if other.salt_commitment is not None and other.substitute is None
    ]
    return table.append(Redrawn(tuple(committed)), seat, at, action)


def _reveal(table: Table, action: Reveal, at: datetime) -> tuple[Table, ...]:
    if table.opened.gradual:
        return (_reveal_in_game(table, action, at),)
    seat = table.seats[action.seat]
    if table.stage is not Stage.OPEN or seat.salt is not None or seat.salt_commitment is None:
        raise Refused("This seat has no salt to reveal.")
    if not table.is_bound:
        raise Refused("No salt is revealed before every seat has committed to its own.")
    if salt_commitment(action.salt) != seat.salt_commitment:
        raise Malformed("This is not the salt that the seat has committed to.")
    return start_if_full([table.append(Revealed(action.salt), action.seat, at, action.id)], at)


def _reveal_in_game(table: Table, action: Reveal, at: datetime) -> Table:
    """A seat reveals its salt when its turn begins; one seat may do so before the first roll.

    At any other time whoever knows the secret could choose a moment that suits them.
    """
    seat = table.seats[action.seat]
    if table.stage is not Stage.PLAYING or not seat.owes_salt:
        raise Refused("This seat has no salt to reveal.")
    is_due = table.owes_salt and table.to_act == action.seat
    if not is_due and not table.may_reveal_early:
        raise Refused("This salt is revealed when a turn of the seat begins.")
    if salt_commitment(action.salt) != seat.salt_commitment:
        raise Malformed("This is not the salt that the seat has committed to.")
    return table.append(Revealed(action.salt, table.dice_turn), action.seat, at, action.id)


def _lose_salt(table: Table, action: LoseSalt, at: datetime) -> tuple[Table, ...]:
    if not table.owes_salt or table.to_act != action.seat:
        raise Refused("This seat has no salt to reveal.")
    return (table.append(SaltLost(), action.seat, at, action.id),)


def _check_bounds(table: Table, action: TableAction) -> None:
    """Refuse what would make a log grow without end."""
    if table.n >= MAX_EVENTS:
        raise Refused("This table has had {most} events: open another one.", most=MAX_EVENTS)
    if isinstance(action, React) and table.seats[action.seat].reactions >= MAX_REACTIONS:
        raise Refused("You have reacted {most} times at this table.", most=MAX_REACTIONS)


# Playing: the seat in turn rolls, moves and stops; what has to follow follows by itself


def _check_turn(table: Table, action: Play, *, bot: bool) -> None:
    """Refuse a player who is not to act, or who has not seen what happened last."""
    if isinstance(action, Roll) and action.dice is not None and not table.opened.entered:
        raise Malformed("The dice of this table are thrown by the server: none can be entered.")
    if table.stage is Stage.OPEN:
        raise Refused("The game has not begun: seats are still free.")
    if table.stage is Stage.OVER:
        raise Refused("The game is over.")
    if table.to_act != action.seat:
        raise NotYourTurn("It is not your turn.")
    if bot is not (table.bot_to_act is not None):
        raise Refused("A bot plays for you: come back to your seat first.")
    if action.n is not None and action.n < table.last_play:
        raise Stale("The game has gone on since; look again.")
    if isinstance(action, Roll) and table.owes_salt:
        raise SaltNeeded(
            "Before the first roll of this seat, its salt is revealed: on the device on which you "
            "sat down. If that is lost, you can play without it."
        )


def _play(stored: StoredTable, action: Play, at: datetime, spent: float) -> tuple[Table, ...]:
    match action:
        case Roll(dice=entered):
            event: Event = Rolled(_dice(stored, entered))
        case MakeMove(move=move):
            event = Moved(Move.parse(move))
        case Stop():
            event = Stopped()
    return _with_end(stored, stored.table.play(event, at, action.id, spent), at)


def _with_end(stored: StoredTable, played: Table, at: datetime) -> tuple[Table, ...]:
    """A table right after a play, and what follows by itself: a bust, the end of the game."""
    if played.position.phase is Phase.BUST:  # T7
        return _ended_turn(stored, (played, played.play(Busted(), at)), at)
    is_stop = played.last_entry.kind == "stopped"
    return _ended_turn(stored, (played,), at) if is_stop else (played,)


def _obeyed(
    stored: StoredTable, versions: tuple[Table, ...], at: datetime, spent: float = 0.0
) -> tuple[Table, ...]:
    """The versions of a table, and what standing orders decide next."""

    def play(table: Table, decision: Action, spent: float) -> tuple[Table, ...]:
        match decision:
            case Choice.ROLL:
                event: Event = Rolled(throw(table, stored.dice_secret))
            case Choice.STOP:
                event = Stopped()
            case move:
                event = Moved(move)
        return _with_end(stored, table.play(event, at, spent=spent, ordered=True), at)

    return with_orders(versions, at, play, spent)


def _dice(stored: StoredTable, entered: Dice | None) -> Dice:
    """The dice of a roll: entered where the players throw them."""
    if not stored.table.opened.entered:
        return throw(stored.table, stored.dice_secret)
    if entered is None:
        raise Refused("The dice of this game are thrown by the players: enter what they show.")
    return entered


def _ended_turn(
    stored: StoredTable, versions: tuple[Table, ...], at: datetime
) -> tuple[Table, ...]:
    """The versions of a table whose turn has ended; the game may have ended with it."""
    after = versions[-1]
    outcome, secret = after.position.outcome, _revealed(stored)
    if outcome is not None:
        return (*versions, after.append(Finished(outcome.winners, secret), None, at))
    if after.turn > MOST_TURNS_PER_SEAT * len(after.seats):
        ended = Finished((), secret, EndReason.TURNS)
        return (*versions, after.append(ended, None, at))
    return versions


def _revealed(stored: StoredTable) -> str | None:
    """The secret of the dice, revealed once the game is over; a day's key after the day."""
    if stored.table.opened.daily is not None:
        return None
    return None if stored.dice_secret is None else stored.dice_secret.hex()


# Bots: those that have a seat, and the one that plays on when a player's time has run out


def bot_action(decision: Action, table: Table) -> Play:
    """What a bot that is to act has decided, as its action."""
    new_id, seat, n = token_hex(16), table.position.seat, table.n
    match decision:
        case Choice.STOP:
            return Stop(id=new_id, seat=seat, n=n)
        case Choice.ROLL:
            return Roll(id=new_id, seat=seat, n=n)
    return MakeMove(id=new_id, seat=seat, n=n, move=str(decision))


def run_out(stored: StoredTable, since: int, at: datetime) -> Change | None:
    """The time of a decision is over, which began with event ``since``: a bot takes it.

    None where that decision was taken meanwhile. The bot plays on until the seat's owner returns;
    but this decision it takes at once: who could return to it first would have the full time
    again, as often as they like, and nobody else could ever play.
    """
    table = stored.table
    seat = table.decider
    if seat is None or table.opened.clock is None or table.deciding_since != since:
        return None
    bot = Substituted(SUBSTITUTE_BOT, seat, reason=SubstituteReason.TIME)
    over = table.append(bot, seat, at)
    decision = decide_for(bot_named(SUBSTITUTE_BOT), over.position, over.moves_in_turn)
    played = _play(replace(stored, table=over), bot_action(decision, over), at, spent=0.0)
    return Change((over, *_obeyed(stored, played, at)), before=table)


def turn_run_out(stored: StoredTable, since: int, at: datetime) -> Change | None:
    """The time of a turn at a slow table is over, which began with event ``since``.

    None where that turn was played meanwhile. A bot plays what is left of it, and the seat is its
    owner's again: the next turn is theirs. Where everybody has let two turns in a row pass, nobody
    plays any more, and the game ends.
    """
    table = stored.table
    seat = table.decider
    if seat is None or table.opened.days is None or table.turn_since != since:
        return None
    late = Substituted(SUBSTITUTE_BOT, seat, reason=SubstituteReason.TIME)
    versions = [table.append(late, seat, at)]
    versions += _whole_turn(replace(stored, table=versions[-1]), SUBSTITUTE_BOT, at)
    if versions[-1].stage is Stage.PLAYING:
        versions.append(versions[-1].append(Returned(), seat, at))
        if is_abandoned(versions[-1]):
            ended = Finished((), _revealed(stored), EndReason.MISSED)
            versions.append(versions[-1].append(ended, None, at))
    return Change(_obeyed(stored, tuple(versions), at), before=table)


def bot_turn(stored: StoredTable, since: int, bot: str, at: datetime) -> Change | None:
    """The turn of a bot at a slow table, all of it at once; None where it was played meanwhile.

    ``bot`` is the one that has the turn, or another that decides in its place.
    """
    table = stored.table
    if table.bot_to_act is None or table.opened.days is None or table.turn_since != since:
        return None
    return Change(_obeyed(stored, _whole_turn(stored, bot, at), at), before=table)


def _whole_turn(stored: StoredTable, bot: str, at: datetime) -> tuple[Table, ...]:
    """The versions of a table while a bot plays until the turn is another one."""
    versions: list[Table] = []
    table, since, player = stored.table, stored.table.turn_since, bot_named(bot)
    while table.to_act is not None and table.turn_since == since:
        decision = decide_for(player, table.position, table.moves_in_turn)
        versions += _play(replace(stored, table=table), bot_action(decision, table), at, spent=0.0)
        table = versions[-1]
    return tuple(versions)


def close(stored: StoredTable, at: datetime) -> Change:
    """The operator closes a table; a game that has begun can be checked up to there."""
    table = stored.table
    if table.stage is Stage.OVER:
        raise Refused("The game is over.")
    secret = _revealed(stored) if table.has_started else None
    return Change((table.append(Finished((), secret, EndReason.CLOSED), None, at),))


# Bots on the seats of people


def _reseat(
    table: Table, action: Substitute | Fill | Return, presence: SeatPresence, at: datetime
) -> tuple[Table, ...]:
    match action:
        case Substitute():
            return _substitute(table, action, presence, at)
        case Fill():
            return _fill(table, action, at)
        case Return():
            return _return(table, action, at)


# Free seats: whoever waits at a table may give one to a bot


def _fill(table: Table, action: Fill, at: datetime) -> tuple[Table, ...]:
    if action.free >= len(table.seats):
        raise Malformed("There is no seat {seat}.", seat=action.free + 1)
    if table.stage is not Stage.OPEN or table.seats[action.free].kind is not SeatKind.OPEN:
        raise Refused("This seat is not free.")
    taken = [seat.colour for seat in table.seats if seat.colour is not None]
    seated = bot_seated(action.bot, free_colours([*taken, None])[-1])
    return start_if_full([table.append(seated, action.free, at, action.id)], at)


# Substitutes: a bot plays for an absent player when another one asks, and gives the seat back


def _substitute(
    table: Table, action: Substitute, presence: SeatPresence, at: datetime
) -> tuple[Table, ...]:
    if action.absent >= len(table.seats):
        raise Malformed("There is no seat {seat}.", seat=action.absent + 1)
    seat = table.seats[action.absent]
    check_permission(why_no_substitute(table, action.seat, action.absent, presence, at))
    substituted = Substituted(SUBSTITUTE_BOT, action.seat)
    is_settled = seat.salt is not None or (table.opened.gradual and seat.is_bound)
    if seat.kind is not SeatKind.RESERVED and is_settled:
        return (table.append(substituted, action.absent, at, action.id),)
    if seat.kind is not SeatKind.RESERVED:
        return _substitute_unrevealed(table, action, at)
    assert seat.name is not None
    assert seat.colour is not None
    seated = Seated(seat.name, seat.colour, None, new_salt())
    sitting = table.append(seated, action.absent, at, action.id)
    return start_if_full([sitting, sitting.append(substituted, action.absent, at)], at)


def _substitute_unrevealed(table: Table, action: Substitute, at: datetime) -> tuple[Table, ...]:
    """A bot plays for a player who has not revealed their salt: the seat gets another one.

    Others may have revealed theirs already, so they draw again, as in ``_commit``.
    """
    substituted = Substituted(SUBSTITUTE_BOT, action.seat, new_salt())
    if not table.is_bound:
        return start_if_full([table.append(substituted, action.absent, at, action.id)], at)
    redrawn = _redraw(table, action.absent, action.id, at)
    return start_if_full([redrawn, redrawn.append(substituted, action.absent, at)], at)


def _return(table: Table, action: Return, at: datetime) -> tuple[Table, ...]:
    """The owner of a seat plays again."""
    check_permission(why_no_return(table, action.seat))
    return (table.append(Returned(), action.seat, at, action.id),)


# A rematch


def _rematched(table: Table) -> Entry | None:
    if table.next is None:
        return None
    return next(entry for entry in table.log if isinstance(entry.event, Rematched))


def _rematch(stored: StoredTable, action: Rematch, at: datetime) -> tuple[Change, ...]:
    new_table = open_rematch(stored, at)
    rematched = Rematched(new_table.table.id)
    table = stored.table.append(rematched, action.seat, at, action.id)
    return (new_table, Change((table,)))
