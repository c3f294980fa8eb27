// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "gpu/cuda/kernels/passtable.h"

#include <span>
#include <vector>

namespace jetscope {

/// The passes of a chain in order: as few as the fused kernels allow, at least one. The first one converts the input;
/// not all can. `isWords` says that the input is RGBA8 aligned to words, which all can read.
std::vector<PassKind> planChain(std::span<const Filter> filters, bool isWords);

/// Whether a pass makes the half-size picture beside its output; where the last one does not, a Convert pass over the
/// output makes it.
bool makesHalfGrey(PassKind kind);

} // namespace jetscope
