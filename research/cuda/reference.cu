// The kernel that checks the table.

DEVICE double solve_turn(Turn& turn) {
    __syncthreads();
    solve_triples(turn, threadIdx.x, blockDim.x);
    __syncthreads();
    solve_pairs(turn, threadIdx.x, blockDim.x);
    __syncthreads();
    solve_columns(turn, threadIdx.x, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) solve_start(turn);
    __syncthreads();
    return turn.gains[0];
}

// How far the table's value of each anchor is from what its turn makes of it.
extern "C" __global__ void check(const __grid_constant__ Lists lists, const unsigned char* anchors,
                                 i64 count, double* scratch, i64 scratch_each, double* errors) {
    __shared__ Turn turn;
    for (i64 anchor = blockIdx.x; anchor < count; anchor += gridDim.x) {
        __syncthreads();
        if (threadIdx.x == 0) {
            turn.lists = &lists;
            turn.gains = scratch + blockIdx.x * scratch_each;
            for (int c = 0; c < COLUMNS; c++) turn.left[c] = anchors[anchor * COLUMNS + c];
            begin_turn(turn);
            turn.x = value_at(lists.values + turn.place);
        }
        const double gain = solve_turn(turn);
        if (threadIdx.x == 0) turn.x += 1.0 - gain;  // a gain rises at most as fast as x
        const double again = solve_turn(turn);
        if (threadIdx.x == 0) {
            const double slope = gain == 1.0 ? 1.0 : (again - gain) / (1.0 - gain);
            errors[anchor] = (gain - 1.0) / slope;
        }
    }
}
