// How the same code runs as a thread block on the GPU and as a single thread on the CPU.
//
// Work is written as loops that begin at thread() and advance by threads(), or at lane() and by LANES
// inside a warp. On the CPU both are one thread: the loops then do everything, and barriers are nothing.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#include <cuda_fp16.h>
#define DEVICE __device__ __forceinline__
#define KERNEL_DATA __device__
constexpr int LANES = 32;
using Half = __half;
DEVICE int thread() { return threadIdx.x; }
DEVICE int threads() { return blockDim.x; }
DEVICE int lane() { return threadIdx.x & 31; }
DEVICE int warp() { return threadIdx.x >> 5; }
DEVICE int warps() { return blockDim.x >> 5; }
DEVICE void sync_block() { __syncthreads(); }
DEVICE void sync_warp() { __syncwarp(); }
DEVICE int fetch_add(int* counter, int amount) { return atomicAdd(counter, amount); }
DEVICE int from_first_lane(int value) { return __shfl_sync(~0u, value, 0); }
DEVICE float warp_sum(float value) {
    for (int far = 16; far; far >>= 1) value += __shfl_xor_sync(~0u, value, far);
    return value;
}
DEVICE Half to_half(float value) { return __float2half(value); }
DEVICE unsigned bits_of(float value) { return __float_as_uint(value); }
DEVICE float float_of(unsigned bits) { return __uint_as_float(bits); }
#else
#define DEVICE inline
#define KERNEL_DATA static
constexpr int LANES = 1;
using Half = float;  // the check wants no rounding
DEVICE int thread() { return 0; }
DEVICE int threads() { return 1; }
DEVICE int lane() { return 0; }
DEVICE int warp() { return 0; }
DEVICE int warps() { return 1; }
DEVICE void sync_block() {}
DEVICE void sync_warp() {}
DEVICE int fetch_add(int* counter, int amount) {
    const int before = *counter;
    *counter += amount;
    return before;
}
DEVICE int from_first_lane(int value) { return value; }
DEVICE float warp_sum(float value) { return value; }
DEVICE Half to_half(float value) { return value; }
DEVICE unsigned bits_of(float value) {
    unsigned bits;
    memcpy(&bits, &value, 4);
    return bits;
}
DEVICE float float_of(unsigned bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
#endif

DEVICE int least(int one, int other) { return one < other ? one : other; }
DEVICE int most(int one, int other) { return one > other ? one : other; }
DEVICE float positive(float value) { return fmaxf(value, 0.f); }

// Only the first lane of a warp counts; all lanes learn what it counted to.
DEVICE int take_next(int* counter, int amount) {
    int taken = 0;
    if (lane() == 0) taken = fetch_add(counter, amount);
    return from_first_lane(taken);
}
