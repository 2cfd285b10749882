// A turn played with what a pass has found: the gains of one and two runners from the records, those of
// three from a recursion over the one triple that the game comes to.

struct Path {
    const Anchor& me;
    const Lists& lists;
    int left[COLUMNS];
    float* triple;   // memory for the gains of the triple that is out, one every ``apart`` places
    i64 apart;
    int size[3];     // how many steps of each runner it covers; none before it is out
};

DEVICE i64 move_of(const Anchor& me, int column, int left) {  // what it changes in a place
    return me.offset(column, left) - me.offset(column, me.left(column));
}

DEVICE float* pair_record(const Anchor& me, int one, int one_left, int other, int other_left) {
    const bool outer = outer_of(one, other) == one;
    const i64 cell = outer ? (i64)one_left * me.box(other) + other_left
                           : (i64)other_left * me.box(one) + one_left;
    return me.record(pair_number(one, other)) + cell * RECORD * LANES;
}

DEVICE float gain_of(const Path& path, const State& s) {
    const Anchor& me = path.me;
    if (s.count == 1) return record_at(me.line(s.column[0]) + s.left[0] * LANES);
    if (s.count == 2)
        return record_at(pair_record(me, s.column[0], s.left[0], s.column[1], s.left[1]) + OWN * LANES);
    if (path.size[0])
        return path.triple[((s.left[0] * path.size[1] + s.left[1]) * path.size[2] + s.left[2]) *
                           path.apart];
    int third = 0;  // one of the three has just come in: it is one or two steps above its token
    while (third < 2 && s.left[third] < path.left[s.column[third]] - 2) third++;
    const int one = third == 0 ? 1 : 0, other = third == 2 ? 1 : 2, column = s.column[third];
    const float* const record =
        pair_record(me, s.column[one], s.left[one], s.column[other], s.left[other]);
    const int twice = s.left[third] == path.left[column] - 1 ? 0 : 1;
    return record_at(record + (2 * slot(column, s.column[one], s.column[other]) + twice) * LANES);
}

DEVICE float stop_gain(const Path& path, const State& s) {
    const float* at = path.me.here;
    NO_UNROLL for (int r = 0; r < s.count; r++) at += move_of(path.me, s.column[r], s.left[r]);
    return path.me.x - value_at(at);
}

// The gains of three runners from here to their tops.
DEVICE void solve_triple(Path& path, const State& s) {
    const Anchor& me = path.me;
    const int a = s.column[0], b = s.column[1], c = s.column[2];
    const int number = triple_number(a, b, c);
    NO_UNROLL for (int r = 0; r < 3; r++) path.size[r] = s.left[r] + 1;
    const i64 apart = path.apart, near = path.size[2] * apart, far = path.size[1] * near;
    float* here = path.triple;
    NO_UNROLL for (int i = 0; i < path.size[0]; i++)
        NO_UNROLL for (int j = 0; j < path.size[1]; j++) {
            const float* const row = me.here + move_of(me, a, i) + move_of(me, b, j);
            NO_UNROLL for (int k = 0; k < path.size[2]; k++, here += apart) {
                const i64 up_a = i ? far : 0, up_b = j ? near : 0, up_c = k ? apart : 0;
                const float option[9] = {here[-up_a],
                                         here[-up_b],
                                         here[-up_c],
                                         here[i > 1 ? -2 * far : -up_a],
                                         here[j > 1 ? -2 * near : -up_b],
                                         here[k > 1 ? -2 * apart : -up_c],
                                         here[-up_a - up_b],
                                         here[-up_a - up_c],
                                         here[-up_b - up_c]};
                const int tops = (i ? 0 : 1) + (j ? 0 : 2) + (k ? 0 : 4);
                const int* const start = path.lists.kind_start + 9 * number + tops;
                float total = 0.f;
                NO_UNROLL for (int kind = start[0]; kind < start[1]; kind++) {
                    const unsigned char* const offered = path.lists.kind + 3 * kind;
                    total = plus(total, (float)path.lists.kind_chance[kind],
                                 best(option[offered[0]], best(option[offered[1]], option[offered[2]])));
                }
                *here = best(me.x - value_at(row + move_of(me, c, k)), total);
            }
        }
}

DEVICE u64 mixed(u64 number) {  // SplitMix64's finish
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
    number = (number ^ number >> 27) * 0x94d049bb133111ebull;
    return number ^ number >> 31;
}

// Play until a stop, which is returned, or a bust, of which nothing is left.
DEVICE State play_turn(Path& path, int sides, u64& stream, int& rolls) {
    State s = {0, {0, 0, 0}, {0, 0, 0}};
    while (true) {
        int die[4];
        NO_UNROLL for (int d = 0; d < 4; d += 2) {  // a bias below 1e-8 is left
            const u64 number = mixed(stream += 0x9e3779b97f4a7c15ull);
            die[d] = (int)((number & 0xffffffffull) * sides >> 32);
            die[d + 1] = (int)((number >> 32) * sides >> 32);
        }
        rolls++;
        State chosen = s, after;
        float highest = -1.f;
        NO_UNROLL for (int with = 1; with < 4; with++) {
            const int one = with == 1 ? 2 : 1, other = with == 3 ? 2 : 3;
            if (!play_split(path, s, die[0] + die[with], die[one] + die[other], after)) continue;
            const float gain = gain_of(path, after);
            if (gain > highest) chosen = after, highest = gain;
        }
        if (highest < 0.f) return {0, {0, 0, 0}, {0, 0, 0}};
        s = chosen;
        if (stop_gain(path, s) >= highest) return s;
        if (s.count == 3 && path.size[0] == 0) solve_triple(path, s);
    }
}
