// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudadevice.h"

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaflag.h"
#include "gpu/cuda/cudagraph.h"
#include "gpu/cuda/cudaimage.h"
#include "gpu/cuda/cudamemory.h"
#include "gpu/cuda/cudaprefetch.h"
#include "gpu/cuda/cudasemaphore.h"
#include "gpu/cuda/cudastamps.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/cuda/eglstream/eglpicture.h"
#include "gpu/cuda/eglstream/frameproducer.h"
#include "gpu/cuda/eglstream/streamreader.h"
#include "gpu/cuda/kernels/chainlaunch.h"
#include "gpu/cuda/kernels/readkernel.h"
#include "gpu/cuda/nvtxspans.h"
#include "gpu/cuda/probe/probe.h"
#include "gpu/cupti/cuptisession.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/device/copyranges.h"
#include "gpu/device/hostmemory.h"

namespace jetscope {

namespace {

unsigned scheduleFlag(WaitPolicy policy)
{
    switch (policy) {
    case WaitPolicy::Auto:
        return cudaDeviceScheduleAuto;
    case WaitPolicy::Spin:
        return cudaDeviceScheduleSpin;
    case WaitPolicy::Yield:
        return cudaDeviceScheduleYield;
    case WaitPolicy::Block:
        return cudaDeviceScheduleBlockingSync;
    }
    return cudaDeviceScheduleAuto;
}

/// Sets and reads the cudaDeviceSchedule flags of the current device, which apply to the whole process.
Status writeWaitPolicy(WaitPolicy policy)
{
    // Keep the other flags: this call replaces all of them.
    unsigned flags = 0;
    CUDA_TRY(cudaGetDeviceFlags(&flags));
    flags = (flags & ~static_cast<unsigned>(cudaDeviceScheduleMask)) | scheduleFlag(policy);
    CUDA_TRY(cudaSetDeviceFlags(flags & cudaDeviceMask));
    return {};
}

Result<WaitPolicy> readWaitPolicy()
{
    unsigned flags = 0;
    CUDA_TRY(cudaGetDeviceFlags(&flags));
    for (const WaitPolicy policy : {WaitPolicy::Spin, WaitPolicy::Yield, WaitPolicy::Block})
        if ((flags & cudaDeviceScheduleMask) == scheduleFlag(policy))
            return policy;
    return WaitPolicy::Auto;
}

/// Makes a device current on the calling thread. Costs nothing if it already is. The runtime keeps the current device
/// per thread, and the default is device 0.
Status makeDeviceCurrent(int ordinal)
{
    thread_local int current = -1;
    if (current == ordinal)
        return {};
    CUDA_TRY(cudaSetDevice(ordinal));
    current = ordinal;
    return {};
}

CudaStream &own(Stream &stream)
{
    return static_cast<CudaStream &>(stream);
}

CudaEvent &own(Event &event)
{
    return static_cast<CudaEvent &>(event);
}

const CudaEvent &own(const Event &event)
{
    return static_cast<const CudaEvent &>(event);
}

CudaImage &own(Image &image)
{
    return static_cast<CudaImage &>(image);
}

class CudaStages final : public StageSet {
public:
    using StageSet::StageSet;

