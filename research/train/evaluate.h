// What all ends of a turn are worth: by a network or by the race model.
//
// Both add up vectors: a base for the anchor and one difference for every runner. `stop` gets what a stop
// is worth to the seat that played, -1 where it is illegal; `worth`, where given, every seat's share.
#pragma once
#include "turn.h"

constexpr int DEEP = 32;  // width of the networks' second layer
constexpr int NEEDS = 5;  // columns that a seat may still need
constexpr int RACE_WIDE = 32, RACE_DEEP = 16, RACE_STRIDE = RACE_WIDE + 1, RACE_NEEDS = 94;
constexpr float FARTHEST = 40.f, PARTS = 4.f, NEGLIGIBLE = 1e-9f;
constexpr int NEVER = 1000000;

constexpr int PAIR_ROWS = 916, NEED_ROWS = NEEDS * NEEDS;
constexpr float HIGHEST = 8.f;  // a sum above it counts as it

// A network as network.py lays it out for the device: mirror images side by side, so 2 * units wide. There is a
// table of pairs and one of needs for every two seats, in the order (0, 1), (0, 2), ..., (1, 2), ...
struct Network {
    const float *pairs, *needs, *early;
    const Half* hidden;
    const float *hidden_bias, *out, *out_bias;
    int units, squares;  // the networks before these did not square their sums
};

struct Race {
    const float *vectors, *hidden, *hidden_bias, *out, *later, *duels;
    float out_bias;
    int rows, turns;
};

enum Kind_of_evaluator { NETWORK, RACE };

struct Evaluator {
    Network network;
    Race race;
    int kind;
};

// Sets what a finished turn is worth where the network or the race model need not be asked.
template <int N>
DEVICE void settle(const Turn& turn, const End& end, int state, const float* shares, float* stop, float* worth) {
    const float* given = turn.over[end.won] ? turn.last[end.won] : shares;
    stop[state] = end.legal ? given[0] : -1.f;
    if (worth)
        for (int seat = 0; seat < N; seat++) worth[seat * MOST_STATES + state] = given[seat];
}

// ---- the network

// The vector of one column as the next seat to move will see it; `mine` are the spaces left to the one who played.
template <int N>
DEVICE float column_vector(const Network& net, const Turn& turn, int column, int mine, int unit) {
    const int wide = 2 * net.units, across = (turn.other_row[column + 1] - turn.other_row[column]);
    const bool closed = mine == 0;
    int left[N], couple = 0;
#pragma unroll
    for (int seat = 0; seat < N; seat++)
        left[seat] = closed ? 0 : seat == N - 1 ? mine : turn.left[(seat + 1) % N][column];
    float sum = 0.f;
#pragma unroll
    for (int one = 0; one < N; one++)
#pragma unroll
        for (int other = one + 1; other < N; other++, couple++)
            sum += net.pairs[(size_t)(couple * PAIR_ROWS + turn.pair_row[column] + left[one] * across + left[other]) * wide + unit];
    return sum;
}

// The vectors of everybody's needs after the turn has won some columns.
template <int N>
DEVICE float needs_vector(const Network& net, const Turn& turn, int won, int unit) {
    const int wide = 2 * net.units;
    int need[N], couple = 0;
#pragma unroll
    for (int seat = 0; seat < N; seat++)
        need[seat] = seat == N - 1 ? most(turn.need[0] - won, 1) : turn.need[(seat + 1) % N];
    float sum = turn.early ? net.early[unit] : 0.f;
#pragma unroll
    for (int one = 0; one < N; one++)
#pragma unroll
        for (int other = one + 1; other < N; other++, couple++)
            sum += net.needs[(size_t)(couple * NEED_ROWS + (need[one] - 1) * NEEDS + need[other] - 1) * wide + unit];
    return sum;
}

template <int N>
constexpr int OUTPUTS = N == 2 ? 1 : N;

