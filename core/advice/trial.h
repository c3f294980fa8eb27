// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/advice/candidates.h"
#include "core/figures/framemetricsbuilder.h"
#include "core/pipelineconfig.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

enum class TrialVerdict : std::uint8_t {
    Faster,
    Slower,
    Same,       ///< No difference beyond noise.
    Refused,    ///< The pipeline did not make the change.
    Unfinished, ///< Too few turns to say anything.
};
std::string_view
verdictName(TrialVerdict verdict); ///< In files: "faster", "slower", "no difference", "refused", "unfinished".

struct TrialOutcome {
    TrialVerdict verdict = TrialVerdict::Unfinished;
    double ratio = 1; ///< The metric with the candidate over the metric without; below 1 is faster.
    double noise = std::numeric_limits<double>::infinity(); ///< Of the ratio, both sides' together.
    std::size_t turns = 0;
    std::string reason; ///< Of a trial that was refused or not finished: one sentence.

    /// Whether it says how the two compare.
    bool isMeasured() const { return verdict <= TrialVerdict::Same; }
};
/// "faster by 12 % (±2 %)", "no difference beyond ±1.3 %", or why there is none.
std::string outcomeWords(const TrialOutcome &outcome);

/// What was tried, or not yet.
struct TriedCandidate {
    Candidate candidate;
    std::optional<TrialOutcome> tried;
};
/// Whose trial could bring most: the first one untried that nothing else takes the place of. Null where there is none.
const Candidate *adviceOf(std::span<const TriedCandidate> list);

/// When a trial is over at the latest. Where there were too few turns by then, it goes on for as long again.
struct TrialLimits {
    std::int64_t ns = 6'000'000'000;
    std::uint64_t frames = std::numeric_limits<std::uint64_t>::max();
};

/// Tries a configuration against the one in force by turns, A B A B …, while a pipeline runs. Each stretch begins with
/// frames that are left out; the mean of the others' periods, or the median of their frame times, is one batch of its
/// side. The figure of a side is the median of its batches, its noise comes by bootstrap over them, and only a
/// difference beyond both noises is one (summarise, compareLowerIsBetter). Early when that is clear. Knows no pipeline:
/// its owner makes every change that `wanted` asks for, and tells what happened. One thread.
class Trial {
public:
    /// Frames before `firstFrame` do not count.
    Trial(PipelineConfig now, const Candidate &candidate, const TrialLimits &limits, std::uint32_t firstFrame = 0);

    /// What is to be in force. Once the trial is over that is the configuration of before, unless somebody else changed
    /// it.
    const PipelineConfig &wanted() const { return isOver() || m_side == A ? m_configs[A] : m_configs[B]; }
    const PipelineConfig &other() const { return m_configs[B]; }
    bool isOver() const { return m_over; }
    /// Whether `wanted` is to be made once the trial is over: not when somebody else made a change since.
    bool goesBack() const { return m_goesBack; }
    const TrialOutcome &outcome() const { return m_outcome; }
    double progress() const; ///< 0..1

    /// A change took effect at this frame; `change` as describeChange says it.
    void switched(std::uint32_t frame, std::string_view change);
    /// A change was not made; `why` begins with it.
    void refused(std::string_view why);
    /// Final figures in order of frames, after the switches before them.
    void add(std::span<const FrameFigures> figures);
    /// The time now, whether frames come or not.
    void tick(std::int64_t ns);
    /// Ends it. `why` is a sentence for the outcome, unless it is clear by now.
    void stop(std::string_view why, bool goesBack = true);

private:
    enum Side : std::uint8_t { A, B };

    void addFrame(const FrameFigures &figures);
    bool isWarm(const FrameFigures &figures) const;
    bool isLong(const FrameFigures &figures) const;
    void endStretch();
    void compare();
    bool isClear() const;
    bool isDue(int times) const;
    void end();

    PipelineConfig m_configs[2];
    AdviceMetric m_metric;
    TrialLimits m_limits;
    Side m_side = A;
    bool m_inForce = true; ///< The side's configuration; else its switch is awaited.
    bool m_over = false;
    bool m_goesBack = true;
    std::uint32_t m_firstFrame = 0;          ///< From which on the side's configuration is in force.
    std::optional<std::int64_t> m_stretchNs; ///< When its first frame began.
    std::optional<std::int64_t> m_countedNs; ///< When the first one that counts began.
    std::size_t m_left = 0;                  ///< Frames left out of this stretch.
    std::vector<double> m_stretch;           ///< Milliseconds of the frames that count.
    std::vector<double> m_batches[2];
    std::optional<std::int64_t> m_beginNs;
    std::int64_t m_nowNs = 0;
    std::uint64_t m_frames = 0; ///< Of the whole trial.
    TrialOutcome m_outcome;
};

} // namespace jetscope
