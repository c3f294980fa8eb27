// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/stream/traceupdate.h"
#include "gpu/remote/messages.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace jetscope {

/// The updates of one pipeline in order, for who joins and for who was away: the newest that fit into kMostBytes, and
/// what they refer to. Not thread-safe.
class UpdateLog {
public:
    static constexpr std::size_t kMostBytes = 32 << 20;

    explicit UpdateLog(std::uint32_t pipeline) : m_pipeline(pipeline) {}

    std::uint32_t pipeline() const { return m_pipeline; }
    /// Positions count from 1.
    std::uint64_t add(const PipelineUpdate &update);
    std::uint64_t newest() const { return m_newest; }
    /// The position of the first update that is kept; behind the newest if none is.
    std::uint64_t oldest() const { return m_newest + 1 - m_contents.size(); }
    /// A kept update as the content of a Past.
    const std::vector<std::byte> &at(std::uint64_t position) const { return m_contents[position - oldest()]; }
    const TraceHead &traceHead() const { return m_head; }
    /// What all updates so far have told that later ones refer to, as a Head.
    Message head() const;

private:
    const std::uint32_t m_pipeline;
    std::uint64_t m_newest = 0;
    std::size_t m_bytes = 0;
    TraceHead m_head;
    std::deque<std::vector<std::byte>> m_contents;
};

} // namespace jetscope
