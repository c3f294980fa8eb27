// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/baseline.h"

#include "core/settings/settingtable.h"
#include "ui/style/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace jetscope {

namespace {

QString baselineText(const char *text)
{
    return QCoreApplication::translate("jetscope::Baseline", text);
}

/// Definition of one row of the table.
struct Line {
    CaptureMetric metric;
    const char *name;
    std::optional<double> (*present)(const RunFigures &);
    QString (*text)(double);
};

std::optional<double> ifPositive(double value)
{
    return value > 0 ? std::optional(value) : std::nullopt;
}

template <double RunFigures::*Figure>
std::optional<double> ifFrames(const RunFigures &figures)
{
    return figures.frames > 0 ? std::optional(figures.*Figure) : std::nullopt;
}

constexpr std::array kLines = {
    Line{CaptureMetric::Period, QT_TRANSLATE_NOOP("jetscope::Baseline", "period"),
         [](const RunFigures &f) { return f.fps > 0 ? std::optional(1000 / f.fps) : std::nullopt; }, millisText},
    Line{CaptureMetric::FrameP50, QT_TRANSLATE_NOOP("jetscope::Baseline", "frame p50"),
         [](const RunFigures &f) { return ifPositive(f.frameMs.p50); }, millisText},
    Line{CaptureMetric::FrameP99, QT_TRANSLATE_NOOP("jetscope::Baseline", "frame p99"),
         [](const RunFigures &f) { return ifPositive(f.frameMs.p99); }, millisText},
    Line{CaptureMetric::Latency, QT_TRANSLATE_NOOP("jetscope::Baseline", "latency"),
         [](const RunFigures &f) { return ifPositive(f.latencyMs.p50); }, millisText},
    Line{CaptureMetric::Blocked, QT_TRANSLATE_NOOP("jetscope::Baseline", "CPU blocked"),
         ifFrames<&RunFigures::blockedMs>, millisText},
    Line{CaptureMetric::GpuBusy, QT_TRANSLATE_NOOP("jetscope::Baseline", "GPU busy"), ifFrames<&RunFigures::gpuBusyMs>,
         millisText},
    Line{CaptureMetric::Overlap, QT_TRANSLATE_NOOP("jetscope::Baseline", "overlap"),
         [](const RunFigures &f) { return f.pooled.overlap(); }, percentText},
    Line{CaptureMetric::BytesCopied, QT_TRANSLATE_NOOP("jetscope::Baseline", "copied"),
         ifFrames<&RunFigures::bytesCopiedPerFrame>, bytesText},
};

ComparisonRow::Trend trendOf(RowVerdict verdict)
{
    switch (verdict) {
    case RowVerdict::Better:
        return ComparisonRow::Trend::Better;
    case RowVerdict::Worse:
        return ComparisonRow::Trend::Worse;
    case RowVerdict::Unchanged:
        return ComparisonRow::Trend::Same;
    case RowVerdict::TooFewFrames:
    case RowVerdict::Unknown:
    case RowVerdict::NotComparable:
        break;
    }
    return ComparisonRow::Trend::Unknown;
}

QString trendSign(ComparisonRow::Trend trend)
{
    switch (trend) {
    case ComparisonRow::Trend::Better:
        return QStringLiteral(" ✓");
    case ComparisonRow::Trend::Worse:
        return QStringLiteral(" ✗");
    default:
        return {};
    }
}

QString signedText(double value, const QString &unit)
{
    constexpr double kMost = 999;
    const QString sign = value < 0 ? QStringLiteral("−") : QStringLiteral("+");
    const QString over = std::abs(value) > kMost ? QStringLiteral(">") : QString();
    return over + sign + QString::number(std::min(std::abs(value), kMost), 'f', 0) + u' ' + unit;
}

QString deltaText(double before, double now, ComparisonRow::Trend trend, bool isShare)
{
    if (trend == ComparisonRow::Trend::Unknown)
        return QStringLiteral("–");
    if (trend == ComparisonRow::Trend::Same)
        return QStringLiteral("≈");
    if (isShare)
        return signedText((now - before) * 100, QStringLiteral("pt")) + trendSign(trend);
    // A percentage of 0 is undefined.
    const QString text =
        before > 0 ? signedText((now - before) / before * 100, QStringLiteral("%")) : baselineText("new");
    return text + trendSign(trend);
}

QString valueText(std::optional<double> most, std::optional<double> least, QString (*text)(double))
{
    if (!most)
        return QStringLiteral("–");
    const bool isBound = least && text(*least) != text(*most);
    return isBound ? QStringLiteral("≤ ") + text(*most) : text(*most);
}

std::optional<double> leastOf(CaptureMetric metric, const RunFigures &figures)
{
    return metric == CaptureMetric::GpuBusy ? std::optional(figures.gpuBusyAtLeastMs) : std::nullopt;
}

/// A share of dropped frames with half its 99 % confidence interval; unknown without frames.
struct DroppedShare {
    double share = 0;
    double noise = 0;
    bool known = false;
};

DroppedShare droppedOf(const SettingCounts &counts)
{
    const auto all = static_cast<double>(counts.frames + counts.dropped());
    if (all <= 0)
        return {};
    constexpr double kInterval = 2.576;
    const double share = static_cast<double>(counts.dropped()) / all;
    return {share, kInterval * std::sqrt(share * (1 - share) / all), true};
}

ComparisonRow droppedRow(const SettingCounts &now, const std::optional<SettingCounts> &before, bool isComparable)
{
    ComparisonRow row;
    row.name = baselineText("dropped");
    const DroppedShare a = droppedOf(before.value_or(SettingCounts()));
    const DroppedShare b = droppedOf(now);
    row.before = a.known ? percentText(a.share) : QStringLiteral("–");
    row.now = b.known ? percentText(b.share) : QStringLiteral("–");
    row.delta = QStringLiteral("–");
    if (!a.known || !b.known || !isComparable)
        return row;
    const double noise = std::hypot(a.noise, b.noise);
    row.trend = b.share > a.share + noise ? ComparisonRow::Trend::Worse
        : b.share < a.share - noise       ? ComparisonRow::Trend::Better
                                          : ComparisonRow::Trend::Same;
    row.delta = deltaText(a.share, b.share, row.trend, true);
    return row;
}

} // namespace

