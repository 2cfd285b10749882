"""Exception handlers: every error is answered in the protocol's form, in the reader's language."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from cantstop.rules import CantStopError
from cantstop.server.errors import (
    InternalError,
    LimitExceeded,
    Malformed,
    MethodNotAllowed,
    NotFound,
    Refused,
    TooLarge,
    code_of,
    problem,
)
from cantstop.server.http.messages import answer
from cantstop.server.limits.policy import max_body_bytes
from cantstop.server.ops.logs import REQUEST_ID_HEADER, request_id
from cantstop.server.static.languages import translator_for
from cantstop.server.static.pages import ClientFiles
from cantstop.wire.codec import WrongField
from cantstop.wire.errors import ErrorAnswer, ErrorCode


def add_error_handlers(app: FastAPI, files: ClientFiles) -> None:
    """Have the app answer every error in the protocol's form."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, CantStopError)
        return error_response(request, error)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        place = ".".join(map(str, error.errors()[0]["loc"]))  # of a parameter
        return error_response(request, WrongField(place))

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == ErrorCode.NOT_FOUND.status and not _is_for_programs(request):
            return files.page(request, ErrorCode.NOT_FOUND.status)
        return error_response(request, _error_for(error.status_code, request.url.path))

    async def failed(request: Request, _error: Exception) -> Response:
        response = error_response(request, _error_for(ErrorCode.INTERNAL.status, request.url.path))
        if name := request_id.get():  # so that whoever reports it can name the request
            response.headers[REQUEST_ID_HEADER] = name
        return response

    async def gone(_request: Request, _error: Exception) -> Response:
        """Nobody hears it; and whoever hangs up in the middle of a body fills no log."""
        return Response(status_code=ErrorCode.MALFORMED.status)

    app.add_exception_handler(ClientDisconnect, gone)
    app.add_exception_handler(CantStopError, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(Exception, failed)


def _is_for_programs(request: Request) -> bool:
    return request.url.path.startswith(("/api/", "/static/"))


def error_response(request: Request, error: CantStopError) -> Response:
    """The response to a request that ended with an error."""
    found = ErrorAnswer(problem(error, translator_for(request)))
    response = answer(found, code_of(error).status)
    if isinstance(error, LimitExceeded):
        response.headers["Retry-After"] = str(error.seconds)
    return response


def _error_for(status: int, path: str) -> Refused:
    """The error for a status that the framework answers with."""
    match status:
        case ErrorCode.NOT_FOUND.status:
            return NotFound("There is nothing at this address.")
        case ErrorCode.METHOD.status:
            return MethodNotAllowed("This address does not take such a request.")
        case ErrorCode.TOO_LARGE.status:
            return TooLarge("A request can have {most} bytes at most.", most=max_body_bytes(path))
        case ErrorCode.INTERNAL.status:
            return InternalError("Something went wrong on the server; it has been noted.")
        case _:
            return Malformed("The request cannot be read.")
