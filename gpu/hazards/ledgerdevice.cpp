// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/hazards/ledgerdevice.h"

#include "gpu/device/waitmeter.h"
#include "gpu/hazards/callernow.h"
#include "gpu/hazards/observedpoints.h"

#include <array>

namespace jetscope {

namespace {

thread_local bool t_insideHostFunction = false;

HazardLedger::Use useOf(const BufferRange &range, Access access)
{
    return {range.buffer, range.offset, range.bytes, access};
}

/// An image is used as a whole.
HazardLedger::Use useOf(const Image &image, Access access)
{
    return {&image, 0, 1, access};
}

/// The memory that a piece of work uses; allocates nothing.
class Uses {
public:
    void add(const BufferRange &range, Access access)
    {
        if (range)
            m_uses[m_count++] = useOf(range, access);
    }
    void add(const Image *image, Access access)
    {
        if (image)
            m_uses[m_count++] = useOf(*image, access);
    }
    std::span<const HazardLedger::Use> all() const { return {m_uses.data(), m_count}; }

private:
    std::array<HazardLedger::Use, 5> m_uses;
    std::size_t m_count = 0;
};

/// Tells the ledger of the end of one kind of handle.
class Observer final : public HandleObserver {
public:
    using Removal = void (*)(HazardLedger &ledger, const void *handle);

