// What all kernels share: types, the batch they work on, and how a thread sees its anchor.
//
// A thread works for one anchor, a warp for 32 that differ by at most one step in each column.
// All coordinates are steps left: 0 is the top. All values are gains over a bust: with the
// anchor's value x, gain = x - expected turns after this one. A bust gains 0; an option that does not
// exist gains -1. The anchor's value is the x at which the turn gains exactly 1.
//
// COLUMNS and the mean functions are generated.

typedef unsigned long long u64;
typedef long long i64;

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#pragma nv_diag_suppress 177  // not every part needs every function
#define DEVICE static __device__ __forceinline__
#define INLINE __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
constexpr int LANES = 32;
extern __shared__ float shared_memory[];
DEVICE int number_at(const int* at) { return __ldg(at); }
DEVICE float value_at(const float* at) { return __ldg(at); }
DEVICE float record_at(const float* at) { return __ldcg(at); }
DEVICE void store(float* at, float gain) { __stcg(at, gain); }
DEVICE bool any_lane(bool mine) { return __any_sync(0xffffffffu, mine); }
DEVICE float plus(float sum, float weight, float gain) { return __fmaf_rn(weight, gain, sum); }
DEVICE float best(float one, float other) { return fmaxf(one, other); }
DEVICE int larger(int one, int other) { return max(one, other); }
DEVICE int count_bits(int bits) { return __popc(bits); }
DEVICE int any_bits(int mine) { return __reduce_or_sync(0xffffffffu, mine); }
DEVICE void prefetch_line(const float* at) { asm volatile("prefetch.global.L2 [%0];" ::"l"(at)); }
#else
// The same code on a CPU, one lane at a time, to check it without a GPU.
#include <cmath>
using std::fmax;
#define DEVICE static inline
#define INLINE inline
#define UNROLL
#define NO_UNROLL
constexpr int LANES = 1;
static int count_bits(int bits) { return __builtin_popcount(bits); }
static int any_bits(int mine) { return mine; }
static int number_at(const int* at) { return *at; }
static float value_at(const float* at) { return *at; }
static float record_at(const float* at) { return *at; }
static void store(float* at, float gain) { *at = gain; }
static bool any_lane(bool mine) { return mine; }
static float plus(float sum, float weight, float gain) { return std::fmaf(weight, gain, sum); }
static float best(float one, float other) { return one > other ? one : other; }
static int larger(int one, int other) { return one > other ? one : other; }
#endif

// A slope between 0 and a little over 1, kept in 16 bits.
typedef unsigned short Slope;
DEVICE float from_slope(Slope kept) { return kept * (1.f / 60000.f); }
DEVICE Slope to_slope(float slope) { return (Slope)(slope * 60000.f + 0.5f); }

constexpr int MIDDLE = COLUMNS / 2;

// An anchor's place in the table: a block of 2^COLUMNS anchors whose halved steps are the same, and in
// it one bit a column for the odd steps. The middle column has the lowest bit, the outermost ones the
// highest.
constexpr int bit(int column) {
    return 1 << (column == MIDDLE  ? 0
                 : column < MIDDLE ? 2 * (MIDDLE - column)
                                   : 2 * (column - MIDDLE) - 1);
}

constexpr int PAIRS = COLUMNS * (COLUMNS - 1) / 2;
constexpr int OTHERS = COLUMNS - 2;
// A record holds what one state with two runners leads to: for each other column the gain after one
// and after two steps in it; then the state's own gain.
constexpr int RECORD = 2 * OTHERS + 1;
constexpr int OWN = 2 * OTHERS;

// What a warp has to know about its 32 anchors, as integers in global memory.
constexpr int BOX = 0;                      // for each column the most steps that a lane has left
constexpr int CELLS = COLUMNS;              // how many states with two runners
constexpr int PAIR_BASE = CELLS + 1;        // for each pair its first state
constexpr int LINE_BASE = PAIR_BASE + PAIRS;  // for each column its first state with one runner
constexpr int CONTROL = LINE_BASE + COLUMNS;

