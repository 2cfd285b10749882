"""A mistake in one's own bot shows where it is."""

import traceback

import cantstop


class Mistaken:
    def choose(self, position: cantstop.Position, moves: int) -> cantstop.Move:
        return position.legal_moves[moves + 100]

    def stop(self, position: cantstop.Position, moves: int) -> bool:
        return True


try:
    cantstop.play_game([Mistaken(), "careful"], dice=1)
except cantstop.bots.BotFailure:
    said = traceback.format_exc()
    print("bot_that_raises.py" in said, "position.legal_moves[moves + 100]" in said)
