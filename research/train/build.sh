#!/bin/bash
# Builds the library for an H200 (where nvcc is there) and the same code for the CPU into build/.
set -e
cd "$(dirname "$0")"
mkdir -p build
g++ -x c++ -std=c++17 -O3 -march=native -Wall -Wno-unknown-pragmas -fPIC -shared -o build/games_cpu.so games.cu
if command -v nvcc > /dev/null; then
    nvcc -gencode=arch=compute_90a,code=sm_90a -std=c++17 -O3 -Xcompiler -fPIC -shared -o build/games.so games.cu
fi
