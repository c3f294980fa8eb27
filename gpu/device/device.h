// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazard.h"
#include "core/imagelayout.h"
#include "core/result.h"
#include "core/settings/choices.h"
#include "core/settings/devicefacts.h"
#include "gpu/base/kernelstamps.h"
#include "gpu/base/livecount.h"
#include "gpu/device/buffer.h"
#include "gpu/device/deviceobserver.h"
#include "gpu/device/streamflag.h"
#include "gpu/gl/fence.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

/// An in-order queue of device work. Belongs to the Device that made it, which must outlive it. The destructor waits
/// for the stream's work.
class Stream : public Watched {
    CountedHandle m_counted;
};

/// A point in a stream. Use the Device to record, wait, query and synchronize.
class Event : public Watched {
    CountedHandle m_counted;
};

/// An EGLImage (or GL texture) that launches read or write as an RGBA8 surface, registered once with flags 0.
/// Its texture must outlive it and never be respecified (rule C6).
class Image : public Watched {
public:
    int width() const { return m_width; }
    int height() const { return m_height; }
    /// A number for the memory that launches use now: no other image has it, and it changes when the memory does.
    std::uint64_t place() const { return m_place; }

protected:
    Image(int width, int height) : m_width(width), m_height(height) {}
    /// The image stands for other memory from now on.
    void moved() { m_place = s_places.fetch_add(1, std::memory_order_relaxed); }

private:
    inline static std::atomic<std::uint64_t> s_places{1};

    int m_width;
    int m_height;
    std::uint64_t m_place = s_places.fetch_add(1, std::memory_order_relaxed);
    CountedHandle m_counted;
};

/// The memory layout of an EGLStream's frames: block-linear like textures, or pitch-linear.
enum class FrameMemory : std::uint8_t { Array, Pitch };

class Device;
class SourceBuffer;
class StageHost;

/// The producing end of an EGLStream of RGBA8 frames; destroying it disconnects. Its consumer connected before and goes
/// after it. Used through the Device.
class FrameProducer : public Watched {
protected:
    friend class Device;

    virtual Result<std::unique_ptr<Image>> makeFrame() = 0;
    virtual Status present(Image &frame, Stream &stream) = 0;
    virtual Result<Image *> takeBack(Stream &stream) = 0;

private:
    CountedHandle m_counted;
};

/// The consuming end of an EGLStream; destroying it disconnects. Its producer connects after it and disconnects before
/// it goes. Used through the Device.
class FrameConsumer : public Watched {
public:
    struct Acquired {
        Image *image = nullptr; ///< Read-only, valid until `release`.
        ImageLayout layout;     ///< The pixel layout of the image.
    };

protected:
    friend class Device;

    virtual Result<std::optional<Acquired>> acquire(Stream &stream) = 0;
    virtual Status release(Stream &stream) = 0;

private:
    CountedHandle m_counted;
};

/// A wait for a device event that a GL queue can execute: the EGLSync of EGL_NV_cuda_event, or the software
/// iGPU's own object. Stands for the record that was the event's latest when it was made (rule D1). Used through the
/// Device.
class GlWait {
public:
    virtual ~GlWait() = default;

protected:
    friend class Device;

    virtual Status serverWait() = 0;
};

/// Work that a stream captured, to be launched as a whole and more than once (cudaGraphExec_t). It holds the addresses
/// that the work used, so whatever the work used must live as long as it is launched (rule B7). Used through the
/// Device.
class Graph : public Watched {
    CountedHandle m_counted;
};

/// A counter that the device and a GL context share (cudaExternalSemaphore_t); its values only grow. Used through the
/// Device, but for GL's calls, which are for the thread of that context. Destroyed there, too.
class Semaphore : public Watched {
public:
    /// glSignalSemaphoreEXT behind the context's commands so far, and a flush.
    virtual Status glSignal(std::uint64_t value) = 0;
    /// glWaitSemaphoreEXT: makes later commands of the context wait.
    virtual Status glWait(std::uint64_t value) = 0;

private:
    CountedHandle m_counted;
};

/// What of the device the work of a stream may use, and how urgent it is.
struct StreamShare {
    StreamPriority priority = StreamPriority::Normal;
    GpuShare share = GpuShare::All;

