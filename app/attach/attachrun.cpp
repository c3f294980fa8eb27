// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/attachrun.h"

#include "app/attach/collector.h"
#include "app/commandline/help.h"
#include "app/commandline/leftovers.h"
#include "app/commandline/textlayout.h"
#include "core/attach/format/calltable.h"
#include "core/system/newfile.h"
#include "core/time/clock.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/attach/host/programfile.h"
#include "gpu/attach/host/scheduleraccess.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookEvery{5}; ///< For the end of the program.

TraceFileHeader headerOf(const Options &options)
{
    TraceOrigin origin;
    origin.device = kInspectedDevice;
    origin.source = commandLineOf(options.operands);
    origin.program = std::string("Jetscope ") + versionNumber();
    origin.wallClockOffsetNs = wallClockOffsetNs();
    return {std::move(origin), {{"attached", "yes"}}};
}

void fillCalls(AttachReport &report, const ProgramRecording &program)
{
    const auto counts = program.reader().counts();
    for (std::uint16_t number = 0; const AttachCall *call = attachCall(static_cast<std::uint16_t>(number + 1));
         ++number) {
        const std::size_t at = number + std::size_t{1};
        const std::uint64_t made = std::max(counts[at], program.recorder().calls()[at]);
        if (made == 0 || call->work == JSA_WORK_DRAWN)
            continue;
        report.counted += isRecorded(*call) ? made : 0;
        report.calls[std::string(call->name)] = made;
        report.sawCuda = report.sawCuda || call->tier == 'B';
        report.sawEgl = report.sawEgl || call->tier == 'C';
        report.sawGl = report.sawGl || isOfGl(*call);
    }
}

void fillScheduler(AttachReport &report, const ProgramRecording &program)
{
    std::optional<SchedulerState> told = program.scheduler();
    SchedulerReport &scheduler = report.scheduler;
    if (!told) {
        const std::string refusal = schedulerRefusal();
        scheduler.refusal = "the kernel's scheduler is recorded only if it is asked for (--scheduler)"
            + (refusal.empty() ? "" : ": " + refusal);
        return;
    }
    const AttachRecorder &recorder = program.recorder();
    static_cast<SchedulerState &>(scheduler) = *std::move(told);
    for (std::uint32_t i = 0; i < report.threads.size(); ++i)
        if (const std::optional<SchedulerTimes> times = recorder.scheduler().times(i))
            scheduler.times[i] = *times;
    scheduler.frameThread = recorder.frameThread();
}

/// Names of threads are the program's.
std::string openCallText(const AttachOpenCall &open, const AttachThread &thread)
{
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%s of thread %d (process %d) had not returned %.3f s after it was called",
                  std::string(attachCall(open.call)->name).c_str(), thread.tid, thread.pid,
                  static_cast<double>(open.knownNs - open.startNs) / 1e9);
    return text.data();
}

AttachReport reportOf(const Options &options, const ProgramRecording &program)
{
    const AttachRecorder &recorder = program.recorder();
    const RingReader &reader = program.reader();
    AttachReport report;
    report.program = commandLineOf(options.operands);
    report.frameSource = recorder.frameSource();
    report.frameNote = recorder.frameNote();
    report.frames = recorder.frames();
    StatisticsMethod method;
    method.warmUp = 0; // Setting up is no frame; so all figures are of the same frames.
    report.figures = summariseFrames(recorder.figures(), method);
    report.loops = loopReportOf(recorder);
    report.fps = report.loops.meanPeriodMs > 0 ? 1e3 / report.loops.meanPeriodMs : 0;
    report.path = recorder.path();
    report.findings = recorder.findings();
    report.checks = recorder.checks();
    report.recorded = reader.recorded();
    report.lost = reader.lost();
    report.damaged = reader.damaged();
    report.threadsRefused = reader.threadsRefused();
    report.unhooked = reader.unhooked();
    report.recordCostNs = reader.recordCostNs();
    report.threads = reader.threads();
    report.threadCounts = reader.threadCounts();
    report.gpu = program.hardware();
    fillCalls(report, program);
    fillScheduler(report, program);
    for (const AttachOpenCall &open : reader.openCalls())
        report.notes.push_back(openCallText(open, reader.threads()[open.thread]));
    if (report.unhooked > 0)
        report.notes.push_back(
            "the program got functions that could not be hooked " + counted(report.unhooked, "time")
            + ", because more libraries than are followed have a function of that name: their calls are "
              "neither recorded nor counted");
    if (reader.threads().empty())
        report.notes.push_back("no call was seen: the program uses none of the functions, or it dropped the library");
    return report;
}

/// Names the functions that made the calls of each finding.
void nameFindings(AttachReport &report, CallSites &names)
{
    for (WasteFinding &finding : report.findings) {
        addSites(finding, names);
        for (const CallSite &site : finding.sites)
            if (const std::string name = names.describe(site); !name.empty())
                report.sites[finding.what].push_back({name, site.calls});
    }
}

} // namespace

Result<AttachResult> runAttached(const Options &options)
{
    const RecordingSwitch wanted(!options.attach.paused); // First, because signals may come while CUPTI is tried.
    JETSCOPE_TRY_ASSIGN(std::string file, findProgram(options.operands.front()));
    JETSCOPE_TRY_ASSIGN(std::string library, findPreloadLibrary());
    JETSCOPE_TRY_ASSIGN(const auto program,
                        ProgramRecording::create({{file, options.operands, library, {}},
                                                  options.attach.frameWish,
                                                  options.attach.schedulerPath,
                                                  options.attach.onlyProgram}));
    std::unique_ptr<TraceFileWriter> writer;
    if (options.recordPath) {
        JETSCOPE_TRY(makeRoomForCapture(*options.recordPath));
        JETSCOPE_TRY_ASSIGN(writer, TraceFileWriter::create(*options.recordPath, headerOf(options)));
    }
    Collector collector(options, wanted, *program, writer.get());
    const Status started =
        program->start(options.attach.noGpuTimes ? HardwareTimes{{}, "CUPTI is not wanted (--no-gpu-times)", {}, {}, {}}
                                                 : planHardwareTimes(findInjectedLibrary()));
    if (!started.ok()) {
        writer.reset();
        if (options.recordPath)
            removeNewFile(*options.recordPath);
        return started.error();
    }
    collector.run();
    AttachResult result{reportOf(options, *program), {}};
    result.report.collectorShare = collector.cores();
    for (std::string note : {program->left().note(), collector.pauseNote()})
        if (!note.empty())
            result.report.notes.push_back(std::move(note));
    program->closeScheduler();
    if (writer) {
        TraceUpdate end;
        end.facts = program->facts();
        end.spansLost = result.report.lost;
        writer->take(end);
        if (const Status stopped = writer->stop(); !stopped.ok())
            result.recordingFailure = endedEarly(stopped.error().text);
        else if (const RecordingProgress progress = writer->progress(); progress.lost > result.report.lost)
            result.recordingFailure = lacksValues(progress.lost - result.report.lost, progress);
        if (!result.recordingFailure.empty())
            collector.recordingWatch().sayFailure(result.recordingFailure);
    }
    while (!(result.report.end = program->ended()))
        std::this_thread::sleep_for(kLookEvery);
    // Both read files, so they come after the recording.
    namePlaces(result.report.loops, program->placeNames());
    nameFindings(result.report, program->placeNames());
    return result;
}

} // namespace jetscope
