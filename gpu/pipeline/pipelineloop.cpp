// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/pipelineloop.h"

#include "core/recording/tracer.h"
#include "gpu/device/livecount.h"

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

/// Drops that come closer together are told at once.
constexpr std::int64_t kDropsApartNs = 250'000'000;

/// "0.25 s", with a point whatever the locale.
std::string secondsText(std::int64_t ns)
{
    const std::string hundredths = std::to_string(100 + ns / 10'000'000 % 100);
    return std::to_string(ns / 1'000'000'000) + "." + hundredths.substr(1) + " s";
}

} // namespace

PipelineLoop::PipelineLoop(PipelineSetup setup, Tracer &tracer)
    : m_setup(std::move(setup)), m_tracer(tracer), m_commands(m_wakeEvent), m_events(tracer)
{
}

PipelineLoop::~PipelineLoop() = default;

// --- start and end

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
    Result<std::shared_ptr<DeviceContext>> deviceContext =
        DeviceContext::open(m_setup.deviceId, m_setup.decorateDevice, m_setup.display, m_tracer);
    if (!deviceContext.ok())
        return deviceContext.error();
    Device &device = *deviceContext.value()->device;
    const bool threaded = device.facts().software || m_setup.display->isSoftwareRasteriser();
    Result<std::unique_ptr<GlQueue>> queue =
        GlQueue::create(m_setup.display, threaded ? GlQueue::Execution::Threaded : GlQueue::Execution::Inline,
                        m_setup.shareContext, m_tracer);
    if (!queue.ok())
        return queue.error();
    m_queue = std::move(queue).value();
    m_nativeContext = m_queue->nativeContext();
    tryExternalBuffers(*m_setup.source, device);
    const SourceNeeds needs = needsOf(*m_setup.source);
    if (const Availability whole = availability(m_setup.config, factsWith(device.facts(), needs.surfaces));
        whole.unavailable())
        return Error{"", 0, whole.reason};
    JETSCOPE_TRY(device.setWaitPolicy(m_setup.config.wait));
    if (m_tracer.canRecord())
        JETSCOPE_TRY(deviceContext.value()->timer->use(m_setup.config.gpuTime));
    m_queue->timeBy(m_setup.config.gpuTime);
    m_sink = std::make_unique<FrameSink>(*m_queue, m_events, FrameSink::Setup{m_setup.forWindow, m_setup.outputTap});
    if (std::unique_ptr<CpuAnalysis> analysis = m_setup.analysis ? std::move(m_setup.analysis) : makeCpuAnalysis())
        m_cpuStage = std::make_unique<CpuStageThread>(std::move(analysis), m_tracer);
    else if (m_setup.config.cpuStage != CpuStagePlacement::Off)
        return Error{"--cpu-stage", 0, cpuStageCapability().reason};
    m_runner = std::make_unique<FrameRunner>(*m_queue, *m_sink, m_cpuStage.get(), m_events, m_wakeEvent);

    JETSCOPE_TRY(m_sink->resize(needs.layout.width, needs.layout.height));
    Result<std::unique_ptr<PipelineResources>> resources =
        PipelineResources::create(partsSetup(m_setup.config, needs, std::move(deviceContext).value()));
    if (!resources.ok())
        return resources.error();
    m_runner->exchangeParts(std::move(resources).value(), m_setup.config);
    m_paused = m_setup.startPaused;
    m_commands.setPaused(m_paused);
    if (!m_setup.hostFiles.empty())
        m_hostSampler.emplace(m_setup.hostFiles, m_events, m_paused);
    startRecording(std::move(m_setup.source));
    report();
    return {};
}

void PipelineLoop::startRecording(std::unique_ptr<FrameSource> source)
{
    auto capture = std::make_shared<CaptureThread>(std::move(source), m_runner->resources().pool(), m_tracer,
                                                   [this] { m_wakeEvent.wake(); });
    const std::lock_guard lock(m_captureMutex);
    capture->wantPictures(m_picturesWanted);
    capture->setPaused(m_paused);
    m_capture = std::move(capture);
}

void PipelineLoop::tearDown()
{
    if (m_capture && m_runner) {
        // What fails now has been reported, or nobody is left to hear of it.
        static_cast<void>(m_runner->drain());
        m_events.metrics().finish(nowNs());
        observeFrame(kNoFrame);
        m_events.collect(nowNs());
    }
    std::shared_ptr<CaptureThread> capture;
    {
        const std::lock_guard lock(m_captureMutex);
        capture = std::move(m_capture);
    }
    capture.reset();
    if (m_sink)
        m_sink->mailbox().retract();
    m_cpuStage.reset();
    m_runner.reset();
    m_retired.clear();
    // On this thread, where an inline queue's context is current.
    m_sink.reset();
    m_queue.reset();
}

