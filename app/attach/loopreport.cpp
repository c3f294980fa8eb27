// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/loopreport.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "core/attach/format/calltable.h"
#include "core/attach/judge/finding.h"
#include "core/attach/read/siteplace.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace jetscope {

namespace {

/// The best loop that is not the one taken, preferably one with another number of rounds.
const LoopRow *secondBest(const std::vector<LoopRow> &rows)
{
    const auto taken = std::find_if(rows.begin(), rows.end(), [](const LoopRow &row) { return row.candidate.isTaken; });
    if (taken == rows.end())
        return nullptr;
    const FrameGuess &guess = taken->candidate.guess;
    const LoopRow *second = nullptr;
    for (const LoopRow &row : rows) {
        if (row.candidate.isTaken)
            continue;
        const FrameGuess &other = row.candidate.guess;
        constexpr double kOther = 1.1;
        const double ratio = other.periodMs / std::max(guess.periodMs, 1e-9);
        if (other.thread != guess.thread || ratio > kOther || ratio < 1 / kOther)
            return &row;
        second = second ? second : &row;
    }
    return second;
}

/// Its place, if each call there ends a round of this loop; else its number.
std::string siteWordsOf(const LoopReport &report, const LoopRow &row)
{
    const FrameGuess &guess = row.candidate.guess;
    const auto isThere = [&](const LoopRow &other) { return other.site == row.site; };
    const bool isAlone = std::count_if(report.rows.begin(), report.rows.end(), isThere) == 1;
    return row.site.empty() || guess.every > 1 || !isAlone ? std::to_string(&row - report.rows.data() + 1) : row.site;
}

} // namespace

LoopReport loopReportOf(const AttachRecorder &recorder)
{
    LoopReport report;
    for (LoopCandidate &candidate : recorder.candidates())
        report.rows.push_back({std::move(candidate), {}, {}});
    report.margins = recorder.margins();
    report.frames = recorder.frames();
    report.allFrames = recorder.allFrames();
    report.warmUpFrames = recorder.figures().size() - recorder.countedFrames();
    report.meanPeriodMs = recorder.meanPeriodMs();
    return report;
}

void namePlaces(LoopReport &report, CallSites &names)
{
    for (LoopRow &row : report.rows) {
        const CodePlace &place = row.candidate.site.place;
        row.at = names.describe(row.candidate.site);
        row.site = wordsOfPlace(place, names.describe(place));
    }
}

void addLoops(JsonObject &object, const LoopReport &report)
{
    JsonArray rows;
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        const LoopRow &row = report.rows[i];
        const FrameGuess &guess = row.candidate.guess;
        rows.push_back(JsonObject{{"number", static_cast<int>(i + 1)},
                                  {"call", std::string(attachCall(guess.call)->name)},
                                  {"at", jsonTextOrNull(row.at)},
                                  {"site", jsonTextOrNull(row.site)},
                                  {"thread", row.candidate.thread},
                                  {"any_thread", guess.isOnAnyThread},
                                  {"rounds", guess.rounds},
                                  {"period_ms", jsonNumber(guess.periodMs)},
                                  {"calls", guess.calls},
                                  {"passes", static_cast<int>(guess.every)},
                                  {"covers", jsonNumber(guess.covers)},
                                  {"sure", jsonNumber(guess.sure)},
                                  {"taken", row.candidate.isTaken}});
    }
    object["frame_candidates"] = rows;
    object["before_first_frame_s"] = jsonNumber(report.margins.beforeSeconds);
    object["behind_last_frame_s"] = jsonNumber(report.margins.behindSeconds);
    object["warm_up_frames"] = report.warmUpFrames;
    object["warm_up_s"] = jsonNumber(report.margins.warmUpSeconds);
    object["findings_frames"] = framesBehindSetUp(static_cast<std::uint32_t>(report.allFrames));
}

std::string loopsText(const LoopReport &report)
{
    std::array<char, 200> line{};
    std::string text;
    if (report.meanPeriodMs > 0) {
        std::snprintf(line.data(), line.size(),
                      "  before the first frame %.2f s, the first %llu frames (warm-up) %.2f s, behind the last one "
                      "%.2f s: in no figure of the frames\n",
                      report.margins.beforeSeconds, static_cast<unsigned long long>(report.warmUpFrames),
                      report.margins.warmUpSeconds, report.margins.behindSeconds);
        text = line.data();
    }
    const LoopRow *second = secondBest(report.rows);
    if (!second)
        return text;
    const FrameGuess &guess = second->candidate.guess;
    std::snprintf(line.data(), line.size(), "each %.3f ms, %.0f %% sure", guess.periodMs, guess.sure * 100);
    return text + "  the next best loop: " + counted(guess.rounds, "round") + " that call "
        + std::string(attachCall(guess.call)->name) + (second->at.empty() ? "" : " in " + second->at) + " on thread "
        + second->candidate.thread + ", " + line.data() + "; --frame site:" + siteWordsOf(report, *second)
        + " takes it\n";
}

std::string foundFramesText(const LoopReport &report)
{
    if (report.allFrames == report.frames)
        return {};
    return "  found in the " + counted(framesBehindSetUp(static_cast<std::uint32_t>(report.allFrames)), "frame")
        + " of all loops behind warm-up, also those that set up:\n";
}

} // namespace jetscope
