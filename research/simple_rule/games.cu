// Games of rules that count points: many rules at once, each against the same opponent or alone.
//
// A rule is a row of small numbers (`Rule`; games.py writes it). One block of threads plays the
// games of one rule. The same text is C++ for a CPU, where a loop takes the place of the threads.
// Dice belong to game, seat, turn and roll, so that all rules meet the same luck.

typedef unsigned long long u64;
typedef unsigned int u32;

#ifdef __CUDACC__
#define DEVICE static __device__ __forceinline__
#else
#define DEVICE static inline
#endif

enum { COLUMNS = 13, SPACES = 14, CLASSES = 16, RUNNERS = 3, TO_WIN = 3, FALLS = 1296 };

struct Rule {
    short value[COLUMNS][SPACES];  // of a step to a space, for the choice
    short space[COLUMNS];          // points of a space gained
    short entered[COLUMNS];        // points of a column entered, once
    short added[CLASSES];          // points of the set of columns, with all runners out
    short taken[CLASSES];          // off the choice that brings out the last runner, for the set
    short price;                   // off the choice, for each runner brought out
    short enough;                  // points to stop at
    short top;                     // points of a runner on a top
    short tops_stop;               // whether a top ends the turn, with a runner in hand too
    short behind;                  // more points needed for every column the opponent has won
};

struct Games {
    const Rule* rules;
    const Rule* opponent;  // no rule: they play alone
    const u32* falls;      // by how four dice can fall: three splits, four bits a sum
    u64* wins;             // of each rule
    u64* turns;
    u64* squares;          // of the turns of a game
    u64 seed, count;
    u64 apart;             // between the first games of two rules: 0 gives all the same dice
    int threads;
};