void PipelineLoop::end(PipelineState state, PipelineNotice::Kind kind, std::string text)
{
    m_state = state;
    if (state == PipelineState::Failed) {
        // A device that failed is not asked again until the owner changes something.
        m_capture->setHeld(true);
    }
    m_events.metrics().finish(nowNs());
    observeFrame(kNoFrame);
    notify(kind, std::move(text));
    report();
}

void PipelineLoop::notify(PipelineNotice::Kind kind, std::string text)
{
    PipelineNotice notice;
    notice.kind = kind;
    notice.frame = m_runner->nextFrame();
    notice.text = std::move(text);
    notice.deviceLost = kind == PipelineNotice::Kind::Failed && m_runner->resources().device().isLost();
    if (kind == PipelineNotice::Kind::Switched) {
        notice.counts = counts();
        m_events.traceCost().restart(); // Frames under other settings cannot be compared.
    }
    m_events.report(std::move(notice));
}

// --- one turn

Status PipelineLoop::loop()
{
    JETSCOPE_TRY(carryOutCommands());
    if (m_stopping)
        return {};
    if (idle()) {
        if (m_state != PipelineState::Failed) {
            JETSCOPE_TRY(m_runner->service());
            JETSCOPE_TRY(m_runner->resources().timer().collect());
        }
        report();
        m_wakeEvent.sleepFor(kIdleNap);
        return {};
    }
    if (m_setup.frameLimit != 0 && m_runner->nextFrame() >= m_setup.frameLimit) {
        JETSCOPE_TRY(m_runner->drain());
        end(PipelineState::Ended, PipelineNotice::Kind::Ended, "frame limit");
        return {};
    }
    JETSCOPE_TRY(applySchedule());
    return m_capture->hasFrame() ? takeFrame() : waitForFrame();
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
        frame = m_capture->take();
    }
    if (!frame)
        return {};
    reportGaps(frame->captured.gaps);
    if (!m_runner->canTake(*frame)) {
        ++m_droppedBefore;
        return {};
    }
    if (m_steps > 0)
        --m_steps;
    const std::uint32_t number = m_runner->nextFrame();
    takeTracingTurn(number);
    JETSCOPE_TRY(m_runner->submit(std::move(*frame), !m_setup.measuresTracing || TraceCostMeter::isWhole(number)));
    m_events.metrics().setSourcePeriod(number, m_capture->sourcePeriodNs());
    {
        static const NameId kLookAfter = internName("look after frames", Category::Tool);
        const SpanScope span(kLookAfter, number);
        JETSCOPE_TRY(m_runner->service());
        JETSCOPE_TRY(m_runner->resources().timer().collect());
        m_capture->notifyBufferFreed();
        reportIfDue();
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
    report();
    return {};
}

