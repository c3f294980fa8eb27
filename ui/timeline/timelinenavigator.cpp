// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinenavigator.h"

#include "core/path/spansteps.h"
#include "ui/session/traceselection.h"
#include "ui/timeline/spannavigation.h"
#include "ui/timeline/timelinecamera.h"
#include "ui/timeline/timelinerows.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

Interval timeOf(const SpanPlace &span)
{
    return {span.bar.span.startNs, span.bar.span.endNs()};
}

} // namespace

void TimelineNavigator::select(const SpanPlace &span)
{
    m_selection.selectSpan(span);
    m_camera.reveal(timeOf(span));
    m_rows.show(span.track);
}

void TimelineNavigator::show(const SpanPlace &span)
{
    m_rows.uncover(span.track);
    m_camera.reveal(timeOf(span));
    m_rows.show(span.track);
}

void TimelineNavigator::selectFound(const SpanPlace &span, bool asked, double clearX)
{
    constexpr double kMinPixels = 6;
    m_rows.uncover(span.track);
    m_selection.selectSpan(span);
    m_camera.reveal(timeOf(span), asked ? kMinPixels : 0);
    if (pixelAt(m_camera.target(), span.bar.span.startNs) >= clearX)
        m_camera.center(timeOf(span));
    m_rows.show(span.track);
}

void TimelineNavigator::stepSpan(int direction)
{
    const auto next = m_selection.span() ? neighbourOf(m_trace, *m_selection.span(), direction)
                                         : firstChoice(m_trace, m_rows.layout(), m_camera.window());
    if (next)
        select(*next);
    else if (m_trace.distant() && m_selection.span())
        ask(FigureWish::Kind::Beside, direction, [this](const std::optional<SpanPlace> &span) {
            if (span)
                select(*span);
        });
}

/// Of a trace whose spans are elsewhere.
void TimelineNavigator::ask(FigureWish::Kind kind, int direction,
                            std::function<void(const std::optional<SpanPlace> &)> take)
{
    FigureWish wish;
    wish.kind = kind;
    wish.track = static_cast<std::uint32_t>(m_selection.span()->track);
    wish.index = m_selection.span()->bar.index;
    wish.hasSpan = true;
    wish.direction = static_cast<std::int8_t>(direction);
    m_step.ask(*m_trace.distant(), FigureSeat::Step, wish,
               [take = std::move(take)](const FigureAnswer &answer) { take(answer.span); });
}

void TimelineNavigator::stepLane(int direction)
{
    const TimelineRow *row = m_selection.span() ? m_rows.layout().rowOfTrack(m_selection.span()->track) : nullptr;
    const bool seen = row && row->kind == TimelineRow::Kind::Lane;
    const auto next = seen ? spanBeyond(m_trace, m_rows.layout(), *m_selection.span(), direction)
                           : firstChoice(m_trace, m_rows.layout(), m_camera.window());
    if (next)
        select(*next);
}

void TimelineNavigator::stepFrame(int direction)
{
    if (m_selection.stepFrame(direction, m_camera.window()))
        m_camera.reveal(m_selection.frame()->period);
}

void TimelineNavigator::stepLonger(int direction, const std::function<void()> &none)
{
    const auto take = [this, none](const std::optional<SpanPlace> &longer) {
        if (!longer)
            return none();
        show(*longer);
        m_selection.selectSpan(*longer);
    };
    if (m_trace.distant())
        ask(FigureWish::Kind::Longer, direction, take);
    else
        take(longerSpan(m_trace, *m_selection.span(), direction));
}

void TimelineNavigator::zoomTo(const SpanPlace &span)
{
    m_camera.show({span.bar.span.startNs, std::max(span.bar.span.endNs(), span.bar.span.startNs + 1)});
}

void TimelineNavigator::zoomToSelected()
{
    if (m_selection.range())
        m_camera.show(*m_selection.range());
    else if (m_selection.span())
        zoomTo(*m_selection.span());
    else if (const auto &frame = m_selection.frame(); frame && frame->index)
        m_camera.show(frame->period);
}

} // namespace jetscope
