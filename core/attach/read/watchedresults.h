// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jetscope {

/// Results of asynchronous copies that an inspected program was to watch for the CPU's accesses, as it says itself.
struct WatchedResults {
    bool asked = false; ///< JSA_OPTION_WATCH_READS
    std::uint32_t watched = 0;
    std::uint32_t refused = 0;
    int error = 0; ///< errno of the newest refusal; any number.

    /// Why some were not watched, with the remedy; empty if all were.
    std::string refusal() const;
};

} // namespace jetscope
