// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/capturereport.h"
#include "core/measure/report/htmlparts.h"
#include "core/measure/report/losssection.h"
#include "core/measure/report/reportpictures.h"
#include "core/measure/report/reporttext.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxHazardRows = 100;
constexpr std::size_t kMaxShares = 12;

/// A class of the style sheet with the colour that the window has for the cause.
std::string_view causeClass(PathCause cause)
{
    switch (cause) {
    case PathCause::Kernel:
        return "k-kernel";
    case PathCause::Copy:
    case PathCause::Upload:
        return "k-copy";
    case PathCause::Draw:
        return "k-draw";
    case PathCause::CpuStage:
    case PathCause::Submit:
    case PathCause::Present:
        return "k-cpu";
    case PathCause::Capture:
        return "k-capture";
    case PathCause::Unknown:
        return "k-unknown";
    default:
        return "k-wait";
    }
}

std::string pathBarSvg(const PathSummary &paths)
{
    std::string svg = "<svg viewBox=\"0 0 1000 34\" role=\"img\" preserveAspectRatio=\"none\"><title>Shares of the "
                      "critical path; the table below has them as numbers</title>";
    double x = 0;
    for (const PathShare &share : paths.shares) {
        const double width = share.share * 1000;
        svg += "<rect class=\"" + std::string(causeClass(share.cause)) + "\" x=\"" + fixedText(x, 1)
            + "\" y=\"0\" width=\"" + fixedText(std::max(width - 1, 0.3), 1) + "\" height=\"34\"><title>"
            + htmlText(share.what) + ", " + fixedText(share.share * 100, 1) + " %</title></rect>";
        x += width;
    }
    return svg + "</svg>\n";
}

std::string pathTableHtml(const PathSummary &paths)
{
    std::string html;
    double rest = 0;
    for (std::size_t i = 0; i < paths.shares.size(); ++i) {
        const PathShare &share = paths.shares[i];
        if (i >= kMaxShares) {
            rest += share.share;
            continue;
        }
        const std::string what = share.cause == PathCause::Unknown ? "unexplained" : share.what;
        html += "<tr><th scope=\"row\"><span class=\"key\"><i class=\"" + std::string(causeClass(share.cause))
            + "\"></i>" + htmlText(what) + "</span></th><td>" + htmlText(share.lane) + "</td><td class=\"n\">"
            + fixedText(share.share * 100, 1) + " %</td><td class=\"n\">" + msText(share.ms) + "</td></tr>\n";
    }
    if (rest > 0)
        html += "<tr><th scope=\"row\">others</th><td></td><td class=\"n\">" + fixedText(rest * 100, 1)
            + " %</td><td class=\"n\">" + msText(rest * paths.periodMs) + "</td></tr>\n";
    return tableHtml("Critical path", {{"Piece"}, {"Lane"}, {"Share of the period", true}, {"A frame", true}}, html);
}

std::string pathHtml(const CaptureReport &report)
{
    if (report.paths.empty())
        return paragraphHtml("The critical path is unknown: the capture has no frame with a known end.");
    return paragraphHtml("Where the period goes, over " + counted(report.paths.frames, "frame") + " of "
                         + msText(report.paths.periodMs) + " on average.")
        + pathBarSvg(report.paths) + pathTableHtml(report.paths);
}

std::string figuresHtml(const CaptureReport &report)
{
    const RunFigures &figures = report.figures;
    if (figures.frames == 0)
        return paragraphHtml("The capture has no complete frame, so there are no figures.");
    std::string html;
    for (const PercentilesLine &line : percentilesLines(figures)) {
        html += "<tr><th scope=\"row\">" + line.label + "</th>";
        for (const std::string &text : line.texts)
            html += "<td class=\"n\">" + text + "</td>";
        html += "</tr>\n";
    }
    return tableHtml("Frame times", {{"Time"}, {"p50", true}, {"p95", true}, {"p99", true}}, html)
        + factsHtml(figureLines(figures));
}

std::string framesHtml(const CaptureReport &report)
{
    std::string html;
    if (const std::string svg = histogramSvg(report.frameMs, "Frame times"); !svg.empty()) {
        const std::string modes = modalityWords(report.frameMs.modality);
        html += "<div class=\"grid\">\n"
            + figureHtml(svg,
                         counted(report.frameMs.count, "frame") + ", " + msText(report.frameMs.least) + " to "
                             + msText(report.frameMs.most) + ". " + htmlText(modes.empty() ? "One mode" : modes) + ".")
            + "</div>\n";
    }
    if (report.longest.empty())
        return html + paragraphHtml("The capture has no frames.");
    html += elementHtml("h3", "Longest frames") + "\n";
    std::string rows;
    for (const LongFrame &frame : report.longest) {
        const FrameFigures figures = report.trace.frames().at(frame.index);
        rows += "<tr><th scope=\"row\">" + std::to_string(report.trace.frameNumber(figures.frame)) + "</th>";
        for (const Figure figure : {Figure::Period, Figure::FrameP50, Figure::Latency, Figure::Blocked})
            rows += "<td class=\"n\">" + figureText(figure, rowOf(figure).ofFrame(figures)) + "</td>";
        rows += "<td>" + htmlText(frame.mostly) + "</td></tr>\n";
    }
    return html
        + tableHtml(
               "Longest frames",
               {{"Frame"}, {"Period", true}, {"Frame time", true}, {"Latency", true}, {"Blocked", true}, {"Mostly"}},
               rows);
}

