// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framefigures.h"
#include "core/lab/clockreader.h"
#include "core/lab/shownlog.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace jetscope {

/// A frame as it came from its source.
struct FrameSighting {
    std::uint64_t number = 0;   ///< The source's.
    std::int64_t stampNs = 0;   ///< The source's time stamp.
    std::int64_t arrivedNs = 0; ///< When it lay in memory for the pipeline.
    ClockReading clock;
};

/// The parts of a frame's way, which add up to all of it.
enum class LatencyPart : std::uint8_t {
    Camera,  ///< From the middle of the time that the screen showed it to the stamp.
    Driver,  ///< From the stamp until the frame was in memory. 0 if the stamp says no earlier time.
    Queue,   ///< Until the pipeline took it.
    Gpu,     ///< Until the output was complete.
    Present, ///< Until the swap that showed it returned. 0 without a window.
};
inline constexpr std::size_t kLatencyParts = 5;
std::string_view latencyPartName(LatencyPart part); ///< "camera"
std::string_view latencyPartText(LatencyPart part); ///< "until the time stamp of the source"

using LatencyParts = std::array<std::int64_t, kLatencyParts>;

/// A frame whose way is known from the screen on.
struct FrameLatency {
    std::uint64_t number = 0;
    ShownTime shown; ///< The middle of its exposure lies in here.
    std::int64_t stampNs = 0;
    std::int64_t arrivedNs = 0;
    std::int64_t startNs = 0;
    std::int64_t completeNs = 0;
    std::int64_t endNs = 0;

    std::int64_t totalNs() const { return endNs - shown.middleNs(); }
    /// Without `hasStamps` everything until the frame was in memory is the camera's.
    LatencyParts parts(bool hasStamps) const;
};

/// What became of the frames.
struct LatencyCounts {
    std::uint64_t frames = 0;               ///< That came from the source.
    std::array<std::uint64_t, 6> bySight{}; ///< Without those that were fitted.
    std::uint64_t fitted = 0;               ///< Mixed several times, whose shares said when they were exposed.
    std::uint64_t notShown = 0;             ///< Read a time that this clock had not shown.
    std::uint64_t unfinished = 0;           ///< Read, but the pipeline or the view took a newer one.

    std::uint64_t of(ClockSight sight) const { return bySight[static_cast<std::size_t>(sight)]; }
    std::uint64_t known() const { return of(ClockSight::Read) + fitted; }
};

struct LatencyFigures {
    std::size_t frames = 0;
    double p50Ms = 0;
    double p95Ms = 0;
    double p99Ms = 0;
    double leastMs = 0;
    double mostMs = 0;
    double jitterMs() const { return p95Ms - p50Ms; }
    double stepMs = 0;  ///< How long the screen shows a time.
    double boundMs = 0; ///< A frame's latency is uncertain by so much to both sides.
    bool hasStamps = false;
    /// Means of the tenth of the frames that are nearest to p50, and of the fiftieth nearest to p99. Each adds up to
    /// its total.
    std::array<double, kLatencyParts> aroundP50{};
    std::array<double, kLatencyParts> aroundP99{};
    double totalP50 = 0;
    double totalP99 = 0;
};

/// Puts together what the frames of a camera show and when they were worked on. One thread.
class LatencyMeter {
public:
    static constexpr std::size_t kMostFrames = 20'000; ///< Older ones are forgotten.

    explicit LatencyMeter(std::shared_ptr<const ShownTimes> clock) : m_clock(std::move(clock)) {}

    void add(const FrameSighting &sighting);
    /// The pipeline has finished it. A frame without a latency was not shown, and has none here.
    void add(const FrameFigures &figures, std::uint64_t number);

    const std::deque<FrameLatency> &frames() const { return m_frames; }
    const LatencyCounts &counts() const { return m_counts; }
    /// None without frames.
    std::optional<LatencyFigures> figures() const;
    /// Whether the stamps say something that the arrival does not: half of the frames have a stamp between light and
    /// arrival.
    bool hasStamps() const;

private:
    std::optional<ShownTime> shownIn(const FrameSighting &sighting);
    std::optional<ShownTime> fitted(const FrameSighting &sighting);

    std::shared_ptr<const ShownTimes> m_clock;
    std::optional<std::int64_t> m_ageNs; ///< Of the light of the last frame that was fitted, at its arrival.
    std::int64_t m_searchedNs = 0;       ///< Arrival of the last frame for which everything that was shown was tried.
    struct Waiting {
        FrameSighting sighting;
        ShownTime shown;
    };
    std::deque<Waiting> m_waiting; ///< Read, and not finished yet.
    std::deque<FrameLatency> m_frames;
    LatencyCounts m_counts;
};

} // namespace jetscope