Status PipelineLoop::waitForFrame()
{
    if (m_capture->ended()) {
        const std::optional<Error> error = m_capture->error();
        JETSCOPE_TRY(m_runner->drain());
        if (error)
            return *error;
        end(PipelineState::Ended, PipelineNotice::Kind::Ended, "end of file");
        return {};
    }
    if (m_runner->handOverPending()) {
        if (m_runner->handOverPolls())
            return pollHandOver();
        const Result<bool> ready = m_runner->handOverReady();
        if (!ready.ok())
            return ready.error();
        // With no new frame to submit there is nothing better to do than to wait for the one that is under way; only
        // host functions wake us.
        if (ready.value() || m_runner->config().sync != SyncMode::Callback)
            return m_runner->handOverOldest();
    }
    static const NameId kWait = internName("wait for frame", Category::WaitInput);
    const SpanScope span(kWait);
    while (!m_capture->hasFrame() && !m_capture->ended() && !m_commands.any() && !hostFunctionCame()) {
        m_wakeEvent.sleepFor(kIdlePoll);
        JETSCOPE_TRY(m_runner->service());
        JETSCOPE_TRY(m_runner->resources().timer().collect());
        m_capture->notifyBufferFreed();
        reportIfDue();
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
    static const NameId kPoll = internName("cudaEventQuery (polling)", Category::WaitSync);
    const SpanScope span(kPoll);
    for (;;) {
        const Result<bool> ready = m_runner->handOverReady();
        if (!ready.ok())
            return ready.error();
        if (ready.value())
            return m_runner->handOverOldest();
        if (m_capture->hasFrame())
            return {};
        std::this_thread::yield();
    }
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
    for (Violation &violation : device.takeViolations()) {
        PipelineNotice notice;
        notice.kind = PipelineNotice::Kind::Violation;
        notice.frame = m_runner->nextFrame() == 0 ? 0 : m_runner->nextFrame() - 1;
        notice.text = std::move(violation.text);
        notice.rule = std::move(violation.rule);
        notice.fix = std::move(violation.fix);
        m_events.report(std::move(notice));
    }
    reportDrops();
    m_counters.note(m_runner->framesInFlight(), m_capture->queued(), m_capture->sourcePeriodNs(),
                    m_runner->resources().timer());
    pruneRetired();
}

void PipelineLoop::publish()
{
    m_publishedNs = nowNs();
    m_events.collect(m_runner->resolvedNs());
    Device &device = m_runner->resources().device();
    m_board.edit([&](PipelineStatus &status) {
        status.state = m_state == PipelineState::Running && m_paused ? PipelineState::Paused : m_state;
        status.config = m_runner->config();
        status.facts = factsWith(device.facts(), m_capture->surfaces());
        status.source = m_capture->info();
        status.sourceState = m_capture->state();
        status.waitInForce = device.waitPolicy();
        const GpuTimer &timer = m_runner->resources().timer();
        status.gpuTime = timer.source();
        status.gpuTimeReason = timer.whyNotBetter();
        status.traceCost = m_events.traceCost().cost();
        status.frames = m_sink->framesComplete();
        status.droppedBySource = m_droppedBefore + m_capture->dropped();
        status.droppedByView = m_sink->mailbox().dropped();
        status.emulationBytes = device.emulationBytes();
        status.stream = m_runner->resources().output().streamCounts();
        status.inputStream = m_runner->resources().pool()->streamCounts();
        status.liveHandles = LiveCount::handles.load(std::memory_order_relaxed);
        status.mappedBytes = LiveCount::bytes.load(std::memory_order_relaxed);
    });
}

void PipelineLoop::reportGaps(const std::vector<SourceGap> &gaps)
{
    for (const SourceGap &gap : gaps) {
        PipelineNotice notice;
        notice.kind = PipelineNotice::Kind::Gap;
        notice.frame = m_runner->nextFrame();
        notice.timeNs = gap.fromNs;
        notice.text = gap.reason + "; frames came again after " + secondsText(gap.untilNs - gap.fromNs);
        m_events.report(std::move(notice));
    }
}

PipelineCounts PipelineLoop::counts()
{
    return {m_droppedBefore + m_capture->dropped(), m_runner->resources().device().emulationBytes(),
            m_capture->state().faults, m_sink->framesComplete(), m_sink->mailbox().dropped()};
}

void PipelineLoop::reportDrops()
{
    reportDrops(m_sourceDrops, m_droppedBefore + m_capture->dropped(), m_runner->nextFrame(),
                "dropped: the pipeline was late");
    const ViewMailbox &box = m_sink->mailbox();
    reportDrops(m_viewDrops, box.dropped(), box.newestDropped(), "not shown: the view was late");
}

void PipelineLoop::reportDrops(DropTally &tally, std::uint64_t dropped, std::uint32_t frame, const char *what)
{
    const std::int64_t ns = nowNs();
    if (dropped == tally.told || ns - tally.toldNs < kDropsApartNs)
        return;
    const std::uint64_t more = dropped - tally.told;
    tally = {dropped, ns};
    PipelineNotice notice;
    notice.kind = PipelineNotice::Kind::Dropped;
    notice.frame = frame;
    notice.text = std::to_string(more) + (more == 1 ? " frame " : " frames ") + what;
    m_events.report(std::move(notice));
}

// --- for the owner

void PipelineLoop::wantInputPictures(bool wanted)
{
    const std::lock_guard lock(m_captureMutex);
    m_picturesWanted = wanted;
    if (m_capture)
        m_capture->wantPictures(wanted);
}

std::shared_ptr<const InputPicture> PipelineLoop::inputPicture(std::uint32_t frame)
{
    const std::optional<std::uint64_t> index = m_runner ? m_runner->sourceIndexOf(frame) : std::nullopt;
    const std::lock_guard lock(m_captureMutex);
    if (!index || !m_capture)
        return nullptr;
    std::shared_ptr<InputPicture> picture = m_capture->pictureOf(*index);
    if (picture)
        picture->frame = frame;
    return picture;
}

} // namespace jetscope
