// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/probetext.h"

#include "app/commandline/textlayout.h"
#include "core/measure/advice/boardadvice.h"
#include "core/measure/probe/probefindings.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kProbeLabelWidth = 16;
constexpr std::size_t kColumnWidth = 16;
constexpr std::size_t kCostLabelWidth = 44;
constexpr std::size_t kProbeWidth = 110;

/// "64 KiB", "16 MiB"
std::string sizeText(std::size_t bytes)
{
    constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
    return bytes >= kMebibyte ? std::to_string(bytes / kMebibyte) + " MiB" : std::to_string(bytes / 1024) + " KiB";
}

/// A figure with half the width of its interval: "4.71 ±2 %"; empty without a figure.
std::string figureText(const ProbeFigure *figure)
{
    if (!figure)
        return {};
    std::string text = threeFigures(figure->estimate.value);
    if (const auto percent =
            figure->noisePercent()) // Beyond 100 % the figure says little, and by how much says nothing.
        text += *percent > 100 ? " >±100%" : " ±" + fixedText(*percent, 0) + "%";
    return text;
}

std::string headText(const ProbeTable &table)
{
    std::string text = table.device.name;
    if (!table.device.id.empty())
        text += " (" + table.device.id + ")";
    text += "\n";
    if (!table.origin.empty())
        text += hangingParagraph("Origin", table.origin, kProbeLabelWidth, kProbeWidth);
    if (!table.driver.empty())
        text += hangingParagraph("Driver", table.driver, kProbeLabelWidth, kProbeWidth);
    if (!table.date.empty())
        text += hangingParagraph("Probed on", table.date, kProbeLabelWidth, kProbeWidth);
    text += hangingParagraph("Frame",
                             std::to_string(table.width) + "x" + std::to_string(table.height) + ", "
                                 + std::to_string(table.frameBytes()) + " bytes",
                             kProbeLabelWidth, kProbeWidth);
    return text + (table.method.empty() ? "" : hangingParagraph("Method", table.method, kProbeLabelWidth, kProbeWidth));
}

/// Names in the order of the table, each reason once.
std::string absencesText(const ProbeTable &table, const std::vector<std::pair<std::string, std::string>> &rows)
{
    std::vector<std::pair<std::string, std::string>> reasons; // Reason and names.
    for (const auto &[key, name] : rows) {
        const auto figure = table.figures.find(key);
        if (figure == table.figures.end() || figure->second.known())
            continue;
        const std::string &reason = figure->second.unavailable;
        const auto same =
            std::find_if(reasons.begin(), reasons.end(), [&](const auto &other) { return other.first == reason; });
        if (same == reasons.end())
            reasons.emplace_back(reason, name);
        else if (same->second.find(name) == std::string::npos)
            same->second += ", " + name;
    }
    std::string text;
    for (const auto &[reason, names] : reasons)
        text += hangingParagraph("  -", names + ": " + reason, 4, kProbeWidth);
    return text;
}

std::string memoryTable(const ProbeTable &table)
{
    std::string text = padded("Memory, GB/s", kProbeLabelWidth);
    for (const std::string_view head : {"CPU write", "CPU read", "CPU read again", "GPU read", "GPU read again"})
        text += rightAligned(head, kColumnWidth);
    text += "\n";
    std::vector<std::pair<std::string, std::string>> rows;
    for (const std::string_view memory : probeMemories()) {
        std::string line = padded(memory, kProbeLabelWidth);
        bool any = false;
        for (const std::string_view access : kProbeAccesses) {
            const std::string key = memoryKey(memory, access);
            const ProbeFigure *figure = table.find(key);
            any = any || figure;
            line += rightAligned(figure ? figureText(figure) : "-", kColumnWidth);
            rows.emplace_back(key, std::string(memory) + (access.front() == 'c' ? " by the CPU" : " by the GPU"));
        }
        text += any ? line + "\n" : "";
    }
    return text + absencesText(table, rows);
}

std::string copyTable(const ProbeTable &table)
{
    std::string text = padded("Copies, GB/s", 2 * kProbeLabelWidth - 4);
    for (const std::size_t bytes : kProbeCopyBytes)
        text += rightAligned(sizeText(bytes), kColumnWidth);
    text += "\n";
    std::vector<std::pair<std::string, std::string>> rows;
    for (const std::string_view direction : kProbeDirections)
        for (const std::string memory : {"pageable", "pinned"}) {
            const std::string name = memory + (direction == "to_host" ? " from device" : " to device");
            std::string line = padded(name, 2 * kProbeLabelWidth - 4);
            for (const std::size_t bytes : kProbeCopyBytes) {
                const std::string key = copyKey(direction, memory, bytes);
                const ProbeFigure *figure = table.find(key);
                line += rightAligned(figure ? figureText(figure) : "-", kColumnWidth);
                rows.emplace_back(key, name);
            }
            text += line + "\n";
        }
    return text + absencesText(table, rows);
}