// How many sets of columns can be closed, and how many of at most two runners can be on a top.
constexpr int TOPPED = 1 + COLUMNS + PAIRS;

struct Batch {
    const float* values;     // the table
    const int* control;      // CONTROL integers for each warp
    const u64* steps;        // for each lane the steps left, four bits a column; above, the closed set
    const i64* place;        // for each lane its anchor's place in the table
    const float* guess;      // for each lane x
    float* records;          // lines of 32 lanes
    const i64* record_base;  // for each warp its first line
    const float* useless;    // chance of a roll without any use: [closed set][topped runners]
    i64 stride[COLUMNS];     // what two steps in a column change in a place
    int warps;
    int shared_lines;        // lines of shared memory that a warp has
};

// One lane's anchor.
struct Anchor {
    const Batch& batch;
    const float* here;  // its place in the table
    float x;
    u64 steps;
    const int* control;
    float* records;
    float* shared;

    INLINE int left(int column) const { return (int)(steps >> (4 * column)) & 15; }
    INLINE int box(int column) const { return number_at(control + BOX + column); }
    INLINE float* record(int pair) const {
        return records + (i64)number_at(control + PAIR_BASE + pair) * RECORD * LANES;
    }
    INLINE float* line(int column) const {
        const i64 behind = (i64)number_at(control + CELLS) * RECORD;
        return records + (behind + number_at(control + LINE_BASE + column)) * LANES;
    }
    // what so many steps left change in a place
    INLINE i64 offset(int column, int left) const {
        return (i64)(left >> 1) * batch.stride[column] + ((left & 1) ? bit(column) : 0);
    }
    INLINE float useless(int topped) const {
        return value_at(batch.useless + (int)(steps >> (4 * COLUMNS)) * TOPPED + topped);
    }
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
DEVICE int lane_number() { return threadIdx.x & 31; }
DEVICE int warp_number() { return blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5); }
DEVICE bool has_warp(const Batch& batch) { return warp_number() < batch.warps; }
DEVICE Anchor anchor_of(const Batch& batch) {
    const int warp = warp_number(), lane = lane_number();
    const i64 mine = (i64)warp * LANES + lane;
    return {batch,
            batch.values + batch.place[mine],
            batch.guess[mine],
            batch.steps[mine],
            batch.control + (i64)warp * CONTROL,
            batch.records + batch.record_base[warp] * LANES + lane,
            shared_memory + (threadIdx.x >> 5) * batch.shared_lines * LANES + lane};
}
// lane by lane, a line each; the address that comes in is the lane's own in the first line
DEVICE void prefetch_record(const float* at) {
    if (lane_number() < OWN) prefetch_line(at + lane_number() * (LANES - 1));
}
#else
static void prefetch_record(const float*) {}
#endif

constexpr int choose(int from, int count) {
    return count < 0 || count > from ? 0 : count == 0 ? 1 : choose(from - 1, count - 1) * from / count;
}
constexpr int pair_number(int low, int high) {
    return low > high ? pair_number(high, low) : low * (2 * COLUMNS - low - 1) / 2 + high - low - 1;
}
// The place of a third column in the record of a pair.
constexpr int slot(int third, int one, int other) {
    return third - (third > one ? 1 : 0) - (third > other ? 1 : 0);
}
constexpr int other_column(int at, int one, int other) {
    return one > other ? other_column(at, other, one) : at + (at >= one ? 1 : 0) + (at + 1 >= other ? 1 : 0);
}
// Of two columns the one nearer to the middle, the lower of equals, is the outer loop.
constexpr int distance(int column) { return column < MIDDLE ? MIDDLE - column : column - MIDDLE; }
constexpr int outer_of(int one, int other) {
    return distance(one) != distance(other) ? (distance(one) < distance(other) ? one : other)
                                            : (one < other ? one : other);
}
