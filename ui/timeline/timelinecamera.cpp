// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinecamera.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr double kFramesFollowed = 2.5;
constexpr int kGlideMs = 120;
constexpr std::size_t kMaxEarlier = 100;
constexpr double kMargin = 0.04;    ///< Fraction of the view on both sides of the shown interval.
constexpr int kAlwaysVisible = 100; ///< Pixels of the trace that panning keeps in view.

TimeScale withMargin(Interval time, int width)
{
    const auto margin = static_cast<std::int64_t>(static_cast<double>(time.endNs - time.startNs) * kMargin) + 1;
    return fitted(time.startNs - margin, time.endNs + margin, width);
}

} // namespace

TimelineCamera::TimelineCamera(const Trace &trace, QObject *parent) : QObject(parent), m_trace(trace), m_animation(this)
{
    m_animation.setDuration(kGlideMs);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this](const QVariant &value) { glide(value.toDouble()); });
}

Interval TimelineCamera::windowOf(const TimeScale &scale) const
{
    return {timeAt(scale, 0), timeAt(scale, m_width) + 1};
}

void TimelineCamera::setWidth(int pixels)
{
    const int before = std::exchange(m_width, std::max(1, pixels));
    if (m_following || before == m_width)
        return;
    if (before <= 1) { // Not shown yet.
        if (!m_trace.empty())
            set(fitted(m_trace.oldestNs(), m_trace.newestNs(), m_width));
        return;
    }
    if (m_animation.state() == QAbstractAnimation::Running) {
        m_animation.stop();
        m_scale = m_target;
    }
    const double ratio = static_cast<double>(before) / m_width;
    m_scale = zoomedAt(m_scale, 0, ratio);
    for (std::vector<TimeScale> *views : {&m_earlier, &m_later})
        for (TimeScale &view : *views)
            view = zoomedAt(view, 0, ratio);
    emit changed();
}

void TimelineCamera::set(const TimeScale &scale)
{
    m_scale = scale;
    emit changed();
}

void TimelineCamera::moveTo(const TimeScale &target)
{
    if (!m_animated) {
        set(target);
        return;
    }
    m_animation.stop();
    m_from = m_scale;
    m_target = target;
    m_animation.start();
}

/// Zooms around the time that has the same position in both views.
void TimelineCamera::glide(double part)
{
    if (part >= 1) {
        set(m_target);
        return;
    }
    const double change = m_target.nsPerPixel / m_from.nsPerPixel;
    const double shift = pixelAt(m_from, m_target.startNs) + m_target.startFraction / m_from.nsPerPixel;
    if (std::abs(change - 1) < 1e-6)
        set(panned(m_from, -shift * part));
    else
        set(zoomedAt(m_from, shift / (1 - change), std::pow(change, part)));
}

void TimelineCamera::remember()
{
    m_earlier.push_back(target());
    if (m_earlier.size() > kMaxEarlier)
        m_earlier.erase(m_earlier.begin());
    m_later.clear();
}

void TimelineCamera::mirror(const TimeScale &scale, std::int64_t rulerOriginNs)
{
    m_animation.stop();
    m_following = false;
    m_zooming = false;
    m_rulerOriginNs = rulerOriginNs;
    set(scale);
}

void TimelineCamera::follow()
{
    m_animation.stop();
    m_following = true;
    m_zooming = false;
    update();
    emit changed();
}

void TimelineCamera::stopFollowing()
{
    if (!std::exchange(m_following, false))
        return;
    emit changed();
}

void TimelineCamera::zoomAt(double x, double factor)
{
    if (!std::exchange(m_zooming, true))
        remember();
    m_following = false;
    moveTo(zoomedAt(target(), x, factor));
}

void TimelineCamera::panBy(int pixels)
{
    m_animation.stop();
    m_following = false;
    TimeScale next = panned(m_scale, pixels);
    if (!m_trace.empty()) {
        const double oldest = pixelAt(next, m_trace.oldestNs());
        const double newest = pixelAt(next, m_trace.newestNs());
        const int visible = std::min(kAlwaysVisible, m_width);
        if (pixels > 0 && oldest > m_width - visible)
            next = panned(next, -std::min<double>(pixels, std::ceil(oldest - (m_width - visible))));
        if (pixels < 0 && newest < visible)
            next = panned(next, std::min<double>(-pixels, std::ceil(visible - newest)));
    }
    set(next);
}

