// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathgraph.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// Finds the nodes that ended, or began, last before a time, of one frame or of all. Not thread-safe.
class PathIndex {
public:
    struct Entry {
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
        PathGraph::NodeId node = 0;
        std::uint32_t frame = kNoFrame;
        LaneId lane = 0;
    };
    enum Group : std::uint8_t { Device, Engine, Gl, CpuStage, Capture, View, PipelineWork, PipelineWaits, kGroups };
    using Entries = std::span<const Entry>;

    void clear();
    void add(Group group, const Entry &entry) { m_byEnd[group].push_back(entry); }
    /// Call after adding all entries, before the functions below.
    void seal();

    /// All entries of a group, sorted by end.
    Entries all(Group group) const { return m_byEnd[group]; }
    /// Entries of one frame, sorted by end.
    Entries ofFrame(Group group, std::uint32_t frame) const;

    /// The entries, of a list sorted by end, that ended at or before `ns`.
    static Entries endedBy(Entries entries, std::int64_t ns);
    /// The entry that began last before `ns`, or null. Checks the entries that ended last before `ns` and a few that
    /// ended later, because a thread can only have few spans open at a time.
    static const Entry *lastBegun(Entries entries, std::int64_t ns);

private:
    std::array<std::vector<Entry>, kGroups> m_byEnd;
    std::array<std::vector<Entry>, kGroups> m_byFrame;
};

} // namespace jetscope
