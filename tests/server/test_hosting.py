"""docs/hosting.md agrees with the policy of rate limits and with the metrics."""

import re
from pathlib import Path

from prometheus_client import REGISTRY

from cantstop.server.limits.policy import MAX_PROGRESS_BYTES, Limits, Rate
from cantstop.server.ops import metrics

PAGE = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")
NAMES = {
    "requests, and sockets opened, from one address": "requests",
    "tables opened from one address": "tables",
    "the same over a day": "tables_a_day",
    "`/healthz` and `/metrics` from one address": "monitoring",
    "profiles begun from one address": "new_players",
    "wrong codes, recovery words and passkeys from one address": "guesses",
    "contacts for [calls](#calls) added, and test messages, from one address": "contacts",
    "connections from one address": "connections",
    "sockets from one address": "sockets",
    "sockets from one address that have not said hello": "silent_sockets",
    "sockets from one address that hold no seat": "address_watchers",
    "sockets at one table that hold no seat": "watchers",
    "sockets that hold one seat": "seat_sockets",
    "messages on one socket": "messages",
    "messages from one address": "address_messages",
    "pieces of requests and frames from one address": "pieces",
    "pings, pongs and fragments on one socket": "control_frames",
    "actions of one seat": "actions",
    "actions from one address": "address_actions",
    "actions from one address, over a day": "address_actions_a_day",
    "actions of bots at tables of one address": "bot_actions",
    "actions of bots at tables of one address, over a day": "bot_actions_a_day",
    "reactions of one seat": "reactions",
}


def rows(header: str) -> list[list[str]]:
    """The rows of the table on the page that has this header."""
    _, found, rest = PAGE.partition(f"\n{header}\n")
    assert found, f"docs/hosting.md has no table {header}"
    lines = rest.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]


def per_second(cell: str) -> float:
    """“10 a second”, “1 in 2 seconds” or “2,000 a day”."""
    found = re.fullmatch(r"([\d,]+) (?:a|in (\d+)) (seconds?|day)", cell)
    assert found, cell
    return number(found[1]) / int(found[2] or 1) / (86_400 if found[3] == "day" else 1)


def number(cell: str) -> int:
    """“2,000” as a number."""
    return int(cell.replace(",", ""))


def test_the_rate_limits() -> None:
    limits, written = Limits(), rows("| | sustained rate | burst, or most at the same time |")
    assert [what for what, *_ in written] == list(NAMES)
    for what, rate, burst in written:
        limit = getattr(limits, NAMES[what])
        if isinstance(limit, Rate):
            assert (limit.per_second, limit.burst) == (per_second(rate), number(burst))
        else:
            assert (rate, limit.most) == ("", number(burst))
    assert f"sends {limits.refusals.burst}\nmore" in PAGE


def test_the_metrics() -> None:
    assert metrics.REQUESTS
    written = {name.strip("`").removesuffix("_total") for name, _ in rows("| metric | |")}
    assert written == {
        metric.name for metric in REGISTRY.collect() if metric.name.startswith("cantstop_")
    }


DEPLOY = Path(__file__).parents[2] / "deploy"


def test_the_example_proxy_takes_every_body_that_the_server_takes() -> None:
    (kilobytes,) = re.findall(r"client_max_body_size (\d+)k;", (DEPLOY / "nginx.conf").read_text())
    assert int(kilobytes) * 1024 >= MAX_PROGRESS_BYTES


def test_the_example_service_is_bounded() -> None:
    service = (DEPLOY / "cantstop.service").read_text()
    assert {"MemoryMax", "TasksMax"} <= {line.partition("=")[0] for line in service.splitlines()}
