// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/softdevice.h"

#include "core/measure/probe/memorywalk.h"
#include "gpu/device/copyranges.h"
#include "gpu/device/hostmemory.h"
#include "gpu/filters/cpufilters.h"
#include "gpu/soft/softimage.h"
#include "gpu/soft/softmemory.h"
#include "gpu/soft/softstream.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <unistd.h>

namespace jetscope {

namespace {

/// An event of the software iGPU: its latest record, or the GL fence from which it was created.
class SoftEvent final : public Event {
public:
    explicit SoftEvent(bool timed) : m_timed(timed) {}
    explicit SoftEvent(GlFence fence) : m_timed(false), m_fence(std::move(fence)) {}

    bool timed() const { return m_timed; }
    const std::optional<GlFence> &fence() const { return m_fence; }

    /// Null before the first record. Any thread: other threads may wait while the pipeline thread records again.
    std::shared_ptr<Completion> latest() const
    {
        const std::lock_guard lock(m_mutex);
        return m_latest;
    }
    void setLatest(std::shared_ptr<Completion> completion)
    {
        const std::lock_guard lock(m_mutex);
        m_latest = std::move(completion);
    }

private:
    const bool m_timed;
    const std::optional<GlFence> m_fence;
    mutable std::mutex m_mutex;
    std::shared_ptr<Completion> m_latest;
};

/// A wait for one record of an event. Mesa has no sync object that lets GL wait for the CPU, so the GL queue's thread
/// waits. This is why a software iGPU has a threaded GL queue.
class SoftGlWait final : public GlWait {
public:
    explicit SoftGlWait(std::shared_ptr<Completion> completion) : m_completion(std::move(completion)) {}
    Status serverWait() override
    {
        m_completion->wait(WaitPolicy::Block);
        return {};
    }

private:
    std::shared_ptr<Completion> m_completion;
};

/// A word in ordinary memory; work that writes it shares it.
class SoftFlag final : public StreamFlag {
public:
    explicit SoftFlag(std::shared_ptr<std::uint32_t> word) : StreamFlag(word.get()), m_word(std::move(word)) {}
    const std::shared_ptr<std::uint32_t> &word() const { return m_word; }

private:
    std::shared_ptr<std::uint32_t> m_word;
};

/// The recorded list of work; launches that are queued share it.
class SoftGraph final : public Graph {
public:
    using Work = std::vector<SoftStream::Task>;

