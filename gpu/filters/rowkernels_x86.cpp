// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/filters/rowkernels_variants.h"

#include <array>

namespace jetscope {

namespace {

constexpr std::array<InstructionSet, 3> kBestFirst{{
    {"AVX-512", &kAvx512RowKernels},
    {"AVX2", &kAvx2RowKernels},
    {"SSE2", &kBaselineRowKernels},
}};

std::size_t firstSupported()
{
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return 0;
    return __builtin_cpu_supports("avx2") ? 1 : 2;
}

} // namespace

std::span<const InstructionSet> instructionSets()
{
    return std::span(kBestFirst).subspan(firstSupported());
}

} // namespace jetscope
