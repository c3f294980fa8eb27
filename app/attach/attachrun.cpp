// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/attachrun.h"

#include "app/attach/hangwitness.h"
#include "app/attach/recordingswitch.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/help.h"
#include "app/commandline/recordingwatch.h"
#include "app/commandline/textlayout.h"
#include "core/attach/format/calltable.h"
#include "core/board/boardfactrows.h"
#include "core/system/newfile.h"
#include "core/time/clock.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/attach/host/programfile.h"
#include "gpu/attach/host/scheduleraccess.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <sys/resource.h>
#include <thread>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookEvery{5}; ///< For the end of the program.

TraceFileHeader headerOf(const Options &options)
{
    TraceOrigin origin;
    origin.device = deviceWithBoard(kInspectedDevice);
    origin.source = commandLineOf(options.operands);
    origin.program = std::string("Jetscope ") + versionNumber();
    origin.wallClockOffsetNs = wallClockOffsetNs();
    TraceFileHeader header{std::move(origin), {{kAttachedFact, "yes"}}};
    for (auto &fact : boardFactRows())
        header.facts.push_back(std::move(fact));
    return header;
}

void fillCalls(AttachReport &report, const ProgramRecording &program)
{
    const auto counts = program.reader().counts();
    for (std::uint16_t number = 0; const AttachCall *call = attachCall(static_cast<std::uint16_t>(number + 1));
         ++number) {
        const std::size_t at = number + std::size_t{1};
        const std::uint64_t made = std::max(counts[at], program.recorder().calls()[at]);
        report.counted += isRecorded(*call) ? made : 0;
        if (made == 0 || call->work == JSA_WORK_DRAWN || call->work == JSA_WORK_READ)
            continue;
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
    report.figures = summariseFrames(recorder.figures());
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
    report.watchRefusal = reader.watchedResults().refusal();
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
        report.notes.push_back(options.attach.onlyProgram
                                   ? "no call was seen: the program uses none of the functions itself, and what it "
                                     "starts is not recorded (--only-program)"
                                   : "no call was seen: the program uses none of the functions, or it dropped the "
                                     "library");
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

std::string secondsText(std::int64_t ns)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.3f s", static_cast<double>(ns) / 1e9);
    return text.data();
}

/// CPU time of this process so far.
double cpuSeconds()
{
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec)
        + static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

/// Records the program of `jetscope attach` until there is nothing more to record, or enough. Not thread-safe.
class Collector {
public:
    /// Before the program starts. All outlive it; without `writer` there is no capture, without `hangs` no look for
    /// them.
    Collector(const Options &options, const RecordingSwitch &wanted, ProgramRecording &program, TraceFileWriter *writer,
              HangWitness *hangs)
        : m_options(options), m_wanted(wanted), m_program(program), m_writer(writer), m_hangs(hangs)
    {
        turnSwitch();
    }

    /// Returns when the recording has ended; the program may go on.
    void run()
    {
        std::int64_t turnedNs = nowNs();
        const double startSeconds = cpuSeconds();
        for (bool last = false; !last;) {
            m_program.await();
            const std::int64_t ns = nowNs();
            (m_program.isRecording() ? m_recordedNs : m_pausedNs) += ns - std::exchange(turnedNs, ns);
            turnSwitch();
            const bool isOver = m_program.isOver(false); // Before reading what it left.
            last = isEnough() || isOver;
            m_endedBefore = !isOver;
            const TraceUpdate update = m_program.take(last);
            if (m_writer) {
                m_writer->take(update);
                m_watch.look(*m_writer);
            }
            if (m_hangs)
                m_hangs->take(update, m_program);
        }
        m_cores = (cpuSeconds() - startSeconds) * 1e9 / static_cast<double>(m_recordedNs + m_pausedNs);
    }

    /// CPU time that this took, in cores.
    double cores() const { return m_cores; }
    /// How long calls were not recorded, as was asked for; empty if they always were.
    std::string pauseNote() const
    {
        if (m_pausedNs == 0)
            return {};
        return "recorded were " + secondsText(m_recordedNs) + ", and " + secondsText(m_pausedNs)
            + " were not, as was asked for: the counts of calls are those of both";
    }

    /// That the program went on behind the end that was asked for; empty if it did not.
    std::string limitNote() const
    {
        return m_endedBefore ? "the recording ended after " + secondsText(m_recordedNs)
                + ", as was asked for, and the program went on: its later calls are not counted"
                             : std::string();
    }

    /// What it told the user about the capture.
    RecordingWatch &recordingWatch() { return m_watch; }

private:
    void turnSwitch()
    {
        const RecordingSwitch::State wanted = m_wanted.state();
        m_program.setRecording(wanted.on, wanted.ns);
    }

    bool isEnough() const
    {
        const bool enough = m_options.frames && m_program.recorder().frames() >= *m_options.frames;
        const bool late = m_options.attach.seconds
            && m_recordedNs / 1'000'000'000 >= static_cast<std::int64_t>(*m_options.attach.seconds);
        return enough || late;
    }

    const Options &m_options;
    const RecordingSwitch &m_wanted;
    ProgramRecording &m_program;
    TraceFileWriter *m_writer;
    HangWitness *m_hangs;
    RecordingWatch m_watch;
    std::int64_t m_recordedNs = 0; ///< How long calls were recorded,
    std::int64_t m_pausedNs = 0;   ///< and how long they were not, on purpose.
    double m_cores = 0;
    bool m_endedBefore = false; ///< The recording, before the program.
};

} // namespace

