// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/devicefacts.h"
#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/device/kernelstamps.h"
#include "gpu/device/livecount.h"
#include "gpu/gl/fence.h"
#include "gpu/sources/externalbuffer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// The kind of an allocation, named after the CUDA call that makes it.
enum class Allocation : std::uint8_t {
    Device,       ///< cudaMalloc; no CPU address.
    Pinned,       ///< cudaMallocHost; the device accesses it only through copies.
    PinnedMapped, ///< cudaHostAlloc(Mapped) with its device pointer.
    Managed,      ///< cudaMallocManaged(AttachGlobal); one pointer for CPU and device.
    Registered,   ///< cudaHostRegister(Mapped) on the caller's memory.
};

/// The targets of cudaStreamAttachMemAsync.
enum class Attach : std::uint8_t { Global, Host, Single };

enum class CopyKind : std::uint8_t { HostToDevice, DeviceToHost, DeviceToDevice };

/// An in-order queue of device work. Belongs to the Device that made it, which must outlive it. The destructor waits
/// for the stream's work.
class Stream {
public:
    virtual ~Stream() = default;

private:
    CountedHandle m_counted;
};

/// A point in a stream. Use the Device to record, wait, query and synchronise.
class Event {
public:
    virtual ~Event() = default;

private:
    CountedHandle m_counted;
};

/// Memory of a Device. Destroying a buffer while device work uses it is a programming error (rule A11).
class Buffer {
public:
    virtual ~Buffer() = default;

    std::byte *host() const { return m_host; }     ///< Null for Allocation::Device.
    std::byte *device() const { return m_device; } ///< For launches and copies; null if the device has no pointer.
    std::size_t bytes() const { return m_bytes; }
    Allocation allocation() const { return m_allocation; }

protected:
    Buffer(Allocation allocation, std::byte *host, std::byte *device, std::size_t bytes)
        : m_host(host), m_device(device), m_bytes(bytes), m_allocation(allocation), m_counted(bytes)
    {
    }

private:
    std::byte *m_host;
    std::byte *m_device;
    std::size_t m_bytes;
    Allocation m_allocation;
    CountedBytes m_counted;
};

/// An EGLImage (or GL texture) that launches read or write as an RGBA8 surface, registered once with flags 0. Its
/// texture must outlive it and must never be respecified (rule C6).
class Image {
public:
    virtual ~Image() = default;
    int width() const { return m_width; }
    int height() const { return m_height; }

protected:
    Image(int width, int height) : m_width(width), m_height(height) {}

private:
    int m_width;
    int m_height;
    CountedHandle m_counted;
};

/// The memory layout of an EGLStream's frames: block-linear like textures, or pitch-linear.
enum class FrameMemory : std::uint8_t { Array, Pitch };

/// The producer of an EGLStream of RGBA8 frames; the destructor disconnects it. The consumer connects before the
/// producer and disconnects after it.
class FrameProducer {
public:
    virtual ~FrameProducer() = default;

    /// Creates a frame for launches to write. Once presented, the frame must outlive the producer.
    virtual Result<std::unique_ptr<Image>> makeFrame() = 0;
    /// Passes a frame to the consumer, in stream order (cudaEGLStreamProducerPresentFrame). The EGLStream owns the
    /// frame until takeBack() returns it.
    virtual Status present(Image &frame, Stream &stream) = 0;
    /// The oldest frame that the consumer has released; later work in `stream` may write it
    /// (cudaEGLStreamProducerReturnFrame). Null if none came within the driver's time-out. The EGLStream keeps the
    /// newest presented frame.
    virtual Result<Image *> takeBack(Stream &stream) = 0;

private:
    CountedHandle m_counted;
};

/// The consumer of an EGLStream; the destructor disconnects it. The producer connects after the consumer and
/// disconnects before the consumer is destroyed.
class FrameConsumer {
public:
    struct Acquired {
        Image *image = nullptr; ///< Read-only, valid until `release`.
        ImageLayout layout;     ///< The pixel layout of the image.
    };

    virtual ~FrameConsumer() = default;

    /// The stream's next frame; later work in `stream` may read it (cudaEGLStreamConsumerAcquireFrame). Returns the
    /// last frame again if no newer one comes within the driver's time-out, and nothing if there has been no frame.
    /// Only one frame is acquired at a time.
    virtual Result<std::optional<Acquired>> acquire(Stream &stream) = 0;
    /// Releases the frame after the work in `stream` that reads it (cudaEGLStreamConsumerReleaseFrame).
    virtual Status release(Stream &stream) = 0;

private:
    CountedHandle m_counted;
};

/// A wait for a device event that a GL queue can execute: the EGLSync of EGL_NV_cuda_event, or the software iGPU's own
/// object. It waits for the event's latest record at the time of creation (rule D1).
class GlWait {
public:
    virtual ~GlWait() = default;
    /// Makes later GL commands of the current context wait. Call on the GL queue with its context current.
    virtual Status serverWait() = 0;
};

