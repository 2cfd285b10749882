// The training code's library: games of self-play and matches over exactly solved turns.
//
//   nvcc -gencode=arch=compute_90a,code=sm_90a -std=c++17 -O3 -Xcompiler -fPIC -shared -o games.so games.cu
//   g++ -x c++ -std=c++17 -O3 -fPIC -shared -o games_cpu.so games.cu      the same code on one CPU core
#include "play.h"

#ifdef __CUDACC__
#include <cstdio>
#ifndef MOST_THREADS
#define MOST_THREADS 640
#define LEAST_BLOCKS 1
#endif
template <int N>
__global__ void __launch_bounds__(MOST_THREADS, LEAST_BLOCKS) play_kernel(const __grid_constant__ Games games) {
    __shared__ Turn turn;
    extern __shared__ __align__(16) char memory[];
    play_games<N>(games, turn, memory, games.scratch + blockIdx.x * SCRATCH<N>);
}

template <int N>
static int launch(const Games& games, int blocks, int threads, int memory, cudaStream_t stream) {
    cudaFuncSetAttribute(play_kernel<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, memory);
    cudaMemsetAsync(games.counter, 0, sizeof(int), stream);
    play_kernel<N><<<blocks, threads, memory, stream>>>(games);
    const cudaError_t error = cudaGetLastError();
    if (error) fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    return error;
}

template <int N>
static int blocks_each(int threads, int memory) {
    int count = 0;
    cudaFuncSetAttribute(play_kernel<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, memory);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, play_kernel<N>, threads, memory);
    return count;
}

extern "C" int run_games(const Games* games, int players, int blocks, int threads, int memory, void* stream) {
    const auto start = players == 2 ? launch<2> : players == 3 ? launch<3> : launch<4>;
    return start(*games, blocks, threads, memory, (cudaStream_t)stream);
}

extern "C" int blocks_per_processor(int players, int threads, int memory) {
    return (players == 2 ? blocks_each<2> : players == 3 ? blocks_each<3> : blocks_each<4>)(threads, memory);
}

extern "C" int set_board(int sides) {
    static Board board;
    std::vector<Kind> kinds;
    if (!make_board(board, sides, kinds)) return 1;
    return cudaMemcpyToSymbol(BOARD, &board, sizeof board) ||
           cudaMemcpyToSymbol(KINDS, kinds.data(), kinds.size() * sizeof(Kind));
}
#else
template <int N>
static void run(const Games& games, Turn& turn, char* memory) { play_games<N>(games, turn, memory, games.scratch); }

extern "C" int run_games(const Games* games, int players, int, int, int memory, void*) {
    static Turn turn;
    std::vector<float> shared(memory / sizeof(float) + 1);
    *games->counter = 0;
    (players == 2 ? run<2> : players == 3 ? run<3> : run<4>)(*games, turn, (char*)shared.data());
    return 0;
}

extern "C" int blocks_per_processor(int, int, int) { return 1; }

extern "C" int set_board(int sides) {
    std::vector<Kind> kinds;
    if (!make_board(BOARD, sides, kinds)) return 1;
    std::copy(kinds.begin(), kinds.end(), KINDS);
    return 0;
}
#endif

// Sizes that the Python side checks and needs: of the structs, the shared memory of each part, scratch.
extern "C" void tell_sizes(int* sizes) {
    sizes[0] = sizeof(Games), sizes[1] = sizeof(Evaluator), sizes[2] = sizeof(Turn);
    sizes[3] = WARP_FLOATS * sizeof(float), sizes[4] = sizeof(RaceMemory), sizes[5] = sizeof(Half);
    sizes[6] = SCRATCH<2>, sizes[7] = SCRATCH<3>, sizes[8] = SCRATCH<4>, sizes[9] = LANES;
}