    Status prepare(std::span<const Filter> filters, int width, int height) override
    {
        JETSCOPE_TRY(makeDeviceCurrent(device().ordinal));
        return StageSet::prepare(filters, width, height);
    }

private:
    Status waitForWork(std::span<const Filter>) override
    {
        CUDA_TRY(cudaDeviceSynchronize());
        return {};
    }
};

template <class Made, class Wanted>
Result<std::unique_ptr<Wanted>> as(Result<std::unique_ptr<Made>> made)
{
    if (!made.ok())
        return made.error();
    return std::unique_ptr<Wanted>(std::move(made).value());
}

} // namespace

CudaDevice::CudaDevice(int ordinal, std::shared_ptr<EglDisplay> display, DeviceFacts facts)
    : Device(std::move(facts)),
      m_ordinal(ordinal),
      m_display(std::move(display)),
      m_events(realEventApi()),
      m_stages(std::make_shared<CudaStages>(
          StageDevice{StageDevice::Memory::Cuda, ordinal, this->facts().computeMajor, this->facts().computeMinor}))
{
}

Result<std::unique_ptr<Device>> CudaDevice::open(int ordinal, std::shared_ptr<EglDisplay> display)
{
    showSpansToTools();
    static_cast<void>(cuptiOutcome(ordinal)); // Starts the trial, which continues in another process.
    JETSCOPE_TRY(makeDeviceCurrent(ordinal));
    CUDA_TRY(cudaFree(nullptr)); // Creates the context, so that its failure is reported here.
    JETSCOPE_TRY_ASSIGN(DeviceFacts facts, probeCudaDevice(ordinal, display, realEventApi()));
    const CuptiOutcome cupti = awaitCuptiOutcome(ordinal);
    facts.cupti = cupti.usable;
    facts.cuptiLibrary = cupti.library;
    std::unique_ptr<CudaDevice> device(new CudaDevice(ordinal, std::move(display), std::move(facts)));
    JETSCOPE_TRY_ASSIGN(const WaitPolicy policy, readWaitPolicy());
    device->m_blocking = policy == WaitPolicy::Block;
    return std::unique_ptr<Device>(std::move(device));
}

Result<std::unique_ptr<Buffer>> CudaDevice::allocate(Allocation kind, std::size_t bytes)
{
    if (kind == Allocation::Pageable)
        return allocatePageable(bytes);
    if (kind == Allocation::System)
        return m_facts.systemMemory.available ? allocateSystem(bytes) : Error{"malloc", 0, m_facts.systemMemory.reason};
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return CudaBuffer::allocate(kind, bytes);
}

Result<std::unique_ptr<Buffer>> CudaDevice::registerHost(std::byte *memory, std::size_t bytes)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.hostRegister.available)
        return Error{"cudaHostRegister", cudaErrorNotSupported, m_facts.hostRegister.reason};
    return CudaBuffer::registerHost(Allocation::Registered, memory, bytes);
}

Result<std::unique_ptr<Buffer>> CudaDevice::registerIoMemory(std::byte *memory, std::size_t bytes)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.hostRegisterIo.available)
        return Error{"cudaHostRegister", cudaErrorNotSupported, m_facts.hostRegisterIo.reason};
    return CudaBuffer::registerHost(Allocation::RegisteredIo, memory, bytes);
}

Status CudaDevice::prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (managed.allocation() != Allocation::Managed)
        return Error{"cudaMemPrefetchAsync", cudaErrorInvalidValue,
                     "only managed memory can be prefetched; allocate it with cudaMallocManaged"};
    return prefetchManaged(managed, side, content, m_ordinal, own(stream).native());
}

Result<CudaPool *> CudaDevice::pool()
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.memoryPools.available)
        return Error{"cudaMemPoolCreate", cudaErrorNotSupported, m_facts.memoryPools.reason};
    if (!m_pool) {
        JETSCOPE_TRY_ASSIGN(m_pool, CudaPool::create(m_ordinal));
    }
    return m_pool.get();
}

Result<std::unique_ptr<Buffer>> CudaDevice::allocateInStream(std::size_t bytes, Stream &stream)
{
    JETSCOPE_TRY_ASSIGN(CudaPool *const from, pool());
    return from->allocate(bytes, own(stream).native());
}

Status CudaDevice::freeInStream(Buffer &pooled, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (pooled.allocation() != Allocation::Pool)
        return Error{"cudaFreeAsync", cudaErrorInvalidValue, "only memory of a pool can be freed in a stream"};
    return CudaPool::free(pooled, own(stream).native());
}

Status CudaDevice::keepInPool(std::uint64_t bytes)
{
    JETSCOPE_TRY_ASSIGN(CudaPool *const of, pool());
    return of->keep(bytes);
}

Result<PoolUse> CudaDevice::poolUse()
{
    JETSCOPE_TRY_ASSIGN(CudaPool *const of, pool());
    return of->use();
}

Result<int> CudaDevice::exportDmabuf(Buffer &exported)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return CudaBuffer::exportDmabuf(exported);
}

Status CudaDevice::attach(Buffer &managed, Attach target, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (managed.allocation() != Allocation::Managed)
        return Error{"cudaStreamAttachMemAsync", cudaErrorInvalidValue,
                     "only managed memory can be attached; allocate it with cudaMallocManaged"};
    const unsigned flags = target == Attach::Global ? cudaMemAttachGlobal
        : target == Attach::Host                    ? cudaMemAttachHost
                                                    : cudaMemAttachSingle;
    // Length 0 means the whole allocation (rule A6).
    CUDA_TRY(cudaStreamAttachMemAsync(own(stream).native(), managed.device(), 0, flags));
    return {};
}

