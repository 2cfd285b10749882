"""How what goes wrong is answered: always in one shape, in the reader's language."""

import json

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cantstop.rules import CantStopError
from cantstop.server.errors import (
    Internal,
    Malformed,
    NotFound,
    Refused,
    TooLarge,
    TooMany,
    WrongMethod,
    error_json,
    malformed,
    status_of,
)
from cantstop.server.limits.policy import LARGEST_BODY
from cantstop.server.ops.logs import HEADER, request_id
from cantstop.server.static.languages import words_for
from cantstop.server.static.pages import ClientFiles


def answer_errors(app: FastAPI, files: ClientFiles) -> None:
    """Have the app answer every error in the protocol's shape."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, CantStopError)
        return answer(request, error)

    async def unreadable(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return answer(request, malformed(error.errors()))

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == NotFound.status and not _is_for_programs(request):
            return files.page(request, NotFound.status)
        return answer(request, _refusal(error.status_code))

    async def failed(request: Request, _error: Exception) -> Response:
        response = answer(request, _refusal(Internal.status))
        if name := request_id.get():  # whoever reports it has something to go by
            response.headers[HEADER] = name
        return response

    app.add_exception_handler(CantStopError, refused)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(Exception, failed)


def _is_for_programs(request: Request) -> bool:
    return request.url.path.startswith(("/api/", "/static/"))


def answer(request: Request, error: CantStopError) -> Response:
    """An error as the protocol has it."""
    # in ASCII: what somebody sent may come back in the sentence, and need not be real text
    body = json.dumps({"error": error_json(error, words_for(request))})
    response = Response(body, status_of(error), media_type="application/json")
    if isinstance(error, TooMany):
        response.headers["Retry-After"] = str(error.seconds)
    return response


def _refusal(status: int) -> Refused:
    match status:
        case NotFound.status:
            return NotFound("There is nothing at this address.")
        case WrongMethod.status:
            return WrongMethod("This address does not take such a request.")
        case TooLarge.status:
            return TooLarge("A request has {most} bytes at most.", most=LARGEST_BODY)
        case Internal.status:
            return Internal("Something went wrong on the server; it has been noted.")
        case _:
            return Malformed("The request cannot be read.")
