// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/exchange/spanpoints.h"
#include "core/exchange/tokennumbers.h"
#include "core/trace/spanedge.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// The flows of a Chrome trace: arrows between spans, for example from a launch to its kernel. The events of one flow
/// have the same name, category and id. Several arrows may end where one begins, for example at the launch of a graph
/// of kernels. Not thread-safe.
class ChromeFlows {
public:
    explicit ChromeFlows(TokenNumbers &ids) : m_ids(ids) {}

    /// Takes an event of phase s, t or f. Returns false if there are too many.
    bool take(const ChromeEvent &event, LaneId lane, std::int64_t ns);
    SpanPoints &points() { return m_points; }

    /// Call after all points have been bound to spans. Returns false when cancelled.
    bool join(std::vector<SpanEdge> &edges, Progress &progress, double fraction);
    /// Number of events of a phase that bind to no span.
    std::uint64_t withoutSpan(char phase) const { return m_withoutSpan[indexOf(phase)]; }
    /// Number of those that do, but whose arrow has no other end.
    std::uint64_t loose(char phase) const { return m_loose[indexOf(phase)]; }

private:
    struct Entry {
        std::uint64_t id;
        std::uint32_t kind; ///< Number of the pair of name and category.
        char phase;
        SpanPoints::Id point;
    };
    using Entries = std::vector<Entry>::iterator;

    static std::size_t indexOf(char phase) { return phase == 's' ? 0 : phase == 't' ? 1 : 2; }
    bool goesBefore(const Entry &a, const Entry &b) const;
    void joinFlow(Entries first, Entries last, std::vector<SpanEdge> &edges);

    TokenNumbers &m_ids;
    SpanPoints m_points;
    std::vector<Entry> m_entries;
    std::unordered_map<std::string, std::uint32_t> m_kinds;
    std::string m_kindText;
    std::array<std::uint64_t, 3> m_withoutSpan{};
    std::array<std::uint64_t, 3> m_loose{};
};

} // namespace jetscope
