"""The kernel's functions as CUDA C++: the same source, translated instead of compiled with Numba.

``cantstop.cpp`` writes the functions down in C++; here is what is around them. So there is one
description of the games, on both kinds of processor, and a test compiles the text for the CPU and
compares. Numbers are 64 bits wide, signed unless they are a ``Word``.
"""

from functools import cache

import numpy as np

from cantstop import cpp
from cantstop.kernel import play
from cantstop.kernel.layout import (
    BLOCK_FIGURES,
    BOT,
    POSITION,
    ROLLS,
    RULES,
    SCORES,
    STREAM,
    TALLY,
    TOTALS,
)
from cantstop.rules.settings import MOST_PLAYERS

RECORDS = {
    "Rules": RULES,
    "Rolls": ROLLS,
    "Position": POSITION,
    "Stream": STREAM,
    "Bot": BOT,
    "Scores": SCORES,
    "Tally": TALLY,
    "Totals": TOTALS,
}

HEAD = """
#ifdef __CUDACC__
#define FUNCTION static __device__ inline
#define MEMBER __device__
#else
#define FUNCTION static inline
#define MEMBER
#endif
#define INLINED FUNCTION
"""

ARRAYS = """
template <class T, int N, class V> FUNCTION void fill(T (&array)[N], V value) {
    for (int i = 0; i < N; i++) array[i] = value;
}
struct Seats {
    const i64* bots;
    i64 count;
    MEMBER i64 operator[](i64 seat) const { return bots[seat]; }
};
FUNCTION i64 len(const Seats& seats) { return seats.count; }
"""

WORKSPACE = """
struct Workspace {
    const Rules& rules;
    const Rolls& rolls;
    Position& position;
    Position& scratch;
    Stream& dice;
    Stream& draws;
    Tally& tally;
};
// functions of a user's own stay on the CPU; no game with one of them comes here
template <class R, class P> FUNCTION i64 ask_function(i64, R&, P&) { return -1; }
"""

TAIL = """
// Plays games from one number up to another, some for each thread, each with totals of its own.
struct Match {
    const Rules* rules;
    const Rolls* rolls;
    const Bot* bots;
    const i64* seatings;
    const i64* dice;
    Totals* totals;
    i64 dice_a_block, size, first_game, last_game, games_a_thread;
    u64 seed;
};

FUNCTION void play_share(const Match& match, i64 thread) {
    Position position, scratch;
    Stream dice, draws;
    Tally tally;
    Scores scores[MOST_PLAYERS];
    i64 figures[FIGURES];
    fill(figures, 0LL);
    Workspace workspace{*match.rules, *match.rolls, position, scratch, dice, draws, tally};
    const Bot* bots = match.bots;
    i64 first = match.first_game + thread * match.games_a_thread;
    i64 last = smaller(match.last_game, first + match.games_a_thread);
    for (i64 game = first; game < last; game++) {
        i64 block = game / match.size, place = game % match.size;
        Seats seats{match.seatings + place * match.rules->players, match.rules->players};
        u64 number = (u64)(block * match.dice_a_block + match.dice[place]);
        play_game(workspace, scores, bots, seats, match.seed, number);
        note(match.totals[thread], figures, seats, tally, position.seat, place, match.size);
    }
}

#ifdef __CUDACC__
extern "C" __global__ void play_games(const Match match) {
    play_share(match, (i64)blockIdx.x * blockDim.x + threadIdx.x);
}
#else
extern "C" void play_games(const Match* match, i64 threads) {
    for (i64 thread = 0; thread < threads; thread++) play_share(*match, thread);
}
#endif
"""

MATCH = np.dtype(
    [
        *((name, "u8") for name in ("rules", "rolls", "bots", "seatings", "dice", "totals")),
        *((name, "i8") for name in ("dice_a_block", "size", "first_game", "last_game")),
        ("games_a_thread", "i8"),
        ("seed", "u8"),
    ]
)
"""What the generated code is started with; the addresses are the device's."""


@cache
def source() -> str:
    """The whole program, from the records to the kernel that is launched."""
    functions = cpp.Translation(replaced={"ask_function": "ask_function"})
    functions.add(play.play_game, play.note)
    constants = f"enum {{ MOST_PLAYERS = {MOST_PLAYERS}, FIGURES = {BLOCK_FIGURES + 1} }};"
    records = (cpp.record(name, dtype) for name, dtype in RECORDS.items())
    parts = (HEAD, cpp.HEAD, ARRAYS, constants, *records, WORKSPACE, functions.text(), TAIL)
    return "\n".join(parts)
