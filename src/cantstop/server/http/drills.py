"""Drills over HTTP: which comes next, and what an answer is worth; nothing is kept here.

Progress lives on the device. It comes with every request, as its file has it, and goes back with
the answer, so that choosing and rating are done in one place: ``cantstop.drills``. A forged one
harms nobody but its owner.
"""

import random
from functools import cache
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, PlainValidator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cantstop.bots import Choice
from cantstop.drills import (
    Answer,
    Drill,
    Progress,
    Topic,
    is_about,
    next_drill,
    package_drills,
    parse_progress,
    progress_data,
    progress_from,
)
from cantstop.drills.text import reasons, verdict_text
from cantstop.server.errors import ErrorCode, Malformed, NotFound
from cantstop.server.http.insight import CurrentRequester
from cantstop.server.http.routes import Words, route_name
from cantstop.server.limits.policy import progress_cost
from cantstop.server.protocol.examples import PROGRESS
from cantstop.server.protocol.openapi import LANGUAGE_PARAMETERS, responses
from cantstop.server.protocol.schemas import (
    DrillId,
    DrillProgress,
    NextDrillAnswer,
    VerdictAnswer,
)
from cantstop.server.runtime.insight import Requester

router = APIRouter(prefix="/api/drills", generate_unique_id_function=route_name)

_CHANCE = random.SystemRandom()

# progress_from says what is wrong with it; Pydantic would only name a field
_Progress = Annotated[Any, PlainValidator(lambda told: told, json_schema_input_type=DrillProgress)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class NextDrill(_Request):
    """What somebody wants to practise, and how far they have come."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"topic": "stop"}, {"progress": PROGRESS, "players": 2}]}
    )

    progress: _Progress = None
    """Left out by beginners."""
    topic: Topic | None = None
    """Left out, everything."""
    players: Annotated[int, Field(strict=True, ge=1, le=4)] | None = None
    """Only games for so many; left out, any."""


class AnswerDrill(_Request):
    """An answer to a drill."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"drill": "743daf227f", "answer": "roll", "progress": PROGRESS}]
        }
    )

    drill: DrillId
    answer: Annotated[str, Field(max_length=5)]
    """One of the drill's ``answers``."""
    progress: _Progress = None
    """As it was before; left out by beginners."""


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
    openapi_extra=LANGUAGE_PARAMETERS,
)
async def ask_for_a_drill(
    asked: NextDrill, requester: CurrentRequester, request: Request
) -> Response:
    """The next drill for somebody who has come so far; without its worths."""
    await _charge(requester, request)
    progress = _progress(asked.progress)
    await _loaded()
    wanted = is_about(asked.topic, asked.players)
    drill = next_drill(package_drills(), progress, _CHANCE, wanted)
    if drill is None:
        raise NotFound("There is no such drill.")
    return JSONResponse(
        {
            "id": drill.id,
            "topic": drill.topic.value,
            "difficulty": drill.difficulty,
            "position": drill.text,
            "solo": drill.is_solo,
            "answers": [_name(option.answer) for option in drill.options],
        }
    )


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
    openapi_extra=LANGUAGE_PARAMETERS,
)
async def answer_a_drill(
    asked: AnswerDrill, requester: CurrentRequester, words: Words, request: Request
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
    given = {_name(option.answer): option.answer for option in drill.options}.get(asked.answer)
    if given is None:
        raise Malformed("“{answer}” is not an answer to this drill.", answer=asked.answer)
    is_right = given == drill.best.answer
    after = progress.after(drill, is_right=is_right)
    ranked = sorted(drill.options, key=lambda option: -option.worth)
    return JSONResponse(
        {
            "right": is_right,
            "verdict": verdict_text(words, drill, given),
            "options": [
                {
                    "action": _name(option.answer),
                    "win": option.worth,
                    "then": None if option.then is None else option.then.value,
                }
                for option in ranked
            ],
            "reasons": list(reasons(words, drill)),
            "progress": progress_data(after),
        }
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
    openapi_extra={
        **LANGUAGE_PARAMETERS,
        "requestBody": {
            "description": "The file that a browser or `cantstop drill --export` has written.",
            "required": True,
            "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/DrillProgress"}}
            },
        },
    },
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
    return JSONResponse(progress_data(parse_progress(await request.body(), name)))


async def _charge(requester: Requester, request: Request) -> None:
    """Count a request as several, by the bytes of its body."""
    requester.charge(progress_cost(len(await request.body())))


def _progress(told: object) -> Progress:
    return Progress() if told is None else progress_from(told, "progress")


async def _loaded() -> dict[str, Drill]:
    """The package's drills by their names, in order; they are read by the first who asks."""
    if not _by_id.cache_info().currsize:
        await anyio.to_thread.run_sync(_by_id)
    return _by_id()


@cache
def _by_id() -> dict[str, Drill]:
    return {drill.id: drill for drill in package_drills()}


def _name(answer: Answer) -> str:
    return answer.value if isinstance(answer, Choice) else str(answer)
