// Around the passes: setting warps up, and what a pass has found.

// Which anchors a warp has: those of a block whose odd steps make the patterns of one list.
struct Layout {
    i64 stride[COLUMNS];       // what two steps in a column change in a place
    int block_stride[COLUMNS]; // the same in blocks
    int halves[COLUMNS];       // how many halved steps there are
    int lengths[COLUMNS];
    int mirrored;              // whether an anchor's mirror image has the same value
    int closed_low[COLUMNS + 1];  // how many closed sets have fewer columns
};

struct Job {
    float* values;
    Slope* slopes;
    const u64* warps;               // block << 12 | bits << 8 | part << 1 | own mirror image; or
    const struct Again* again;      // anchors that need another pass
    const unsigned short* patterns;
    const int* pattern_start;       // [own mirror image][columns with few steps][bits]
    const float* weights;
    float* guess;
    Search* search;
    float* first;                   // the first guess, for statistics
    u64* steps;
    i64* place;
    unsigned char* active;
    int* control;
    i64 count;                      // of ``again``
    int warp_count;
    float usual_slope, slope_bias;
};

struct Again {
    i64 place;
    float x;
    Search search;
};

DEVICE int warp_max(int mine) { return __reduce_max_sync(0xffffffffu, mine); }

// A closed set's number: sets of fewer columns come first, then in order of their columns.
DEVICE int closed_number(const Layout& layout, int closed) {
    const int count = count_bits(closed);
    int number = layout.closed_low[count], chosen = 0;
    UNROLL for (int c = 0; c < COLUMNS; c++) {
        if (closed >> c & 1)
            chosen++;
        else if (chosen < count)
            number += choose(COLUMNS - 1 - c, count - chosen - 1);
    }
    return number;
}

extern "C" __global__ void __launch_bounds__(128) set_up(const __grid_constant__ Job job,
                                                         const __grid_constant__ Layout layout) {
    const int warp = warp_number(), lane = lane_number();
    if (warp >= job.warp_count) return;
    unsigned block;
    int odd;
    bool active;
    Again known = {};
    if (job.again) {
        i64 item = (i64)warp * LANES + lane;
        active = item < job.count;
        known = job.again[active ? item : (i64)warp * LANES];
        block = (unsigned)(known.place >> COLUMNS);
        odd = (int)(known.place & ((1 << COLUMNS) - 1));
    } else {
        const u64 which = job.warps[warp];
        block = (unsigned)(which >> 12);
        const int bits = (int)(which >> 8) & 15, part = (int)(which >> 1) & 127;
        int low = 0;
        UNROLL for (int c = 0; c < COLUMNS; c++)
            if (block / layout.block_stride[c] % layout.halves[c] == 0) low |= bit(c);
        const int* const start =
            job.pattern_start + (((int)(which & 1) << COLUMNS) + low) * (COLUMNS + 2) + bits;
        const int first = start[0] + part * LANES;
        active = first + lane < start[1];
        odd = job.patterns[first + (active ? lane : 0)];
    }
    u64 steps = 0;
    int closed = 0, box[COLUMNS];
    i64 place = (i64)block << COLUMNS;
    UNROLL for (int c = 0; c < COLUMNS; c++) {
        int left = 2 * (block / layout.block_stride[c] % layout.halves[c]) + ((odd & bit(c)) ? 1 : 0);
        if (left > layout.lengths[c]) left--, active = false;  // there is no such step
        if (left & 1) place += bit(c);
        if (left == 0) closed |= 1 << c;
        steps |= (u64)left << (4 * c);
        box[c] = warp_max(left);
    }
    steps |= (u64)closed_number(layout, closed) << (4 * COLUMNS);
    if (lane == 0) {
        int* const control = job.control + (i64)warp * CONTROL;
        int cells = 0, lines = 0;
        UNROLL for (int c = 0; c < COLUMNS; c++) {
            control[BOX + c] = box[c];
            control[LINE_BASE + c] = lines;
            lines += box[c];
            UNROLL for (int d = c + 1; d < COLUMNS; d++) {
                control[PAIR_BASE + pair_number(c, d)] = cells;
                cells += box[c] * box[d];
            }
        }
        control[CELLS] = cells;
    }
    const i64 mine = (i64)warp * LANES + lane;
    job.steps[mine] = steps;
    job.place[mine] = place;
    job.active[mine] = active;
    if (job.again) {
        job.guess[mine] = job.first[mine] = known.x;
        job.search[mine] = known.search;
    } else {
        const Guess guess = first_guess(job.values + place, job.slopes + place, steps, layout.stride,
                                        job.weights, job.usual_slope, job.slope_bias);
        job.guess[mine] = job.first[mine] = guess.x;
        job.search[mine] = new_search(guess.x, guess.slope);
    }
}

