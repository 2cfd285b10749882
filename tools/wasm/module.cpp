// The module: what Python and browsers call. docs/engine-module.md tells how.
//
// An instance serves one game at a time. Records and answers lie at fixed addresses; whatever grows
// with the board is reserved in order: tables and evaluator once for a game, then what one turn takes.
#include "runtime.hpp"
#include "translated.inc"

#define EXPORT(name) extern "C" __attribute__((export_name(#name), visibility("default")))

// What runs once for a game or an evaluator: few bytes count there, not speed.
#define SMALL __attribute__((minsize, noinline))

using Bytes1 = Array<signed char, 1>;
using Bytes2 = Array<signed char, 2>;
using Shorts1 = Array<short, 1>;
using Shorts2 = Array<short, 2>;
using Shorts3 = Array<short, 3>;
using Ints1 = Array<int, 1>;
using Ints2 = Array<int, 2>;
using Flags1 = Array<bool, 1>;
using Flags2 = Array<bool, 2>;
using Floats1 = Array<float, 1>;
using Floats2 = Array<float, 2>;
using Doubles1 = Array<double, 1>;
using Doubles2 = Array<double, 2>;
using Sets = ColumnSets<Bytes2, Bytes1, Ints2, Flags2>;
using Classes = RollClasses<Array<unsigned char, 2>, Array<unsigned short, 2>, Doubles1>;
using Order = SplitOrder<Array<unsigned short, 3>, Ints2>;
using Triples = TripleRolls<Ints2, Doubles1, Array<unsigned char, 2>, Doubles2>;
using Layout = StateLayout<Ints1, Ints1, Ints2>;
using Tables = TurnTables<Sets, Classes, Order, Triples, int, bool, Flags1>;
using Values = TurnValues<Doubles1, Doubles1, Doubles1>;
using Solved = SolvedTurn<Ints2, Layout, Values, Doubles1>;
using Turn = TurnMemory<Bytes2, Ints2, Flags2, Array<i64, 1>, Flags1, Doubles2, Solved>;
using Network32 = Layers<Shorts2, Shorts1, Floats2, Floats1, Floats2, Floats1>;
using RaceNetwork = Network<Floats2, Floats2, Floats1, Floats1, Floats1>;
using RaceScale = Scale<Ints1, Bytes2, double>;
using Race = RaceArrays<RaceNetwork, Doubles2, Doubles2, RaceScale>;

enum { FIRST_SPACE = 2 };
enum Kind { NOTHING, VALUE_NETWORK, RACE_MODEL, GIVEN };

static Rules rules;
static Rolls rolls;
static Position position, rolled, scratch;
static Judgement judgement;
static Bot bot;
static Stream draws;
static Answer answer;

static Tables tables, wanted;
static Turn turn;
static Network32 network;
static Race race;
static Kind kind;
static size_t game_begins, turn_begins;
static int states, given_count;
static Flags1 stop_flags;
static Doubles1 chance, roll_worth;
static Ints1 move_states, given_rows;
static Bytes2 roll_best;
static Doubles2 given_worth;
static Array<signed char, 3> given_spaces;

EXPORT(version) int version() { return INTERFACE; }
EXPORT(rules_record) Rules* rules_record() { return &rules; }
EXPORT(rolls_record) Rolls* rolls_record() { return &rolls; }
EXPORT(position_record) Position* position_record() { return &position; }
EXPORT(judgement_record) Judgement* judgement_record() { return &judgement; }
EXPORT(bot_record) Bot* bot_record() { return &bot; }
EXPORT(draws_record) Stream* draws_record() { return &draws; }
EXPORT(answer_record) Answer* answer_record() { return &answer; }

static int choose_of(int all, int some) {
    double ways = 1;
    for (int at = 0; at < some; at++) ways = ways * (all - at) / (at + 1);
    return (int)(ways + 0.5);
}

// Begins a game by the rules record: everything that was there before is forgotten.
EXPORT(begin_game_of) SMALL void begin_game_of() {
    if (!used) game_begins = (size_t)&__heap_base;
    used = turn_begins = game_begins;
    kind = NOTHING;
    states = 0;
    fill_rolls(rolls, rules.sides);
}

