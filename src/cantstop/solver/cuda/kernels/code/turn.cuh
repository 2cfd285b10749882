// The start of a turn, with no runner out: from the states with one and with two.

// The mean gain of a turn's first roll. Generated.
DEVICE float mean_of_none(const Entries& entry);

// The gain of the whole turn.
DEVICE float turn_gain(const Anchor& me) {
    Entries e;
    float once[COLUMNS];
    UNROLL for (int s = 0; s < COLUMNS; s++) {
        const int left = me.left(s);
        const float* const line = me.line(s);
        once[s] = left ? record_at(line + (left - 1) * LANES) : -1.f;
        e.twice[s] = left ? record_at(line + larger(left - 2, 0) * LANES) : -1.f;
    }
    UNROLL for (int s = 0; s < COLUMNS; s++) UNROLL for (int t = s + 1; t < COLUMNS; t++) {
        const int in = outer_of(s, t) == s ? t : s, out = s + t - in;
        float each = me.left(s) == 0 ? once[t] : once[s];
        if (me.left(s) && me.left(t)) {
            const i64 cell = (i64)(me.left(out) - 1) * me.box(in) + me.left(in) - 1;
            each = record_at(me.record(pair_number(s, t)) + (cell * RECORD + OWN) * LANES);
        }
        e.each[pair_number(s, t)] = each;
    }
    return mean_of_none(e) + me.useless(0);
}
