// A turn by the letter of the rules, in double precision, to check the table.
//
// Here a block of threads works for one anchor. Nothing is shared with the kernels that fill the table
// but the table's layout: states with three runners use the lists of the CPU's turn solver, all others
// go through every split of every roll.

constexpr int TRIPLES = COLUMNS * (COLUMNS - 1) * (COLUMNS - 2) / 6;
constexpr int NOT_THERE = -1;

struct Lists {
    const float* values;
    i64 stride[COLUMNS];
    int to_win, splits, rolls;
    const unsigned char* split;  // [splits][2] columns
    const short* roll;           // [rolls][3] splits
    const double* chance;        // [rolls]
    const int* kind_start;       // [triples][9], by runners on a top
    const double* kind_chance;
    const unsigned char* kind;   // [kinds][3] options
};

// Runners that are out, lowest column first, with the steps that each has left.
struct State {
    int count, column[3], left[3];
};

// One anchor's turn; ``gains`` has an entry for all its states.
struct Turn {
    const Lists* lists;
    double* gains;
    double x;
    int left[COLUMNS], first_pair[PAIRS], first_column[COLUMNS], first_triple[TRIPLES];
    i64 place;
};

constexpr int pairs_of(int columns) { return columns * (columns - 1) / 2; }
constexpr int triples_of(int columns) { return pairs_of(columns) * (columns - 2) / 3; }
constexpr int triple_number(int low, int mid, int high) {
    // the triples whose lowest column is lower, those whose middle one is, and the rest
    return TRIPLES - triples_of(COLUMNS - low) + pairs_of(COLUMNS - low - 1) -
           pairs_of(COLUMNS - mid) + high - mid - 1;
}

DEVICE i64 place_step(const Lists& lists, int column, int left) {
    return (i64)(left >> 1) * lists.stride[column] + ((left & 1) ? bit(column) : 0);
}

// Number the states of the turn of an anchor with so many steps left; returns how many there are.
DEVICE int begin_turn(Turn& turn) {
    const int* const q = turn.left;
    int count = 1;  // the state without a runner
    turn.place = 0;
    NO_UNROLL for (int a = 0; a < COLUMNS; a++) {
        turn.place += place_step(*turn.lists, a, q[a]);
        turn.first_column[a] = count;
        count += q[a];
    }
    NO_UNROLL for (int a = 0; a < COLUMNS; a++)
        NO_UNROLL for (int b = a + 1; b < COLUMNS; b++) {
            turn.first_pair[pair_number(a, b)] = count;
            count += q[a] * q[b];
        }
    NO_UNROLL for (int a = 0; a < COLUMNS; a++)
        NO_UNROLL for (int b = a + 1; b < COLUMNS; b++)
            NO_UNROLL for (int c = b + 1; c < COLUMNS; c++) {
                turn.first_triple[triple_number(a, b, c)] = count;
                count += q[a] * q[b] * q[c];
            }
    return count;
}

DEVICE double& gain_of(const Turn& turn, const State& s) {
    const int* const q = turn.left;
    int at = 0;
    if (s.count == 1) at = turn.first_column[s.column[0]] + s.left[0];
    if (s.count == 2)
        at = turn.first_pair[pair_number(s.column[0], s.column[1])] + s.left[0] * q[s.column[1]] +
             s.left[1];
    if (s.count == 3)
        at = turn.first_triple[triple_number(s.column[0], s.column[1], s.column[2])] +
             (s.left[0] * q[s.column[1]] + s.left[1]) * q[s.column[2]] + s.left[2];
    return turn.gains[at];
}

// What a stop gains.
DEVICE double stop_gain(const Turn& turn, const State& s) {
    i64 place = turn.place;
    NO_UNROLL for (int at = 0; at < s.count; at++)
        place += place_step(*turn.lists, s.column[at], s.left[at]) -
                 place_step(*turn.lists, s.column[at], turn.left[s.column[at]]);
    return turn.x - (double)value_at(turn.lists->values + place);
}

DEVICE int runner_in(const State& s, int column) {
    NO_UNROLL for (int at = 0; at < s.count; at++)
        if (s.column[at] == column) return at;
    return NOT_THERE;
}
// What follows goes for every way to know a turn's gains; each has the anchor's steps as ``left``.
template <class Known> DEVICE bool usable(const Known& turn, const State& s, int column) {  // T2
    const int at = runner_in(s, column);
    return at == NOT_THERE ? s.count < 3 && turn.left[column] > 0 : s.left[at] > 0;
}
template <class Known> DEVICE State step(const Known& turn, State s, int column) {  // T3
    int at = runner_in(s, column);
    if (at != NOT_THERE) {
        s.left[at]--;
        return s;
    }
    NO_UNROLL for (at = s.count; at > 0 && s.column[at - 1] > column; at--)
        s.column[at] = s.column[at - 1], s.left[at] = s.left[at - 1];
    s.column[at] = column;
    s.left[at] = turn.left[column] - 1;
    s.count++;
    return s;
}