Status CudaDevice::copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream)
{
    JETSCOPE_TRY(checkCopy(to, from));
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    const cudaMemcpyKind direction = kind == CopyKind::HostToDevice ? cudaMemcpyHostToDevice
        : kind == CopyKind::DeviceToHost                            ? cudaMemcpyDeviceToHost
                                                                    : cudaMemcpyDeviceToDevice;
    CUDA_TRY(cudaMemcpyAsync(copyTarget(to, kind), copySource(from, kind), to.bytes, direction, own(stream).native()));
    return {};
}

Result<MemoryInfo> CudaDevice::memoryInfo()
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    MemoryInfo info;
    CUDA_TRY(cudaMemGetInfo(&info.freeBytes, &info.totalBytes));
    return info;
}

bool CudaDevice::isLost()
{
    // cudaFree(nullptr) has no effect but keeps reporting the error of a failed kernel.
    return isContextLost(cudaFree(nullptr));
}

Result<std::unique_ptr<Stream>> CudaDevice::createStream()
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return CudaStream::create(m_stages);
}

Result<std::unique_ptr<Stream>> CudaDevice::createStreamFor(const StreamShare &share)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return CudaStream::create(m_stages, m_ordinal, share);
}

Status CudaDevice::synchronize(Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    CUDA_TRY(cudaStreamSynchronize(own(stream).native()));
    return {};
}

Status CudaDevice::synchronize()
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    CUDA_TRY(cudaDeviceSynchronize());
    return {};
}

Result<std::unique_ptr<Event>> CudaDevice::createEvent(Timing timing)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return as<CudaEvent, Event>(CudaEvent::create(m_events, timing, waitsBlocking()));
}

Status CudaDevice::record(Event &event, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return own(event).record(own(stream).native(), waitsBlocking());
}

Status CudaDevice::wait(Stream &stream, const Event &event)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return own(event).makeWait(own(stream).native());
}

Result<bool> CudaDevice::query(const Event &event)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return own(event).query();
}

Status CudaDevice::synchronize(const Event &event)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return own(event).synchronize();
}

Result<std::int64_t> CudaDevice::elapsedNs(const Event &from, const Event &to)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return own(from).elapsedNsTo(own(to));
}

Status CudaDevice::setWaitPolicy(WaitPolicy policy)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    JETSCOPE_TRY(writeWaitPolicy(policy));
    m_blocking.store(waitPolicy() == WaitPolicy::Block, std::memory_order_relaxed);
    return {};
}

WaitPolicy CudaDevice::waitPolicy() const
{
    if (!makeDeviceCurrent(m_ordinal).ok())
        return WaitPolicy::Auto;
    const Result<WaitPolicy> policy = readWaitPolicy();
    return policy.ok() ? policy.value() : WaitPolicy::Auto;
}

Status CudaDevice::launchHost(Stream &stream, std::function<void()> function)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return own(stream).launchHost(std::move(function));
}

Result<std::unique_ptr<KernelStamps>> CudaDevice::createStamps(std::size_t slotCount)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return createCudaStamps(slotCount);
}

Result<std::uint32_t> CudaDevice::cuptiStreamId(const Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.cupti.available)
        return Device::cuptiStreamId(stream);
    JETSCOPE_TRY_ASSIGN(CuptiLibrary library, CuptiLibrary::load(m_facts.cuptiLibrary));
    return jetscope::cuptiStreamId(library, nullptr, static_cast<const CudaStream &>(stream).native());
}

Status CudaDevice::launch(const ChainLaunch &work, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    JETSCOPE_TRY_ASSIGN(const std::vector<StageInstance *> stages,
                        m_stages->of(work.filters, work.inputLayout.width, work.inputLayout.height));
    return launchChain(work, stages, own(stream));
}

Result<std::unique_ptr<Semaphore>> CudaDevice::createSemaphore()
{
    if (!m_facts.semaphores.available)
        return Device::createSemaphore();
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal)); // Of the GL queue's thread, too.
    return as<CudaSemaphore, Semaphore>(CudaSemaphore::create(m_ordinal, *m_display));
}

