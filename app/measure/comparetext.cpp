// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/comparefiles.h"

#include "app/commandline/textlayout.h"
#include "core/tracefile/tracefileschema.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kCompareTextWidth = 100;
constexpr std::size_t kCompareLabelWidth = 10;
constexpr std::size_t kMaxNameWidth = 40;
constexpr std::size_t kValueWidth = 12;
constexpr std::size_t kDifferenceWidth = 24;
constexpr std::size_t kIntervalWidth = 22;
constexpr std::size_t kVerdictWidth = 16;
constexpr std::size_t kMaxRowsShown = 12;

/// A row as it is printed.
struct TextRow {
    std::string name;
    std::string a;
    std::string b;
    std::string difference;
    std::string interval;
    std::string remark; ///< The verdict, and what else is to be said.
};

std::string compareParagraph(std::string_view label, std::string_view text)
{
    return hangingParagraph(label, text, kCompareLabelWidth, kCompareTextWidth);
}

/// At most so many columns, cut between characters.
std::string shortened(const std::string &text)
{
    if (textWidth(text) <= kMaxNameWidth)
        return text;
    std::size_t bytes = 0;
    for (std::size_t columns = 0; bytes < text.size(); ++bytes)
        if ((static_cast<unsigned char>(text[bytes]) & 0xc0U) != 0x80U && ++columns == kMaxNameWidth)
            break;
    return text.substr(0, bytes) + "…";
}

TextRow textRow(const std::string &name, const ComparedFigure &figure, FigureUnit unit)
{
    return {shortened(name),
            figureText(unit, figure.a),
            figureText(unit, figure.b),
            differenceText(figure, unit),
            intervalText(figure, unit),
            std::string(verdictName(figure.verdict))};
}

std::string tableText(const std::string &title, const std::vector<TextRow> &rows)
{
    std::size_t width = textWidth(title);
    for (const TextRow &row : rows)
        width = std::max(width, textWidth(row.name));
    const auto line = [&](const TextRow &row) {
        return padded(row.name, width + 1) + rightAligned(row.a, kValueWidth) + " " + rightAligned(row.b, kValueWidth)
            + " " + rightAligned(row.difference, kDifferenceWidth) + " " + rightAligned(row.interval, kIntervalWidth)
            + "  " + row.remark + "\n";
    };
    std::string text = line({title, "A", "B", "difference (of A)", "interval", "B is"});
    for (const TextRow &row : rows)
        text += line(row);
    return text;
}

/// The rows of a long table that are shown: the first ones, and all that differ.
template <class Row, class FigureOf, class Print>
std::string longTable(const std::string &title, const std::vector<Row> &rows, FigureOf figureOf, Print print)
{
    std::vector<TextRow> shown;
    for (const Row &row : rows)
        if (shown.size() < kMaxRowsShown || figureOf(row).differs())
            shown.push_back(print(row));
    if (shown.empty())
        return {};
    std::string text = "\n" + tableText(title, shown);
    if (shown.size() < rows.size())
        text += counted(rows.size() - shown.size(), "more row") + " that changed less: --json prints all\n";
    return text;
}

std::string sideText(const std::vector<CaptureFigures> &side)
{
    std::string files;
    std::uint64_t frames = 0;
    for (const CaptureFigures &capture : side) {
        files += (files.empty() ? "" : ", ") + capture.file;
        frames += capture.frames;
    }
    const CaptureFigures &first = side.front();
    std::string text = files + (frames > 0 ? " · " + counted(frames, "frame") : std::string());
    for (const std::string &part : {first.origin.device, first.origin.source, first.frameSize})
        text += part.empty() ? "" : " · " + part;
    return text;
}

std::string whereNoiseIs(const CaptureComparison &comparison)
{
    if (comparison.betweenRuns)
        return "from run to run, and within the captures";
    return "within one capture a side; it does not contain the noise from run to run: give several captures a side "
           "with --a and --b to know it";
}

std::string frameRows(const CaptureComparison &comparison)
{
    std::vector<TextRow> rows;
    for (const ComparedMetric &metric : comparison.metrics)
        if (metric.figure.a || metric.figure.b)
            rows.push_back(textRow(std::string(rowOf(metric.metric).label), metric.figure, rowOf(metric.metric).unit));
    return rows.empty() ? std::string() : "\n" + tableText("Frames", rows);
}

TextRow spanTextRow(const ComparedSpans &row)
{
    TextRow text = textRow(row.kind.name, row.totalMs, FigureUnit::Milliseconds);
    text.remark = padded(text.remark, kVerdictWidth) + std::string(laneRoleName(row.kind.role)) + ", "
        + std::string(categoryName(row.kind.category)) + "; each "
        + figureText(FigureUnit::Milliseconds, row.medianMs.a) + " → "
        + figureText(FigureUnit::Milliseconds, row.medianMs.b);
    return text;
}

} // namespace

std::string compareText(const ComparedCaptures &captures, const CaptureComparison &comparison)
{
    std::string text = compareParagraph("Result", comparisonWords(comparison)) + "\n";
    text += compareParagraph("A", sideText(captures.a));
    text += compareParagraph("B", sideText(captures.b));
    if (!comparison.settings.empty())
        text += compareParagraph("Settings", comparison.settings);
    text += compareParagraph("Noise", whereNoiseIs(comparison));
    for (const std::string &note : captures.notes)
        text += compareParagraph("Note", note);
    text += frameRows(comparison);
    for (const std::vector<CaptureFigures> &side : {captures.a, captures.b})
        if (const std::string &reason = side.front().energyReason; !reason.empty()) {
            text += compareParagraph("Energy", "not compared: in " + side.front().file + " " + reason);
            break;
        }
    text += longTable(
        "Critical path, a frame", comparison.path, [](const ComparedPiece &piece) { return piece.ms; },
        [](const ComparedPiece &piece) {
            TextRow row = textRow(piece.kind.what, piece.ms, FigureUnit::Milliseconds);
            row.remark = padded(row.remark, kVerdictWidth) + std::string(laneRoleName(piece.kind.role));
            return row;
        });
    text += longTable(
        comparison.perFrame ? "Spans, a frame" : "Spans, a second", comparison.spans,
        [](const ComparedSpans &row) { return row.totalMs; }, spanTextRow);
    if (comparison.spansLeftOut > 0)
        text += counted(comparison.spansLeftOut, "name") + " of little time left out\n";
    return text;
}

std::string compareText(const Options &options, const SweepComparison &comparison)
{
    std::string text = compareParagraph("Result", comparisonWords(comparison)) + "\n";
    text += compareParagraph("A", options.compare.a[0]);
    text += compareParagraph("B", options.compare.b[0]);
    text += compareParagraph("Noise",
                             "from round to round of each sweep; it does not contain what differs from sweep to sweep");
    const FigureRow &metric = rowOf(comparison.metric);
    std::vector<TextRow> rows;
    for (const ComparedCell &cell : comparison.cells) {
        rows.push_back(textRow(cell.words, cell.figure, metric.unit));
        if (!cell.failure.empty())
            rows.back().remark = cell.failure;
        else if (cell.figure.verdict == RowVerdict::TooFewFrames)
            rows.back().remark = "too few rounds";
    }
    if (!rows.empty())
        text += "\n" + tableText(std::string(metric.label), rows);
    for (const auto &[label, cells] : {std::pair{"Only in A", &comparison.onlyA}, {"Only in B", &comparison.onlyB}})
        for (const std::string &cell : *cells)
            text += compareParagraph(label, cell);
    return text;
}

} // namespace jetscope
