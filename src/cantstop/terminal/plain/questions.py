"""The questions of a game in lines of text, and the decision that an answer to one is."""

from collections.abc import Iterator

from cantstop.language import Translator
from cantstop.rules import Choice, IllegalAction, InvalidText, Move, Phase, Position
from cantstop.terminal.commands import Answer, Command, CommandAnswer, Enter, MoveNumber
from cantstop.terminal.local_game import Decision
from cantstop.terminal.narration import Narrator


def before_question(narrator: Narrator, position: Position) -> Iterator[str]:
    """What a player has to know to answer."""
    if position.phase is Phase.MOVE:
        yield from narrator.menu(position)
    if position.phase is Phase.CHOICE:
        yield narrator.runners(position)
        try:
            position.stop()
        except IllegalAction as refusal:  # V3
            yield narrator.words.error(refusal)


def question(words: Translator, position: Position, name: str) -> str:
    """What whoever is in turn is asked."""
    match position.phase:
        case Phase.START:
            return words.say("{name}, press Enter to throw two dice: ", name=name)
        case Phase.MOVE if len(position.legal_moves) == 1:
            return words.say("Press Enter for this move: ")
        case Phase.MOVE:
            return words.say("Your move, 1 to {most}: ", most=len(position.legal_moves))
        case Phase.CHOICE if position.may_stop:
            return words.say("{roll} or {stop}? ", **_roll_and_stop(words))
    return words.say("{name}, press Enter to roll: ", name=name)


def decision(words: Translator, position: Position, answer: Answer) -> Decision | None:
    """What was decided by an answer; None for a command that decides nothing."""
    match answer:
        case MoveNumber(number):
            return _picked(position, number)
        case Enter():
            return _default(words, position)
        case Move():
            return answer
        case CommandAnswer(Command.ROLL):
            return Choice.ROLL
        case CommandAnswer(Command.STOP):
            return Choice.STOP
    return None


def _default(words: Translator, position: Position) -> Decision:
    """What Enter alone means: the only thing to do, where there is only one."""
    if position.phase is Phase.MOVE:
        return _picked(position, 1 if len(position.legal_moves) == 1 else 0)
    if position.may_stop:
        raise InvalidText("Please type “{roll}” or “{stop}”.", **_roll_and_stop(words))
    return Choice.ROLL


def _picked(position: Position, number: int) -> Decision:
    moves = position.legal_moves
    if moves and not 1 <= number <= len(moves):
        raise InvalidText("Please type a number from 1 to {most}.", most=len(moves))
    # without dice there is no move to pick, which the rules say best
    return moves[number - 1] if moves else Move(number)


def _roll_and_stop(words: Translator) -> dict[str, str]:
    return {"roll": words.say(Command.ROLL.value), "stop": words.say(Command.STOP.value)}
