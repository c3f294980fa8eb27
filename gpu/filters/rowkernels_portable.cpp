// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/filters/rowkernels_variants.h"

#include <array>

namespace jetscope {

namespace {

// Other than x86 there is only aarch64, where NEON is always present.
constexpr std::array<InstructionSet, 1> kOnly{{{"NEON", &kBaselineRowKernels}}};

} // namespace

std::span<const InstructionSet> instructionSets()
{
    return kOnly;
}

} // namespace jetscope
