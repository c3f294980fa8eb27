// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/losssection.h"

#include "core/measure/report/htmlparts.h"
#include "core/measure/report/reporttext.h"

#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kMostLossesListed = 200;

struct LossesOfCapture {
    std::vector<const LostFrames *> rows;
    LossCounts counts;
};

LossesOfCapture lossesOf(const Trace &trace)
{
    LossesOfCapture losses;
    for (const TraceMark &mark : trace.marks().all())
        for (const LostFrames &lost : mark.lost) {
            losses.rows.push_back(&lost);
            losses.counts.add(lost);
        }
    return losses;
}

std::string lossNumbersText(const LostFrames &lost)
{
    return std::to_string(lost.first) + (lost.count > 1 ? " … " + std::to_string(lost.first + lost.count - 1) : "");
}

std::string lossSum(const LossCounts &counts)
{
    return counted(counts.sum(), "frame") + " missing: " + lossText(counts) + ".";
}

} // namespace

std::string lossHtml(const Trace &trace)
{
    const LossesOfCapture losses = lossesOf(trace);
    if (losses.rows.empty())
        return paragraphHtml("No frame is missing, as far as the capture tells.");
    std::string rows;
    for (std::size_t i = 0; i < std::min(losses.rows.size(), kMostLossesListed); ++i) {
        const LostFrames &lost = *losses.rows[i];
        rows += "<tr><th scope=\"row\">" + lossNumbersText(lost) + "</th><td class=\"n\">" + std::to_string(lost.count)
            + "</td><td>" + htmlText(std::string(rowOf(lost.cause).says)) + "</td><td>" + htmlText(lost.evidence)
            + "</td></tr>\n";
    }
    std::string html = paragraphHtml(lossSum(losses.counts))
        + tableHtml("Missing frames", {{"Number"}, {"Frames", true}, {"Cause"}, {"Evidence"}}, rows);
    if (losses.rows.size() > kMostLossesListed)
        html += paragraphHtml(counted(losses.rows.size() - kMostLossesListed, "further row") + " not listed.");
    return html;
}

std::string lossMarkdown(const Trace &trace)
{
    const LossesOfCapture losses = lossesOf(trace);
    return losses.rows.empty() ? std::string() : "\n" + markdownText(lossSum(losses.counts)) + "\n";
}

} // namespace jetscope
