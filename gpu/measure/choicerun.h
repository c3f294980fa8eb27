// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/choicetable.h"
#include "core/measure/method/turns.h"
#include "gpu/measure/stretchrunner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace jetscope {

struct ChoiceLimits {
    std::int64_t nsEach = 3'000'000'000; ///< Time for each value; kMinRounds are made even if they take longer.
    std::size_t mostRounds = 16;
    std::uint64_t seed = 1; ///< Of the order.
    StretchLimits stretch{};
    TurnOrder order = TurnOrder::Shuffled;
};

/// Measures every cell of a plan on a running pipeline by turns of short stretches. When it ends for any reason, it
/// requests the configuration from before. The owner takes the pipeline's updates and passes each of them on. The
/// pipeline must outlive it. Only on the thread of the pipeline's owner; never waits.
class ChoiceRun {
public:
    ChoiceRun(PipelineControl &pipeline, ChoicePlan plan, const ChoiceLimits &limits = {});
    /// Ends the run if it is not over.
    ~ChoiceRun();
    ChoiceRun(const ChoiceRun &) = delete;
    ChoiceRun &operator=(const ChoiceRun &) = delete;

    /// For a pipeline that has been running: what its earlier updates told.
    void know(const TraceHead &head) { m_runner.know(head.asUpdate()); }
    /// Pass every update since the start, in order, with the current time.
    void take(const PipelineUpdate &update, std::int64_t ns);
    /// `why`: a part of a sentence; empty if all that is wanted was measured.
    void cancel(std::string why = "it was cancelled") { end(std::move(why), true); }
    /// Ends the run and keeps the configuration, because something else changed it.
    void giveWay(std::string why = "another choice was made in between") { end(std::move(why), false); }

    const ChoicePlan &plan() const { return m_plan; }
    /// What was measured so far.
    const StoredSweep &sweep() const { return m_sweep; }
    bool isOver() const { return m_over; }
    /// Over, and the configuration from before is in force or was refused.
    bool isBack() const;
    /// Why it ended before all rounds were complete; empty if it did not.
    const std::string &endedEarly() const { return m_why; }
    std::optional<std::size_t> current() const;                         ///< The cell that is measured; empty when over.
    double progress() const { return m_over ? 1 : m_turns.progress(); } ///< 0..1
    std::int64_t remainingNs() const;                                   ///< Expected.

private:
    void take(const PipelineNotice &notice);
    void begin(std::int64_t ns);
    void keep();
    void drop();
    void end(std::string why, bool goesBack);

    PipelineControl &m_pipeline;
    const ChoicePlan m_plan;
    const ChoiceLimits m_limits;
    const std::uint64_t m_switchesBefore; ///< Their notices can come later.
    const PipelineConfig m_before;
    StoredSweep m_sweep;
    Turns m_turns;
    StretchRunner m_runner;
    std::string m_why;
    bool m_over = false;
    enum class Back : std::uint8_t { Settled, Asked, Made };
    Back m_back = Back::Settled;
};

} // namespace jetscope
