// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/controls/baseline.h"

#include "ui/text.h"

#include <QCoreApplication>

#include <cmath>
#include <optional>

namespace jetscope {

namespace {

QString baselineText(const char *text)
{
    return QCoreApplication::translate("jetscope::Baseline", text);
}

/// Lower is better. Differences that the table would round away are none.
ComparisonRow row(const QString &name, double before, double now, QString (*text)(double))
{
    ComparisonRow out{name, text(before), text(now), QStringLiteral("±0 %"), ComparisonRow::Trend::Same};
    if (out.before == out.now)
        return out;
    out.trend = now < before ? ComparisonRow::Trend::Better : ComparisonRow::Trend::Worse;
    if (before <= 0) {
        out.delta = baselineText("new");
        return out;
    }
    const double percent = (now - before) / before * 100;
    out.delta = QStringLiteral("%1%2 %")
                    .arg(percent < 0 ? QStringLiteral("−") : QStringLiteral("+"))
                    .arg(std::abs(percent), 0, 'f', 0);
    return out;
}

ComparisonRow overlapRow(std::optional<double> before, std::optional<double> now)
{
    const auto text = [](std::optional<double> value) { return value ? percentText(*value) : QStringLiteral("–"); };
    ComparisonRow out{baselineText("overlap"), text(before), text(now), QStringLiteral("–"),
                      ComparisonRow::Trend::Same};
    if (!before || !now)
        return out;
    const double points = std::round(*now * 100) - std::round(*before * 100);
    out.delta = QStringLiteral("%1%2 pt")
                    .arg(points < 0       ? QStringLiteral("−")
                             : points > 0 ? QStringLiteral("+")
                                          : QStringLiteral("±"))
                    .arg(std::abs(points), 0, 'f', 0);
    if (points != 0)
        out.trend = points > 0 ? ComparisonRow::Trend::Better : ComparisonRow::Trend::Worse;
    return out;
}

} // namespace

std::vector<ComparisonRow> compareWithBaseline(const RunFigures &before, const RunFigures &now)
{
    return {row(baselineText("frame p50"), before.frameMs.p50, now.frameMs.p50, millisText),
            row(baselineText("CPU blocked / frame"), before.blockedMs, now.blockedMs, millisText),
            overlapRow(before.pooled.overlap(), now.pooled.overlap()),
            row(baselineText("bytes copied / frame"), before.bytesCopiedPerFrame, now.bytesCopiedPerFrame, bytesText)};
}

ComparisonTitles comparisonTitles(const PipelineConfig &before, const PipelineConfig &now)
{
    const auto pair = [](std::string_view a, std::string_view b) {
        return ComparisonTitles{toQString(a), toQString(b)};
    };
    if (before.sync != now.sync)
        return pair(choiceOf(before.sync).label, choiceOf(now.sync).label);
    if (before.memory != now.memory)
        return pair(nameOf(before.memory), nameOf(now.memory));
    if (before.output != now.output)
        return pair(choiceOf(before.output).label, choiceOf(now.output).label);
    if (before.wait != now.wait)
        return pair(choiceOf(before.wait).label, choiceOf(now.wait).label);
    if (before.cpuStage != now.cpuStage)
        return pair(nameOf(before.cpuStage), nameOf(now.cpuStage));
    return pair(choiceOf(before.sync).label, choiceOf(now.sync).label);
}

} // namespace jetscope
