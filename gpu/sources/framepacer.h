// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace jetscope {

/// When each frame of a steady rate is due. Deadlines are multiples of the period from one origin, so that they do
/// not drift; a reader that fell far behind (a pause) gets a new origin instead of a burst of frames.
class FrameSchedule {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// How late a reader may be and still catch up.
    static constexpr std::chrono::milliseconds kCatchUp{100};

    explicit FrameSchedule(double fps);

    /// The deadline of the next frame, asked for at `now`.
    Time next(Time now);

private:
    Time dueAt(std::uint64_t count) const;

    double m_fps;
    Time m_origin{};
    std::uint64_t m_count = 0; ///< Frames since the origin.
};

/// Holds the capture thread back until the next frame is due. `cancel` may come from any thread.
class FramePacer {
public:
    /// A rate of 0 never waits.
    explicit FramePacer(double fps);

    /// Waits until the next frame is due. False when cancelled.
    bool wait();
    /// Ends a wait at once, and every later one.
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
