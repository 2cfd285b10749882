"""Shares on a Ray cluster: the same work and results; what a lost worker had is done again."""

import logging
import os
import socket
import sys
from concurrent.futures import Future
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import urlsplit

from cantstop.arena.share import Played, Share, play_share
from cantstop.rules import InvalidText

RUNNING = "auto"
"""The address of whichever cluster runs on this machine."""

SECONDS_TO_CONNECT = 5.0


class RayPool:
    """The workers of a cluster, one share for each core."""

    def __init__(self, address: str = RUNNING) -> None:
        # nothing is to be sent anywhere but to the cluster
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray as installed
        except ImportError:
            raise InvalidText(
                "Ray is not installed: it comes with “pip install cantstop[ray]”."
            ) from None
        ray: Any = installed
        _knock(address)
        try:
            ray.init(
                address, logging_level=logging.ERROR, log_to_driver=False, ignore_reinit_error=True
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise _no_cluster(address, str(error).partition("\n")[0]) from None
        self._ray = ray
        self._quiet = ExitStack()
        self.size = max(1, int(ray.cluster_resources().get("CPU", 1)))
        # a lost worker is not the share's fault: there is no limit to how often it is tried
        self._play: Any = ray.remote(max_retries=-1, num_cpus=1)(_play_there)

    def submit(self, share: Share) -> "Future[Played]":
        """Have a share played somewhere."""
        return cast("Future[Played]", self._play.remote(share, str(Path.cwd())).future())

    def __enter__(self) -> Self:
        # Ray tells of lost workers on standard output, which belongs to the results
        self._quiet.enter_context(redirect_stdout(sys.stderr))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._quiet:
            self._ray.shutdown()


def _play_there(share: Share, folder: str) -> Played:
    """Play a share on a worker; the user's own bots are found where the user stands, if there."""
    if folder not in sys.path:
        sys.path.append(folder)
    return play_share(share)


def _knock(address: str) -> None:
    """Find out quickly whether anybody is there: Ray itself would try for minutes."""
    if address == RUNNING:
        return
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise InvalidText(
            "“{address}” is not the address of a Ray cluster: such an address looks like "
            "“{example}”.",
            address=address,
            example="10.0.0.1:6379",
        )
    try:
        socket.create_connection((host, port), SECONDS_TO_CONNECT).close()
    except OSError as error:
        raise _no_cluster(address, error.strerror or str(error)) from None


def _no_cluster(address: str, reason: str) -> InvalidText:
    return InvalidText(
        "No Ray cluster answers at “{address}” ({reason}); “ray start --head” starts one.",
        address=address,
        reason=reason,
    )
