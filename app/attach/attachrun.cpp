// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/attachrun.h"

#include "app/attach/collector.h"
#include "app/commandline/help.h"
#include "app/commandline/leftovers.h"
#include "app/commandline/textlayout.h"
#include "core/attach/format/calltable.h"
#include "core/attach/record/attachrecorder.h"
#include "core/system/newfile.h"
#include "core/time/clock.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/attach/host/callsites.h"
#include "gpu/attach/host/hardwaretimes.h"
#include "gpu/attach/host/inspection.h"
#include "gpu/attach/host/programfile.h"
#include "gpu/attach/host/scheduleraccess.h"
#include "gpu/attach/host/schedulerfeed.h"

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

void fillCalls(AttachReport &report, const AttachRecorder &recorder, const RingReader &reader)
{
    const auto counts = reader.counts();
    for (std::uint16_t number = 0; const AttachCall *call = attachCall(static_cast<std::uint16_t>(number + 1));
         ++number) {
        const std::size_t at = number + std::size_t{1};
        const std::uint64_t made = std::max(counts[at], recorder.calls()[at]);
        if (made == 0 || call->work == JSA_WORK_DRAWN)
            continue;
        report.counted += isRecorded(*call) ? made : 0;
        report.calls[std::string(call->name)] = made;
        report.sawCuda = report.sawCuda || call->tier == 'B';
        report.sawEgl = report.sawEgl || call->tier == 'C';
        report.sawGl = report.sawGl || isOfGl(*call);
    }
}

void fillScheduler(AttachReport &report, const std::optional<SchedulerFeed> &feed, const AttachRecorder &recorder)
{
    const SchedulerTrace &trace = recorder.scheduler();
    SchedulerReport &scheduler = report.scheduler;
    scheduler.lines = trace.lines();
    scheduler.lost = trace.lost();
    scheduler.damaged = trace.damaged();
    for (std::uint32_t i = 0; i < report.threads.size(); ++i)
        if (const std::optional<SchedulerTimes> times = trace.times(i))
            scheduler.times[i] = *times;
    scheduler.frameThread = recorder.frameThread();
    scheduler.groups = trace.groups();
    scheduler.engines = trace.engines().work();
    scheduler.contexts = trace.contexts().contexts();
    scheduler.switchingNs = trace.contexts().switchingNs();
    scheduler.contextsLost = trace.contexts().lost();
    scheduler.contextsRefusal = trace.contextsRefusal();
    if (feed) {
        scheduler.refusal = feed->refusal(recorder);
        return;
    }
    const std::string refusal = schedulerRefusal();
    scheduler.refusal = "the kernel's scheduler is recorded only if it is asked for (--scheduler)"
        + (refusal.empty() ? "" : ": " + refusal);
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

AttachReport reportOf(const Options &options, const HardwareTimes &hardware, const AttachRecorder &recorder,
                      const RingReader &reader, const std::optional<SchedulerFeed> &scheduler)
{
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
    report.gpu.plan = hardware;
    report.gpu.processes = reader.gpuProcesses();
    report.gpu.counts = reader.gpuCounts();
    report.gpu.linked = recorder.gpu().linked();
    report.gpu.unlinked = recorder.gpu().unlinked();
    report.gpu.hasBounds = recorder.gpu().hasBounds();
    fillCalls(report, recorder, reader);
    fillScheduler(report, scheduler, recorder);
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

InspectionState stateOf(const AttachReport &report)
{
    InspectionState facts;
    facts.frameSource = report.frameSource;
    facts.frameNote = report.frameNote;
    facts.lost = report.lost;
    facts.gpuTime = report.gpu.source();
    facts.gpuTimeReason = report.gpu.refusal();
    return facts;
}

/// Names the functions that made the calls of each finding.
void nameFindings(AttachReport &report, CallSites &names)
{
    for (WasteFinding &finding : report.findings) {
        const std::string places = sitesText(finding, names);
        if (!places.empty())
            finding.text += "; called by " + places;
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
    JETSCOPE_TRY_ASSIGN(AttachMemory memory,
                        AttachMemory::create(options.attach.onlyProgram ? JSA_OPTION_NO_CHILDREN : 0));
    std::optional<SchedulerFeed> scheduler;
    if (options.attach.schedulerPath) {
        JETSCOPE_TRY_ASSIGN(SchedulerFeed feed, SchedulerFeed::open(*options.attach.schedulerPath));
        scheduler.emplace(std::move(feed));
    }
    std::unique_ptr<TraceFileWriter> writer;
    if (options.recordPath) {
        JETSCOPE_TRY(makeRoomForCapture(*options.recordPath));
        JETSCOPE_TRY_ASSIGN(writer, TraceFileWriter::create(*options.recordPath, headerOf(options)));
    }
    const HardwareTimes hardware = options.attach.noGpuTimes
        ? HardwareTimes{{}, "CUPTI is not wanted (--no-gpu-times)", {}, {}, {}}
        : planHardwareTimes(findInjectedLibrary());
    RingReader reader(memory);
    AttachRecorder recorder(options.attach.frameWish);
    recorder.setConcurrentManagedAccess(hardware.concurrentManagedAccess);
    CallSites names;
    recorder.setPlaceNames([&names](const CodePlace &place) { return names.describe(place); });
    Collector collector(options, {memory, reader, recorder, scheduler, wanted, writer.get()});
    Result<std::unique_ptr<AttachedProgram>> program =
        AttachedProgram::start({file, options.operands, library, memory.address(), hardware.variables});
    if (!program.ok()) {
        writer.reset();
        if (options.recordPath)
            removeNewFile(*options.recordPath);
        return program.error();
    }
    collector.run(*program.value());
    AttachResult result{reportOf(options, hardware, recorder, reader, scheduler), {}};
    result.report.collectorShare = collector.cores();
    for (std::string &note : collector.notes())
        result.report.notes.push_back(std::move(note));
    scheduler.reset(); // So that jetscope-sched ends, although the program may go on.
    if (writer) {
        TraceUpdate end;
        end.facts = factsOf(stateOf(result.report));
        end.spansLost = result.report.lost;
        writer->take(end);
        if (const Status stopped = writer->stop(); !stopped.ok())
            result.recordingFailure = endedEarly(stopped.error().text);
        else if (const RecordingProgress progress = writer->progress(); progress.lost > result.report.lost)
            result.recordingFailure = lacksValues(progress.lost - result.report.lost, progress);
        if (!result.recordingFailure.empty())
            collector.recordingWatch().sayFailure(result.recordingFailure);
    }
    while (!(result.report.end = program.value()->ended()))
        std::this_thread::sleep_for(kLookEvery);
    // Both read files, so they come after the recording.
    namePlaces(result.report.loops, names);
    nameFindings(result.report, names);
    return result;
}

} // namespace jetscope