    explicit SoftGraph(Work work) : m_work(std::make_shared<const Work>(std::move(work))) {}
    const std::shared_ptr<const Work> &work() const { return m_work; }

private:
    const std::shared_ptr<const Work> m_work;
};

thread_local bool insideHostFunction = false;

SoftStream &asSoft(Stream &stream)
{
    return static_cast<SoftStream &>(stream);
}

SoftEvent &asSoft(Event &event)
{
    return static_cast<SoftEvent &>(event);
}

const SoftEvent &asSoft(const Event &event)
{
    return static_cast<const SoftEvent &>(event);
}

} // namespace

SoftDevice::SoftDevice(const SoftProfile &profile, std::shared_ptr<EglDisplay> display)
    : Device(softFacts(profile, display != nullptr)),
      m_display(std::move(display)),
      m_rules(profile.concurrentManagedAccess)
{
}

SoftDevice::~SoftDevice() = default;

Result<std::unique_ptr<Buffer>> SoftDevice::allocate(Allocation kind, std::size_t bytes)
{
    if (kind == Allocation::Pageable)
        return allocatePageable(bytes);
    if (kind == Allocation::System)
        return m_facts.systemMemory.available ? allocateSystem(bytes) : Error{"malloc", 0, m_facts.systemMemory.reason};
    JETSCOPE_TRY(outcome("cudaMalloc"));
    if (bytes == 0)
        return Error{"cudaMalloc", 1, "an allocation of 0 bytes has no address"};
    if (kind == Allocation::Managed)
        return SoftManagedBuffer::allocate(bytes, m_rules);
    if (kind == Allocation::Exported)
        return m_facts.dmabuf.available ? SoftExportedBuffer::allocate(bytes)
                                        : Error{"cuMemHostAlloc", 801, m_facts.dmabuf.reason};
    if (kind == Allocation::Pool)
        return Error{"cudaMallocAsync", 1, "memory of a pool is allocated in a stream; use allocateInStream"};
    if (kind == Allocation::Registered || kind == Allocation::RegisteredIo)
        return Error{"cudaHostRegister", 1, "registering needs the caller's memory; use registerHost"};
    return SoftBuffer::allocate(kind, bytes);
}

Result<std::unique_ptr<Buffer>> SoftDevice::registerHost(std::byte *memory, std::size_t bytes)
{
    return registered(Allocation::Registered, m_facts.hostRegister, memory, bytes);
}

Result<std::unique_ptr<Buffer>> SoftDevice::registerIoMemory(std::byte *memory, std::size_t bytes)
{
    return registered(Allocation::RegisteredIo, m_facts.hostRegisterIo, memory, bytes);
}

Result<std::unique_ptr<Buffer>> SoftDevice::registered(Allocation kind, const Capability &capability, std::byte *memory,
                                                       std::size_t bytes)
{
    JETSCOPE_TRY(outcome("cudaHostRegister"));
    if (!capability.available)
        return Error{"cudaHostRegister", 801, capability.reason};
    if (!memory || bytes == 0 || reinterpret_cast<std::uintptr_t>(memory) % pageRounded(1) != 0)
        return Error{"cudaHostRegister", 1, "the memory must start on a page; allocate it page-aligned"};
    return SoftBuffer::registered(kind, memory, bytes);
}

/// Pages of an integrated GPU stay where they are; what is discarded is filled, so that a reader sees it.
Status SoftDevice::prefetch(Buffer &managed, PrefetchTo, Content content, Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaMemPrefetchAsync"));
    if (managed.allocation() != Allocation::Managed)
        return Error{"cudaMemPrefetchAsync", 1,
                     "only managed memory can be prefetched; allocate it with cudaMallocManaged"};
    if (!m_facts.prefetch.available)
        return Error{"cudaMemPrefetchAsync", 101, m_facts.prefetch.reason};
    std::byte *const discarded = content == Content::Discarded ? managed.device() : nullptr;
    asSoft(stream).submit([discarded, bytes = managed.bytes()](StreamWorker &) {
        constexpr int kDiscarded = 0xDD;
        if (discarded)
            std::memset(discarded, kDiscarded, bytes);
        return Status();
    });
    return {};
}

Result<std::unique_ptr<Buffer>> SoftDevice::allocateInStream(std::size_t bytes, Stream &stream)
{
    if (!facts().memoryPools.available)
        return Device::allocateInStream(bytes, stream);
    JETSCOPE_TRY(outcome("cudaMallocAsync"));
    if (bytes == 0)
        return Error{"cudaMallocAsync", 1, "an allocation of 0 bytes has no address"};
    return m_pool.allocate(bytes, asSoft(stream).id());
}

Status SoftDevice::freeInStream(Buffer &pooled, Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaFreeAsync"));
    if (pooled.allocation() != Allocation::Pool)
        return Error{"cudaFreeAsync", 1, "only memory of a pool can be freed in a stream"};
    const std::uint64_t place = asSoft(stream).submit([](StreamWorker &) { return Status(); });
    return m_pool.free(pooled, asSoft(stream).id(), place) ? Status()
                                                           : Error{"cudaFreeAsync", 1, "the memory was freed before"};
}

Status SoftDevice::keepInPool(std::uint64_t bytes)
{
    if (!facts().memoryPools.available)
        return Device::keepInPool(bytes);
    JETSCOPE_TRY(outcome("cudaMemPoolSetAttribute"));
    m_pool.keep(bytes);
    return {};
}

Result<int> SoftDevice::exportDmabuf(Buffer &exported)
{
    JETSCOPE_TRY(outcome("cuMemGetHandleForAddressRange"));
    if (exported.allocation() != Allocation::Exported)
        return Error{"cuMemGetHandleForAddressRange", 1, "only pinned memory that was allocated for it is exported"};
    return static_cast<SoftExportedBuffer &>(exported).dmabuf();
}

void SoftDevice::observed(const Completion &completion, bool waited)
{
    m_rules.observed(completion.streamId(), completion.sequence());
    if (waited)
        m_pool.observed(completion.streamId(), completion.sequence());
}

Status SoftDevice::attach(Buffer &managed, Attach target, Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaStreamAttachMemAsync"));
    if (managed.allocation() != Allocation::Managed)
        return Error{"cudaStreamAttachMemAsync", 1,
                     "only managed memory can be attached; allocate it with cudaMallocManaged"};
    const std::uint64_t place = asSoft(stream).submit([](StreamWorker &) { return Status(); });
    m_rules.attached(managed, target, asSoft(stream).id(), place);
    return {};
}

Status SoftDevice::copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaMemcpyAsync"));
    JETSCOPE_TRY(checkCopy(to, from));
    std::byte *target = copyTarget(to, kind);
    const std::byte *source = copySource(from, kind);
    if (!target || !source)
        return Error{"cudaMemcpyAsync", 1, "source and destination must be addresses of this kind of copy"};
    asSoft(stream).submit([target, source, bytes = to.bytes](StreamWorker &) {
        std::memcpy(target, source, bytes);
        return Status();
    });
    return {};
}

