// The recursion over all states of a turn, from the last one back.
//
// `value` comes in with what stops are worth and goes out with what states are worth. The sign tells
// the decision: negative means that stopping is best.
#pragma once
#include "turn.h"

constexpr int LARGEST_BOX = 13 * 11 * 11;
constexpr int PLACES = 128 / LANES;  // the two shorter sides of a box have at most 11 * 11 places
constexpr int WARP_FLOATS = (LARGEST_BOX + 3) / 4 * 4 + OPTIONS * LANES + (LANES == 1 ? 3 : 0) + 2 * MOST_KINDS;

struct alignas(16) TwoKinds {
    Kind one, other;
};

DEVICE float decide(float stop, float again) { return stop >= again ? -stop : again; }

// Three runners: a box in the warp's own memory, all states with equally many steps left at once.
DEVICE void solve_triple(const Turn& turn, int set, float* value, float bust, float* memory) {
    float* box = memory;
    float* option = memory + (LARGEST_BOX + 3) / 4 * 4 + lane();
    Kind* kinds = (Kind*)(memory + (LARGEST_BOX + 3) / 4 * 4 + OPTIONS * LANES + (LANES == 1 ? 3 : 0));
    int size[RUNNERS], stride[RUNNERS];
    for (int at = 0; at < RUNNERS; at++) size[at] = turn.start[turn.members[set][at]];
    stride[0] = size[1] * size[2], stride[1] = size[2], stride[2] = 1;
    const int states = size[0] * stride[0];
    if (states == 0) return;
    for (int i = lane(); i < states; i += LANES) box[i] = value[i];
    // z is the longest side: the lanes lie side by side in x and y
    const int kz = size[2] >= size[1] && size[2] >= size[0] ? 2 : size[1] >= size[0] ? 1 : 0;
    const int kx = kz == 0 ? 1 : 0, ky = kz == 2 ? 1 : 2;
    const int nx = kx ? size[1] : size[0], ny = ky == 1 ? size[1] : size[2];
    const int nz = kz == 0 ? size[0] : kz == 1 ? size[1] : size[2];
    const int sx = kx ? stride[1] : stride[0], sy = ky == 1 ? stride[1] : 1;
    const int sz = kz == 0 ? stride[0] : kz == 1 ? stride[1] : 1;
    const int* start = BOARD.kinds_start + (set - FIRST_TRIPLE) * MASKS;
    const float* useless = BOARD.useless + (set - FIRST_TRIPLE) * MASKS;
    const int first = start[0];
    for (int i = lane(); i < start[MASKS] - first; i += LANES) kinds[i] = KINDS[first + i];
    int xs[PLACES], ys[PLACES];
#pragma unroll
    for (int i = 0; i < PLACES; i++) {
        const int place = i * LANES + lane();
        xs[i] = place < nx * ny ? place / ny : 999, ys[i] = place < nx * ny ? place % ny : 999;
    }
    sync_warp();
    for (int level = 0; level < nx + ny + nz - 2; level++) {
#pragma unroll
        for (int i = 0; i < PLACES; i++) {
            if (i * LANES >= nx * ny) continue;
            const int x = xs[i], y = ys[i], z = level - x - y;
            if (z < 0 || z >= nz) continue;
            float* here = box + x * sx + y * sy + z * sz;
            const float by_x = x ? fabsf(here[-sx]) : 0.f, by_y = y ? fabsf(here[-sy]) : 0.f;
            const float by_z = z ? fabsf(here[-sz]) : 0.f;
            option[kx * LANES] = by_x, option[(TWICE + kx) * LANES] = x > 1 ? fabsf(here[-2 * sx]) : by_x;
            option[ky * LANES] = by_y, option[(TWICE + ky) * LANES] = y > 1 ? fabsf(here[-2 * sy]) : by_y;
            option[kz * LANES] = by_z, option[(TWICE + kz) * LANES] = z > 1 ? fabsf(here[-2 * sz]) : by_z;
            option[(EACH + kx + ky) * LANES] = x && y ? fabsf(here[-sx - sy]) : 0.f;
            option[(EACH + kx + kz) * LANES] = x && z ? fabsf(here[-sx - sz]) : 0.f;
            option[(EACH + ky + kz) * LANES] = y && z ? fabsf(here[-sy - sz]) : 0.f;
            const int mask = (x == 0) << kx | (y == 0) << ky | (z == 0) << kz;
            constexpr unsigned FIELD = (1u << OPTION_BITS) - 1;
            float even = useless[mask] * bust, odd = 0.f;
            const int last = start[mask + 1] - first;
#pragma unroll 4
            for (int kind = start[mask] - first; kind < last; kind += 2) {
                const TwoKinds two = *(const TwoKinds*)(kinds + kind);
                const unsigned a = two.one.options, b = two.other.options;
                even += two.one.chance * fmaxf(option[a & FIELD], fmaxf(option[a >> OPTION_BITS & FIELD],
                                                                        option[a >> 2 * OPTION_BITS]));
                odd += two.other.chance * fmaxf(option[b & FIELD], fmaxf(option[b >> OPTION_BITS & FIELD],
                                                                         option[b >> 2 * OPTION_BITS]));
            }
            *here = decide(*here, even + odd);
        }
        sync_warp();
    }
    for (int i = lane(); i < states; i += LANES) value[i] = box[i];
    sync_warp();
}

