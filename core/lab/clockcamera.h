// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/clockreader.h"

#include <cstdint>
#include <vector>

namespace jetscope {

/// What may be wrong with a picture of the clock.
enum class ClockFault : std::uint8_t { None, Absent, Two, Mirrored, Covered };

/// A camera in front of a screen that shows the clock.
struct CameraLook {
    double part = 0.7;      ///< Of the picture's width that the clock covers.
    double turnDegrees = 0; ///< In the picture, clockwise.
    double tiltDegrees = 0; ///< Around the upright axis, which makes one side smaller.
    double blurPixels = 0;  ///< Standard deviation.
    double noise = 0;       ///< Standard deviation, as part of the range from black to white.
    double black = 0.1;     ///< Brightness, as part of what the sensor can tell apart; white may lie above 1.
    double white = 0.9;
    double exposureMs = 0;
    double readoutMs = 0; ///< How much later the last row is exposed than the first.
    double screenHz = 60;
    double responseMs = 0; ///< Time constant with which the light of a pixel of the screen follows.
    ClockFault fault = ClockFault::None;
};

/// The clock of a screen that shows a new time with each of its updates, the first of which is at time 0.
struct SteadyClock {
    double periodMs = 0;
    /// The time that is shown at `ms`.
    std::int64_t shownAt(double ms) const;
};

/// Makes the pictures that such a camera sees. Pictures depend on the time and `seed` alone.
class ClockCamera {
public:
    ClockCamera(const CameraLook &look, int width, int height, std::uint64_t seed = 1);

    /// `exposedMs`: the end of the exposure of the last row. `to` has the camera's size.
    void see(double exposedMs, LumaPicture &to);
    /// Where the marks are, in the order of kClockMarks; of the first clock, if there are two.
    const std::array<ClockPoint, 4> &marks() const { return m_marks; }

private:
    void place(double centreX, double part);
    void paintClock(const Homography &back);
    std::vector<double> darkCells(double exposedMs) const;
    std::vector<std::uint8_t> levelsAt(double exposedMs) const;
    void blur(LumaPicture &picture);
    void addNoise(LumaPicture &picture);

    CameraLook m_look;
    SteadyClock m_clock;
    int m_width;
    int m_height;
    std::uint64_t m_random;
    std::array<ClockPoint, 4> m_marks{};
    std::vector<std::uint8_t> m_parts; ///< Of each pixel, what it shows.
    std::vector<int> m_kernel;         ///< Of the blur, from its middle on.
    std::vector<std::uint8_t> m_between;
};

} // namespace jetscope
