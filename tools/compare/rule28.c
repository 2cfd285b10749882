// The yardstick of the kernel's speed: two-player games of the bot rule-of-28, in plain C with the
// official rules and the bot's weights written in.
//
//     cc -O3 -march=native -o rule28 rule28.c && ./rule28 GAMES SEED
//
// The bot is the one that bots/heuristic.py describes, the dice are a xorshift generator's. Prints
// games, turns, rolls, busts, games won by the first player, and the seconds of processor time.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 13, FALLS = 1296, RUNNERS = 3, TO_WIN = 3, MARKER = 6, THRESHOLD = 28 };

static const int TOP[COLUMNS] = {0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3};
static const int PROGRESS[COLUMNS] = {0, 0, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6};
static const int CHOICE[COLUMNS] = {0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1};

typedef struct { uint8_t low, high; } Split;
typedef struct { int count; Split splits[3]; } Roll;

static Roll rolls[FALLS];
static uint64_t state;

// The splits of every fall of the dice, the most balanced one last, each once.
static void list_rolls(void) {
    for (int fall = 0; fall < FALLS; fall++) {
        int dice[4] = {fall % 6 + 1, fall / 6 % 6 + 1, fall / 36 % 6 + 1, fall / 216 + 1};
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++)
                if (dice[j] < dice[i]) {
                    int kept = dice[i];
                    dice[i] = dice[j];
                    dice[j] = kept;
                }
        Roll* roll = &rolls[fall];
        for (int other = 1; other < 4; other++) {
            int low = dice[0] + dice[other];
            int high = dice[0] + dice[1] + dice[2] + dice[3] - low;
            if (low > high) {
                int kept = low;
                low = high;
                high = kept;
            }
            int is_known = 0;
            for (int i = 0; i < roll->count; i++)
                is_known |= roll->splits[i].low == low && roll->splits[i].high == high;
            if (!is_known) roll->splits[roll->count++] = (Split){(uint8_t)low, (uint8_t)high};
        }
    }
}

static inline const Roll* throw_dice(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return &rolls[((state >> 32) * FALLS) >> 32];
}

static inline int difficulty(uint32_t out) {
    int total = 0;
    if (!(out & 0x0AA8)) total -= 2;
    else if (!(out & 0x1554)) total += 2;
    if (!(out & 0x1F00)) total += 4;
    else if (!(out & 0x007C)) total += 4;
    return total;
}

// What a move into these columns is worth: `out` are the runners before it.
static inline int worth(uint32_t out, int free, int low, int high, int value) {
    uint32_t after = out | 1u << low | 1u << high;
    int brought = __builtin_popcount(after & ~out);
    if (brought && brought == free) value -= difficulty(after);
    return value - MARKER * brought;
}

typedef struct { long games, turns, rolls, busts, first_wins; } Totals;

static void play_game(Totals* totals) {
    int8_t tokens[2][16] = {{0}};
    int won[2] = {0, 0}, seat = 0;
    uint32_t open = 0x1FFC;
    for (;;) {
        int8_t spaces[16];
        memcpy(spaces, tokens[seat], sizeof spaces);
        uint32_t out = 0, usable = open;
        int free = RUNNERS, score = 0, topped = 0;
        totals->turns++;
        for (;;) {
            totals->rolls++;
            const Roll* roll = throw_dice();
            int best = -1000, first = 0, second = 0;
            for (int i = 0; i < roll->count; i++) {
                int low = roll->splits[i].low, high = roll->splits[i].high;
                int use_low = usable >> low & 1, use_high = usable >> high & 1;
                if (low == high) {
                    if (!use_low) continue;
                    int steps = spaces[low] + 2 <= TOP[low] ? 2 : 1;
                    int value = worth(out, free, low, low, steps * CHOICE[low]);
                    if (value >= best) best = value, first = low, second = steps == 2 ? low : 0;
                } else if (use_low && use_high) {
                    if (free == 1 && !(out >> low & 1) && !(out >> high & 1)) {
                        int one = worth(out, free, low, low, CHOICE[low]);
                        int other = worth(out, free, high, high, CHOICE[high]);
                        if (one >= best) best = one, first = low, second = 0;
                        if (other >= best) best = other, first = high, second = 0;
                    } else {
                        int value = worth(out, free, low, high, CHOICE[low] + CHOICE[high]);
                        if (value >= best) best = value, first = low, second = high;
                    }
                } else if (use_low || use_high) {
                    int column = use_low ? low : high;
                    int value = worth(out, free, column, column, CHOICE[column]);
                    if (value >= best) best = value, first = column, second = 0;
                }
            }
            if (!first) {
                totals->busts++;
                break;
            }
            for (int column = first, part = 0; part < 2 && column; part++, column = second) {
                if (!(out >> column & 1)) {
                    out |= 1u << column;
                    score += PROGRESS[column];
                    if (--free == 0) usable &= out;
                }
                score += PROGRESS[column];
                if (++spaces[column] == TOP[column]) {
                    topped++;
                    usable &= ~(1u << column);
                }
            }
            int wins = won[seat] + topped >= TO_WIN;
            if (wins || (free == 0 && score + difficulty(out) >= THRESHOLD)) {
                for (uint32_t left = out; left; left &= left - 1) {
                    int column = __builtin_ctz(left);
                    tokens[seat][column] = spaces[column];
                    if (spaces[column] == TOP[column]) open &= ~(1u << column);
                }
                won[seat] += topped;
                if (wins) {
                    totals->first_wins += seat == 0;
                    return;
                }
                break;
            }
        }
        seat = !seat;
    }
}

int main(int count, char** arguments) {
    Totals totals = {0};
    totals.games = count > 1 ? atol(arguments[1]) : 1000000;
    state = 0x9E3779B97F4A7C15u ^ (count > 2 ? strtoull(arguments[2], NULL, 10) : 1);
    list_rolls();
    clock_t begin = clock();
    for (long game = 0; game < totals.games; game++) play_game(&totals);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("%ld %ld %ld %ld %ld %.6f\n", totals.games, totals.turns, totals.rolls, totals.busts,
           totals.first_wins, seconds);
    return 0;
}