// From the last layer to everybody's share; the network's seats are counted from the next to move.
template <int N>
DEVICE void shares_of(const float* logit, float* shares) {
    if (N == 2) {
        shares[1] = 1.f / (1.f + expf(-logit[0]));
        shares[0] = 1.f - shares[1];
        return;
    }
    float highest = logit[0], sum = 0.f;
    for (int k = 1; k < N; k++) highest = fmaxf(highest, logit[k]);
    for (int k = 0; k < N; k++) sum += shares[(k + 1) % N] = expf(logit[k] - highest);
    for (int k = 0; k < N; k++) shares[k] /= sum;
}

DEVICE float square(float sum, bool squares) {
    const float kept = positive(sum);
    return squares ? fminf(kept, HIGHEST) * fminf(kept, HIGHEST) : kept;
}

DEVICE int row_stride(int units) { return 2 * units + 32; }  // no bank conflicts among neighbours
DEVICE int hidden_stride(int units) { return units + 32; }

template <int N>
DEVICE void prepare_network(const Network& net, const Turn& turn, Half* rows, Half* hidden) {
    const int wide = 2 * net.units, stride = row_stride(net.units);
    for (int i = thread(); i < DEEP * net.units; i += threads())
        hidden[i / net.units * hidden_stride(net.units) + i % net.units] = net.hidden[i];
    for (int i = thread(); i < FIRST_BASE * wide; i += threads()) {
        const int row = i / wide, unit = i % wide;
        float sum = 0.f;
        if (row != NO_ROW) {
            const int column = turn.row_column[row], left = turn.row_left[row];
            if (left < turn.steps[column] && turn.left[0][column])
                sum = column_vector<N>(net, turn, column, turn.space[column][left], unit) -
                      column_vector<N>(net, turn, column, turn.left[0][column], unit);
        }
        rows[row * stride + unit] = to_half(sum);
    }
    for (int unit = thread(); unit < wide; unit += threads()) {
        float sum = 0.f;
        for (int column = 0; column < COLUMNS; column++)
            sum += column_vector<N>(net, turn, column, turn.left[0][column], unit);
        for (int won = 0; won <= RUNNERS; won++)
            rows[(FIRST_BASE + won) * stride + unit] = to_half(sum + needs_vector<N>(net, turn, won, unit));
    }
    sync_block();
}

