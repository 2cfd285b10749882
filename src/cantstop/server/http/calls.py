"""Calls over HTTP: where a player is notified that a table waits, and how often."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.requests import Request
from starlette.responses import Response

from cantstop.server.errors import Malformed
from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import BODY_ERRORS, described, responses
from cantstop.server.http.players import InClub, charge_writing
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import KEY, InRuntime, route_name
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.runtime.calls import Visit
from cantstop.server.static.languages import translator_for
from cantstop.wire.calls import (
    LONGEST_SITE,
    AddMail,
    AddNtfy,
    AddPush,
    AddWebhook,
    Calls,
    ChangeContact,
    ContactView,
    FeedAddress,
    FeedName,
    NewWebhook,
    SetReminders,
    TestedCall,
)
from cantstop.wire.errors import ErrorCode
from cantstop.wire.schema import Schema

router = APIRouter(
    prefix="/api/me/calls",
    generate_unique_id_function=route_name,
    dependencies=[Depends(KEY), Depends(charge_writing)],
)


async def visit_of(request: Request) -> Visit:
    """How a request came: by which address of this server, and in which language."""
    site = str(request.base_url).rstrip("/")
    if len(site) > LONGEST_SITE or not site.isascii():
        raise Malformed("The name of this server cannot be read.")
    return Visit(site, translator_for(request))


async def check_adding(request: Request) -> None:
    """Count one more request that has this server send something elsewhere."""
    limiter: RateLimiter = request.app.state.limiter
    limiter.check_contact(client_address(request))


InVisit = Annotated[Visit, Depends(visit_of)]
Adding = Depends(check_adding)
ContactPath = Annotated[
    str, Path(description="The id of a contact.", examples=["k7QmZr3pW9xA"], max_length=32)
]
FeedKind = Annotated[FeedName, Path(description="A feed (Atom) or a calendar (ICS).")]


def _added(kind: type, description: str) -> dict[int | str, Schema]:
    """The responses of a request that adds a contact."""
    own = (*BODY_ERRORS, ErrorCode.WRONG_KEY, ErrorCode.NOT_NOW)
    return responses(kind, *own, status=201, description=description)


@router.get(
    "",
    summary="Read how one is called",
    responses=responses(Calls, ErrorCode.WRONG_KEY, description="Contacts, reminders, feeds."),
)
async def calls(runtime: InRuntime, known: InClub, visit: InVisit) -> Response:
    """Where the player is notified that a table waits, and what this server can do."""
    return answer(await runtime.calls.view(known, visit))


@router.post(
    "/push",
    summary="Be called in this browser",
    status_code=201,
    responses=_added(ContactView, "The browser as a contact: the same one where it was known."),
    openapi_extra=described(AddPush),
    dependencies=[Adding],
)
async def add_push(
    asked: Annotated[AddPush, Depends(body_of(AddPush))],
    runtime: InRuntime,
    known: InClub,
    visit: InVisit,
) -> Response:
    """A subscription of the browser, made with the key in `offers.push`.

    A device has one, and is written to in the language of this request.
    """
    return answer(await runtime.calls.add_push(known, asked, visit), 201)


@router.post(
    "/mail",
    summary="Be called by mail",
    status_code=201,
    responses=_added(
        ContactView, "The address as a contact, `unconfirmed` until its owner has said yes."
    ),
    openapi_extra=described(AddMail),
    dependencies=[Adding],
)
async def add_mail(
    asked: Annotated[AddMail, Depends(body_of(AddMail))],
    runtime: InRuntime,
    known: InClub,
    visit: InVisit,
) -> Response:
    """A mail address. Its owner is asked there; an address is asked twice a day at most."""
    return answer(await runtime.calls.add_mail(known, asked, visit), 201)


@router.post(
    "/ntfy",
    summary="Be called at a topic of ntfy",
    status_code=201,
    responses=_added(ContactView, "The topic as a contact."),
    openapi_extra=described(AddNtfy),
    dependencies=[Adding],
)
async def add_ntfy(
    asked: Annotated[AddNtfy, Depends(body_of(AddNtfy))],
    runtime: InRuntime,
    known: InClub,
    visit: InVisit,
) -> Response:
    """A topic on any server of ntfy that is on the internet, or in a network of the operator's."""
    return answer(await runtime.calls.add_ntfy(known, asked, visit), 201)


