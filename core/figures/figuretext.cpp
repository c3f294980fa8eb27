// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figuretable.h"

#include "core/figures/statistics.h"
#include "core/text/numbertext.h"

#include <array>
#include <cmath>

namespace jetscope {

namespace {

using NumberText = std::string (*)(double value, int decimals);

constexpr std::array kByteUnits = {" B", " kB", " MB", " GB"};

std::string bytesInFull(double bytes, NumberText number)
{
    return std::abs(bytes) < 1e6 ? number(bytes / 1e3, 1) + " kB" : number(bytes / 1e6, 2) + " MB";
}

std::string inFull(FigureUnit unit, double value, NumberText number)
{
    switch (unit) {
    case FigureUnit::Share:
        return number(value * 100, 1) + " %";
    case FigureUnit::Bytes:
        return bytesInFull(value, number);
    case FigureUnit::PerSecond:
        return number(value, 1) + " frames/s";
    case FigureUnit::Plain:
        return number(value, 2);
    case FigureUnit::Milliseconds:
    case FigureUnit::Cores:
    case FigureUnit::Millijoules:
        break;
    }
    return number(value, std::abs(value) < 10 ? 3 : 2) + " " + std::string(unitName(unit));
}

std::string fewDigits(double value)
{
    const double size = std::abs(value);
    return fixedText(value, size >= 100 ? 0 : size >= 0.095 ? 1 : 2);
}

std::string withFewDigits(FigureUnit unit, double value)
{
    constexpr double kMsPerSecond = 1000;
    std::size_t prefix = 0;
    switch (unit) {
    case FigureUnit::Share:
        return fixedText(value * 100, 0) + " %";
    case FigureUnit::Bytes:
        if (value < 0.5)
            return "0";
        for (; value >= 1000 && prefix + 1 < kByteUnits.size(); ++prefix)
            value /= 1000;
        return fixedText(value, prefix == 0 || value >= 100 ? 0 : 1) + kByteUnits[prefix];
    case FigureUnit::PerSecond: // Its label says what it is.
        return fixedText(value, value >= 1000 ? 0 : 1);
    case FigureUnit::Milliseconds:
        if (value >= 10 * kMsPerSecond)
            return fixedText(value / kMsPerSecond, 1) + " s";
        return value == 0 ? "0 ms" : fewDigits(value) + " ms";
    case FigureUnit::Plain:
        return fixedText(value, 2);
    case FigureUnit::Cores:
    case FigureUnit::Millijoules:
        break;
    }
    return fewDigits(value) + " " + std::string(unitName(unit));
}

/// "1.20 to 1.90 ms a frame"; the reason if there is no value.
std::string textOfReading(const RunFigures &run, const FigureRow &row, const FigureReading &reading)
{
    if (!reading.value && !reading.reason.empty())
        return (row.figure == Figure::Overlap && run.gpuIsKnown ? "none: " : "not known: ") + reading.reason;
    std::string text = figureText(row.unit, reading.value ? reading.value : reading.most);
    std::string least = figureText(row.unit, reading.least);
    if (reading.least && least != text) {
        const std::size_t unit = least.rfind(' ');
        if (unit != std::string::npos && text.ends_with(least.substr(unit)))
            least.resize(unit); // "1.20 to 1.90 ms"
        text = least + " to " + text;
    }
    if (row.unit == FigureUnit::Plain) // A number that says nothing by itself.
        return text + " (" + std::string(row.meaning) + ")";
    if (row.sum == FigureSum::Mean)
        text += " a frame";
    return text + (reading.note.empty() ? "" : "; " + reading.note);
}

} // namespace

std::string figurePhrase(Figure figure)
{
    if (figure == Figure::FrameP50 || figure == Figure::FrameP99)
        return figure == Figure::FrameP50 ? "frame time" : "99th percentile of the frame time";
    if (figure == Figure::Headroom)
        return "share that could be saved";
    std::string words(rowOf(figure).label);
    const auto isCapital = [&](std::size_t i) { return words[i] >= 'A' && words[i] <= 'Z'; };
    if (isCapital(0) && !isCapital(1)) // "CPU use" stays.
        words[0] = static_cast<char>(words[0] - 'A' + 'a');
    return words;
}

std::string_view unitName(FigureUnit unit)
{
    static constexpr auto kNames = std::to_array<std::string_view>({"ms", "", "bytes", "frames/s", "", "cores", "mJ"});
    static_assert(kNames.size() == enumCount<FigureUnit>());
    return kNames[static_cast<std::size_t>(unit)];
}

std::string figureText(FigureUnit unit, std::optional<double> value, Digits digits)
{
    if (!value || !std::isfinite(*value))
        return "–";
    return digits == Digits::Few ? withFewDigits(unit, *value) : inFull(unit, *value, fixedText);
}

std::string figureText(Figure figure, std::optional<double> value, Digits digits)
{
    return figureText(rowOf(figure).unit, value, digits);
}

std::string changeText(FigureUnit unit, double change)
{
    if (!std::isfinite(change))
        return "–";
    return unit == FigureUnit::Share ? signedText(change * 100, 1) + " points" : inFull(unit, change, signedText);
}

std::vector<PercentilesLine> percentilesLines(const RunFigures &run)
{
    std::vector<PercentilesLine> lines;
    for (const FigureRow &row : figureTable()) {
        if (!row.percentiles || run.frames == 0)
            continue;
        const Percentiles &of = run.*row.percentiles;
        if (of.p99 <= 0) // No frame has it.
            continue;
        const std::string_view label = row.label.substr(0, row.label.find(',')); // "Frame time, median".
        lines.push_back({std::string(label),
                         {figureText(row.unit, of.p50), figureText(row.unit, of.p95), figureText(row.unit, of.p99)}});
    }
    return lines;
}

std::vector<std::pair<std::string, std::string>> figureLines(const RunFigures &run)
{
    std::vector<std::pair<std::string, std::string>> lines;
    for (const FigureRow &row : figureTable()) {
        const FigureReading reading = readingOf(run, row.figure);
        const bool isUnknown = !reading.value && !reading.most && reading.reason.empty();
        if (row.key.empty() || row.percentiles || isUnknown || run.frames == 0)
            continue;
        lines.emplace_back(row.label, textOfReading(run, row, reading));
    }
    return lines;
}

} // namespace jetscope
