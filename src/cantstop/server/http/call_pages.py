"""What is fetched or opened without a player's key: feeds, and the pages behind links in mails.

Programs that look at mails before their owner does open every link in them. So a link changes
nothing; its page has a button.
"""

from hashlib import sha256
from html import escape

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from cantstop.language import Translator
from cantstop.server.database.contacts import Contact
from cantstop.server.http.calls import visit_of
from cantstop.server.http.proxies import client_address
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import WRITE_COST
from cantstop.server.runtime.calls import MailLink, PlayerCalls, translator, words_of
from cantstop.server.runtime.runtime import Runtime
from cantstop.server.static.languages import translator_for
from cantstop.wire.calls import ContactState, FeedName

MAIL_PATH = "/calls/mail/{contact}/{link}"
FEED_PATHS = {"/calls/turns.atom": FeedName.FEED, "/calls/turns.ics": FeedName.CALENDAR}

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
)
_STYLE = """\
:root{color-scheme:light dark;--paper:#f6f2e8;--surface:#fffdf7;--ink:#1b2130;--muted:#5a6070;\
--line:#ddd4c1;--sign:#b3202c;--on-sign:#fffaf0;--link:#0a5a94;--focus:#0a63c9}
@media(prefers-color-scheme:dark){:root{--paper:#12151c;--surface:#1b202b;--ink:#eceae4;\
--muted:#a9adb9;--line:#343b49;--sign:#b8242f;--link:#7cc4f5;--focus:#ffd21f}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;\
background:var(--paper);color:var(--ink);\
font:18px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif}
main{width:100%;max-width:34rem;padding:28px;border:1px solid var(--line);border-radius:14px;\
background:var(--surface);overflow-wrap:anywhere}
h1{margin:0 0 12px;font-size:1.45rem;line-height:1.25}
p{margin:0 0 20px}
p:last-child{margin:0;color:var(--muted)}
a{color:var(--link)}
button{font:inherit;font-weight:600;padding:12px 22px;min-height:48px;border:0;\
border-radius:10px;background:var(--sign);color:var(--on-sign);cursor:pointer}
form{margin:0 0 20px}
:focus-visible{outline:3px solid var(--focus);outline-offset:3px}
"""


def _page(
    words: Translator, title: str, text: str, *, button: str | None = None, status: int = 200
) -> Response:
    """A page that needs no script; with a button it asks, without one it says what was done."""
    home = words.say("To Can't Stop")
    form = (
        ""
        if button is None
        else f'<form method="post"><button name="answer" value="yes">{escape(button)}</button>'
        "</form>"
    )
    html = (
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta name="robots" content="noindex"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><main><h1>{escape(title)}</h1>"
        f'<p>{escape(text)}</p>{form}<p><a href="/">{escape(home)}</a></p></main></body></html>'
    )
    return Response(html, status, {"Content-Security-Policy": _POLICY}, media_type="text/html")


def _calls(request: Request) -> PlayerCalls:
    runtime: Runtime = request.app.state.runtime
    return runtime.calls


async def mail_page(request: Request) -> Response:
    """The page behind a link in a mail, and what its button does.

    A mail program's own button sends the same request to the link that ends mails (RFC 8058).
    """
    try:
        link = MailLink(request.path_params["link"])
    except ValueError:
        return _not_valid(request)
    key, calls = request.query_params.get("key", ""), _calls(request)
    contact = await calls.mail_contact(request.path_params["contact"], link, key)
    if contact is None:
        return _not_valid(request)
    words = words_of(contact)
    if request.method == "POST":
        limiter: RateLimiter = request.app.state.limiter
        limiter.charge_request(client_address(request), WRITE_COST)
        return await _decide(calls, contact, link, words)
    if link is MailLink.STOP:
        return _page(
            words,
            words.say("No more mails?"),
            words.say(
                "{address} gets a mail when it is somebody's turn at Can't Stop.",
                address=contact.address,
            ),
            button=words.say("Send no more of these mails"),
        )
    if contact.state is not ContactState.UNCONFIRMED:
        return _confirmed(contact, words)
    return _page(
        words,
        words.say("Shall we write to you when it is your turn?"),
        words.say(
            "Somebody who plays Can't Stop here wants to be told at {address} when it is their "
            "turn. If that is you, say yes.",
            address=contact.address,
        ),
        button=words.say("Yes, write to me"),
    )


async def _decide(
    calls: PlayerCalls, contact: Contact, link: MailLink, words: Translator
) -> Response:
    if link is MailLink.CONFIRM:
        await calls.confirm(contact)
        return _confirmed(contact, words)
    await calls.stop(contact)
    return _page(
        words,
        words.say("No more mails"),
        words.say("Nothing more is sent to {address}.", address=contact.address),
    )


def _confirmed(contact: Contact, words: Translator) -> Response:
    return _page(
        words,
        words.say("We will write to you"),
        words.say(
            "{address} gets a mail when it is your turn at Can't Stop. Every mail has a link that "
            "ends this.",
            address=contact.address,
        ),
    )


def _not_valid(request: Request) -> Response:
    """For a link that is wrong, and for one whose contact is gone: nothing is sent there."""
    words = translator(translator_for(request).language)
    return _page(
        words,
        words.say("This link is not valid any more"),
        words.say("No mail is sent because of it."),
        status=404,
    )


async def feed_page(request: Request) -> Response:
    """A feed or calendar, for whoever knows its address; 304 where nothing has changed."""
    kind = FEED_PATHS[request.url.path]
    key = request.query_params.get("key", "")
    found = await _calls(request).feed(kind, key, await visit_of(request))
    tag = f'"{sha256(found.content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex"}
    if tag in Headers(scope=request.scope).get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers=headers, media_type=found.media_type)