    Observer(std::shared_ptr<HazardLedger> ledger, Removal remove) : m_ledger(std::move(ledger)), m_remove(remove) {}
    void destroyed(const void *handle) override { m_remove(*m_ledger, handle); }

private:
    const std::shared_ptr<HazardLedger> m_ledger;
    const Removal m_remove;
};

void removeMemory(HazardLedger &ledger, const void *memory)
{
    ledger.removeMemory(memory, callerNow());
}

/// A member function of the ledger that needs no caller.
template <void (HazardLedger::*remove)(HazardLedger::Object)>
void removeHandle(HazardLedger &ledger, const void *handle)
{
    (ledger.*remove)(handle);
}

/// Tells the ledger of VPI's work.
class LedgerStages final : public ForwardingStageHost {
public:
    LedgerStages(StageHost &host, std::shared_ptr<HazardLedger> ledger)
        : ForwardingStageHost(host), m_ledger(std::move(ledger))
    {
    }
    Status prepare(std::span<const Filter> filters, int width, int height) override
    {
        JETSCOPE_TRY(ForwardingStageHost::prepare(filters, width, height));
        if (!leavesVpiWork(filters)) // A stage that went has waited for its work.
            m_ledger->endVpiWork();
        return {};
    }
    std::shared_ptr<StagePoints> points(std::span<const Filter> filters) override
    {
        return ObservedPoints::of(ForwardingStageHost::points(filters), [ledger = m_ledger](bool isSynchronized) {
            ledger->readVpiMemory(isSynchronized, callerNow());
        });
    }

private:
    const std::shared_ptr<HazardLedger> m_ledger;
};

HazardLedger::Conditions conditionsOf(const DeviceFacts &facts)
{
    return {facts.managedMemory.available && !facts.concurrentManagedAccess, facts.pinnedIsUncached(),
            !facts.kernelBinaries.available, facts.systemMemory.available};
}

} // namespace

LedgerDevice::LedgerDevice(std::unique_ptr<Device> device)
    : ForwardingDevice(std::move(device)),
      m_ledger(std::make_shared<HazardLedger>(conditionsOf(m_facts))),
      m_stages(std::make_unique<LedgerStages>(ForwardingDevice::stages(), m_ledger)),
      m_memory(std::make_shared<Observer>(m_ledger, removeMemory)),
      m_streams(std::make_shared<Observer>(m_ledger, removeHandle<&HazardLedger::removeStream>)),
      m_events(std::make_shared<Observer>(m_ledger, removeHandle<&HazardLedger::removeEvent>)),
      m_semaphores(std::make_shared<Observer>(m_ledger, removeHandle<&HazardLedger::removeSemaphore>)),
      m_graphs(std::make_shared<Observer>(m_ledger, removeHandle<&HazardLedger::removeGraph>)),
      m_flags(std::make_shared<Observer>(m_ledger, removeHandle<&HazardLedger::removeFlag>)),
      m_producers(std::make_shared<Observer>(m_ledger, removeHandle<&HazardLedger::removeProducer>)),
      m_consumers(std::make_shared<Observer>(m_ledger, removeHandle<&HazardLedger::removeConsumer>)),
      m_waitPolicy(waitPolicy())
{
}

LedgerDevice::~LedgerDevice() = default;

void LedgerDevice::enter(const char *call)
{
    if (t_insideHostFunction)
        m_ledger->callWithinHostFunction(call, callerNow());
}

Result<std::unique_ptr<Buffer>> LedgerDevice::watched(Result<std::unique_ptr<Buffer>> buffer)
{
    if (buffer.ok()) {
        m_ledger->addBuffer(buffer.value().get(), buffer.value()->allocation(), buffer.value()->bytes());
        buffer.value()->watch(m_memory);
    }
    return buffer;
}

Result<std::unique_ptr<Image>> LedgerDevice::watched(Result<std::unique_ptr<Image>> image)
{
    if (image.ok()) {
        m_ledger->addImage(image.value().get(), image.value()->width(), image.value()->height(), callerNow());
        image.value()->watch(m_memory);
    }
    return image;
}

Result<std::unique_ptr<Buffer>> LedgerDevice::allocate(Allocation kind, std::size_t bytes)
{
    enter("cudaMalloc");
    return watched(ForwardingDevice::allocate(kind, bytes));
}

Result<std::unique_ptr<Buffer>> LedgerDevice::registerHost(std::byte *memory, std::size_t bytes)
{
    enter("cudaHostRegister");
    Result<std::unique_ptr<Buffer>> buffer = ForwardingDevice::registerHost(memory, bytes);
    if (!buffer.ok() && m_facts.hostRegister.available)
        m_ledger->registrationFailed(bytes, callerNow());
    return watched(std::move(buffer));
}

Result<std::unique_ptr<Buffer>> LedgerDevice::registerIoMemory(std::byte *memory, std::size_t bytes)
{
    enter("cudaHostRegister");
    return watched(ForwardingDevice::registerIoMemory(memory, bytes));
}

Result<std::unique_ptr<Buffer>> LedgerDevice::allocateInStream(std::size_t bytes, Stream &stream)
{
    enter("cudaMallocAsync");
    Result<std::unique_ptr<Buffer>> buffer = ForwardingDevice::allocateInStream(bytes, stream);
    if (buffer.ok()) {
        m_ledger->addBufferInStream(buffer.value().get(), bytes, &stream, callerNow());
        buffer.value()->watch(m_memory);
    }
    return buffer;
}

Status LedgerDevice::freeInStream(Buffer &pooled, Stream &stream)
{
    enter("cudaFreeAsync");
    m_ledger->freeBufferInStream(&pooled, &stream, callerNow());
    return ForwardingDevice::freeInStream(pooled, stream);
}

Status LedgerDevice::keepInPool(std::uint64_t bytes)
{
    const Status kept = ForwardingDevice::keepInPool(bytes);
    if (kept.ok())
        m_ledger->keepInPool(bytes);
    return kept;
}

Status LedgerDevice::prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream)
{
    enter("cudaMemPrefetchAsync");
    m_ledger->prefetch(&managed, content == Content::Discarded, &stream, callerNow());
    return ForwardingDevice::prefetch(managed, side, content, stream);
}

Status LedgerDevice::attach(Buffer &managed, Attach target, Stream &stream)
{
    enter("cudaStreamAttachMemAsync");
    m_ledger->attach(&managed, target, &stream, callerNow());
    return ForwardingDevice::attach(managed, target, stream);
}

Status LedgerDevice::copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream)
{
    enter("cudaMemcpyAsync");
    m_ledger->copy(&stream, useOf(to, Access::Write), useOf(from, Access::Read), callerNow());
    return ForwardingDevice::copyAsync(to, from, kind, stream);
}

void LedgerDevice::beginCpuAccess(const BufferRange &range, Access access)
{
    m_ledger->beginCpuAccess(useOf(range, access), callerNow());
}

void LedgerDevice::endCpuAccess(const BufferRange &range, Access access)
{
    m_ledger->endCpuAccess(useOf(range, access));
}

void LedgerDevice::cpuAtomics(const BufferRange &range)
{
    m_ledger->cpuAtomics(useOf(range, Access::Write), callerNow());
}

Result<std::unique_ptr<Stream>> LedgerDevice::createStream()
{
    return watched(ForwardingDevice::createStream());
}

