// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/recordingwatch.h"
#include "app/commandline/textlayout.h"
#include "app/trace/archiveoutput.h"
#include "core/exchange/exporters.h"
#include "core/exchange/importers.h"
#include "core/exchange/opentrace.h"
#include "core/tracefile/savetrace.h"

#include <limits>
#include <string>
#include <vector>

namespace jetscope {

namespace {

/// Progress that is cancelled by an interrupt.
class UntilInterrupted : public OpenProgress {
public:
    bool advance(double) override { return !m_interrupt.requested(); }

private:
    Interrupt m_interrupt;
};

Status saveWhole(const OpenedTrace &opened, const std::string &path, Progress &progress)
{
    JETSCOPE_TRY(makeRoomForCapture(path));
    return saveTrace(opened.trace, path, progress, opened.account);
}

Status exportWholeChrome(const OpenedTrace &opened, const std::string &path, Progress &progress)
{
    return exportChrome(opened.trace, path, std::nullopt, progress);
}

Status exportWholeTable(const OpenedTrace &opened, const std::string &path, Progress &progress)
{
    return exportFrames(opened.trace, path, std::nullopt, progress);
}

struct Format {
    std::string_view ending;
    Status (*write)(const OpenedTrace &opened, const std::string &path, Progress &progress);
};

constexpr Format kFormats[] = {{".jscope", saveWhole}, {".json", exportWholeChrome}, {".csv", exportWholeTable}};

Result<Format> formatOf(const std::string &path)
{
    std::string endings;
    for (const Format &format : kFormats) {
        if (path.size() > format.ending.size() && path.ends_with(format.ending))
            return format;
        endings += std::string(format.ending) + " or ";
    }
    endings += std::string(kArchiveEnding) + " (of several IN)";
    return sentence("the ending of " + quotedWords(path) + " is not a supported format: take " + endings);
}

std::uint64_t frameCount(const Trace &trace)
{
    return trace.frames().endIndex() - trace.frames().firstIndex();
}

/// Notes about the trace, and about data that the output format does not support.
std::vector<std::string> notesOf(const OpenedTrace &opened, const Options &options)
{
    std::vector<std::string> notes = options.json ? opened.notes : allNotes(opened);
    const std::size_t pictures = opened.trace.thumbnails().all().size();
    if (pictures > 0 && options.operands[1].ends_with(".json"))
        notes.push_back(counted(pictures, "picture") + " left out: a Chrome trace has no place for them");
    return notes;
}

JsonObject accountJson(const ImportAccount &account)
{
    JsonArray rows;
    for (const ImportAccount::Row &row : account.rows()) {
        JsonObject of{{"kind", row.kind}, {"events", row.events}};
        if (row.reason.empty())
            of["shown_as"] = row.shownAs;
        else
            of["reason"] = row.reason;
        rows.push_back(of);
    }
    return {{"read", account.read()}, {"shown", account.shown()}, {"left_out", account.leftOut()}, {"rows", rows}};
}

std::string reportOf(const OpenedTrace &opened, const Options &options)
{
    const std::vector<std::string> said = notesOf(opened, options);
    if (options.json) {
        JsonObject report{{"in", options.operands[0]},
                          {"out", options.operands[1]},
                          {"spans", opened.trace.spanCount()},
                          {"frames", frameCount(opened.trace)},
                          {"counters", opened.trace.counters().size()},
                          {"left_out", opened.trace.droppedSpans()},
                          {"notes", said}};
        JsonArray names;
        for (const std::string &name : opened.frameNames)
            names.push_back(name);
        if (!names.empty())
            report["frame_names"] = names;
        if (opened.account.read() > 0)
            report["account"] = accountJson(opened.account);
        return jsonLine(report);
    }
    std::string text = options.operands[1] + ": " + counted(opened.trace.spanCount(), "span") + ", "
        + counted(frameCount(opened.trace), "frame") + ", " + counted(opened.trace.counters().size(), "counter")
        + (opened.trace.droppedSpans() > 0
               ? ", the oldest " + counted(opened.trace.droppedSpans(), "span") + " left out"
               : std::string())
        + "\n";
    for (const std::string &note : said)
        text += "  " + note + "\n";
    return text;
}

TegrastatsTiming timingOf(const Options &options)
{
    constexpr double kSecondNs = 1e9;
    TegrastatsTiming timing;
    timing.offsetNs = static_cast<std::int64_t>(options.logOffsetSeconds.value_or(0) * kSecondNs);
    if (options.logIntervalSeconds)
        timing.intervalNs = static_cast<std::int64_t>(*options.logIntervalSeconds * kSecondNs);
    return timing;
}

/// The trace of IN with the counters of --with.
Result<OpenedTrace> readInput(const Options &options, OpenProgress &progress)
{
    const std::string &path = options.operands[0];
    const Result<FileKind> kind = fileKindOf(path);
    if (kind.ok() && kind.value() == FileKind::Tegrastats && !options.logPath)
        return importTegrastats(path, progress, timingOf(options));
    JETSCOPE_TRY_ASSIGN(OpenedTrace opened,
                        openTrace(path, progress, options.mostSpans.value_or(std::numeric_limits<std::uint64_t>::max()),
                                  options.framesBy.value_or("")));
    if (options.logPath)
        JETSCOPE_TRY(addTegrastats(opened, *options.logPath, progress, timingOf(options)));
    return opened;
}

} // namespace

int convertCommand(const Options &options)
{
    UntilInterrupted progress;
    if (options.operands.size() > 2 || options.operands.back().ends_with(kArchiveEnding))
        return convertToArchive(options, progress);
    const Result<Format> format = formatOf(options.operands[1]);
    if (!format.ok())
        return complain(format.error(), WrongUsage);
    if (options.logOffsetSeconds && !options.logPath)
        return complain(sentence("--with-offset moves the log of --with: give a log"), WrongUsage);
    const Result<OpenedTrace> opened = readInput(options, progress);
    if (!opened.ok())
        return complainOrStop(opened.error());
    const Status written = format.value().write(opened.value(), options.operands[1], progress);
    if (!written.ok())
        return complainOrStop(written.error());
    return finishWith(reportOf(opened.value(), options), Good);
}

} // namespace jetscope
