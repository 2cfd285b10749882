// States with three runners: a 3-D recursion over the steps that each has left.
//
// X is the outer loop, Z the inner one. Two planes of constant steps left in X lie in shared memory,
// line by line; the plane before last is overwritten by the new one as it is read for the last time.
// Z goes two cells at a time, so that the values before stay in registers. What states with two
// runners need is written to their records: the gain with the third runner one or two steps in.

// What one step (i), two steps (ii) or a step each (ij) of the three runners gain.
struct Options {
    float i, ii, j, jj, ij, k, kk, ik, jk;
};

// The mean gain of a roll; bit 0, 1, 2 of TOPPED_ONES: the runner of X, Y, Z is on the top. Generated.
template <int X, int Y, int Z, int TOPPED_ONES> INLINE float mean_of_three(const Options& option);

// One column's runner in a plane: where the rows lie that it comes from.
struct Rows {
    int row, x_one, x_two, y_one, y_two, both;
};

// One row: all cells of Z, with X and Y fixed. The first values of the table are loaded by the caller.
template <int X, int Y, int Z, bool X_TOP, bool Y_TOP>
INLINE void triple_row(const Anchor& me, const Rows& at, int cells, const float* values, float first,
                       float second, float third, float fourth, float fifth) {
    constexpr int TOPS = (X_TOP ? 1 : 0) + (Y_TOP ? 2 : 0);
    float* const gain = me.shared;
    const i64 two = me.batch.stride[Z];
    Options o = {};
    if (!X_TOP) {
        o.i = gain[at.x_one];
        o.ii = gain[at.x_two];
    }
    if (!Y_TOP) {
        o.j = gain[at.y_one];
        o.jj = gain[at.y_two];
    }
    if (!X_TOP && !Y_TOP) o.ij = gain[at.both];
    float newest = best(me.x - first, mean_of_three<X, Y, Z, TOPS + 4>(o)), before = newest;
    gain[at.row] = newest;
    float i_before = o.i, j_before = o.j;
    values += 2 * two;
    NO_UNROLL for (int cell = 1; cell < cells; cell += 2) {
        const float value_one = second, value_two = third;
        second = fourth;
        third = fifth;
        if (cell + 4 < cells) {
            fourth = value_at(values + bit(Z));
            values += two;
            fifth = value_at(values);
        }
        const int one = cell * LANES, other = one + LANES;
        Options a = {}, b = {};
        if (!X_TOP) {
            a.i = gain[at.x_one + one], a.ii = gain[at.x_two + one];
            b.i = gain[at.x_one + other], b.ii = gain[at.x_two + other];
        }
        if (!Y_TOP) {
            a.j = gain[at.y_one + one], a.jj = gain[at.y_two + one];
            b.j = gain[at.y_one + other], b.jj = gain[at.y_two + other];
        }
        if (!X_TOP && !Y_TOP) a.ij = gain[at.both + one], b.ij = gain[at.both + other];
        a.k = newest, a.kk = before, a.ik = i_before, a.jk = j_before;
        before = best(me.x - value_one, mean_of_three<X, Y, Z, TOPS>(a));
        gain[at.row + one] = before;
        b.k = before, b.kk = newest, b.ik = a.i, b.jk = a.j;
        newest = best(me.x - value_two, mean_of_three<X, Y, Z, TOPS>(b));
        gain[at.row + other] = newest;
        i_before = b.i, j_before = b.j;
    }
}

// How a pair of the triple's columns lies in the records of that pair.
template <int ONE, int OTHER, int THIRD> struct Slice {
    float* first;
    int one_step, other_step;

    INLINE Slice(const Anchor& me, int ones, int others) {
        first = me.record(pair_number(ONE, OTHER)) + 2 * slot(THIRD, ONE, OTHER) * LANES;
        one_step = (outer_of(ONE, OTHER) == ONE ? others : 1) * RECORD * LANES;
        other_step = (outer_of(ONE, OTHER) == ONE ? 1 : ones) * RECORD * LANES;
    }
    // a third column that is closed gains -1, whatever was computed for it
    INLINE void write(int one, int other, bool open, float once, float twice) const {
        float* const to = first + one * one_step + other * other_step;
        store(to, open ? once : -1.f);
        store(to + LANES, open ? twice : -1.f);
    }
};

