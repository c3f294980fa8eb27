// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jetscope {

/// The ranges and marks of NVTX in an inspected program that have a name: where each begins and ends. A range of the
/// name inside of another one belongs to that. Memory is bounded but for the threads. Not thread-safe.
class NamedRanges {
public:
    enum class Edge : std::uint8_t {
        None,
        Begins,       ///< A range, or a mark.
        Ends,         ///< A range that any thread may end.
        EndsOfThread, ///< One of the thread that makes the call.
    };

    /// A * at the end of the name stands for any text.
    explicit NamedRanges(std::string name) : m_name(std::move(name)) {}

    /// A call by which a program marks something.
    Edge take(const AttachEvent &event, std::int32_t process);
    /// Ends may have been missed, on one thread or on all of them.
    void lose(std::uint32_t thread) { m_pushed.erase(thread); }
    void interrupt();

    /// Names of other ranges and marks; a few.
    const std::set<std::string> &otherNames() const { return m_otherNames; }
    void rememberName(const std::string &name);

private:
    bool isWanted(const std::string &name);

    std::string m_name;
    std::unordered_map<std::uint32_t, std::vector<bool>> m_pushed; ///< By thread: which open ranges have the name.
    /// Open ranges of the name that any thread of their process may end, by process and number.
    std::set<std::pair<std::int32_t, std::uint64_t>> m_started;
    std::set<std::string> m_otherNames;
};

} // namespace jetscope