// What a level was like.
struct Tally {
    double anchors, slope, first_error, first_square, error, slopes, slope_error, slope_square;
    float worst_error, worst_first;
};

struct Found {
    Search* search;
    float* guess;
    const float* first;
    const unsigned char* active;
    float* values;
    Slope* slopes;
    Again* again;
    unsigned* again_count;
    Tally* tally;
    unsigned again_room;
    int is_first, is_last;
    float tolerance, slope_error;
};

DEVICE double warp_sum(double mine) {
    for (int other = 16; other; other >>= 1) mine += __shfl_xor_sync(0xffffffffu, mine, other);
    return mine;
}
DEVICE float warp_highest(float mine) {
    for (int other = 16; other; other >>= 1)
        mine = fmaxf(mine, __shfl_xor_sync(0xffffffffu, mine, other));
    return mine;
}
// positive floats are ordered like the integers with the same bits
DEVICE void raise(float* to, float mine) { atomicMax((int*)to, __float_as_int(mine)); }

DEVICE i64 mirror_image(const Layout& layout, i64 place) {
    const unsigned block = (unsigned)(place >> COLUMNS);
    i64 image = 0;
    UNROLL for (int c = 0; c < COLUMNS; c++) {
        const int half = block / layout.block_stride[c] % layout.halves[c];
        image += ((i64)half * layout.block_stride[COLUMNS - 1 - c]) << COLUMNS;
        if (place & bit(c)) image += bit(COLUMNS - 1 - c);
    }
    return image;
}

extern "C" __global__ void __launch_bounds__(128)
improve(const __grid_constant__ Batch batch, const __grid_constant__ Found found,
        const __grid_constant__ Layout layout) {
    if (!has_warp(batch)) return;
    const Anchor me = anchor_of(batch);
    const i64 mine = (i64)warp_number() * LANES + lane_number();
    Search search = found.search[mine];
    const float slope_guess = search.slope;
    const float gain = turn_gain(me);
    const float x = next_guess(search, me.x, gain, found.is_first, found.slope_error);
    found.search[mine] = search;
    found.guess[mine] = x;
    if (!found.is_last) return;
    const bool active = found.active[mine];
    const i64 place = batch.place[mine];
    if (active) {
        const Slope slope = to_slope(search.slope);
        found.values[place] = x;
        found.slopes[place] = slope;
        if (layout.mirrored) {
            const i64 image = mirror_image(layout, place);
            found.values[image] = x;
            found.slopes[image] = slope;
        }
    }
    if (active && !(search.error <= found.tolerance)) {
        const unsigned at = atomicAdd(found.again_count, 1u);
        if (at < found.again_room) found.again[at] = {place, x, search};
    }
    const double one = active ? 1.0 : 0.0, off = active ? found.first[mine] - x : 0.0;
    const double measured = active && search.slope != slope_guess ? 1.0 : 0.0;
    const double slope_off = measured * (search.slope - slope_guess);
    const double anchors = warp_sum(one), slope = warp_sum(one * search.slope);
    const double first_error = warp_sum(off), first_square = warp_sum(off * off);
    const double error = warp_sum(one * search.error), slopes = warp_sum(measured);
    const double slope_error = warp_sum(slope_off), slope_square = warp_sum(slope_off * slope_off);
    const float worst_error = warp_highest(active ? search.error : 0.f);
    const float worst_first = warp_highest(fabsf((float)off));
    if (lane_number() == 0) {
        Tally* const to = found.tally;
        atomicAdd(&to->anchors, anchors);
        atomicAdd(&to->slope, slope);
        atomicAdd(&to->first_error, first_error);
        atomicAdd(&to->first_square, first_square);
        atomicAdd(&to->error, error);
        atomicAdd(&to->slopes, slopes);
        atomicAdd(&to->slope_error, slope_error);
        atomicAdd(&to->slope_square, slope_square);
        raise(&to->worst_error, worst_error);
        raise(&to->worst_first, worst_first);
    }
}