Result<AttachReport> runAttached(const Options &options)
{
    const RecordingSwitch wanted(!options.attach.paused); // First, because signals may come while CUPTI is tried.
    JETSCOPE_TRY_ASSIGN(std::string file, findProgram(options.operands.front()));
    JETSCOPE_TRY_ASSIGN(std::string library, findPreloadLibrary());
    std::unique_ptr<HangWitness> hangs;
    ProgramStart start{file, options.operands, library, {}};
    if (options.attach.hangPath) {
        JETSCOPE_TRY_ASSIGN(hangs, HangWitness::create(options, headerOf(options)));
        hangs->prepare(start);
    }
    JETSCOPE_TRY_ASSIGN(
        const auto program,
        ProgramRecording::create({std::move(start), options.attach.frameWish, options.attach.schedulerPath,
                                  options.attach.onlyProgram, options.attach.watchReads}));
    std::unique_ptr<TraceFileWriter> writer;
    if (options.recordPath) {
        JETSCOPE_TRY(makeRoomForCapture(*options.recordPath));
        JETSCOPE_TRY_ASSIGN(writer, TraceFileWriter::create(*options.recordPath, headerOf(options)));
    }
    Collector collector(options, wanted, *program, writer.get(), hangs.get());
    const Status started =
        program->start(options.attach.noGpuTimes ? HardwareTimes{{}, "CUPTI is not wanted (--no-gpu-times)", {}, {}, {}}
                                                 : planHardwareTimes(findInjectedLibrary()));
    if (!started.ok()) {
        writer.reset();
        if (options.recordPath)
            removeNewFile(*options.recordPath);
        return started.error();
    }
    if (hangs)
        hangs->begin(*program);
    collector.run();
    AttachReport report = reportOf(options, *program);
    report.collectorShare = collector.cores();
    for (std::string note : {program->left().note(), collector.pauseNote(), collector.limitNote()})
        if (!note.empty())
            report.notes.push_back(std::move(note));
    program->closeScheduler();
    if (writer) {
        TraceUpdate end;
        end.facts = program->facts();
        end.spansLost = report.lost;
        writer->take(end);
        if (const Status stopped = writer->stop(); !stopped.ok())
            collector.recordingWatch().sayFailure(endedEarly(stopped.error().text));
        else if (const RecordingProgress progress = writer->progress(); progress.lost > report.lost)
            collector.recordingWatch().sayFailure(lacksValues(progress.lost - report.lost, progress));
    }
    while (!(report.end = program->ended()))
        std::this_thread::sleep_for(kLookEvery);
    if (hangs)
        report.hangs = hangs->finish();
    // Both read files, so they come after the recording.
    namePlaces(report.loops, program->placeNames());
    nameFindings(report, program->placeNames());
    return report;
}

} // namespace jetscope
