// A solved turn played out, and whole games of such turns.
#pragma once
#include "evaluate.h"
#include "solve.h"

struct Random {
    unsigned long long state;
};

DEVICE unsigned draw(Random& random) {
    unsigned long long z = random.state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return (z ^ z >> 31) >> 32;
}

DEVICE float draw_share(Random& random) { return (draw(random) >> 8) * (1.f / 16777216.f); }

// The same dice for the same seed, game, turn and purpose, whichever block plays them.
DEVICE Random open_random(unsigned long long seed, unsigned game, unsigned turn, unsigned purpose) {
    Random random = {seed * 0x9E3779B97F4A7C15ull + game * 0xD1B54A32D192ED03ull};
    random.state ^= ((unsigned long long)turn << 32 | purpose) * 0xBF58476D1CE4E5B9ull;
    draw(random);
    return random;
}

struct Runners {
    unsigned columns;
    int count;
    int8_t left[COLUMNS];  // of the runner, or of the token where there is none
};

struct Move {
    int8_t low, by_low, high, by_high;
};

DEVICE int state_of(const Turn& turn, const Runners& runners) {
    const int set = turn.set_of[runners.columns];
    int state = 0;
    for (int at = 0; at < turn.members[set][3]; at++) {
        const int column = turn.members[set][at];
        state = state * turn.steps[column] + runners.left[column];
    }
    return turn.first[set] + state;
}

DEVICE int brought_by(const Runners& runners, const Move& move) {
    return !(runners.columns >> move.low & 1) + (move.by_high && !(runners.columns >> move.high & 1));
}

DEVICE void apply(Runners& runners, const Move& move) {
    runners.count += brought_by(runners, move);
    runners.columns |= 1u << move.low;
    runners.left[move.low] -= move.by_low;
    if (move.by_high) runners.columns |= 1u << move.high, runners.left[move.high] -= move.by_high;
}

constexpr int MOST_MOVES = 6;

// The legal moves of a roll (T2 to T6, V2).
DEVICE int moves_of(const Turn& turn, const Runners& runners, int roll, Move* moves) {
    int count = 0;
    for (int at = 0; at < 3; at++) {
        const uint8_t* split = turn.split[turn.roll_splits[roll][at]];
        const int8_t low = split[0], high = split[1];
        const bool on_low = runners.columns >> low & 1, on_high = runners.columns >> high & 1;
        const bool use_low = (on_low || runners.count < RUNNERS) && runners.left[low] > 0;
        const bool use_high = (on_high || runners.count < RUNNERS) && runners.left[high] > 0;
        if (low == high) {
            if (use_low) moves[count++] = {low, (int8_t)(runners.left[low] > 1 ? 2 : 1), low, 0};
        } else if (use_low && use_high && runners.count + !on_low + !on_high <= RUNNERS) {
            moves[count++] = {low, 1, high, 1};
        } else {
            if (use_low) moves[count++] = {low, 1, low, 0};
            if (use_high) moves[count++] = {high, 1, high, 0};
        }
    }
    if (!turn.early) return count;
    int brought = 0, kept = 0;
    for (int at = 0; at < count; at++) brought = most(brought, brought_by(runners, moves[at]));
    for (int at = 0; at < count; at++)
        if (brought_by(runners, moves[at]) == brought) moves[kept++] = moves[at];
    return kept;
}

// How a turn is played: at its best, with random moves, stops or both, or as a person plays it.
struct Manner {
    bool random_moves, random_stops;
    float stops;
    float misjudges;    // how far an option's gain over a bust is misjudged, as a share of it
    float early, late;  // how often a person stops too early, and rolls once too often
};

DEVICE Manner random_manner(Random& random) {
    const float stops[6] = {.03f, .08f, .15f, .3f, .5f, .8f};
    const int which = draw(random) % 3;
    return {which > 0, which < 2, stops[draw(random) % 6], 0.f, 0.f, 0.f};
}

// Somebody at the table: one in six plays at their best.
DEVICE Manner person(Random& random) {
    const float misjudges[4] = {.1f, .3f, .6f, 1.2f}, early[4] = {0.f, 0.f, .1f, .25f}, late[4] = {0.f, 0.f, .2f, .45f};
    if (draw(random) % 6 == 0) return {false, false, 0.f, 0.f, 0.f, 0.f};
    Manner manner = {false, false, 0.f, misjudges[draw(random) & 3], early[draw(random) & 3], late[draw(random) & 3]};
    if (manner.early > 0.f) manner.late = 0.f;
    return manner;
}

