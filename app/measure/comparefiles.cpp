// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/comparefiles.h"

#include "core/exchange/opentrace.h"
#include "core/tracefile/tracefile.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace jetscope {

namespace {

using Paths = std::vector<std::string>;

/// OpenProgress of a Progress.
class ForwardedProgress : public OpenProgress {
public:
    explicit ForwardedProgress(Progress &progress) : m_progress(progress) {}
    bool advance(double fraction) override { return m_progress.advance(fraction); }

private:
    Progress &m_progress;
};

bool isSameFile(const std::string &a, const std::string &b)
{
    std::error_code unknown;
    return a == b || std::filesystem::equivalent(a, b, unknown);
}

std::optional<CompareRefusal> usage(std::string text)
{
    return CompareRefusal{sentence(std::move(text)), true};
}

std::optional<CompareRefusal> checkPaths(const Paths &paths)
{
    for (const std::string &path : paths)
        if (const Result<FileKind> kind = fileKindOf(path); !kind.ok())
            return CompareRefusal{kind.error(), false};
    for (std::size_t i = 0; i < paths.size(); ++i)
        for (std::size_t k = i + 1; k < paths.size(); ++k)
            if (isSameFile(paths[i], paths[k]))
                return usage(paths[k] + " is given twice: give files of different runs");
    return std::nullopt;
}

/// The same hazard in a capture is one.
void addHazards(std::vector<CaptureHazard> &hazards, const std::string &path, const MarkList &marks)
{
    for (const TraceMark &mark : marks.all()) {
        if (mark.kind != TraceMark::Kind::Hazard)
            continue;
        const auto same = std::find_if(hazards.begin(), hazards.end(), [&](const CaptureHazard &hazard) {
            return hazard.file == path && hazard.mark.rule == mark.rule && hazard.mark.text == mark.text;
        });
        if (same == hazards.end())
            hazards.push_back({path, mark, 1});
        else
            ++same->count;
    }
}

Result<CaptureFigures> readCapture(const std::string &path, const Options &options, Progress &progress,
                                   std::vector<std::string> &notes, std::vector<CaptureHazard> *hazards)
{
    ForwardedProgress forwarded(progress);
    JETSCOPE_TRY_ASSIGN(
        OpenedTrace opened,
        openTrace(path, forwarded, options.mostSpans.value_or(Trace::kDefaultMaxSpans), options.framesBy.value_or("")));
    for (const std::string &note : allNotes(opened))
        notes.push_back(path + ": " + note);
    if (opened.trace.spanCount() == 0 && opened.trace.frames().empty())
        return sentence(path + " has neither spans nor frames: record it again");
    if (hazards)
        addHazards(*hazards, path, opened.trace.marks());
    std::optional<CaptureFigures> figures = figuresOfCapture(opened.trace, progress);
    if (!figures)
        return cancelledError();
    figures->file = path;
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(path));
    if (kind == FileKind::Capture) {
        JETSCOPE_TRY_ASSIGN(figures->frameSize, captureFact(path, "frame_size"));
    }
    return std::move(*figures);
}

std::optional<CompareRefusal> checkFrames(const ComparedCaptures &captures)
{
    std::vector<const CaptureFigures *> all;
    for (const auto *side : {&captures.a, &captures.b})
        for (const CaptureFigures &capture : *side)
            all.push_back(&capture);
    const auto without =
        std::find_if(all.begin(), all.end(), [](const CaptureFigures *capture) { return !capture->perFrame; });
    const auto with =
        std::find_if(all.begin(), all.end(), [](const CaptureFigures *capture) { return capture->perFrame; });
    if (without == all.end() || with == all.end())
        return std::nullopt;
    return CompareRefusal{sentence((*without)->file + " has no frames and " + (*with)->file
                                   + " has: name the ranges that are its frames with --frames-by NAME"),
                          false};
}

std::optional<CompareRefusal> readCaptures(const Options &options, Progress &progress, ComparedCaptures &captures)
{
    if (options.metric)
        return usage(
            "--metric selects the figure of two sweeps, and captures are compared by all of them: leave it out");
    for (auto [paths, side] : {std::pair{&options.compare.a, &captures.a}, std::pair{&options.compare.b, &captures.b}})
        for (const std::string &path : *paths) {
            Result<CaptureFigures> figures = readCapture(path, options, progress, captures.notes,
                                                         side == &captures.b ? &captures.hazardsOfB : nullptr);
            if (!figures.ok())
                return CompareRefusal{figures.error(), false};
            side->push_back(std::move(figures).value());
        }
    return checkFrames(captures);
}

std::optional<CompareRefusal> readSweeps(const Options &options, ComparedSweeps &sweeps)
{
    if (options.framesBy || options.mostSpans)
        return usage("--frames-by and --most-spans are for traces, and these files are sweeps: leave them out");
    if (options.compare.a.size() > 1 || options.compare.b.size() > 1)
        return usage("two sweeps are compared, one a side: give one file behind --a and one behind --b");
    for (auto [path, sweep] :
         {std::pair{&options.compare.a[0], &sweeps.a}, std::pair{&options.compare.b[0], &sweeps.b}}) {
        Result<StoredSweep> read = readSweep(*path);
        if (!read.ok())
            return CompareRefusal{read.error(), false};
        if (read.value().stretches.empty())
            return CompareRefusal{sentence(*path + " has no results yet: continue it with \"jetscope sweep --out "
                                           + *path + " --resume\""),
                                  false};
        *sweep = std::move(read).value();
    }
    return std::nullopt;
}

} // namespace

std::optional<CompareRefusal> readSides(const Options &options, Progress &progress, ComparedFiles &files)
{
    Paths paths = options.compare.a;
    paths.insert(paths.end(), options.compare.b.begin(), options.compare.b.end());
    if (auto refusal = checkPaths(paths))
        return refusal;
    const auto sweep = std::find_if(paths.begin(), paths.end(), isSweepFile);
    if (sweep == paths.end())
        return readCaptures(options, progress, files.emplace<ComparedCaptures>());
    const auto other = std::find_if_not(paths.begin(), paths.end(), isSweepFile);
    if (other != paths.end())
        return CompareRefusal{
            sentence(*sweep + " is a sweep and " + *other + " is a trace of one run: give two sweeps or two traces"),
            false};
    return readSweeps(options, files.emplace<ComparedSweeps>());
}

} // namespace jetscope
