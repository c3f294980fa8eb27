// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/htmlparts.h"
#include "core/measure/report/reportpictures.h"
#include "core/measure/report/reporttext.h"
#include "core/measure/report/sweepformats.h"
#include "core/measure/report/sweepreport.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxHazardCells = 50;

std::string markOf(const SweepRow &row)
{
    return row.isBest ? " ★ best" : row.isTie ? " ≈ tie" : "";
}

std::string verdictHtml(const SweepReport &report)
{
    std::string html;
    for (const SweepWorkload &workload : report.workloads) {
        if (!workload.title.empty())
            html += elementHtml("h3", workload.title) + "\n";
        html += paragraphHtml(workload.verdict(), "verdict");
        if (const std::string words = standardSentence(report, workload); !words.empty())
            html += paragraphHtml(words);
    }
    if (!report.isComplete())
        html += paragraphHtml("The sweep is unfinished; the figures are those of the rounds so far. Continue it with "
                              "jetscope sweep --out FILE --resume.",
                              "bad");
    return html;
}

std::string cellsHeadHtml(const SweepReport &report, const std::vector<Figure> &metrics)
{
    std::string html = "<thead><tr><th scope=\"col\">Combination</th>";
    for (const Figure metric : metrics)
        html += "<th scope=\"col\" class=\"n\">" + htmlText(rowOf(metric).label) + (metric == report.metric ? " ▾" : "")
            + "</th>";
    return html + "<th scope=\"col\" class=\"n\">Rounds</th></tr></thead>\n";
}

std::string metricCellHtml(const SweepReport &report, const SweepRow &row, Figure metric)
{
    const std::optional<Summary> summary =
        metric == report.metric ? row.metric : report.sweep.result.summary(row.cell, metric);
    if (!summary || !row.failure.empty())
        return "<td class=\"n\">–</td>";
    return "<td class=\"n\">" + figureText(metric, summary->central) + "<small>" + noiseText(metric, summary->noise)
        + "</small></td>";
}

std::string cellsTableHtml(const SweepReport &report, const SweepWorkload &workload)
{
    const std::vector<Figure> &metrics = report.metrics;
    std::string html = "<table class=\"cells\">\n"
        + elementHtml("caption", "Ranked by " + rankingWords(report.metric, report.sweep.conditions)) + "\n"
        + cellsHeadHtml(report, metrics) + "<tbody>\n";
    for (const SweepRow &row : workload.summary.rows) {
        html += std::string("<tr") + (row.isBest ? " class=\"best\"" : "") + "><th scope=\"row\">"
            + htmlText(rowWords(row) + markOf(row));
        if (!row.failure.empty())
            html += "<br/>" + elementHtml("small", "failed", "bad");
        html += "</th>";
        for (const Figure metric : metrics)
            html += metricCellHtml(report, row, metric);
        html += "<td class=\"n\">" + std::to_string(report.sweep.result.roundsOf(row.cell)) + "</td></tr>\n";
    }
    return scrollingHtml("All combinations", html + "</tbody></table>\n");
}

const SweepRow *rowOfCell(const SweepWorkload &workload, std::optional<std::size_t> cell)
{
    for (const SweepRow &row : workload.summary.rows)
        if (cell && row.cell == *cell)
            return &row;
    return nullptr;
}

/// Best (or first), default and worst cells of a workload, each once, with what they are.
std::vector<std::pair<std::string, const SweepRow *>> remarkableRows(const SweepWorkload &workload)
{
    std::vector<std::pair<std::string, const SweepRow *>> rows;
    const auto add = [&](const char *what, const SweepRow *row) {
        if (!row)
            return;
        for (auto &[words, known] : rows)
            if (known == row) {
                words += std::string(" and ") + what;
                return;
            }
        rows.emplace_back(what, row);
    };
    add(workload.leader() && workload.leader()->isBest ? "best" : "first", workload.leader());
    add("default", rowOfCell(workload, workload.standard));
    add("worst", rowOfCell(workload, workload.worst));
    return rows;
}

std::string distributionsHtml(const SweepReport &report, const SweepWorkload &workload)
{
    std::string html;
    for (const auto &[what, row] : remarkableRows(workload)) {
        const FrameDistribution distribution = report.sweep.result.distribution(row->cell);
        const std::string title = capitalized(what) + ": " + rowWords(*row);
        const std::string svg = histogramSvg(distribution, "Frame times, " + title);
        if (svg.empty())
            continue;
        std::string caption = elementHtml("strong", title) + "<br/>" + counted(distribution.count, "frame") + ", "
            + figureText(Figure::FrameP50, distribution.least) + " to "
            + figureText(Figure::FrameP50, distribution.most) + "; p95 "
            + figureText(Figure::FrameP50, distribution.percentiles.p95);
        const std::string modes = modalityWords(distribution.modality);
        caption += "<br/>" + htmlText(modes.empty() ? "One mode." : capitalized(modes) + ".");
        const std::size_t beyond = distribution.histogram.below + distribution.histogram.above;
        if (beyond > 0)
            caption +=
                "<br/>" + counted(beyond, "frame") + " beyond the ends of the axis are counted in the last bars.";
        html += figureHtml(svg, caption);
    }
    return html.empty() ? paragraphHtml("No frame times are known.") : "<div class=\"grid\">\n" + html + "</div>\n";
}