// Plays the turn; returns the state in which it is stopped, 0 for a bust.
DEVICE int play_turn(const Turn& turn, const float* value, Runners& runners, Random& random, const Manner& manner) {
    runners.columns = runners.count = 0;
    for (int column = 0; column < COLUMNS; column++) runners.left[column] = turn.start[column];
    while (true) {
        Move moves[MOST_MOVES];
        const int count = moves_of(turn, runners, BOARD.roll_of_fall[draw(random) % BOARD.falls], moves);
        if (count == 0) return 0;
        int best = 0;
        if (manner.random_moves) best = draw(random) % count;
        else {
            float highest = -1.f;
            for (int at = 0; at < count; at++) {
                Runners after = runners;
                apply(after, moves[at]);
                float worth = fabsf(value[state_of(turn, after)]);
                if (manner.misjudges > 0.f) {
                    const float normal = 2.f * (draw_share(random) + draw_share(random) + draw_share(random) - 1.5f);
                    worth = fmaxf(worth + manner.misjudges * normal * (worth - fabsf(value[0])), 0.f);
                }
                if (worth > highest) highest = worth, best = at;
            }
        }
        apply(runners, moves[best]);
        const int state = state_of(turn, runners);
        bool stop = bits_of(value[state]) >> 31;
        if (manner.random_stops || manner.early > 0.f || manner.late > 0.f) {
            int won = 0;
            bool legal = true;
            for (int column = 0; column < COLUMNS; column++)
                if (runners.columns >> column & 1) {
                    won += runners.left[column] == 0;
                    legal &= !turn.shared[column][runners.left[column]];
                }
            if (manner.random_stops) stop = legal && (turn.over[won] || draw_share(random) < manner.stops);
            else if (stop) stop = turn.over[won] || draw_share(random) >= manner.late;
            else stop = legal && draw_share(random) < manner.early;
        }
        if (stop) return state;
    }
}

// Everything that one launch needs. Arrays are indexed by game, turn and seat as the comments say.
struct Games {
    Evaluator evaluator[2];  // the judge, who also plays; and a rival
    const int8_t* starts;    // see read_anchor
    const int* rivals;       // the seats that the rival plays, bit by bit, counted from the one who starts
    int8_t* anchors;         // [game][turn][seat][12]
    float* solved;           // [game][turn][seat]: everybody's share before the turn, seats from the mover
    float* after;            // the same after it, by the judge
    uint8_t* explored;       // [game][turn]
    int* length;             // [game]
    float* result;           // [game][seat], seats from the one who started; negative where the game was cut
    float* scratch;
    int* counter;
    unsigned long long seed;
    int start_count, rival_count, repeats, games, turns, samples, sharing, solve_only, people;
    float explore;
};

constexpr int SEAT_BYTES = COLUMNS + 1;  // spaces left in every column, then the columns needed

template <int N>
constexpr int START_BYTES = N * SEAT_BYTES + 2;  // then the columns that win, and V2

template <int N>
DEVICE void read_anchor(Turn& turn, const int8_t* start, int sharing) {
    for (int i = thread(); i < N * SEAT_BYTES; i += threads()) {
        if (i % SEAT_BYTES < COLUMNS) turn.left[i / SEAT_BYTES][i % SEAT_BYTES] = start[i];
        else turn.need[i / SEAT_BYTES] = start[i];
    }
    if (thread() == 0) {
        turn.win = start[N * SEAT_BYTES], turn.early = start[N * SEAT_BYTES + 1];
        turn.sharing = sharing, turn.ended = 0;
    }
    sync_block();
}

template <int N>
DEVICE void write_anchor(const Turn& turn, int8_t* anchor) {
    for (int i = thread(); i < N * SEAT_BYTES; i += threads())
        anchor[i] = i % SEAT_BYTES < COLUMNS ? turn.left[i / SEAT_BYTES][i % SEAT_BYTES] : turn.need[i / SEAT_BYTES];
}

// The anchor after a turn, seen by the next seat to move (T9, W2).
template <int N>
DEVICE void end_turn(Turn& turn, int state, const Runners& runners) {
    int won = 0;
    for (int column = 0; state && column < COLUMNS; column++)
        if (runners.columns >> column & 1) {
            turn.left[0][column] = turn.space[column][runners.left[column]];
            if (turn.left[0][column]) continue;
            won++;
            for (int seat = 1; seat < N; seat++) turn.left[seat][column] = 0;
        }
    turn.need[0] -= won;
    turn.ended = turn.over[won] ? won + 1 : 0;
    if (turn.ended) return;
    const int need = turn.need[0];
    int8_t mine[COLUMNS];
    for (int column = 0; column < COLUMNS; column++) mine[column] = turn.left[0][column];
    for (int seat = 0; seat < N; seat++) {
        turn.need[seat] = seat == N - 1 ? need : turn.need[seat + 1];
        for (int column = 0; column < COLUMNS; column++)
            turn.left[seat][column] = seat == N - 1 ? mine[column] : turn.left[seat + 1][column];
    }
}

