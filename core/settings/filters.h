// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "core/settings/devicefacts.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// How many pixels to each side a filter may read; the CPU's scratch rows are made for that many.
inline constexpr int kLargestHalo = 16;

/// A word that an option takes.
struct OptionChoice {
    std::string name;
    Capability capability = Capability::yes(); ///< Else why the stage cannot take it here, or with its other options.
};

/// What the user may set for a stage: a number, or one of some words.
struct FilterOption {
    std::string name; ///< As in the filter's name: "levels" of "stage:libposterize.so?levels=4".
    std::string help; ///< One sentence.
    double least = 0;
    double most = 0;
    double usual = 0;                    ///< The value when the name gives none.
    double step = 0;                     ///< 1 for whole numbers, if there are no digits; 0 for any number.
    double value = 0;                    ///< That of this filter.
    std::string suffix;                  ///< What follows the number in the name, such as the f of a float in a kernel.
    int digits = 0;                      ///< Behind the point that a box takes at least, where the step has fewer.
    std::string leastMeans{};            ///< What the least value stands for if that is no number: "by type".
    std::vector<OptionChoice> choices{}; ///< The words; then the numbers above are places among them, from 0.
};

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
    std::vector<FilterOption> options{}; ///< Of a stage. Another value is another filter, with another name.
};

/// The row of a filter; null if there is none.
const FilterRow *filterRow(Filter filter);
bool isStage(Filter filter);

/// Adds a filter behind those that there are and gives it the next number; what `row.filter` holds does not count.
/// An error names what is wrong: a name that is malformed, taken or "none", an empty label or help, a halo outside
/// 0 to kLargestHalo, or a capability that is missing without a reason. Any thread; spans that choices<Filter>()
/// returned before stay valid and lack it. What makes the filter's pictures is given only at the start of the program,
/// but for stages. A stage that no device can run may be added again, when its code was corrected: names then mean the
/// new row.
Result<Filter> addFilter(FilterRow row);

/// Gives the stages that a chain of a file names rows without code, so that the chain can be shown: nothing is loaded,
/// and no device has them. At most 64 in all, since files may be hostile. Any thread.
void addStagesOfFile(std::string_view chain);

} // namespace jetscope