#ifdef __CUDACC__
DEVICE void multiply(float* sums, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

DEVICE unsigned add_and_square(unsigned base, unsigned one, unsigned two, unsigned three, bool squares) {
    half2 sum = __hadd2(*(half2*)&base, __hadd2(*(half2*)&one, __hadd2(*(half2*)&two, *(half2*)&three)));
    sum = __hmax2(sum, __float2half2_rn(0.f));
    if (squares) {
        sum = __hmin2(sum, __float2half2_rn(HIGHEST));
        sum = __hmul2(sum, sum);
    }
    return *(unsigned*)&sum;
}

DEVICE unsigned add_halves(unsigned one, unsigned other) {
    const half2 sum = __hadd2(*(half2*)&one, *(half2*)&other);
    return *(unsigned*)&sum;
}

// Eight units of an end's first layer: the squares of what is positive of a sum and of its mirror image.
DEVICE uint4 first_layer(const Half* const* rows, int at, int units, bool squares) {
    uint4 sum[2];
#pragma unroll
    for (int image = 0; image < 2; image++) {
        const int from = at + image * units;
        const uint4 a = *(const uint4*)(rows[0] + from), b = *(const uint4*)(rows[1] + from);
        const uint4 c = *(const uint4*)(rows[2] + from), d = *(const uint4*)(rows[3] + from);
        sum[image] = {add_and_square(a.x, b.x, c.x, d.x, squares), add_and_square(a.y, b.y, c.y, d.y, squares),
                      add_and_square(a.z, b.z, c.z, d.z, squares), add_and_square(a.w, b.w, c.w, d.w, squares)};
    }
    return {add_halves(sum[0].x, sum[1].x), add_halves(sum[0].y, sum[1].y), add_halves(sum[0].z, sum[1].z),
            add_halves(sum[0].w, sum[1].w)};
}

// Sixteen ends at a time on a warp's tensor cores: a lane holds parts of ends `group` and `group + 8`.
template <int N>
DEVICE void evaluate_network(const Network& net, Turn& turn, char* memory, float* stop, float* worth) {
    Half* rows = (Half*)memory;
    Half* hidden = rows + ROWS * row_stride(net.units);
    prepare_network<N>(net, turn, rows, hidden);
    const int units = net.units, stride = row_stride(units), total = turn.first[SETS];
    const int group = lane() >> 2, part = lane() & 3;
    for (int tile = warp(); tile * 16 < total; tile += warps()) {
        const Half* source[2][4];
        End ends[2];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const End end = ends[half] = end_of(turn, least(tile * 16 + half * 8 + group, total - 1));
            source[half][0] = rows + (FIRST_BASE + end.won) * stride + part * 8;
#pragma unroll
            for (int at = 0; at < RUNNERS; at++) source[half][at + 1] = rows + end.row[at] * stride + part * 8;
        }
        float sums[4][4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            sums[j][0] = sums[j][2] = net.hidden_bias[j * 8 + part * 2];
            sums[j][1] = sums[j][3] = net.hidden_bias[j * 8 + part * 2 + 1];
        }
        for (int at = 0; at < units; at += 32) {
            const uint4 x = first_layer(source[0], at, units, net.squares), y = first_layer(source[1], at, units, net.squares);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const uint4 w = *(const uint4*)(hidden + (j * 8 + group) * hidden_stride(units) + at + part * 8);
                multiply(sums[j], x.x, y.x, x.y, y.y, w.x, w.y);
                multiply(sums[j], x.z, y.z, x.w, y.w, w.z, w.w);
            }
        }
        float logits[2][OUTPUTS<N>];
#pragma unroll
        for (int o = 0; o < OUTPUTS<N>; o++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float sum = 0.f;
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    const float* weight = net.out + o * DEEP + j * 8 + part * 2;
                    sum += weight[0] * positive(sums[j][half * 2]) + weight[1] * positive(sums[j][half * 2 + 1]);
                }
                sum += __shfl_xor_sync(~0u, sum, 1);
                sum += __shfl_xor_sync(~0u, sum, 2);
                logits[half][o] = sum + net.out_bias[o];
            }
        }
        if (part < 2) {
            const int state = tile * 16 + part * 8 + group;
            float shares[N], logit[OUTPUTS<N>];
#pragma unroll
            for (int o = 0; o < OUTPUTS<N>; o++) logit[o] = part ? logits[1][o] : logits[0][o];
            shares_of<N>(logit, shares);
            if (state < total) settle<N>(turn, part ? ends[1] : ends[0], state, shares, stop, worth);
        }
    }
    sync_block();
}
#else
template <int N>
DEVICE void evaluate_network(const Network& net, Turn& turn, char* memory, float* stop, float* worth) {
    Half* rows = (Half*)memory;
    Half* hidden = rows + ROWS * row_stride(net.units);
    prepare_network<N>(net, turn, rows, hidden);
    const int units = net.units, stride = row_stride(units);
    for (int state = 0; state < turn.first[SETS]; state++) {
        const End end = end_of(turn, state);
        float deep[DEEP], logits[OUTPUTS<N>], shares[N];
        for (int j = 0; j < DEEP; j++) deep[j] = net.hidden_bias[j];
        for (int unit = 0; unit < units; unit++) {
            float sum[2];
            for (int image = 0; image < 2; image++) {
                const int at = unit + image * units;
                sum[image] = rows[(FIRST_BASE + end.won) * stride + at];
                for (int runner = 0; runner < RUNNERS; runner++) sum[image] += rows[end.row[runner] * stride + at];
            }
            const float first = square(sum[0], net.squares) + square(sum[1], net.squares);
            for (int j = 0; j < DEEP; j++) deep[j] += first * hidden[j * hidden_stride(units) + unit];
        }
        for (int o = 0; o < OUTPUTS<N>; o++) {
            logits[o] = net.out_bias[o];
            for (int j = 0; j < DEEP; j++) logits[o] += net.out[o * DEEP + j] * positive(deep[j]);
        }
        shares_of<N>(logits, shares);
        settle<N>(turn, end, state, shares, stop, worth);
    }
}
#endif

