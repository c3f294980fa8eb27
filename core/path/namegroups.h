// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/workkind.h"
#include "core/text/shorttext.h"
#include "core/trace/names.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jetscope {

/// Numbers the names that users take for one: those with the same text and kind, whatever else distinguishes them, and
/// the ranges of frames, whose names only differ by a number. Names must outlive this object. Not thread-safe.
class NameGroups {
public:
    explicit NameGroups(const TraceNames &names) : m_names(names), m_groupOf(names.size(), kNone) {}

    static constexpr std::uint32_t kNone = 0xffffffff;

    /// What is shown for all names of the group.
    static std::string_view groupText(const SpanName &name)
    {
        const std::string_view base =
            name.category == Category::Tool ? withoutNumber(name.text) : std::string_view(name.text);
        return base.empty() ? std::string_view(name.text) : base;
    }

    /// Numbers count from 0, in the order of the first call for each group.
    std::uint32_t of(TraceName name) { return m_groupOf[name] != kNone ? m_groupOf[name] : add(name); }
    std::size_t size() const { return m_first.size(); }
    /// The name of the group that was asked for first.
    TraceName nameOf(std::uint32_t group) const { return m_first[group]; }
    /// By name; kNone for those that were not asked for.
    std::vector<std::uint32_t> takeGroups() { return std::move(m_groupOf); }

private:
    std::uint32_t add(TraceName name)
    {
        const SpanName &known = m_names.at(name);
        const std::string_view text = groupText(known);
        const auto kind = static_cast<std::size_t>(workKindOf(known.category));
        const auto [found, isNew] = m_index[kind].try_emplace(text, static_cast<std::uint32_t>(m_first.size()));
        if (isNew)
            m_first.push_back(name);
        return m_groupOf[name] = found->second;
    }

    const TraceNames &m_names;
    std::vector<std::uint32_t> m_groupOf;                           ///< By name.
    std::unordered_map<std::string_view, std::uint32_t> m_index[4]; ///< By kind.
    std::vector<TraceName> m_first;
};

} // namespace jetscope
