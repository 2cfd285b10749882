"""A picture of a position: the last move framed, the next one as arrows; as SVG and as PNG."""

from pathlib import Path

from cantstop import Game, board_png, board_svg

game = Game(players=2)
game.roll("2345")
game.move("6+8")
game.roll("1166")

picture = board_svg(
    game.position, names=["Anne", "Bob"], size=480, last_move="6+8", arrows=["7+7"], marks=[7]
)
Path("board.svg").write_text(picture, encoding="utf-8")
Path("board.png").write_bytes(board_png(game.position, size=600, arrows=["7+7"]))
print(game)
