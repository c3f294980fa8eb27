// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/jsonvalues.h"
#include "app/fleet/fleetadding.h"
#include "app/run/runner.h"
#include "app/run/runreport.h"
#include "app/run/runresult.h"
#include "app/run/runtracefile.h"
#include "app/run/tryadvice.h"
#include "core/text/sha256.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/hazards/scenes.h"
#include "gpu/sources/severaladdress.h"

#include <cstdlib>

namespace jetscope {

namespace {

/// Everything that is checked before the pipeline starts.
struct Prepared {
    std::shared_ptr<EglDisplay> display;
    std::string deviceId;
    std::unique_ptr<Device> device;
    std::string sourceUri;
    DeviceFacts facts;
    RunPlan plan;
    std::unique_ptr<FrameSource> source;
};

/// An error with its exit code.
struct Refusal {
    ExitCode code;
    Error error;
};

std::optional<Refusal> prepare(const Options &options, Prepared &to)
{
    const std::string source = options.source.value_or(kDefaultRunSource);
    for (const Status &checked : {checkSourceUri(source), checkCameras(options)})
        if (!checked.ok())
            return Refusal{WrongUsage, checked.error()};
    if (options.deviceId)
        if (const Status checked = checkDevice(*options.deviceId, listDevices()); !checked.ok())
            return Refusal{WrongUsage, checked.error()};
    to.deviceId = options.deviceId.value_or(bestDeviceId());

    Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(to.deviceId);
    if (!display.ok())
        return Refusal{Failed, display.error()};
    to.display = display.value();
    Result<std::unique_ptr<Device>> device = openDevice(to.deviceId, to.display);
    if (!device.ok())
        return Refusal{Failed, device.error()};
    to.device = std::move(device).value();
    const DeviceFacts &facts = to.device->facts();
    to.sourceUri = source;
    // Reject what no source can make possible before a source is opened.
    if (options.scene)
        if (const Capability shown = sceneCapability(*options.scene, nearestLegal({}, facts), facts); !shown.available)
            return Refusal{WrongUsage, sentence("scene " + std::string(options.scene->name) + ": " + shown.reason)};
    const DeviceFacts most = factsWith(facts, ExternalBufferView::Bytes);
    if (const Result<RunPlan> plan = planRun(options, most, cpuStageCapability()); !plan.ok())
        return Refusal{WrongUsage, plan.error()};

    Result<std::unique_ptr<FrameSource>> opened = openSource(source, Pacing::Unpaced);
    if (!opened.ok())
        return Refusal{Failed, opened.error()};
    to.source = std::move(opened).value();
    to.facts = factsWith(facts, to.source->externalBuffers());
    Result<RunPlan> plan = planRun(options, to.facts, cpuStageCapability());
    if (!plan.ok())
        return Refusal{WrongUsage, plan.error()};
    to.plan = std::move(plan).value();
    if (to.source->externalBuffers().ok())
        takeExternalBuffers(to.plan, options, to.facts);
    return std::nullopt;
}

std::vector<PipelineSetup::ScheduledChange> scheduleOf(const RunPlan &plan, const std::string &source)
{
    std::vector<PipelineSetup::ScheduledChange> schedule;
    std::optional<SeveralAddress> several = severalIn(source);
    for (std::size_t i = 1; i < plan.segments.size(); ++i) {
        const Segment &segment = plan.segments[i];
        schedule.push_back({segment.firstFrame, segment.config});
        if (!several || segment.camera == plan.segments[i - 1].camera)
            continue;
        several->drives = *segment.camera;
        schedule.back().source = several->text();
    }
    return schedule;
}

OutputTap tapOf(const Options &options, Sha256 &checksum)
{
    if (!options.checksum)
        return {};
    // RGBA8, top row first, unpadded; on one thread, in the order of the frames.
    return [&checksum](std::uint32_t, const std::byte *rgba, int width, int height) {
        checksum.add({rgba, static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4});
    };
}

PipelineSetup setupOf(const Options &options, Prepared prepared, Sha256 &checksum)
{
    return PipelineSetup{.display = std::move(prepared.display),
                         .deviceId = std::move(prepared.deviceId),
                         .device = std::move(prepared.device),
                         .decorateDevice = options.scene && options.scene->decorate
                             ? DeviceDecorator(options.scene->decorate)
                             : DeviceDecorator(),
                         .source = std::move(prepared.source),
                         .config = prepared.plan.segments.front().config,
                         .frameLimit = options.frames.value_or(kDefaultRunFrames),
                         .schedule = scheduleOf(prepared.plan, prepared.sourceUri),
                         .outputTap = tapOf(options, checksum),
                         .measuresTracing = !options.recordPath}; // A recording contains every frame.
}

/// None if there was one source only.
std::optional<CamerasReport> camerasOf(const Pipeline &pipeline)
{
    const std::vector<OpenCamera> open = pipeline.cameras();
    if (open.size() < SeveralAddress::kFewest)
        return std::nullopt;
    std::vector<std::shared_ptr<const CameraLog>> logs;
    for (const OpenCamera &camera : open)
        logs.push_back(camera.log);
    CamerasReport report = camerasReportOf(logs);
    for (std::size_t i = 0; i < open.size(); ++i)
        report.cameras[i].trouble = open[i].trouble;
    return report;
}

/// The outcome of a run.
struct Finished {
    RunResult record;
    bool ended = true; ///< False if its pipeline did not stop in time.
};

/// Prints the errors of the run and returns its exit code.
ExitCode judge(const Finished &run, RunTraceFile &recording, const Options &options)
{
    const RunResult &record = run.record;
    if (!run.ended)
        complain("the source or the device hangs, so the program exits without closing it; what was measured and "
                 "recorded until "
                 "then is complete");
    recording.sayProblem();
    for (const std::string &text : record.told)
        complain(text);
    for (const PipelineNotice &notice : record.refused)
        complain("at frame " + std::to_string(notice.frame) + " of the run: " + notice.text);
    if (!record.failure.empty())
        complain(record.failure);
    const bool brokenRules = options.hazards && hasErrors(record.hazards);
    if (brokenRules)
        complain("rules for shared memory were broken; the listed hazards show where, with the smallest fix");
    const bool good = run.ended && record.refused.empty() && record.failure.empty() && recording.problem().empty();
    return good && !brokenRules ? Good : Failed;
}

/// Trials require a run that ended by itself.
ExitCode tryIfAsked(RunReport &report, const Options &options, const Finished &run, const TrialSetup &setup,
                    const Interrupt &interrupt)
{
    if (!options.tryAdvice || !run.ended || run.record.interrupted || !run.record.failure.empty())
        return Good;
    const Status tried = tryAdvice(report.advice, setup, interrupt);
    if (tried.ok())
        return Good;
    report.adviceTrouble = tried.error().message();
    complain(report.adviceTrouble);
    const bool began = !report.advice.empty() && report.advice.front().tried;
    return began || interrupt.requested() ? Good : Failed;
}

} // namespace

int runCommand(const Options &given)
{
    const Result<Options> with = withFleetCapture(given);
    if (!with.ok())
        return complain(with.error(), Failed);
    const Options &options = with.value();
    Prepared prepared;
    if (const auto refusal = prepare(options, prepared))
        return complain(refusal->error, refusal->code);
    const Interrupt interrupt; // Until here nothing has to be closed, so Ctrl-C ends the program at once.
    const RunPlan plan = prepared.plan;
    for (const std::string &warning : plan.warnings)
        complain(warning);

    RunTraceFile recording;
    if (const Status started =
            recording.start(options, prepared.sourceUri, prepared.facts, plan.segments.front().config);
        !started.ok())
        return complain(started.error(), Failed);

    TrialSetup trials{prepared.display, prepared.deviceId, prepared.sourceUri, plan.segments.back().config};
    Sha256 checksum; // Must outlive the pipeline, whose GL queue adds to it.
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupOf(options, std::move(prepared), checksum));
    if (!pipeline.ok()) {
        recording.abandon();
        return complain(pipeline.error(), Failed);
    }
    Finished run;
    run.record =
        watchRun(*pipeline.value(), interrupt, options.frames.value_or(kDefaultRunFrames), &recording, plan.segments);
    run.record.cameras = camerasOf(*pipeline.value());
    recording.finish();
    run.ended = endPipeline(std::move(pipeline).value(), kLongestEnd);
    RunReport report = makeReport(options, plan, run.record);
    if (options.checksum && run.ended)
        report.checksum = checksum.hex();
    trials.config = report.segments.back().config; // A refused change leaves the previous configuration active.
    const ExitCode tried = tryIfAsked(report, options, run, trials, interrupt);
    const ExitCode judged = judge(run, recording, options);
    const ExitCode code = judged == Good ? tried : judged;
    const int printed = finishWith(options.json ? jsonLine(runJson(report, options)) : runText(report, options), code);
    const int exitCode = addToFleet(options, printed);
    if (!run.ended)
        std::_Exit(exitCode); // Hung threads still use objects that a normal exit would destroy.
    return exitCode;
}

} // namespace jetscope
