// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/result.h"
#include "core/settings/settingtable.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The values of an option on the command line, one entry per word.
using OptionValues = std::vector<std::string_view>;

/// What a command does with the file that an option names: with --host it lies on the machine of the user.
enum class FileUse : std::uint8_t { None, Read, Written };

/// One option. The parser and the help both use this table, so they always agree.
struct OptionSpec {
    std::string_view name;        ///< Without the dashes.
    std::string_view placeholder; ///< "KIND", "FRAME KEY=VALUE,…" or, for any number, "FILE …"; empty for a switch.
    unsigned commands = 0;        ///< Commands that accept the option, as bits of `bitOf`.
    std::string_view help;        ///< What it does.
    std::string (*values)();      ///< The legal values; null if the help text contains them.
    Status (*apply)(Options &options, std::string_view name, const OptionValues &values);
    const SettingRow *setting = nullptr; ///< Of an option that is a setting: it has the values.
    FileUse file = FileUse::None;        ///< Of its only value.

    /// The legal values in words; empty if the help text contains them.
    std::string legalValues() const;
    std::string fullHelp() const;
    /// Number of values of the option; the least number if it takes more.
    std::size_t valueCount() const;
    /// Whether the option takes all words up to the next option.
    bool takesMore() const;
    bool belongsTo(Command command) const;
};

constexpr unsigned bitOf(Command command)
{
    return 1U << static_cast<unsigned>(command);
}

/// In the order of the help.
std::span<const OptionSpec> optionTable();
/// Of several options of this name, the one of `command`.
const OptionSpec *findOption(std::string_view name, Command command);

} // namespace jetscope
