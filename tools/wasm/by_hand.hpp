// Functions that have a second form for the processor's sake; tests compare them with the Python.
#pragma once

typedef float f32x4 __attribute__((vector_size(16)));
typedef int i32x4 __attribute__((vector_size(16)));
typedef short i16x8 __attribute__((vector_size(16)));
typedef float f32x4_any __attribute__((vector_size(16), aligned(4)));
typedef int i32x4_any __attribute__((vector_size(16), aligned(4)));
typedef short i16x8_any __attribute__((vector_size(16), aligned(2)));

INLINED f32x4 splat4(float x) { return f32x4{x, x, x, x}; }
INLINED i32x4 splat4(int x) { return i32x4{x, x, x, x}; }
INLINED i16x8 splat8(short x) { return i16x8{x, x, x, x, x, x, x, x}; }
INLINED i16x8 load8(const short* from) { return *(const i16x8_any*)from; }
// pmax is one instruction: it need not mind NaN
INLINED f32x4 larger4(f32x4 a, f32x4 b) { return __builtin_wasm_pmax_f32x4(a, b); }

typedef double f64x2 __attribute__((vector_size(16)));
INLINED f64x2 both_of(const double* value, int one, int other) { return f64x2{value[one], value[other]}; }
INLINED f64x2 larger2(f64x2 a, f64x2 b) { return __builtin_wasm_pmax_f64x2(a, b); }

// _solve_triple of turn/recursion.py. A state depends on states alone whose runners have less left
// to their tops in all: those with equally much left are solved four at a time.
enum { TRIPLE_PAIRS = 2, TRIPLE_LANES = 2 * TRIPLE_PAIRS };
struct TripleState {
    int here, twice[TRIPLE_RUNNERS];  // and how far two steps lead
};
struct TripleRun {
    const double *stop, *chances;
    double *again, *value;
    const unsigned char* offered;
    int once[TRIPLE_RUNNERS];  // how far one step leads
};
static f64x2 triple_options[TRIPLE_OPTIONS][TRIPLE_PAIRS];

