// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/framenotes.h"

#include "ui/style/text.h"

#include <QCoreApplication>

namespace jetscope {

namespace {

constexpr qsizetype kMaxNotes = 500;

} // namespace

const FrameNotes::Note &FrameNotes::of(const Trace &trace, std::uint64_t frame)
{
    const FrameFigures figures = trace.frames().at(frame);
    const Interval time{figures.startNs, figures.startNs + figures.periodNs()};
    const auto found = m_notes.constFind(time.startNs);
    if (found != m_notes.constEnd())
        return *found;
    if (m_notes.size() >= kMaxNotes)
        m_notes.clear();
    const DistantSpans *const distant = trace.distant();
    Note note;
    for (const BusyPiece &piece : distant ? distant->piecesWithin(time.startNs, time.endNs) : busyPieces(trace, time))
        if (piece.kind == BusyPiece::Kind::Both
            && piece.time.endNs - piece.time.startNs > note.place.endNs - note.place.startNs) {
            note.place = piece.time;
            note.certain = piece.certain;
        }
    const QString most = durationText(figures.overlap.bothNs);
    const QString least = durationText(figures.overlap.bothAtLeastNs());
    note.text = QCoreApplication::translate("jetscope::Timeline", "both busy %1")
                    .arg(least == most ? most : least + QStringLiteral(" – ") + most);
    if (figures.overlap.overlapBounds())
        note.text += QStringLiteral(" · ") + overlapText(figures.overlap);
    if (distant && note.place.endNs == note.place.startNs) // More may come.
        return m_unknown = note;
    return *m_notes.insert(time.startNs, note);
}

} // namespace jetscope
