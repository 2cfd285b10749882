// What the dice settle: sets of columns, splits, rolls, and the kinds of rolls that three runners see.
//
// Columns are places 0 to 10 of the official board; a board of smaller dice takes the middle places,
// so that the mirror image of place c is always 10 - c. Columns that a board lacks are always closed.
#pragma once
#include <algorithm>
#include <vector>

#include "lanes.h"

constexpr int COLUMNS = 11, RUNNERS = 3, SEATS = 4, LONGEST = 13;
constexpr int SETS = 232, FIRST_PAIR = 12, FIRST_TRIPLE = 67, TRIPLES = 165;
constexpr int SPLITS = 66, MOST_ROLLS = 126, MOST_FALLS = 1296;
constexpr int MASKS = 8, OPTIONS = 9, TWICE = 3, EACH = 5;
constexpr int MOST_KINDS = 64;  // of one triple, all masks together
constexpr int MOST_STATES = 70224;
constexpr int NO_SET = 255;
constexpr int LANE_STRIDE = LANES;  // option values of a warp's lanes lie side by side

// A kind of roll: three options as offsets into a lane's option values, and the chance.
struct Kind {
    unsigned options;
    float chance;
};

constexpr int OPTION_BITS = 10;  // offsets go up to 8 * 32 = 256; ten bits leave room

struct Board {
    uint8_t members[SETS][4];  // up to three columns, COLUMNS where there is none; then how many
    uint8_t set_of[1 << COLUMNS];
    uint8_t split[SPLITS][2], roll_splits[MOST_ROLLS][4], roll_of_fall[MOST_FALLS];
    uint8_t order[TRIPLES];  // the largest boxes first
    float chance[MOST_ROLLS];
    int rolls, falls;
    int pair_row[COLUMNS + 1], other_row[COLUMNS + 1], step_row[COLUMNS + 1];
    int kinds_start[TRIPLES * MASKS + 1];
    float useless[TRIPLES * MASKS];
};

KERNEL_DATA Board BOARD;
KERNEL_DATA Kind KINDS[TRIPLES * MOST_KINDS];

// The host's part
inline const int* official_lengths() {
    static const int lengths[COLUMNS] = {3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3};
    return lengths;
}

inline void number_sets(Board& board) {
    int count = 0;
    memset(board.set_of, NO_SET, sizeof board.set_of);
    for (int size = 0; size <= RUNNERS; size++)
        for (int mask = 0; mask < 1 << COLUMNS; mask++) {
            if (__builtin_popcount(mask) != size) continue;
            uint8_t* members = board.members[count];
            members[0] = members[1] = members[2] = COLUMNS;
            for (int column = 0, at = 0; column < COLUMNS; column++)
                if (mask >> column & 1) members[at++] = column;
            members[3] = size;
            board.set_of[mask] = count++;
        }
}

inline int number_splits(Board& board, int number[COLUMNS][COLUMNS]) {
    int count = 0;
    for (int low = 0; low < COLUMNS; low++)
        for (int high = low; high < COLUMNS; high++) {
            board.split[count][0] = low, board.split[count][1] = high;
            number[low][high] = number[high][low] = count++;
        }
    return count;
}

inline void number_rolls(Board& board, int sides, const int number[COLUMNS][COLUMNS], std::vector<int>& ways) {
    std::vector<int> known;
    const int middle = (COLUMNS - (2 * sides - 1)) / 2;
    board.falls = sides * sides * sides * sides;
    for (int fall = 0; fall < board.falls; fall++) {
        int dice[4] = {fall % sides, fall / sides % sides, fall / sides / sides % sides, fall / sides / sides / sides};
        std::sort(dice, dice + 4);
        const int key = ((dice[0] * 6 + dice[1]) * 6 + dice[2]) * 6 + dice[3];
        const int roll = std::find(known.begin(), known.end(), key) - known.begin();
        if (roll == (int)known.size()) {
            known.push_back(key), ways.push_back(0);
            for (int other = 1; other < 4; other++) {
                const int low = other == 1 ? 2 : 1, high = other == 3 ? 2 : 3;
                board.roll_splits[roll][other - 1] =
                    number[middle + dice[0] + dice[other]][middle + dice[low] + dice[high]];
            }
        }
        ways[roll]++, board.roll_of_fall[fall] = roll;
    }
    board.rolls = known.size();
    for (int roll = 0; roll < board.rolls; roll++) board.chance[roll] = (float)ways[roll] / board.falls;
}