// ---- the race model

// The steps that a seat has left in a column, as the race model counts them.
template <int N>
DEVICE int race_left(const Turn& turn, int seat, int column, int mine) {
    if (mine == 0) return 0;
    const int own = seat == 0 ? mine : turn.left[seat][column];
    int left = own;
    if (turn.sharing == LEAPFROG)
        for (int other = 0; other < N; other++)
            left -= other != seat && (other == 0 ? mine : turn.left[other][column]) < own;
    return left;
}

// The columns that a seat needs to be the winner (W4, W5), when the turn has won some.
template <int N>
DEVICE int race_need(const Turn& turn, int seat, int won) {
    int rival = 0, mine = 0;
    for (int other = 0; other < N; other++) {
        const int columns = turn.win - turn.need[other] + (other == 0 ? won : 0);
        if (other == seat) mine = columns;
        else rival = most(rival, columns);
    }
    const int open = turn.open - won, ahead = rival - mine + open;
    const int half = (ahead - (ahead < 0 && ahead % 2 ? 1 : 0)) / 2;  // rounded down
    const int needed = most(0, least(turn.win - mine, half + 1));
    return needed > open ? NEVER : needed;
}

struct RaceMemory {
    float rows[SEATS][ROWS * RACE_STRIDE];
    float hidden[RACE_WIDE * RACE_DEEP], hidden_bias[RACE_DEEP], out[RACE_DEEP];
    float stretch[SEATS][RUNNERS + 1];
};

template <int N>
DEVICE void prepare_race(const Race& race, const Turn& turn, RaceMemory& memory) {
    for (int i = thread(); i < RACE_WIDE * RACE_DEEP; i += threads()) memory.hidden[i] = race.hidden[i];
    for (int i = thread(); i < RACE_DEEP; i += threads())
        memory.hidden_bias[i] = race.hidden_bias[i], memory.out[i] = race.out[i];
    for (int i = thread(); i < N * FIRST_BASE * RACE_WIDE; i += threads()) {
        const int seat = i / (FIRST_BASE * RACE_WIDE), row = i / RACE_WIDE % FIRST_BASE, unit = i % RACE_WIDE;
        float sum = 0.f;
        if (row != NO_ROW) {
            const int column = turn.row_column[row], left = turn.row_left[row], token = turn.left[0][column];
            const float* vectors = race.vectors + turn.other_row[column] * RACE_WIDE + unit;
            if (left < turn.steps[column] && token)
                sum = vectors[race_left<N>(turn, seat, column, turn.space[column][left]) * RACE_WIDE] -
                      vectors[race_left<N>(turn, seat, column, token) * RACE_WIDE];
        }
        memory.rows[seat][row * RACE_STRIDE + unit] = sum;
    }
    for (int i = thread(); i < N * (RUNNERS + 1) * RACE_WIDE; i += threads()) {
        const int seat = i / ((RUNNERS + 1) * RACE_WIDE), won = i / RACE_WIDE % (RUNNERS + 1), unit = i % RACE_WIDE;
        const int need = race_need<N>(turn, seat, won);
        float sum = race.vectors[(RACE_NEEDS + least(need, NEEDS)) * RACE_WIDE + unit];
        for (int column = 0; column < COLUMNS; column++)
            sum += race.vectors[(turn.other_row[column] + race_left<N>(turn, seat, column, turn.left[0][column])) * RACE_WIDE + unit];
        memory.rows[seat][(FIRST_BASE + won) * RACE_STRIDE + unit] = sum;
        if (unit == 0) memory.stretch[seat][won] = need == 0 ? 0.f : fmaxf(need / (float)NEEDS, 1.f);
    }
    sync_block();
}

