"""A picture of a position, 480 pixels wide, with the last move framed."""

from pathlib import Path

from cantstop import Game, board_svg

game = Game(players=2)
game.roll("2345")
game.move("6+8")

picture = board_svg(game.position, names=["Anne", "Bob"], size=480, last_move="6+8")
Path("board.svg").write_text(picture, encoding="utf-8")
print(game)
