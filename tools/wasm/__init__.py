"""Builds ``cantstop.wasm``: the engine's Python functions translated to C++, compiled by Zig."""
