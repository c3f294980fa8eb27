// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fakeeglimage.h"
#include "tests/support/fakevpi.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

// The objects of the made-up VPI and the checks that its functions share. The structures are declared anew here, after
// the reference of each version, FAKE_VPI_MAJOR.

#ifndef FAKE_VPI_BACKENDS
#define FAKE_VPI_BACKENDS 15
#endif

namespace fakevpi {

enum Status {
    Success,
    NotImplemented,
    InvalidArgument,
    InvalidFormat,
    InvalidArrayType,
    InvalidPayload,
    InvalidOperation,
    InvalidContext,
    DeviceError,
    NotReady,
    BufferLocked,
    OutOfMemory,
    Internal
};

constexpr std::uint64_t kCpu = 1, kCuda = 2, kPva = 4, kVic = 8, kAll = 15;

// Image formats, put together as the reference does.
constexpr std::uint64_t formatOf(std::uint64_t dataType, std::uint64_t packing, std::uint64_t colour,
                                 std::uint64_t swizzle)
{
    return dataType << 61 | packing << 35 | colour | std::uint64_t{1} << 12 | swizzle;
}
constexpr std::uint64_t kNoColour = ((std::uint64_t{1} << 19) - 1) << 16;
constexpr std::uint64_t kU8 = formatOf(1, 4, kNoColour, 1);
constexpr std::uint64_t kS16 = formatOf(2, 1 << 5, kNoColour, 1);
constexpr std::uint64_t kBt601Full = 2 | 4 << 3 | 1 << 7;
constexpr std::uint64_t kY8Er = formatOf(1, 4, kBt601Full << 20, 1);
constexpr std::uint64_t kNoSpec = 2 | 3 << 10 | 3 << 12;
constexpr std::uint64_t kRgba8 = formatOf(1, 3 << 5 | 3 << 3, kNoSpec << 20 | 1 << 16, 1 | 2 << 3 | 3 << 6 | 4 << 9);

// What VPI finds in a Jetson's buffers; only told apart from the others here.
constexpr std::uint64_t kNv12 = formatOf(1, 4, kNoColour, 2);
constexpr std::uint64_t kNv12Er = formatOf(1, 4, kNoColour, 3);
constexpr std::uint64_t kNv12Of709 = formatOf(1, 4, kNoColour, 4);
constexpr bool isNv12(std::uint64_t format)
{
    return format == kNv12 || format == kNv12Er || format == kNv12Of709;
}

struct Plane {
    std::uint64_t pixelType;
    std::int32_t width;
    std::int32_t height;
    std::int32_t pitchBytes;
#if FAKE_VPI_MAJOR < 4
    void *data;
#elif defined FAKE_VPI_BASE_FIRST
    unsigned char *pBase;
    std::int64_t offsetBytes;
#else
    std::int64_t offsetBytes;
    unsigned char *pBase;
#endif
};

struct Pitched {
    std::uint64_t format;
    std::int32_t numPlanes;
    Plane planes[6];
};

struct ImageData {
    int bufferType;
    union {
        Pitched pitch;
        void *egl;
        int fd;
    } buffer;
};

struct ArrayOfStructures {
    int type;
    std::int32_t *sizePointer;
    std::int32_t capacity;
    std::int32_t strideBytes;
    void *data;
};

struct ArrayData {
    int bufferType;
    ArrayOfStructures aos;
};

struct HarrisParams {
    std::int32_t gradientSize;
    std::int32_t blockSize;
    float strengthThresh;
    float sensitivity;
    float minNMSDistance;
};

inline unsigned char *addressOf(const Plane &plane)
{
#if FAKE_VPI_MAJOR < 4
    return static_cast<unsigned char *>(plane.data);
#else
    return plane.pBase + plane.offsetBytes;
#endif
}

/// VPI 4 may give an address that is not the one of the first pixel.
inline void setAddress(Plane &plane, unsigned char *address)
{
#if FAKE_VPI_MAJOR < 4
    plane.data = address;
#else
    plane.pBase = address - 64;
    plane.offsetBytes = 64;
#endif
}

enum class Kind { Stream, Image, Array, Payload };

struct Object {
    explicit Object(Kind its) : kind(its) {}