Result<MemoryInfo> SoftDevice::memoryInfo()
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return MemoryInfo{static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * page,
                      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page};
}

Result<std::unique_ptr<Stream>> SoftDevice::createStream()
{
    JETSCOPE_TRY(outcome("cudaStreamCreate"));
    return std::unique_ptr<Stream>(std::make_unique<SoftStream>(*this, m_nextId++));
}

/// Waits also where an error is pending: afterwards nothing runs, whatever it returns.
Status SoftDevice::synchronize(Stream &stream)
{
    JETSCOPE_TRY(allowed("cudaStreamSynchronize"));
    JETSCOPE_TRY(notCapturing(&asSoft(stream), "cudaStreamSynchronize"));
    const std::shared_ptr<Completion> end = asSoft(stream).end();
    end->wait(waitPolicy());
    observed(*end, true);
    return outcome("cudaStreamSynchronize");
}

/// The same for all streams.
Status SoftDevice::synchronize()
{
    JETSCOPE_TRY(allowed("cudaDeviceSynchronize"));
    JETSCOPE_TRY(notCapturing(nullptr, "cudaDeviceSynchronize"));
    std::vector<std::shared_ptr<Completion>> ends;
    {
        const std::lock_guard lock(m_streamsMutex);
        for (SoftStream *stream : m_streams)
            ends.push_back(stream->end());
    }
    for (const std::shared_ptr<Completion> &end : ends) {
        end->wait(waitPolicy());
        observed(*end, true);
    }
    return outcome("cudaDeviceSynchronize");
}

Result<std::unique_ptr<Event>> SoftDevice::createEvent(Timing timing)
{
    JETSCOPE_TRY(outcome("cudaEventCreate"));
    return std::unique_ptr<Event>(std::make_unique<SoftEvent>(timing == Timing::On));
}

Status SoftDevice::record(Event &event, Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaEventRecord"));
    JETSCOPE_TRY(notCapturing(&asSoft(stream), "cudaEventRecord"));
    if (asSoft(event).fence())
        return Error{"cudaEventRecord", 1,
                     "an event made from an EGLSync cannot be recorded (rule D4); create another event"};
    asSoft(event).setLatest(asSoft(stream).mark());
    return {};
}

Status SoftDevice::wait(Stream &stream, const Event &event)
{
    JETSCOPE_TRY(outcome("cudaStreamWaitEvent"));
    if (asSoft(event).fence()) {
        asSoft(stream).submit([fence = *asSoft(event).fence()](StreamWorker &) { return fence.clientWait(); });
        return {};
    }
    const std::shared_ptr<Completion> completion = asSoft(event).latest();
    // Waiting for an event of the same stream, or for one that was never recorded, has no effect.
    if (!completion || completion->streamId() == asSoft(stream).id())
        return {};
    asSoft(stream).submit([completion](StreamWorker &) {
        completion->wait(WaitPolicy::Block);
        return Status();
    });
    return {};
}

Result<bool> SoftDevice::query(const Event &event)
{
    JETSCOPE_TRY(outcome("cudaEventQuery"));
    if (asSoft(event).fence())
        return asSoft(event).fence()->signalled();
    const std::shared_ptr<Completion> completion = asSoft(event).latest();
    if (!completion)
        return true;
    if (!completion->done())
        return false;
    observed(*completion, false);
    return true;
}

Status SoftDevice::synchronize(const Event &event)
{
    JETSCOPE_TRY(outcome("cudaEventSynchronize"));
    if (asSoft(event).fence())
        return asSoft(event).fence()->clientWait();
    if (const std::shared_ptr<Completion> completion = asSoft(event).latest()) {
        completion->wait(waitPolicy());
        observed(*completion, true);
    }
    return outcome("cudaEventSynchronize");
}

Result<std::int64_t> SoftDevice::elapsedNs(const Event &from, const Event &to)
{
    const std::shared_ptr<Completion> begin = asSoft(from).latest();
    const std::shared_ptr<Completion> end = asSoft(to).latest();
    if (!asSoft(from).timed() || !asSoft(to).timed() || !begin || !end)
        return Error{"cudaEventElapsedTime", 400, "both events must have timing and be recorded"};
    if (!begin->done() || !end->done())
        return Error{"cudaEventElapsedTime", 600, "an event is not complete yet; query it first"};
    return end->stampNs() - begin->stampNs();
}

