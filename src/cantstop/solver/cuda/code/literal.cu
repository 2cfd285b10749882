// Kernels that check the table, and that play with it.

DEVICE double solve_turn(Turn& turn) {
    __syncthreads();
    settle_triples(turn, threadIdx.x, blockDim.x);
    __syncthreads();
    settle_pairs(turn, threadIdx.x, blockDim.x);
    __syncthreads();
    settle_columns(turn, threadIdx.x, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) settle_start(turn);
    __syncthreads();
    return turn.gains[0];
}

// How far the table's value of each anchor is from what its turn makes of it.
extern "C" __global__ void check(const __grid_constant__ Lists lists, const unsigned char* anchors,
                                 i64 count, double* room, i64 room_each, double* errors) {
    __shared__ Turn turn;
    for (i64 anchor = blockIdx.x; anchor < count; anchor += gridDim.x) {
        __syncthreads();
        if (threadIdx.x == 0) {
            turn.lists = &lists;
            turn.gains = room + blockIdx.x * room_each;
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

DEVICE u64 mixed(u64 number) {  // SplitMix64's finish
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
    number = (number ^ number >> 27) * 0x94d049bb133111ebull;
    return number ^ number >> 31;
}

// Plays games from the start of a board to the end; ``turns[n]`` counts games of n turns.
extern "C" __global__ void play(const __grid_constant__ Lists lists, const unsigned char* start,
                                int sides, i64 games, u64 seed, double* room, i64 room_each,
                                unsigned* turns, int most, u64* counts) {
    __shared__ Turn turn;
    __shared__ int played, is_over;
    u64 rolls = 0, busts = 0, all_turns = 0;
    for (i64 game = blockIdx.x; game < games; game += gridDim.x) {
        __syncthreads();
        if (threadIdx.x == 0) {
            turn.lists = &lists;
            turn.gains = room + blockIdx.x * room_each;
            for (int c = 0; c < COLUMNS; c++) turn.left[c] = start[c];
            played = is_over = 0;
        }
        u64 stream = mixed(seed + 0x9e3779b97f4a7c15ull * (u64)(game + 1));
        __syncthreads();
        while (!is_over) {
            if (threadIdx.x == 0) {
                begin_turn(turn);
                turn.x = value_at(lists.values + turn.place);
            }
            solve_turn(turn);
            if (threadIdx.x == 0) {
                played++, all_turns++;
                State s = {0, {0, 0, 0}, {0, 0, 0}};
                while (true) {
                    int die[4];
                    for (int d = 0; d < 4; d += 2) {  // a bias below 1e-8 is left
                        const u64 number = mixed(stream += 0x9e3779b97f4a7c15ull);
                        die[d] = (int)((number & 0xffffffffull) * sides >> 32);
                        die[d + 1] = (int)((number >> 32) * sides >> 32);
                    }
                    rolls++;
                    const int sums[3][2] = {{die[0] + die[1], die[2] + die[3]},
                                            {die[0] + die[2], die[1] + die[3]},
                                            {die[0] + die[3], die[1] + die[2]}};
                    State chosen = s, after;
                    double highest = -1.0;
                    for (int split = 0; split < 3; split++)
                        if (play_split(turn, s, sums[split][0], sums[split][1], after) &&
                            gain_of(turn, after) > highest)
                            chosen = after, highest = gain_of(turn, after);
                    if (highest < 0.0) {
                        busts++;
                        break;
                    }
                    s = chosen;
                    if (stop_gain(turn, s) >= highest) {
                        int closed = 0;
                        for (int at = 0; at < s.count; at++) turn.left[s.column[at]] = s.left[at];
                        for (int c = 0; c < COLUMNS; c++) closed += turn.left[c] == 0;
                        is_over = closed >= lists.to_win;
                        break;
                    }
                }
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) atomicAdd(turns + (played < most ? played : most), 1u);
    }
    if (threadIdx.x == 0) {
        atomicAdd(counts, all_turns);
        atomicAdd(counts + 1, rolls);
        atomicAdd(counts + 2, busts);
    }
}
