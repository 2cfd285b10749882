"""``cantstop site``: the browser game as static files."""

from pathlib import Path
from typing import Annotated

from cantstop.cli.options import Lang, echo, translator
from cantstop.cli.parser import Argument, Option
from cantstop.extras import require
from cantstop.rules import CantStopError


class UnusableFolder(CantStopError):
    """A folder that cannot be written to."""


def site(
    out: Annotated[str, Argument(metavar="OUT", help="The folder to write it into.")],
    server: Annotated[
        str | None,
        Option(metavar="URL", help="The server that the page links to for online tables."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Write the browser game as static files, for any web host and any folder of it.

    It plays in the browser alone: against bots, at one screen, solo, with hints and analyses; after
    one visit without a connection, too. Online tables need a server: the page says that it has
    none, or links to the one that is named here. Every file is there compressed as well (.gz), for
    hosts that send those.

    Example: cantstop site public --server https://play.example.org
    """
    require("web")
    # the other commands do without the web app, and start much quicker
    from cantstop.client.links import server_address
    from cantstop.server.static.site import write_site

    words = translator(lang)
    address = None if server is None else server_address(server)
    try:
        size = write_site(Path(out), server=address)
    except OSError as error:
        raise UnusableFolder(
            "{folder} cannot be written: {reason}.", folder=out, reason=error.strerror or error
        ) from None
    echo(words.say("{folder} has the site: {size} kB.", folder=out, size=round(size / 1000)))
