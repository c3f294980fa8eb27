// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/pipelineloop.h"

#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/base/livecount.h"

#include <algorithm>
#include <limits>
#include <thread>

namespace jetscope {

namespace {

/// How long an idle pipeline sleeps between looks at GPU results that nobody announces.
constexpr std::chrono::milliseconds kIdlePoll{5};

/// The same while nothing is in flight because nobody wants frames; every command wakes it.
constexpr std::chrono::milliseconds kIdleNap{100};

/// While frames come, what they did is published at most this often: locks, sums and copies of text that a frame need
/// not pay alone.
constexpr std::int64_t kPublishedApartNs = 2'000'000;

/// "0.25 s", with a point whatever the locale.
std::string secondsText(std::int64_t ns)
{
    const std::string hundredths = std::to_string(100 + ns / 10'000'000 % 100);
    return std::to_string(ns / 1'000'000'000) + "." + hundredths.substr(1) + " s";
}

/// A hazard without a frame belongs to the newest one.
PipelineNotice noticeOf(Hazard hazard, std::uint32_t newestFrame)
{
    const Rule &rule = ruleOf(hazard.rule);
    PipelineNotice notice;
    notice.kind = PipelineNotice::Kind::Violation;
    notice.frame = hazard.frame == kNoFrame ? newestFrame : hazard.frame;
    notice.timeNs = hazard.timeNs;
    notice.text = std::move(hazard.text);
    notice.rule = rule.name;
    notice.fix = rule.fix;
    notice.level = rule.level;
    notice.memory = std::move(hazard.memory);
    notice.first = std::move(hazard.first);
    notice.second = std::move(hazard.second);
    return notice;
}

PipelineNotice::Kind noticeKindOf(StageNews::Kind kind)
{
    switch (kind) {
    case StageNews::Kind::Changed:
        return PipelineNotice::Kind::Switched;
    case StageNews::Kind::Refused:
        return PipelineNotice::Kind::Refused;
    case StageNews::Kind::Told:
        break;
    }
    return PipelineNotice::Kind::Stage;
}

} // namespace

PipelineLoop::PipelineLoop(PipelineSetup setup, Tracer &tracer, PipelineChannel &channel)
    : m_setup(std::move(setup)),
      m_tracer(tracer),
      m_channel(channel),
      m_events(tracer, channel),
      m_counters(channel),
      m_source(tracer, [this] { m_channel.wakeEvent().wake(); }),
      m_loader(m_setup.openSource, [this] { m_channel.wakeEvent().wake(); })
{
}

PipelineLoop::~PipelineLoop() = default;

void PipelineLoop::run(std::promise<Status> &started)
{
    const ThreadRecorder recorder(m_tracer, LaneRole::Pipeline, "Pipeline", "thread");
    const Status built = build();
    const bool ok = built.ok();
    if (!ok)
        tearDown();
    started.set_value(built);
    if (!ok)
        return;
    while (!m_stopping) {
        if (const Status status = loop(); !status.ok())
            end(PipelineState::Failed, PipelineNotice::Kind::Failed, status.error().message());
    }
    tearDown();
}

Status PipelineLoop::build()
{
    JETSCOPE_TRY_ASSIGN(std::shared_ptr<DeviceContext> deviceContext,
                        DeviceContext::open(m_setup.deviceId, m_setup, m_tracer, std::move(m_setup.device)));
    Device &device = *deviceContext->device;
    const bool isSoftware = device.facts().software;
    const bool threaded = isSoftware || m_setup.display->isSoftwareRasteriser();
    JETSCOPE_TRY_ASSIGN(m_queue,
                        GlQueue::create(m_setup.display,
                                        threaded ? GlQueue::Execution::Threaded : GlQueue::Execution::Inline,
                                        m_setup.shareContext, m_tracer));
    m_nativeContext = m_queue->nativeContext();
    m_sink = std::make_unique<FrameSink>(*m_queue, m_events, FrameSink::Setup{m_setup.forWindow, m_setup.outputTap});
    if (std::unique_ptr<CpuAnalysis> analysis = m_setup.analysis ? std::move(m_setup.analysis) : makeCpuAnalysis())
        m_cpuStage = std::make_unique<CpuStageThread>(std::move(analysis), m_tracer);
    else if (m_setup.config.cpuStage != CpuStagePlacement::Off)
        return Error{"--cpu-stage", 0, cpuStageCapability().reason};
    m_runner = std::make_unique<FrameRunner>(*m_queue, *m_sink, m_cpuStage.get(), m_events, m_channel.wakeEvent());

    m_switch.emplace(PipelineSwitch::Stage{m_setup, m_tracer, *m_queue, *m_sink, m_cpuStage.get(), *m_runner, m_source,
                                           m_channel.wakeEvent()});
    m_paused = m_setup.startPaused;
    m_channel.post({PipelineCommand::Kind::SetPaused, {}, {}, m_paused});
    JETSCOPE_TRY(m_switch->start(std::move(m_setup.source), std::move(deviceContext), m_paused));
    if (!m_setup.hostFiles.empty())
        m_hostSampler.emplace(m_setup.hostFiles, m_runner->resources().device().facts(), m_channel, m_paused);
    report();
    return {};
}

void PipelineLoop::tearDown()
{
    if (m_source.isStarted()) {
        // What fails now has been reported, or nobody is left to hear of it.
        static_cast<void>(m_runner->drain());
        takeLastOfStages(m_runner->resources().device());
        m_events.metrics().finish(nowNs());
        observeFrame(kNoFrame);
        m_events.collect(nowNs());
    }
    m_source.stop();
    if (m_sink)
        m_sink->mailbox().retract();
    m_cpuStage.reset();
    m_runner.reset();
    m_switch.reset();
    // On this thread, where an inline queue's context is current.
    m_sink.reset();
    m_queue.reset();
}

void PipelineLoop::end(PipelineState state, PipelineNotice::Kind kind, std::string text)
{
    m_state = state;
    if (state == PipelineState::Failed) {
        // A device that failed is not asked again until the owner changes something.
        m_source.capture().setHeld(true);
        takeLastOfStages(m_runner->resources().device()); // The cause may be known only to the thread of a stage.
    }
    m_events.metrics().finish(nowNs());
    observeFrame(kNoFrame);
    reportLosses(true);
    noteTurn();
    publish(newNotice(kind, std::move(text)));
}

PipelineNotice PipelineLoop::newNotice(PipelineNotice::Kind kind, std::string text, bool ofSource)
{
    PipelineNotice notice;
    notice.kind = kind;
    notice.frame = m_runner->nextFrame();
    notice.text = std::move(text);
    notice.ofSource = ofSource;
    notice.deviceLost = kind == PipelineNotice::Kind::Failed && m_runner->resources().device().isLost();
    if (kind == PipelineNotice::Kind::Switched) {
        ++m_switches;
        notice.counts = counts();
        m_events.traceCost().restart(); // Frames under other settings cannot be compared.
    }
    return notice;
}

void PipelineLoop::notify(PipelineNotice::Kind kind, std::string text, bool ofSource)
{
    m_channel.report(newNotice(kind, std::move(text), ofSource));
}

Status PipelineLoop::loop()
{
    JETSCOPE_TRY(carryOutCommands());
    if (m_stopping)
        return {};
    if (idle()) {
        if (m_state != PipelineState::Failed)
            JETSCOPE_TRY(m_runner->service());
        report();
        m_channel.wakeEvent().sleepFor(kIdleNap);
        return {};
    }
    if (m_setup.frameLimit != 0 && m_runner->nextFrame() >= m_setup.frameLimit) {
        JETSCOPE_TRY(m_runner->drain());
        end(PipelineState::Ended, PipelineNotice::Kind::Ended, "frame limit");
        return {};
    }
    JETSCOPE_TRY(applySchedule());
    return m_source.capture().hasFrame() ? takeFrame() : waitForFrame();
}

bool PipelineLoop::idle()
{
    return m_state == PipelineState::Ended || m_state == PipelineState::Failed || (m_paused && m_steps == 0);
}

Status PipelineLoop::takeFrame()
{
    std::optional<InputFrame> frame;
    {
        static const NameId kTake = internName("take frame", Category::Tool);
        const SpanScope span(kTake); // Waking the capture thread can cost the processor.
        frame = m_source.capture().take();
    }
    if (!frame)
        return {};
    reportGaps(frame->captured.gaps);
    if (!m_runner->canTake(*frame)) {
        m_source.noteUnusable(frame->captured);
        return {};
    }
    if (m_steps > 0)
        --m_steps;
    const std::uint32_t number = m_runner->nextFrame();
    takeTracingTurn(number);
    JETSCOPE_TRY(m_runner->submit(std::move(*frame), !m_setup.measuresTracing || TraceCostMeter::isWhole(number)));
    m_events.metrics().setSourcePeriod(number, m_source.capture().sourcePeriodNs());
    {
        static const NameId kTakeBack = internName("take back finished frames", Category::Tool);
        const SpanScope span(kTakeBack, number);
        JETSCOPE_TRY(takeBackFrames());
    }
    return m_paused && m_steps == 0 ? settle() : Status();
}

/// Stops and resumes tracing where the measurement of its cost wants that.
void PipelineLoop::takeTracingTurn(std::uint32_t frame)
{
    if (!m_setup.measuresTracing || TraceCostMeter::traces(frame) == m_tracer.isRecording())
        return;
    const bool on = !m_tracer.isRecording();
    m_tracer.setPaused(!on);
    m_runner->resources().timer().setRecording(on);
    if (const std::uint32_t frames = TraceCostMeter::untracedFrom(frame); frames > 0)
        notify(PipelineNotice::Kind::Untraced,
               std::to_string(frames) + " frames are not traced, to measure what tracing costs");
}

/// Brings what is in flight to its end, so that the figures of the last frame before a pause are there to be looked at.
Status PipelineLoop::settle()
{
    JETSCOPE_TRY(m_runner->drain());
    m_events.metrics().finish(nowNs());
    observeFrame(kNoFrame);
    reportLosses(true);
    report();
    return {};
}

Status PipelineLoop::waitForFrame()
{
    if (m_source.capture().ended()) {
        const std::optional<Error> error = m_source.capture().error();
        JETSCOPE_TRY(m_runner->drain());
        if (error)
            return *error;
        end(PipelineState::Ended, PipelineNotice::Kind::Ended, "end of file");
        return {};
    }
    if (m_runner->handOverPending()) {
        if (m_runner->handOverPolls())
            return pollHandOver();
        JETSCOPE_TRY_ASSIGN(const bool ready, m_runner->handOverReady());
        // Without a new frame to submit, waiting for the one that is under way costs nothing.
        if (ready || !m_runner->handOverWakes())
            return m_runner->handOverOldest();
    }
    static const NameId kWait = internName("wait for frame", Category::WaitInput, Purpose::Input);
    const SpanScope span(kWait);
    while (!m_source.capture().hasFrame() && !m_source.capture().ended() && !m_channel.hasCommands()
           && !m_loader.isReady() && !hostFunctionCame()) {
        m_channel.wakeEvent().sleepFor(kIdlePoll);
        JETSCOPE_TRY(takeBackFrames());
    }
    return {};
}

/// Whether a hand-over that was left to a host function can be made now.
bool PipelineLoop::hostFunctionCame()
{
    if (!m_runner->handOverPending())
        return false;
    const Result<bool> ready = m_runner->handOverReady();
    return !ready.ok() || ready.value();
}

Status PipelineLoop::pollHandOver()
{
    static const NameId kPoll = internName("cudaEventQuery (polling)", Category::WaitSync, Purpose::DevicePoll);
    const SpanScope span(kPoll);
    for (;;) {
        JETSCOPE_TRY_ASSIGN(const bool ready, m_runner->handOverReady());
        if (ready)
            return m_runner->handOverOldest();
        if (m_source.capture().hasFrame())
            return {};
        std::this_thread::yield();
    }
}

/// Gives back what is done, and reports.
Status PipelineLoop::takeBackFrames()
{
    JETSCOPE_TRY(m_runner->service());
    m_source.capture().notifyBufferFreed();
    reportIfDue();
    return {};
}

void PipelineLoop::report()
{
    noteTurn();
    publish();
}

void PipelineLoop::reportIfDue()
{
    noteTurn();
    if (nowNs() - m_publishedNs >= kPublishedApartNs)
        publish();
}

/// What has to be seen at the frame that it belongs to.
void PipelineLoop::noteTurn()
{
    Device &device = m_runner->resources().device();
    for (Hazard &hazard : device.takeHazards())
        m_channel.report(noticeOf(std::move(hazard), newestFrame()));
    recordStageWork(device.stages().takeWork());
    reportStageNews(device);
    if (m_state == PipelineState::Running)
        reportLosses(false);
    else
        m_source.takeLost(); // Frames that come after the end are not wanted.
    m_counters.note(m_runner->framesInFlight(), m_source.capture().queued(), m_source.capture().sourcePeriodNs(),
                    m_runner->resources().timer());
    m_switch->pruneRetired();
}

std::uint32_t PipelineLoop::newestFrame() const
{
    return m_runner->nextFrame() == 0 ? 0 : m_runner->nextFrame() - 1;
}

void PipelineLoop::reportStageNews(Device &device)
{
    for (StageNews &news : device.stages().takeNews())
        if (news.hazard)
            m_channel.report(noticeOf(*std::move(news.hazard), newestFrame()));
        else
            notify(noticeKindOf(news.kind), news.text);
}

/// Before the stages of a device go, or when one of them has failed.
void PipelineLoop::takeLastOfStages(Device &device)
{
    recordStageWork(device.stages().takeLastWork());
    reportStageNews(device);
}

/// Each engine has a lane.
void PipelineLoop::recordStageWork(const std::vector<StageWork> &all)
{
    ThreadRecorder *const recorder = ThreadRecorder::current();
    for (const StageWork &work : all) {
        if (!recorder || !m_tracer.isRecording())
            return;
        Span span;
        span.startNs = work.startNs;
        span.durationNs = work.endNs - work.startNs;
        span.frame = static_cast<std::uint32_t>(work.frame);
        span.bytes =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(work.bytes, std::numeric_limits<std::uint32_t>::max()));
        span.name = work.name;
        span.lane = m_tracer.lane(LaneRole::Engine, work.engine, "engine · bounds");
        recorder->record(span);
    }
}

void PipelineLoop::publish(std::optional<PipelineNotice> news)
{
    m_publishedNs = nowNs();
    m_events.collect(m_runner->resolvedNs());
    Device &device = m_runner->resources().device();
    PipelineStatus status;
    status.wallClockOffsetNs = wallClockOffsetNs();
    status.state = m_state == PipelineState::Running && m_paused ? PipelineState::Paused : m_state;
    status.config = m_runner->config();
    status.facts = factsWith(device.facts(), m_source.capture().externalBuffers());
    status.source = m_source.capture().info();
    status.sourceState = m_source.capture().state();
    status.waitInForce = device.waitPolicy();
    const GpuTimer &timer = m_runner->resources().timer();
    status.gpuTime = timer.source();
    status.gpuTimeUnseenNs = timer.unseenNs();
    status.gpuTimeReason = timer.reason();
    status.traceCost = m_events.traceCost().cost();
    status.frames = m_sink->framesComplete();
    status.lost = m_losses.counts();
    status.droppedBySource = m_losses.bySource();
    status.droppedByView = m_losses.byView();
    status.emulationBytes = device.emulationBytes();
    status.switches = m_switches;
    status.stream = m_runner->resources().output().streamCounts();
    status.inputStream = m_runner->resources().pool()->streamCounts();
    status.liveHandles = LiveCount::handles.load(std::memory_order_relaxed);
    status.mappedBytes = LiveCount::bytes.load(std::memory_order_relaxed);
    m_channel.publish(std::move(status), std::move(news));
}

void PipelineLoop::reportGaps(const std::vector<SourceGap> &gaps)
{
    for (const SourceGap &gap : gaps) {
        PipelineNotice notice;
        notice.kind = PipelineNotice::Kind::Gap;
        notice.frame = m_runner->nextFrame();
        notice.timeNs = gap.fromNs;
        notice.text = gap.reason + "; frames came again after " + secondsText(gap.untilNs - gap.fromNs);
        m_channel.report(std::move(notice));
    }
}

PipelineCounts PipelineLoop::counts()
{
    reportLosses(false);
    return {m_losses.bySource(),
            m_runner->resources().device().emulationBytes(),
            m_source.capture().state().faults,
            m_sink->framesComplete(),
            m_losses.byView(),
            m_switches,
            m_losses.counts()};
}

/// Those that came just now are told a little later with others, unless all are asked for.
void PipelineLoop::reportLosses(bool all)
{
    m_losses.collect(m_source.takeLost(), m_sink->mailbox().takeDropped(), m_runner->nextFrame());
    for (PipelineNotice &notice : m_losses.take(nowNs(), all))
        m_channel.report(std::move(notice));
}

Status PipelineLoop::carryOutCommands()
{
    PendingCommands pending = m_channel.takeCommands();
    m_stopping = pending.stop;
    m_steps += pending.steps;
    const bool pauses = pending.paused && !m_paused;
    if (m_hostSampler && pending.paused != m_paused)
        m_hostSampler->setPaused(pending.paused);
    m_paused = pending.paused;
    m_source.capture().setPaused(m_paused);
    if (!m_paused)
        m_steps = 0;
    m_source.capture().setResting(m_paused && m_steps == 0);
    if (pauses && !m_stopping && m_state == PipelineState::Running)
        JETSCOPE_TRY(settle());
    if (pending.config)
        JETSCOPE_TRY(switchTo(std::move(*pending.config), std::move(pending.deviceId)));
    if (pending.sourceUri)
        JETSCOPE_TRY(changeSource(std::move(*pending.sourceUri)));
    return takeLoadedSource();
}

Status PipelineLoop::changeSource(std::string uri)
{
    if (std::unique_ptr<FrameSource> open = m_source.capture().openBeside(uri)) {
        m_loader.forget();
        return switchTo(std::move(open));
    }
    m_loader.load(std::move(uri));
    return {};
}

Status PipelineLoop::takeLoadedSource()
{
    std::optional<SourceLoader::Loaded> loaded = m_loader.take();
    if (!loaded)
        return {};
    if (!loaded->source.ok()) {
        notify(PipelineNotice::Kind::Refused, loaded->source.error().message());
        return {};
    }
    return switchTo(std::move(loaded->source).value());
}

Status PipelineLoop::switchTo(std::unique_ptr<FrameSource> source)
{
    const bool failed = m_state == PipelineState::Failed;
    JETSCOPE_TRY_ASSIGN(const PipelineSwitch::Outcome outcome, m_switch->toSource(std::move(source), failed, m_paused));
    if (outcome.kind == PipelineSwitch::Outcome::Kind::Made)
        m_state = PipelineState::Running;
    conclude(outcome);
    return {};
}

Status PipelineLoop::applySchedule()
{
    while (m_nextChange < m_setup.schedule.size() && m_setup.schedule[m_nextChange].frame <= m_runner->nextFrame()) {
        const PipelineSetup::ScheduledChange &change = m_setup.schedule[m_nextChange++];
        if (!change.source.empty())
            JETSCOPE_TRY(changeSource(change.source));
        JETSCOPE_TRY(switchTo(change.config, std::nullopt));
    }
    return {};
}

Status PipelineLoop::switchTo(PipelineConfig config, std::optional<std::string> deviceId)
{
    const bool failed = m_state == PipelineState::Failed;
    const std::shared_ptr<DeviceContext> before = m_runner->resources().deviceContext();
    JETSCOPE_TRY_ASSIGN(const PipelineSwitch::Outcome outcome,
                        m_switch->to(std::move(config), std::move(deviceId), failed));
    if (before != m_runner->resources().deviceContext())
        takeLastOfStages(*before->device);
    if (failed && outcome.kind == PipelineSwitch::Outcome::Kind::Made) {
        m_state = PipelineState::Running;
        m_source.capture().setHeld(false);
    }
    conclude(outcome);
    return {};
}

void PipelineLoop::conclude(const PipelineSwitch::Outcome &outcome)
{
    switch (outcome.kind) {
    case PipelineSwitch::Outcome::Kind::Unchanged:
        return;
    case PipelineSwitch::Outcome::Kind::Refused:
        notify(PipelineNotice::Kind::Refused, outcome.text);
        return;
    case PipelineSwitch::Outcome::Kind::Made:
        if (!outcome.refusal.empty())
            notify(PipelineNotice::Kind::Refused, outcome.refusal);
        if (m_hostSampler)
            m_hostSampler->setDevice(m_runner->resources().device().facts());
        notify(PipelineNotice::Kind::Switched, outcome.text, outcome.ofSource);
        report();
        return;
    }
}

std::shared_ptr<const InputPicture> PipelineLoop::inputPicture(std::uint32_t frame)
{
    const std::optional<std::uint64_t> index = m_runner ? m_runner->sourceIndexOf(frame) : std::nullopt;
    std::shared_ptr<InputPicture> picture = index ? m_source.pictureOf(*index) : nullptr;
    if (picture)
        picture->frame = frame;
    return picture;
}

} // namespace jetscope
