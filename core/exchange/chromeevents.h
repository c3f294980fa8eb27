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
    std::string_view id;      ///< Of flows and asynchronous events; what stands in id2 as well.
    std::string_view binding; ///< Of the end of a flow: "e" for the span around it.
    std::vector<ChromeArgument> arguments;

    /// Empty when there is none.
    std::string_view argument(std::string_view key) const;
};

/// What hears the events of a file, in its order.
struct ChromeListener {
    /// An entry of otherData, if it is neither an object nor an array, and precedes the events.
    std::function<void(const ChromeArgument &)> other;
    std::function<void(const ChromeEvent &)> event;
};

/// What a file turned out to be.
struct ChromeFile {
    std::uint64_t events = 0;
    bool cutShort = false;     ///< It lacks its end, or is packed and damaged; an event that was cut off is left out.
    std::uint64_t damaged = 0; ///< Events that are no valid JSON.
    std::uint64_t firstDamaged = 0; ///< Number of the first of them.
    std::uint64_t tooLarge = 0;     ///< Events of more than 64 MB.
};

/// Reads a Chrome trace, packed or not: the array of events, or the object with traceEvents, piece by piece. An error
/// when none of it can be read. `fraction` of the work is reported from 0 to `share`.
Result<ChromeFile> readChromeEvents(const std::string &path, const ChromeListener &listener, Progress &progress,
                                    double share);

} // namespace jetscope