template <int X, int Y, int Z> INLINE void triple(const Anchor& me) {
    const int xs = me.box(X), ys = me.box(Y), zs = me.box(Z);
    const Slice<X, Y, Z> to_xy(me, xs, ys);
    const Slice<X, Z, Y> to_xz(me, xs, zs);
    const Slice<Y, Z, X> to_yz(me, ys, zs);
    // a column that is closed for every lane: nothing to compute, but the others' records want to know
    if (xs == 0 || ys == 0 || zs == 0) {
        for (int one = 0; one < xs; one++)
            for (int other = 0; other < ys; other++) to_xy.write(one, other, false, 0.f, 0.f);
        for (int one = 0; one < xs; one++)
            for (int other = 0; other < zs; other++) to_xz.write(one, other, false, 0.f, 0.f);
        for (int one = 0; one < ys; one++)
            for (int other = 0; other < zs; other++) to_yz.write(one, other, false, 0.f, 0.f);
        return;
    }
    const int x_left = me.left(X), y_left = me.left(Y), z_left = me.left(Z);
    const float* plane = me.here - me.offset(X, x_left) - me.offset(Y, y_left) - me.offset(Z, z_left);
    const int cells = zs | 1, row_size = cells * LANES, plane_size = ys * row_size;
    const int z_once = larger(z_left - 1, 0) * LANES, z_twice = larger(z_left - 2, 0) * LANES;
    const int y_once = larger(y_left - 1, 0) * row_size, y_twice = larger(y_left - 2, 0) * row_size;
    const int x_once = larger(x_left, 1) - 1;
    const i64 two = me.batch.stride[Z];
    float first = value_at(plane), second = 0.f, third = 0.f, fourth = 0.f, fifth = 0.f;
    if (cells > 1) second = value_at(plane + bit(Z)), third = value_at(plane + two);
    if (cells > 3) fourth = value_at(plane + two + bit(Z)), fifth = value_at(plane + 2 * two);
    const float* values = plane;
    NO_UNROLL for (int x = 0; x < xs; x++) {
        const int now = (x & 1) ? plane_size : 0, last = plane_size - now;
        const int last_but_one = x >= 2 ? now : last;
        NO_UNROLL for (int y = 0; y < ys; y++) {
            const float* const row_values = values;
            const float a = first, b = second, c = third, d = fourth, e = fifth;
            values = y + 1 < ys ? plane + me.offset(Y, y + 1)
                                : plane + me.offset(X, x + 1) - me.offset(X, x);
            if (y + 1 < ys || x + 1 < xs) {  // the next row's values, well before they are needed
                first = value_at(values);
                if (cells > 1) second = value_at(values + bit(Z)), third = value_at(values + two);
                if (cells > 3) {
                    fourth = value_at(values + two + bit(Z));
                    fifth = value_at(values + 2 * two);
                }
            }
            Rows at;
            at.row = now + y * row_size;
            at.x_one = last + y * row_size;
            at.x_two = last_but_one + y * row_size;
            at.y_one = now + (y - 1) * row_size;
            at.y_two = y >= 2 ? now + (y - 2) * row_size : at.y_one;
            at.both = last + (y - 1) * row_size;
            if (x == 0 && y == 0)
                triple_row<X, Y, Z, true, true>(me, at, cells, row_values, a, b, c, d, e);
            else if (x == 0)
                triple_row<X, Y, Z, true, false>(me, at, cells, row_values, a, b, c, d, e);
            else if (y == 0)
                triple_row<X, Y, Z, false, true>(me, at, cells, row_values, a, b, c, d, e);
            else
                triple_row<X, Y, Z, false, false>(me, at, cells, row_values, a, b, c, d, e);
            to_xy.write(x, y, z_left > 0, me.shared[at.row + z_once], me.shared[at.row + z_twice]);
        }
        plane += me.offset(X, x + 1) - me.offset(X, x);
        NO_UNROLL for (int z = 0; z < zs; z++) {
            const float* const column = me.shared + now + z * LANES;
            to_xz.write(x, z, y_left > 0, column[y_once], column[y_twice]);
        }
        if (any_lane(x_once == x)) {
            const int twice = x ? last : now;
            NO_UNROLL for (int y = 0; y < ys; y++) NO_UNROLL for (int z = 0; z < zs; z++) {
                const int cell = y * row_size + z * LANES;
                if (x_once == x)
                    to_yz.write(y, z, x_left > 0, me.shared[now + cell], me.shared[twice + cell]);
            }
        }
    }
}