// Whoever only plays needs none of this.
SMALL static void make_tables() {
    int columns = 2 * rules.sides - 1, runners = rules.runners, count = 0, longest = 0;
    for (int size = 0; size <= runners; size++) count += choose_of(columns, size);
    for (int column = 0; column < columns; column++)
        longest = larger(longest, (int)rules.tops[column + FIRST_SPACE]);
    Sets sets{make<signed char>(count, runners), make<signed char>(count), make<int>(count, columns), make<bool>(count, columns)};
    fill_sets(sets);
    Classes classes{make<unsigned char>(columns * (columns + 1) / 2, 2), make<unsigned short>(rolls.count + 1, 3), make<double>(rolls.count + 1)};
    int used_classes = fill_classes(rolls, columns, classes);
    classes.rolls = classes.rolls.part(0, used_classes);
    classes.chances = classes.chances.part(0, used_classes);
    Order order{make<unsigned short>(count, columns * (columns + 1) / 2, 3), make<int>(count, 4)};
    fill_order(sets.contains, classes.splits, order);
    int first = runners == TRIPLE_RUNNERS ? count - choose_of(columns, TRIPLE_RUNNERS) : count, triples = count - first;
    Triples own{make<int>(triples, TRIPLE_MASKS + 1), {}, {}, filled(make<double>(triples, TRIPLE_MASKS), 0)};
    int most = triples * TRIPLE_MASKS * (smaller(used_classes, (int)MOST_TRIPLE_CLASSES) + 1);
    own.chances = filled(make<double>(most), 0);
    own.options = filled(make<unsigned char>(most, 3), 0);
    size_t tight = used;
    classify(sets.members.part(first), classes, own);
    used = tight;
    tables = Tables{sets, classes, order, own, first, rules.early != 0, {}};
    turn = Turn{make<signed char>((int)rules.players, columns), filled(make<int>(columns, longest + 1), 0), filled(make<bool>(columns, longest + 1), 0),
                make<i64>(count), filled(make<bool>(count), 0), {},
                Solved{filled(make<int>(columns, longest + 1), 0), Layout{filled(make<int>(columns), 0), make<int>(count), make<int>(count, runners)}, {}, make<double>(1)}};
    for (int index = 0; index < count; index++) {
        turn.masks[index] = 0;
        for (int column = 0; column < columns; column++)
            if (sets.contains[index][column]) turn.masks[index] |= 1LL << column;
    }
    move_states = make<int>((int)MOVES);
    roll_worth = make<double>((int)rolls.count);
    roll_best = make<signed char>((int)rolls.count, 3);
}

// An evaluator for the game: its numbers lie behind the tables, and a turn behind both.
SMALL static void begin_using(Kind evaluator) {
    if (kind == NOTHING) make_tables();
    kind = evaluator;
}

// Memory for an evaluator's numbers.
EXPORT(reserve_input) void* reserve_input(int size) { return reserve((size_t)size); }

static Shorts3 unpacked(const unsigned char*& data, int tables, int rows, int units) {
    Shorts3 found = make<short>(tables, rows, units);
    const int count = count_of(found);
    for (int at = 0; at < count; at++) found.data[at] = (short)(data[at] | data[count + at] << 8);
    data += 2 * count;
    return found;
}

static Floats2 copied(const unsigned char*& data, int rows, int units) {
    Floats2 found = make<float>(rows, units);
    __builtin_memcpy(found.data, data, rows * units * sizeof(float));
    data += rows * units * sizeof(float);
    return found;
}

