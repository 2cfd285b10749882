"""Memory limits: a board that is too large to solve is refused before the work starts."""

from cantstop.engine import TooLarge

_GIB = 1 << 30


def check_memory(needed: int, available: int) -> None:
    """Refuse to start what would not fit."""
    if needed > available:
        raise TooLarge(
            "This board is too large: solving it takes about {needed} of memory, and there is "
            "{available}.",
            needed=size_text(needed),
            available=size_text(available),
        )


def check_gpu_memory(needed: int, available: int) -> None:
    """Refuse to start what would not fit on the device."""
    if needed > available:
        raise TooLarge(
            "This board is too large: solving it takes about {needed} of GPU memory, and there is "
            "{available}.",
            needed=size_text(needed),
            available=size_text(available),
        )


def size_text(size: int) -> str:
    """A number of bytes as people say it.

    >>> size_text(29_727_129_600)
    '27.7 GiB'
    >>> size_text(1 << 100)
    '1e+21 GiB'
    """
    if size >= _GIB**2:
        return f"{size / _GIB:.0e} GiB"
    if size >= 1000 * _GIB:
        return f"{size / _GIB:,.0f} GiB"
    return f"{size / _GIB:.1f} GiB" if size >= _GIB // 10 else f"{size / (1 << 20):.1f} MiB"
