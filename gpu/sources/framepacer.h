// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace jetscope {

/// The due times of frames at a steady rate. Deadlines are multiples of the period from one origin, so that they do not
/// drift. A reader that is far behind (after a pause) gets a new origin instead of a burst of frames.
class FrameSchedule {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// A reader that is at most this late catches up.
    static constexpr std::chrono::milliseconds kCatchUp{100};

    /// With a phase, deadlines are that long after multiples of the period by the clock itself, so that sources of one
    /// rate are in step.
    explicit FrameSchedule(double fps, std::optional<std::chrono::nanoseconds> phase = {});

    /// The deadline of the next frame, given the time of the request.
    Time next(Time now);

private:
    Time dueAt(std::uint64_t count) const;
    Time originAt(Time now) const;

    double m_fps;
    std::optional<std::chrono::nanoseconds> m_phase;
    Time m_origin{};
    std::uint64_t m_count = 0; ///< Frames since the origin.
};

/// Blocks the capture thread until the next frame is due. Any thread may call `cancel`.
class FramePacer {
public:
    /// A rate of 0 never waits.
    explicit FramePacer(double fps, std::optional<std::chrono::nanoseconds> phase = {});

    /// Waits until the next frame is due. False when cancelled.
    bool wait();
    /// Ends the current wait and all later ones at once.
    void cancel();
    bool cancelled() const;

private:
    const bool m_paced;
    FrameSchedule m_schedule;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_cancelled = false;
};

} // namespace jetscope