// Plays by a value network: its arrays as the file of networks has them.
EXPORT(use_value_network) SMALL void use_value_network(const unsigned char* data, int units) {
    int players = rules.players, outputs = players == 2 ? 1 : players, couples = players * (players - 1) / 2;
    begin_using(VALUE_NETWORK);
    Shorts3 pairs = unpacked(data, couples, NETWORK_PAIR_ROWS, units), needs = unpacked(data, couples, NETWORK_NEED_ROWS, units);
    Shorts1 early = unpacked(data, 1, 1, units)[0][0];
    Network32 made{make<short>(couples * NETWORK_COUPLE_ROWS, 2 * units), make<short>(2 * units), copied(data, NETWORK_DEEP, units), {}, {}, {}};
    made.hidden_bias = copied(data, 1, NETWORK_DEEP)[0];
    made.out = copied(data, outputs, NETWORK_DEEP);
    made.out_bias = copied(data, 1, outputs)[0];
    fill_vectors(pairs, needs, early, made);
    Doubles1 grain = make<double>((int)NETWORK_DEEP);
    round_hidden(made.hidden, grain);
    use_whole_numbers(made.hidden, grain);
    network = made;
    turn_begins = used;
}

// Plays by the race model: the network's arrays, then the scatter, which a game alone has not.
EXPORT(use_race_model) SMALL void use_race_model(const unsigned char* data, int vectors, int units, int deep, int distances, int turns) {
    begin_using(RACE_MODEL);
    RaceNetwork made{copied(data, vectors, units), copied(data, units, deep), copied(data, 1, deep)[0], copied(data, 1, deep)[0], copied(data, 1, 1)[0]};
    Floats2 given = copied(data, distances, turns);
    Doubles2 scatter = make<double>(distances, turns);
    for (int at = 0; at < distances * turns; at++) scatter.data[at] = given.data[at];
    int rows = distances ? RACE_ROWS : 0;
    Doubles2 survival = make<double>(rows, RACE_FARTHEST + turns), duels = make<double>(rows, rows);
    if (rows) fill_survival(scatter, survival), fill_duels(survival, duels);
    int columns = 2 * rules.sides - 1, longest = turn.path.shape[1] - 1;
    Ints1 lengths = make<int>(columns);
    for (int column = 0; column < columns; column++) lengths[column] = rules.tops[column + FIRST_SPACE];
    RaceScale scale{make<int>(columns), filled(make<signed char>(columns, longest + 1), 0), 0};
    scale.turns = fill_scale(lengths, (int)rules.sides, scale.place, scale.steps);
    race = Race{made, survival, duels, scale};
    turn_begins = used;
}

// Plays by whatever the caller finds: see begin_turn_of.
EXPORT(use_given_worths) void use_given_worths() {
    begin_using(GIVEN);
    turn_begins = used;
}

static void finish() {
    turn.solved.values = Values{make<double>(states), make<double>(states), make<double>(states + 1)};
    finish_solving(wanted, states, rules, position, turn);
}

static void begin(bool whole) {
    used = turn_begins;
    Array<i64, 1> roots = make<i64>((int)MOVES);
    roots.shape[0] = 1;
    roots[0] = whole ? 0 : position.out;
    if (!whole && position.move_count) {
        roots.shape[0] = position.move_count;
        for (int move = 0; move < position.move_count; move++) {
            roots[move] = position.out;
            for (int part = 0; part < 2; part++)
                if (position.moves[move][part]) roots[move] |= 1LL << position.moves[move][part];
        }
    }
    auto [those, count] = begin_solving(tables, rules, position, roots, turn);
    wanted = those;
    states = count;
    turn.worth = make<double>(states, (int)rules.players);
    stop_flags = make<bool>(states);
    chance = make<double>(states + 1);
}

// Solves the turn of the position record: all of it, or what can still come of it after its runners
// and the moves of its dice. Returns how many states it has.
EXPORT(solve) int solve(int whole) {
    begin(whole);
    if (kind == VALUE_NETWORK) {
        int width = network.early.shape[0];
        EndsMemory memory{filled(make<short>(NETWORK_COLUMNS, width, NETWORK_LONGEST + 1), 0), filled(make<short>(TRIPLE_RUNNERS + 1, width), 0),
                          filled(make<short>(2, width, NETWORK_LONGEST * NETWORK_LONGEST + 7), 0), filled(make<short>(width), 0),
                          Block{filled(make<float>(width / 2, NETWORK_BLOCK + NETWORK_PADDING), 0), make<float>(NETWORK_AT_ONCE, NETWORK_BLOCK),
                                make<float>(network.out.shape[0], NETWORK_BLOCK), filled(make<int>(NETWORK_BLOCK), 0)}};
        fill_ends(network, (int)rules.columns_to_win, tables.early, tables.sets, turn.wanted, turn.solved.layout, turn.path, turn.tokens,
                  (int)position.seat, memory, turn.worth);
    } else if (kind == RACE_MODEL) {
        race_ends(wanted, states, race, rules, position, turn);
    } else {
        __builtin_trap();
    }
    finish();
    return states;
}

