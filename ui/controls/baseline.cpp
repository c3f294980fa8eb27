// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/controls/baseline.h"

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

/// A figure with its bounds and noise.
struct Measured {
    double least = 0;
    double most = 0; ///< Greater than `least` if only bounds are known.
    double noise = RunNoise::kUnknown;
    bool known = false;
};

Measured measured(double value, double noise, bool known)
{
    return {value, value, noise, known};
}

enum class Wanted { Less, More };

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

/// Returns Better or Worse only if the difference exceeds the sum of both noises.
ComparisonRow::Trend trendOf(const Measured &before, const Measured &now, Wanted wanted)
{
    const double noise = before.noise + now.noise;
    if (!before.known || !now.known || !std::isfinite(noise))
        return ComparisonRow::Trend::Unknown;
    const bool less = now.most < before.least - noise;
    const bool more = now.least > before.most + noise;
    if (!less && !more)
        return ComparisonRow::Trend::Same;
    return less == (wanted == Wanted::Less) ? ComparisonRow::Trend::Better : ComparisonRow::Trend::Worse;
}

QString signedText(double value, const QString &unit)
{
    constexpr double kMost = 999;
    const QString sign = value < 0 ? QStringLiteral("−") : QStringLiteral("+");
    const QString over = std::abs(value) > kMost ? QStringLiteral(">") : QString();
    return over + sign + QString::number(std::min(std::abs(value), kMost), 'f', 0) + u' ' + unit;
}

QString deltaText(const Measured &before, const Measured &now, ComparisonRow::Trend trend, bool isRatio)
{
    if (trend == ComparisonRow::Trend::Unknown)
        return QStringLiteral("–");
    if (trend == ComparisonRow::Trend::Same)
        return QStringLiteral("≈");
    if (isRatio)
        return signedText((now.most - before.most) * 100, QStringLiteral("pt"));
    // A percentage of 0 is undefined.
    return before.most > 0 ? signedText((now.most - before.most) / before.most * 100, QStringLiteral("%"))
                           : baselineText("new");
}

/// Definition of one row of the table.
struct Line {
    const char *name;
    Wanted wanted;
    bool isRatio; ///< Differences are given in percentage points.
    Measured (*get)(const Baseline &);
    QString (*text)(double);
};

Measured overlapOf(const Baseline &baseline)
{
    const auto bounds = baseline.figures.pooled.overlapBounds();
    return bounds ? Measured{bounds->atLeast, bounds->atMost,
                             std::isfinite(baseline.noise.overlap) ? baseline.noise.overlap : RunNoise::kUnknown, true}
                  : Measured();
}

/// Share of dropped frames. The noise is half its 95 % confidence interval.
Measured droppedOf(const Baseline &baseline)
{
    const auto all = static_cast<double>(baseline.counts.frames + baseline.counts.dropped());
    if (all <= 0)
        return {};
    const double share = static_cast<double>(baseline.counts.dropped()) / all;
    return measured(share, 1.96 * std::sqrt(share * (1 - share) / all), true);
}

constexpr std::array kLines = {
    Line{QT_TRANSLATE_NOOP("jetscope::Baseline", "frames/s"), Wanted::More, false,
         [](const Baseline &b) { return measured(b.figures.fps, b.noise.fps, b.figures.fps > 0); }, rateText},
    Line{QT_TRANSLATE_NOOP("jetscope::Baseline", "frame p50"), Wanted::Less, false,
         [](const Baseline &b) { return measured(b.figures.frameMs.p50, b.noise.frameMs, b.figures.frameMs.p50 > 0); },
         millisText},
    Line{QT_TRANSLATE_NOOP("jetscope::Baseline", "latency p99"), Wanted::Less, false,
         [](const Baseline &b) {
             return measured(b.figures.latencyMs.p99, b.noise.latencyMs, b.figures.latencyMs.p99 > 0);
         },
         millisText},
    Line{QT_TRANSLATE_NOOP("jetscope::Baseline", "CPU blocked"), Wanted::Less, false,
         [](const Baseline &b) { return measured(b.figures.blockedMs, b.noise.blockedMs, b.figures.frames > 0); },
         millisText},
    Line{QT_TRANSLATE_NOOP("jetscope::Baseline", "GPU busy"), Wanted::Less, false,
         [](const Baseline &b) {
             return Measured{b.figures.gpuBusyAtLeastMs, b.figures.gpuBusyMs, b.noise.gpuBusyMs, b.figures.frames > 0};
         },
         millisText},
    Line{QT_TRANSLATE_NOOP("jetscope::Baseline", "overlap"), Wanted::More, true, overlapOf, percentText},
    Line{QT_TRANSLATE_NOOP("jetscope::Baseline", "copied"), Wanted::Less, false,
         [](const Baseline &b) {
             return measured(b.figures.bytesCopiedPerFrame, b.noise.bytesCopiedPerFrame, b.figures.frames > 0);
         },
         bytesText},
    Line{QT_TRANSLATE_NOOP("jetscope::Baseline", "dropped"), Wanted::Less, true, droppedOf, percentText},
};

QString valueText(const Measured &value, QString (*text)(double))
{
    if (!value.known)
        return QStringLiteral("–");
    const QString most = text(value.most);
    return text(value.least) == most ? most : QStringLiteral("≤ ") + most;
}

} // namespace

std::vector<ComparisonRow> compareWithBaseline(const Baseline &before, const Baseline &now)
{
    const bool compared = whyNotCompared(before, now).isEmpty();
    std::vector<ComparisonRow> rows;
    for (const Line &line : kLines) {
        const Measured a = line.get(before);
        const Measured b = line.get(now);
        const ComparisonRow::Trend trend = compared ? trendOf(a, b, line.wanted) : ComparisonRow::Trend::Unknown;
        rows.push_back({baselineText(line.name), valueText(a, line.text), valueText(b, line.text),
                        deltaText(a, b, trend, line.isRatio) + trendSign(trend), trend});
    }
    return rows;
}

QString whyNotCompared(const Baseline &before, const Baseline &now)
{
    if (before.deviceId != now.deviceId)
        return baselineText("A was measured on another device (%1): not compared.").arg(toQString(before.deviceId));
    if (before.width != now.width || before.height != now.height)
        return baselineText("A was measured at another size (%1×%2): not compared.")
            .arg(before.width)
            .arg(before.height);
    if (before.source != now.source)
        return baselineText("A was measured with another source: not compared.");
    if (before.config.filters != now.config.filters)
        return baselineText("A was measured with other filters (%1): not compared.")
            .arg(toQString(filterNames(before.config.filters)));
    return {};
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
