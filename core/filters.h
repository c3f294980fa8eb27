// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/devicefacts.h"
#include "core/result.h"

#include <string>
#include <string_view>

namespace jetscope {

/// How many pixels to each side a filter may read; the CPU's scratch rows are made for that many.
inline constexpr int kLargestHalo = 16;

/// One row of the table of filters. Its loops for the CPU are in gpu/filters/cpufilters.h and its CUDA kernel is in
/// gpu/cuda/kernels/passtable.h, each under the same `filter`.
struct FilterRow {
    Filter filter{};
    std::string name;  ///< On the command line and in files: lower-case letters, digits and '-'.
    std::string label; ///< In the window.
    std::string help;  ///< One sentence.
    int halo = 0;      ///< Pixels to each side that an output pixel depends on.
    Capability onCpu = Capability::yes();
    Capability onCuda = Capability::yes();
    /// The code is the user's (gpu/stages) and the name says where it is: "stage:./libmine.so?strength=3", without
    /// commas, plus signs and control characters.
    bool isStage = false;
};

/// The row of a filter; null if there is none.
const FilterRow *filterRow(Filter filter);
bool isStage(Filter filter);

/// Adds a filter behind those that there are and gives it the next number; what `row.filter` holds does not count.
/// An error names what is wrong: a name that is malformed, taken or "none", an empty label or help, a halo outside
/// 0 to kLargestHalo, or a capability that is missing without a reason. Any thread; spans that choices<Filter>()
/// returned before stay valid and lack it. What makes the filter's pictures is given only at the start of the program.
Result<Filter> addFilter(FilterRow row);

/// Gives the stages that a chain of a file names rows without code, so that the chain can be shown: nothing is loaded,
/// and no device has them. At most 64 in all, since files may be hostile. Any thread.
void addStagesOfFile(std::string_view chain);

} // namespace jetscope
