// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/settings/choices.h"

#include <cstddef>
#include <memory>
#include <span>

namespace jetscope {

struct RowKernels;

/// One frame's chain on the CPU: conversion to RGBA8, filters in order, output and half-size grey result. Neither
/// output may overlap the input. checkCpuFilters() has approved of the filters.
struct ChainWork {
    ImageLayout inputLayout;
    const std::byte *input = nullptr;
    std::span<const Filter> filters;
    std::byte *output = nullptr; ///< RGBA8, may be null when only the result is wanted.
    std::size_t outputPitch = 0; ///< Bytes, a multiple of 4.
    std::byte *result = nullptr; ///< Grey8 of ((w+1)/2) x ((h+1)/2), may be null.
    std::size_t resultPitch = 0;
};

/// Executes chains row by row with a ring of rows between stages, so that intermediates stay in the cache.
/// Keeps its scratch rows between frames. One thread at a time per object; needs no other state.
class ChainExecutor {
public:
    ChainExecutor();
    explicit ChainExecutor(const RowKernels &kernels); ///< With another instruction set than the best.
    ~ChainExecutor();
    ChainExecutor(const ChainExecutor &) = delete;
    ChainExecutor &operator=(const ChainExecutor &) = delete;

    void run(const ChainWork &work);

    /// Instruction set picked at run time: "AVX-512", "AVX2", "SSE2" or "NEON".
    static const char *instructionSet();

private:
    struct Scratch;
    std::unique_ptr<Scratch> m_scratch;
};

} // namespace jetscope