std::optional<std::int64_t> SoftDevice::hostStampNs(const Event &event) const
{
    const std::shared_ptr<Completion> completion = asSoft(event).latest();
    return completion && completion->done() ? std::optional(completion->stampNs()) : std::nullopt;
}

Status SoftDevice::launchHost(Stream &stream, std::function<void()> function)
{
    JETSCOPE_TRY(outcome("cudaLaunchHostFunc"));
    asSoft(stream).submit([function = std::move(function)](StreamWorker &) {
        insideHostFunction = true;
        function();
        insideHostFunction = false;
        return Status();
    });
    return {};
}

Status SoftDevice::Stages::waitForWork(std::span<const Filter> next)
{
    Status waited = m_owner.synchronize();
    if (!waited.ok() && !next.empty())
        m_owner.noteError(waited.error()); // Of frames, which failed whatever is prepared: the next call says so, too.
    return waited;
}

Status SoftDevice::launch(const ChainLaunch &work, Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaLaunchKernel"));
    JETSCOPE_TRY(checkCpuFilters(work.filters));
    JETSCOPE_TRY_ASSIGN(std::vector<StageInstance *> stages,
                        m_stages.of(work.filters, work.inputLayout.width, work.inputLayout.height));
    const auto run = [this, work, stages = std::move(stages)](StreamWorker &worker) -> Status {
        JETSCOPE_TRY_ASSIGN(const std::uint64_t emulated, worker.execute(work, stages));
        m_emulationBytes.fetch_add(emulated, std::memory_order_relaxed);
        return {};
    };
    submitKernel(asSoft(stream), run);
    return {};
}

void SoftDevice::submitKernel(SoftStream &stream, std::function<Status(StreamWorker &)> run)
{
    const bool isCaptured = stream.isCapturing();
    const std::uint64_t place = stream.submit(std::move(run));
    if (!isCaptured)
        m_rules.launched(stream.id(), place);
}

Status SoftDevice::readMemory(const BufferRange &memory, int passes, Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaLaunchKernel"));
    if (!memory.device() || !memory.fits())
        return Error{"cudaLaunchKernel", 1, "the device has no address for this memory"};
    submitKernel(asSoft(stream), [from = memory.device(), bytes = memory.bytes, passes](StreamWorker &) {
        readThrough(from, bytes, passes);
        return Status();
    });
    return {};
}

Status SoftDevice::setWaitPolicy(WaitPolicy policy)
{
    // "auto" lets the device choose: the CPU also acts as the GPU, so no core is free for spinning.
    m_waitPolicy.store(policy == WaitPolicy::Auto ? WaitPolicy::Block : policy, std::memory_order_relaxed);
    return {};
}

WaitPolicy SoftDevice::waitPolicy() const
{
    return m_waitPolicy.load(std::memory_order_relaxed);
}

Result<std::unique_ptr<Image>> SoftDevice::registerEglImage(void *eglImage, int width, int height)
{
    JETSCOPE_TRY(outcome("cudaGraphicsEGLRegisterImage"));
    if (!m_facts.eglImage.available)
        return Error{"cudaGraphicsEGLRegisterImage", 801, m_facts.eglImage.reason};
    if (!eglImage)
        return Error{"cudaGraphicsEGLRegisterImage", 1, "there is no EGLImage to register"};
    return std::unique_ptr<Image>(std::make_unique<SoftImage>(*this, m_nextId++, eglImage, width, height));
}

Result<std::unique_ptr<Event>> SoftDevice::eventFromFence(const GlFence &fence)
{
    JETSCOPE_TRY(outcome("cudaEventCreateFromEGLSync"));
    return std::unique_ptr<Event>(std::make_unique<SoftEvent>(fence));
}

Result<std::unique_ptr<GlWait>> SoftDevice::glWaitFor(const Event &event)
{
    JETSCOPE_TRY(outcome("eglCreateSync"));
    std::shared_ptr<Completion> completion = asSoft(event).latest();
    if (!completion)
        return Error{"eglCreateSync(EGL_SYNC_CUDA_EVENT_NV)", 0,
                     "the event must be recorded before the sync is made (rule D2)"};
    return std::unique_ptr<GlWait>(std::make_unique<SoftGlWait>(std::move(completion)));
}