Result<std::unique_ptr<Stream>> LedgerDevice::createStreamFor(const StreamShare &share)
{
    return watched(ForwardingDevice::createStreamFor(share));
}

Result<std::unique_ptr<Stream>> LedgerDevice::watched(Result<std::unique_ptr<Stream>> stream)
{
    if (stream.ok()) {
        m_ledger->addStream(stream.value().get());
        stream.value()->watch(m_streams);
    }
    return stream;
}

void LedgerDevice::numberStream(const Stream &stream, int number)
{
    m_ledger->nameStream(&stream, "CUDA stream " + std::to_string(number));
}

Status LedgerDevice::setWaitPolicy(WaitPolicy policy)
{
    const Status set = ForwardingDevice::setWaitPolicy(policy);
    m_waitPolicy.store(waitPolicy(), std::memory_order_relaxed);
    return set;
}

template <typename Wait>
Status LedgerDevice::measured(const Wait &wait)
{
    const WaitMeter meter(m_waitPolicy.load(std::memory_order_relaxed));
    const Status status = wait();
    if (const std::optional<WaitCost> cost = meter.cost())
        m_ledger->waited(*cost, callerNow());
    return status;
}

Status LedgerDevice::synchronize(Stream &stream)
{
    enter("cudaStreamSynchronize");
    m_ledger->waitsFor(&stream, "cudaStreamSynchronize", callerNow());
    JETSCOPE_TRY(measured([&] { return ForwardingDevice::synchronize(stream); }));
    m_ledger->synchronize(&stream);
    return {};
}

Status LedgerDevice::synchronize()
{
    enter("cudaDeviceSynchronize");
    m_ledger->waitsFor(nullptr, "cudaDeviceSynchronize", callerNow());
    JETSCOPE_TRY(measured([&] { return ForwardingDevice::synchronize(); }));
    m_ledger->synchronizeAll();
    return {};
}

Result<std::unique_ptr<Event>> LedgerDevice::createEvent(Timing timing)
{
    Result<std::unique_ptr<Event>> event = ForwardingDevice::createEvent(timing);
    if (event.ok())
        event.value()->watch(m_events);
    return event;
}

Status LedgerDevice::record(Event &event, Stream &stream)
{
    enter("cudaEventRecord");
    m_ledger->record(&event, &stream, callerNow());
    return ForwardingDevice::record(event, stream);
}

Status LedgerDevice::wait(Stream &stream, const Event &event)
{
    enter("cudaStreamWaitEvent");
    m_ledger->wait(&stream, &event);
    return ForwardingDevice::wait(stream, event);
}

Result<bool> LedgerDevice::query(const Event &event)
{
    enter("cudaEventQuery");
    const Result<bool> done = ForwardingDevice::query(event);
    if (done.ok() && done.value())
        m_ledger->eventSeen(&event);
    return done;
}

Status LedgerDevice::synchronize(const Event &event)
{
    enter("cudaEventSynchronize");
    JETSCOPE_TRY(measured([&] { return ForwardingDevice::synchronize(event); }));
    m_ledger->eventWaited(&event);
    return {};
}

Status LedgerDevice::launchHost(Stream &stream, std::function<void()> function)
{
    enter("cudaLaunchHostFunc");
    const std::uint64_t place = m_ledger->appendHostFunction(&stream);
    return ForwardingDevice::launchHost(stream, [ledger = m_ledger, place, function = std::move(function)] {
        ledger->hostFunctionRuns(place);
        t_insideHostFunction = true;
        function();
        t_insideHostFunction = false;
    });
}

Status LedgerDevice::launch(const ChainLaunch &work, Stream &stream)
{
    enter("a kernel launch");
    Uses uses;
    uses.add(work.input, Access::Read);
    uses.add(work.inputImage, Access::Read);
    uses.add(work.output, Access::Write);
    uses.add(work.outputImage, Access::Write);
    uses.add(work.result, Access::Write);
    const std::vector<StageTouch> touches = m_stages->touches(work.filters, work.frame);
    if (touches.empty())
        m_ledger->launch(&stream, uses.all(), callerNow());
    else
        m_ledger->launch(&stream, withTouches(uses.all(), touches, work), callerNow());
    if (m_stages->leavesVpiWork(work.filters))
        m_ledger->leaveVpiWork(&stream);
    return ForwardingDevice::launch(work, stream);
}

