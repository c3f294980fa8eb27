// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lab/labcommands.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/progressline.h"
#include "app/lab/clockscreen.h"
#include "app/lab/latencylimit.h"
#include "app/lab/latencyoutput.h"
#include "app/run/runner.h"
#include "app/run/runplan.h"
#include "core/lab/sightingline.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/lab/latencyfeed.h"
#include "gpu/pipeline/pipeline.h"

#include <atomic>
#include <chrono>
#include <cstdio>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kEvery{10};
constexpr std::int64_t kLateFrames = 500'000'000; ///< Figures of the last frames come by then.

struct Opened {
    std::unique_ptr<Pipeline> pipeline;
    std::string device;
    std::string source;
};

/// An error with its exit code.
struct LabRefusal {
    ExitCode code;
    Error error;
};

std::optional<LabRefusal> open(const Options &options, const std::string &uri, Opened &to)
{
    const std::string id = options.deviceId.value_or(bestDeviceId());
    const Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(id);
    if (!display.ok())
        return LabRefusal{Failed, display.error()};
    Result<std::unique_ptr<Device>> device = openDevice(id, display.value());
    if (!device.ok())
        return LabRefusal{Failed, device.error()};
    to.device = deviceWithBoard(device.value()->facts().name);
    const Result<RunPlan> plan = planRun(options, device.value()->facts(), cpuStageCapability());
    if (!plan.ok())
        return LabRefusal{WrongUsage, plan.error()};
    Result<std::unique_ptr<FrameSource>> source = openSource(uri, Pacing::Real);
    if (!source.ok())
        return LabRefusal{Failed, source.error()};
    to.source = source.value()->info().description;
    PipelineSetup setup;
    setup.display = display.value();
    setup.deviceId = id;
    setup.device = std::move(device).value();
    setup.source = std::move(source).value();
    setup.config = plan.value().segments.front().config;
    setup.frameLimit = LatencyLimit(options).frames();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok())
        return LabRefusal{Failed, pipeline.error()};
    to.pipeline = std::move(pipeline).value();
    return std::nullopt;
}

/// Until the frames have come or the user has enough; why the pipeline failed, or empty.
std::string watch(Pipeline &pipeline, LatencyFeed &feed, const Options &options, const ClockInView &clock,
                  const Interrupt &interrupt)
{
    ProgressLine progress;
    ProgressJson lines(options.sweep.progress);
    const LatencyLimit limit(options);
    std::int64_t endedNs = 0;
    for (;;) {
        const bool stop = interrupt.waitFor(kEvery) || !clock.goOn(feed) || limit.isTimeOver();
        const PipelineStatus status = pipeline.status();
        const PipelineUpdate update = pipeline.drainUpdates();
        feed.take(update);
        for (const PipelineNotice &notice : update.notices)
            if (notice.kind == PipelineNotice::Kind::Failed)
                return notice.text;
        const LatencyCounts &counts = feed.meter().counts();
        const double done = limit.progress(status.frames);
        const std::int64_t ns = nowNs();
        progress.show(done, counted(counts.frames, "frame") + ", " + std::to_string(counts.known()) + " read", ns);
        lines.show(
            [&] {
                return JsonObject{{"progress", jsonNumber(done)}, {"frames", counts.frames}, {"read", counts.known()}};
            },
            ns);
        const bool isOver = status.state == PipelineState::Ended || status.state == PipelineState::Failed;
        if (isOver && endedNs == 0) {
            endedNs = ns;
            pipeline.watchInput(nullptr);
        }
        if (stop || (endedNs != 0 && ns - endedNs > kLateFrames))
            return {};
    }
}

/// Each line at once, for who waits at the other end.
void tell(const std::string &line)
{
    std::fputs((line + "\n").c_str(), stdout);
}

