// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/stamprows.h"

#include "ui/style/text.h"

#include <QCoreApplication>

#include <array>

namespace jetscope {

namespace {

using RowState = StampRow::State;

QString stampText(const char *text)
{
    return QCoreApplication::translate("StampsPage", text);
}

QString spreadWords(const StampSpread &spread)
{
    return stampText("p50 %1, p99 %2").arg(millisText(spread.p50), millisText(spread.p99));
}

StampRow clockRow(const StampFinding &finding)
{
    QString found = finding.system ? toQString(rowOf(*finding.system).name) : toQString(nameOf(finding.clock));
    for (const SystemClock also : finding.alsoPossible)
        found += stampText(" or %1").arg(toQString(rowOf(also).name));
    const bool saysMonotonic = finding.toldClock == ToldClock::Monotonic;
    const bool isMonotonic = finding.system == SystemClock::Monotonic;
    const RowState state = finding.clock == StampClock::Unknown || finding.clock == StampClock::None ? RowState::Unknown
        : !saysMonotonic ? RowState::Measured
        : isMonotonic    ? RowState::Agrees
                         : RowState::Differs;
    return {stampText("clock"), found, stampText("the source says: %1").arg(toQString(nameOf(finding.toldClock))),
            state};
}

StampRow edgeRow(const StampFinding &finding)
{
    const bool says = finding.toldEdge != ToldEdge::Nothing;
    const bool agrees = (finding.toldEdge == ToldEdge::Start && finding.edge == StampEdge::Start)
        || (finding.toldEdge == ToldEdge::End && finding.edge == StampEdge::End);
    const RowState state = finding.edge == StampEdge::Unknown ? RowState::Unknown
        : !says                                               ? RowState::Measured
        : agrees                                              ? RowState::Agrees
                                                              : RowState::Differs;
    return {stampText("edge"), toQString(nameOf(finding.edge)),
            stampText("the source says: %1").arg(toQString(nameOf(finding.toldEdge))), state};
}

StampRow offsetRow(const StampFinding &finding)
{
    if (!finding.offsetMs)
        return {stampText("offset to ours"), stampText("unknown"), {}, RowState::Unknown};
    const QString found = QStringLiteral("%1 ms").arg(*finding.offsetMs, 0, 'f', 3);
    return {stampText("offset to ours"), found,
            finding.isOffsetLeast ? stampText("or more, by the age of the youngest frame")
                                  : stampText("± %1 ms").arg(finding.offsetBoundMs, 0, 'f', 4),
            finding.isOffsetLeast ? RowState::Unknown : RowState::Measured};
}

StampRow driftRow(const StampFinding &finding)
{
    if (!finding.driftPpm)
        return {stampText("drift"), stampText("unknown"), stampText("it needs some seconds"), RowState::Unknown};
    return {stampText("drift"), stampText("%1 ppm").arg(*finding.driftPpm, 0, 'f', 1),
            stampText("± %1 ppm").arg(finding.driftBoundPpm, 0, 'f', 1), RowState::Measured};
}

} // namespace

QList<StampRow> stampRows(const StampFinding &finding)
{
    QList<StampRow> rows{clockRow(finding), edgeRow(finding), offsetRow(finding), driftRow(finding)};
    if (finding.ageMs)
        rows.append({stampText("age at arrival"), spreadWords(*finding.ageMs),
                     stampText("from the stamp to the program"), RowState::Measured});
    if (finding.periodMs > 0) {
        rows.append({stampText("period"), millisText(finding.periodMs),
                     stampText("%1 fps").arg(1000 / finding.periodMs, 0, 'f', 2), RowState::Measured});
        rows.append({stampText("jitter of the stamps"), spreadWords(finding.jitterMs),
                     stampText("against the period for each number"), RowState::Measured});
        rows.append({stampText("jitter of the arrivals"), spreadWords(finding.arrivalJitter), {}, RowState::Measured});
    }
    const std::size_t odd = finding.missing + finding.backwards + finding.repeated + finding.steps;
    rows.append({stampText("odd stamps"), odd == 0 ? stampText("none") : QStringLiteral("%L1").arg(odd),
                 stampText("%1 missing, %2 back, %3 repeated, %4 leaps")
                     .arg(finding.missing)
                     .arg(finding.backwards)
                     .arg(finding.repeated)
                     .arg(finding.steps),
                 odd == 0 ? RowState::Measured : RowState::Differs});
    return rows;
}

QString stampStateText(StampRow::State state)
{
    static constexpr std::array kWords{"measured", "agrees", "differs", "not known"};
    return stampText(kWords[static_cast<std::size_t>(state)]);
}

QString stampUse(const StampFinding &finding)
{
    if (finding.offsetMs && !finding.isOffsetLeast && finding.edge != StampEdge::Arrival)
        return stampText("Latency = now − stamp + (%1 ms), as it is computed everywhere in Jetscope.")
            .arg(*finding.offsetMs, 0, 'f', 3);
    if (finding.edge == StampEdge::Arrival)
        return stampText("These stamps say when the frames came, not when they were exposed: latency begins with the "
                         "arrival.");
    return stampText("No latency can be computed from these stamps.");
}

} // namespace jetscope
