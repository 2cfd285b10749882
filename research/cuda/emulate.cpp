// The CUDA solver's code on a CPU, lane by lane: the same recursions, searches and table layout.
// Arguments: columns to win, then the length of every column. Writes the file ``values``.
// The program is compiled behind the generated sources; emulate.py does that.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static std::vector<int> lengths(COLUMNS), halves(COLUMNS);
static std::vector<i64> block_stride(COLUMNS);
static Batch batch;

static i64 place_of(const int* left) {
    i64 place = 0;
    for (int c = 0; c < COLUMNS; c++) {
        place += (i64)(left[c] >> 1) * batch.stride[c];
        if (left[c] & 1) place += bit(c);
    }
    return place;
}

static int closed_number(const int* left) {  // by counting, not by the device code's formula
    int wanted = 0, number = 0;
    for (int c = 0; c < COLUMNS; c++) wanted |= (left[c] == 0) << c;
    for (int size = 0; size <= COLUMNS; size++) {
        std::vector<int> pick(COLUMNS, 0);
        std::fill(pick.begin(), pick.begin() + size, 1);
        do {
            int set = 0;
            for (int c = 0; c < COLUMNS; c++) set |= pick[c] << c;
            if (set == wanted) return number;
            number++;
        } while (std::prev_permutation(pick.begin(), pick.end()));
    }
    return -1;
}

template <class Number> static std::vector<Number> read(const char* name) {  // emulate.py wrote it
    FILE* file = fopen(name, "rb");
    fseek(file, 0, SEEK_END);
    std::vector<Number> found(ftell(file) / sizeof(Number));
    rewind(file);
    if (fread(found.data(), sizeof(Number), found.size(), file) != found.size()) exit(2);
    fclose(file);
    return found;
}

// What a warp has to know about anchors with at most so many steps left.
static std::vector<int> control_of(const int* box) {
    std::vector<int> control(CONTROL, 0);
    int cells = 0, lines = 0;
    for (int c = 0; c < COLUMNS; c++) {
        control[BOX + c] = box[c];
        control[LINE_BASE + c] = lines;
        lines += box[c];
        for (int d = c + 1; d < COLUMNS; d++) {
            control[PAIR_BASE + pair_number(c, d)] = cells;
            cells += box[c] * box[d];
        }
    }
    control[CELLS] = cells;
    return control;
}

static u64 packed(const int* left) {
    u64 steps = (u64)closed_number(left) << (4 * COLUMNS);
    for (int c = 0; c < COLUMNS; c++) steps |= (u64)left[c] << (4 * c);
    return steps;
}

// The mean number of turns of games that are played with the table.
static double play(const std::vector<float>& values, const Lists& lists, int games) {
    std::vector<float> records((size_t)4000 * RECORD + 1000), shared(1 << 16), triple(4000);
    long turns = 0;
    u64 stream = 1;
    for (int game = 0; game < games; game++)
        for (std::vector<int> left = lengths;
             std::count(left.begin(), left.end(), 0) < lists.to_win;) {
            const std::vector<int> control = control_of(left.data());
            const i64 place = place_of(left.data());
            const Anchor me = {batch, values.data() + place, values[place], packed(left.data()),
                               control.data(), records.data(), shared.data()};
            all_triples(me);
            all_pairs(me);
            all_columns(me);
            Path path = {me, lists, {}, triple.data(), 1, {0, 0, 0}};
            std::copy(left.begin(), left.end(), path.left);
            int rolls = 0;
            const State end = play_turn(path, (COLUMNS + 1) / 2, stream, rolls);
            for (int r = 0; r < end.count; r++) left[end.column[r]] = end.left[r];
            turns++;
        }
    return (double)turns / games;
}

// The largest error that the reference turn finds in the table.
static double check(const std::vector<float>& values, const Lists& lists) {
    const int to_win = lists.to_win;
    std::vector<double> gains(200000);
    Turn turn;
    turn.lists = &lists;
    turn.gains = gains.data();
    double worst = 0.0;
    std::vector<int> left(COLUMNS, 0);
    for (bool more = true; more;) {
        if (std::count(left.begin(), left.end(), 0) < to_win) {
            std::copy(left.begin(), left.end(), turn.left);
            begin_turn(turn);
            turn.x = values[turn.place];
            solve_triples(turn, 0, 1);
            solve_pairs(turn, 0, 1);
            solve_columns(turn, 0, 1);
            worst = std::max(worst, std::fabs(solve_start(turn) - 1.0));
        }
        int c = COLUMNS - 1;
        while (c >= 0 && ++left[c] > lengths[c]) left[c--] = 0;
        more = c >= 0;
    }
    return worst;
}

