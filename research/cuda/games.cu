// One turn of many games at once.

struct Games {
    const i64* game;              // for each lane its game's number
    const unsigned char* active;  // whether it has one
    i64* place;                   // for each game the place of its anchor,
    u64* stream;                  // its random numbers,
    int* turns;                   // its turns so far
    double* drift;                // how far the values of its anchors were off, turn by turn,
    unsigned char* over;          // and whether it is over
    float* scratch;               // working memory of this launch alone
    u64* rolls;
    u64* busts;
    i64 lanes;
    int sides;
};

extern "C" __global__ void __launch_bounds__(128)
play(const __grid_constant__ Batch batch, const __grid_constant__ Games games,
     const __grid_constant__ Lists lists) {
    const i64 threads = (i64)gridDim.x * blockDim.x, thread = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    u64 rolls = 0, busts = 0;
    for (i64 mine = thread; mine < games.lanes; mine += threads) {
        if (!games.active[mine]) continue;
        const i64 warp = mine / LANES, game = games.game[mine];
        const Anchor me = {batch,
                           batch.values + batch.place[mine],
                           batch.guess[mine],
                           batch.steps[mine],
                           batch.control + warp * CONTROL,
                           batch.records + batch.record_base[warp] * LANES + mine % LANES,
                           nullptr};
        Path path = {me, lists, {}, games.scratch + thread, threads, {0, 0, 0}};
        NO_UNROLL for (int c = 0; c < COLUMNS; c++) path.left[c] = me.left(c);
        int rolled = 0;
        const State end = play_turn(path, games.sides, games.stream[game], rolled);
        rolls += rolled;
        busts += end.count == 0;
        games.turns[game]++;
        games.drift[game] += 1.0 - (double)turn_gain(me);
        NO_UNROLL for (int r = 0; r < end.count; r++) {
            games.place[game] += move_of(me, end.column[r], end.left[r]);
            path.left[end.column[r]] = end.left[r];
        }
        int closed = 0;
        NO_UNROLL for (int c = 0; c < COLUMNS; c++) closed += path.left[c] == 0;
        games.over[game] = closed >= lists.to_win;
    }
    atomicAdd(games.rolls, rolls);
    atomicAdd(games.busts, busts);
}
