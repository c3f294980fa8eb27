// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/watch/watchcostmeter.h"
#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/remote/link.h"
#include "gpu/remote/missedspans.h"
#include "gpu/remote/updatelog.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// What a laptop has been told of the board's pipeline, and what it is told next: what it lacks of the past first, then
/// what comes. The thread of the server alone.
class Follower {
public:
    /// The link must outlive it.
    explicit Follower(Link &link) : m_link(link) {}

    /// It knows the log up to here, and is told the rest.
    void join(const UpdateLog &log, std::uint64_t known);
    /// Another pipeline begins.
    void restart()
    {
        m_nextPast = m_nextFigures = 0;
        m_unsent = {};
    }

    /// Whether it lacks nothing but what comes next.
    bool isCaughtUp() const { return m_nextPast == 0 && m_nextFigures == 0; }
    /// What comes is kept for later; else it is told from now on, if all of the past is on its way.
    void turn(const UpdateLog &log, bool keepsBack);
    /// An update that came just now, in parts. Figures for which there is no credit follow in order; what is not sent
    /// of its spans is remembered, to be said.
    void send(std::uint32_t pipeline, std::uint64_t position, const std::vector<Message> &parts,
              const std::vector<Span> &spans);
    /// Figures that had no credit, as far as they have it now. Of more than a minute the newest.
    void sendFigures(const UpdateLog &log);
    /// Which spans were not sent.
    void sendUnsent() { sendUnsent(false); }
    /// Spans that were not sent; false: nobody asks so.
    bool answer(const UpdateLog &log, const AskSpans &ask);
    bool answer(const UpdateLog &log, const AskCoarse &ask);
    /// What it lacks of the past, as far as the link takes it.
    void sendPast(const UpdateLog &log);
    /// If it has changed.
    void sendState(std::uint32_t pipeline, const PipelineStatus &status);
    void sendCost(std::uint32_t pipeline, const WatchCostMeter &meter);
    void sendProgram(const Message &state);

private:
    void sendUnsent(bool all);
    void sendIfNew(const Message &message, std::vector<std::byte> &said);

    Link &m_link;
    std::uint64_t m_nextPast = 0;    ///< The position of an update that it still lacks; 0: it follows.
    std::uint64_t m_nextFigures = 0; ///< The position of the first figures that had no credit; 0: all had.
    UnsentNotes m_unsent;
    std::vector<std::byte> m_statusSaid; ///< Without its counts.
    std::vector<std::byte> m_countsSaid;
    std::vector<std::byte> m_costSaid;
    std::vector<std::byte> m_programSaid;
    std::chrono::steady_clock::time_point m_nextCounts;
};

} // namespace jetscope
