// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/probe/probe.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaflag.h"
#include "gpu/cuda/cudagraph.h"
#include "gpu/cuda/cudaimage.h"
#include "gpu/cuda/cudamemory.h"
#include "gpu/cuda/cudasemaphore.h"
#include "gpu/cuda/cudastamps.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/cuda/greencontext.h"
#include "gpu/cuda/kernels/kernelbinaries.h"
#include "gpu/cuda/kernels/readkernel.h"
#include "gpu/device/hostmemory.h"
#include "gpu/gl/api.h"
#include "gpu/gl/context.h"
#include "gpu/gl/display.h"
#include "gpu/gl/texture.h"

#include <chrono>
#include <thread>

namespace jetscope {

namespace {

constexpr int kProbeSide = 16;
constexpr std::size_t kProbeBytes = 65536;
constexpr std::chrono::seconds kLongestProbe{2}; ///< Of work that may never complete.

/// A GL context for the duration of the probe.
class ProbeContext {
public:
    explicit ProbeContext(const std::shared_ptr<EglDisplay> &display)
        : m_display(eglGetCurrentDisplay()),
          m_context(eglGetCurrentContext()),
          m_draw(eglGetCurrentSurface(EGL_DRAW)),
          m_read(eglGetCurrentSurface(EGL_READ)),
          m_own(EglContext::create(display))
    {
    }
    ~ProbeContext()
    {
        if (!m_own.ok())
            return;
        m_own.value()->doneCurrent();
        if (m_context != EGL_NO_CONTEXT)
            eglMakeCurrent(m_display, m_draw, m_read, m_context);
    }
    ProbeContext(const ProbeContext &) = delete;
    ProbeContext &operator=(const ProbeContext &) = delete;

    Status makeCurrent() { return m_own.ok() ? m_own.value()->makeCurrent() : m_own.error(); }
    void *native() const { return m_own.value()->native(); }

private:
    EGLDisplay m_display;
    EGLContext m_context;
    EGLSurface m_draw;
    EGLSurface m_read;
    Result<std::unique_ptr<EglContext>> m_own;
};

template <class T>
Capability capabilityOf(const Result<T> &tried)
{
    return tried.ok() ? Capability::yes() : Capability::no(tried.error().message());
}

Status tryEglImage(const std::shared_ptr<EglDisplay> &display, void *context)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlTexture> texture, GlTexture::create(kProbeSide, kProbeSide));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglImage> eglImage, EglImage::create(display, context, texture->id()));
    const auto image = registerCudaEglImage(eglImage->native(), kProbeSide, kProbeSide);
    return image.ok() ? Status() : image.error();
}

Status tryGlInterop(cudaStream_t stream)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlTexture> texture, GlTexture::create(kProbeSide, kProbeSide));
    JETSCOPE_TRY_ASSIGN(const auto image, registerCudaGlTexture(texture->id(), kProbeSide, kProbeSide));
    auto &registered = static_cast<CudaImage &>(*image);
    JETSCOPE_TRY(registered.map(stream));
    return registered.unmap(stream);
}

Status tryEglSync(const std::shared_ptr<EglDisplay> &display, const EventApi &events, cudaStream_t stream)
{
    const EGLSync fence = events.createSync(display->native(), EGL_SYNC_FENCE, nullptr);
    if (fence == EGL_NO_SYNC)
        return eglError("eglCreateSync(EGL_SYNC_FENCE)");
    glFlush();
    Status fromGl;
    {
        const auto event = CudaEvent::fromEglSync(events, fence);
        fromGl = event.ok() ? event.value()->makeWait(stream) : Status(event.error());
    }
    events.destroySync(display->native(), fence);
    JETSCOPE_TRY(fromGl);

    JETSCOPE_TRY_ASSIGN(const auto event, CudaEvent::create(events, Device::Timing::Off, false));
    JETSCOPE_TRY(event->record(stream, false));
    const Result<std::unique_ptr<CudaGlWait>> wait = event->glWait(display);
    return wait.ok() ? wait.value()->serverWait() : wait.error();
}

void probeEglStream(DeviceFacts &facts, const std::shared_ptr<EglDisplay> &display, Stream &stream)
{
    const Status arrays = tryEglStream(display, stream, FrameMemory::Array);
    facts.eglStreamArrays = arrays.ok();
    const Status either = arrays.ok() ? arrays : tryEglStream(display, stream, FrameMemory::Pitch);
    facts.eglStream = either.ok() ? Capability::yes() : Capability::no(either.error().message());
    const Status input =
        tryEglStreamInput(display, stream, facts.eglStreamArrays ? FrameMemory::Array : FrameMemory::Pitch);
    facts.eglStreamInput = input.ok() ? Capability::yes() : Capability::no(input.error().message());
}

