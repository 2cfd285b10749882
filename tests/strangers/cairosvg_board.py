"""A board as a PNG by CairoSVG."""

from io import BytesIO

import cairosvg
from PIL import Image

import cantstop

svg = cantstop.board_svg(cantstop.Position.initial().roll("2345"), size=500, arrows=["7+7"])
picture = Image.open(BytesIO(cairosvg.svg2png(bytestring=svg.encode())))
colours = picture.convert("RGB").getcolors(1 << 20)
print(picture.size[0], colours is not None and len(colours) > 20)
