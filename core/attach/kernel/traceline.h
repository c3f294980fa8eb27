// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/kernel/tracedevents.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// What a line of the kernel's trace says, as far as Jetscope uses it. Names of threads are the program's and may hold
/// any text, also text that looks like other parts of the line.
struct TraceLine {
    enum class Kind : std::uint8_t {
        Switch,  ///< `pid` leaves the CPU, `next` runs on it.
        Wake,    ///< `next` may run.
        Driver,  ///< A driver of a Jetson's GPU did what `name` says.
        Engine,  ///< A driver of a Jetson's engines says what `use` and `arguments` say.
        Context, ///< The GPU's contexts: `arguments` say what. `pid` is the context's process; 0 if it is not known.
        Lost,    ///< The kernel has lost lines.
        Other,   ///< A comment, or an event that is not used.
    };
    Kind kind = Kind::Other;
    std::int64_t ns = 0; ///< CLOCK_MONOTONIC, in whole microseconds as the kernel writes them.
    std::int32_t pid = 0;
    std::int32_t next = 0;
    std::uint32_t cpu = 0;
    bool isReady = false;  ///< Of a switch: `pid` could go on running.
    bool isEnded = false;  ///< Of a switch: `pid` never runs again.
    std::string_view name; ///< Of a driver's event; lasts.
    jsa_traced_use use = JSA_TRACED_MOMENT;
    std::string_view arguments; ///< Of an engine's event, and of a context's: a part of the line.
};

/// A line without its end, as trace_pipe of tracefs gives it (Documentation/trace/ftrace.rst of Linux). Empty if it is
/// no such line.
std::optional<TraceLine> parseTraceLine(std::string_view line);

} // namespace jetscope