// For evaluators of one's own: begin_turn_of returns how many ends of the turn there are to evaluate,
// whose tokens are the bytes at given_tokens, [end][seat][column]; the caller writes numbers to
// given_numbers, [end][seat], and calls finish_turn_of.
EXPORT(begin_turn_of) SMALL int begin_turn_of(int whole) {
    begin(whole);
    int players = rules.players, columns = turn.tokens.shape[1];
    Stops stops{make<signed char>(states, players, columns), make<bool>(states), filled(make<int>(states), 0)};
    stop_everywhere(wanted, turn.solved.layout, turn.path, turn.shared, turn.tokens, (int)position.seat, stops);
    given_rows = make<int>(states);
    given_count = keep_going_on(rules, position, stops, given_rows);
    given_spaces = stops.spaces;
    given_worth = make<double>(given_count, players);
    return given_count;
}
EXPORT(given_tokens) signed char* given_tokens() { return given_spaces.data; }
EXPORT(given_numbers) double* given_numbers() { return given_worth.data; }
EXPORT(finish_turn_of) int finish_turn_of() {
    for (int row = 0; row < given_count; row++)
        for (int seat = 0; seat < rules.players; seat++) turn.worth[given_rows[row]][seat] = given_worth[row][seat];
    finish();
    return states;
}

// Fills the answer with what can be done in the position, which belongs to the solved turn.
EXPORT(look) void look() {
    Values& values = turn.solved.values;
    answer.bust = turn.solved.bust[0];
    if (position.move_count) {
        int best = look_at_moves(rules, tables.sets, turn.solved, position, scratch, move_states);
        answer.value = values.value[move_states[best]];
        for (int move = 0; move < position.move_count; move++) {
            answer.moves[move] = values.value[move_states[move]];
            answer.stops[move] = values.stop[move_states[move]] >= values.again[move_states[move]];
        }
        return;
    }
    int state = state_of(tables.sets, turn.solved, position);
    answer.stop = values.stop[state];
    answer.again = values.again[state];
    answer.value = values.value[state];
    answer.stops_here = answer.stop >= answer.again;
}

enum How { AT_BEST, STOPPING, ROLLING };

// Fills the answer with what the position is worth to every seat, and the chance of a bust: if the
// mover goes on at their best, stops at once, or rolls at once.
EXPORT(look_ahead) void look_ahead(How how) {
    int players = rules.players, state;
    Doubles1 worths{answer.worths, {players}};
    if (position.move_count)
        state = move_states[look_at_moves(rules, tables.sets, turn.solved, position, scratch, move_states)];
    else
        state = state_of(tables.sets, turn.solved, position);
    if (how == STOPPING) {
        answer.busts = 0;
        for (int seat = 0; seat < players; seat++) worths[seat] = turn.worth[state][seat];
        return;
    }
    answer.busts = follow_from(wanted, turn.solved, state, how == ROLLING, stop_flags, chance);
    mean_worth(turn.worth, chance, answer.busts, worths);
}

// Whether the position, before a roll, belongs to the solved part of the turn.
static bool is_solved() {
    int index = 0;
    for (int column = 0; column < turn.tokens.shape[1]; column++)
        if (position.out >> (column + FIRST_SPACE) & 1) index = tables.sets.children[index][column];
    return turn.wanted[index];
}

// Fills in what every distinct roll would bring; returns how many there are: none where no roll can
// follow at once.
EXPORT(look_at_rolls) int look_at_rolls() {
    if (position.move_count || !is_solved()) return 0;
    map_rolls(rules, rolls, tables.sets, turn.solved, position, rolled, scratch, move_states, roll_worth, roll_best);
    return rolls.count;
}
EXPORT(roll_worths) double* roll_worths() { return roll_worth.data; }
EXPORT(roll_moves) signed char* roll_moves() { return roll_best.data; }