/// For each pair and size the kinds in order; those that differ from the first beyond the noise are marked.
std::string pairTable(const ProbeTable &table)
{
    std::string text = "Frames from writer to reader, warm, GB/s\n";
    for (const FramePair pair : framePairs())
        for (const std::size_t bytes : kProbePairBytes) {
            std::string line;
            for (const RankedMemory &ranked : rankMemories(table, pair, bytes))
                line += (line.empty() ? "" : ", ") + std::string(nameOf(ranked.memory)) + " " + figureText(&ranked.rate)
                    + (ranked.ties ? "" : " (slower)");
            if (!line.empty())
                text += hangingParagraph("  " + std::string(nameOf(pair.writer)) + " to "
                                             + std::string(nameOf(pair.reader)) + ", " + sizeText(bytes),
                                         line, kProbeLabelWidth + 4, kProbeWidth);
        }
    std::vector<std::pair<std::string, std::string>> rows;
    for (const auto &kind : choices<MemoryKind>())
        for (const std::string &key : pairKeys(kind.name))
            rows.emplace_back(key, std::string(kind.name));
    return text + absencesText(table, rows);
}

std::string costTable(const ProbeTable &table)
{
    std::string text = "Costs, microseconds\n";
    std::vector<std::pair<std::string, std::string>> rows;
    for (const ProbeCost &cost : probeCosts()) {
        const std::string key(cost.key);
        if (const ProbeFigure *figure = table.find(key))
            text += padded("  " + std::string(cost.label), kCostLabelWidth)
                + rightAligned(figureText(figure), kColumnWidth) + "\n";
        rows.emplace_back(key, key.starts_with("unregister") ? key : std::string(cost.label));
    }
    return text + absencesText(table, rows);
}

std::string findingsText(const ProbeTable &table)
{
    const std::vector<ProbeFinding> findings = probeFindings(table);
    std::string text = findings.empty() ? "No finding: no difference is beyond the noise.\n" : "In words\n";
    for (const ProbeFinding &finding : findings)
        text += hangingParagraph("  -", finding.text, 4, kProbeWidth);
    return text;
}

/// One use: the kinds in order, with their predicted times.
std::string boardAdviceText(const BoardAdvice &advice)
{
    if (!advice.refusal.empty())
        return "No advice: " + advice.refusal + ".\n";
    std::string text;
    if (advice.ranked.empty())
        text += "  The table has too few figures for a prediction.\n";
    for (const PredictedChoice &choice : advice.ranked) {
        std::string line = microsecondsText(choice.us.value);
        const bool first = &choice == &advice.ranked.front();
        line += first ? "" : choice.ties ? ", not distinguishable from the first" : "";
        for (const std::string &reason : choice.reasons)
            line += (&reason == &choice.reasons.front() ? ". " : " ") + reason;
        text += hangingParagraph("    " + std::string(nameOf(choice.memory)), line, kProbeLabelWidth + 4, kProbeWidth);
    }
    return text;
}

/// The kinds without a prediction, which are the same for every use.
std::string leftText(const BoardAdvice &advice)
{
    std::string text;
    for (const UnpredictedChoice &left : advice.left)
        text += hangingParagraph("    " + std::string(nameOf(left.memory)), "no prediction: " + left.reason,
                                 kProbeLabelWidth + 4, kProbeWidth);
    return text;
}

std::string advicesText(const ProbeTable &table, const std::optional<ProbeSource> &source)
{
    std::string text = "Which memory kind\n";
    if (source)
        text += hangingParagraph("",
                                 "For " + source->uri + " (" + source->description + "), whose frames "
                                     + std::string(subjectOf(source->writer)) + " writes: " + source->why + ".",
                                 2, kProbeWidth);
    BoardAdvice advice;
    for (const FrameUse &use : advisedUses(table, source)) {
        const bool isFirst = advice.label.empty();
        advice = adviseMemory(table.device, table, use);
        text += isFirst ? hangingParagraph("", advice.label, 2, kProbeWidth) : "  The same with " + advice.use + ":\n";
        text += boardAdviceText(advice);
    }
    return text + leftText(advice);
}

} // namespace

std::string probeText(const ProbeTable &table, const std::optional<ProbeSource> &source)
{
    return headText(table) + "\n" + memoryTable(table) + "\n" + copyTable(table) + "\n" + pairTable(table) + "\n"
        + costTable(table) + "\n" + findingsText(table) + "\n" + advicesText(table, source);
}

} // namespace jetscope
