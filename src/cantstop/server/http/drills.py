"""Drills over HTTP: which comes next, and what an answer is worth; nothing is kept here.

Progress lives on the device. It comes with every request, as its file has it, and goes back with
the answer, so that choosing and rating are done in one place: ``cantstop.drills``. A forged one
harms nobody but its owner.
"""

import random
from functools import cache
from typing import Annotated

import anyio
from fastapi import APIRouter, Depends, Query
from msgspec import Raw, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from cantstop.drills import (
    Drill,
    DrillProgress,
    Progress,
    is_about,
    next_drill,
    package_drills,
    parse_progress,
    progress_data,
)
from cantstop.drills.text import reasons, verdict_text
from cantstop.server.errors import Malformed, NotFound
from cantstop.server.http.insight import CurrentRequester
from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import described, responses
from cantstop.server.http.routes import Words, route_name
from cantstop.server.limits.policy import progress_cost
from cantstop.server.runtime.insight import Requester
from cantstop.wire.drills import NextDrillAnswer, VerdictAnswer, drill_view, ranked_options
from cantstop.wire.errors import ErrorCode
from cantstop.wire.requests import AnswerDrill, NextDrill

router = APIRouter(prefix="/api/drills", generate_unique_id_function=route_name)

_CHANCE = random.SystemRandom()


@router.post(
    "/next",
    summary="Ask for a drill",
    responses=responses(
        NextDrillAnswer,
        ErrorCode.MALFORMED,
        ErrorCode.NOT_FOUND,
        ErrorCode.TOO_LARGE,
        description="A drill near the rating that was not seen yet, or the one seen longest ago.",
    ),
    openapi_extra=described(NextDrill),
)
async def ask_for_a_drill(
    asked: Annotated[NextDrill, Depends(body_of(NextDrill))],
    requester: CurrentRequester,
    request: Request,
) -> Response:
    """The next drill for a player with this progress; without its worths."""
    await _charge(requester, request)
    progress = _progress(asked.progress)
    await _loaded()
    wanted = is_about(asked.topic, asked.players)
    drill = next_drill(package_drills(), progress, _CHANCE, wanted)
    if drill is None:
        raise NotFound("There is no such drill.")
    return answer(drill_view(drill))


@router.post(
    "/answer",
    summary="Answer a drill",
    responses=responses(
        VerdictAnswer,
        ErrorCode.MALFORMED,
        ErrorCode.NOT_FOUND,
        ErrorCode.TOO_LARGE,
        description="Whether it was right, what every answer is worth, why, and the new progress.",
    ),
    openapi_extra=described(AnswerDrill),
)
async def answer_a_drill(
    asked: Annotated[AnswerDrill, Depends(body_of(AnswerDrill))],
    requester: CurrentRequester,
    words: Words,
    request: Request,
) -> Response:
    """What an answer is worth, and what it makes of a progress.

    Nothing is kept: the same question has the same answer, and can be asked again in another
    language, or if the answer was lost.
    """
    await _charge(requester, request)
    progress = _progress(asked.progress)
    drill = (await _loaded()).get(asked.drill)
    if drill is None:
        raise NotFound("There is no such drill.")
    given = {str(option.answer): option.answer for option in drill.options}.get(asked.answer)
    if given is None:
        raise Malformed("“{answer}” is not an answer to this drill.", answer=asked.answer)
    is_right = given == drill.best.answer
    after = progress.after(drill, is_right=is_right)
    return answer(
        VerdictAnswer(
            is_right,
            verdict_text(words, drill, given),
            ranked_options(drill),
            tuple(reasons(words, drill)),
            progress_data(after),
        )
    )


@router.post(
    "/progress",
    summary="Check a file of progress",
    responses=responses(
        DrillProgress,
        ErrorCode.MALFORMED,
        ErrorCode.TOO_LARGE,
        description="The progress, if it is one.",
    ),
    openapi_extra=described(
        DrillProgress,
        description="The file that a browser or `cantstop drill --export` has written.",
    ),
)
async def check_progress(
    request: Request,
    requester: CurrentRequester,
    name: Annotated[
        str, Query(max_length=200, description="What the file is called, for the sentence.")
    ] = "progress",
) -> Response:
    """Whether a file is a progress of drills, before it takes the place of another one."""
    await _charge(requester, request)
    return answer(progress_data(parse_progress(await request.body(), name)))


async def _charge(requester: Requester, request: Request) -> None:
    """Count a request as several, by the bytes of its body."""
    requester.charge(progress_cost(len(await request.body())))


def _progress(sent: Raw | UnsetType) -> Progress:
    text = b"null" if isinstance(sent, UnsetType) else bytes(sent)
    return Progress() if text == b"null" else parse_progress(text, "progress")


async def _loaded() -> dict[str, Drill]:
    """The package's drills by their names, in order; they are read by the first who asks."""
    if not _by_id.cache_info().currsize:
        await anyio.to_thread.run_sync(_by_id)
    return _by_id()


@cache
def _by_id() -> dict[str, Drill]:
    return {drill.id: drill for drill in package_drills()}
