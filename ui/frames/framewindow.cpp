// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/frames/framewindow.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kMinFramesPerPixel = 1.0 / 64;

} // namespace

void FrameWindow::setWidth(int pixels)
{
    const int before = std::exchange(m_width, std::max(1, pixels));
    if (!m_following && !m_fitted && before > 0)
        m_framesPerPixel *= static_cast<double>(before) / m_width;
    update();
}

void FrameWindow::restart(bool live)
{
    m_following = live;
    m_fitted = !live;
    m_framesPerPixel = kFollowedFramesPerPixel;
    update();
}

/// Adapts the window to new frames: all frames, the newest, or a range that stays within the trace.
void FrameWindow::update()
{
    const auto first = static_cast<double>(m_trace.frames().firstIndex());
    const auto end = static_cast<double>(m_trace.frames().endIndex());
    const int width = std::max(1, m_width);
    if (m_fitted) {
        m_framesPerPixel = std::clamp((end - first) / width, kFollowedFramesPerPixel, 1e9);
        m_first = first;
        return;
    }
    const double room = width * m_framesPerPixel;
    // Whole bars, so that they do not flicker when new frames arrive.
    m_first = m_following ? std::max(first, std::ceil(end - std::floor(room)))
                          : std::clamp(m_first, std::min(first, end - room), std::max(first, end - room));
}

void FrameWindow::follow()
{
    m_following = true;
    m_fitted = false;
    update();
}

void FrameWindow::fit()
{
    m_following = false;
    m_fitted = true;
    update();
}

void FrameWindow::moveFreely()
{
    m_following = false;
    m_fitted = false;
    update();
}

void FrameWindow::zoomAt(double pixel, double factor)
{
    const FrameTable &frames = m_trace.frames();
    const double all = static_cast<double>(frames.endIndex() - frames.firstIndex()) / std::max(1, m_width);
    const double next = std::clamp(m_framesPerPixel * factor, kMinFramesPerPixel, std::max(all, m_framesPerPixel));
    m_first += pixel * (m_framesPerPixel - next);
    m_framesPerPixel = next;
    moveFreely();
}

void FrameWindow::panBy(double frames)
{
    m_first += frames;
    moveFreely();
}

void FrameWindow::goToStart()
{
    m_first = static_cast<double>(m_trace.frames().firstIndex());
    moveFreely();
}

void FrameWindow::reveal(std::uint64_t frame)
{
    update(); // Frames may have arrived while the view was hidden.
    m_following = false;
    const auto index = static_cast<double>(frame);
    const double room = m_width * m_framesPerPixel;
    if (index < m_first || index >= m_first + room)
        panBy(index - m_first - room / 2);
}

std::pair<std::uint64_t, std::uint64_t> FrameWindow::shown() const
{
    const FrameTable &frames = m_trace.frames();
    const double last = m_first + m_width * m_framesPerPixel;
    const auto bounded = [&](double at) {
        return std::clamp(static_cast<std::uint64_t>(std::max(at, 0.0)), frames.firstIndex(), frames.endIndex());
    };
    return {bounded(std::floor(m_first)), bounded(std::ceil(last))};
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> FrameWindow::framesAt(int pixel) const
{
    const FrameTable &frames = m_trace.frames();
    const double from = m_first + pixel * m_framesPerPixel;
    if (pixel < 0 || pixel >= m_width || from < static_cast<double>(frames.firstIndex()))
        return std::nullopt;
    const auto first = static_cast<std::uint64_t>(from);
    const auto last =
        std::min(frames.endIndex(), std::max(first + 1, static_cast<std::uint64_t>(from + m_framesPerPixel)));
    return first < last ? std::optional(std::pair(first, last)) : std::nullopt;
}

int FrameWindow::pixelOf(std::uint64_t frame) const
{
    return static_cast<int>(std::floor((static_cast<double>(frame) - m_first) / m_framesPerPixel));
}

} // namespace jetscope
