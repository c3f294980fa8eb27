// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "gpu/cuda/passes.h"

#include <span>
#include <vector>

namespace jetscope {

/// The passes of a chain in order: as few as the fused kernels allow, at least one. The first one converts the input. Where
/// the last one cannot make the half-size picture and one is wanted, a Convert pass over the output makes it.
std::vector<PassKind> planChain(std::span<const Filter> filters, PixelFormat input);

/// Whether a pass makes the half-size picture beside its output.
bool makesHalfGrey(PassKind kind);

} // namespace jetscope