// The turns that a seat would need alone.
DEVICE float distance_of(const RaceMemory& memory, float out_bias, int seat, const End& end) {
    if (memory.stretch[seat][end.won] == 0.f) return 0.f;
    const float* rows = memory.rows[seat];
    float deep[RACE_DEEP], result = out_bias;
#pragma unroll
    for (int j = 0; j < RACE_DEEP; j++) deep[j] = memory.hidden_bias[j];
    for (int unit = 0; unit < RACE_WIDE; unit++) {
        float sum = rows[(FIRST_BASE + end.won) * RACE_STRIDE + unit];
#pragma unroll
        for (int at = 0; at < RUNNERS; at++) sum += rows[end.row[at] * RACE_STRIDE + unit];
        sum = positive(sum);
#pragma unroll
        for (int j = 0; j < RACE_DEEP; j++) deep[j] += sum * memory.hidden[unit * RACE_DEEP + j];
    }
#pragma unroll
    for (int j = 0; j < RACE_DEEP; j++) result += memory.out[j] * positive(deep[j]);
    const float after = positive(result) + log1pf(expf(-fabsf(result)));
    return fminf(1.f + after * memory.stretch[seat][end.won], FARTHEST);
}

struct Between {
    int below;
    float share;
};

DEVICE Between between(float distance, int rows) {
    const float part = fminf(fmaxf(distance * PARTS, 0.f), rows - 1.001f);
    return {(int)part, part - (int)part};
}

// Who gets there first; the seat after the one that played begins.
template <int N>
DEVICE void race_shares(const Race& race, const float* far, float* shares) {
    Between at[N];
    for (int seat = 0; seat < N; seat++) at[seat] = between(far[seat], race.rows);
    if (N == 2) {
        const float* near = race.duels + at[1].below * race.rows + at[0].below;
        const float low = near[0] * (1 - at[0].share) + near[1] * at[0].share;
        near += race.rows;
        const float high = near[0] * (1 - at[0].share) + near[1] * at[0].share;
        shares[1] = low * (1 - at[1].share) + high * at[1].share;
        shares[0] = 1.f - shares[1];
        return;
    }
    float before[N], total = 0.f;
    for (int seat = 0; seat < N; seat++) before[seat] = 1.f, shares[seat] = 0.f;
    for (int t = 0; t < race.turns; t++) {
        float nobody = 1.f;
#pragma unroll
        for (int k = 1; k <= N; k++) {
            const int seat = k % N;
            const float* later = race.later + at[seat].below * race.turns + t;
            const float after = later[0] * (1 - at[seat].share) + later[race.turns] * at[seat].share;
            float others = before[seat] - after;
#pragma unroll
            for (int other = 0; other < N; other++)
                if (other != seat) others *= before[other];
            shares[seat] += others;
            before[seat] = after;
            nobody *= after;
        }
        if (nobody < NEGLIGIBLE) break;
    }
    for (int seat = 0; seat < N; seat++) total += shares[seat];
    for (int seat = 0; seat < N; seat++) shares[seat] /= total;
}

template <int N>
DEVICE void evaluate_race(const Race& race, Turn& turn, char* shared_memory, float* stop, float* worth) {
    RaceMemory& memory = *(RaceMemory*)shared_memory;
    prepare_race<N>(race, turn, memory);
    for (int seat = thread(); seat < N; seat += threads())
        turn.far[seat] = distance_of(memory, race.out_bias, seat, {{NO_ROW, NO_ROW, NO_ROW}, 0, true});
    sync_block();
    for (int state = thread(); state < turn.first[SETS]; state += threads()) {
        const End end = end_of(turn, state);
        float shares[N], far[N];
        if (!turn.over[end.won]) {
            for (int seat = 0; seat < N; seat++)
                far[seat] = seat && !end.won && turn.sharing != LEAPFROG
                                ? turn.far[seat]
                                : distance_of(memory, race.out_bias, seat, end);
            race_shares<N>(race, far, shares);
        }
        settle<N>(turn, end, state, shares, stop, worth);
    }
    sync_block();
}

template <int N>
DEVICE void evaluate(const Evaluator& evaluator, Turn& turn, char* memory, float* stop, float* worth) {
    if (evaluator.kind == NETWORK) evaluate_network<N>(evaluator.network, turn, memory, stop, worth);
    else evaluate_race<N>(evaluator.race, turn, memory, stop, worth);
}
