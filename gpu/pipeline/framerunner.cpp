// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/framerunner.h"

#include "core/recording/tracer.h"
#include "core/settings/filters.h"
#include "gpu/stages/stagehost.h"

#include <algorithm>
#include <cstring>

namespace jetscope {

namespace {

constexpr std::size_t kIndicesKept = 32;

/// The name of the chain's device span: "gaussian5+sobel". A stage has its label there: its name is a path.
NameId chainName(const std::vector<Filter> &filters)
{
    std::string name;
    for (const Filter filter : filters)
        name.append(name.empty() ? "" : "+").append(isStage(filter) ? filterRow(filter)->label : nameOf(filter));
    return internName(name.empty() ? "convert" : name, Category::Kernel);
}

void copyFrame(TransferBuffer &from, TransferBuffer &to, std::size_t bytes)
{
    const CpuRead read = from.read();
    const CpuWrite write = to.write();
    std::memcpy(write.data(), read.data(), bytes);
}

} // namespace

FrameRunner::FrameRunner(GlQueue &queue, FrameSink &sink, CpuStageThread *cpuStage, EventCollector &events,
                         WakeEvent &wakeEvent)
    : m_queue(queue), m_sink(sink), m_cpuStage(cpuStage), m_events(events), m_wakeEvent(wakeEvent)
{
}

std::unique_ptr<PipelineResources> FrameRunner::exchangeResources(std::unique_ptr<PipelineResources> resources,
                                                                  const PipelineConfig &config)
{
    m_inFlight.clear(); // Only has entries after a failure, when they cannot complete any more.
    setConfig(config);
    return std::exchange(m_resources, std::move(resources));
}

void FrameRunner::setConfig(const PipelineConfig &config)
{
    m_config = config;
    m_chainName = chainName(config.filters);
}

std::size_t FrameRunner::depth() const
{
    // Serial placement is the loop of naive code: the next frame begins after this one is complete.
    return m_config.cpuStage == CpuStagePlacement::Serial ? 1 : static_cast<std::size_t>(m_config.framesInFlight);
}

bool FrameRunner::cpuCarriesPixels() const
{
    // On an inline queue the pipeline thread itself uploads the pixels.
    return m_resources->output().cpuFeedsGl() && !m_queue.isThreaded();
}

bool FrameRunner::handsOverAtOnce() const
{
    return m_resources->sync().handsOverAtOnce() && !cpuCarriesPixels();
}

FrameRunner::InFlightFrames::iterator FrameRunner::firstNotHandedOver()
{
    return std::find_if(m_inFlight.begin(), m_inFlight.end(), [](const InFlight &entry) { return !entry.handedOver; });
}

FrameRunner::InFlightFrames::const_iterator FrameRunner::firstNotHandedOver() const
{
    return std::find_if(m_inFlight.begin(), m_inFlight.end(), [](const InFlight &entry) { return !entry.handedOver; });
}

std::size_t FrameRunner::framesInFlight() const
{
    const auto notHandedOver = static_cast<std::size_t>(m_inFlight.end() - firstNotHandedOver());
    return std::max(m_inFlight.size(), notHandedOver + m_sink.pending());
}

bool FrameRunner::slotFree(std::uint32_t frame)
{
    FrameSlot &slot = m_resources->slotOf(frame);
    const bool inUse =
        std::any_of(m_inFlight.begin(), m_inFlight.end(), [&](const InFlight &entry) { return entry.slot == &slot; });
    return framesInFlight() < depth() && !inUse && !slot.cpuStageBusy.load(std::memory_order_acquire)
        && !m_resources->outputs().empty();
}

Status FrameRunner::waitForSlot(std::uint32_t frame)
{
    JETSCOPE_TRY(giveBack());
    if (slotFree(frame))
        return {};
    static const NameId kWait = internName("wait for slot", Category::WaitSlot, Purpose::Slot);
    const SpanScope span(kWait, frame);
    while (!slotFree(frame)) {
        if (framesInFlight() < depth())
            m_wakeEvent.sleepFor(
                std::chrono::milliseconds(1)); // The CPU stage wakes this thread; the view's fences must be polled.
        else if (handOverPending())
            JETSCOPE_TRY(handOverOldest());
        else
            JETSCOPE_TRY(waitForOldestFrame());
        JETSCOPE_TRY(giveBack());
    }
    return {};
}

/// All frames are handed over: the oldest is on the device, or still in GL.
Status FrameRunner::waitForOldestFrame()
{
    if (!m_inFlight.empty())
        JETSCOPE_TRY(m_resources->device().synchronize(*m_inFlight.front().work.done));
    return m_inFlight.size() < depth() ? m_sink.waitForOldest(m_resources->device()) : Status();
}

Status FrameRunner::submit(InputFrame captured, bool traced)
{
    const std::uint32_t frame = m_nextFrame++;
    m_events.metrics().frameStarted(frame, nowNs(), traced);
    m_events.channel().addFrameNumber({frame, captured.captured.index});
    observeFrame(frame);
    {
        const std::lock_guard lock(m_indexMutex);
        m_sourceIndices.emplace_back(frame, captured.captured.index);
        if (m_sourceIndices.size() > kIndicesKept)
            m_sourceIndices.pop_front();
    }
    JETSCOPE_TRY(waitForSlot(frame));
    static const NameId kSubmit = internName("submit", Category::Submit);
    SpanScope span(kSubmit, frame);
    JETSCOPE_TRY(adopt(captured, frame));

    InFlight entry;
    entry.work.frame = frame;
    entry.work.stream = &m_resources->streamOf(frame);
    entry.slot = &m_resources->slotOf(frame);
    entry.work.done = entry.slot->done.get();
    entry.number = captured.captured.index;
    entry.captureNs = captured.captured.captureNs;
    entry.input = std::make_shared<InputFrame>(std::move(captured));
    JETSCOPE_TRY(enqueueDeviceWork(entry));
    m_inFlight.push_back(std::move(entry));
    if (m_config.cpuStage == CpuStagePlacement::SameInput && m_cpuStage)
        postInputJob(m_inFlight.back());

    if (handsOverAtOnce())
        return handOver(m_inFlight.back());
    while (framesInFlight() >= depth() && handOverPending())
        JETSCOPE_TRY(handOverOldest());
    return {};
}

/// A frame captured before a switch is in memory of the former kind and is copied once; a frame in the source's own
/// buffer is only attached to the new buffer.
Status FrameRunner::adopt(InputFrame &captured, std::uint32_t frame)
{
    if (captured.pool() == m_resources->pool())
        return {};
    static const NameId kMove = internName("move after switch", Category::Tool);
    const SpanScope span(kMove, frame);
    TransferBuffer *buffer = m_resources->pool()->take();
    while (!buffer) {
        m_wakeEvent.sleepFor(std::chrono::milliseconds(1));
        JETSCOPE_TRY(giveBack());
        buffer = m_resources->pool()->take();
    }
    InputFrame moved(m_resources->pool(), buffer);
    moved.captured = std::move(captured.captured);
    if (m_resources->pool()->takesExternalBuffers())
        buffer->attach(captured.buffer()->detach());
    else
        copyFrame(*captured.buffer(), *buffer, m_resources->pool()->layout().bytes);
    captured = std::move(moved);
    return {};
}

Status FrameRunner::enqueueDeviceWork(InFlight &entry)
{
    const std::uint32_t frame = entry.work.frame;
    Stream &stream = *entry.work.stream;
    entry.output = m_resources->outputs().take();
    FrameSync &sync = m_resources->sync();
    TransferBuffer &input = *entry.input->buffer();
    TransferBuffer *const result = entry.slot->result.get();
    std::uint64_t bytesCopied = input.bytesCopied() + m_resources->output().bytesCopied();
    ChainLaunch launch;
    launch.filters = m_config.filters;
    launch.frame = frame;
    // What can be repeated is put into the stream further down, by `launchChain`.
    const auto isRepeated = [&](const auto &path) { return sync.repeatsWork() && path.isRepeatable(); };
    if (!isRepeated(input))
        JETSCOPE_TRY(input.acquire(frame, stream, launch));
    JETSCOPE_TRY(sync.glToDevice(entry.output.lastUse(), stream, frame));
    JETSCOPE_TRY(m_resources->output().beginDevice(entry.output.index(), frame, stream, launch));
    if (result) {
        bytesCopied += result->bytesCopied();
        if (!isRepeated(*result))
            JETSCOPE_TRY(result->acquire(frame, stream, launch));
    }
    JETSCOPE_TRY(sync.repeatsWork() ? enqueueRepeatable(entry, launch) : launchChain(entry, launch));
    if (result)
        entry.points = m_resources->device().stages().points(launch.filters);
    if (!isRepeated(input))
        JETSCOPE_TRY(input.release(frame, stream));
    if (result && !isRepeated(*result))
        JETSCOPE_TRY(result->release(frame, stream));
    if (!isRepeated(m_resources->output()))
        JETSCOPE_TRY(m_resources->output().endDevice(entry.output.index(), frame, stream));
    JETSCOPE_TRY(m_resources->device().record(*entry.work.done, stream));
    m_events.metrics().addBytesCopied(frame, bytesCopied);
    return sync.submitted(entry.work);
}

/// The kernels, and around them the copies that can be repeated, as one piece of work.
Status FrameRunner::enqueueRepeatable(InFlight &entry, ChainLaunch &launch)
{
    const std::uint32_t frame = entry.work.frame;
    Stream &stream = *entry.work.stream;
    TransferBuffer &input = *entry.input->buffer();
    TransferBuffer *const result = entry.slot->result.get();
    OutputPath &output = m_resources->output();
    const auto enqueue = [&]() -> Status {
        if (input.isRepeatable())
            JETSCOPE_TRY(input.acquire(frame, stream, launch));
        if (result && result->isRepeatable())
            JETSCOPE_TRY(result->acquire(frame, stream, launch));
        JETSCOPE_TRY(launchChain(entry, launch));
        if (input.isRepeatable())
            JETSCOPE_TRY(input.release(frame, stream));
        if (result && result->isRepeatable())
            JETSCOPE_TRY(result->release(frame, stream));
        return output.isRepeatable() ? output.endDevice(entry.output.index(), frame, stream) : Status();
    };
    JETSCOPE_TRY(m_resources->timer().beginWhole(stream, m_chainName, frame));
    JETSCOPE_TRY(m_resources->sync().enqueue(entry.work, keyOf(entry, launch), enqueue));
    return m_resources->timer().endWhole();
}

Status FrameRunner::launchChain(InFlight &entry, ChainLaunch &launch)
{
    JETSCOPE_TRY(m_resources->timer().begin(*entry.work.stream, m_chainName, entry.work.frame));
    launch.kernels = m_resources->timer().kernels();
    JETSCOPE_TRY(m_resources->device().launch(launch, *entry.work.stream));
    return m_resources->timer().end();
}

/// Buffers and slots live as long as the resources, and with them the sync mode that keeps keys.
WorkKey FrameRunner::keyOf(const InFlight &entry, const ChainLaunch &launch) const
{
    const auto number = [](const void *address) { return reinterpret_cast<std::uint64_t>(address); };
    return {entry.work.stream,
            {number(entry.input->buffer()), number(launch.input.device()),
             launch.inputImage ? launch.inputImage->place() : 0, entry.output.index() + 1,
             launch.outputImage ? launch.outputImage->place() : 0, number(entry.slot->result.get()),
             number(launch.result.device())},
            launch.filters};
}

Status FrameRunner::handOver(InFlight &entry)
{
    JETSCOPE_TRY(cpuCarriesPixels() ? m_resources->sync().deviceToCpu(entry.work)
                                    : m_resources->sync().deviceToGl(entry.work));
    entry.handedOver = true;
    m_resources->output().feedGl(entry.output.index(), entry.work.frame);
    m_sink.emit({entry.work.frame, entry.number, entry.captureNs}, *m_resources, std::move(entry.output));
    return entry.slot->result && m_cpuStage ? postResultJob(entry) : Status();
}

Status FrameRunner::handOverOldest()
{
    const auto oldest = firstNotHandedOver();
    return oldest == m_inFlight.end() ? Status() : handOver(*oldest);
}

Result<bool> FrameRunner::handOverReady()
{
    const auto oldest = firstNotHandedOver();
    if (oldest == m_inFlight.end())
        return false;
    return m_resources->sync().ready(oldest->work);
}

CpuJob FrameRunner::jobFor(const InFlight &entry)
{
    m_cpuJobTimes.push_back(nowNs());
    entry.slot->cpuStageBusy.store(true, std::memory_order_relaxed);
    CpuJob job;
    job.frame = entry.work.frame;
    job.work = m_config.cpuWork;
    // Keep the input until the job is done, even if the device finishes earlier.
    job.done = [slot = entry.slot, input = entry.input, wakeEvent = &m_wakeEvent]() mutable {
        input.reset();
        slot->cpuStageBusy.store(false, std::memory_order_release);
        wakeEvent->wake();
    };
    return job;
}

namespace {

Status waitForMemory(Device &device, const FrameWork &work)
{
    static const NameId kWait =
        internName("cudaEventSynchronize (attach)", Category::WaitMemory, Purpose::ManagedAttach);
    const SpanScope span(kWait, work.frame);
    return device.synchronize(*work.done);
}

} // namespace

void FrameRunner::postInputJob(const InFlight &entry)
{
    CpuJob job = jobFor(entry);
    TransferBuffer *input = entry.input->buffer();
    job.layout = m_resources->pool()->layout();
    job.halve = true;
    job.handOver = [input, device = &m_resources->device(), work = entry.work] {
        return input->cpuWaitsForEvent() ? waitForMemory(*device, work) : Status();
    };
    job.picture = [input] { return input->readShared(); };
    m_cpuStage->post(std::move(job));
}

Status FrameRunner::postResultJob(const InFlight &entry)
{
    TransferBuffer *result = entry.slot->result.get();
    FrameSync *sync = &m_resources->sync();
    CpuJob job = jobFor(entry);
    const ImageLayout &input = m_resources->pool()->layout();
    job.layout = makeImageLayout(PixelFormat::Grey8, (input.width + 1) / 2, (input.height + 1) / 2);
    job.picture = [result] { return result->read(); };
    job.points = entry.points;
    if (result->fetchNeedsIdleDevice()) {
        JETSCOPE_TRY(result->fetch(entry.work.frame));
        job.handOver = [] { return Status(); };
    } else {
        const bool waited = sync->cpuWaitsOnPipelineThread();
        job.handOver = [result, sync, waited, device = &m_resources->device(), work = entry.work]() -> Status {
            if (!waited)
                JETSCOPE_TRY(sync->deviceToCpu(work));
            return result->cpuWaitsForEvent() ? waitForMemory(*device, work) : Status();
        };
    }
    m_cpuStage->post(std::move(job));
    if (m_config.cpuStage == CpuStagePlacement::Serial) {
        static const NameId kWait = internName("wait for CPU stage", Category::WaitSlot, Purpose::CpuStageSlot);
        const SpanScope span(kWait, entry.work.frame);
        m_cpuStage->waitIdle();
    }
    return {};
}

Status FrameRunner::service()
{
    JETSCOPE_TRY(giveBack());
    return m_resources->timer().collect();
}

Status FrameRunner::giveBack()
{
    JETSCOPE_TRY(retire());
    m_resources->deviceContext()->externalBuffers->prune();
    m_sink.service(*m_resources);
    m_queue.collect(); // After the fences were checked, so that the work before them has its end times.
    if (std::optional<Error> error = m_queue.takeError())
        return *error;
    if (m_cpuStage) {
        m_events.channel().addAnswers(m_cpuStage->takeAnswers());
        if (std::optional<Error> error = m_cpuStage->takeError())
            return *error;
    }
    return {};
}

Status FrameRunner::retire()
{
    while (!m_inFlight.empty() && m_inFlight.front().handedOver) {
        JETSCOPE_TRY_ASSIGN(const bool done, m_resources->device().query(*m_inFlight.front().work.done));
        if (!done)
            return {};
        m_resources->timer().completed(m_inFlight.front().work.frame, nowNs());
        m_inFlight.pop_front(); // Returns the input buffer unless the CPU stage still reads it.
    }
    return {};
}

Status FrameRunner::drain()
{
    while (handOverPending())
        JETSCOPE_TRY(handOverOldest());
    JETSCOPE_TRY(m_resources->device().synchronize());
    if (m_cpuStage)
        m_cpuStage->waitIdle();
    JETSCOPE_TRY(m_queue.finish(m_resources->device()));
    JETSCOPE_TRY(giveBack());
    return m_resources->timer().finish();
}

std::int64_t FrameRunner::resolvedNs()
{
    std::int64_t ns = std::min(m_resources->timer().resolvedNs(), m_sink.resolvedNs());
    const std::size_t pending = m_cpuStage ? m_cpuStage->pending() : 0;
    while (m_cpuJobTimes.size() > pending)
        m_cpuJobTimes.pop_front();
    return m_cpuJobTimes.empty() ? ns : std::min(ns, m_cpuJobTimes.front());
}

std::optional<std::uint64_t> FrameRunner::sourceIndexOf(std::uint32_t frame) const
{
    const std::lock_guard lock(m_indexMutex);
    for (const auto &[number, index] : m_sourceIndices)
        if (number == frame)
            return index;
    return std::nullopt;
}

} // namespace jetscope