std::string timelinesHtml(const SweepReport &report, const SweepWorkload &workload)
{
    std::string html;
    for (const auto &[what, row] : remarkableRows(workload)) {
        const std::string title = capitalized(what) + ": " + rowWords(*row);
        if (const auto problem = report.sampleProblems.find(row->cell); problem != report.sampleProblems.end())
            html += paragraphHtml(title + ": no picture. " + problem->second);
        const auto sample = report.samples.find(row->cell);
        if (sample == report.samples.end())
            continue;
        const std::optional<TimelinePicture> picture = timelineSvg(sample->second, title);
        html += picture ? "<div class=\"wide\">"
                + figureHtml(scrollingHtml("Timeline, " + title, picture->svg),
                             elementHtml("strong", title) + "<br/>" + htmlText(picture->words)
                                 + legendHtml(picture->categories))
                + "</div>\n"
                        : paragraphHtml(title + ": the sample trace has no spans.");
    }
    return html.empty() ? paragraphHtml("No sample traces were kept.") : html;
}

/// Calls `html` for each workload that has pictures, with headings if there are several.
template <class Html>
std::string eachWorkload(const SweepReport &report, std::size_t most, Html html)
{
    std::string all;
    for (std::size_t i = 0; i < std::min(report.workloads.size(), most); ++i) {
        const SweepWorkload &workload = report.workloads[i];
        all += workload.title.empty() ? html(workload) : subsectionHtml(workload.title, html(workload));
    }
    if (report.workloads.size() > most)
        all += paragraphHtml("Pictures are of the first " + std::to_string(most)
                             + " sizes and filter chains only; the tables have all of them.");
    return all;
}

std::string hazardsHtml(const SweepReport &report)
{
    std::string rows;
    std::size_t cells = 0;
    const SweepRow *first = nullptr;
    for (const SweepWorkload &workload : report.workloads)
        for (const SweepRow &row : workload.summary.rows)
            if (row.hazards > 0 && ++cells <= kMaxHazardCells) {
                first = first ? first : &row;
                rows += "<tr><th scope=\"row\">" + htmlText(rowWords(row)) + "</th><td class=\"n\">"
                    + std::to_string(row.hazards) + "</td></tr>\n";
            }
    if (cells == 0)
        return paragraphHtml("No access broke a rule for memory that CPU and GPU share (levels error and luck).");
    std::string html = paragraphHtml("Accesses that break a rule for memory that CPU and GPU share (levels error and "
                                     "luck). Pictures of these combinations may be wrong. Rule, memory and fix are "
                                     "listed by a run with --hazards, such as:");
    html += codeHtml(runCommandOf(report.sweep, first->cell) + " --hazards");
    html += tableHtml("Hazards", {{"Combination"}, {"Accesses", true}}, rows);
    if (cells > kMaxHazardCells)
        html += paragraphHtml(counted(cells - kMaxHazardCells, "further combination") + " with hazards not listed.");
    return html;
}

std::string failuresHtml(const SweepReport &report)
{
    std::string html;
    for (const SweepWorkload &workload : report.workloads)
        for (const SweepRow &row : workload.summary.rows)
            if (!row.failure.empty())
                html += "<li>" + htmlText(rowWords(row)) + ": " + htmlText(row.failure) + "</li>\n";
    return html.empty() ? html : "<ul>\n" + html + "</ul>\n";
}

} // namespace

std::string sweepHtml(const SweepReport &report)
{
    const StoredSweep &sweep = report.sweep;
    std::string subtitle = sweep.conditions.source;
    if (const std::string date = report.date(); !date.empty())
        subtitle += " · " + date;
    std::string html = pageBegin("Sweep on " + cleanText(sweep.conditions.deviceName), subtitle);
    html += sectionHtml("Result", verdictHtml(report));
    html += sectionHtml("Heat map", eachWorkload(report, report.workloads.size(), [&](const SweepWorkload &workload) {
                            return heatMapsHtml(report, workload);
                        }));
    html += sectionHtml("Frame times", eachWorkload(report, kMaxWorkloadsInPictures, [&](const SweepWorkload &each) {
                            return distributionsHtml(report, each);
                        }));
    html += sectionHtml("Timelines", eachWorkload(report, kMaxWorkloadsInPictures, [&](const SweepWorkload &each) {
                            return timelinesHtml(report, each);
                        }));
    html += sectionHtml("Hazards", hazardsHtml(report));
    if (!sweep.plan.leftOut.empty())
        html += sectionHtml("Left out", leftOutHtml(report));
    if (const std::string failures = failuresHtml(report); !failures.empty())
        html += sectionHtml("Failed", failures);
    html += sectionHtml("All combinations",
                        eachWorkload(report, report.workloads.size(),
                                     [&](const SweepWorkload &each) { return cellsTableHtml(report, each); }));
    html += sectionHtml("Method", paragraphHtml(report.method()));
    html += sectionHtml("Device and conditions", factsHtml(sweepBanner(report)) + factsHtml(bannerRows(report.device)));
    html += sectionHtml("Measure it again", codeHtml(report.command()));
    return html + pageEnd(sweep.conditions.madeBy);
}

} // namespace jetscope