static __attribute__((noinline)) void solve_lanes(const TripleRun& run, const TripleState* lanes, int count, int begin, int end, double bust) {
    for (int pair = 0; pair < TRIPLE_PAIRS; pair++) {
        const TripleState &a = lanes[2 * pair], &b = lanes[2 * pair + 1];
        const double *from = run.value + a.here, *other_from = run.value + b.here;
#pragma unroll
        for (int at = 0; at < TRIPLE_RUNNERS; at++) {
            const int one = at > 1, other = 1 + (at > 0);  // runners 0 and 1, 0 and 2, 1 and 2
            const int once = run.once[at], each = run.once[one] + run.once[other];
            triple_options[at][pair] = f64x2{from[once], other_from[once]};
            triple_options[TRIPLE_TWICE + at][pair] = f64x2{from[a.twice[at]], other_from[b.twice[at]]};
            triple_options[TRIPLE_EACH + at][pair] = f64x2{from[each], other_from[each]};
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
    TripleRun run{stop.data, chances.data, again.data, value.data, offered.data, {}};
    const int stride[TRIPLE_RUNNERS] = {steps[1] * steps[2], steps[2], 1};
    TripleState lanes[TRIPLE_LANES];
    for (int all = 0; all <= steps[0] + steps[1] + steps[2] - TRIPLE_RUNNERS; all++)
        for (int mask = 0; mask < TRIPLE_MASKS; mask++) {
            int from[TRIPLE_RUNNERS], to[TRIPLE_RUNNERS], count = 0;
            for (int at = 0; at < TRIPLE_RUNNERS; at++) {
                from[at] = mask >> at & 1 ? 0 : 1;
                to[at] = mask >> at & 1 ? 0 : steps[at] - 1;
                run.once[at] = mask >> at & 1 ? 0 : stride[at];
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
                        lane.twice[at] = smaller(left[at], 2) * stride[at];
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

// _solve_set of turn/recursion.py. With two runners out and one in hand, states with equally much
// left are solved four at a time, as those with three runners are; others one after the other.
enum { MOST_SPLITS = 66, SET_COLUMNS = 11, SET_RUNNERS = 2 };
struct SetLanes {
    int here[TRIPLE_LANES], left[SET_RUNNERS][TRIPLE_LANES];
    f64x2 single[SET_COLUMNS][TRIPLE_PAIRS], worth[MOST_SPLITS][TRIPLE_PAIRS];
};
static SetLanes set_lanes;

template <class V> INLINED void look_up(V value, const int* states, f64x2* into) {
    for (int pair = 0; pair < TRIPLE_PAIRS; pair++) into[pair] = both_of(value.data, states[2 * pair], states[2 * pair + 1]);
}

template <class T0, class T1, class T2, class T3>
static __attribute__((noinline)) void expand_lanes(T0 order, T1 layout, int index, T2 value, T3 ahead) {
    auto& [here, left, single, worth] = set_lanes;
    auto [steps, first, stride] = layout;
    const int nowhere = len(value) - 1, columns = len(steps), *ends = order.case_end[index].data;
    int once[SET_COLUMNS][TRIPLE_LANES], twice[SET_COLUMNS][TRIPLE_LANES];
    for (int column = 0; column < columns; column++) {
        const int at = ahead.place[column], *enter = ahead.enter[column].data;
        for (int lane = 0; lane < TRIPLE_LANES; lane++) {
            int &one = once[column][lane], &two = twice[column][lane];
            if (at >= 0) {
                const int up = stride[index][at], rest = left[at][lane];
                one = rest > 0 ? here[lane] + up : nowhere;
                two = rest > 1 ? here[lane] + 2 * up : one;
            } else if (steps[column]) {
                one = enter[0];
                for (int runner = 0; runner < SET_RUNNERS; runner++) one += (ahead.made[runner] - left[runner][lane]) * enter[2 + runner];
                two = one + enter[1];
            } else {
                one = two = nowhere;
            }
        }
        look_up(value, once[column], single[column]);
    }
    int at = 0;
    for (const unsigned short* split = order.splits[index].data; at < ends[3]; at++, split += 3) {
        f64x2* into = worth[split[0]];
        const int one = split[1], other = split[2];
        if (at < ends[0]) {
            look_up(value, twice[one], into);
        } else if (at < ends[2] && steps[other]) {
            int states[TRIPLE_LANES];
            const bool both = at < ends[1];
            const int up = both ? stride[index][ahead.place[one]] : ahead.enter[other][2 + ahead.place[one]];
            for (int lane = 0; lane < TRIPLE_LANES; lane++) {
                const bool steps_on = left[ahead.place[one]][lane] > 0;
                states[lane] = once[other][lane] + (steps_on ? up : 0);
                if (both && once[other][lane] == nowhere) states[lane] = once[one][lane];
            }
            look_up(value, states, into);
        } else {
            for (int pair = 0; pair < TRIPLE_PAIRS; pair++) into[pair] = larger2(single[one][pair], single[other][pair]);
        }
    }
}

template <class T0, class T1> static __attribute__((noinline)) void mean_of_lanes(T0 rolls, double bust, T1 values, int count) {
    const f64x2 nothing = {-__builtin_inf(), -__builtin_inf()}, busts = {bust, bust};
    f64x2 sums[2][TRIPLE_PAIRS] = {};  // even rolls and odd ones
    const unsigned short* splits = rolls.rolls.data;
    const double* chances = rolls.chances.data;
    for (int roll = 0, end = len(rolls.rolls); roll < end; roll += 2)
#pragma unroll
        for (int odd = 0; odd < 2; odd++, splits += 3, chances++) {
            const f64x2 *one = set_lanes.worth[splits[0]], *two = set_lanes.worth[splits[1]], *three = set_lanes.worth[splits[2]];
#pragma unroll
            for (int pair = 0; pair < TRIPLE_PAIRS; pair++) {
                const f64x2 best = larger2(larger2(one[pair], two[pair]), three[pair]);
                sums[odd][pair] += f64x2{*chances, *chances} * (best > nothing ? best : busts);
            }
        }
    auto [stop, again, value] = values;
    for (int lane = 0; lane < count; lane++) {
        const int here = set_lanes.here[lane];
        again[here] = sums[0][lane / 2][lane % 2] + sums[1][lane / 2][lane % 2];
        value[here] = larger(again[here], stop[here]);
    }
}

template <class T0, class T1, class T2, class T3>
static void solve_set(T0 tables, T1 layout, int index, int before, int last, double bust, T2 values, T3 ahead) {
    const int size = tables.sets.sizes[index], runners = tables.sets.members.shape[1];
    if (tables.early || size != SET_RUNNERS || runners != TRIPLE_RUNNERS || len(layout.steps) > SET_COLUMNS) {
        for (int here = last; here > before; here--) {
            expand_rolls(tables.split_order, layout, index, size, here, values.value, ahead, false);
            if (tables.early) {
                count_new_runners(tables.rolls.splits, runners - size, len(values.value) - 1, ahead);
                values.again[here] = _mean_early(tables.rolls, ahead, bust);
            } else {
                values.again[here] = _mean(tables.rolls.rolls, tables.rolls.chances, ahead.worth, bust);
            }
            values.value[here] = larger(values.again[here], values.stop[here]);
            previous_state(tables.sets.members, index, size, layout.steps, ahead.made);
        }
        return;
    }
    const int rows = ahead.made[0], columns = ahead.made[1];
    for (int all = 0; all <= rows + columns - 2; all++) {
        int count = 0;
        const int end = smaller(rows - 1, all);
        for (int left = larger(0, all - columns + 1); left <= end; left++) {
            set_lanes.here[count] = last - left * columns - (all - left);
            set_lanes.left[0][count] = left, set_lanes.left[1][count] = all - left;
            count++;
            if (count < TRIPLE_LANES && left < end) continue;
            for (int lane = count; lane < TRIPLE_LANES; lane++) {
                set_lanes.here[lane] = set_lanes.here[0];
                for (int runner = 0; runner < SET_RUNNERS; runner++) set_lanes.left[runner][lane] = set_lanes.left[runner][0];
            }
            expand_lanes(tables.split_order, layout, index, values.value, ahead);
            mean_of_lanes(tables.rolls, bust, values, count);
            count = 0;
        }
    }
}

// run_layers of evaluators/value/sums.py in whole numbers. Two squares are multiples of SQUARE_GRAIN,
// from 0 to NETWORK_SQUARE_LIMIT, so that with the middle taken off they have 16 bits; weights are
// multiples of their row's grain (round_hidden), of 16 bits too. Products of two neighbours are added
// up in one instruction. All sums of a chunk of units fit into 32 bits, whatever their order.
static struct {
    Array<int, 4> weights;  // [to / 2][pair][to % 2][4 times the same]: two units, side by side
    Array<int, 2> middles;  // [to][chunk]: what the sums' middle adds
    Array<float, 1> scale;  // [to]: what 1 stands for
    Array<int, 2> sums;     // [pair][place]: two units, side by side
} whole;
enum { TILE_UNITS = 2, TILE_VECTORS = 4, TILE_PLACES = 4 * TILE_VECTORS };
alignas(16) static float deep_units[NETWORK_DEEP][NETWORK_BLOCK];

template <class T0, class T1> static void use_whole_numbers(T0 hidden, T1 grain) {
    int deep = hidden.shape[0], units = hidden.shape[1];
    whole.weights = make<int>(deep / TILE_UNITS, units / 2, TILE_UNITS, 4);
    whole.middles = filled(make<int>(deep, (units + NETWORK_CHUNK - 1) / NETWORK_CHUNK), 0);
    whole.scale = make<float>(deep);
    whole.sums = make<int>(units / 2, NETWORK_BLOCK + NETWORK_PADDING);
    const int middle = (int)(NETWORK_SQUARE_LIMIT / 2 / SQUARE_GRAIN);
    for (int to = 0; to < deep; to++) {
        whole.scale[to] = (float)(grain[to] * SQUARE_GRAIN);
        for (int unit = 0; unit < units; unit++) {
            int weight = (int)(hidden[to][unit] / grain[to]);
            for (int& both : whole.weights[to / TILE_UNITS][unit / 2][to % TILE_UNITS])
                both = unit % 2 ? both | weight << 16 : weight & 0xffff;
            whole.middles[to][unit / NETWORK_CHUNK] += weight * middle;
        }
    }
}

// _fill_slab of turn/value_ends.py, eight places at a time: those beyond the last step are written
// again by the next row, and there is room for them behind the last one.
template <class T0> static __attribute__((noinline)) void fill_slab(T0 memory, int low, int high, int rows, int columns, int wins) {
    auto [steps, won, slab, start, block] = memory;
    for (int first = 0; first < 2 - wins; first++)
        for (int at = 0; at < slab.shape[1]; at++) {
            short* into = slab[first][at].data;
            const short *along = &steps[high][at][1], *from = steps[low][at].data;
            const i16x8 step = load8(along), later = load8(along + 8);
            for (int row = 1; row <= rows - wins; row++, into += columns - wins) {
                const int topped = first + (row == rows);
                const i16x8 begin = splat8(from[row] + won[topped][at]);
                *(i16x8_any*)into = begin + step;
                if (columns > 8) *(i16x8_any*)(into + 8) = begin + later;
                if (!wins) into[columns - 1] = from[row] + won[topped + 1][at] + along[columns - 1];
            }
        }
}

// _add_to_block of turn/value_ends.py, less the middle, with two units side by side. A sum of 13 bits
// moved up by two, times itself, rounded and down by 15 is square_of. Places are written eight at a
// time: those beyond the last are written again, or lie between two rows.
INLINED i16x8 squares8(i16x8 start, const short* slab) {
    const i16x8 sum = __builtin_elementwise_add_sat(start, load8(slab));
    const i16x8 limited = __builtin_elementwise_min(__builtin_elementwise_max(sum, splat8(0)), splat8(NETWORK_MOST)) << 2;
    return __builtin_wasm_q15mulr_sat_s_i16x8(limited, limited);
}

template <class T0, class T1, class T2>
static __attribute__((noinline)) void add_to_block(T0 start, T1 slab, int begin, int count, T2 sums, int place) {
    const int units = len(sums), row = slab.shape[1];
    const i16x8 middle = splat8(-32768);
    for (int unit = 0; unit < units; unit += 2) {
        const i16x8 one = splat8(start[unit]), mirrored = splat8(start[units + unit]);
        const i16x8 other = splat8(start[unit + 1]), other_mirrored = splat8(start[units + unit + 1]);
        const short *left = &slab[unit][begin], *right = &slab[units + unit][begin];
        i32x4_any* into = (i32x4_any*)&whole.sums[unit / 2][place];
        for (int at = 0; at < count; at += 8, into += 2) {
            const i16x8 low = squares8(one, left + at) + squares8(mirrored, right + at) + middle;
            const i16x8 high = squares8(other, left + row + at) + squares8(other_mirrored, right + row + at) + middle;
            into[0] = (i32x4)__builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11);
            into[1] = (i32x4)__builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
        }
    }
}

// A tile of 2 units by 16 places is held in registers: more of them spill. Weights are stored four
// times, since Wasmtime takes three instructions to spread one that is stored once.
static __attribute__((noinline)) void run_tile(int to, int place, const float* bias) {
    const int pairs = whole.weights.shape[1], stride = whole.sums.shape[1];
    const i16x8* weights = (const i16x8*)whole.weights[to / TILE_UNITS].data;
    const int* sums = &whole.sums[0][place];
    f32x4 total[TILE_UNITS][TILE_VECTORS] = {};
    for (int chunk = 0, pair = 0; pair < pairs; chunk++) {
        i32x4 tile[TILE_UNITS][TILE_VECTORS];
        for (int at = 0; at < TILE_UNITS; at++)
            for (int which = 0; which < TILE_VECTORS; which++) tile[at][which] = splat4(whole.middles[to + at][chunk]);
        const int end = smaller(pairs, pair + NETWORK_CHUNK / 2);
#pragma nounroll
        for (; pair < end; pair++, sums += stride, weights += TILE_UNITS) {
            const i16x8 one = weights[0], two = weights[1];
#pragma unroll
            for (int which = 0; which < TILE_VECTORS; which++) {
                const i16x8 sum = ((const i16x8*)sums)[which];
                tile[0][which] += __builtin_wasm_dot_s_i32x4_i16x8(sum, one);
                tile[1][which] += __builtin_wasm_dot_s_i32x4_i16x8(sum, two);
            }
        }
        for (int at = 0; at < TILE_UNITS; at++)
            for (int which = 0; which < TILE_VECTORS; which++) total[at][which] += __builtin_convertvector(tile[at][which], f32x4);
    }
    for (int at = 0; at < TILE_UNITS; at++)
        for (int which = 0; which < TILE_VECTORS; which++) {
            f32x4 sum = splat4(bias[to + at]) + total[at][which] * whole.scale[to + at];
            ((f32x4*)&deep_units[to + at][place])[which] = larger4(sum, splat4(0.0f));
        }
}

template <class T0, class T1, class T2, class T3> static void run_whole_layers(T0 layers, T1, T2, T3 logits) {
    for (int place = 0; place < NETWORK_BLOCK; place += TILE_PLACES)
        for (int to = 0; to < NETWORK_DEEP; to += TILE_UNITS) run_tile(to, place, layers.hidden_bias.data);
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

// exponential() of two numbers at a time, by the same steps: every bit is the same.
INLINED f64x2 exponentials(f64x2 x) {
    const f64x2 k = __builtin_elementwise_roundeven(x * 1.44269504088896338700e+00);
    const f64x2 high = x - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10;
    const f64x2 r = high - low, t = r * r;
    const f64x2 c = r - t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    const f64x2 y = 1.0 - ((low - r * c / (2.0 - c)) - high);
    typedef long long i64x2 __attribute__((vector_size(16)));
    // added to 1.5 * 2**52, a whole number is in the lowest bits
    const i64x2 power = ((i64x2)(k + (1023 + 6755399441055744.0))) << 52;
    const f64x2 most = {700, 700};
    if (__builtin_wasm_any_true_v128((signed char __attribute__((vector_size(16))))((x > most) | (x < -most))))
        return f64x2{exponential(x[0]), exponential(x[1])};
    return y * (f64x2)power;
}

// write_worth of evaluators/value/sums.py, two places at a time; one beyond the last is left out.
template <class T0, class T1, class T2>
static __attribute__((noinline)) void write_chances(T0 logits, int count, T1 rows, int first, T2 worth) {
    const int seats = worth.shape[1];
    for (int place = 0; place < count; place += 2) {
        double* one = &worth[rows[place]][0];
        double* other = place + 1 < count ? &worth[rows[place + 1]][0] : one;
        if (seats == 2) {
            const f64x2 mover = 1 / (1 + exponentials(f64x2{-(double)logits[0][place], -(double)logits[0][place + 1]})), rest = 1 - mover;
            other[first] = mover[1], other[1 - first] = rest[1];
            one[first] = mover[0], one[1 - first] = rest[0];
            continue;
        }
        float highest[2] = {logits[0][place], logits[0][place + 1]};
        for (int seat = 1; seat < seats; seat++)
            for (int at = 0; at < 2; at++) highest[at] = larger(highest[at], logits[seat][place + at]);
        f64x2 parts[MOST_SEATS], total = {};
        for (int seat = 0; seat < seats; seat++) {
            parts[seat] = exponentials(f64x2{(double)(logits[seat][place] - highest[0]), (double)(logits[seat][place + 1] - highest[1])});
            total += parts[seat];
        }
        for (int seat = 0; seat < seats; seat++) {
            const f64x2 part = parts[seat] / total;
            const int whose = (first + seat) % seats;
            other[whose] = part[1];
            one[whose] = part[0];
        }
    }
}
