// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/exchange/spanpoints.h"
#include "core/exchange/tokennumbers.h"
#include "core/trace/spanedge.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// The flows of a Chrome trace: arrows from span to span, as from a launch to its kernel. Events of one flow have name,
/// category and id in common; where one arrow begins several may end, as where a graph of kernels is launched. One
/// thread.
class ChromeFlows {
public:
    explicit ChromeFlows(TokenNumbers &ids) : m_ids(ids) {}

    /// An event of phase s, t or f. False when there are too many.
    bool take(const ChromeEvent &event, LaneId lane, std::int64_t ns);
    SpanPoints &points() { return m_points; }

    /// Once the points have found their spans. False when it was cancelled.
    bool join(std::vector<SpanEdge> &edges, Progress &progress, double fraction);
    /// Ends of arrows that touch no span or whose other end is not there.
    std::uint64_t loose() const { return m_loose; }

private:
    struct Entry {
        std::uint64_t id;
        std::uint32_t kind; ///< Name and category.
        char phase;
        SpanPoints::Id point;
    };
    using Entries = std::vector<Entry>::iterator;

    bool goesBefore(const Entry &a, const Entry &b) const;
    void joinFlow(Entries first, Entries last, std::vector<SpanEdge> &edges);

    TokenNumbers &m_ids;
    SpanPoints m_points;
    std::vector<Entry> m_entries;
    std::unordered_map<std::string, std::uint32_t> m_kinds;
    std::string m_kindText;
    std::uint64_t m_loose = 0;
};

} // namespace jetscope
