"""SVG elements: ElementTree writes and escapes them, so no text can break out."""

from xml.etree.ElementTree import Element

from cantstop.draw.marks import Mark


def element(tag: str, *children: Element | str, **attributes: str | float) -> Element:
    """An element with its children or its text; ``class_`` and ``data_seat`` lose their ``_``.

    >>> from xml.etree.ElementTree import tostring
    >>> tostring(element("text", "2 < 3", class_="number", x=1.50))
    b'<text class="number" x="1.5">2 &lt; 3</text>'
    """
    made = Element(tag)
    for name, value in attributes.items():
        written = value if isinstance(value, str) else number(value)
        made.set(name.rstrip("_").replace("_", "-"), written)
    for child in children:
        if isinstance(child, str):
            made.text = child
        else:
            made.append(child)
    return made


def number(value: float) -> str:
    """A coordinate, in hundredths at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def path(*points: tuple[float, float]) -> str:
    """The data of a closed path with straight sides."""
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in points) + "Z"


def at(x: float, y: float) -> str:
    """The transformation that puts the origin at a point."""
    return f"translate({number(x)} {number(y)})"


def drawn(mark: Mark, x: float, y: float, size: float) -> Element:
    """A mark with its middle at a point."""
    return element("path", d=mark.outline, transform=f"{at(x, y)} scale({number(size)})")


def piece(mark: Mark, x: float, y: float, size: float, **attributes: str | float) -> Element:
    """A mark as a piece of wood: with the shadow that it throws."""
    shadow = drawn(mark, x, y + 2, size)
    shadow.set("class", "shadow")
    return element("g", shadow, drawn(mark, x, y, size), **attributes)
