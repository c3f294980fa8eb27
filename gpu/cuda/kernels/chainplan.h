// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/cuda/kernels/passtable.h"

#include <span>
#include <vector>

namespace jetscope {

/// The passes of a chain in order: as few as the table of passes allows, at least one. The first one converts the
/// input; not all can. `isWords` says that the input is RGBA8 aligned to words, which all can read. An error names the
/// first filter that no pass makes.
Result<std::vector<PassKind>> planChain(std::span<const Filter> filters, bool isWords);

} // namespace jetscope
