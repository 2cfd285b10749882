"""Fuzzes every reader of files, texts and answers with spoilt inputs: a part of ``make fuzz``.

Whatever is read, the reader takes it or refuses it with an error of its own, in bounded time and
memory. Inputs follow from the seed and their number: ``--only READER --number N`` reads one again.
"""

import argparse
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz.children import Figures, child, fuzz_readers, input_of
from fuzz.readers import READ, READERS, REFUSED

WHOLE = sum(reader.share for reader in READERS)


def shares(inputs: int) -> dict[str, int]:
    """How many inputs each reader gets of a total."""
    return {reader.name: max(1, inputs * reader.share // WHOLE) for reader in READERS}


def fuzz(seed: int, inputs: dict[str, int], children: int) -> dict[str, Figures]:
    """Read all of it; Ctrl-C ends early, with what there is."""
    found = {name: Figures() for name in inputs}
    shown = sys.stderr.isatty()
    done, total = 0, sum(inputs.values())
    try:
        for name, figures in fuzz_readers(seed, inputs, children):
            found[name].add(figures)
            done += figures.inputs
            if shown:
                print(f"\r{done:,} of {total:,} inputs, {name:20}", end="", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nfuzz: interrupted.", file=sys.stderr)
    if shown:
        print(file=sys.stderr)
    return found


def report(found: dict[str, Figures]) -> None:
    """Print what was read, how fast, and the worst of it."""
    counted = "".join(f"{title:>9}" for title in ("inputs", "read", "refused"))
    print(f"{'reader':16}{counted}{'a second':>10}{'slowest':>18}{'largest':>18}")
    for name, one in found.items():
        speed = one.inputs / one.seconds if one.seconds else 0.0
        slowest = f"{1000 * one.slowest[0]:,.0f} ms #{one.slowest[1]}"
        largest = f"{one.largest[0] / (1 << 20):,.0f} MB #{one.largest[1]}"
        print(
            f"{name:16}{one.inputs:9,}{one.answers[READ]:9,}{one.answers[REFUSED]:9,}{speed:10,.0f}"
            f"{slowest:>18}{largest:>18}"
        )


def read_one(name: str, seed: int, number: int) -> None:
    """Read one input again, in this process, and show what it is."""
    reader = next(reader for reader in READERS if reader.name == name)
    data = input_of(reader, seed, number)
    print(f"{len(data):,} bytes: {data[:2000]!r}")
    with TemporaryDirectory() as folder:
        print(reader.read(data, Path(folder)))


def main() -> None:
    """Read it all, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=WHOLE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--children", type=int, default=2)
    parser.add_argument("--only", choices=[reader.name for reader in READERS])
    parser.add_argument("--number", type=int, help="read this input again")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child is not None:
        child(given.seed, given.child)
        return
    if given.number is not None:
        read_one(given.only, given.seed, given.number)
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it runs in the background
    begun = time.monotonic()
    inputs = shares(given.inputs) if given.only is None else {given.only: given.inputs}
    found = fuzz(given.seed, inputs, given.children)
    report(found)
    failures = [(name, *failure) for name, one in found.items() for failure in one.failures]
    for name, number, what in failures[:50]:
        print(f"fuzz: {name} #{number}: {what}", file=sys.stderr)
    if failures:
        sys.exit(f"fuzz: {len(failures)} failures.")
    count = sum(one.inputs for one in found.values())
    print(f"{count:,} inputs in {time.monotonic() - begun:.0f} s: nothing went wrong.")


if __name__ == "__main__":
    main()
