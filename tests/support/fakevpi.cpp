// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// NVIDIA's VPI for tests, one library for each FAKE_VPI_MAJOR. It keeps the documented contract: it refuses what VPI
// refuses with the documented status, and remembers as violations what VPI leaves undefined. Work is done as late as
// allowed, when a stream is synchronized, so that a missing wait is seen. The same library has a CUDA driver, too
// (fakedriver.cpp).
#include "tests/support/fakevpistate.h"

#ifndef FAKE_VPI_VERSION
#define FAKE_VPI_VERSION (FAKE_VPI_MAJOR * 1000000 + 20400)
#endif

#include <pthread.h>

using namespace fakevpi;

fakevpi::FakeState fakevpi::g_vpi;

namespace {

bool isOnStack(const void *data)
{
    pthread_attr_t attributes;
    void *lowest = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    const auto *const address = static_cast<const char *>(data);
    return address >= lowest && address < static_cast<char *>(lowest) + bytes;
}

/// Where only the end of a stream does the work, the function that submitted it has returned, and its objects are gone.
void callHostFunction(const void *data, const std::function<void()> &call)
{
    if (g_vpi.isDestroying && isOnStack(data))
        return violate("a host function is called with an object that is gone");
    call();
}

} // namespace

extern "C" {

// For tests.
int fakeVpiLive()
{
    const Lock lock(g_vpi.mutex);
    return static_cast<int>(g_vpi.objects.size());
}
void fakeVpiAbandon(void *stream)
{
    const Lock lock(g_vpi.mutex);
    g_vpi.objects.erase(static_cast<Object *>(stream));
    delete static_cast<Object *>(stream);
}
const char *fakeVpiViolations()
{
    const Lock lock(g_vpi.mutex);
    static std::string all;
    all.clear();
    for (const std::string &each : g_vpi.violations)
        all += each + "\n";
    g_vpi.violations.clear();
    return all.c_str();
}
void fakeVpiFail(const char *function)
{
    const Lock lock(g_vpi.mutex);
    g_vpi.failing = function;
}
void fakeVpiEarly(const char *function)
{
    const Lock lock(g_vpi.mutex);
    g_vpi.early = function;
}
void fakeVpiForget(int work)
{
    const Lock lock(g_vpi.mutex);
    g_vpi.forgotten = work;
}
void fakeVpiForgetBackends(std::uint64_t backends)
{
    const Lock lock(g_vpi.mutex);
    g_vpi.forgottenBackends = backends;
}
bool fakeVpiCalled(const char *function)
{
    const Lock lock(g_vpi.mutex);
    return g_vpi.called.count(function) > 0;
}
void fakeVpiCudaMemory(const void *memory, std::size_t bytes)
{
    const Lock lock(g_vpi.mutex);
    if (bytes == 0)
        g_vpi.cudaMemory.clear();
    else
        g_vpi.cudaMemory.emplace_back(static_cast<const unsigned char *>(memory), bytes);
}
void fakeVpiBusy(void *cudaStream)
{
    const Lock lock(g_vpi.mutex);
    g_vpi.busyCudaStreams.insert(cudaStream);
}
int fakeVpiBuffers()
{
    const Lock lock(g_vpi.mutex);
    return std::exchange(g_vpi.wrappedBuffers, 0);
}
std::uint64_t fakeVpiCopied()
{
    const Lock lock(g_vpi.mutex);
    return std::exchange(g_vpi.copied, 0);
}

/// The CUDA driver of this library (fakedriver.cpp) says what is called. Rule G1: VPI's work in a wrapped stream must
/// be complete before other work comes into it.
int fakeDriverCall(const char *function, void *stream)
{
    const Lock lock(g_vpi.mutex);
    if (isFailing(function))
        return fail(Internal, "a made-up failure");
    if (std::strcmp(function, "cuStreamSynchronize") == 0) {
        g_vpi.busyCudaStreams.erase(stream);
        return Success;
    }
    for (const Object *object : g_vpi.objects)
        if (object->kind == Kind::Stream && object->cudaStream == stream && !object->queue.empty())
            violate("CUDA work is put behind unfinished work of VPI");
    return Success;
}

void fakeDriverMemory(const void *memory, std::size_t bytes, const char *state)
{
    const Lock lock(g_vpi.mutex);
    const auto *const address = static_cast<const unsigned char *>(memory);
    const std::string now = state;
    if (bytes != 0)
        g_vpi.cudaMemory.emplace_back(address, bytes);
    if (now == "free")
        std::erase_if(g_vpi.cudaMemory, [address](const auto &range) { return range.first == address; });
    if (now == "host")
        g_vpi.attachedToHost.insert(address);
    else
        g_vpi.attachedToHost.erase(address);
}

// VPI.
int vpiGetVersion()
{
    return FAKE_VPI_VERSION;
}
const char *vpiStatusGetName(int status)
{
    static const char *const kNames[] = {"VPI_SUCCESS",
                                         "VPI_ERROR_NOT_IMPLEMENTED",
                                         "VPI_ERROR_INVALID_ARGUMENT",
                                         "VPI_ERROR_INVALID_IMAGE_FORMAT",
                                         "VPI_ERROR_INVALID_ARRAY_TYPE",
                                         "VPI_ERROR_INVALID_PAYLOAD_TYPE",
                                         "VPI_ERROR_INVALID_OPERATION",
                                         "VPI_ERROR_INVALID_CONTEXT",
                                         "VPI_ERROR_DEVICE",
                                         "VPI_ERROR_NOT_READY",
                                         "VPI_ERROR_BUFFER_LOCKED",
                                         "VPI_ERROR_OUT_OF_MEMORY",
                                         "VPI_ERROR_INTERNAL"};
    return status >= 0 && status <= Internal ? kNames[status] : nullptr;
}
int vpiGetLastStatusMessage(char *text, std::int32_t bytes)
{
    const Lock lock(g_vpi.mutex);
    std::strncpy(text, g_vpi.message.c_str(), static_cast<std::size_t>(bytes));
    g_vpi.message.clear();
    return Success;
}
int vpiContextGetCurrent(void **context)
{
    FAILS(vpiContextGetCurrent);
    *context = &g_vpi;
    return Success;
}
int vpiContextGetFlags(void *context, std::uint64_t *flags)
{
    FAILS(vpiContextGetFlags);
    if (context != &g_vpi || !flags)
        return fail(InvalidArgument, "the context is invalid");
    *flags = FAKE_VPI_BACKENDS;
    return Success;
}

int vpiStreamCreate(std::uint64_t flags, void **stream)
{
    FAILS(vpiStreamCreate);
    Object made(Kind::Stream);
    made.backends = backendsFrom(flags);
    return add(std::move(made), stream);
}
int vpiStreamCreateWrapperCUDA(void *cudaStream, std::uint64_t flags, void **stream)
{
    FAILS(vpiStreamCreateWrapperCUDA);
    if (!cudaStream)
        return fail(InvalidArgument, "there is no CUDA stream");
    Object made(Kind::Stream);
    made.backends = backendsFrom(flags) | (kCuda & FAKE_VPI_BACKENDS);
    made.cudaStream = cudaStream;
    return add(std::move(made), stream);
}
void vpiStreamDestroy(void *handle)
{
    const Lock lock(g_vpi.mutex);
    g_vpi.isDestroying = true;
    if (Object *const stream = find(handle, Kind::Stream))
        drain(*stream);
    g_vpi.isDestroying = false;
    destroy(handle, Kind::Stream, "a stream");
}
int vpiStreamSync(void *handle)
{
    FAILS(vpiStreamSync);
    Object *const stream = find(handle, Kind::Stream);
    if (!stream)
        return fail(InvalidArgument, "the stream is invalid");
    if (isEarly("vpiStreamSync"))
        return Success;
    drain(*stream);
    return std::exchange(stream->asyncError, 0);
}

int vpiSubmitHostFunction(void *handle, void (*function)(void *data), void *data)
{
    FAILS(vpiSubmitHostFunction);
    Object *const stream = find(handle, Kind::Stream);
    if (!stream || !function)
        return fail(InvalidArgument, "the stream or the function is invalid");
    if (isEarly("vpiSubmitHostFunction"))
        return function(data), Success;
    return enqueue(stream, kCpu, {}, [=] { callHostFunction(data, [=] { function(data); }); });
}
#if FAKE_VPI_MAJOR >= 4
int vpiSubmitCUDAHostFunction(void *handle, void (*function)(void *cudaStream, void *data), void *data)
{
    FAILS(vpiSubmitCUDAHostFunction);
    Object *const stream = find(handle, Kind::Stream);
    if (!stream || !function)
        return fail(InvalidArgument, "the stream or the function is invalid");
    if (isEarly("vpiSubmitCUDAHostFunction"))
        return function(stream->cudaStream, data), Success;
    return enqueue(stream, kCuda, {}, [=] { callHostFunction(data, [=] { function(stream->cudaStream, data); }); });
}
#endif

int vpiImageCreate(std::int32_t width, std::int32_t height, std::uint64_t format, std::uint64_t flags, void **handle)
{
    FAILS(vpiImageCreate);
    const int pixel = bytesPerPixel(format);
    if (width < 1 || height < 1 || pixel == 0)
        return fail(InvalidArgument, "the size or the format is invalid");
    Object image(Kind::Image);
    image.backends = backendsFrom(flags);
    image.format = format;
    image.width = width;
    image.height = height;
    image.pitch = (width * pixel + 63) / 64 * 64;
    image.own.resize(static_cast<std::size_t>(image.pitch) * static_cast<std::size_t>(height) + 64);
    image.pixels = image.own.data() + 64;
    return add(std::move(image), handle);
}
int vpiImageCreateWrapper(const ImageData *data, const void *, std::uint64_t flags, void **handle)
{
    FAILS(vpiImageCreateWrapper);
    Object image(Kind::Image);
    if (const int status = readWrapper(data, image); status != Success)
        return status;
    image.isWrapper = true;
    const std::uint64_t owner = image.bufferType == 1 ? kCpu : image.buffer ? 0 : kCuda;
    image.backends = backendsFrom(flags) | (owner & FAKE_VPI_BACKENDS);
    hold(image);
    return add(std::move(image), handle);
}
int vpiImageSetWrapper(void *handle, const ImageData *data)
{
    FAILS(vpiImageSetWrapper);
    Object *const image = find(handle, Kind::Image);
    if (!image || !image->isWrapper || image->locks > 0)
        return fail(InvalidOperation, "it is no wrapper, or it is locked");
    if (image->uses > 0)
        violate("a wrapper gets other memory while a stream uses it");
    Object next(Kind::Image);
    if (const int status = readWrapper(data, next); status != Success)
        return status;
    if (next.bufferType != image->bufferType || next.format != image->format || next.width != image->width
        || next.height != image->height)
        return fail(InvalidArgument, "the buffer type, the format or the size is another one");
    letGo(*image);
    image->buffer = next.buffer;
    hold(*image);
    image->pixels = next.pixels;
    image->pitch = next.pitch;
    return Success;
}
void vpiImageDestroy(void *handle)
{
    const Lock lock(g_vpi.mutex);
    destroy(handle, Kind::Image, "an image");
}
int vpiImageLockData(void *handle, int mode, int bufferType, ImageData *data)
{
    FAILS(vpiImageLockData);
    Object *const image = find(handle, Kind::Image);
    if (!image || !data || mode < 1 || mode > 3 || bufferType != 1)
        return fail(InvalidArgument, "the image, the mode or the buffer type is invalid");
    if (const int status = lockObject(image); status != Success)
        return status;
    std::memset(data, 0, sizeof *data);
    data->bufferType = bufferType;
    data->buffer.pitch.format = image->format;
    data->buffer.pitch.numPlanes = 1;
    Plane &plane = data->buffer.pitch.planes[0];
    plane.width = image->width;
    plane.height = image->height;
    plane.pitchBytes = image->pitch;
    setAddress(plane, image->pixels);
    return Success;
}
int vpiImageUnlock(void *handle)
{
    FAILS(vpiImageUnlock);
    return unlock(handle, Kind::Image);
}

int vpiArrayCreate(std::int32_t capacity, int type, std::uint64_t flags, void **handle)
{
    FAILS(vpiArrayCreate);
    if (capacity < 0)
        return fail(InvalidArgument, "the capacity is invalid");
    if (type != 5 && type != 6)
        return fail(InvalidArrayType, "the type is not supported");
    Object array(Kind::Array);
    array.backends = backendsFrom(flags);
    array.type = type;
    array.capacity = capacity;
    array.own.resize(static_cast<std::size_t>(capacity) * 16); // Its stride is more than an element.
    return add(std::move(array), handle);
}
void vpiArrayDestroy(void *handle)
{
    const Lock lock(g_vpi.mutex);
    destroy(handle, Kind::Array, "an array");
}
int vpiArrayLockData(void *handle, int mode, int bufferType, ArrayData *data)
{
    FAILS(vpiArrayLockData);
    Object *const array = find(handle, Kind::Array);
    if (!array || !data || mode < 1 || mode > 3 || bufferType != 1)
        return fail(InvalidArgument, "the array, the mode or the buffer type is invalid");
    if (const int status = lockObject(array); status != Success)
        return status;
    *data = {bufferType, {array->type, &array->size, array->capacity, 16, array->own.data()}};
    return Success;
}
int vpiArrayUnlock(void *handle)
{
    FAILS(vpiArrayUnlock);
    return unlock(handle, Kind::Array);
}

} // extern "C"
