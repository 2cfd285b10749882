"""The page of a table, with what a chat shows of a link that was posted there (Open Graph)."""

from html import escape

from starlette.requests import Request
from starlette.responses import Response

from cantstop.draw.png import HEIGHT, WIDTH
from cantstop.language import Translator
from cantstop.rules import CantStopError
from cantstop.server.http.routes import charge_loading
from cantstop.server.runtime.runtime import Runtime
from cantstop.server.static.languages import translator_for
from cantstop.server.static.pages import ClientFiles
from cantstop.table.table import SeatKind, Stage, Table


async def table_page(request: Request, files: ClientFiles) -> Response:
    """The page of a table; one that is not there, or not to be read now, has no preview."""
    runtime: Runtime = request.app.state.runtime
    try:
        await charge_loading(request)
        table = (await runtime.master.stored(request.path_params["table_id"])).table
    except CantStopError:  # the client says what is wrong
        return files.page(request)
    return files.page(request, head=preview(table, str(request.base_url), translator_for(request)))


def preview(table: Table, base: str, words: Translator) -> str:
    """The tags of a table: nothing that a visitor with its link would not see there."""
    title, text = _title(table, words), _description(table, words)
    address = f"{base}t/{table.id}"
    tags = {
        "og:site_name": "Can’t Stop",
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:url": address,
        "og:image": f"{base}api/tables/{table.id}/board.png?n={table.n}",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": words.say("The board"),
    }
    lines = [
        f'<meta property="{name}" content="{escape(content)}">' for name, content in tags.items()
    ]
    lines.append('<meta name="twitter:card" content="summary_large_image">')
    return "\n".join(lines)


def _is_free(table: Table) -> bool:
    return any(seat.kind is SeatKind.OPEN for seat in table.seats)


def _title(table: Table, words: Translator) -> str:
    people = [seat.name for seat in table.seats if seat.name is not None and seat.bot is None]
    if table.stage is Stage.OPEN and _is_free(table) and people:
        return words.say("{name} invites you to Can't Stop", name=people[0])
    names = [seat.name for seat in table.seats if seat.name is not None]
    return f"{' – '.join(names)} · Can’t Stop" if names else "Can’t Stop"


def _description(table: Table, words: Translator) -> str:
    if table.stage is Stage.OVER:
        return words.say("The game is over: open the link to look back at it.")
    if table.stage is Stage.OPEN and _is_free(table):
        return words.say("A seat is free: open the link and sit down. No account is needed.")
    return words.say("The game is on: open the link to watch it.")
