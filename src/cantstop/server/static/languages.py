"""The language that a request asks for, and the messages that the browser needs in it."""

import re
import struct
from functools import cache
from importlib.resources import files

from starlette.requests import HTTPConnection

from cantstop.language import LANGUAGES, Translator, pick_language
from cantstop.server.errors import NotFound

_PREFERENCE = re.compile(
    r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d*)?)\s*)?"
)

translator = cache(Translator)


def translator_for(connection: HTTPConnection) -> Translator:
    """A translator into the language of ``?lang=``, or the best that Accept-Language names."""
    asked = connection.query_params.get("lang", "")
    accepted = connection.headers.get("accept-language", "")
    wanted = ":".join([asked, *_by_preference(accepted)])
    return translator(pick_language(None, {"LANGUAGE": wanted}))


def _by_preference(header: str) -> list[str]:
    found = [_PREFERENCE.fullmatch(part) for part in header.split(",")]
    ranked = [(float(match[2] or 1), match[1]) for match in found if match]
    return [code for _, code in sorted(ranked, key=lambda pair: -pair[0])]


@cache
def browser_messages(code: str) -> dict[str, str]:
    """Every message of the interface, English to the language of that code."""
    if code not in LANGUAGES:
        raise NotFound("There is no language “{code}”.", code=code)
    if code == "en":
        return {}
    path = files("cantstop.language") / "catalogues" / code / "LC_MESSAGES" / "web.mo"
    return read_mo(path.read_bytes())


def catalogues() -> dict[str, dict[str, str]]:
    """The messages of the interface in every language but English, by its code."""
    return {code: browser_messages(code) for code in LANGUAGES if code != "en"}


def read_mo(data: bytes) -> dict[str, str]:
    """The messages of a compiled gettext catalogue."""
    order = "<" if data.startswith(b"\xde\x12\x04\x95") else ">"
    count, originals, translations = struct.unpack_from(f"{order}3I", data, 8)

    def text(table: int, index: int) -> str:
        length, start = struct.unpack_from(f"{order}2I", data, table + 8 * index)
        return data[start : start + length].decode()

    messages = {text(originals, at): text(translations, at) for at in range(count)}
    return {source: said for source, said in messages.items() if source}
