// Functions that have a second form for the processor's sake; tests compare them with the Python.
#pragma once

typedef float f32x4 __attribute__((vector_size(16)));
typedef int i32x4 __attribute__((vector_size(16)));
typedef short i16x8 __attribute__((vector_size(16)));
typedef float f32x4_any __attribute__((vector_size(16), aligned(4)));
typedef int i32x4_any __attribute__((vector_size(16), aligned(4)));

INLINED f32x4 splat4(float x) { return f32x4{x, x, x, x}; }
INLINED i32x4 splat4(int x) { return i32x4{x, x, x, x}; }
INLINED f32x4 load4(const float* from) { return *(const f32x4_any*)from; }
// pmin and pmax are one instruction each: they need not mind NaN
INLINED f32x4 smaller4(f32x4 a, f32x4 b) { return __builtin_wasm_pmin_f32x4(a, b); }
INLINED f32x4 larger4(f32x4 a, f32x4 b) { return __builtin_wasm_pmax_f32x4(a, b); }

typedef double f64x2 __attribute__((vector_size(16)));
INLINED f64x2 both_of(const double* value, int one, int other) { return f64x2{value[one], value[other]}; }
INLINED f64x2 larger2(f64x2 a, f64x2 b) { return __builtin_wasm_pmax_f64x2(a, b); }

// _solve_triple of turn/recursion.py. A state depends on states alone whose runners have less left
// to their tops in all: those with equally much left are solved four at a time.
enum { TRIPLE_PAIRS = 2, TRIPLE_LANES = 2 * TRIPLE_PAIRS };
struct TripleState {
    int here, once[TRIPLE_RUNNERS], twice[TRIPLE_RUNNERS];  // and how far one and two steps lead
};
struct TripleRun {
    const double *stop, *chances;
    double *again, *value;
    const unsigned char* offered;
};
static f64x2 triple_options[TRIPLE_OPTIONS][TRIPLE_PAIRS];

static __attribute__((noinline)) void solve_lanes(const TripleRun& run, const TripleState* lanes, int count, int begin, int end, double bust) {
    const double* value = run.value;
    for (int pair = 0; pair < TRIPLE_PAIRS; pair++) {
        const TripleState &a = lanes[2 * pair], &b = lanes[2 * pair + 1];
        for (int at = 0; at < TRIPLE_RUNNERS; at++) {
            int one = at > 1, other = 1 + (at > 0);  // runners 0 and 1, 0 and 2, 1 and 2
            triple_options[at][pair] = both_of(value, a.here + a.once[at], b.here + b.once[at]);
            triple_options[TRIPLE_TWICE + at][pair] = both_of(value, a.here + a.twice[at], b.here + b.twice[at]);
            triple_options[TRIPLE_EACH + at][pair] = both_of(value, a.here + a.once[one] + a.once[other], b.here + b.once[one] + b.once[other]);
        }
    }
    f64x2 total[TRIPLE_PAIRS];
    for (int pair = 0; pair < TRIPLE_PAIRS; pair++) total[pair] = f64x2{bust, bust};
    for (int roll = begin; roll < end; roll++) {
        const unsigned char* offered = run.offered + 3 * roll;
        const f64x2 *one = triple_options[offered[0]], *two = triple_options[offered[1]], *three = triple_options[offered[2]];
        double chance = run.chances[roll];
#pragma unroll
        for (int pair = 0; pair < TRIPLE_PAIRS; pair++)
            total[pair] += f64x2{chance, chance} * larger2(larger2(one[pair], two[pair]), three[pair]);
    }
    for (int lane = 0; lane < count; lane++) {
        int here = lanes[lane].here;
        double again = total[lane / 2][lane % 2], stop = run.stop[here];
        run.again[here] = again;
        run.value[here] = again > stop ? again : stop;
    }
}

