// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromepieces.h"
#include "core/progress.h"
#include "core/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// One entry of an event's args that is neither an object nor an array. The key is the raw text, the value a JSON token
/// (jsontoken.h).
struct ChromeArgument {
    std::string_view key;
    std::string_view value;
};

/// One event of a Chrome trace. Texts are decoded; all other fields are JSON tokens, empty if the event lacks them. Of
/// duplicate keys, the last is used. Everything is valid until the next event.
struct ChromeEvent {
    std::uint64_t number = 0; ///< Starts at 1, in file order.
    char phase = 0;
    std::string_view name;
    std::string_view category;
    std::string_view time;
    std::string_view duration;
    std::string_view process;
    std::string_view thread;
    std::string_view id;      ///< For flows, asynchronous events and counters; also the content of id2.
    bool isLocalId = false;   ///< The id is of the process: id2 says "local".
    std::string_view scope;   ///< Ids of different scopes are different.
    std::string_view binding; ///< For the end of a flow: "e" binds it to the enclosing span.
    std::vector<ChromeArgument> arguments;

    /// The value of an argument; empty if there is none.
    std::string_view argument(std::string_view key) const;
};

/// Callbacks for the events of a file, called in file order.
struct ChromeListener {
    /// An entry of otherData that is neither an object nor an array and that precedes the events.
    std::function<void(const ChromeArgument &)> other;
    std::function<void(const ChromeEvent &)> event;
};

/// Reads a Chrome trace, compressed or not, in pieces: an array of events, or an object with traceEvents. An error if
/// nothing can be read. Progress is reported from 0 to `share`.
Result<ChromeFile> readChromeEvents(const std::string &path, const ChromeListener &listener, Progress &progress,
                                    double share);

} // namespace jetscope