Status SoftDevice::notCapturing(SoftStream *stream, const char *call)
{
    bool isCapturing = false;
    const std::lock_guard lock(m_streamsMutex);
    for (SoftStream *each : m_streams) {
        if ((stream && stream != each) || !each->isCapturing())
            continue;
        each->invalidateCapture();
        isCapturing = true;
    }
    if (isCapturing)
        return Error{call, 900, "work that is being captured does not run, so nothing can wait for it (rule B8)"};
    return {};
}

Status SoftDevice::beginCapture(Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaStreamBeginCapture"));
    if (asSoft(stream).isCapturing())
        return Error{"cudaStreamBeginCapture", 1, "the stream is being captured already; end that capture first"};
    asSoft(stream).beginCapture();
    return {};
}

Result<std::unique_ptr<Graph>> SoftDevice::endCapture(Stream &stream, std::unique_ptr<Graph>)
{
    std::optional<SoftGraph::Work> work = asSoft(stream).endCapture();
    if (!work)
        return Error{"cudaStreamEndCapture", 901, "a call in between made the capture invalid"};
    return std::unique_ptr<Graph>(std::make_unique<SoftGraph>(*std::move(work)));
}

/// All of it counts as kernels.
Status SoftDevice::launchGraph(Graph &graph, Stream &stream)
{
    JETSCOPE_TRY(outcome("cudaGraphLaunch"));
    const auto run = [work = static_cast<SoftGraph &>(graph).work()](StreamWorker &worker) -> Status {
        for (const SoftStream::Task &task : *work)
            JETSCOPE_TRY(task(worker));
        return {};
    };
    submitKernel(asSoft(stream), run);
    return {};
}

Result<std::unique_ptr<StreamFlag>> SoftDevice::createFlag()
{
    JETSCOPE_TRY(outcome("cudaHostAlloc"));
    return std::unique_ptr<StreamFlag>(std::make_unique<SoftFlag>(std::make_shared<std::uint32_t>(0)));
}

Status SoftDevice::write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream)
{
    JETSCOPE_TRY(outcome("cuStreamWriteValue32"));
    const std::shared_ptr<std::uint32_t> word = static_cast<SoftFlag &>(flag).word();
    if (order == WriteOrder::AnyTime) { // May come before the work in front of it, so it does.
        storeFlag(word.get(), value);
        return {};
    }
    asSoft(stream).submit([word, value](StreamWorker &) {
        storeFlag(word.get(), value);
        return Status();
    });
    return {};
}

void SoftDevice::noteError(Error error)
{
    const std::lock_guard lock(m_errorMutex);
    if (!m_error)
        m_error = std::move(error);
}

void SoftDevice::addStream(SoftStream &stream)
{
    const std::lock_guard lock(m_streamsMutex);
    m_streams.push_back(&stream);
}

void SoftDevice::removeStream(SoftStream &stream)
{
    m_rules.ended(stream.id());
    m_pool.observed(stream.id(), UINT64_MAX);
    const std::lock_guard lock(m_streamsMutex);
    m_streams.erase(std::remove(m_streams.begin(), m_streams.end(), &stream), m_streams.end());
}

void SoftDevice::destroySiblings(std::uint64_t imageId)
{
    std::vector<std::shared_ptr<Completion>> ends;
    {
        const std::lock_guard lock(m_streamsMutex);
        for (SoftStream *stream : m_streams) {
            stream->submit([imageId](StreamWorker &worker) {
                worker.destroySibling(imageId);
                return Status();
            });
            ends.push_back(stream->end());
        }
    }
    // The EGLImage may be destroyed once this returns, so its siblings must be destroyed first.
    for (const std::shared_ptr<Completion> &end : ends)
        end->wait(WaitPolicy::Block);
}

Status SoftDevice::allowed(const char *call)
{
    if (insideHostFunction)
        return Error{call, 1, "a host function may not call the device (rule B1); hand the work to another thread"};
    return {};
}

Status SoftDevice::outcome(const char *call)
{
    JETSCOPE_TRY(allowed(call));
    const std::lock_guard lock(m_errorMutex);
    if (!m_error)
        return {};
    return *std::exchange(m_error, std::nullopt);
}

SoftImage::SoftImage(SoftDevice &device, std::uint64_t id, void *eglImage, int width, int height)
    : Image(width, height), m_device(device), m_id(id), m_eglImage(eglImage)
{
}

SoftImage::~SoftImage()
{
    m_device.destroySiblings(m_id);
}

} // namespace jetscope
