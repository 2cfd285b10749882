"""``cantstop serve``: the web app on this machine."""

import logging
import os
import re
import webbrowser
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Annotated, Literal

from cantstop.cli.options import Lang, OwnBots, echo, read_text, register_bots, translator
from cantstop.cli.parser import Option
from cantstop.files import user_data_folder
from cantstop.rules import InvalidText


def serve(
    host: Annotated[
        str,
        Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 for all networks."),
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        Option(metavar="N", least=0, most=65535, help="8000 by default, or a free one."),
    ] = None,
    database: Annotated[
        str | None,
        Option(
            metavar="URL",
            help="Where tables are kept: sqlite:///FILE (by default in your data folder) or "
            "postgresql://USER@HOST/NAME.",
        ),
    ] = None,
    open_browser: Annotated[bool, Option("--open", help="Open it in the browser.")] = False,
    pace: Annotated[
        float, Option(metavar="SECONDS", least=0, help="Time between a bot's actions.")
    ] = 0.8,
    absence: Annotated[
        float,
        Option(
            metavar="SECONDS",
            least=0,
            help="How long a player has to be away before a bot may be asked to play for them.",
        ),
    ] = 15,
    workers: Annotated[
        int,
        Option(metavar="N", least=1, most=64, help="Worker processes; several need PostgreSQL."),
    ] = 1,
    limits: Annotated[
        float,
        Option(metavar="FACTOR", least=0, help="Multiplies the rate limits; 0 switches them off."),
    ] = 1,
    proxy: Annotated[
        list[str] | None,
        Option(
            metavar="ADDRESS",
            help="Trusted reverse proxy (X-Forwarded-For); may be repeated.",
        ),
    ] = None,
    host_name: Annotated[
        list[str] | None,
        Option(
            metavar="NAME",
            help="A name that the server answers to, besides addresses and localhost; may be "
            "repeated. By default any name, but none if only this machine reaches it.",
        ),
    ] = None,
    metrics: Annotated[
        bool, Option("--metrics", help="Metrics for Prometheus at /metrics.")
    ] = False,
    log: Annotated[
        Literal["text", "json"],
        Option(help="Log lines as text, or as JSON with every request."),
    ] = "text",
    daily_secret: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="A file with the secret of the daily game, 64 hexadecimal digits: servers with "
            "the same secret have the same dice. By default the database keeps its own.",
        ),
    ] = None,
    imprint: Annotated[
        str | None,
        Option(
            metavar="URL",
            help="A page of yours that says who you are and what the server keeps; the start page "
            "links to it.",
        ),
    ] = None,
    keep_names: Annotated[
        int,
        Option(
            metavar="DAYS",
            least=0,
            help="How long names stay in the results of daily games; 0 for ever.",
        ),
    ] = 365,
    clock_is_right: Annotated[
        bool,
        Option(
            "--clock-is-right",
            help="Believe this machine's clock, though it is far ahead of what the database has "
            "seen: after a server was off for weeks.",
        ),
    ] = False,
    lobby: Annotated[
        Literal["on", "off"] | None,
        Option(
            help="Whether players find each other on the start page, with tables for everybody. By "
            "default on, but off if only this machine reaches the server.",
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        Option(
            metavar="URL",
            help="Where players reach this server, such as https://play.example.org: links in "
            "calls, which tell players that a table waits for them, go there.",
        ),
    ] = None,
    mail: Annotated[
        str | None,
        Option(
            metavar="URL",
            help="Your mail server, for calls by mail: smtp://USER@HOST:PORT with STARTTLS, or "
            "smtps:// with TLS from the beginning.",
        ),
    ] = None,
    mail_password: Annotated[
        Path | None,
        Option(metavar="FILE", help="A file with the password for the mail server."),
    ] = None,
    mail_from: Annotated[
        str | None, Option(metavar="ADDRESS", help="The mail address that calls come from.")
    ] = None,
    allow_calls_to: Annotated[
        list[str] | None,
        Option(
            metavar="NETWORK",
            help="A network of yours that players may name addresses in for calls, such as that of "
            "your ntfy server; may be repeated. By default only the internet.",
        ),
    ] = None,
    bot: OwnBots = None,
    lang: Lang = None,
) -> None:
    """Serve the game to browsers: against bots, on one screen, or online with friends.

    Example: cantstop serve --host 0.0.0.0 --port 8080
    """
    # imported here: the other commands start much quicker without it
    from cantstop.server import ServerOptions
    from cantstop.server.calls.channels.mail import MailServer
    from cantstop.server.calls.options import read_options
    from cantstop.server.http.proxies import read_proxies
    from cantstop.server.limits.policy import Limits
    from cantstop.server.ops.logs import LogFormat
    from cantstop.server.run import (
        address_of,
        check_database,
        check_workers,
        host_names,
        is_local,
        listen,
        run,
    )
    from cantstop.server.runtime.presence import Clocks
    from cantstop.server.supervisor import run_workers
    from cantstop.server.work.pool import default_processes

    register_bots(bot)
    words = translator(lang)
    proxies = read_proxies(proxy or ())
    secret = None if daily_secret is None else _read_secret(daily_secret)
    url = database or default_database()
    _check_imprint(imprint)
    if (mail is None) != (mail_from is None):
        raise InvalidText("Calls by mail need both --mail and --mail-from.")
    mail_server = None
    if mail is not None and mail_from is not None:
        mail_server = MailServer.read(mail, mail_from)
        if mail_password is not None:
            password = _read_private(mail_password, "the password for the mail server")
            mail_server = mail_server.with_password(password)
    calls = read_options(public_url, mail_server, tuple(allow_calls_to or ()))
    check_workers(url, workers)
    check_database(url)
    listening = listen(host, port)
    address = address_of(listening)

    def ready() -> None:
        echo(words.say("Can't Stop is at {address} (Ctrl-C ends it).", address=address))
        if open_browser:
            # in a thread: some browsers block their caller
            Thread(target=webbrowser.open, args=[address], daemon=True).start()

    options = ServerOptions(
        url,
        pace=pace,
        bots=tuple(bot or ()),
        processes=default_processes(workers),
        warm=True,
        clocks=Clocks(absence=absence),
        limits=Limits().times(limits),
        proxies=proxies,
        host_names=host_names(host_name, host, proxies),
        show_metrics=metrics,
        log=LogFormat(log),
        daily_secret=secret,
        imprint=imprint,
        keep_names=timedelta(days=keep_names) if keep_names else None,
        # on one's own machine there is nobody else to tell the key of a coming day
        clock_is_right=clock_is_right or is_local(host, proxies),
        lobby=not is_local(host, proxies) if lobby is None else lobby == "on",
        calls=calls,
    )
    if workers == 1:
        run(options, listening, ready)
    else:
        run_workers(workers, options, listening, ready)


def _read_secret(path: Path) -> bytes:
    """The secret in a file, which an operator keeps for several servers."""
    text = _read_private(
        path, "the secret of the daily game: whoever knows it knows the dice of every day"
    )
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise InvalidText(
            "{path} holds no secret for the daily game: it takes 64 hexadecimal digits.", path=path
        )
    return bytes.fromhex(text)


def _read_private(path: Path, what: str) -> str:
    """The text in a file that should be its owner's only."""
    text = read_text(str(path)).strip()
    if os.name == "posix" and path.exists() and path.stat().st_mode & 0o077:
        logging.getLogger(__name__).warning("Others can read %s, which holds %s.", path, what)
    return text


def _check_imprint(address: str | None) -> None:
    """Raise InvalidText unless the text is the address of a page."""
    if address is not None and not re.fullmatch(r"https?://[^\s\"<>]+", address):
        raise InvalidText(
            "“{text}” is not the address of a page, such as {example}.",
            text=address,
            example="https://example.org/imprint",
        )


def default_database() -> str:
    """SQLite in the user's data folder."""
    folder = user_data_folder()
    return f"sqlite:///{folder / 'tables.db'}"