template <class T0, class T1, class T2, class T3>
static void solve_triple(T0 rolls, int triple, T1 steps, int last, double bust, T2 values, T3) {
    auto [start, chances, offered, bust_chance] = rolls;
    auto [stop, again, value] = values;
    const TripleRun run{stop.data, chances.data, again.data, value.data, offered.data};
    const int stride[TRIPLE_RUNNERS] = {steps[1] * steps[2], steps[2], 1};
    TripleState lanes[TRIPLE_LANES];
    for (int all = 0; all <= steps[0] + steps[1] + steps[2] - TRIPLE_RUNNERS; all++)
        for (int mask = 0; mask < TRIPLE_MASKS; mask++) {
            int from[TRIPLE_RUNNERS], to[TRIPLE_RUNNERS], count = 0;
            for (int at = 0; at < TRIPLE_RUNNERS; at++) {
                from[at] = mask >> at & 1 ? 0 : 1;
                to[at] = mask >> at & 1 ? 0 : steps[at] - 1;
            }
            const int begin = start[triple][mask], end = start[triple][mask + 1];
            const double busts = bust_chance[triple][mask] * bust;
            const int last0 = smaller(to[0], all - from[1] - from[2]);
            for (int left0 = larger(from[0], all - to[1] - to[2]); left0 <= last0; left0++) {
                const int rest = all - left0, last1 = smaller(to[1], rest - from[2]);
                for (int left1 = larger(from[1], rest - to[2]); left1 <= last1; left1++) {
                    const int left[TRIPLE_RUNNERS] = {left0, left1, rest - left1};
                    TripleState& lane = lanes[count++];
                    lane.here = last;
                    for (int at = 0; at < TRIPLE_RUNNERS; at++) {
                        lane.here -= left[at] * stride[at];
                        lane.once[at] = left[at] ? stride[at] : 0;
                        lane.twice[at] = left[at] > 1 ? 2 * stride[at] : lane.once[at];
                    }
                    if (count == TRIPLE_LANES) solve_lanes(run, lanes, count, begin, end, busts), count = 0;
                }
            }
            if (count) {
                for (int lane = count; lane < TRIPLE_LANES; lane++) lanes[lane] = lanes[0];
                solve_lanes(run, lanes, count, begin, end, busts);
            }
        }
}

// run_layers of evaluators/value/sums.py in whole numbers. Sums are multiples of VALUE_GRAIN, from 0
// to SUM_LIMIT, so that with the middle taken off they have 16 bits; weights are multiples of their
// row's grain (round_hidden), of 16 bits too. Products of two neighbours are added up in one
// instruction. All sums of a chunk of units fit into 32 bits, whatever their order.
static struct {
    Array<int, 2> weights;  // [to][pair]: the weights of two units, side by side
    Array<int, 2> middles;  // [to][chunk]: what the sums' middle adds
    Array<float, 1> scale;  // [to]: what 1 stands for
    Array<int, 2> sums;     // [pair][place]: two units, side by side
} whole;
alignas(16) static float deep_units[NETWORK_DEEP][NETWORK_BLOCK];

template <class T0, class T1> static void use_whole_numbers(T0 hidden, T1 grain) {
    int deep = hidden.shape[0], units = hidden.shape[1];
    whole.weights = make<int>(deep, units / 2);
    whole.middles = filled(make<int>(deep, (units + NETWORK_CHUNK - 1) / NETWORK_CHUNK), 0);
    whole.scale = make<float>(deep);
    whole.sums = make<int>(units / 2, NETWORK_BLOCK + NETWORK_PADDING);
    const int middle = (int)(NETWORK_SUM_LIMIT / 2 / VALUE_GRAIN);
    for (int to = 0; to < deep; to++) {
        whole.scale[to] = (float)(grain[to] * VALUE_GRAIN);
        for (int unit = 0; unit < units; unit++) {
            int weight = (int)(hidden[to][unit] / grain[to]);
            int& both = whole.weights[to][unit / 2];
            both = unit % 2 ? both | weight << 16 : weight & 0xffff;
            whole.middles[to][unit / NETWORK_CHUNK] += weight * middle;
        }
    }
}