// Where a split leads at best; false if it is of no use.
template <class Known>
DEVICE bool play_split(const Known& turn, const State& s, int low, int high, State& after) {
    const bool can_low = usable(turn, s, low), can_high = usable(turn, s, high);
    if (!can_low && !can_high) return false;
    after = step(turn, s, can_low ? low : high);
    if (!can_low || !can_high) return true;
    if (usable(turn, after, high)) {  // T4, and T6 where both are the same
        after = step(turn, after, high);
    } else if (low != high) {  // T5
        const State other = step(turn, s, high);
        if (gain_of(turn, other) > gain_of(turn, after)) after = other;
    }
    return true;
}

// The mean gain of a roll.
DEVICE double roll_gain(const Turn& turn, const State& s) {
    const Lists& lists = *turn.lists;
    double worth[COLUMNS * (COLUMNS + 1) / 2];
    State after;
    NO_UNROLL for (int split = 0; split < lists.splits; split++)
        worth[split] = play_split(turn, s, lists.split[2 * split], lists.split[2 * split + 1], after)
                           ? gain_of(turn, after)
                           : -1.0;
    double total = 0.0;
    NO_UNROLL for (int roll = 0; roll < lists.rolls; roll++) {
        const short* const splits = lists.roll + 3 * roll;
        total += lists.chance[roll] *
                 fmax(0.0, fmax(worth[splits[0]], fmax(worth[splits[1]], worth[splits[2]])));
    }
    return total;
}

DEVICE void solve_state(const Turn& turn, const State& s, double rolling) {
    gain_of(turn, s) = fmax(stop_gain(turn, s), rolling);
}

// The four stages of a turn; each needs the one before. A thread does its share of the sets.
DEVICE void solve_triples(const Turn& turn, int thread, int threads) {
    const Lists& lists = *turn.lists;
    int number = 0;
    NO_UNROLL for (int a = 0; a < COLUMNS; a++)
        NO_UNROLL for (int b = a + 1; b < COLUMNS; b++)
            NO_UNROLL for (int c = b + 1; c < COLUMNS; c++, number++) {
                if (number % threads != thread) continue;
                const int far = turn.left[b] * turn.left[c], near = turn.left[c];
                double* here = turn.gains + turn.first_triple[number];
                State s = {3, {a, b, c}, {0, 0, 0}};
                NO_UNROLL for (int i = 0; i < turn.left[a]; i++)
                    NO_UNROLL for (int j = 0; j < turn.left[b]; j++)
                        NO_UNROLL for (int k = 0; k < turn.left[c]; k++, here++) {
                            const int up_a = i ? far : 0, up_b = j ? near : 0, up_c = k ? 1 : 0;
                            const double option[9] = {
                                here[-up_a],
                                here[-up_b],
                                here[-up_c],
                                here[i > 1 ? -2 * far : -up_a],
                                here[j > 1 ? -2 * near : -up_b],
                                here[k > 1 ? -2 : -up_c],
                                here[-up_a - up_b],
                                here[-up_a - up_c],
                                here[-up_b - up_c]};
                            const int tops = (i ? 0 : 1) + (j ? 0 : 2) + (k ? 0 : 4);
                            const int* const start = lists.kind_start + 9 * number + tops;
                            double total = 0.0;
                            NO_UNROLL for (int kind = start[0]; kind < start[1]; kind++) {
                                const unsigned char* const offered = lists.kind + 3 * kind;
                                total += lists.kind_chance[kind] *
                                         fmax(option[offered[0]],
                                              fmax(option[offered[1]], option[offered[2]]));
                            }
                            s.left[0] = i, s.left[1] = j, s.left[2] = k;
                            *here = fmax(stop_gain(turn, s), total);
                        }
            }
}
DEVICE void solve_pairs(const Turn& turn, int thread, int threads) {
    int number = 0;
    NO_UNROLL for (int a = 0; a < COLUMNS; a++)
        NO_UNROLL for (int b = a + 1; b < COLUMNS; b++, number++) {
            if (number % threads != thread) continue;
            NO_UNROLL for (int i = 0; i < turn.left[a]; i++)
                NO_UNROLL for (int j = 0; j < turn.left[b]; j++) {
                    const State s = {2, {a, b, 0}, {i, j, 0}};
                    solve_state(turn, s, roll_gain(turn, s));
                }
        }
}
DEVICE void solve_columns(const Turn& turn, int thread, int threads) {
    NO_UNROLL for (int a = thread; a < COLUMNS; a += threads)
        NO_UNROLL for (int i = 0; i < turn.left[a]; i++) {
            const State s = {1, {a, 0, 0}, {i, 0, 0}};
            solve_state(turn, s, roll_gain(turn, s));
        }
}
DEVICE double solve_start(const Turn& turn) {
    const State s = {0, {0, 0, 0}, {0, 0, 0}};
    return gain_of(turn, s) = roll_gain(turn, s);
}
