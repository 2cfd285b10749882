// An anchor's value is where the turn gains exactly 1: found by secant steps inside a bracket.

// What is known so far. Gains rise with x, never faster than x.
struct Search {
    float x_before, gain_before;  // the pass before
    float slope;                  // how fast the gain rises here
    float low, low_gain;          // the nearest x known to be too low
    float high, high_gain;        // the nearest x known to be too high
    float error;                  // an estimate of what is still wrong
};

constexpr float NOT_LOW = -9.f, NOT_HIGH = 1e9f;
constexpr float ROUNDING = 4e-7f;  // of a gain in single precision

DEVICE Search new_search(float x, float slope) {
    return {x, 0.f, slope, 0.9f, NOT_LOW, NOT_HIGH, NOT_HIGH, 1.f};
}

// The next x after a pass with x gained so much; slope_error is how wrong slopes are that were guessed.
DEVICE float next_guess(Search& s, float x, float gain, bool is_first, float slope_error) {
    if (gain < 1.f) {
        if (x > s.low) s.low = x, s.low_gain = gain;
    } else {
        if (x < s.high) s.high = x, s.high_gain = gain;
    }
    float wrong = slope_error;
    const float moved = x - s.x_before, far = fabsf(moved);
    if (!is_first && far > 1e-7f) {
        const float slope = (gain - s.gain_before) / moved, noise = ROUNDING / far;
        if (noise < 0.5f * slope_error && slope > 0.005f && slope < 1.02f) {
            wrong = fminf(fabsf(slope - s.slope), far) + noise;
            s.slope = slope;
        }
    }
    float next = x + (1.f - gain) / s.slope;
    if (!(next > s.low && next < s.high) && fabsf(next - x) > 1e-6f) {
        const bool above = s.high < NOT_HIGH, below = s.low_gain > NOT_LOW;
        if (above && below)
            next = s.low + (1.f - s.low_gain) * (s.high - s.low) / (s.high_gain - s.low_gain);
        else if (above)
            next = fmaxf(1.f, 0.5f * (s.low + s.high));
        else
            next = fminf(next, x + 3.f);
        if (!(next > s.low && next < s.high)) next = 0.5f * (s.low + s.high);
        wrong = fmaxf(wrong, 0.1f);
    }
    s.error = fabsf(next - x) * wrong / s.slope;
    s.x_before = x;
    s.gain_before = gain;
    return next;
}

// A first guess from the anchors with some tokens one step further, as the CPU solver does it, and of
// the slope from theirs. ``weights[movable][moved]``.
constexpr int GROUP = 6;

struct Guess {
    float x, slope;
};

DEVICE Guess first_guess(const float* here, const Slope* slopes, u64 steps, const i64* stride,
                         const float* weights, float usual_slope, float slope_bias) {
    int movable = 0, count = 0, known = 0;
    float highest = 0.f, near = 0.f, slope_sum = 0.f;
    UNROLL for (int c = 0; c < COLUMNS; c++) {
        const int left = (int)(steps >> (4 * c)) & 15;
        if (left == 0) continue;
        const i64 one = (left & 1) ? -(i64)bit(c) : (i64)bit(c) - stride[c];
        const float value = value_at(here + one);
        highest = fmaxf(highest, value);
        if (left < 2) continue;
        movable |= 1 << c;
        count++;
        near = value;
        const float slope = from_slope(slopes[one]);
        if (slope > 0.02f) slope_sum += slope, known++;
    }
    double sum = 0.0;  // the weights are large and of both signs
    const int all = any_bits(movable), size = count < GROUP ? count : GROUP;
    for (int group = all; group; group = (group - 1) & all) {
        const int moved = count_bits(group);
        if (moved > size || (group & ~movable)) continue;
        i64 shift = 0;
        UNROLL for (int c = 0; c < COLUMNS; c++) if (group >> c & 1) {
            const int left = (int)(steps >> (4 * c)) & 15;
            shift += (left & 1) ? -(i64)bit(c) : (i64)bit(c) - stride[c];
        }
        sum += (double)value_at(weights + count * (COLUMNS + 1) + moved) *
               ((double)value_at(here + shift) - (double)near);
    }
    float x = count ? (float)(near + sum) : highest;
    x = fminf(fmaxf(x, highest - 0.3f), highest + 0.6f);
    const float slope = known ? fminf(fmaxf(slope_sum / known + slope_bias, 0.03f), 1.f) : usual_slope;
    return {fmaxf(x, 1.f), slope};
}
