// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/filters.h"
#include "gpu/stages/stagetable.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// An option that takes one of these words; usually the first.
FilterOption wordOption(std::string name, std::string help, const std::vector<std::string> &words);
/// The word of an option that has words.
const std::string &wordOf(const FilterOption &option);
/// The option of this name, which there must be.
const FilterOption &optionNamed(const std::vector<FilterOption> &options, std::string_view name);

/// How many digits behind the point show the steps of an option; 0 for whole numbers.
int decimalsOf(const FilterOption &option);

/// A value as the name of a stage has it, "0.75f".
std::string optionText(const FilterOption &option, double value);

/// Sets the values that an address gives. Errors: a value that is no number, out of range, or none of the words; with
/// `onlyThese` also an option that is not among them.
Status setOptions(std::vector<FilterOption> &options, const StageAddress &address, bool onlyThese);

/// The name of a stage with another value for one of the options of its row. Options with their usual value are left
/// out; the text of the others stays.
std::string stageNameWith(const FilterRow &row, std::size_t option, double value);

/// The options that a kernel's text declares, each behind the definition of a macro:
///
///     #define STRENGTH 0.8f // jetscope: 0 to 1, step 0.05: How dark the corners become.
///
/// The step may be missing. An error names the line, as compilers do.
Result<std::vector<FilterOption>> kernelOptionsIn(const std::string &text, const std::string &file);

} // namespace jetscope
