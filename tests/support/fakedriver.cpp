// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A CUDA driver for tests of own kernels: "device memory" is host memory, and a kernel writes the number of its module
// into every byte of its output. It aborts if a call breaks the documented order or uses a handle that is gone. Copies
// from pageable memory arrive as late as they may.
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/nviva/nvivaabi.h"
#include "tests/support/fakeeglimage.h"
#include "tests/support/fakeexternal.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Module;

struct Function {
    Module *module = nullptr;
    bool isGrey = false;
    bool onSurfaces = false;
};

struct Module {
    int number = 0;
    std::vector<std::unique_ptr<Function>> functions{};
};

struct Event {
    bool isRecorded = false;
    bool hangs = false;
    Clock::time_point due; ///< When the work before it ends.
};

/// A copy that has returned and has not arrived.
struct LateCopy {
    std::uint64_t to = 0;
    std::vector<unsigned char> bytes{};
};

struct Array {
    jetscope::driver::ArrayShape shape;
    unsigned char *bytes = nullptr;
};

struct State {
    std::mutex mutex;
    std::set<void *> modules;
    std::set<void *> arrays;
    std::set<void *> pinned;
    std::set<void *> resources;
    std::vector<LateCopy> lateCopies;
    std::map<void *, Clock::time_point> busyUntil; ///< By stream.
    int loaded = 0;
    std::set<std::thread::id> moduleThreads; ///< That loaded or unloaded modules.
    std::atomic<bool> isHanging{false};
    std::atomic<int> eventResult{0};
    std::atomic<int> queries{0};
    std::atomic<int> kernelMs{0};
    std::atomic<int> events{0};
    std::atomic<bool> isOneAtATime{false};
    std::atomic<int> stallMs{0};
} g_state;

void require(bool condition)
{
    if (!condition)
        std::abort();
}

/// The lock is held.
void deliverLateCopies()
{
    for (const LateCopy &copy : std::exchange(g_state.lateCopies, {}))
        std::memcpy(reinterpret_cast<void *>(copy.to), copy.bytes.data(), copy.bytes.size());
}

Array &arrayOf(std::uint64_t surface)
{
    auto *array = reinterpret_cast<Array *>(surface - 1);
    require(g_state.arrays.count(array) == 1);
    return *array;
}

} // namespace

