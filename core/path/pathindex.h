// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathgraph.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace jetscope {

/// Who did what when: finds the nodes that ended, or began, last before a moment, of a frame or of any. One thread.
class PathIndex {
public:
    struct Entry {
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
        PathGraph::NodeId node = 0;
        std::uint32_t frame = kNoFrame;
        LaneId lane = 0;
    };
    enum Group : std::uint8_t { Device, Gl, CpuStage, Capture, View, PipelineWork, PipelineWaits, kGroups };
    using Entries = std::span<const Entry>;

    void clear();
    void add(Group group, const Entry &entry) { m_byEnd[group].push_back(entry); }
    /// After the last entry, before everything below.
    void seal();

    /// In the order of their ends.
    Entries all(Group group) const { return m_byEnd[group]; }
    /// In the order of their ends.
    Entries ofFrame(Group group, std::uint32_t frame) const;

    /// Of entries in the order of their ends: those that ended at `ns` or before.
    static Entries endedBy(Entries entries, std::int64_t ns);
    /// The one that began last before `ns`; null where there is none. Looks at those that ended last before `ns`, and
    /// at a few that ended later: on one thread no more can have begun.
    static const Entry *lastBegun(Entries entries, std::int64_t ns);

private:
    std::array<std::vector<Entry>, kGroups> m_byEnd;
    std::array<std::vector<Entry>, kGroups> m_byFrame;
};

} // namespace jetscope
