// States with two runners and one in hand: row by row, from the records that the triples have filled.

// What the other columns gain: with one or two steps of a new runner there (once, twice), or with one
// step there and one of the runner of X or of Y (with_x, with_y).
struct Others {
    float once[OTHERS], twice[OTHERS], with_x[OTHERS], with_y[OTHERS];
};

// The mean gain of a roll, where dead options gain -1; two steps of X, of Y, or a step each. Generated.
template <int X, int Y> INLINE float mean_of_two(float xx, float yy, float xy, const Others& other);

template <int X, int Y> INLINE void pair(const Anchor& me) {
    const int xs = me.box(X), ys = me.box(Y);
    if (xs == 0 || ys == 0) return;
    const float* const plane = me.here - me.offset(X, me.left(X)) - me.offset(Y, me.left(Y));
    float* record = me.record(pair_number(X, Y));
    const float none = me.useless(0), x_only = me.useless(1 + X), y_only = me.useless(1 + Y),
                both = me.useless(1 + COLUMNS + pair_number(X, Y));
    // in shared memory: the row before of every other column, and the last two rows of this pair
    float* const others = me.shared;
    float* const gains = me.shared + OTHERS * ys * LANES;
    bool closed[OTHERS];
    UNROLL for (int at = 0; at < OTHERS; at++) closed[at] = me.left(other_column(at, X, Y)) == 0;
    NO_UNROLL for (int x = 0; x < xs; x++) {
        float y_newest = -1.f, y_before = -1.f, corner = -1.f;
        float left_of[OTHERS];
        UNROLL for (int at = 0; at < OTHERS; at++) left_of[at] = 0.f;
        NO_UNROLL for (int y = 0; y < ys; y++) {
            const float value = value_at(plane + me.offset(X, x) + me.offset(Y, y));
            Others o;
            UNROLL for (int at = 0; at < OTHERS; at++) {
                o.once[at] = record_at(record + 2 * at * LANES);
                o.twice[at] = record_at(record + (2 * at + 1) * LANES);
            }
            prefetch_record(record + RECORD * LANES);
            float* const above = others + y * OTHERS * LANES;
            float* const row = gains + (((x & 1) ? ys : 0) + y) * LANES;
            const float* const row_before = gains + (((x & 1) ? 0 : ys) + y) * LANES;
            const float x_once = x ? *row_before : -1.f;
            const float x_twice = x > 1 ? *row : x_once;
            const float y_once = y_newest, y_twice = y_before;
            const float each = x == 0 ? y_once : y == 0 ? x_once : corner;
            corner = x_once;
            UNROLL for (int at = 0; at < OTHERS; at++) {
                // a closed column leaves the step of the runner that is there
                const float with_x = x ? above[at * LANES] : o.once[at];
                const float with_y = y ? left_of[at] : o.once[at];
                o.with_x[at] = closed[at] ? x_once : with_x;
                o.with_y[at] = closed[at] ? y_once : with_y;
                above[at * LANES] = left_of[at] = o.once[at];
            }
            const float useless = x ? (y ? none : y_only) : (y ? x_only : both);
            const float rolling = mean_of_two<X, Y>(x_twice, y_twice, each, o) + useless;
            const float gain = best(me.x - value, rolling);
            *row = gain;
            y_before = y ? y_newest : gain;
            y_newest = gain;
            store(record + OWN * LANES, gain);
            record += RECORD * LANES;
        }
    }
}
