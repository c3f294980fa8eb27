// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/hazards/ledgerdevice.h"

#include "gpu/device/waitmeter.h"
#include "gpu/hazards/callernow.h"
#include "gpu/hazards/memoryuses.h"

namespace jetscope {

namespace {

thread_local bool t_insideHostFunction = false;

template <class Handle>
Result<std::unique_ptr<Handle>> watchedBy(const std::shared_ptr<HandleObserver> &observer,
                                          Result<std::unique_ptr<Handle>> handle)
{
    if (handle.ok())
        handle.value()->watch(observer);
    return handle;
}

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
      m_handles(m_ledger),
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
        buffer.value()->watch(m_handles.memory);
    }
    return buffer;
}

Result<std::unique_ptr<Image>> LedgerDevice::watched(Result<std::unique_ptr<Image>> image)
{
    if (image.ok()) {
        m_ledger->addImage(image.value().get(), image.value()->width(), image.value()->height(), callerNow());
        image.value()->watch(m_handles.memory);
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
        buffer.value()->watch(m_handles.memory);
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
        stream.value()->watch(m_handles.streams);
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
    return watchedBy(m_handles.events, ForwardingDevice::createEvent(timing));
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
    MemoryUses uses;
    uses.add(work.input, Access::Read);
    uses.add(work.inputImage, Access::Read);
    uses.add(work.output, Access::Write);
    uses.add(work.outputImage, Access::Write);
    uses.add(work.result, Access::Write);
    m_stages->launch(work, uses.all(), stream);
    return ForwardingDevice::launch(work, stream);
}

Result<std::unique_ptr<Semaphore>> LedgerDevice::createSemaphore()
{
    enter("cudaImportExternalSemaphore");
    return watchedBy(m_handles.semaphores, ForwardingDevice::createSemaphore());
}

Status LedgerDevice::signalSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream)
{
    enter("cudaSignalExternalSemaphoresAsync");
    m_ledger->signalSemaphore(&semaphore, value, &stream, callerNow());
    return ForwardingDevice::signalSemaphore(semaphore, value, stream);
}

Status LedgerDevice::waitSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream)
{
    enter("cudaWaitExternalSemaphoresAsync");
    m_ledger->waitSemaphore(&semaphore, value, &stream);
    return ForwardingDevice::waitSemaphore(semaphore, value, stream);
}

Result<std::unique_ptr<GlWait>> LedgerDevice::glWaitForSemaphore(Semaphore &semaphore, std::uint64_t value)
{
    Result<std::unique_ptr<GlWait>> wait = ForwardingDevice::glWaitForSemaphore(semaphore, value);
    if (wait.ok())
        m_ledger->syncFromSemaphore(wait.value().get(), &semaphore, value);
    return wait;
}

void LedgerDevice::glWillWaitForFence(const GlQueue &queue, const GlFence &fence)
{
    m_ledger->glWaitFence(&queue, fence.id());
}

void LedgerDevice::glSignalled(const GlQueue &queue, const Semaphore &semaphore, std::uint64_t value)
{
    m_ledger->glSignalSemaphore(&semaphore, value, &queue, callerNow());
}

Status LedgerDevice::beginCapture(Stream &stream)
{
    enter("cudaStreamBeginCapture");
    JETSCOPE_TRY(ForwardingDevice::beginCapture(stream));
    m_ledger->beginCapture(&stream);
    return {};
}

Result<std::unique_ptr<Graph>> LedgerDevice::endCapture(Stream &stream, std::unique_ptr<Graph> former)
{
    enter("cudaStreamEndCapture");
    Result<std::unique_ptr<Graph>> graph = ForwardingDevice::endCapture(stream, std::move(former));
    m_ledger->endCapture(&stream, graph.ok() ? graph.value().get() : nullptr);
    return watchedBy(m_handles.graphs, std::move(graph));
}

Status LedgerDevice::launchGraph(Graph &graph, Stream &stream)
{
    enter("cudaGraphLaunch");
    m_ledger->launchGraph(&graph, &stream, callerNow());
    return ForwardingDevice::launchGraph(graph, stream);
}

Result<std::unique_ptr<StreamFlag>> LedgerDevice::createFlag()
{
    enter("cudaHostAlloc");
    return watchedBy(m_handles.flags, ForwardingDevice::createFlag());
}

Status LedgerDevice::write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream)
{
    enter("cuStreamWriteValue32");
    m_ledger->writeFlag(&flag, value, order == WriteOrder::AfterAll, &stream);
    return ForwardingDevice::write(flag, value, order, stream);
}

bool LedgerDevice::reached(const StreamFlag &flag, std::uint32_t value)
{
    const bool is = ForwardingDevice::reached(flag, value);
    if (is)
        m_ledger->flagSeen(&flag, value, callerNow());
    return is;
}

Status LedgerDevice::readMemory(const BufferRange &memory, int passes, Stream &stream)
{
    enter("a kernel launch");
    MemoryUses uses;
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
        event.value()->watch(m_handles.events);
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
    MemoryUses shared;
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
    MemoryUses shared;
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
        producer.value()->watch(m_handles.producers);
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
        consumer.value()->watch(m_handles.consumers);
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
            image.watch(m_handles.memory);
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
