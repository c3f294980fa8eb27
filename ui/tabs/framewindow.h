// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace jetscope {

/// Which frames are in view, and where: all of them, the newest, or some that the user chose. Frames are told by their
/// places in the trace, pixels from the left edge of the bars. The trace outlives it.
class FrameWindow {
public:
    explicit FrameWindow(const Trace &trace) : m_trace(trace) {}

    /// The same frames stay in view; while following, as large as they were.
    void setWidth(int pixels);
    /// Of a live trace the newest frames, else all.
    void restart(bool live);
    /// The trace has grown.
    void update();

    void follow();
    void fit();
    void zoomAt(double pixel, double factor);
    void panBy(double frames);
    void goToStart();
    /// Brings it into view, which then does not run away.
    void reveal(std::uint64_t frame);

    bool isFollowing() const { return m_following; }
    int width() const { return m_width; }
    double first() const { return m_first; } ///< At the left edge.
    double framesPerPixel() const { return m_framesPerPixel; }
    /// [first, last)
    std::pair<std::uint64_t, std::uint64_t> shown() const;
    /// Those under a pixel, [first, last); at least one where there is any.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> framesAt(int pixel) const;
    int pixelOf(std::uint64_t frame) const;

private:
    void moveFreely();

    const Trace &m_trace;
    double m_first = 0;
    double m_framesPerPixel = kFollowedFramesPerPixel;
    int m_width = 0; ///< 0: nobody has seen it yet.
    bool m_following = true;
    bool m_fitted = false; ///< Everything is in view, and stays so.

    static constexpr double kFollowedFramesPerPixel = 0.125; ///< A bar of 8 pixels.
};

} // namespace jetscope
