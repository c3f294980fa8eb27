// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Counts the unreadable events of a file for its notes, and stores a description of the first one.
class LeftOut {
public:
    void add(std::uint64_t eventNumber, std::string_view token);
    std::uint64_t count() const { return m_count; }
    /// For example "event 12: NaN".
    const std::string &first() const { return m_first; }

private:
    std::uint64_t m_count = 0;
    std::string m_first;
};

/// Appends a sentence with a number before it to the notes, unless the number is 0.
void addCount(std::vector<std::string> &notes, std::uint64_t number, std::string_view what);
/// The same, with the description of the first event.
void addCount(std::vector<std::string> &notes, const LeftOut &events, std::string_view what);

} // namespace jetscope
