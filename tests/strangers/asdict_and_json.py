"""Results as dictionaries and as JSON."""

import json
from dataclasses import asdict

import cantstop

game = cantstop.Game()
game.roll("2345")
game.move("5+9")
game.stop()
review = cantstop.review(game)
told = asdict(review.decisions[0])
print(sorted(told)[:3], told["turn"])
print(json.loads(json.dumps(review.rows()))[0]["chosen"])
hint = game.positions[1].hint()
print(json.loads(json.dumps(hint.rows()))[0]["action"])
print(asdict(cantstop.Record.of(game))["names"])
