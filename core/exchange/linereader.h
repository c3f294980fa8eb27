// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"

#include <functional>
#include <string>
#include <string_view>

namespace jetscope {

/// Gets the lines of a file. Valid during the call only.
struct LineTaker {
    /// A line without its line feed; `isComplete` is false for the end of a file without one.
    std::function<void(std::string_view line, bool isComplete)> take;
    /// A line of more than 64 KiB.
    std::function<void()> takeOverlong;
};

/// Reads a file line by line, unpacked if it is packed. Any thread.
Status readLines(const std::string &path, const LineTaker &taker, Progress &progress);

} // namespace jetscope