/// The uses of a launch and those that its stages declare. Memory of a stage is known from its first use on.
std::vector<HazardLedger::Use> LedgerDevice::withTouches(std::span<const HazardLedger::Use> uses,
                                                         std::span<const StageTouch> touches, const ChainLaunch &work)
{
    std::vector<HazardLedger::Use> all(uses.begin(), uses.end());
    for (const StageTouch &touch : touches) {
        if (touch.memory) {
            if (m_stageMemory.insert(touch.memory).second)
                m_ledger->addBuffer(touch.memory, Allocation::Device, touch.bytes);
            all.push_back({touch.memory, 0, touch.bytes, touch.access});
        } else if (work.input) {
            all.push_back(useOf(work.input, touch.access));
        } else if (work.inputImage) {
            all.push_back(useOf(*work.inputImage, touch.access));
        }
    }
    return all;
}

Status LedgerDevice::readMemory(const BufferRange &memory, int passes, Stream &stream)
{
    enter("a kernel launch");
    Uses uses;
    uses.add(memory, Access::Read);
    m_ledger->launch(&stream, uses.all(), callerNow());
    return ForwardingDevice::readMemory(memory, passes, stream);
}

Result<std::unique_ptr<Image>> LedgerDevice::registerEglImage(void *eglImage, int width, int height)
{
    enter("cudaGraphicsEGLRegisterImage");
    return watched(ForwardingDevice::registerEglImage(eglImage, width, height));
}

Result<std::unique_ptr<Image>> LedgerDevice::registerEglPicture(void *eglImage, const ImageLayout &layout)
{
    enter("cudaGraphicsEGLRegisterImage");
    return watched(ForwardingDevice::registerEglPicture(eglImage, layout));
}

Result<std::unique_ptr<Image>> LedgerDevice::registerGlTexture(unsigned texture, int width, int height)
{
    enter("cudaGraphicsGLRegisterImage");
    return watched(ForwardingDevice::registerGlTexture(texture, width, height));
}

Status LedgerDevice::map(Image &image, Stream &stream)
{
    enter("cudaGraphicsMapResources");
    m_ledger->map(&stream);
    return ForwardingDevice::map(image, stream);
}

Status LedgerDevice::unmap(Image &image, Stream &stream)
{
    enter("cudaGraphicsUnmapResources");
    m_ledger->unmap(&stream);
    return ForwardingDevice::unmap(image, stream);
}

Result<std::unique_ptr<Event>> LedgerDevice::eventFromFence(const GlFence &fence)
{
    enter("cudaEventCreateFromEGLSync");
    Result<std::unique_ptr<Event>> event = ForwardingDevice::eventFromFence(fence);
    if (event.ok()) {
        m_ledger->eventFromFence(event.value().get(), fence.id());
        event.value()->watch(m_events);
    }
    return event;
}

Result<std::unique_ptr<GlWait>> LedgerDevice::glWaitFor(const Event &event)
{
    enter("eglCreateSync");
    Result<std::unique_ptr<GlWait>> wait = ForwardingDevice::glWaitFor(event);
    m_ledger->syncFromEvent(wait.ok() ? wait.value().get() : nullptr, &event, callerNow());
    return wait;
}

Status LedgerDevice::glWait(GlWait &wait)
{
    const Status waited = ForwardingDevice::glWait(wait);
    // A software device waits on the CPU; a GPU makes only its own later commands wait.
    m_ledger->syncExecuted(&wait, m_facts.software && waited.ok());
    return waited;
}

void LedgerDevice::glWill(const GlQueue &queue, std::uint64_t, std::span<const GlUse> uses)
{
    Uses shared;
    for (const GlUse &use : uses) {
        if (use.respecifies)
            m_ledger->glRespecify(&queue, use.image, callerNow());
        else
            shared.add(use.image, use.access);
    }
    m_ledger->glCommand(&queue, AccessKind::GlCommand, shared.all(), callerNow());
}

void LedgerDevice::glWillWait(const GlQueue &queue, const GlWait &wait)
{
    m_ledger->glWaitSync(&queue, &wait);
}

void LedgerDevice::glFenced(const GlQueue &queue, const GlFence &fence)
{
    m_ledger->glFence(&queue, fence.id());
}

void LedgerDevice::glFinished(const GlQueue &queue)
{
    m_ledger->glFinish(&queue);
}

void LedgerDevice::viewTakes(const GlUse &use, const GlFence &ready)
{
    Uses shared;
    shared.add(use.image, use.access);
    m_ledger->glWaitFence(this, ready.id()); // The device stands for the view's GL context.
    m_ledger->glCommand(this, AccessKind::View, shared.all(), callerNow());
}