extern "C" {

/// Another fake in the same library sees calls before they are carried out; not 0: the call fails with that. It may be
/// missing.
[[gnu::weak]] int fakeDriverCall(const char *function, void *stream);
/// The same for memory: "device", "global", "host" by attachment, or "free".
[[gnu::weak]] void fakeDriverMemory(const void *memory, std::size_t bytes, const char *state);

/// For tests: how many modules and arrays there are, and how many threads loaded or unloaded modules; how often events
/// were asked; events that are recorded from now on are not complete, until this ends.
int fakeDriverModules()
{
    const std::lock_guard lock(g_state.mutex);
    return static_cast<int>(g_state.modules.size());
}
int fakeDriverModuleThreads()
{
    const std::lock_guard lock(g_state.mutex);
    return static_cast<int>(g_state.moduleThreads.size());
}
int fakeDriverArrays()
{
    const std::lock_guard lock(g_state.mutex);
    return static_cast<int>(g_state.arrays.size());
}
int fakeDriverQueries()
{
    return g_state.queries;
}
void fakeDriverHang(bool hangs)
{
    g_state.isHanging = hangs;
}
bool fakeDriverIsHanging()
{
    return g_state.isHanging;
}
/// How long a kernel takes in its stream, as events see it; its output is there at once.
void fakeDriverKernelTime(int ms)
{
    g_state.kernelMs = ms;
}
/// Whether a kernel begins when those of all other streams have ended, as on a GPU that is full.
void fakeDriverOneAtATime(bool isOneAtATime)
{
    g_state.isOneAtATime = isOneAtATime;
}
/// Once, a query that finds an event incomplete returns so late, as if the process were stopped then.
void fakeDriverStall(int ms)
{
    g_state.stallMs = ms;
}
int fakeDriverEvents()
{
    return g_state.events;
}
/// What cuEventQuery says of work that is complete.
void fakeDriverFailEvents(int code)
{
    g_state.eventResult = code;
}

static int announced(const char *function, void *stream)
{
    return fakeDriverCall ? fakeDriverCall(function, stream) : 0;
}

static void tellOfMemory(std::uint64_t memory, std::size_t bytes, const char *state)
{
    if (fakeDriverMemory)
        fakeDriverMemory(reinterpret_cast<const void *>(memory), bytes, state);
}

int cuInit(unsigned)
{
    return 0;
}
int cuGetErrorString(int, const char **text)
{
    *text = "a made-up failure";
    return 0;
}
int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return ordinal == 0 ? 0 : 101;
}
int cuDevicePrimaryCtxRetain(void **context, int)
{
    *context = &g_state;
    return 0;
}
int cuCtxGetCurrent(void **context)
{
    *context = &g_state;
    return 0;
}
int cuCtxSetCurrent(void *context)
{
    require(context == &g_state);
    return 0;
}
int cuCtxSynchronize()
{
    const std::lock_guard lock(g_state.mutex);
    deliverLateCopies();
    return 0;
}
int cuModuleLoadData(void **module, const void *image)
{
    const std::lock_guard lock(g_state.mutex);
    if (std::memcmp(image, "\177ELF", 4) != 0)
        return 200;
    auto *made = new Module{++g_state.loaded};
    g_state.modules.insert(made);
    g_state.moduleThreads.insert(std::this_thread::get_id());
    *module = made;
    return 0;
}
int cuModuleUnload(void *module)
{
    const std::lock_guard lock(g_state.mutex);
    require(g_state.modules.erase(module) == 1);
    g_state.moduleThreads.insert(std::this_thread::get_id());
    delete static_cast<Module *>(module);
    return 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name)
{
    const std::lock_guard lock(g_state.mutex);
    require(g_state.modules.count(module) == 1);
    const bool isGrey = std::strstr(name, "grey") || std::strstr(name, "PKh");
    auto &functions = static_cast<Module *>(module)->functions;
    functions.push_back(std::make_unique<Function>(
        Function{static_cast<Module *>(module), isGrey, std::strstr(name, "yyii") != nullptr}));
    *function = functions.back().get();
    return 0;
}
int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned, unsigned blockX, unsigned blockY, unsigned,
                   unsigned, void *stream, void **arguments, void **)
{
    const std::lock_guard lock(g_state.mutex);
    Clock::time_point &busyUntil = g_state.busyUntil[stream];
    if (g_state.isOneAtATime)
        for (const auto &[other, until] : g_state.busyUntil)
            busyUntil = std::max(busyUntil, until);
    busyUntil = std::max(busyUntil, Clock::now()) + std::chrono::milliseconds(g_state.kernelMs);
    const Function &kernel = *static_cast<Function *>(function);
    require(g_state.modules.count(kernel.module) == 1);
    unsigned char *out = nullptr;
    std::size_t pitch = 0;
    const int width = *static_cast<int *>(arguments[kernel.onSurfaces ? 2 : 4]);
    const int height = *static_cast<int *>(arguments[kernel.onSurfaces ? 3 : 5]);
    if (kernel.onSurfaces) {
        static_cast<void>(arrayOf(*static_cast<std::uint64_t *>(arguments[0])));
        Array &array = arrayOf(*static_cast<std::uint64_t *>(arguments[1]));
        require(array.shape.channels == (kernel.isGrey ? 1u : 4u));
        out = array.bytes;
        pitch = array.shape.width * array.shape.channels;
    } else {
        out = *static_cast<unsigned char **>(arguments[2]);
        pitch = *static_cast<std::size_t *>(arguments[3]);
    }
    require(gridX * blockX >= static_cast<unsigned>(width) && gridY * blockY >= static_cast<unsigned>(height));
    // For tests of trials, which run in a process of their own: a kernel that writes behind the end of a row.
    const bool writesMore = std::getenv("JETSCOPE_FAKE_KERNEL_WRITES_MORE") != nullptr;
    for (int y = 0; y < height; ++y)
        std::memset(out + static_cast<std::size_t>(y) * pitch, kernel.module->number,
                    static_cast<std::size_t>(width) * (kernel.isGrey ? 1 : 4) + (writesMore && y == 0 ? 1 : 0));
    return 0;
}
int cuArray3DCreate_v2(void **array, const jetscope::driver::ArrayShape *shape)
{
    const std::lock_guard lock(g_state.mutex);
    require(shape->depth == 0 && shape->format == 1 && shape->flags == 2);
    auto *made =
        new Array{*shape, static_cast<unsigned char *>(std::calloc(shape->width * shape->height, shape->channels))};
    g_state.arrays.insert(made);
    *array = made;
    return 0;
}
int cuArrayDestroy(void *array)
{
    const std::lock_guard lock(g_state.mutex);
    require(g_state.arrays.erase(array) == 1);
    std::free(static_cast<Array *>(array)->bytes);
    delete static_cast<Array *>(array);
    return 0;
}
int cuSurfObjectCreate(std::uint64_t *surface, const jetscope::driver::SurfaceTarget *target)
{
    const std::lock_guard lock(g_state.mutex);
    require(target->type == 0 && g_state.arrays.count(target->array) == 1);
    *surface = reinterpret_cast<std::uintptr_t>(target->array) + 1;
    return 0;
}
int cuSurfObjectDestroy(std::uint64_t surface)
{
    const std::lock_guard lock(g_state.mutex);
    static_cast<void>(arrayOf(surface)); // Before its array.
    return 0;
}
int cuMemcpy2DAsync_v2(const jetscope::driver::Copy2d *copy, void *stream)
{
    if (const int code = announced("cuMemcpy2DAsync", stream); code != 0)
        return code;
    const std::lock_guard lock(g_state.mutex);
    const auto rowOf = [](const jetscope::driver::CopyEnd &end, std::size_t y) {
        if (end.memory == 1)
            return static_cast<unsigned char *>(const_cast<void *>(end.host)) + y * end.pitch;
        if (end.memory == 2)
            return reinterpret_cast<unsigned char *>(end.device) + y * end.pitch;
        require(end.memory == 3 && g_state.arrays.count(end.array) == 1);
        const auto *array = static_cast<const Array *>(end.array);
        return array->bytes + y * array->shape.width * array->shape.channels;
    };
    for (std::size_t y = 0; y < copy->height; ++y)
        std::memcpy(rowOf(copy->to, y), rowOf(copy->from, y), copy->widthBytes);
    return 0;
}
int cuMemsetD2D8Async(std::uint64_t memory, std::size_t pitch, unsigned char value, std::size_t width,
                      std::size_t height, void *stream)
{
    if (const int code = announced("cuMemsetD2D8Async", stream); code != 0)
        return code;
    for (std::size_t y = 0; y < height; ++y)
        std::memset(reinterpret_cast<unsigned char *>(memory) + y * pitch, value, width);
    return 0;
}
int cuMemAlloc_v2(std::uint64_t *memory, std::size_t bytes)
{
    if (fakeExternalFails("cuMemAlloc"))
        return 2;
    *memory = reinterpret_cast<std::uintptr_t>(std::malloc(bytes));
    tellOfMemory(*memory, bytes, "device");
    return 0;
}
int cuMemAllocManaged(std::uint64_t *memory, std::size_t bytes, unsigned flags)
{
    if (flags != 1)
        return 1;
    *memory = reinterpret_cast<std::uintptr_t>(std::malloc(bytes));
    tellOfMemory(*memory, bytes, "global");
    return 0;
}
int cuStreamAttachMemAsync(void *stream, std::uint64_t memory, std::size_t bytes, unsigned flags)
{
    if (const int code = announced("cuStreamAttachMemAsync", stream); code != 0)
        return code;
    if (bytes != 0 || (flags != 1 && flags != 2))
        return 1;
    tellOfMemory(memory, 0, flags == 1 ? "global" : "host");
    return 0;
}
int cuMemFree_v2(std::uint64_t memory)
{
    static_cast<void>(cuCtxSynchronize());
    tellOfMemory(memory, 0, "free");
    if (fakeExternalUnmap(memory))
        return 0;
    std::free(reinterpret_cast<void *>(memory));
    return 0;
}
/// Other copies of the default stream wait for it, but work of streams that do not block with that one does not.
int cuMemcpyHtoD_v2(std::uint64_t to, const void *from, std::size_t bytes)
{
    const std::lock_guard lock(g_state.mutex);
    deliverLateCopies();
    const auto *const first = static_cast<const unsigned char *>(from);
    g_state.lateCopies.push_back({to, {first, first + bytes}});
    return 0;
}
int cuMemcpyDtoH_v2(void *to, std::uint64_t from, std::size_t bytes)
{
    const std::lock_guard lock(g_state.mutex);
    deliverLateCopies();
    std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
    return 0;
}
int cuStreamCreate(void **stream, unsigned)
{
    *stream = &g_state;
    return 0;
}
int cuStreamDestroy_v2(void *)
{
    return 0;
}
int cuStreamSynchronize(void *stream)
{
    return announced("cuStreamSynchronize", stream);
}
int cuMemHostRegister_v2(void *memory, std::size_t, unsigned)
{
    const std::lock_guard lock(g_state.mutex);
    require(reinterpret_cast<std::uintptr_t>(memory) % 4096 == 0);
    return g_state.pinned.insert(memory).second ? 0 : 712;
}
int cuMemHostUnregister(void *memory)
{
    const std::lock_guard lock(g_state.mutex);
    require(g_state.pinned.erase(memory) == 1);
    return 0;
}
int cuGraphicsEGLRegisterImage(void **resource, void *image, unsigned flags)
{
    const std::lock_guard lock(g_state.mutex);
    auto *const fake = static_cast<FakeEglImage *>(image);
    if (!fake || fake->magic != FakeEglImage::kMagic || flags != 0)
        return 1;
    require(fake->isForDevice);
    ++fake->registrations;
    *resource = new FakeEglImage *(fake);
    g_state.resources.insert(*resource);
    return 0;
}
int cuGraphicsResourceGetMappedEglFrame(nviva_egl_frame *frame, void *resource, unsigned, unsigned)
{
    const std::lock_guard lock(g_state.mutex);
    if (g_state.resources.count(resource) == 0)
        return 400;
    const FakeEglImage &image = **static_cast<FakeEglImage **>(resource);
    *frame = {};
    frame->planes[0] = image.pixels;
    frame->width = image.width;
    frame->height = image.height;
    frame->pitch = image.pitch;
    frame->plane_count = 1;
    frame->channels = 4;
    frame->frame_type = image.frameType;
    frame->egl_format = NVIVA_ABGR_FRAME;
    frame->element = NVIVA_BYTE_ELEMENT;
    return 0;
}
int cuGraphicsUnregisterResource(void *resource)
{
    const std::lock_guard lock(g_state.mutex);
    if (g_state.resources.erase(resource) == 0)
        return 400;
    auto *const image = static_cast<FakeEglImage **>(resource);
    --(*image)->registrations;
    delete image;
    return 0;
}
int cuEventCreate(void **event, unsigned)
{
    *event = new Event;
    ++g_state.events;
    return 0;
}
int cuEventDestroy_v2(void *event)
{
    delete static_cast<Event *>(event);
    --g_state.events;
    return 0;
}
int cuEventRecord(void *event, void *stream)
{
    if (fakeExternalFails("cuEventRecord"))
        return 999;
    const std::lock_guard lock(g_state.mutex);
    *static_cast<Event *>(event) = {true, g_state.isHanging, g_state.busyUntil[stream]};
    return 0;
}
int cuEventQuery(void *event)
{
    ++g_state.queries;
    bool isPending = false;
    {
        const std::lock_guard lock(g_state.mutex);
        const Event &asked = *static_cast<Event *>(event);
        require(asked.isRecorded);
        isPending = (g_state.isHanging && asked.hangs) || Clock::now() < asked.due;
    }
    if (isPending)
        std::this_thread::sleep_for(std::chrono::milliseconds(g_state.stallMs.exchange(0)));
    return isPending ? 600 : g_state.eventResult.load();
}
}