// _add_to_block of turn/value_ends.py, with the sums of two units side by side: added to a large
// number, the lowest bits of a float are its multiple of VALUE_GRAIN, less the middle. Places are
// written four at a time: those beyond the last are written again, or lie between two rows.
template <class T0, class T1, class T2>
static __attribute__((noinline)) void add_to_block(T0 start, T1 slab, int begin, int count, T2 sums, int place) {
    const f32x4 large = splat4(1.5f * (float)VALUE_GRAIN * (1 << 23) - NETWORK_SUM_LIMIT / 2), none = splat4(0.0f);
    const f32x4 most = large + ((float)NETWORK_SUM_LIMIT - (float)VALUE_GRAIN);
    const int units = len(sums), row = slab.shape[1];
    for (int unit = 0; unit < units; unit += 2) {
        const f32x4 one = splat4(start[unit]), mirrored = splat4(start[units + unit]) + large;
        const f32x4 other = splat4(start[unit + 1]), other_mirrored = splat4(start[units + unit + 1]) + large;
        const float *left = &slab[unit][begin], *right = &slab[units + unit][begin];
        i32x4_any* into = (i32x4_any*)&whole.sums[unit / 2][place];
        for (int at = 0; at < count; at += 4) {
            const f32x4 low = larger4(one + load4(left + at), none) + larger4(mirrored + load4(right + at), large);
            const f32x4 high = larger4(other + load4(left + row + at), none) + larger4(other_mirrored + load4(right + row + at), large);
            *into++ = ((i32x4)smaller4(low, most) & 0xffff) | (i32x4)smaller4(high, most) << 16;
        }
    }
}

// A tile of 2 units by 16 places is held in registers: more of them spill.
static __attribute__((noinline)) void run_tile(int to, int place, const float* bias) {
    enum { UNITS = 2, VECTORS = 4 };
    const int pairs = whole.weights.shape[1], stride = whole.sums.shape[1];
    const int *first = whole.weights[to].data, *second = whole.weights[to + 1].data;
    const int* sums = &whole.sums[0][place];
    f32x4 total[UNITS][VECTORS] = {};
    for (int chunk = 0, pair = 0; pair < pairs; chunk++) {
        i32x4 tile[UNITS][VECTORS];
        for (int at = 0; at < UNITS; at++)
            for (int which = 0; which < VECTORS; which++) tile[at][which] = splat4(whole.middles[to + at][chunk]);
        const int end = smaller(pairs, pair + NETWORK_CHUNK / 2);
#pragma nounroll
        for (; pair < end; pair++, sums += stride) {
            const i16x8 one = (i16x8)splat4(first[pair]), two = (i16x8)splat4(second[pair]);
#pragma unroll
            for (int which = 0; which < VECTORS; which++) {
                const i16x8 sum = ((const i16x8*)sums)[which];
                tile[0][which] += __builtin_wasm_dot_s_i32x4_i16x8(sum, one);
                tile[1][which] += __builtin_wasm_dot_s_i32x4_i16x8(sum, two);
            }
        }
        for (int at = 0; at < UNITS; at++)
            for (int which = 0; which < VECTORS; which++) total[at][which] += __builtin_convertvector(tile[at][which], f32x4);
    }
    for (int at = 0; at < UNITS; at++)
        for (int which = 0; which < VECTORS; which++) {
            f32x4 sum = splat4(bias[to + at]) + total[at][which] * whole.scale[to + at];
            ((f32x4*)&deep_units[to + at][place])[which] = larger4(sum, splat4(0.0f));
        }
}

template <class T0, class T1, class T2, class T3> static void run_whole_layers(T0 layers, T1, T2, T3 logits) {
    for (int place = 0; place < NETWORK_BLOCK; place += 16)
        for (int to = 0; to < NETWORK_DEEP; to += 2) run_tile(to, place, layers.hidden_bias.data);
    for (int output = 0; output < len(logits); output++)
        for (int place = 0; place < NETWORK_BLOCK; place += 16) {
            f32x4 total[4];  // four at a time: each addition waits for the one before
            for (int which = 0; which < 4; which++) total[which] = splat4(layers.out_bias[output]);
            for (int at = 0; at < NETWORK_DEEP; at++)
#pragma unroll
                for (int which = 0; which < 4; which++)
                    total[which] += layers.out[output][at] * ((const f32x4*)&deep_units[at][place])[which];
            for (int which = 0; which < 4; which++) ((f32x4_any*)&logits[output][place])[which] = total[which];
        }
}
