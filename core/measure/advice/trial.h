// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framemetricsbuilder.h"
#include "core/measure/advice/candidates.h"
#include "core/settings/pipelineconfig.h"

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
    Same,       ///< No difference beyond the noise.
    Refused,    ///< The pipeline rejected the change.
    Unfinished, ///< Too few turns for a result.
};
std::string_view
verdictName(TrialVerdict verdict); ///< As used in files: "faster", "slower", "no difference", "refused", "unfinished".

struct TrialOutcome {
    TrialVerdict verdict = TrialVerdict::Unfinished;
    double ratio = 1; ///< The metric with the candidate divided by the metric without; below 1 is faster.
    double noise = std::numeric_limits<double>::infinity(); ///< Half the width of the ratio's 99 % interval.
    std::size_t turns = 0;
    std::string reason; ///< One sentence if the trial was refused or unfinished.

    /// Whether the trial compared the two configurations.
    bool isMeasured() const { return verdict <= TrialVerdict::Same; }
};
/// "faster by 12 % (±2 %)", "no difference beyond ±1.3 %", or the reason for the missing result.
std::string outcomeWords(const TrialOutcome &outcome);

/// A candidate with the outcome of its trial, if any.
struct TriedCandidate {
    Candidate candidate;
    std::optional<TrialOutcome> tried;
};
/// The candidate to try first: the first untried one whose piece is not replaced. Null if there is none.
const Candidate *adviceOf(std::span<const TriedCandidate> list);

/// Time limits of a trial. If there were too few turns by then, the trial continues for the same time again.
struct TrialLimits {
    std::int64_t ns = 6'000'000'000;
    std::uint64_t frames = std::numeric_limits<std::uint64_t>::max();
};

/// Compares a configuration with the current one in alternating stretches, A B B A A B B A …, while a pipeline runs.
/// This order cancels a steady drift, which A B A B would report as a difference. The first frames after each switch
/// are discarded; the mean of the other frames' periods, or the median of their frame times, is one batch of that side.
/// A turn is one batch of each side; the turns are compared in pairs (comparePaired). Ends early if the result is
/// clear. Independent of the pipeline: the owner makes every change that `wanted` requests and reports what happened.
/// Not thread-safe.
class Trial {
public:
    /// Frames before `firstFrame` are ignored.
    Trial(PipelineConfig now, const Candidate &candidate, const TrialLimits &limits, std::uint32_t firstFrame = 0);

    /// The configuration that should be active. After the trial that is the original configuration, unless it was
    /// changed by other means.
    const PipelineConfig &wanted() const { return isOver() || m_side == A ? m_configs[A] : m_configs[B]; }
    const PipelineConfig &other() const { return m_configs[B]; }
    bool isOver() const { return m_over; }
    /// Whether `wanted` must be applied after the trial; false if the configuration was changed by other means.
    bool goesBack() const { return m_goesBack; }
    const TrialOutcome &outcome() const { return m_outcome; }
    double progress() const; ///< 0..1

    /// A change took effect at this frame; `change` is the text of describeChange.
    void switched(std::uint32_t frame, std::string_view change);
    /// A change was rejected; `why` begins with the change.
    void refused(std::string_view why);
    /// Final figures in frame order. Call after `switched` for earlier frames.
    void add(std::span<const FrameFigures> figures);
    /// The current time; call even if no frames arrive.
    void tick(std::int64_t ns);
    /// Ends the trial. `why` is the reason in the outcome, unless the result is already clear.
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
    bool m_inForce = true; ///< The side's configuration is active; false while its switch is pending.
    bool m_over = false;
    bool m_goesBack = true;
    std::uint32_t m_firstFrame = 0;          ///< First frame with the side's configuration.
    std::optional<std::int64_t> m_stretchNs; ///< Start of the stretch's first frame.
    std::optional<std::int64_t> m_countedNs; ///< Start of the stretch's first counted frame.
    std::size_t m_left = 0;                  ///< Discarded frames of this stretch.
    std::vector<double> m_stretch;           ///< Milliseconds of the counted frames.
    std::vector<double> m_batches[2];
    std::optional<std::int64_t> m_beginNs;
    std::int64_t m_nowNs = 0;
    std::uint64_t m_frames = 0; ///< Of the whole trial.
    TrialOutcome m_outcome;
};

} // namespace jetscope