// The solved turn itself: what stopping, rolling and the better of both are worth in every state,
// every seat's worth after a stop there, the chances of the last look_ahead, a state's runners.
EXPORT(stop_values) double* stop_values() { return turn.solved.values.stop.data; }
EXPORT(roll_values) double* roll_values() { return turn.solved.values.again.data; }
EXPORT(state_values) double* state_values() { return turn.solved.values.value.data; }
EXPORT(end_worths) double* end_worths() { return turn.worth.data; }
EXPORT(end_chances) double* end_chances() { return chance.data; }
EXPORT(put_runners) SMALL void put_runners(int state) {
    const Layout& layout = turn.solved.layout;
    int index = 0;
    for (int set = 0; set < layout.first.shape[0]; set++)
        if ((turn.wanted[set] || !set) && layout.first[set] <= state) index = set;
    state -= layout.first[index];
    for (int column = 0; column < turn.tokens.shape[1]; column++) scratch.runners[column + FIRST_SPACE] = 0;
    for (int at = 0; at < tables.sets.sizes[index]; at++) {
        int column = tables.sets.members[index][at], stride = layout.stride[index][at];
        scratch.runners[column + FIRST_SPACE] = turn.path[column][state / stride + 1];
        state %= stride;
    }
}
EXPORT(runners) signed char* runners() { return scratch.runners; }

// The game by the rules record, step by step: the position record is what happened so far. A move is
// named by its number in the position's list; throw_four returns how many there are, none for a bust.
// Whether stopping is legal is asked without dice on the table.
// A roll-off begins as the set of all seats; where nobody is left to throw, starter says who it is.
EXPORT(begin_play) void begin_play(int first) { begin_game(rules, position, first); }
EXPORT(find_moves_of) int find_moves_of(int roll) {
    find_moves(rules, rolls, position, roll);
    return position.move_count;
}
EXPORT(throw_four) int throw_four(int a, int b, int c, int d) {
    int sides = rules.sides;
    return find_moves_of(rolls.number[(((a - 1) * sides + b - 1) * sides + c - 1) * sides + d - 1]);
}
EXPORT(play_move) void play_move(int move) { make_move(rules, position, move); }
EXPORT(stop_is_legal) int stop_is_legal() { return position.out && may_stop(rules, position); }
EXPORT(play_stop) int play_stop() { return stop_turn(rules, position); }
EXPORT(game_winners) int game_winners() { return (int)leaders(rules, position); }
EXPORT(busts_of_next_roll) int busts_of_next_roll() { return (int)busting_falls(rolls, position); }
// A position from outside: the caller has written seat, tokens and runners. 0 if no game can come to it.
EXPORT(complete_position) SMALL int complete_position() {
    if (!is_possible(rules, position)) return 0;
    complete(rules, position);
    return 1;
}
EXPORT(play_bust) void play_bust() { bust_turn(rules, position); }
EXPORT(throw_two_for_start) int throw_two_for_start(int roll_off, int sum) { return after_throw(roll_off, sum); }
EXPORT(starter) int starter(int roll_off) { return roll_off & SEATS ? -1 : winner_of(roll_off); }

// Somebody's judgement of the solved turn (the ladder), and the simple bots.
EXPORT(judge_move) int judge_move() {
    look();
    return judge_moves(judgement, rules, position, Doubles1{answer.moves, {MOVES}}, answer.bust);
}
EXPORT(judge_press) int judge_press() {
    look();
    return judge_stop(judgement, rules, position, answer.stop, answer.again, answer.bust);
}
EXPORT(bot_move) int bot_move() { return choose(rules, rolls, position, bot, draws, scratch); }
EXPORT(bot_stops) int bot_stops() { return stop(rules, rolls, position, bot, draws); }
EXPORT(open_draws) void open_draws(u64 key, u64 game, int turn_number, int purpose) { open_stream(draws, key, game, turn_number, purpose); }
