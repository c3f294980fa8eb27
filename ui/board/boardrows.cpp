// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardrows.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/counterline.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace jetscope {

namespace {

using Role = BoardCurve::Role;

constexpr std::size_t kMostCurves = 6; ///< Of a chart; the others are named in its note.
constexpr double kMostGrowth = 3;      ///< How much higher than needed a chart becomes where there is room.

QString rowsText(const char *text)
{
    return QCoreApplication::translate("jetscope::BoardRows", text);
}

int leastHeight(const BoardRow &row)
{
    switch (row.group) {
    case BoardGroup::Cpu:
        return std::clamp(static_cast<int>(row.cores.size()) * fontScaled(9) + 16, fontScaled(60), fontScaled(132));
    case BoardGroup::Temperature:
    case BoardGroup::Power:
        return fontScaled(100);
    case BoardGroup::Gpu:
        return fontScaled(84);
    default:
        return fontScaled(58);
    }
}

QColor colorAt(BoardGroup group, Role role, std::size_t index)
{
    const Theme &t = theme();
    const auto rotating = std::to_array<QColor>(
        {t.text, t.gpuOnly, t.cpuOnly, t.muted, barColors(Category::Copy, t).fill, barColors(Category::Draw, t).fill});
    const auto rails = std::to_array<QColor>(
        {t.gpuOnly, t.cpuOnly, t.wait, barColors(Category::Copy, t).fill, barColors(Category::Draw, t).fill, t.both});
    switch (group) {
    case BoardGroup::Cpu:
        return index == 0 ? t.cpuOnly : index == 1 ? t.both : t.muted;
    case BoardGroup::Gpu:
        return role == Role::Load ? t.gpuOnly : role == Role::Clock && index < 2 ? t.both : t.muted;
    case BoardGroup::MemoryBus:
        return role == Role::Load ? barColors(Category::Draw, t).fill : t.muted;
    case BoardGroup::Memory:
        return index == 0 ? t.cpuOnly : index == 1 ? t.muted : barColors(Category::Copy, t).fill;
    case BoardGroup::Power:
        return role == Role::Total ? t.text : rails[index % rails.size()];
    default:
        return rotating[index % rotating.size()];
    }
}

constexpr double kChartDigits[] = {1, 1.5, 2, 3, 4, 5, 6, 8};

void setAxes(BoardRow &row, const BoardSeries &series)
{
    double low = 0;
    double high = 0;
    bool isFirst = true;
    for (const ShownCurve &shown : row.curves) {
        const CounterTrack &track = series.tracks()[shown.curve.counter];
        const auto extremes = track.extremes();
        if (!extremes || !shown.isDrawn)
            continue;
        const double factor = boardFactor(track.info().unit);
        if (shown.isRight()) {
            row.rightTop = std::max(row.rightTop, roundAbove(extremes->second * factor, kChartDigits));
            row.rightUnit = boardUnit(track.info().unit);
            continue;
        }
        low = isFirst ? extremes->first * factor : std::min(low, extremes->first * factor);
        high = isFirst ? extremes->second * factor : std::max(high, extremes->second * factor);
        isFirst = false;
    }
    const bool isPercent = row.group == BoardGroup::Gpu || row.group == BoardGroup::Cpu;
    row.axisTop = isPercent ? 100 : roundAbove(high, kChartDigits);
    row.axisBottom = low < 0 ? -roundAbove(-low, kChartDigits) : 0;
    if (row.group == BoardGroup::Temperature && !isFirst) {
        row.axisBottom = std::floor((low - 1) / 10) * 10;
        row.axisTop = std::ceil((high + 1) / 10) * 10;
    }
    const bool onlyRight = isFirst && row.rightTop > 0; // Engines have clocks only.
    if (onlyRight)
        row.axisTop = row.rightTop;
}

/// What happens first among the curves of the row; the axis reaches up to it.
void setLimits(BoardRow &row, const BoardSeries &series)
{
    for (const BoardLimit &limit : series.limits()) {
        const bool isShown = std::any_of(row.curves.begin(), row.curves.end(), [&](const ShownCurve &shown) {
            return series.tracks()[shown.curve.counter].info().name == limit.counter;
        });
        if (!isShown)
            continue;
        const QString text = QStringLiteral("%1 %2").arg(QString::number(limit.value, 'g', 4), toQString(limit.what));
        const auto known = std::find_if(row.limits.begin(), row.limits.end(), [&](const BoardRow::Limit &other) {
            return other.text.endsWith(toQString(limit.what));
        });
        if (known == row.limits.end())
            row.limits.push_back({limit.value, text, limit.isEnd});
        else if (limit.value < known->value)
            *known = {limit.value, text, known->isEnd};
    }
    for (const BoardRow::Limit &limit : row.limits)
        row.axisTop = std::max(row.axisTop, std::ceil((limit.value + 2) / 10) * 10);
}

void setWords(BoardRow &row, const BoardSeries &series, const QStringList &leftOut)
{
    QStringList notes;
    switch (row.group) {
    case BoardGroup::Cpu:
        row.about = row.cores.empty() ? rowsText("load") : rowsText("load of each core");
        break;
    case BoardGroup::Gpu:
        row.about = row.rightTop > 0 ? rowsText("load and clock") : rowsText("load");
        break;
    case BoardGroup::MemoryBus:
        row.about = rowsText("load of the controller");
        break;
    case BoardGroup::Memory:
        row.about = rowsText("used");
        break;
    case BoardGroup::Temperature:
        row.about = row.limits.empty() ? rowsText("no limits known") : rowsText("limits: the kernel's");
        break;
    case BoardGroup::Power:
        row.about = series.rails().summed.size() > 1 ? rowsText("rails, stacked") : rowsText("of the input, and parts");
        notes += toQString(series.rails().meaning);
        break;
    case BoardGroup::Engines:
        row.about = rowsText("clocks");
        break;
    case BoardGroup::Fan:
        break;
    }
    if (!leftOut.isEmpty())
        notes += rowsText("not shown: %1").arg(leftOut.join(QStringLiteral(", ")));
    row.note = notes.join(QStringLiteral("; "));
}

BoardRow rowOf(const BoardChart &chart, const BoardSeries &series)
{
    BoardRow row;
    row.group = chart.group;
    QStringList leftOut;
    std::size_t colored = 0;
    for (const BoardCurve &curve : chart.curves) {
        const CounterTrack &track = series.tracks()[curve.counter];
        if (curve.role == Role::CoreLoad) {
            row.cores.push_back(curve);
            continue;
        }
        if (!track.extremes())
            continue;
        if (row.curves.size() >= kMostCurves || isConstantZone(curve.label)) {
            leftOut += toQString(curve.label);
            continue;
        }
        const QString unit = boardUnit(track.info().unit);
        const bool isStacked = curve.role == Role::Rail || curve.role == Role::Inner;
        const QColor color = colorAt(chart.group, curve.role, isStacked ? colored : row.curves.size());
        colored += isStacked ? 1 : 0;
        row.curves.push_back(
            {curve, toQString(curve.label) + (unit.isEmpty() ? QString() : QStringLiteral(", ") + unit), color, true});
    }
    for (ShownCurve &shown : row.curves)
        shown.isDrawn = row.cores.empty(); // Else the strips take the place.
    setAxes(row, series);
    setLimits(row, series);
    setWords(row, series, leftOut);
    return row;
}

} // namespace

