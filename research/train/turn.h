// One turn in a thread block's shared memory: the anchor, the ways up, and how its states are numbered.
//
// A state is a set of columns with runners and the steps that each has left on its way up; the states
// of a set form a box. Seats are counted from the one whose turn it is.
#pragma once
#include "board.h"

enum Sharing { FREE, NO_REST, LEAPFROG };

constexpr int STEP_ROWS = 83;         // one for every column and steps left on the official board
constexpr int NO_ROW = STEP_ROWS;     // adds nothing
constexpr int FIRST_BASE = 84;        // the sums before any runner, by the columns that the turn wins
constexpr int ROWS = FIRST_BASE + 4;

struct Turn {
    // copied from the board once
    alignas(16) uint8_t members[SETS][4];
    uint8_t roll_splits[MOST_ROLLS][4], set_of[1 << COLUMNS], split[SPLITS][2], order[TRIPLES];
    uint8_t row_column[STEP_ROWS + 1], row_left[STEP_ROWS + 1];
    float chance[MOST_ROLLS];
    int pair_row[COLUMNS + 1], other_row[COLUMNS + 1], step_row[COLUMNS + 1], rolls;
    // the anchor
    int8_t left[SEATS][COLUMNS];  // spaces to the top, 0 where the column is closed
    int need[SEATS], win, early, sharing, open;
    // what follows from it
    int first[SETS + 1];
    int steps[COLUMNS + 1];  // on the way up; 1 for the column that stands for no runner
    int start[COLUMNS + 1];  // the same, 0 for that column
    int8_t space[COLUMNS][LONGEST + 1];  // spaces to the top with so many steps left
    uint8_t shared[COLUMNS][LONGEST + 1];
    uint8_t over[RUNNERS + 1];  // whether winning so many columns ends the game, and what it then gives
    float last[RUNNERS + 1][SEATS];
    // results
    float root, mean[SEATS];
    float partial[32][SEATS];
    float far[SEATS];  // the race model's distances before the turn
    int counter, game, ended;
};

DEVICE void copy_board(Turn& turn) {
    for (int i = thread(); i < SETS * 4; i += threads()) turn.members[i / 4][i % 4] = BOARD.members[i / 4][i % 4];
    for (int i = thread(); i < 1 << COLUMNS; i += threads()) turn.set_of[i] = BOARD.set_of[i];
    for (int i = thread(); i < MOST_ROLLS; i += threads()) {
        turn.chance[i] = BOARD.chance[i];
        for (int at = 0; at < 4; at++) turn.roll_splits[i][at] = BOARD.roll_splits[i][at];
    }
    for (int i = thread(); i < SPLITS; i += threads())
        turn.split[i][0] = BOARD.split[i][0], turn.split[i][1] = BOARD.split[i][1];
    for (int i = thread(); i < TRIPLES; i += threads()) turn.order[i] = BOARD.order[i];
    for (int i = thread(); i <= COLUMNS; i += threads()) {
        turn.pair_row[i] = BOARD.pair_row[i], turn.other_row[i] = BOARD.other_row[i];
        turn.step_row[i] = BOARD.step_row[i];
        if (i < COLUMNS)
            for (int row = BOARD.step_row[i]; row < BOARD.step_row[i + 1]; row++)
                turn.row_column[row] = i, turn.row_left[row] = row - BOARD.step_row[i];
    }
    if (thread() == 0) {
        turn.rolls = BOARD.rolls;
        turn.row_column[NO_ROW] = 0, turn.row_left[NO_ROW] = 1;
    }
    sync_block();
}

// The way up of the seat to move (T3; V3: where it may not rest; V4: which spaces it jumps).
template <int N>
DEVICE void find_way_up(Turn& turn, int column) {
    int steps = 0;
    const int token = turn.left[0][column];
    for (int space = 0; space < token; space++) {
        bool taken = false;
        for (int seat = 1; seat < N; seat++) taken |= turn.left[seat][column] == space && space > 0;
        if (taken && turn.sharing == LEAPFROG) continue;
        turn.shared[column][steps] = taken && turn.sharing == NO_REST;
        turn.space[column][steps++] = space;
    }
    turn.space[column][steps] = token;
    turn.shared[column][steps] = 0;
    turn.steps[column] = turn.start[column] = steps;
}

// What the game gives to everybody where a stop that wins so many columns ends it (W4, W5).
template <int N>
DEVICE void find_ending(Turn& turn, int won) {
    int best = 0, winners = 0, columns[N];
    for (int seat = 0; seat < N; seat++) {
        columns[seat] = turn.win - turn.need[seat] + (seat == 0 ? won : 0);
        best = most(best, columns[seat]);
    }
    const bool enough = won >= turn.need[0];
    turn.over[won] = enough || won >= turn.open;
    for (int seat = 0; seat < N; seat++) winners += columns[seat] == best;
    for (int seat = 0; seat < N; seat++)
        turn.last[won][seat] = enough ? (seat == 0 ? 1.f : 0.f) : columns[seat] == best ? 1.f / winners : 0.f;
}

template <int N>
DEVICE void begin_turn(Turn& turn) {
    for (int column = thread(); column < COLUMNS; column += threads()) find_way_up<N>(turn, column);
    sync_block();
    if (thread() == 0) {
        turn.open = 0;
        for (int column = 0; column < COLUMNS; column++) turn.open += turn.left[0][column] > 0;
        turn.steps[COLUMNS] = 1, turn.start[COLUMNS] = 0;
        for (int won = 0; won <= RUNNERS; won++) find_ending<N>(turn, won);
    }
    if (warp() == 0) {  // where each set's box begins: a sum over all sets before it
        constexpr int SHARE = (SETS + LANES) / LANES;
        int total = 0;
        for (int at = 0; at < SHARE; at++) {
            const int set = lane() * SHARE + at;
            int size = set < SETS;
            for (int runner = 0; size && runner < turn.members[set][3]; runner++)
                size *= turn.start[turn.members[set][runner]];
            if (set <= SETS) turn.first[set] = size;
            total += size;
        }
        int before = total;
#ifdef __CUDACC__
        for (int far = 1; far < 32; far <<= 1) {
            const int other = __shfl_up_sync(~0u, before, far);
            if (lane() >= far) before += other;
        }
#endif
        before -= total;
        for (int at = 0; at < SHARE; at++) {
            const int set = lane() * SHARE + at;
            if (set > SETS) break;
            const int size = turn.first[set];
            turn.first[set] = before;
            before += size;
        }
    }
    sync_block();
}

// The rows of a state's runners, how many of them are on a top, and whether a stop is legal (V3).
struct End {
    int row[RUNNERS], won;
    bool legal;
};

DEVICE End end_of(const Turn& turn, int state) {
    int low = 0, high = SETS;
    while (high - low > 1) {
        const int middle = (low + high) >> 1;
        if (turn.first[middle] <= state) low = middle;
        else high = middle;
    }
    // empty boxes begin where the next one does: the last set that begins here is the one
    int rest = state - turn.first[low];
    End end = {{NO_ROW, NO_ROW, NO_ROW}, 0, true};
#pragma unroll
    for (int at = RUNNERS - 1; at >= 0; at--)
        if (at < turn.members[low][3]) {
            const int column = turn.members[low][at], steps = turn.steps[column], left = rest % steps;
            rest /= steps;
            end.row[at] = turn.step_row[column] + left;
            end.won += left == 0;
            end.legal &= !turn.shared[column][left];
        }
    return end;
}