    Kind kind;
    std::uint64_t backends = 0;
    int uses = 0;  ///< By work that was not done yet.
    int locks = 0; ///< By the user.
    // Stream
    std::vector<std::pair<std::vector<Object *>, std::function<void()>>> queue;
    void *cudaStream = nullptr;
    int asyncError = 0;
    // Image
    bool isWrapper = false;
    int bufferType = 0;
    std::uint64_t format = 0;
    int width = 0;
    int height = 0;
    int pitch = 0;
    unsigned char *pixels = nullptr;
    FakeEglImage *buffer = nullptr; ///< A Jetson's, which it wraps.
    std::vector<unsigned char> own;
    // Array
    int type = 0;
    std::int32_t size = 0;
    std::int32_t capacity = 0;
};

struct FakeState {
    std::recursive_mutex mutex;
    std::set<Object *> objects;
    std::vector<std::string> violations;
    std::string failing;
    std::string early; ///< The function that breaks the order once.
    std::uint64_t forgottenBackends = 0;
    int forgotten = 0;         ///< Which work on pictures from now on is not done; 0: none.
    bool isDestroying = false; ///< A stream, whose work is done meanwhile.
    std::string message;
    std::set<std::string> called;
    std::vector<std::pair<const unsigned char *, std::size_t>> cudaMemory;
    std::set<void *> busyCudaStreams;
    std::set<const unsigned char *> attachedToHost; ///< Managed memory that the GPU must not use.
    std::uint64_t copied = 0;
    int wrappedBuffers = 0;
};
extern FakeState g_vpi;

using Lock = std::lock_guard<std::recursive_mutex>;

inline void violate(const std::string &text)
{
    g_vpi.violations.push_back(text);
}

inline int fail(int status, const char *message)
{
    g_vpi.message = message;
    return status;
}

/// Whether a test wants this call to fail.
inline bool isFailing(const char *function)
{
    g_vpi.called.insert(function);
    return g_vpi.failing == function;
}

inline bool isEarly(const char *function)
{
    if (g_vpi.early != function)
        return false;
    g_vpi.early.clear();
    return true;
}

inline Object *find(void *handle, Kind kind)
{
    auto *const object = static_cast<Object *>(handle);
    return g_vpi.objects.count(object) == 1 && object->kind == kind ? object : nullptr;
}

inline int add(Object object, void **handle)
{
    *handle = *g_vpi.objects.insert(new Object(std::move(object))).first;
    return Success;
}

/// A buffer must not go before its wrapper, and not be given back to its camera while VPI reads it.
inline void hold(Object &image)
{
    if (!image.buffer)
        return;
    ++image.buffer->registrations;
    ++image.buffer->wrappers;
    ++g_vpi.wrappedBuffers;
}
inline void letGo(Object &image)
{
    if (image.buffer)
        --image.buffer->registrations;
}

inline void destroy(void *handle, Kind kind, const char *what)
{
    if (!handle)
        return;
    Object *const object = find(handle, kind);
    if (!object)
        return violate(std::string(what) + " is destroyed twice or was never created");
    if (object->uses > 0)
        violate(std::string(what) + " is destroyed while a stream uses it");
    if (object->locks > 0)
        violate(std::string(what) + " is destroyed while it is locked");
    letGo(*object);
    g_vpi.objects.erase(object);
    delete object;
}

inline int bytesPerPixel(std::uint64_t format)
{
    return format == kRgba8 ? 4 : format == kS16 ? 2 : format == kU8 || format == kY8Er || isNv12(format) ? 1 : 0;
}

inline std::uint64_t backendsFrom(std::uint64_t flags)
{
    const std::uint64_t wanted = flags & kAll;
    return (wanted == 0 ? kAll : wanted) & FAKE_VPI_BACKENDS;
}

inline bool isCudaMemory(const unsigned char *address)
{
    return std::any_of(g_vpi.cudaMemory.begin(), g_vpi.cudaMemory.end(), [&](const auto &range) {
        return address >= range.first && address < range.first + range.second;
    });
}

/// A Jetson's buffer by its descriptor or its EGLImage; null if it is none.
inline FakeEglImage *bufferOf(const ImageData &data)
{
    FakeEglImage *buffer = nullptr;
    if (data.bufferType == 4) {
        buffer = static_cast<FakeEglImage *>(data.buffer.egl);
        if (buffer && !buffer->isOfDefaultDisplay)
            return nullptr;
    } else if (pread(data.buffer.fd, &buffer, sizeof buffer, 0) != sizeof buffer)
        return nullptr;
    return buffer && buffer->magic == FakeEglImage::kMagic ? buffer : nullptr;
}

inline int readBuffer(const ImageData &data, Object &image)
{
#ifdef FAKE_VPI_CRASHES_ON_BUFFERS
    std::abort();
#endif
    FakeEglImage *const buffer = bufferOf(data);
    if (!buffer)
        return fail(InvalidArgument, "there is no such buffer");
    constexpr std::uint64_t kFormats[] = {kRgba8, kNv12, kNv12Er, kNv12Of709};
    image.buffer = buffer;
    image.bufferType = data.bufferType;
    image.format = kFormats[static_cast<int>(buffer->format)];
    image.width = static_cast<int>(buffer->width);
    image.height = static_cast<int>(buffer->height);
    image.pitch = static_cast<int>(buffer->pitch);
    image.pixels = buffer->pixels;
    return Success;
}

/// Reads a wrapper's description; a violation for memory of another kind than the buffer type says.
inline int readWrapper(const ImageData *data, Object &image)
{
    if (data && (data->bufferType == 4 || data->bufferType == 5))
        return readBuffer(*data, image);
    if (!data || (data->bufferType != 1 && data->bufferType != 2) || data->buffer.pitch.numPlanes != 1)
        return fail(InvalidArgument, "the buffer type or the number of planes is not supported");
    const Plane &plane = data->buffer.pitch.planes[0];
    const int pixel = bytesPerPixel(data->buffer.pitch.format);
    if (pixel == 0 || plane.width < 1 || plane.height < 1 || plane.pitchBytes < plane.width * pixel
        || !addressOf(plane))
        return fail(InvalidArgument, "the format, the size, the pitch or the address is invalid");
    if (isCudaMemory(addressOf(plane)) != (data->bufferType == 2))
        violate("memory is wrapped as another kind than it is");
    image.bufferType = data->bufferType;
    image.format = data->buffer.pitch.format;
    image.width = plane.width;
    image.height = plane.height;
    image.pitch = plane.pitchBytes;
    image.pixels = addressOf(plane);
    return Success;
}

/// What all submissions check of their pictures, arrays and payloads.
inline int checkUses(Object *stream, std::uint64_t backend, const std::vector<Object *> &uses)
{
    if (!stream)
        return fail(InvalidArgument, "the stream is invalid");
    if (backend == 0 || (backend & (backend - 1)) != 0)
        return fail(InvalidArgument, "the backend is invalid");
    if ((stream->backends & backend) == 0)
        return fail(InvalidOperation, "the backend is not enabled in the stream");
    for (const Object *use : uses) {
        if (!use)
            return fail(InvalidArgument, "a picture, an array or a payload is invalid");
        if ((use->backends & backend) == 0)
            return fail(InvalidOperation, "the backend is not enabled in a picture, an array or a payload");
        if (use->bufferType == 2 && !stream->cudaStream && !g_vpi.busyCudaStreams.empty())
            violate("VPI's own stream reads memory while a CUDA stream still works on it");
        if (use->buffer && !use->buffer->isForDevice)
            violate("VPI uses a buffer whose bytes the CPU has not given to the device");
        if (use->buffer && use->buffer->isBlockLinear && backend != kVic)
            return fail(InvalidFormat, "the backend reads no block-linear pictures");
        if (use->bufferType == 2 && g_vpi.attachedToHost.count(use->pixels) > 0)
            violate("VPI works on managed memory that is attached to the host");
    }
    return Success;
}

/// What VPI copies because the memory of a wrapper is not that of the backend.
inline void countCopies(std::uint64_t backend, const std::vector<Object *> &uses)
{
    for (const Object *use : uses)
        if (use->kind == Kind::Image && use->isWrapper && !use->buffer && (use->bufferType == 1) != (backend == kCpu))
            g_vpi.copied += static_cast<std::uint64_t>(use->width) * static_cast<std::uint64_t>(use->height)
                * static_cast<std::uint64_t>(bytesPerPixel(use->format));
}

inline int enqueue(Object *stream, std::uint64_t backend, std::vector<Object *> uses, std::function<void()> work)
{
    countCopies(backend, uses);
    for (Object *use : uses) {
        ++use->uses;
        if (use->buffer)
            ++use->buffer->readers;
    }
    if ((backend & g_vpi.forgottenBackends) != 0)
        work = [] {};
    stream->queue.emplace_back(std::move(uses), std::move(work));
    return Success;
}

/// Does the work of a stream.
inline void drain(Object &stream)
{
    while (!stream.queue.empty()) {
        auto [uses, work] = std::move(stream.queue.front());
        stream.queue.erase(stream.queue.begin());
        const bool isLocked = std::any_of(uses.begin(), uses.end(), [](const Object *use) { return use->locks > 0; });
        const bool isForgotten = !uses.empty() && g_vpi.forgotten > 0 && --g_vpi.forgotten == 0;
        if (isLocked)
            stream.asyncError = BufferLocked;
        else if (!isForgotten)
            work();
        for (Object *use : uses) {
            --use->uses;
            if (use->buffer)
                --use->buffer->readers;
        }
    }
}

inline int lockObject(Object *object)
{
    if (object->uses > 0)
        return fail(BufferLocked, "a stream uses it");
    if ((object->backends & kCpu) == 0)
        return fail(InvalidOperation, "the CPU backend is not enabled in it");
    ++object->locks;
    return Success;
}

inline int unlock(void *handle, Kind kind)
{
    Object *const object = find(handle, kind);
    if (!object)
        return fail(InvalidArgument, "the handle is invalid");
    if (object->locks == 0)
        return fail(InvalidOperation, "it is not locked");
    --object->locks;
    return Success;
}

} // namespace fakevpi

// A call of VPI: takes the lock, and fails if a test wants that.
#define FAILS(function)                                                                                                \
    const Lock lock(g_vpi.mutex);                                                                                      \
    g_vpi.message.clear();                                                                                             \
    if (isFailing(#function))                                                                                          \
    return fail(Internal, "a made-up failure")