void LedgerDevice::viewReleases(const GlUse &, const GlFence &afterSampling)
{
    m_ledger->glFence(this, afterSampling.id());
}

bool LedgerDevice::signalled(const GlFence &fence)
{
    const bool done = ForwardingDevice::signalled(fence);
    if (done)
        m_ledger->fenceSeen(fence.id());
    return done;
}

Status LedgerDevice::clientWait(const GlFence &fence)
{
    JETSCOPE_TRY(ForwardingDevice::clientWait(fence));
    m_ledger->fenceSeen(fence.id());
    return {};
}

Result<std::unique_ptr<FrameProducer>> LedgerDevice::connectProducer(void *eglStream, int width, int height,
                                                                     FrameMemory memory)
{
    enter("cudaEGLStreamProducerConnect");
    Result<std::unique_ptr<FrameProducer>> producer =
        ForwardingDevice::connectProducer(eglStream, width, height, memory);
    m_ledger->connectProducer(producer.ok() ? producer.value().get() : nullptr, {eglStream, width, height},
                              callerNow());
    if (producer.ok())
        producer.value()->watch(m_producers);
    return producer;
}

Result<std::unique_ptr<Image>> LedgerDevice::makeFrame(FrameProducer &producer)
{
    return watched(ForwardingDevice::makeFrame(producer));
}

Status LedgerDevice::present(FrameProducer &producer, Image &frame, Stream &stream)
{
    enter("cudaEGLStreamProducerPresentFrame");
    m_ledger->present(&producer, &frame, &stream, callerNow());
    return ForwardingDevice::present(producer, frame, stream);
}

Result<Image *> LedgerDevice::takeBack(FrameProducer &producer, Stream &stream)
{
    enter("cudaEGLStreamProducerReturnFrame");
    Result<Image *> taken = ForwardingDevice::takeBack(producer, stream);
    if (taken.ok() && taken.value())
        m_ledger->takeBack(taken.value());
    return taken;
}

Result<std::unique_ptr<FrameConsumer>> LedgerDevice::connectConsumer(void *eglStream)
{
    enter("cudaEGLStreamConsumerConnect");
    Result<std::unique_ptr<FrameConsumer>> consumer = ForwardingDevice::connectConsumer(eglStream);
    if (consumer.ok()) {
        m_ledger->connectConsumer(consumer.value().get(), eglStream);
        consumer.value()->watch(m_consumers);
    }
    return consumer;
}

Result<std::optional<FrameConsumer::Acquired>> LedgerDevice::acquire(FrameConsumer &consumer, Stream &stream)
{
    enter("cudaEGLStreamConsumerAcquireFrame");
    Result<std::optional<FrameConsumer::Acquired>> acquired = ForwardingDevice::acquire(consumer, stream);
    if (acquired.ok() && acquired.value()) {
        Image &image = *acquired.value()->image;
        if (m_ledger->acquire(&consumer, &image, image.width(), image.height(), &stream))
            image.watch(m_memory);
    }
    return acquired;
}

Status LedgerDevice::release(FrameConsumer &consumer, Stream &stream)
{
    enter("cudaEGLStreamConsumerReleaseFrame");
    m_ledger->release(&consumer, &stream, callerNow());
    return ForwardingDevice::release(consumer, stream);
}

void LedgerDevice::glConnected(const EglStreamConsumer &consumer, const void *eglStream)
{
    m_ledger->connectConsumer(&consumer, eglStream);
}

void LedgerDevice::glDisconnects(const EglStreamConsumer &consumer)
{
    m_ledger->removeConsumer(&consumer);
}

void LedgerDevice::glDrawsFrame(const EglStreamConsumer &consumer, std::uint64_t number)
{
    m_ledger->frameNumber(&consumer, number);
    m_ledger->glDrawsFrame(&consumer, callerNow());
}

void LedgerDevice::frameNumber(const FrameConsumer &consumer, std::uint64_t number)
{
    m_ledger->frameNumber(&consumer, number);
}

std::vector<Hazard> LedgerDevice::takeHazards()
{
    // A scope is declared before the device can catch its access, so the device is asked first.
    std::vector<Hazard> caught = ForwardingDevice::takeHazards();
    return m_caught.join(m_ledger->takeHazards(), std::move(caught));
}

} // namespace jetscope
