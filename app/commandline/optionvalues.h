// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/commandtable.h"
#include "app/commandline/optiontable.h"
#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

// How the value of an option becomes a member of Options: what the rows of the table of options have in common.

/// The error of an option whose value is not possible.
inline Error wrongValue(std::string_view option, std::string_view value, std::string_view wanted)
{
    return sentence("--" + std::string(option) + " cannot be " + quotedWords(value) + ": " + std::string(wanted));
}

/// A member of the options, or of one of their parts.
template <auto... path>
auto &memberOf(Options &options)
{
    return (options.*....*path);
}

/// Of an option without a value.
template <auto... path>
Status setSwitch(Options &options, std::string_view, const OptionValues &)
{
    memberOf<path...>(options) = true;
    return {};
}

/// Of an option whose value is any text but the empty one.
template <auto... path>
Status setText(Options &options, std::string_view name, const OptionValues &values)
{
    const std::string command = sizeof...(path) > 1 ? commandName(options.command) : "jetscope";
    if (values[0].empty())
        return wrongValue(name, values[0], "it must not be empty; see \"" + command + " --help\"");
    memberOf<path...>(options) = std::string(values[0]);
    return {};
}

/// A decimal number such as "2.5" in `least`..`most`; empty for any other text.
inline std::optional<double> decimalNumber(std::string_view text, double least, double most)
{
    double number = 0;
    const char *end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (error != std::errc() || stopped != end || !(number >= least && number <= most))
        return std::nullopt;
    return number;
}

inline constexpr std::uint64_t kMaxFrames = 4'000'000'000; // Frame numbers are 32 bits wide.

template <std::optional<std::uint64_t> Options::*target>
Status setCount(Options &options, std::string_view name, const OptionValues &values)
{
    options.*target = parseNumber<std::uint64_t>(values[0], 1, kMaxFrames);
    return options.*target ? Status() : wrongValue(name, values[0], "give a number of frames from 1 to 4000000000");
}

/// Of whole seconds.
template <std::uint64_t least, std::uint64_t most, auto... path>
Status setSeconds(Options &options, std::string_view name, const OptionValues &values)
{
    auto &seconds = memberOf<path...>(options);
    seconds = parseNumber<std::uint64_t>(values[0], least, most);
    return seconds
        ? Status()
        : wrongValue(name, values[0],
                     "give a number of seconds from " + std::to_string(least) + " to " + std::to_string(most));
}

template <std::optional<std::uint64_t> SweepOptions::*target, std::uint64_t least, std::uint64_t most>
Status setSweepNumber(Options &options, std::string_view name, const OptionValues &values)
{
    options.sweep.*target = parseNumber<std::uint64_t>(values[0], least, most);
    return options.sweep.*target
        ? Status()
        : wrongValue(name, values[0], "give a number from " + std::to_string(least) + " to " + std::to_string(most));
}

/// The files of one side.
template <std::vector<std::string> CompareOptions::*target>
Status addFiles(Options &options, std::string_view name, const OptionValues &values)
{
    for (const std::string_view value : values) {
        if (value.empty())
            return wrongValue(name, value, "give captures");
        (options.compare.*target).emplace_back(value);
    }
    return {};
}

} // namespace jetscope
