// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/attachrun.h"

#include "app/attach/programfile.h"
#include "app/help.h"
#include "app/textlayout.h"
#include "core/attach/attachrecorder.h"
#include "core/attach/calltable.h"
#include "core/newfile.h"
#include "core/time/clock.h"
#include "gpu/attach/hardwaretimes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <sys/resource.h>
#include <thread>

namespace jetscope {

namespace {

/// A ring holds 650 ms of a thread that makes 100,000 calls a second.
constexpr std::chrono::milliseconds kDrainEvery{5};
/// Fuller than this, rings are read again at once: the program is faster than that, or this process was late.
constexpr double kFullEnough = 0.25;

std::string commandLine(const std::vector<std::string> &words)
{
    std::string line;
    for (const std::string &word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

TraceFileHeader headerOf(const Options &options)
{
    TraceOrigin origin;
    origin.device = "the devices of an inspected program";
    origin.source = commandLine(options.operands);
    origin.program = std::string("Jetscope ") + versionNumber();
    origin.wallClockOffsetNs = wallClockOffsetNs();
    return {std::move(origin), {{"attached", "yes"}}};
}

bool isDue(const Options &options, const AttachRecorder &recorder, std::int64_t startNs)
{
    constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    const bool enough = options.frames && recorder.frames() >= *options.frames;
    const bool late = options.attach.seconds
        && nowNs() - startNs >= static_cast<std::int64_t>(*options.attach.seconds) * kNsPerSecond;
    return enough || late;
}

void fillCalls(AttachReport &report, const AttachRecorder &recorder, const RingReader &reader)
{
    const auto counts = reader.counts();
    for (std::uint16_t number = 0; const AttachCall *call = attachCall(static_cast<std::uint16_t>(number + 1));
         ++number) {
        const std::size_t at = number + std::size_t{1};
        const std::uint64_t made = std::max(counts[at], recorder.calls()[at]);
        if (made == 0)
            continue;
        report.counted += call->action == JSA_RECORD ? made : 0;
        report.calls[std::string(call->name)] = made;
        report.sawCuda = report.sawCuda || call->tier == 'B';
        report.sawGl = report.sawGl || call->tier == 'C';
    }
}

std::string guessText(const FrameGuess &guess)
{
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(),
                  "guessed: %s returns every %.3f ms, and %.0f %% of its intervals are near that",
                  std::string(attachCall(guess.call)->name).c_str(), guess.periodMs, guess.sure * 100);
    return text.data();
}

std::string frameNoteOf(const FrameFinder &finder)
{
    switch (finder.source()) {
    case FrameFinder::Source::Mark:
        return "marked by the program";
    case FrameFinder::Source::Swap:
        return "from the return of one swap to that of the next"
            + (finder.otherSwaps() > 0 ? "; " + counted(finder.otherSwaps(), "swap") + " of other surfaces left out"
                                       : std::string())
            + (finder.moves() > 0 ? "; the surface changed " + counted(finder.moves(), "time") : std::string());
    case FrameFinder::Source::Guess:
        return guessText(*finder.guess());
    case FrameFinder::Source::Call:
        return "from the return of one call to that of the next";
    case FrameFinder::Source::None:
        break;
    }
    return "no swap, no marked frame, no call that was asked for and none that repeats regularly";
}

/// After the frames of setting up. Unlike the central figure of a run it counts every frame, as programs do.
double meanRate(const std::vector<FrameFigures> &frames)
{
    const std::size_t warmUp = std::min(StatisticsMethod().warmUp, frames.size() / 2);
    std::int64_t ns = 0;
    for (std::size_t i = warmUp; i < frames.size(); ++i)
        ns += frames[i].periodNs();
    return ns > 0 ? static_cast<double>(frames.size() - warmUp) * 1e9 / static_cast<double>(ns) : 0;
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
                      const RingReader &reader, std::optional<ProgramEnd> end)
{
    AttachReport report;
    report.program = commandLine(options.operands);
    report.end = end;
    report.frameSource = recorder.frameFinder().sourceName();
    report.frameNote = frameNoteOf(recorder.frameFinder());
    report.frames = recorder.frames();
    report.figures = summariseFrames(recorder.figures());
    report.fps = meanRate(recorder.figures());
    report.path = recorder.path();
    const auto frames = static_cast<std::uint32_t>(recorder.frames());
    report.findings = recorder.waste().findings(frames);
    report.checks = recorder.waste().checks(frames);
    report.recorded = reader.recorded();
    report.lost = reader.lost();
    report.damaged = reader.damaged();
    report.threadsRefused = reader.threadsRefused();
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
    for (const AttachOpenCall &open : reader.openCalls())
        report.notes.push_back(openCallText(open, reader.threads()[open.thread]));
    if (reader.threads().empty())
        report.notes.push_back("no call was seen: the program uses none of the functions, or it dropped the library");
    return report;
}

/// CPU time of this process so far.
double cpuSeconds()
{
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec)
        + static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

/// Reads the rings until the program ends or the recording is to end. Returns the CPU time that this took, in cores.
double collect(const Options &options, AttachMemory &memory, RingReader &reader, AttachRecorder &recorder,
               AttachedProgram &program)
{
    const std::int64_t startNs = nowNs();
    const double startSeconds = cpuSeconds();
    bool last = false;
    while (!last) {
        if (reader.fullest() < kFullEnough)
            std::this_thread::sleep_for(kDrainEvery);
        last = program.ended().has_value() || isDue(options, recorder, startNs); // Before reading what it left.
        std::vector<AttachEvent> events;
        if (last)
            memory.silence();
        const std::int64_t completeNs = reader.drain(events);
        if (last)
            reader.finish(events);
        recorder.addGpuWork(reader);
        recorder.add(std::move(events), reader.threads(), completeNs);
    }
    const double share = (cpuSeconds() - startSeconds) * 1e9 / static_cast<double>(nowNs() - startNs);
    recorder.finish(reader.lost());
    return share;
}

void setFacts(TraceFileWriter &writer, const AttachReport &report)
{
    writer.setFact("frames_by", report.frameSource.empty() ? report.frameNote : report.frameSource);
    writer.setFact("gpu_time", report.gpu.source());
    if (const std::string refusal = report.gpu.refusal(); !refusal.empty())
        writer.setFact("gpu_time_reason", refusal);
    writer.setFact("calls_lost", std::to_string(report.lost));
}

} // namespace

Result<AttachResult> runAttached(const Options &options)
{
    JETSCOPE_TRY_ASSIGN(std::string file, findProgram(options.operands.front()));
    JETSCOPE_TRY_ASSIGN(std::string library, findPreloadLibrary());
    JETSCOPE_TRY_ASSIGN(AttachMemory memory,
                        AttachMemory::create(options.attach.onlyProgram ? JSA_OPTION_NO_CHILDREN : 0));
    std::unique_ptr<TraceFileWriter> writer;
    if (options.recordPath) {
        JETSCOPE_TRY_ASSIGN(writer, TraceFileWriter::create(*options.recordPath, headerOf(options)));
    }
    const HardwareTimes hardware = options.attach.noGpuTimes
        ? HardwareTimes{{}, "CUPTI is not wanted (--no-gpu-times)", {}}
        : planHardwareTimes(findInjectedLibrary());
    RingReader reader(memory);
    Result<std::unique_ptr<AttachedProgram>> program =
        AttachedProgram::start(file, options.operands, library, memory.path(), hardware.variables);
    if (!program.ok()) {
        writer.reset();
        if (options.recordPath)
            removeNewFile(*options.recordPath);
        return program.error();
    }
    AttachRecorder recorder(options.attach.frameWish, writer.get());
    const double share = collect(options, memory, reader, recorder, *program.value());
    AttachResult result{reportOf(options, hardware, recorder, reader, std::nullopt), {}};
    result.report.collectorShare = share;
    if (writer) {
        setFacts(*writer, result.report);
        writer->setLostBefore(result.report.lost);
        if (const Status stopped = writer->stop(); !stopped.ok())
            result.recordingFailure = "the recording ended early: " + stopped.error().text;
        else if (const std::uint64_t lost = writer->progress().lost; lost > result.report.lost)
            result.recordingFailure = "the recording lacks " + counted(lost - result.report.lost, "value")
                + ", because the machine was too busy";
    }
    while (!(result.report.end = program.value()->ended()))
        std::this_thread::sleep_for(kDrainEvery);
    return result;
}

} // namespace jetscope