    bool isUsual() const { return priority == StreamPriority::Normal && share == GpuShare::All; }
};

/// A chain of filters over one frame, executed as one piece of device work: conversion to RGBA8, the filters
/// in order, the write of the output and, when asked for, of the half-size grey result.
/// Exactly one of `input` and `inputImage`, and one of `output` and `outputImage`, is set. Buffers and images live
/// until the work is done.
struct ChainLaunch {
    ImageLayout inputLayout;
    BufferRange input; ///< The whole frame, `inputLayout.bytes`.
    /// The frame's bytes as an RGBA8 texture: texel x of row y holds the bytes 4x..4x+3 of line y of the
    /// allocation, lines of all planes one after another, each `inputLayout.planes[0].pitch` bytes long. Or the frame
    /// itself, in its own planes, where the image was registered as such.
    Image *inputImage = nullptr;
    /// The source's own buffer that `inputImage` shows, for a stage that wraps it; null if there is none.
    SourceBuffer *sourceBuffer = nullptr;
    std::vector<Filter> filters;
    Image *outputImage = nullptr;
    BufferRange output; ///< RGBA8, `outputPitch` bytes a row.
    std::size_t outputPitch = 0;
    BufferRange result; ///< Grey8 of ((w+1)/2) x ((h+1)/2); no memory when the result is not wanted.
    std::size_t resultPitch = 0;
    std::uint64_t frame = 0;           ///< The number of the frame, for stages.
    KernelObserver *kernels = nullptr; ///< Called for each kernel; may be null. Devices without kernels do not use it.
};

/// The processor to which a prefetch moves managed memory, and whether what is in it is used there.
enum class PrefetchTo : std::uint8_t { Device, Host };
enum class Content : std::uint8_t { Kept, Discarded };

/// What a pool of stream-ordered memory has.
struct PoolUse {
    std::uint64_t releaseThreshold = 0;
    std::uint64_t reservedBytes = 0; ///< Of the system.
    std::uint64_t usedBytes = 0;     ///< Of these, by allocations.
};

struct MemoryInfo {
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
};

/// A GPU, or the software one, behind calls that mirror the CUDA runtime one to one. Only the pipeline thread
/// calls it, except for what says that any thread may.
/// Every failure carries call, code and remedy; failures of work in a stream come with a later call, as in CUDA.
class Device {
public:
    virtual ~Device() = default;

    const DeviceFacts &facts() const { return m_facts; }

    /// What it does for stages of the user's code (gpu/stages).
    virtual StageHost &stages() = 0;

    /// Its observers: a plain device has none, a decorator has itself before those of the device in it.
    const std::vector<DeviceObserver *> &observers() const { return m_observers; }
    /// Tells all of them: `device.tell(&DeviceObserver::glFenced, queue, fence)`. Any thread that the call allows.
    template <typename... Wanted, typename... Given>
    void tell(void (DeviceObserver::*what)(Wanted...), const Given &...given) const
    {
        for (DeviceObserver *const observer : m_observers)
            (observer->*what)(given...);
    }

