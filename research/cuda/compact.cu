// The values of every anchor as a small network predicts them, in the table's layout.
//
// WIDTH, DEEP and VECTORS come from compact.py; the sources in front are those of the solver.

struct Network {
    const float* vectors;   // [WIDTH][VECTORS]
    const float* hidden;    // [WIDTH][DEEP]
    const float* hidden_bias;
    const float* out;
    float out_bias;
    int to_win;
    int block_stride[COLUMNS], halves[COLUMNS], first[COLUMNS + 1];
};

extern "C" __global__ void __launch_bounds__(512)
predict(const __grid_constant__ Network network, i64 places, float* values) {
    float* const vectors = shared_memory;
    float* const hidden = shared_memory + WIDTH * VECTORS;
    for (int at = threadIdx.x; at < WIDTH * VECTORS; at += blockDim.x) vectors[at] = network.vectors[at];
    for (int at = threadIdx.x; at < WIDTH * DEEP; at += blockDim.x) hidden[at] = network.hidden[at];
    __syncthreads();
    for (i64 place = (i64)blockIdx.x * blockDim.x + threadIdx.x; place < places;
         place += (i64)gridDim.x * blockDim.x) {
        const unsigned block = (unsigned)(place >> COLUMNS);
        int entry[COLUMNS + 1], needed = network.to_win;
        UNROLL for (int c = 0; c < COLUMNS; c++) {
            const int left = 2 * (block / network.block_stride[c] % network.halves[c]) +
                             ((place & bit(c)) ? 1 : 0);
            entry[c] = network.first[c] + left;
            needed -= left == 0;
        }
        if (needed <= 0) {
            values[place] = 0.f;
            continue;
        }
        entry[COLUMNS] = network.first[COLUMNS] + needed;
        float layer[DEEP];
        UNROLL for (int deep = 0; deep < DEEP; deep++) layer[deep] = network.hidden_bias[deep];
        NO_UNROLL for (int at = 0; at < WIDTH; at++) {
            float total = 0.f;
            UNROLL for (int c = 0; c <= COLUMNS; c++) total += vectors[at * VECTORS + entry[c]];
            total = fmaxf(total, 0.f);
            UNROLL for (int deep = 0; deep < DEEP; deep++)
                layer[deep] = plus(layer[deep], hidden[at * DEEP + deep], total);
        }
        float raw = network.out_bias;
        UNROLL for (int deep = 0; deep < DEEP; deep++)
            raw = plus(raw, network.out[deep], fmaxf(layer[deep], 0.f));
        values[place] = 1.f + fmaxf(raw, 0.f) + log1pf(expf(-fabsf(raw)));
    }
}
