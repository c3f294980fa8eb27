// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Events of a file that cannot be read, for its notes: how many there are, and what the first of them says.
class LeftOut {
public:
    void add(std::uint64_t eventNumber, std::string_view token);
    std::uint64_t count() const { return m_count; }
    /// "event 12: NaN"
    const std::string &first() const { return m_first; }

private:
    std::uint64_t m_count = 0;
    std::string m_first;
};

/// Puts a sentence with a number before it to the notes, unless the number is 0.
void addCount(std::vector<std::string> &notes, std::uint64_t number, std::string_view what);
/// The same with what the first of them says.
void addCount(std::vector<std::string> &notes, const LeftOut &events, std::string_view what);

} // namespace jetscope
