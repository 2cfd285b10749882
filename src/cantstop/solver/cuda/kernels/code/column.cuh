// States with one runner: from the records of the pairs.

// What new runners gain: two steps of one in a column (twice), one step each in two columns (each, by
// the pair's number); with a runner on the board also a step of it and one of a new runner (with_it).
struct Entries {
    float twice[COLUMNS], with_it[COLUMNS], each[PAIRS];
};

// The mean gain of a roll with one runner in column I, two steps of which gain ii. Generated.
template <int I> INLINE float mean_of_one(float ii, const Entries& entry);

template <int I> INLINE void column(const Anchor& me) {
    const int steps = me.box(I);
    if (steps == 0) return;
    const float* const values = me.here - me.offset(I, me.left(I));
    const float none = me.useless(0), topped = me.useless(1 + I);
    float* line = me.line(I);
    float newest = -1.f, before = -1.f;
    NO_UNROLL for (int at = 0; at < steps; at++) {
        Entries e;
        float once[COLUMNS];
        UNROLL for (int s = 0; s < COLUMNS; s++) if (s != I) {
            const int left = me.left(s);
            const bool outer = outer_of(I, s) == I;
            const int mine = (outer ? me.box(s) : 1) * RECORD * LANES;
            const int theirs = (outer ? 1 : steps) * RECORD * LANES;
            const float* const cell = me.record(pair_number(I, s)) + at * mine + larger(left - 1, 0) * theirs;
            const float* const further = cell - (left > 1 ? theirs : 0);
            once[s] = left ? record_at(cell + OWN * LANES) : -1.f;
            e.twice[s] = left ? record_at(further + OWN * LANES) : -1.f;
            e.with_it[s] = left ? (at ? record_at(cell - mine + OWN * LANES) : once[s]) : newest;
            UNROLL for (int t = s + 1; t < COLUMNS; t++) if (t != I)
                e.each[pair_number(s, t)] = left ? record_at(cell + 2 * slot(t, I, s) * LANES) : 0.f;
        }
        UNROLL for (int s = 0; s < COLUMNS; s++) if (s != I)
            UNROLL for (int t = s + 1; t < COLUMNS; t++) if (t != I) {
                float& each = e.each[pair_number(s, t)];
                each = me.left(s) == 0 ? once[t] : me.left(t) == 0 ? once[s] : each;
            }
        const float rolling = mean_of_one<I>(before, e) + (at ? none : topped);
        const float gain = best(me.x - value_at(values + me.offset(I, at)), rolling);
        store(line, gain);
        line += LANES;
        before = at ? newest : gain;
        newest = gain;
    }
}
