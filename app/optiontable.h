// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/options.h"
#include "core/result.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

/// The text that follows an option on the command line, one entry for each word that it takes.
using OptionValues = std::array<std::string_view, 2>;

/// One option: parser and help are both made from this table, so that they cannot disagree.
struct OptionSpec {
    std::string_view name;        ///< Without the dashes.
    std::string_view placeholder; ///< "KIND" or "FRAME KEY=VALUE,…"; empty for a switch.
    unsigned commands = 0;        ///< Bits of `bitOf`: where the option has a meaning.
    std::string_view help;        ///< What it does.
    std::string (*values)();      ///< The legal values; null where the help says it all.
    Status (*apply)(Options &options, std::string_view name, const OptionValues &values);

    std::string fullHelp() const;
    /// Words that follow the option.
    int valueCount() const;
    bool belongsTo(Command command) const;
};

constexpr unsigned bitOf(Command command)
{
    return 1U << static_cast<unsigned>(command);
}

/// In the order of the help.
std::span<const OptionSpec> optionTable();
const OptionSpec *findOption(std::string_view name);

} // namespace jetscope
