// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runner.h"

#include "app/run/runresult.h"
#include "app/run/runtracefile.h"

#include <algorithm>
#include <future>
#include <thread>
#include <utility>

namespace jetscope {

namespace {

// Frequent enough that the span rings (8192 spans per thread) never fill, rare enough to have no measurable cost.
constexpr std::chrono::milliseconds kLookEvery{10};
// Limit for late results, for example of a camera that hangs; the figures are printed without them.
constexpr std::chrono::seconds kTimeout{3};

/// Allocates and touches memory for the figures in advance, so that memory does not grow during the measurement.
void reserveResident(std::vector<FrameFigures> &figures, std::uint64_t frameLimit)
{
    constexpr std::uint64_t kMax = 65536;
    figures.resize(static_cast<std::size_t>(std::min(frameLimit, kMax)));
    figures.clear();
}

void collect(RunResult &record, PipelineControl &pipeline, RunTraceFile *capture)
{
    // Read the state first: everything reported before the end is then certainly in the update.
    record.status = pipeline.status();
    PipelineUpdate update = pipeline.drainUpdates();
    record.paths.add(update);
    record.machine.add(update.counters, update.samples);
    record.missedSpans += update.missedSpans;
    record.figures.insert(record.figures.end(), update.figures.begin(), update.figures.end());
    for (const PipelineNotice &notice : update.notices) {
        if (notice.kind == PipelineNotice::Kind::Violation)
            addHazard(record.hazards, notice);
        else if (notice.kind == PipelineNotice::Kind::Refused)
            record.refused.push_back(notice);
        else if (notice.kind == PipelineNotice::Kind::Stage)
            record.told.push_back(notice.text);
        else if (notice.kind == PipelineNotice::Kind::Switched)
            record.switches.push_back(notice);
        else if (notice.kind == PipelineNotice::Kind::Dropped)
            for (const LostFrames &lost : notice.lost)
                append(record.lost, lost, kMostLostKept);
        else if (notice.kind == PipelineNotice::Kind::Failed)
            record.failure = notice.text;
    }
    if (TraceFileWriter *writer = capture ? capture->writer() : nullptr) {
        writer->take(update);
        capture->look();
    }
}

bool isRunning(const RunResult &record)
{
    return record.status.state == PipelineState::Idle || record.status.state == PipelineState::Running;
}

/// Collects until `done` returns true.
template <class Done>
void collectUntil(RunResult &record, PipelineControl &pipeline, RunTraceFile *capture, Done done)
{
    using Clock = std::chrono::steady_clock;
    for (const auto giveUp = Clock::now() + kTimeout; !done() && Clock::now() < giveUp;) {
        std::this_thread::sleep_for(kLookEvery);
        collect(record, pipeline, capture);
    }
}

} // namespace

RunResult watchRun(PipelineControl &pipeline, const Interrupt &interrupt, std::uint64_t frameLimit,
                   RunTraceFile *capture, std::span<const Segment> segments)
{
    RunResult record;
    record.paths = RunPaths(segments);
    reserveResident(record.figures, frameLimit);
    do {
        record.interrupted = interrupt.waitFor(kLookEvery);
        collect(record, pipeline, capture);
    } while (isRunning(record) && !record.interrupted);
    if (record.interrupted && isRunning(record)) {
        pipeline.setPaused(true);
        collectUntil(record, pipeline, capture, [&] { return !isRunning(record); });
    } else {
        record.interrupted = false;
        // GPU times of the last frames arrive shortly after the work has ended.
        collectUntil(record, pipeline, capture, [&] { return record.figures.size() >= record.status.frames; });
    }
    collect(record, pipeline, capture);
    return record;
}

bool endPipeline(std::unique_ptr<PipelineControl> pipeline, std::chrono::milliseconds timeout)
{
    std::promise<void> ended;
    const std::future<void> end = ended.get_future();
    std::thread ending([pipeline = std::move(pipeline), ended = std::move(ended)]() mutable {
        pipeline.reset();
        ended.set_value();
    });
    const bool inTime = end.wait_for(timeout) == std::future_status::ready;
    inTime ? ending.join() : ending.detach();
    return inTime;
}

} // namespace jetscope
