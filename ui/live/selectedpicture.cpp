// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/selectedpicture.h"

#include "core/trace/trace.h"
#include "ui/live/recentpictures.h"
#include "ui/session/traceselection.h"
#include "ui/style/text.h"
#include "ui/timeline/frametip.h"

#include <QCoreApplication>

#include <cstdlib>

namespace jetscope {

namespace {

/// Pictures farther away in time are not shown for a frame.
constexpr std::int64_t kNearNs = 1'000'000'000;

QString selectedText(const char *text)
{
    return QCoreApplication::translate("jetscope::SelectedPicture", text);
}

QString sizeText(const QImage &image)
{
    return QStringLiteral("%1×%2").arg(image.width()).arg(image.height());
}

std::int64_t timeOf(const TraceSelection &selection, const Trace &trace)
{
    if (selection.frame()->index)
        return selection.frame()->period.startNs;
    return selection.span() ? selection.span()->bar.span.startNs : trace.newestNs();
}

SelectedPicture nothing(const Trace &trace, std::uint32_t frame, std::int64_t ns)
{
    const auto &kept = trace.thumbnails().all();
    const bool tooOld = !kept.empty() && ns < kept.front().timeNs;
    const QString text = tooOld ? selectedText("The picture of frame %1 is no longer stored.")
                                : selectedText("No picture of frame %1 was stored, and none within a second of it.");
    return {SelectedPicture::Kind::None, {}, text.arg(trace.frameNumber(frame))};
}

} // namespace

SelectedPicture selectedPicture(const Trace &trace, const RecentPictures &recent, const TraceSelection &selection)
{
    const std::uint32_t frame = selection.frame()->key;
    if (const QImage whole = recent.find(frame); !whole.isNull())
        return {SelectedPicture::Kind::Whole, whole,
                selectedText("frame %1 · stored in full size · %2").arg(trace.frameNumber(frame)).arg(sizeText(whole))};
    const std::int64_t ns = timeOf(selection, trace);
    const Thumbnail *nearest = trace.thumbnails().nearest(ns);
    const std::int64_t away = nearest ? nearest->timeNs - ns : kNearNs;
    const QImage image = nearest && std::abs(away) < kNearNs ? decodeThumbnail(*nearest) : QImage();
    if (image.isNull())
        return nothing(trace, frame, ns);
    if (nearest->frame == frame)
        return {
            SelectedPicture::Kind::Thumbnail, image,
            selectedText("frame %1 · stored as a thumbnail of %2").arg(trace.frameNumber(frame)).arg(sizeText(image))};
    return {SelectedPicture::Kind::Nearest, image,
            (away < 0 ? selectedText("frame %1, %2 before frame %3, which is not stored · thumbnail")
                      : selectedText("frame %1, %2 after frame %3, which is not stored · thumbnail"))
                .arg(trace.frameNumber(nearest->frame))
                .arg(durationText(std::abs(away)))
                .arg(trace.frameNumber(frame))};
}

} // namespace jetscope