Status CudaDevice::signalSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return static_cast<CudaSemaphore &>(semaphore).signal(value, own(stream).native());
}

Status CudaDevice::waitSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return static_cast<CudaSemaphore &>(semaphore).wait(value, own(stream).native());
}

Status CudaDevice::beginCapture(Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return CudaGraph::beginCapture(own(stream).native());
}

Result<std::unique_ptr<Graph>> CudaDevice::endCapture(Stream &stream, std::unique_ptr<Graph> former)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    std::unique_ptr<CudaGraph> ours(static_cast<CudaGraph *>(former.release()));
    return as<CudaGraph, Graph>(CudaGraph::endCapture(own(stream).native(), std::move(ours)));
}

Status CudaDevice::launchGraph(Graph &graph, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return static_cast<CudaGraph &>(graph).launch(own(stream).native());
}

Result<std::unique_ptr<StreamFlag>> CudaDevice::createFlag()
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.streamFlags.available)
        return Device::createFlag();
    return as<CudaFlag, StreamFlag>(CudaFlag::create());
}

Status CudaDevice::write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return static_cast<CudaFlag &>(flag).write(value, order, own(stream).native());
}

Status CudaDevice::readMemory(const BufferRange &memory, int passes, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!memory.device() || !memory.fits())
        return Error{"cudaLaunchKernel", cudaErrorInvalidValue, "the device has no address for this memory"};
    return cudaStatus("cudaLaunchKernel",
                      cuda::readThrough(memory.device(), memory.bytes, passes, own(stream).native()));
}

Result<std::unique_ptr<Image>> CudaDevice::registerEglImage(void *eglImage, int width, int height)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.eglImage.available)
        return Error{"cudaGraphicsEGLRegisterImage", cudaErrorNotSupported, m_facts.eglImage.reason};
    return registerCudaEglImage(eglImage, width, height);
}

Result<std::unique_ptr<Image>> CudaDevice::registerEglPicture(void *eglImage, const ImageLayout &layout)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return jetscope::registerEglPicture(realEglFrameApi(), eglImage, layout);
}

Result<std::unique_ptr<Image>> CudaDevice::registerGlTexture(unsigned texture, int width, int height)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.glInterop.available)
        return Error{"cudaGraphicsGLRegisterImage", cudaErrorNotSupported, m_facts.glInterop.reason};
    return registerCudaGlTexture(texture, width, height);
}

Status CudaDevice::map(Image &image, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return own(image).map(own(stream).native());
}

Status CudaDevice::unmap(Image &image, Stream &stream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    return own(image).unmap(own(stream).native());
}

Result<std::unique_ptr<FrameProducer>> CudaDevice::connectProducer(void *eglStream, int width, int height,
                                                                   FrameMemory memory)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.eglStream.available)
        return Error{"cudaEGLStreamProducerConnect", cudaErrorNotSupported, m_facts.eglStream.reason};
    return as<CudaProducer, FrameProducer>(connectCudaProducer(eglStream, width, height, memory));
}

Result<std::unique_ptr<FrameConsumer>> CudaDevice::connectConsumer(void *eglStream)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.eglStreamInput.available)
        return Error{"cudaEGLStreamConsumerConnect", cudaErrorNotSupported, m_facts.eglStreamInput.reason};
    return connectCudaConsumer(eglStream);
}

Result<std::unique_ptr<Event>> CudaDevice::eventFromFence(const GlFence &fence)
{
    JETSCOPE_TRY(makeDeviceCurrent(m_ordinal));
    if (!m_facts.eglSync.available)
        return Error{"cudaEventCreateFromEGLSync", cudaErrorNotSupported, m_facts.eglSync.reason};
    void *sync = fence.native();
    // A signalled fence is like an event that was never recorded: waiting for it has no effect.
    if (!sync)
        return createEvent(Timing::Off);
    return as<CudaEvent, Event>(CudaEvent::fromEglSync(m_events, sync));
}

Result<std::unique_ptr<GlWait>> CudaDevice::glWaitFor(const Event &event)
{
    if (!m_facts.eglSync.available)
        return Error{"eglCreateSync(EGL_SYNC_CUDA_EVENT_NV)", 0, m_facts.eglSync.reason};
    return as<CudaGlWait, GlWait>(own(event).glWait(m_display));
}

} // namespace jetscope
