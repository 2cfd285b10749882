"""A game in a few sentences: was it luck, the dice, the turning point, the best moment.

Every sentence rests on figures of the review. Who reads it is named like everybody else, so that
one telling serves the browser, the terminal and a page.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from cantstop.language import (
    Translator,
    message,
    name_text,
    points_text,
    resigned_text,
    round_of,
    signed,
    turns_text,
    uncertain,
    worth_text,
)
from cantstop.odds import usable_chance
from cantstop.review.game import Decision, Moment, Review, RollLuck, SeatReview
from cantstop.rules import Choice, Position


class Chapter(StrEnum):
    """What a sentence of the story is about."""

    DICE = "dice"
    TURNING_POINT = "turning-point"
    BEST_MOMENT = "best-moment"


_VERDICTS = {
    (1, 1): message("Luck and skill, both."),
    (1, 0): message("Yes: the dice decided it."),
    (1, -1): message("Yes: {name}'s decisions were not the better ones."),
    (0, 1): message("No: {name} decided better."),
    (0, 0): message("No: neither the dice nor the decisions stood out."),
    (0, -1): message(
        "No: the dice favoured nobody, though {name}'s decisions were not the better ones."
    ),
    (-1, 1): message("No: {name} won against the dice."),
    (-1, 0): message("No: the dice were against {name}."),
    (-1, -1): message("No: the dice were against {name}, and so were the decisions."),
}
"""Was it luck? By the signs of the winner's luck and skill; the second and third row need drift.