std::string timelineHtml(const CaptureReport &report)
{
    const std::optional<TimelinePicture> picture = timelineSvg(report.trace, "Timeline");
    if (!picture)
        return paragraphHtml("The capture has no spans.");
    return "<div class=\"wide\">"
        + figureHtml(scrollingHtml("Timeline", picture->svg),
                     htmlText(picture->words) + legendHtml(picture->categories))
        + "</div>\n";
}

std::string hazardsHtml(const CaptureReport &report)
{
    if (report.hazards.empty())
        return paragraphHtml("No access broke a rule for memory that CPU and GPU share.");
    std::string rows;
    for (std::size_t i = 0; i < std::min(report.hazards.size(), kMaxHazardRows); ++i) {
        const ReportedHazard &hazard = report.hazards[i];
        const TraceMark &mark = *hazard.like;
        rows += "<tr><th scope=\"row\">" + htmlText(mark.rule) + "</th><td>" + htmlText(hazard.level)
            + "</td><td class=\"n\">" + std::to_string(hazard.count) + "</td><td>" + htmlText(mark.text);
        for (const auto &[label, access] :
             {std::pair("First access: ", &mark.first), std::pair("Second: ", &mark.second)})
            if (*access)
                rows += "<small>" + std::string(label) + htmlText(accessText(**access)) + "</small>";
        rows += "</td><td>" + htmlText(mark.memory) + "</td><td>" + htmlText(mark.fix) + "</td></tr>\n";
    }
    std::string html =
        tableHtml("Hazards", {{"Rule"}, {"Level"}, {"Times", true}, {"What"}, {"Memory"}, {"Fix"}}, rows);
    if (report.hazards.size() > kMaxHazardRows)
        html += paragraphHtml(counted(report.hazards.size() - kMaxHazardRows, "further hazard") + " not listed.");
    return html;
}

} // namespace

std::string captureHtml(const CaptureReport &report)
{
    const TraceOrigin &origin = report.trace.origin();
    std::string subtitle = origin.source;
    if (const std::string date = report.date(); !date.empty())
        subtitle += (subtitle.empty() ? "" : " · ") + date;
    std::string html =
        pageBegin(origin.device.empty() ? std::string("Capture") : "Run on " + cleanText(origin.device), subtitle);
    std::string result = paragraphHtml(report.verdict.sentence, "verdict");
    for (const std::string &note : report.notes)
        result += paragraphHtml(note, "muted");
    html += sectionHtml("Result", result + figuresHtml(report));
    html += sectionHtml("Critical path", pathHtml(report));
    html += sectionHtml("Timeline", timelineHtml(report));
    html += sectionHtml("Frames", framesHtml(report));
    html += sectionHtml("Missing frames", lossHtml(report.trace));
    html += sectionHtml("Hazards", hazardsHtml(report));
    html += sectionHtml("Device and settings", factsHtml(report.banner()) + factsHtml(bannerRows(report.device)));
    return html + pageEnd(origin.program);
}

std::string captureMarkdown(const CaptureReport &report)
{
    std::string text = "### Jetscope run\n\n";
    for (const auto &[label, value] : report.banner())
        if (!value.empty())
            text += "- " + label + ": " + markdownText(value) + "\n";
    text += "\n**" + markdownText(report.verdict.sentence) + "**\n\n";
    for (const std::string &note : report.notes)
        text += "- " + markdownText(note) + "\n";
    text += report.notes.empty() ? "" : "\n";
    if (report.figures.frames > 0) {
        text += "| | p50 | p95 | p99 |\n|---|---:|---:|---:|\n";
        for (const PercentilesLine &line : percentilesLines(report.figures))
            text += "| " + line.label + " | " + line.texts[0] + " | " + line.texts[1] + " | " + line.texts[2] + " |\n";
        text += "\n";
    }
    for (const auto &[label, value] : figureLines(report.figures))
        text += "- " + label + ": " + markdownText(value) + "\n";
    for (const ReportedHazard &hazard : report.hazards)
        text += "- Hazard " + markdownText(hazard.like->rule) + " (" + counted(hazard.count, "time")
            + "): " + markdownText(hazard.like->text) + "\n";
    text += lossMarkdown(report.trace);
    return text;
}

} // namespace jetscope