    virtual Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes) = 0;
    /// cudaHostRegister(Mapped) on page-aligned memory that outlives the buffer.
    virtual Result<std::unique_ptr<Buffer>> registerHost(std::byte *memory, std::size_t bytes) = 0;
    /// cudaStreamAttachMemAsync of the whole allocation, in stream order. No effect where CMA = 1.
    virtual Status attach(Buffer &managed, Attach target, Stream &stream) = 0;
    /// cudaMemcpyAsync between two ranges of the same length.
    virtual Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) = 0;

    /// cudaHostRegister(Mapped | IoMemory), as `registerHost`.
    virtual Result<std::unique_ptr<Buffer>> registerIoMemory(std::byte *memory, std::size_t bytes);
    /// cudaMemPrefetchAsync of the whole allocation, in stream order. What the memory holds need not be moved if it is
    /// not kept.
    virtual Status prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream);
    /// cudaMallocAsync from the device's own pool: later work in the stream may use the memory, and other streams that
    /// are ordered behind this call.
    virtual Result<std::unique_ptr<Buffer>> allocateInStream(std::size_t bytes, Stream &stream);
    /// cudaFreeAsync: no later work may use the memory. The buffer is destroyed when the work so far is done.
    virtual Status freeInStream(Buffer &pooled, Stream &stream);
    /// cudaMemPoolAttrReleaseThreshold: what the pool keeps at a synchronization, though nobody uses it (rule A19).
    virtual Status keepInPool(std::uint64_t bytes);
    virtual Result<PoolUse> poolUse();
    /// A new file descriptor of an Allocation::Exported as a DMA-BUF, which the caller closes. The memory outlives its
    /// use by others.
    virtual Result<int> exportDmabuf(Buffer &exported);

    /// A non-blocking stream: it does not synchronize with the default stream.
    virtual Result<std::unique_ptr<Stream>> createStream() = 0;
    /// The same with a priority (cudaStreamCreateWithPriority) or in a green context.
    virtual Result<std::unique_ptr<Stream>> createStreamFor(const StreamShare &share);
    virtual Status synchronize(Stream &stream) = 0;
    virtual Status synchronize() = 0; ///< cudaDeviceSynchronize

    /// Use events with timing only to query and measure: a thread that waits for one spins, whatever the wait policy
    /// is.
    enum class Timing { On, Off };
    virtual Result<std::unique_ptr<Event>> createEvent(Timing timing) = 0;
    virtual Status record(Event &event, Stream &stream) = 0;
    virtual Status wait(Stream &stream, const Event &event) = 0; ///< cudaStreamWaitEvent
    /// Whether the latest record is complete; true for an event never recorded. Any thread.
    virtual Result<bool> query(const Event &event) = 0;
    virtual Status synchronize(const Event &event) = 0; ///< Any thread; waits according to the wait policy.
    /// The time between two completed records of events with timing. Any thread.
    virtual Result<std::int64_t> elapsedNs(const Event &from, const Event &to) = 0;
    /// The completion time of the event on the host's clock, if that is the device's only clock; none while it is not
    /// complete.
    virtual std::optional<std::int64_t> hostStampNs(const Event &) const { return std::nullopt; }

    /// cudaLaunchHostFunc: the function runs on a thread of the device; it must not call the device or wait for its
    /// work (B1).
    virtual Status launchHost(Stream &stream, std::function<void()> function) = 0;

    virtual Status launch(const ChainLaunch &work, Stream &stream) = 0;

    /// A flag whose value is 0.
    virtual Result<std::unique_ptr<StreamFlag>> createFlag();
    /// cuStreamWriteValue32, in stream order.
    virtual Status write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream);
    /// Whether the flag has the value or a later one. Any thread; calls no driver.
    virtual bool reached(const StreamFlag &flag, std::uint32_t value) { return flag.isReached(value); }

    /// cudaStreamBeginCapture: copies and launches go into a graph and are not executed, until `endCapture`. Meanwhile
    /// nothing may wait for the stream or ask for its state (rule B8).
    virtual Status beginCapture(Stream &stream);
    /// Also instantiates the graph; `former`, which is not in use, is updated in place of that if it has the same form.
    virtual Result<std::unique_ptr<Graph>> endCapture(Stream &stream, std::unique_ptr<Graph> former);
    /// cudaGraphLaunch
    virtual Status launchGraph(Graph &graph, Stream &stream);

    /// A semaphore of the calling thread's GL context, whose value is 0 (cudaImportExternalSemaphore).
    virtual Result<std::unique_ptr<Semaphore>> createSemaphore();
    /// cudaSignalExternalSemaphoresAsync and cudaWaitExternalSemaphoresAsync, in stream order.
    virtual Status signalSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream);
    virtual Status waitSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream);
    /// A wait of the semaphore's GL context. The semaphore outlives it.
    virtual Result<std::unique_ptr<GlWait>> glWaitForSemaphore(Semaphore &semaphore, std::uint64_t value);

    /// A kernel that only reads the range, `passes` times in full, to measure how fast the device reads memory. Not
    /// every device has it.
    virtual Status readMemory(const BufferRange &memory, int passes, Stream &stream);

    /// Memory into which kernels write their times. An error if facts().kernelStamps is not available, or if events are
    /// used as stamps.
    virtual Result<std::unique_ptr<KernelStamps>> createStamps(std::size_t slotCount);
    /// The stream id in CUPTI's records. An error if facts().cupti is not available.
    virtual Result<std::uint32_t> cuptiStreamId(const Stream &stream);

    virtual Status setWaitPolicy(WaitPolicy policy) = 0;
    virtual WaitPolicy waitPolicy() const = 0; ///< The policy that is really in force, read back.

    /// cudaGraphicsEGLRegisterImage(flags 0). `eglImage` is an EGLImage of the device's display.
    virtual Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) = 0;
    /// The same for a source's buffer that shows a frame of this layout in its own format and planes; read-only.
    virtual Result<std::unique_ptr<Image>> registerEglPicture(void *eglImage, const ImageLayout &layout);

    /// cudaEventCreateFromEGLSync. The event can only be waited for, never recorded or timed (D4).
    virtual Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) = 0;
    /// EGL_SYNC_CUDA_EVENT_NV. Call right after the event is recorded (D1).
    virtual Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) = 0;
    /// eglWaitSync: makes later GL commands of the current context wait. On the thread that runs the GL queue's
    /// commands.
    virtual Status glWait(GlWait &wait) { return wait.serverWait(); }

    /// GlFence::signalled and GlFence::clientWait, by which the pipeline orders its work behind GL's. Any thread.
    virtual bool signalled(const GlFence &fence) { return fence.signalled(); }
    virtual Status clientWait(const GlFence &fence) { return fence.clientWait(); }

    /// cudaGraphicsGLRegisterImage. The texture's context must be current on the calling thread.
    virtual Result<std::unique_ptr<Image>> registerGlTexture(unsigned texture, int width, int height);
    virtual Status map(Image &image, Stream &stream);
    virtual Status unmap(Image &image, Stream &stream);

    /// cudaEGLStreamProducerConnect. Call after the consumer has connected.
    virtual Result<std::unique_ptr<FrameProducer>> connectProducer(void *eglStream, int width, int height,
                                                                   FrameMemory memory);
    /// One more frame for launches to write. Outlives the producer once it was presented.
    virtual Result<std::unique_ptr<Image>> makeFrame(FrameProducer &producer) { return producer.makeFrame(); }
    /// cudaEGLStreamProducerPresentFrame, in stream order. The frame belongs to the EGLStream until it is taken back.
    virtual Status present(FrameProducer &producer, Image &frame, Stream &stream)
    {
        return producer.present(frame, stream);
    }
    /// cudaEGLStreamProducerReturnFrame: the oldest frame that the consumer is through with, for later work in `stream`
    /// to write; null when none came within the driver's time-out. The EGLStream keeps the newest frame that was
    /// presented.
    virtual Result<Image *> takeBack(FrameProducer &producer, Stream &stream) { return producer.takeBack(stream); }

    /// cudaEGLStreamConsumerConnect. Call before the producer connects.
    virtual Result<std::unique_ptr<FrameConsumer>> connectConsumer(void *eglStream);
    /// cudaEGLStreamConsumerAcquireFrame: the stream's next frame, for later work in `stream` to read; when there is no
    /// newer one within the driver's time-out, the last one once more; none when there was never any. One at a time.
    virtual Result<std::optional<FrameConsumer::Acquired>> acquire(FrameConsumer &consumer, Stream &stream)
    {
        return consumer.acquire(stream);
    }
    /// cudaEGLStreamConsumerReleaseFrame, behind the work in `stream` that reads the frame.
    virtual Status release(FrameConsumer &consumer, Stream &stream) { return consumer.release(stream); }

    virtual Result<MemoryInfo> memoryInfo() = 0;

    /// Whether the device has failed for good in this process, so that only a new process can use it.
    virtual bool isLost() { return false; }

    /// Bytes that were copied only to give a software device access to textures; 0 on a GPU. Any thread.
    virtual std::uint64_t emulationBytes() const { return 0; }

    /// The rules that were broken since the last call, oldest first.
    virtual std::vector<Hazard> takeHazards() { return {}; }

protected:
    explicit Device(DeviceFacts facts, std::vector<DeviceObserver *> observers = {})
        : m_facts(std::move(facts)), m_observers(std::move(observers))
    {
    }
    DeviceFacts m_facts;
    std::vector<DeviceObserver *> m_observers;
};

} // namespace jetscope