std::vector<ComparisonRow> comparisonRows(const PresentFigures &now, const std::optional<CaptureComparison> &comparison,
                                          const std::optional<SettingCounts> &before)
{
    std::vector<ComparisonRow> rows;
    for (const Line &line : kLines) {
        ComparisonRow row;
        row.name = baselineText(line.name);
        row.before = row.delta = QStringLiteral("–");
        if (comparison) {
            const ComparedFigure &figure = comparison->of(line.metric);
            row.before = valueText(figure.a, figure.aAtLeast, line.text);
            row.now = valueText(figure.b, figure.bAtLeast, line.text);
            row.trend = trendOf(figure.verdict);
            row.delta =
                deltaText(figure.a.value_or(0), figure.b.value_or(0), row.trend, line.metric == CaptureMetric::Overlap);
        } else {
            row.now = valueText(line.present(now.figures), leastOf(line.metric, now.figures), line.text);
        }
        const bool needsGpu = line.metric == CaptureMetric::GpuBusy || line.metric == CaptureMetric::Overlap;
        if (needsGpu && !now.noGpuTimes.isEmpty()) { // What the trace has of them is 0, or a part.
            row.now = row.delta = QStringLiteral("–");
            row.trend = ComparisonRow::Trend::Unknown;
            row.reason = baselineText("Not known: %1").arg(now.noGpuTimes);
        }
        rows.push_back(std::move(row));
    }
    rows.push_back(droppedRow(now.counts, before, comparison && comparison->noVerdict.empty()));
    return rows;
}

ComparisonTitles comparisonTitles(const PipelineConfig &before, const PipelineConfig &now)
{
    struct Title {
        std::string_view key;
        bool isLabel = true; ///< Else the name, where labels are too long for a column.
    };
    constexpr auto kTitles = std::to_array<Title>(
        {{"sync"}, {"memory", false}, {"output"}, {"wait"}, {"cpu-stage", false}}); // What says most, first.
    for (const auto &[key, isLabel] : kTitles)
        if (const SettingRow &row = *settingRow(key); row.text(before) != row.text(now))
            return isLabel ? ComparisonTitles{toQString(row.valueLabel(before)), toQString(row.valueLabel(now))}
                           : ComparisonTitles{toQString(row.text(before)), toQString(row.text(now))};
    for (const SettingRow &row : settingTable())
        if (!row.phrase.empty() && row.text(before) != row.text(now))
            return {toQString(row.words(before)), toQString(row.words(now))};
    const QString sync = toQString(choiceOf(now.sync).label);
    return {sync, sync};
}

} // namespace jetscope