// Fewer than three runners out.
struct Out {
    unsigned columns;
    int count, column[2], left[2];
};

DEVICE int left_in(const Turn& turn, const Out& out, int column) {
    if (out.count > 0 && column == out.column[0]) return out.left[0];
    if (out.count > 1 && column == out.column[1]) return out.left[1];
    return turn.start[column];
}

// What a split or a lone column leads to, as a number that orders the options of a roll: 0 where it is
// of no use; with V2 the runners that it brings come first.
constexpr unsigned USABLE = 1, BROUGHT_BITS = 30, VALUE = (1u << BROUGHT_BITS) - 1;

DEVICE unsigned look(const Turn& turn, const Out& out, int low, int high, bool lone, const float* value) {
    const int in_low = left_in(turn, out, low), in_high = left_in(turn, out, high);
    int by_low = in_low > 0, by_high = in_high > 0;
    if (low == high) by_low = !lone && in_low > 1 ? 2 : by_low, by_high = 0;
    if (by_low + by_high == 0) return 0;
    const int new_low = by_low && !(out.columns >> low & 1), new_high = by_high && !(out.columns >> high & 1);
    if (out.count + new_low + new_high > RUNNERS) return 0;  // T5: the lone columns stand for it
    const int set = turn.set_of[out.columns | (by_low ? 1u << low : 0) | (by_high ? 1u << high : 0)];
    int state = 0;
#pragma unroll
    for (int at = 0; at < RUNNERS; at++) {
        const int column = turn.members[set][at];
        int left = left_in(turn, out, column);
        if (column == low) left -= by_low;
        if (column == high) left -= by_high;
        state = state * turn.steps[column] + left;
    }
    const unsigned brought = turn.early ? new_low + new_high : 0;
    return (bits_of(fabsf(value[turn.first[set] + state])) + USABLE) | brought << BROUGHT_BITS;
}

// What rolling is worth: all lanes of a warp look at splits, then at rolls.
DEVICE float roll_value(const Turn& turn, const Out& out, const float* value, float bust, unsigned* looks) {
    for (int i = lane(); i < SPLITS + COLUMNS; i += LANES) {
        const bool lone = i >= SPLITS;
        looks[i] = look(turn, out, lone ? i - SPLITS : turn.split[i][0], lone ? i - SPLITS : turn.split[i][1], lone, value);
    }
    sync_warp();
    if (out.count == RUNNERS - 1) {
        for (int i = lane(); i < SPLITS; i += LANES) {
            const int low = turn.split[i][0], high = turn.split[i][1];
            const unsigned one = looks[SPLITS + low], other = looks[SPLITS + high];
            if (low != high && !((out.columns >> low | out.columns >> high) & 1)) looks[i] = one > other ? one : other;
        }
        sync_warp();
    }
    float sum = 0.f;
    for (int roll = lane(); roll < turn.rolls; roll += LANES) {
        const uint8_t* splits = turn.roll_splits[roll];
        unsigned best = looks[splits[0]];
        best = looks[splits[1]] > best ? looks[splits[1]] : best;
        best = looks[splits[2]] > best ? looks[splits[2]] : best;
        sum += turn.chance[roll] * (best ? float_of((best & VALUE) - USABLE) : bust);
    }
    sum = warp_sum(sum);
    sync_warp();
    return sum;
}

DEVICE void solve_states(Turn& turn, char* memory, float* value) {
    const float bust = value[0];
    float* mine = (float*)memory + warp() * WARP_FLOATS;
    if (thread() == 0) turn.counter = 0;
    sync_block();
    for (int at = take_next(&turn.counter, 1); at < TRIPLES; at = take_next(&turn.counter, 1)) {
        const int set = turn.order[at];
        solve_triple(turn, set, value + turn.first[set], bust, mine);
    }
    sync_block();
    for (int size = RUNNERS - 1; size > 0; size--) {
        const int from = size == 1 ? 1 : FIRST_PAIR, to = size == 1 ? FIRST_PAIR : FIRST_TRIPLE;
        if (thread() == 0) turn.counter = to - 1;  // the long columns come last
        sync_block();
        for (int set = take_next(&turn.counter, -1); set >= from; set = take_next(&turn.counter, -1)) {
            Out out = {0, size, {turn.members[set][0], size > 1 ? turn.members[set][1] : COLUMNS}, {0, 0}};
            const int across = turn.steps[out.column[1]], deep = turn.start[out.column[0]];
            out.columns = 1u << out.column[0] | (size > 1 ? 1u << out.column[1] : 0);
            if (size > 1 && turn.start[out.column[1]] == 0) continue;
            for (out.left[0] = 0; out.left[0] < deep; out.left[0]++)
                for (out.left[1] = 0; out.left[1] < across; out.left[1]++) {
                    const float again = roll_value(turn, out, value, bust, (unsigned*)mine);
                    float* here = value + turn.first[set] + out.left[0] * across + out.left[1];
                    if (lane() == 0) *here = decide(*here, again);
                    sync_warp();
                }
        }
        sync_block();
    }
    if (warp() == 0) {
        const float root = roll_value(turn, {0, 0, {COLUMNS, COLUMNS}, {0, 0}}, value, bust, (unsigned*)mine);
        if (lane() == 0) turn.root = root;
    }
    sync_block();
}