/// Whether the number arrives, not only whether the call succeeds.
Status tryStreamFlag()
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Stream> stream, CudaStream::create());
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<CudaFlag> flag, CudaFlag::create());
    const cudaStream_t native = static_cast<CudaStream &>(*stream).native();
    JETSCOPE_TRY(flag->write(1, WriteOrder::AfterAll, native));
    JETSCOPE_TRY(cudaStatus("cudaStreamSynchronize", cudaStreamSynchronize(native)));
    if (!flag->isReached(1))
        return Error{"cuStreamWriteValue32", 0, "the CPU does not see what the stream wrote"};
    return {};
}

/// A graph of one copy: whether its bytes arrive, each time that it is launched.
Status tryGraph()
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Stream> stream, CudaStream::create());
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> from, CudaBuffer::allocate(Allocation::Pinned, 1));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> to, CudaBuffer::allocate(Allocation::Pinned, 1));
    const cudaStream_t native = static_cast<CudaStream &>(*stream).native();
    JETSCOPE_TRY(CudaGraph::beginCapture(native));
    const cudaError_t copied = cudaMemcpyAsync(to->host(), from->host(), 1, cudaMemcpyDefault, native);
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<CudaGraph> graph, CudaGraph::endCapture(native, nullptr));
    JETSCOPE_TRY(cudaStatus("cudaMemcpyAsync", copied));
    for (const std::byte value : {std::byte{1}, std::byte{2}}) {
        *from->host() = value;
        JETSCOPE_TRY(graph->launch(native));
        JETSCOPE_TRY(cudaStatus("cudaStreamSynchronize", cudaStreamSynchronize(native)));
        if (*to->host() != value)
            return Error{"cudaGraphLaunch", 0, "the graph did not do its work again"};
    }
    return {};
}

/// Whether kernels, copies and events of this context work in a stream of a green one.
Status tryGreenContext(int ordinal, const EventApi &events)
{
    const StreamShare half{StreamPriority::Normal, GpuShare::Half};
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Stream> stream, CudaStream::create({}, ordinal, half));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> memory, CudaBuffer::allocate(Allocation::Device, kProbeBytes));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> host, CudaBuffer::allocate(Allocation::Pinned, kProbeBytes));
    JETSCOPE_TRY_ASSIGN(const auto event, CudaEvent::create(events, Device::Timing::Off, false));
    const cudaStream_t native = static_cast<CudaStream &>(*stream).native();
    CUDA_TRY(cudaMemcpyAsync(memory->device(), host->host(), kProbeBytes, cudaMemcpyHostToDevice, native));
    JETSCOPE_TRY(cudaStatus("cudaLaunchKernel", cuda::readThrough(memory->device(), kProbeBytes, 1, native)));
    JETSCOPE_TRY(event->makeWait(native));
    JETSCOPE_TRY(event->record(native, false));
    JETSCOPE_TRY(event->synchronize());
    return cudaStatus("cudaStreamSynchronize", cudaStreamSynchronize(native));
}

Status tryPriorities()
{
    int least = 0;
    int greatest = 0;
    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    return least == greatest ? Status(sentence("all streams of this device have one priority")) : Status();
}

