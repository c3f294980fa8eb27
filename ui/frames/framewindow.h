// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace jetscope {

/// Range of frames in view and their positions: all, the newest, or a range chosen by the user. Frames are indices in
/// the trace; pixels count from the left edge of the bars. The trace must outlive it.
class FrameWindow {
public:
    explicit FrameWindow(const Trace &trace) : m_trace(trace) {}

    /// Keeps the frames in view; while following, keeps the width of a bar.
    void setWidth(int pixels);
    /// Shows the newest frames of a live trace, or all frames of another one.
    void restart(bool live);
    /// The trace has grown.
    void update();

    void follow();
    void fit();
    void zoomAt(double pixel, double factor);
    void panBy(double frames);
    void goToStart();
    /// Brings a frame into view and stops following.
    void reveal(std::uint64_t frame);

    bool isFollowing() const { return m_following; }
    int width() const { return m_width; }
    double first() const { return m_first; } ///< Frame at the left edge.
    double framesPerPixel() const { return m_framesPerPixel; }
    /// [first, last)
    std::pair<std::uint64_t, std::uint64_t> shown() const;
    /// Frames under a pixel, [first, last), at least one; nullopt if there is no frame.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> framesAt(int pixel) const;
    int pixelOf(std::uint64_t frame) const;

private:
    void moveFreely();

    const Trace &m_trace;
    double m_first = 0;
    double m_framesPerPixel = kFollowedFramesPerPixel;
    int m_width = 0; ///< 0 until the view has a size.
    bool m_following = true;
    bool m_fitted = false; ///< All frames are in view, and remain so when the trace grows.

    static constexpr double kFollowedFramesPerPixel = 0.125; ///< Bars of 8 pixels.
};

} // namespace jetscope