/// For another machine, whose clock is in view: what was seen of it, and when the pipeline had finished it.
int tellSightings(const Options &options, const std::string &uri)
{
    Opened opened;
    if (const auto refusal = open(options, uri, opened))
        return complain(refusal->error, refusal->code);
    tell("device " + opened.device);
    tell("source " + opened.source);
    const auto watcher = std::make_shared<ClockWatcher>();
    opened.pipeline->framePort()->watchInput(watcher);
    const Interrupt interrupt;
    FrameNumbers numbers;
    std::string failure;
    const LatencyLimit limit(options);
    std::int64_t endedNs = 0;
    for (bool isOver = false; !isOver;) {
        const bool stop = interrupt.waitFor(kEvery) || std::ferror(stdout) != 0 || limit.isTimeOver();
        const PipelineStatus status = opened.pipeline->status();
        const PipelineUpdate update = opened.pipeline->drainUpdates();
        for (const FrameSighting &sighting : watcher->take())
            tell(lineOf(sighting));
        for (const FrameNumber &number : update.numbers)
            numbers.add(number);
        for (const FrameFigures &figures : update.figures)
            tell(lineOf(FinishedFrame{numbers.of(figures.frame), figures.startNs, figures.startNs + figures.frameNs}));
        for (const PipelineNotice &notice : update.notices)
            if (notice.kind == PipelineNotice::Kind::Failed)
                failure = notice.text;
        std::fflush(stdout);
        if (endedNs == 0 && (status.state == PipelineState::Ended || status.state == PipelineState::Failed))
            endedNs = nowNs();
        isOver = stop || !failure.empty() || (endedNs != 0 && nowNs() - endedNs > kLateFrames);
    }
    const ClockSeen seen = watcher->seen();
    if (seen.clock && seen.clock->isMirrored())
        tell("mirrored");
    if (!watcher->trouble().empty())
        tell("trouble " + watcher->trouble());
    std::fflush(stdout);
    const bool ended = endPipeline(std::move(opened.pipeline), kLongestEnd);
    const int code = failure.empty() ? static_cast<int>(Good) : complain(sentence(failure), Failed);
    if (!ended)
        std::_Exit(code); // Hung threads still use objects that a normal exit would destroy.
    return code;
}

} // namespace

int measureLatency(const Options &options, const std::string &source, const ClockInView &clock,
                   const Interrupt &interrupt)
{
    Opened opened;
    if (const auto refusal = open(options, source, opened))
        return complain(refusal->error, refusal->code);
    LatencyFeed feed(clock.times);
    opened.pipeline->framePort()->watchInput(feed.watcher());
    const std::string failure = watch(*opened.pipeline, feed, options, clock, interrupt);
    const bool ended = endPipeline(std::move(opened.pipeline), kLongestEnd);
    if (!failure.empty())
        complain(failure);
    const ClockSeen seen = feed.watcher()->seen();
    LatencyReport report{opened.device,
                         opened.source,
                         feed.meter().counts(),
                         feed.meter().figures(),
                         feed.watcher()->trouble(),
                         seen.clock && seen.clock->isMirrored()};
    if (clock.complete)
        clock.complete(report);
    const ExitCode code = failure.empty() && report.figures ? Good : Failed;
    if (!report.figures && failure.empty())
        complain("no latency was measured: " + latencyVerdict(report));
    const int exitCode = finishWith(options.json ? jsonLine(latencyJson(report)) : latencyText(report), code);
    if (!ended)
        std::_Exit(exitCode); // Hung threads still use objects that a normal exit would destroy.
    return exitCode;
}

int labLatency(int argc, char **argv, const Options &options)
{
    const std::string uri = options.source.value_or("pattern:");
    if (const Status checked = checkSourceUri(uri); !checked.ok())
        return complain(checked.error(), WrongUsage);
    if (options.deviceId)
        if (const Status checked = checkDevice(*options.deviceId, listDevices()); !checked.ok())
            return complain(checked.error(), WrongUsage);
    if (options.sightings)
        return tellSightings(options, uri);
    const auto measure = [&](const std::shared_ptr<const ShownTimes> &times, const std::atomic<bool> &left) {
        const Interrupt interrupt;
        return measureLatency(options, uri, {times, [&left](LatencyFeed &) { return !left; }}, interrupt);
    };
    if (const std::shared_ptr<const ShownTimes> own = ownClockOf(uri))
        return measure(own, false);
    return showClockAnywhere(argc, argv, measure);
}

} // namespace jetscope