int main(int, char** given) {
    const int to_win = atoi(given[1]);
    for (int c = 0; c < COLUMNS; c++) lengths[c] = atoi(given[2 + c]), halves[c] = lengths[c] / 2 + 1;
    i64 blocks = 1;
    for (int position = 0; position < COLUMNS; position++)
        for (int c = 0; c < COLUMNS; c++)
            if (bit(c) == 1 << position) {
                block_stride[c] = blocks;
                batch.stride[c] = blocks << COLUMNS;
                blocks *= halves[c];
            }
    std::vector<float> values((size_t)blocks << COLUMNS, 0.f);
    std::vector<Slope> slopes(values.size(), 0);
    const auto useless = read<float>("useless"), weights = read<float>("weights");
    batch.useless = useless.data();
    std::vector<float> records((size_t)4000 * RECORD + 1000), shared(1 << 16);
    int highest = 0;
    for (int length : lengths) highest += length;
    long passes = 0, anchors = 0, unsolved = 0;
    for (int level = 0; level <= highest; level++)
        for (i64 block = 0; block < blocks; block++) {
            std::vector<std::vector<int>> found;
            for (int odd = 0; odd < 1 << COLUMNS; odd++) {
                std::vector<int> left(COLUMNS);
                int sum = 0, closed = 0;
                bool possible = true;
                for (int c = 0; c < COLUMNS; c++) {
                    left[c] = 2 * (int)(block / block_stride[c] % halves[c]) + ((odd & bit(c)) ? 1 : 0);
                    sum += left[c], closed += left[c] == 0, possible &= left[c] <= lengths[c];
                }
                if (possible && sum == level && closed < to_win) found.push_back(left);
            }
            for (size_t first = 0; first < found.size(); first += 32) {
                const size_t last = std::min(first + 32, found.size());
                std::vector<int> box(COLUMNS, 0);
                for (size_t lane = first; lane < last; lane++)
                    for (int c = 0; c < COLUMNS; c++) box[c] = std::max(box[c], found[lane][c]);
                const std::vector<int> control = control_of(box.data());
                for (size_t lane = first; lane < last; lane++) {
                    const auto& left = found[lane];
                    const u64 steps = packed(left.data());
                    const i64 place = place_of(left.data());
                    const Guess guess = first_guess(values.data() + place, slopes.data() + place, steps,
                                                    batch.stride, weights.data(), 0.9f, 0.f);
                    float x = guess.x;
                    Search search = new_search(x, guess.slope);
                    for (int pass = 0;; pass++) {
                        // what is read must have been written in this pass
                        std::fill(records.begin(), records.end(), 1e3f);
                        std::fill(shared.begin(), shared.end(), 1e3f);
                        const Anchor me = {batch, values.data() + place, x, steps, control.data(),
                                           records.data(), shared.data()};
                        all_triples(me);
                        all_pairs(me);
                        all_columns(me);
                        x = next_guess(search, x, turn_gain(me), pass == 0, 0.05f);
                        passes++;
                        if (pass >= 1 && search.error <= 5e-7f) break;
                        if (pass == 25) {
                            unsolved++;
                            break;
                        }
                    }
                    values[place] = x;
                    slopes[place] = to_slope(search.slope);
                    anchors++;
                }
            }
        }
    FILE* file = fopen("values", "wb");
    std::vector<int> left(COLUMNS, 0);
    for (bool more = true; more;) {  // in the order of the CPU solver's numbers
        fwrite(&values[place_of(left.data())], 4, 1, file);
        int c = COLUMNS - 1;
        while (c >= 0 && ++left[c] > lengths[c]) left[c--] = 0;
        more = c >= 0;
    }
    fclose(file);
    const auto split = read<unsigned char>("split"), kind = read<unsigned char>("kind");
    const auto roll = read<short>("roll");
    const auto kind_start = read<int>("kind_start");
    const auto chance = read<double>("chance"), kind_chance = read<double>("kind_chance");
    Lists lists = {values.data(), {}, to_win, (int)split.size() / 2, (int)chance.size(), split.data(),
                   roll.data(), chance.data(), kind_start.data(), kind_chance.data(), kind.data()};
    std::copy(batch.stride, batch.stride + COLUMNS, lists.stride);
    printf("%ld anchors, %.3f passes each, %ld unsolved, reference turn off by %.1e, mean of games %.3f\n",
           anchors, (double)passes / anchors, unsolved, check(values, lists),
           play(values, lists, 20000));
}
