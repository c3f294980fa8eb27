// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/foreignwork.h"

#include "core/exchange/chromekinds.h"

#include <vector>

namespace jetscope {

namespace {

bool isDeviceWork(Category category)
{
    return category == Category::Kernel || category == Category::Copy;
}

} // namespace

bool cutOverlongWork(ForeignLanes &lanes, const ChromeThreads &threads, TraceNames &names, std::uint64_t &cut,
                     Progress &progress, double fraction)
{
    const auto isWork = [&](const TraceSpan &span) { return names.category(span.name) != Category::Tool; };
    const auto shorten = [&](TraceSpan &span) {
        ++cut;
        const SpanName &name = names.at(span.name);
        span.name = names.intern(name.text, name.category, name.purpose, Certainty::Bounded);
    };
    for (std::size_t i = 0; i < lanes.lanes(); ++i) {
        const auto lane = static_cast<LaneId>(i);
        if (threads.isStream(lane) && !lanes.cutOverlong(lane, isWork, shorten, progress, fraction))
            return false;
    }
    return true;
}

bool tellWorkFromRanges(ForeignLanes &lanes, const ChromeThreads &threads, TraceNames &names,
                        const ForeignFrames &frames, Progress &progress, double fraction)
{
    const FoundFrames &found = frames.found();
    std::vector<bool> isFrame(names.size());
    for (std::size_t i = 0; i < isFrame.size(); ++i)
        isFrame[i] = frames.isFrame(static_cast<TraceName>(i));
    const auto becomesTool = [&](TraceSpan &span) { span.name = names.intern(names.text(span.name), Category::Tool); };
    const auto isRange = [&](const TraceSpan &span) { return span.name < isFrame.size() && isFrame[span.name]; };
    for (std::size_t i = 0; i < lanes.lanes(); ++i) {
        LaneInfo &info = lanes.info(static_cast<LaneId>(i));
        const bool onGpu = isGpuLane(info.role);
        const bool isSummary = threads.isSummary(info.id);
        if (info.role == LaneRole::CpuStage && !found.periods.empty() && !found.isMark && found.thread == i)
            info.role = LaneRole::Pipeline;
        if (found.periods.empty() && !onGpu && !isSummary)
            continue;
        // What was only guessed to be the range of a frame is other work on other threads, and where nothing lies in
        // it.
        const bool isGuess = found.sign == FrameSign::Covers;
        const auto take = [&](TraceSpan &span, bool encloses) {
            if (encloses)
                becomesTool(span);
        };
        if (isGuess && found.thread == i && !lanes.eachRange(info.id, isRange, take, progress, fraction))
            return false;
        lanes.each(info.id, [&](TraceSpan &span) {
            const Category category = names.category(span.name);
            if (isSummary || (!isGuess && isRange(span) && !(onGpu && isDeviceWork(category))))
                becomesTool(span);
            else if (onGpu && category == Category::CpuStage)
                span.name = names.intern(names.text(span.name), deviceWorkOf(names.text(span.name)),
                                         names.certainty(span.name));
        });
        if (!progress.advance(fraction))
            return false;
    }
    return true;
}

} // namespace jetscope