// The option that a split gives to three runners, or -1: one step of k is k, two are TWICE + k, one
// each of j and k is EACH + j + k. Runners in the mask are on a top.
inline int option_of(const uint8_t* triple, int low, int high, int mask) {
    int one = -1, other = -1;
    for (int at = 0; at < RUNNERS; at++)
        if (!(mask >> at & 1)) {
            if (triple[at] == low) one = at;
            if (triple[at] == high) other = at;
        }
    if (low == high) return one < 0 ? -1 : TWICE + one;
    return one < 0 || other < 0 ? std::max(one, other) : EACH + one + other;
}

inline bool sort_kinds(Board& board, const std::vector<int>& ways, std::vector<Kind>& kinds) {
    for (int triple = 0; triple < TRIPLES; triple++) {
        const size_t first = kinds.size();
        for (int mask = 0; mask < MASKS; mask++) {
            const int index = triple * MASKS + mask;
            board.kinds_start[index] = kinds.size();
            std::vector<int> known, count;
            int none = 0;
            for (int roll = 0; roll < board.rolls; roll++) {
                int offered = 0;
                for (int at = 0; at < 3; at++) {
                    const uint8_t* split = board.split[board.roll_splits[roll][at]];
                    const int option = option_of(board.members[FIRST_TRIPLE + triple], split[0], split[1], mask);
                    if (option >= 0) offered |= 1 << option;
                }
                if (!offered) {
                    none += ways[roll];
                    continue;
                }
                const size_t kind = std::find(known.begin(), known.end(), offered) - known.begin();
                if (kind == known.size()) known.push_back(offered), count.push_back(0);
                count[kind] += ways[roll];
            }
            board.useless[index] = (float)none / board.falls;
            for (size_t kind = 0; kind < known.size(); kind++) {
                unsigned packed = 0, last = 0;
                for (unsigned option = 0, at = 0; at < 3; at++) {
                    while (option < OPTIONS && !(known[kind] >> option & 1)) option++;
                    if (option < OPTIONS) last = option++ * LANE_STRIDE;
                    packed |= last << (at * OPTION_BITS);
                }
                kinds.push_back({packed, (float)count[kind] / board.falls});
            }
            if (kinds.size() & 1) kinds.push_back({kinds.back().options, 0.f});  // they are taken two at a time
        }
        if (kinds.size() - first > MOST_KINDS) return false;
    }
    board.kinds_start[TRIPLES * MASKS] = kinds.size();
    return true;
}

inline bool make_board(Board& board, int sides, std::vector<Kind>& kinds) {
    memset(&board, 0, sizeof board);
    int number[COLUMNS][COLUMNS];
    std::vector<int> ways;
    const int* lengths = official_lengths();
    number_sets(board);
    number_splits(board, number);
    number_rolls(board, sides, number, ways);
    for (int column = 0; column < COLUMNS; column++) {
        const int length = lengths[column];
        board.pair_row[column + 1] = board.pair_row[column] + (length + 1) * (length + 1);
        board.other_row[column + 1] = board.other_row[column] + length + 1;
        board.step_row[column + 1] = board.step_row[column] + length;
    }
    std::vector<std::pair<int, int>> sized;
    for (int set = FIRST_TRIPLE; set < SETS; set++) {
        int size = 1;
        for (int at = 0; at < RUNNERS; at++) size *= lengths[board.members[set][at]];
        sized.push_back({-size, set});
    }
    std::sort(sized.begin(), sized.end());
    for (int at = 0; at < TRIPLES; at++) board.order[at] = sized[at].second;
    return sort_kinds(board, ways, kinds);
}