/// A chain of filters over one frame, executed as one piece of device work: conversion to RGBA8, the filters in order,
/// the write of the output and, if requested, of the half-size grey result. Exactly one of `input` and `inputImage`,
/// and exactly one of `output` and `outputImage`, is set. All pointers are device pointers that stay valid until the
/// work is done.
struct ChainLaunch {
    ImageLayout inputLayout;
    const std::byte *input = nullptr;
    /// The frame's bytes as an RGBA8 texture: texel x of row y holds the bytes 4x..4x+3 of line y of the allocation;
    /// the lines of all planes follow each other, each `inputLayout.planes[0].pitch` bytes long. If the image was
    /// registered with the frame's own layout, it holds the frame in its own planes instead.
    Image *inputImage = nullptr;
    std::vector<Filter> filters;
    Image *outputImage = nullptr;
    std::byte *output = nullptr; ///< RGBA8, `outputPitch` bytes per row.
    std::size_t outputPitch = 0;
    std::byte *result = nullptr; ///< Grey8 of ((w+1)/2) x ((h+1)/2); null if not requested.
    std::size_t resultPitch = 0;
    KernelObserver *kernels = nullptr; ///< Called for each kernel; may be null. Devices without kernels do not use it.
};

/// An access that broke a documented rule but was not blocked.
struct Violation {
    std::string rule; ///< "A1"
    std::string text; ///< What happened and why it is wrong.
    std::string fix;  ///< The smallest change that makes it legal.
};

struct MemoryInfo {
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
};

/// A GPU, or the software one. The calls mirror the CUDA runtime one to one. Only the pipeline thread calls them,
/// except `query`, `synchronize(Event)` and `elapsedNs`, which any thread may call. Every error contains the call, the
/// code and a remedy; a later call reports failures of work in a stream, as in CUDA.
class Device {
public:
    virtual ~Device() = default;

    const DeviceFacts &facts() const { return m_facts; }

    virtual Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes) = 0;
    /// cudaHostRegister(Mapped) on page-aligned memory that outlives the buffer.
    virtual Result<std::unique_ptr<Buffer>> registerHost(std::byte *memory, std::size_t bytes) = 0;
    /// cudaStreamAttachMemAsync of the whole allocation, in stream order. No effect where CMA = 1.
    virtual Status attach(Buffer &managed, Attach target, Stream &stream) = 0;
    virtual Status copyAsync(std::byte *to, const std::byte *from, std::size_t bytes, CopyKind kind,
                             Stream &stream) = 0;

    /// A non-blocking stream: it does not synchronise with the default stream.
    virtual Result<std::unique_ptr<Stream>> createStream() = 0;
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

    /// Memory into which kernels write their times. An error if facts().kernelStamps is not available, or if events are
    /// used as stamps.
    virtual Result<std::unique_ptr<KernelStamps>> createStamps(std::size_t slotCount);
    /// The stream id in CUPTI's records. An error if facts().cupti is not available.
    virtual Result<std::uint32_t> cuptiStreamId(const Stream &stream);

    virtual Status setWaitPolicy(WaitPolicy policy) = 0;
    virtual WaitPolicy waitPolicy() const = 0; ///< The policy that is really in force, read back.

    /// cudaGraphicsEGLRegisterImage(flags 0). `eglImage` is an EGLImage of the device's display.
    virtual Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) = 0;
    /// The same for a source's buffer that holds a frame of this layout; read-only.
    virtual Result<std::unique_ptr<Image>> registerSurface(void *eglImage, const ImageLayout &layout,
                                                           ExternalBufferView view);

    /// cudaEventCreateFromEGLSync. The event can only be waited for, never recorded or timed (D4).
    virtual Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) = 0;
    /// EGL_SYNC_CUDA_EVENT_NV. Call right after the event is recorded (D1).
    virtual Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) = 0;

    /// cudaGraphicsGLRegisterImage. The texture's context must be current on the calling thread.
    virtual Result<std::unique_ptr<Image>> registerGlTexture(unsigned texture, int width, int height);
    virtual Status map(Image &image, Stream &stream);
    virtual Status unmap(Image &image, Stream &stream);

    /// cudaEGLStreamProducerConnect. Call after the consumer has connected.
    virtual Result<std::unique_ptr<FrameProducer>> connectProducer(void *eglStream, int width, int height,
                                                                   FrameMemory memory);

    /// cudaEGLStreamConsumerConnect. Call before the producer connects.
    virtual Result<std::unique_ptr<FrameConsumer>> connectConsumer(void *eglStream);

    virtual Result<MemoryInfo> memoryInfo() = 0;

    /// Whether the device has failed for good in this process, so that only a new process can use it.
    virtual bool isLost() { return false; }

    /// Bytes that were copied only to give a software device access to textures; 0 on a GPU. Any thread.
    virtual std::uint64_t emulationBytes() const { return 0; }

    /// The rule violations since the last call, oldest first.
    virtual std::vector<Violation> takeViolations() { return {}; }

protected:
    explicit Device(DeviceFacts facts) : m_facts(std::move(facts)) {}
    DeviceFacts m_facts;
};

} // namespace jetscope