QString groupTitle(BoardGroup group)
{
    return QCoreApplication::translate("jetscope::BoardGroups", groupName(group).data());
}

QString boardUnit(const std::string &unit)
{
    return unit == "Hz" ? QStringLiteral("MHz") : unit == "B" ? QStringLiteral("GB") : toQString(unit);
}

double boardFactor(const std::string &unit)
{
    return unit == "Hz" ? 1e-6 : unit == "B" ? 1e-9 : 1;
}

QString boardValue(double value, const QString &unit)
{
    if (!std::isfinite(value))
        return QStringLiteral("–");
    const bool isWhole = unit == QLatin1String("MHz") || unit == QLatin1String("%") || unit == QLatin1String("rpm");
    return QLocale::c().toString(value, 'f',
                                 isWhole                                                      ? 0
                                     : unit == QLatin1String("GB") || std::abs(value) < 9.995 ? 2
                                                                                              : 1);
}

void BoardRows::build(const BoardSeries &series, const std::set<BoardGroup> &closed, int room, int lineHeight,
                      bool named)
{
    m_rows.clear();
    int open = 0;
    m_height = 0;
    for (const BoardChart &chart : series.charts()) {
        BoardRow row = rowOf(chart, series);
        if (row.curves.empty() && row.cores.empty())
            continue;
        row.isOpen = closed.count(chart.group) == 0;
        const int rows = static_cast<int>(row.curves.size()) + (named ? 2 : row.note.isEmpty() ? 0 : 1);
        row.height = row.isOpen ? std::max(leastHeight(row), rows * lineHeight + 12) : lineHeight + 8;
        m_height += row.height;
        open += row.isOpen ? row.height : 0;
        m_rows.push_back(std::move(row));
    }
    const double growth =
        open > 0 && room > m_height ? std::min(kMostGrowth, static_cast<double>(open + room - m_height) / open) : 1;
    m_height = 0;
    for (BoardRow &row : m_rows) {
        row.top = m_height;
        row.height = row.isOpen ? static_cast<int>(row.height * growth) : row.height;
        m_height += row.height;
    }
}

QString BoardRows::words() const
{
    QString words;
    for (const BoardRow &row : m_rows) {
        words +=
            QStringLiteral("%1 %2 %3 %4 %5\n").arg(row.top).arg(row.height).arg(row.isOpen).arg(row.about, row.note);
        for (const ShownCurve &shown : row.curves)
            words += QStringLiteral("%1 %2 %3\n").arg(shown.curve.counter).arg(shown.name, shown.color.name());
    }
    return words;
}

const BoardRow *BoardRows::rowAt(int y) const
{
    for (const BoardRow &row : m_rows)
        if (y >= row.top && y < row.top + row.height)
            return &row;
    return nullptr;
}

BoardPart partOf(BoardGroup group)
{
    switch (group) {
    case BoardGroup::Cpu:
        return BoardPart::Cpu;
    case BoardGroup::Gpu:
        return BoardPart::Gpu;
    case BoardGroup::MemoryBus:
    case BoardGroup::Memory:
        return BoardPart::Memory;
    case BoardGroup::Temperature:
        return BoardPart::Temperature;
    case BoardGroup::Power:
        return BoardPart::Power;
    case BoardGroup::Engines:
        return BoardPart::Engines;
    case BoardGroup::Fan:
        return BoardPart::Fan;
    }
    return BoardPart::Board;
}

} // namespace jetscope