/// Whether the stream's work completes soon: for work that may never do so. Errors are left to the next call.
bool completesSoon(cudaStream_t stream)
{
    const auto end = std::chrono::steady_clock::now() + kLongestProbe;
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
        if (std::chrono::steady_clock::now() >= end)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

/// The same for the commands of the current context.
Status glCompletesSoon()
{
    const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    const GLenum waited = glClientWaitSync(
        fence, GL_SYNC_FLUSH_COMMANDS_BIT,
        static_cast<GLuint64>(std::chrono::duration_cast<std::chrono::nanoseconds>(kLongestProbe).count()));
    glDeleteSync(fence);
    if (waited == GL_TIMEOUT_EXPIRED)
        return Error{"glWaitSemaphoreEXT", 0, "what CUDA signals does not reach OpenGL ES"};
    return glStatus("glClientWaitSync");
}

/// Both directions, with an idle stream. A context of the display must be current. There are machines on which the one
/// side never sees what the other one signals, although both have imported the semaphore: nothing here waits for ever.
Status trySemaphore(int ordinal, const EglDisplay &display, cudaStream_t stream)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<CudaSemaphore> semaphore, CudaSemaphore::create(ordinal, display));
    if (!display.isInitialised())
        return Error{"vkCreateSemaphore", 0, "the EGL display was ended while Vulkan made a semaphore"};
    JETSCOPE_TRY(semaphore->glSignal(1));
    JETSCOPE_TRY(semaphore->wait(1, stream));
    if (!completesSoon(stream)) {
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Stream> other, CudaStream::create());
        const cudaStream_t native = static_cast<CudaStream &>(*other).native();
        JETSCOPE_TRY(semaphore->signal(1, native)); // Or the stream could not be used any more, nor be destroyed.
        static_cast<void>(completesSoon(stream));
        return Error{"cudaWaitExternalSemaphoresAsync", 0, "what OpenGL ES signals does not reach CUDA"};
    }
    JETSCOPE_TRY(semaphore->signal(2, stream));
    JETSCOPE_TRY(semaphore->glWait(2));
    JETSCOPE_TRY(glCompletesSoon());
    return cudaStatus("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

Capability outcomeOf(const Status &tried)
{
    return tried.ok() ? Capability::yes() : Capability::no(tried.error().message());
}

void probeStreams(DeviceFacts &facts, int ordinal, const EventApi &events)
{
    facts.streamFlags = outcomeOf(tryStreamFlag());
    facts.graphs = outcomeOf(tryGraph());
    facts.streamPriorities = outcomeOf(tryPriorities());
    facts.greenContexts = outcomeOf(tryGreenContext(ordinal, events));
}

/// Tries everything that is shared with GL; returns the reason if nothing can be shared.
Capability tryGl(DeviceFacts &facts, int ordinal, const std::shared_ptr<EglDisplay> &display, const EventApi &events)
{
    if (!display)
        return Capability::no("there is no EGL display");
    if (Capability match = canShareImages(display->vendor(), display->renderer(), display->gpu(), ordinal);
        !match.available)
        return match;
    ProbeContext context(display);
    if (Capability current = capabilityOf(context.makeCurrent()); !current.available)
        return current;
    const Result<std::unique_ptr<Stream>> stream = CudaStream::create();
    if (!stream.ok())
        return capabilityOf(stream);
    const cudaStream_t native = static_cast<CudaStream &>(*stream.value()).native();
    facts.eglImage = capabilityOf(tryEglImage(display, context.native()));
    facts.glInterop = capabilityOf(tryGlInterop(native));
    facts.eglSync = probeEglSync(display, events, native);
    probeEglStream(facts, display, *stream.value());
    facts.semaphores = outcomeOf(trySemaphore(ordinal, *display, native));
    return display->isInitialised() ? Capability::yes() : capabilityOf(display->initialiseAgain());
}

void probeGl(DeviceFacts &facts, int ordinal, const std::shared_ptr<EglDisplay> &display, const EventApi &events)
{
    if (const Capability shared = tryGl(facts, ordinal, display, events); !shared.available)
        facts.eglImage = facts.glInterop = facts.eglSync = facts.eglStream = facts.eglStreamInput = facts.semaphores =
            shared;
}

void probeMemory(DeviceFacts &facts)
{
    facts.kernelStamps = capabilityOf(createCudaStamps(1));
    facts.mapHostMemory = capabilityOf(CudaBuffer::allocate(Allocation::PinnedMapped, kProbeBytes));
    facts.managedMemory = capabilityOf(CudaBuffer::allocate(Allocation::Managed, kProbeBytes));
    const Result<HostMemory> memory = allocateHostMemory(kProbeBytes);
    facts.hostRegister = memory.ok()
        ? capabilityOf(CudaBuffer::registerHost(Allocation::Registered, memory.value().get(), kProbeBytes))
        : Capability::no(memory.error().message());
}

Status readAttributes(DeviceFacts &facts, int ordinal)
{
    const auto read = [ordinal](cudaDeviceAttr attribute, int &value) {
        return cudaStatus("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&value, attribute, ordinal));
    };
    int integrated = 0;
    int concurrent = 0;
    int pageable = 0;
    JETSCOPE_TRY(read(cudaDevAttrComputeCapabilityMajor, facts.computeMajor));
    JETSCOPE_TRY(read(cudaDevAttrComputeCapabilityMinor, facts.computeMinor));
    JETSCOPE_TRY(read(cudaDevAttrIntegrated, integrated));
    JETSCOPE_TRY(read(cudaDevAttrConcurrentManagedAccess, concurrent));
    JETSCOPE_TRY(read(cudaDevAttrPageableMemoryAccess, pageable));
    JETSCOPE_TRY(read(cudaDevAttrMultiProcessorCount, facts.multiprocessors));
    facts.integrated = integrated != 0;
    facts.concurrentManagedAccess = concurrent != 0;
    facts.pageableMemoryAccess = pageable != 0;
    facts.kernelBinaries = kernelBinaries(JETSCOPE_KERNEL_ARCHITECTURES, facts);
    cudaDeviceProp properties{};
    JETSCOPE_TRY(cudaStatus("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, ordinal)));
    facts.name = properties.name;
    return {};
}

} // namespace

Capability probeEglSync(const std::shared_ptr<EglDisplay> &display, const EventApi &events, cudaStream_t stream)
{
    return capabilityOf(tryEglSync(display, events, stream));
}

Result<DeviceFacts> probeCudaDevice(int ordinal, const std::shared_ptr<EglDisplay> &display, const EventApi &events)
{
    DeviceFacts facts;
    facts.id = "cuda:" + std::to_string(ordinal);
    JETSCOPE_TRY(readAttributes(facts, ordinal));
    reportAttributes(facts, ordinal);
    probeMemory(facts);
    probeStreams(facts, ordinal, events);
    probeMemoryKinds(facts, ordinal);
    probeGl(facts, ordinal, display, events);
    // Whether a camera's buffers can be registered is known only with the first one; here only a texture's EGLImage can
    // be tried.
    facts.nvBuf = facts.integrated ? facts.eglImage : Capability::no("NvBufSurface exists on a Jetson only");
    return facts;
}

} // namespace jetscope