DEVICE u64 mixed(u64 x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// bits for odd, even, low and high columns; 7 is neither low nor high
DEVICE int class_of(int column) { return (int)(0xA9A9A16565600ull >> 4 * column & 15); }
DEVICE int top_of(int column) { return (int)(0x3579BDB975300ull >> 4 * column & 15); }
DEVICE int at(u64 spaces, int column) { return (int)(spaces >> 4 * column & 15); }

// The turn that is being played.
struct Turn {
    u64 spaces;  // of tokens and runners, four bits a column
    int open, out, free, classes, score, topped;
};

DEVICE bool usable(const Turn& turn, int column) {
    return (turn.open >> column & 1) && at(turn.spaces, column) < top_of(column) &&
           (turn.free || (turn.out >> column & 1));
}

DEVICE int step_value(const Rule& rule, const Turn& turn, int column, int steps) {
    int space = at(turn.spaces, column), value = 0;
    for (int step = 1; step <= steps; step++)
        if (space + step <= top_of(column)) value += rule.value[column][space + step];
    return value;
}

// What the choice says of stepping up in these columns; `second` may be 0 or the first again.
DEVICE int worth(const Rule& rule, const Turn& turn, int first, int second) {
    int brought = ~turn.out >> first & 1, classes = turn.classes | class_of(first);
    int value = step_value(rule, turn, first, second == first ? 2 : 1);
    if (second && second != first) {
        value += step_value(rule, turn, second, 1);
        brought += ~turn.out >> second & 1;
        classes |= class_of(second);
    }
    value -= rule.price * brought;
    return brought && brought == turn.free ? value - rule.taken[classes] : value;
}

// The best move of a roll, first column and second one in higher bits; 0 for a bust.
// Of equal ones the later, which is from the more balanced split.
DEVICE int chosen(const Rule& rule, const Turn& turn, u32 splits) {
    int best = 0, best_worth = -(1 << 30);
    for (int split = 0; split < 3; split++, splits >>= 8) {
        int low = splits & 15, high = splits >> 4 & 15;
        if (!low) continue;
        bool use_low = usable(turn, low), use_high = usable(turn, high);
        if (!use_low && !use_high) continue;
        bool both = use_low && use_high;
        bool pick = both && low != high && turn.free == 1 && !(turn.out >> low & 1) &&
                    !(turn.out >> high & 1);
        for (int option = 0; option < (pick ? 2 : 1); option++) {
            int first = pick ? (option ? high : low) : (use_low ? low : high);
            int second = both && !pick ? high : 0;
            int found = worth(rule, turn, first, second);
            if (found >= best_worth) best_worth = found, best = first | second << 4;
        }
    }
    return best;
}

DEVICE void step(const Rule& rule, Turn& turn, int column) {
    int space = at(turn.spaces, column);
    if (space == top_of(column)) return;  // of two equal sums the second may be lost (T6)
    if (!(turn.out >> column & 1)) {
        turn.out |= 1 << column;
        turn.classes |= class_of(column);
        turn.score += rule.entered[column];
        turn.free--;
        if (!turn.free) turn.score += rule.added[turn.classes];
    }
    turn.spaces += 1ull << 4 * column;
    turn.score += rule.space[column];
    if (space + 1 == top_of(column)) turn.topped++, turn.score += rule.top;
}

DEVICE bool stops(const Rule& rule, const Turn& turn, int won, int theirs) {
    if (won + turn.topped >= TO_WIN) return true;
    if (turn.topped && rule.tops_stop) return true;
    if (turn.free) return false;
    return turn.score >= rule.enough + rule.behind * theirs;
}

// One thread's share of the games of a rule.
DEVICE void play(const Games& games, const Rule& rule, const Rule& opponent, const u32* falls, u64 first,
                 int thread, u64& wins, u64& turns, u64& squares) {
    const int players = games.opponent ? 2 : 1;
    for (u64 game = first + thread; game < first + games.count; game += games.threads) {
        const int mine = (int)(game % players);
        u64 tokens[2] = {0, 0}, mine_turns = 0;
        int won[2] = {0, 0}, open = 0x1FFC, seat = 0, lap = 0;
        u64 key = mixed(games.seed * 0x9e3779b97f4a7c15ull + game / players), roll = 0;
        Turn turn = {0, open, 0, RUNNERS, 0, 0, 0};
        while (true) {
            const Rule& player = seat == mine ? rule : opponent;
            u64 drawn = mixed(key + 0x9e3779b97f4a7c15ull * (1 + roll + 256 * (u64)(lap * 2 + seat)));
            roll++;
            int move = chosen(player, turn, falls[(drawn >> 32) * FALLS >> 32]);
            if (move) {
                step(player, turn, move & 15);
                if (move >> 4) step(player, turn, move >> 4);
                if (!stops(player, turn, won[seat], won[1 - seat]) && lap < 1000) continue;
                tokens[seat] = turn.spaces;
                won[seat] += turn.topped;
                for (int column = 2; turn.topped && column <= 12; column++)
                    if ((turn.out >> column & 1) && at(turn.spaces, column) == top_of(column))
                        open &= ~(1 << column);
            }
            if (seat == mine) mine_turns++;
            if (won[seat] >= TO_WIN || lap >= 1000) break;
            if (players == 2) seat = 1 - seat;
            lap += seat == 0;
            roll = 0;
            turn.spaces = tokens[seat], turn.open = open, turn.out = turn.classes = 0;
            turn.free = RUNNERS, turn.score = turn.topped = 0;
        }
        wins += won[mine] >= TO_WIN;
        turns += mine_turns, squares += mine_turns * mine_turns;
    }
}

#ifdef __CUDACC__
extern "C" __global__ void play_games(const Games games) {
    __shared__ Rule rule, opponent;
    __shared__ u32 falls[FALLS];
    const int words = sizeof(Rule) / 2;
    const short* from = (const short*)&games.rules[blockIdx.x];
    const short* other = (const short*)(games.opponent ? games.opponent : games.rules);
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        ((short*)&rule)[i] = from[i];
        ((short*)&opponent)[i] = other[i];
    }
    for (int i = threadIdx.x; i < FALLS; i += blockDim.x) falls[i] = games.falls[i];
    __syncthreads();
    u64 wins = 0, turns = 0, squares = 0;
    play(games, rule, opponent, falls, blockIdx.x * games.apart, threadIdx.x, wins, turns, squares);
    atomicAdd(&games.wins[blockIdx.x], wins);
    atomicAdd(&games.turns[blockIdx.x], turns);
    atomicAdd(&games.squares[blockIdx.x], squares);
}
#else
extern "C" void play_games(const Games* games, int rules) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < rules; i++) {
        const Rule& opponent = games->opponent ? *games->opponent : *games->rules;
        play(*games, games->rules[i], opponent, games->falls, i * games->apart, 0, games->wins[i],
             games->turns[i], games->squares[i]);
    }
}
#endif
