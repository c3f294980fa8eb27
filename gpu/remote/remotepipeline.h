// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/updatecheck.h"
#include "gpu/remote/messages.h"
#include "gpu/remote/missedspans.h"
#include "gpu/remote/programmessages.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace jetscope {

/// What came of a board's pipeline, until its owner takes it. It may come again, or in other order by kind, after the
/// connection was cut: each value is passed on once. Any thread.
class RemotePipeline {
public:
    explicit RemotePipeline(std::uint32_t number) : m_number(number) {}

    std::uint32_t number() const { return m_number; }

    // --- the connection's side. False: it cannot be.

    bool take(MessageKind kind, UpdatePart part);
    void take(const State &state);
    bool take(const UnsentSpans &unsent);
    bool take(LateSpans late);
    bool take(const LateCoarse &late);
    void take(const ProgramState &program);
    /// It is gone at the far end: reported as a failure.
    void lose(const std::string &why);
    UpdatePositions positions() const;

    // --- the owner's side

    PipelineUpdate drain();
    /// Spans that were asked for and have come.
    std::vector<Span> takeLate();
    /// Columns of such spans.
    std::vector<CoarseSpans> takeCoarse();
    /// As MissedSpans.
    WantedSpans wantMissing(Interval seen, double nsPerPixel, std::uint32_t connection);
    void forgetCoarse();
    Intervals missingTimes() const;
    std::uint64_t updatesWithoutSpans() const;
    PipelineStatus status() const;
    /// Of an inspected program; none before it was told.
    std::optional<InspectionState> program() const;
    void waitForEnd() const;
    /// Waits until the far end has said its state; false after too long.
    bool waitForState() const;
    /// Whether `lose` was called: another pipeline may have its number now.
    bool isLost() const;
    /// Updates that the far end had forgotten when they were asked for.
    std::uint64_t missedUpdates() const;

private:
    void dropKnown(MessageKind kind, UpdatePart &part);

    const std::uint32_t m_number;
    mutable std::mutex m_mutex; ///< For all below.
    mutable std::condition_variable m_changed;
    UpdateCheck m_check;
    std::size_t m_names = 0;
    std::size_t m_lanes = 0;
    std::set<CounterId> m_counters;
    UpdatePositions m_positions;
    std::uint64_t m_missedUpdates = 0;
    PipelineUpdate m_update;
    MissedSpans m_missed;
    std::vector<Span> m_late;
    std::vector<CoarseSpans> m_coarse;
    PipelineStatus m_status;
    std::optional<InspectionState> m_program;
    bool m_hasState = false;
    bool m_isLost = false;
};

} // namespace jetscope