void TimelineCamera::show(Interval time)
{
    remember();
    m_zooming = false;
    m_following = false;
    moveTo(withMargin(time, m_width));
}

void TimelineCamera::reveal(Interval time, double leastPixels)
{
    const auto length = static_cast<double>(std::max<std::int64_t>(time.endNs - time.startNs, 1));
    if (length < leastPixels * target().nsPerPixel) {
        remember();
        m_zooming = false;
        m_following = false;
        // Wider than needed, so that a similar interval can be shown next without another zoom.
        const auto room = static_cast<std::int64_t>(length * m_width / leastPixels / 4);
        moveTo(fitted(time.startNs - room, time.endNs + room, m_width));
        return;
    }
    const double left = pixelAt(target(), time.startNs);
    const double right = pixelAt(target(), time.endNs);
    if (left >= 0 && right <= m_width) {
        stopFollowing();
        return;
    }
    center(time);
}

/// If the interval is wider than the view, its beginning is shown. What is further away than a view is a jump.
void TimelineCamera::center(Interval time)
{
    const double left = pixelAt(target(), time.startNs);
    const double right = pixelAt(target(), time.endNs);
    if (!m_following && (right < -m_width || left > 2.0 * m_width)) {
        remember();
        m_zooming = false;
    }
    m_following = false;
    const double wanted = right - left > m_width ? m_width * 0.1 : (m_width - (right - left)) / 2;
    moveTo(panned(target(), std::round(wanted - left)));
}

void TimelineCamera::fitAll()
{
    if (m_trace.empty())
        return;
    remember();
    m_zooming = false;
    m_following = false;
    m_rulerOriginNs = m_trace.oldestNs();
    moveTo(fitted(m_trace.oldestNs(), m_trace.newestNs(), m_width));
}

void TimelineCamera::goToStart()
{
    if (m_trace.empty())
        return;
    remember();
    m_zooming = false;
    m_following = false;
    moveTo(panned(target(), -std::round(pixelAt(target(), m_trace.oldestNs()))));
}

void TimelineCamera::goToEnd()
{
    if (m_trace.empty())
        return;
    remember();
    m_zooming = false;
    m_following = false;
    moveTo(panned(target(), std::round(m_width - pixelAt(target(), m_trace.newestNs()))));
}

bool TimelineCamera::back()
{
    return go(m_earlier, m_later);
}

bool TimelineCamera::forward()
{
    return go(m_later, m_earlier);
}

bool TimelineCamera::go(std::vector<TimeScale> &from, std::vector<TimeScale> &to)
{
    if (from.empty())
        return false;
    to.push_back(target());
    const TimeScale wanted = from.back();
    from.pop_back();
    m_zooming = false;
    m_following = false;
    moveTo(wanted);
    return true;
}

void TimelineCamera::update()
{
    if (m_following)
        trackNewest();
}

void TimelineCamera::restart(bool live)
{
    m_animation.stop();
    m_earlier.clear();
    m_later.clear();
    m_zooming = false;
    m_following = live;
    if (!live && !m_trace.empty()) {
        m_rulerOriginNs = m_trace.oldestNs();
        m_scale = fitted(m_trace.oldestNs(), m_trace.newestNs(), m_width);
    }
    update();
    emit changed();
}

void TimelineCamera::trackNewest()
{
    const FrameTable &frames = m_trace.frames();
    if (frames.empty())
        return;
    const std::uint64_t end = frames.endIndex();
    const std::uint64_t shown = std::min<std::uint64_t>(end - frames.firstIndex(), 2);
    const FrameFigures first = frames.at(end - shown);
    const FrameFigures last = frames.at(end - 1);
    const std::int64_t total = last.startNs + last.periodNs() - first.startNs;
    const double wanted = static_cast<double>(total) / static_cast<double>(shown) * kFramesFollowed;
    // Ignore small changes of the period, which would change the zoom all the time.
    if (std::abs(wanted - static_cast<double>(m_followSpanNs)) > 0.25 * static_cast<double>(m_followSpanNs))
        m_followSpanNs = static_cast<std::int64_t>(wanted);
    const std::int64_t margin = m_followSpanNs / 32;
    const TimeScale wantedScale = fitted(first.startNs - margin, first.startNs - margin + m_followSpanNs, m_width);
    m_rulerOriginNs = wantedScale.startNs;
    set(m_align ? m_align(wantedScale) : wantedScale);
}

} // namespace jetscope
