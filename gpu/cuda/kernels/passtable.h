// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/cuda/kernels/passkind.h"

#include <span>
#include <string>
#include <vector>

namespace jetscope {

/// The half of a filter's row that CUDA needs, without CUDA itself: launchPass knows the kernels. What is fused is
/// decided here: a pass of several filters reads and writes device memory once.
struct PassRow {
    PassKind kind{};
    std::vector<Filter> filters;  ///< What the pass does to a frame, in order. None: it only converts to RGBA8.
    bool readsEveryFormat = true; ///< Else RGBA8 aligned to words alone.
    bool makesHalfGrey = true;    ///< The half-size picture beside its output.
};

/// The complete table; the row of a pass lies at its number.
std::span<const PassRow> passRows();
const PassRow &passRow(PassKind kind);

/// "gaussian5+sobel": the filters that a pass makes, as they are called on the command line; else "convert".
std::string nameOf(PassKind kind);

/// Adds a pass that makes one filter of core's table, reads RGBA8 and makes no half-size picture. An error names what
/// is wrong: a filter that is not in core's table, that has a pass already or that core's row does not let run with
/// CUDA. At the same time as addFilter and by the same thread. Its kernel is given by addCudaFilter, which calls this.
Result<PassKind> addPass(Filter filter);

} // namespace jetscope