What is not larger than its uncertainty has no sign. Where neither has one for that reason, it is
too close to say."""

_TOO_CLOSE = message("Too close to say: the estimate may be off by more than luck and skill.")


@dataclass(frozen=True)
class StoryMoment:
    """One sentence, and the event after which the board shows what it tells."""

    chapter: Chapter
    n: int
    text: str


@dataclass(frozen=True)
class Telling:
    """A review and the words to tell it in."""

    review: Review
    words: Translator

    # Was it luck?

    def headline(self) -> str:
        """How the game ended, and what everybody asks then."""
        review, say = self.review, self.words.say
        if review.winners is None:
            return say("An unfinished game")
        if review.is_solo:
            turns = turns_text(self.words, review.moments[-1].turn)
            return say("{turns}. Was it luck?", turns=turns)
        names = self.words.join(self._name(seat) for seat in review.winners)
        if review.outcome is None:
            return self._resigned(review.winners[0])
        if len(review.winners) > 1:
            return say("{names} share the win!", names=names)
        return say("{name} wins. Was it luck?", name=names)

    def verdict(self) -> str:
        """The answer, as far as luck and skill tell; empty where nobody has won alone."""
        review = self.review
        if review.winners is None or len(review.winners) > 1:
            return ""
        return " ".join([*self._answer(review.winners[0]), *self._played_on()])

    def _answer(self, seat: int) -> Iterator[str]:
        if self.review.is_solo:
            yield from self._solo_answer()
            return
        if self.review.outcome is None:
            yield self._when_resigned(seat)
        else:
            yield self._by_signs(seat)
        found = self.review.seats[seat]
        yield self.words.say(
            "{name}: luck {luck}, skill {skill}, in points of win chance.",
            name=self._name(seat),
            luck=uncertain(self.words, 100 * found.luck, 100 * found.uncertainty),
            skill=uncertain(self.words, 100 * found.skill, 100 * found.uncertainty),
        )

    def _by_signs(self, seat: int) -> str:
        """What luck and skill of the winner say, in all combinations of their signs."""
        found, say, name = self.review.seats[seat], self.words.say, self._name(seat)
        if self._is_too_close(found):
            return say(_TOO_CLOSE)
        luck, skill = (
            0 if abs(one) <= found.uncertainty else self._sign(one)
            for one in (found.luck, found.skill)
        )
        if (luck, skill) == (1, 1):
            if found.luck > 2 * found.skill:
                return say("Mostly luck.")
            if found.skill > 2 * found.luck:
                return say("Mostly skill.")
        return say(_VERDICTS[luck, skill], name=name)

    def _is_too_close(self, found: SeatReview) -> bool:
        """Whether luck and skill are not both nothing, and neither is beyond its uncertainty."""
        changes = found.luck, found.skill
        return any(map(self._sign, changes)) and max(map(abs, changes)) <= found.uncertainty

    def _solo_answer(self) -> Iterator[str]:
        (found,) = self.review.seats
        say = self.words.say
        if self._is_too_close(found):
            yield say(_TOO_CLOSE)
            return
        luck, skill = (turns_text(self.words, abs(one), 1) for one in (found.luck, found.skill))
        match self._sign(found.luck):
            case 1:
                yield say("The dice saved {turns}.", turns=luck)
            case 0:
                yield say("The dice were neither kind nor unkind.")
            case _:
                yield say("The dice cost {turns}.", turns=luck)
        match self._sign(found.skill):
            case 1:
                yield say("Decisions saved {turns}.", turns=skill)
            case 0:
                yield say("Decisions cost nothing.")
            case _:
                yield say("Decisions that were not the best cost {turns}.", turns=skill)

    def _resigned(self, winner: int) -> str:
        """Who has won because all others resigned, by their names."""
        names = [self._name(seat) for seat in range(len(self.review.names))]
        return resigned_text(self.words, names, winner)

    def _when_resigned(self, winner: int) -> str:
        return self.words.say(
            "At that moment {name}'s chance to win was {chance}.",
            name=self._name(winner),
            chance=self._worth(self.review.seats[winner].result),
        )

    def _played_on(self) -> Iterator[str]:
        """Whose game a bot has played to its end."""
        if self.review.outcome is not None and self.review.resigned:
            names = self.words.join(self._name(seat) for seat in self.review.resigned)
            yield self.words.say_count(
                "{names} resigned: a bot played on.",
                "{names} resigned: bots played on.",
                len(self.review.resigned),
                names=names,
            )

    # Three moments

    def moments(self, seat: int) -> tuple[StoryMoment, ...]:
        """The game of one seat in three sentences."""
        return (self._dice(seat), self._turning_point(seat), self._best_moment(seat))

    def _dice(self, seat: int) -> StoryMoment:
        """The roll that changed most for the seat, and all of them together."""
        roll = max(self.review.rolls, key=lambda one: abs(one.changes[seat]), default=None)
        if roll is None:
            return StoryMoment(Chapter.DICE, 0, self.words.say("No dice were rolled."))
        fields = {
            "who": self._name(roll.seat),
            "name": self._name(seat),
            "dice": "-".join(map(str, roll.dice)),
            "round": self._round(roll.turn),
            "change": self._change(roll.changes[seat]),
            "luck": self._change(self.review.seats[seat].luck),
        }
        return StoryMoment(Chapter.DICE, roll.n, self._dice_text(roll, seat, fields))

    def _dice_text(self, roll: RollLuck, seat: int, fields: Mapping[str, object]) -> str:
        say = self.words.say
        if roll.is_bust and roll.seat == seat:
            return say(
                "Round {round}: {name} busts with {dice} ({change}). All dice together gave "
                "{name} {luck}.",
                **fields,
            )
        if roll.is_bust:
            return say(
                "Round {round}: {who} busts with {dice}, {change} for {name}. All dice together "
                "gave {name} {luck}.",
                **fields,
            )
        if roll.seat == seat:
            return say(
                "Round {round}: {name} rolls {dice} ({change}). All dice together gave {name} "
                "{luck}.",
                **fields,
            )
        return say(
            "Round {round}: {who} rolls {dice}, {change} for {name}. All dice together gave "
            "{name} {luck}.",
            **fields,
        )

    def _turning_point(self, seat: int) -> StoryMoment:
        """The turn that changed most for the seat, but for the one that won the game."""
        turns = list(self._turns())
        ended = self.review.outcome is not None and len(turns) > 1
        first, last = max(
            turns[:-1] if ended else turns,
            key=lambda turn: abs(turn[1].worths[seat] - turn[0].worths[seat]),
        )
        return StoryMoment(Chapter.TURNING_POINT, last.n, self._turn_text(first, last, seat))

    def _turns(self) -> Iterator[tuple[Moment, Moment]]:
        """The first and the last moment of each turn; the end of one begins the next."""
        first = self.review.moments[0]
        for moment in self.review.moments:
            if moment.turn != first.turn:
                yield first, moment
                first = moment
        if first is not self.review.moments[-1] or first.n == 0:
            yield first, self.review.moments[-1]

    def _turn_text(self, first: Moment, last: Moment, seat: int) -> str:
        before = self.review.moments[max(0, last.n - 1)].position
        fields: Mapping[str, object] = {
            "round": self._round(first.turn),
            "who": self._name(first.position.seat),
            "name": self._name(seat),
            "before": self._worth(first.worths[seat]),
            "after": self._worth(last.worths[seat]),
        }
        what = self._what(before, last.position, fields["who"])
        if self.review.is_solo:
            return self.words.say(
                "Round {round}: {what}. The game was then to take {after} instead of {before}.",
                what=what,
                **fields,
            )
        return self.words.say(
            "Round {round}: {what}. {name}'s chance went from {before} to {after}.",
            what=what,
            **fields,
        )

    def _what(self, before: Position, after: Position, who: object) -> str:
        """How a turn ended."""
        won = after.tokens.won_since(before.tokens)
        if won:
            return self.words.say_count(
                "{who} wins column {columns}",
                "{who} wins columns {columns}",
                len(won),
                who=who,
                columns=self.words.join(won),
            )
        if before.dice is not None and not before.legal_moves:
            dice = "-".join(map(str, before.dice))
            return self.words.say("{who} busts with {dice}", who=who, dice=dice)
        columns = [column for column, space in enumerate(before.runners) if space]
        if not columns:
            return self.words.say("{who} is to play", who=who)
        return self.words.say_count(
            "{who} climbs in column {columns}",
            "{who} climbs in columns {columns}",
            len(columns),
            who=who,
            columns=self.words.join(columns),
        )

    def _best_moment(self, seat: int) -> StoryMoment:
        """The best option, where the next one would have cost most.

        A roll that cannot bust is one only where there is no other: nobody is proud of it.
        """
        decisions = self.review.seats[seat].decisions
        name = self._name(seat)
        if not decisions:
            last = self.review.moments[-1]
            text = self.words.say(
                "{name} had nothing to decide until round {round}, and came to {worth}.",
                name=name,
                round=self._round(last.turn),
                worth=self._worth(last.worths[seat]),
            )
            return StoryMoment(Chapter.BEST_MOMENT, last.n, text)
        best = [decision for decision in decisions if decision.error == 0]
        if best:
            found = max([one for one in best if not _is_safe(one)] or best, key=_margin)
            return StoryMoment(Chapter.BEST_MOMENT, found.n, self._best_text(found, name))
        found = min(decisions, key=lambda decision: decision.error)
        text = self.words.say(
            "Round {round}: {name} comes closest to the best option, and gives away {lost}.",
            round=self._round(found.turn),
            name=name,
            lost=self._lost(found.error),
        )
        return StoryMoment(Chapter.BEST_MOMENT, found.n, text)

    def _best_text(self, decision: Decision, name: str) -> str:
        fields: Mapping[str, object] = {
            "round": self._round(decision.turn),
            "name": name,
            "chosen": decision.chosen,
            "second": decision.options[1].action,
            "lost": self._lost(_margin(decision)),
        }
        say = self.words.say
        if decision.chosen is Choice.STOP:
            return say(
                "Round {round}: {name} stops in time; rolling again would have cost {lost}.",
                **fields,
            )
        if _is_safe(decision):
            return say(
                "Round {round}: {name} rolls again without any risk; stopping would have cost "
                "{lost}.",
                **fields,
            )
        if decision.chosen is Choice.ROLL:
            return say(
                "Round {round}: {name} dares to roll again; stopping would have cost {lost}.",
                **fields,
            )
        return say(
            "Round {round}: {name} takes {chosen}; {second} would have cost {lost}.", **fields
        )

    # Figures

    def _name(self, seat: int) -> str:
        return name_text(self.words, self.review.names[seat])

    def _round(self, turn: int) -> int:
        return round_of(turn, self.review.rules.players)

    def _sign(self, change: float) -> int:
        """The sign of a change as it is shown: 0 where it rounds to nothing."""
        size = round(abs(change if self.review.is_solo else 100 * change), 1)
        return 0 if size == 0 else 1 if change > 0 else -1

    def _change(self, change: float) -> str:
        return signed(self.words, change if self.review.is_solo else 100 * change)

    def _lost(self, error: float) -> str:
        if self.review.is_solo:
            return turns_text(self.words, error, 2)
        return points_text(self.words, error)

    def _worth(self, worth: float) -> str:
        if self.review.is_solo:
            return turns_text(self.words, -worth, 1)
        return worth_text(self.words, worth, solo=False)


def _is_safe(decision: Decision) -> bool:
    """Whether it is a roll that cannot bust."""
    return decision.chosen is Choice.ROLL and usable_chance(decision.position) == 1


def _margin(decision: Decision) -> float:
    """How much better the best option was than the next one."""
    return decision.options[0].worth - decision.options[1].worth
