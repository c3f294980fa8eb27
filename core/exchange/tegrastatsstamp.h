// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jetscope {

/// A time that another program put before a line of a log: ts, journalctl, docker, kubectl, a shell script.
struct LineStamp {
    enum class Kind : std::uint8_t {
        None,
        Date,      ///< Unix time.
        DayOfYear, ///< Month, day and time of day, in a year with a 29th of February.
        Clock,     ///< Time of day, or time since a start, as hours, minutes and seconds.
        Seconds,   ///< Since an unknown start.
    };
    Kind kind = Kind::None;
    std::int64_t ns = 0; ///< Since 1970, the beginning of the year, midnight or that start.
    bool hasFraction = false;
    std::size_t size = 0; ///< How many bytes of the line it takes, with the name of the host and program behind it.
};
inline constexpr std::size_t kLineStampKinds = 5;

/// The stamp at the start of a line. A date without a time zone is local time of this machine (environment variable
/// TZ). tegrastats' own "MM-DD-YYYY HH:MM:SS" is none.
LineStamp lineStampOf(std::string_view line);

} // namespace jetscope