// Everybody's mean share over many ways that the solved turn may go, in turn.mean. Where the judge itself plays,
// its own share is known exactly, and corrects the others' by what the anchor says they gain from it.
template <int N>
DEVICE void sample_turn(const Games& games, Turn& turn, const float* value, const float* worth, int at, bool exact) {
    float sum[N] = {};
    for (int sample = thread(); sample < games.samples; sample += threads()) {
        Random random = open_random(games.seed, turn.game, at, 1 + sample);
        Runners runners;
        const int state = play_turn(turn, value, runners, random, {false, false, 0.f, 0.f, 0.f, 0.f});
        for (int seat = 0; seat < N; seat++) sum[seat] += worth[seat * MOST_STATES + state];
    }
    for (int seat = 0; seat < N; seat++) {
        sum[seat] = warp_sum(sum[seat]);
        if (lane() == 0) turn.partial[warp()][seat] = sum[seat];
    }
    sync_block();
    if (thread() == 0) {
        for (int seat = 0; seat < N; seat++) {
            turn.mean[seat] = 0.f;
            for (int i = 0; i < warps(); i++) turn.mean[seat] += turn.partial[i][seat];
            turn.mean[seat] /= games.samples;
        }
        if (exact) {
            const float missing = turn.root - turn.mean[0], rest = fmaxf(1.f - worth[0], 1e-6f);
            for (int seat = 1; seat < N; seat++) turn.mean[seat] -= missing * worth[seat * MOST_STATES] / rest;
            turn.mean[0] = turn.root;
        }
    }
    sync_block();
}

template <int N>
DEVICE void play_one_turn(const Games& games, Turn& turn, char* memory, float* value, float* worth, int at) {
    const int mover = at % N;
    const bool rival = games.rival_count && games.rivals[turn.game % games.rival_count] >> mover & 1;
    const bool sampled = N > 2 || games.rival_count;
    const size_t index = (size_t)turn.game * games.turns + at;
    begin_turn<N>(turn);
    if (games.anchors) write_anchor<N>(turn, games.anchors + index * N * SEAT_BYTES);
    evaluate<N>(games.evaluator[rival], turn, memory, value, sampled && !rival ? worth : nullptr);
    solve_states(turn, memory, value);
    if (rival) evaluate<N>(games.evaluator[0], turn, memory, worth + N * MOST_STATES, worth);
    if (sampled && games.samples) sample_turn<N>(games, turn, value, worth, at, !rival);
    if (thread() == 0) {
        Random random = open_random(games.seed, turn.game, at, 0);
        const bool explore = games.explore > 0.f && draw_share(random) < games.explore;
        Manner manner = explore ? random_manner(random) : Manner{false, false, 0.f, 0.f, 0.f, 0.f};
        if (games.people) {
            Random who = open_random(games.seed, turn.game, mover, 1u << 31);
            manner = person(who);
        }
        float* solved = games.solved + index * N;
        for (int seat = 0; seat < N; seat++) solved[seat] = seat ? 1.f - turn.root : turn.root;
        if (sampled && games.samples)
            for (int seat = 0; seat < N; seat++) solved[seat] = turn.mean[seat];
        games.explored[index] = explore;
        Runners runners;
        const int state = games.solve_only ? 0 : play_turn(turn, value, runners, random, manner);
        float* after = games.after + index * N;
        for (int seat = 0; seat < N; seat++)
            after[seat] = sampled ? worth[seat * MOST_STATES + state]
                          : seat  ? 1.f - fabsf(value[state])
                                  : fabsf(value[state]);
        if (!games.solve_only) end_turn<N>(turn, state, runners);
    }
    sync_block();
}

template <int N>
DEVICE void play_games(const Games& games, Turn& turn, char* memory, float* scratch) {
    float *value = scratch, *worth = scratch + MOST_STATES;
    copy_board(turn);
    while (true) {
        if (thread() == 0) turn.game = fetch_add(games.counter, 1);
        sync_block();
        if (turn.game >= games.games) return;
        read_anchor<N>(turn, games.starts + (size_t)(turn.game / games.repeats % games.start_count) * START_BYTES<N>, games.sharing);
        int at = 0;
        while (at < games.turns && !turn.ended) {
            play_one_turn<N>(games, turn, memory, value, worth, at++);
        }
        if (thread() == 0) {
            games.length[turn.game] = at;
            const int mover = (at - 1) % N;
            for (int seat = 0; seat < N; seat++)
                games.result[turn.game * N + (mover + seat) % N] = turn.ended ? turn.last[turn.ended - 1][seat] : -1.f;
        }
        sync_block();
    }
}

// Floats of scratch that a block needs.
template <int N>
constexpr size_t SCRATCH = (size_t)MOST_STATES * (N + 2);
