// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// A span's name with its category, purpose and certainty in one trace. Unlike a NameId, it is only valid in its trace
/// and may come from a file, so there may be as many names as spans.
using TraceName = std::uint32_t;

/// The names of one trace. Not thread-safe, but for `forReading`.
class TraceNames {
public:
    /// The names so far, only to be read: also on another thread while these grow. Shares their texts.
    TraceNames forReading() const;

    /// Finds or adds a name.
    TraceName intern(std::string_view text, Category category, Purpose purpose, Certainty certainty = Certainty::Exact);
    TraceName intern(std::string_view text, Category category, Certainty certainty = Certainty::Exact)
    {
        return intern(text, category, usualPurpose(category), certainty);
    }
    TraceName intern(const SpanName &name) { return intern(name.text, name.category, name.purpose, name.certainty); }
    /// The name behind an id of the recording process. O(1). An id that addProcessNames has not given is one of this
    /// process.
    TraceName fromProcess(NameId id);
    /// Names of the recording process whose ids follow on `first`; those that are known already stay.
    void addProcessNames(std::size_t first, const std::vector<SpanName> &names);

    const SpanName &at(TraceName name) const { return m_blocks[name / kBlock][name % kBlock]; }
    const std::string &text(TraceName name) const { return at(name).text; }
    Category category(TraceName name) const { return at(name).category; }
    Certainty certainty(TraceName name) const { return at(name).certainty; }
    std::size_t size() const { return m_size; }
    std::uint64_t memoryBytes() const;

private:
    /// A name without its own text.
    struct Key {
        std::string_view text;
        Category category;
        Purpose purpose;
        Certainty certainty;
        bool operator==(const Key &) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key &key) const;
    };

    static constexpr std::size_t kBlock = 128;

    std::vector<std::shared_ptr<SpanName[]>> m_blocks; ///< Names never move, because m_index refers to them.
    std::size_t m_size = 0;
    std::unordered_map<Key, TraceName, KeyHash> m_index;
    std::vector<TraceName> m_fromProcess; ///< By NameId; the greatest number while unknown.
    std::vector<SpanName> m_processNames; ///< By NameId, as addProcessNames gave them.
};

} // namespace jetscope