@router.post(
    "/webhook",
    summary="Have a program called",
    status_code=201,
    responses=_added(NewWebhook, "The webhook, and what its requests are signed with from now on."),
    openapi_extra=described(AddWebhook),
    dependencies=[Adding],
)
async def add_webhook(
    asked: Annotated[AddWebhook, Depends(body_of(AddWebhook))],
    runtime: InRuntime,
    known: InClub,
    visit: InVisit,
) -> Response:
    """An address that is sent a signed request for each turn. Asked again, the secret is new."""
    return answer(await runtime.calls.add_webhook(known, asked, visit), 201)


@router.put(
    "/reminders",
    summary="Set when one is reminded",
    responses=responses(
        Calls, *BODY_ERRORS, ErrorCode.WRONG_KEY, description="How the player is called now."
    ),
    openapi_extra=described(SetReminders),
)
async def set_reminders(
    asked: Annotated[SetReminders, Depends(body_of(SetReminders))],
    runtime: InRuntime,
    known: InClub,
    visit: InVisit,
) -> Response:
    """How many hours before the end of a turn that still waits a reminder is sent."""
    await runtime.calls.set_reminders(known, asked.hours)
    return answer(await runtime.calls.view(known, visit))


@router.post(
    "/feeds/{kind}",
    summary="Begin a feed or a calendar",
    status_code=201,
    responses=responses(
        FeedAddress,
        ErrorCode.WRONG_KEY,
        ErrorCode.MALFORMED,
        status=201,
        description="Its secret address.",
    ),
)
async def add_feed(kind: FeedKind, runtime: InRuntime, known: InClub, visit: InVisit) -> Response:
    """A new secret address, which is shown once; the one before it ends."""
    return answer(await runtime.calls.add_feed(known, kind, visit), 201)


@router.delete(
    "/feeds/{kind}",
    summary="End a feed or a calendar",
    status_code=204,
    response_class=Response,
    responses=responses(
        None, ErrorCode.WRONG_KEY, ErrorCode.MALFORMED, status=204, description="It has ended."
    ),
)
async def remove_feed(kind: FeedKind, runtime: InRuntime, known: InClub) -> Response:
    """Whoever has the address reads nothing there any more."""
    await runtime.calls.remove_feed(known, kind)
    return Response(status_code=204)


@router.patch(
    "/{contact}",
    summary="Change a contact",
    responses=responses(
        ContactView,
        *BODY_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_FOUND,
        description="The contact, changed.",
    ),
    openapi_extra=described(ChangeContact),
)
async def change_contact(
    contact: ContactPath,
    asked: Annotated[ChangeContact, Depends(body_of(ChangeContact))],
    runtime: InRuntime,
    known: InClub,
    visit: InVisit,
) -> Response:
    """Whether turns come once a day. From now on it is written to in this request's language."""
    return answer(await runtime.calls.change(known, contact, asked, visit))


@router.delete(
    "/{contact}",
    summary="Remove a contact",
    status_code=204,
    response_class=Response,
    responses=responses(
        None, ErrorCode.WRONG_KEY, ErrorCode.NOT_FOUND, status=204, description="It is gone."
    ),
)
async def remove_contact(contact: ContactPath, runtime: InRuntime, known: InClub) -> Response:
    """Nothing is sent there any more."""
    await runtime.calls.remove(known, contact)
    return Response(status_code=204)


@router.post(
    "/{contact}/test",
    summary="Send a test message",
    responses=responses(
        TestedCall,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_FOUND,
        ErrorCode.NOT_NOW,
        description="What came of it, and the contact as it is now.",
    ),
    dependencies=[Adding],
)
async def test_contact(contact: ContactPath, runtime: InRuntime, known: InClub) -> Response:
    """One message a minute at most, this one included."""
    return answer(await runtime.calls.test(known, contact))
