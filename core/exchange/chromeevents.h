// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// One entry of an event's args, if it is neither an object nor an array. The key is as written, the value a JSON token
/// (jsontoken.h).
struct ChromeArgument {
    std::string_view key;
    std::string_view value;
};

/// One event of a Chrome trace. Texts are decoded, all other fields are JSON tokens, empty where the event lacks them.
/// Of a key that comes twice the last counts. Everything is valid until the next event.
struct ChromeEvent {
    std::uint64_t number = 0; ///< From 1 on, in the order of the file.
    char phase = 0;
    std::string_view name;
    std::string_view category;
    std::string_view time;
    std::string_view duration;
    std::string_view process;
    std::string_view thread;
    std::vector<ChromeArgument> arguments;

    /// Empty when there is none.
    std::string_view argument(std::string_view key) const;
};

/// What hears the events of a file, in its order. An error ends the reading.
struct ChromeListener {
    /// An entry of otherData, if it is neither an object nor an array, and precedes the events.
    std::function<void(const ChromeArgument &)> other;
    std::function<Status(const ChromeEvent &)> event;
};

/// What a file turned out to be.
struct ChromeFile {
    std::uint64_t events = 0;
    bool cutShort = false; ///< An array without its end; an event that was cut off is left out.
};

/// Reads a Chrome trace: the array of events, or the object with traceEvents. `fraction` of the work is reported from 0
/// to `share`.
Result<ChromeFile> readChromeEvents(const std::string &path, const ChromeListener &listener, Progress &progress,
                                    double share);

} // namespace jetscope
