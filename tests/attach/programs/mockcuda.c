// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A libcuda without a GPU: the entry points that a program and a trial of CUPTI need, which count their calls and check
// their arguments. cuInit loads the library of CUDA_INJECTION64_PATH as the driver does. If a fake libcupti is loaded
// (tests/support/fakecupti.cpp), it is told about work.
#define _GNU_SOURCE

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))
typedef int result;

static unsigned long s_launches, s_copies, s_registrations, s_wrong;

VISIBLE unsigned long mockcuda_launches(void)
{
    return s_launches;
}
VISIBLE unsigned long mockcuda_copies(void)
{
    return s_copies;
}
VISIBLE unsigned long mockcuda_registrations(void)
{
    return s_registrations;
}
VISIBLE unsigned long mockcuda_wrong(void)
{
    return s_wrong;
}

static void *next_handle(void)
{
    static uintptr_t handle = 0x100000;
    return (void *)(handle += 0x1000);
}

// --- CUPTI

enum { kCopy = 1, kSet = 2, kKernel = 10, kSync = 38, kMemory = 49 }; // CUpti_ActivityKind

static int find_cupti(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    if (!slash || strcmp(slash, "/libcupti.so.13") != 0)
        return 0;
    *(const char **)data = info->dlpi_name;
    return 1;
}

static void did(uint32_t kind, const void *stream, uint64_t bytes, uint32_t detail, const char *name)
{
    static void (*s_tell)(uint32_t, uint32_t, uint64_t, uint32_t, const char *);
    static int s_searches;
    // CUPTI may come after the first calls. dlopen, which reads the cache of all libraries each time, would hold the
    // program up for half a second, and then it would catch up.
    if (!s_tell && s_searches < 1000) {
        ++s_searches;
        const char *path = NULL;
        dl_iterate_phdr(find_cupti, &path);
        void *const library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
        *(void **)&s_tell = library ? dlsym(library, "fakeCuptiDid") : NULL;
    }
    if (s_tell)
        s_tell(kind, stream ? (uint32_t)((uintptr_t)stream >> 12 & 0xff) : 7, bytes, detail, name);
}

static void inject(void)
{
    static int s_done;
    const char *path = getenv("CUDA_INJECTION64_PATH");
    if (s_done++ || !path)
        return;
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*begin)(void) = library ? (int (*)(void))dlsym(library, "InitializeInjection") : NULL;
    if (begin)
        begin();
}

// --- names of functions

enum { kMaxNames = 64 };
static const char *s_names[kMaxNames];
static const char kFirstFunction[kMaxNames]; // Their handles.

static const char *name_of(const void *function)
{
    const ptrdiff_t index = (const char *)function - kFirstFunction;
    return index >= 0 && index < kMaxNames ? s_names[index] : NULL;
}

VISIBLE result cuInit(unsigned flags)
{
    inject();
    return flags == 0 ? 0 : 1;
}

VISIBLE result cuModuleGetFunction(void **function, void *module, const char *name)
{
    if (!module || strcmp(name, "missing") == 0)
        return 500; // CUDA_ERROR_NOT_FOUND
    static int s_count;
    s_names[s_count % kMaxNames] = strdup(name); // Valid as long as the module.
    *function = (void *)&kFirstFunction[s_count++ % kMaxNames];
    return 0;
}

VISIBLE result cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, void *stream, void **parameters, void **extra)
{
    did(kKernel, stream, 0, 0, name_of(function));
    ++s_launches;
    s_wrong += !function || gx != 1 || gy != 2 || gz != 3 || bx != 4 || by != 5 || bz != 6 || shared != 7
        || parameters != (void **)8 || extra != (void **)9;
    return 0;
}

static __thread int t_in_host_function;

VISIBLE result cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    if (t_in_host_function)
        return 800; // CUDA_ERROR_NOT_PERMITTED
    *address = (uint64_t)(uintptr_t)next_handle();
    did(kMemory, NULL, bytes, 1, NULL);
    return bytes > 0 ? 0 : 1;
}

VISIBLE result cuMemFree_v2(uint64_t address)
{
    did(kMemory, NULL, 0, 2, NULL);
    return address ? 0 : 1;
}

VISIBLE result cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
    (void)flags;
    *address = malloc(bytes);
    return 0;
}

VISIBLE result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream)
{
    did(kCopy, stream, bytes, 1, NULL);
    ++s_copies;
    s_wrong += to == 0 || from == NULL || bytes != 4096;
    return 0;
}

VISIBLE result cuGraphicsEGLRegisterImage(void **resource, void *image, unsigned flags)
{
    ++s_registrations;
    s_wrong += image != (void *)11 || flags != 0;
    *resource = next_handle();
    return 0;
}

VISIBLE result cuGraphicsUnregisterResource(void *resource)
{
    return resource ? 0 : 1;
}

VISIBLE result cuStreamCreate(void **stream, unsigned flags)
{
    (void)flags;
    *stream = next_handle();
    return 0;
}

VISIBLE result cuStreamQuery(void *stream)
{
    (void)stream;
    return 0;
}

/// As the instrumented driver does, by what is documented of it: it names the kernel, the channel and where its code
/// begins, in the standard output.
static void track(void)
{
    const char *const wanted = getenv("CUDA_DIAG_TASK_TRACKER");
    if (!wanted || strcmp(wanted, "1") != 0)
        return;
    sleep(1);
    printf("hang detected\nstream 2 hwChannelId 507\n_Z14infiniteKerneli launchPC [0x206e8c200]\n");
}

VISIBLE result cuStreamSynchronize(void *stream)
{
    if (stream == (void *)0xdead && write(STDOUT_FILENO, "waiting\n", 8) == 8) { // Work that never ends.
        track();
        for (const time_t end = time(NULL) + 600; time(NULL) < end;) // Longer than any test.
            sleep(1);
        _exit(9);
    }
    did(kSync, stream, 0, 3, NULL);
    return 0;
}

VISIBLE result cuCtxSynchronize(void)
{
    did(kSync, NULL, 0, 4, NULL);
    return 0;
}

// --- for a trial of CUPTI

VISIBLE result cuGetErrorString(int code, const char **text)
{
    *text = code == 0 ? "no error" : "an error of the mock";
    return 0;
}
VISIBLE result cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}
VISIBLE result cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    *context = next_handle();
    return 0;
}
VISIBLE result cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return 0;
}
VISIBLE result cuCtxSetCurrent(void *context)
{
    return context ? 0 : 1;
}
VISIBLE result cuMemsetD8_v2(uint64_t address, unsigned char value, size_t bytes)
{
    (void)value;
    did(kSet, NULL, bytes, 0, NULL);
    return address ? 0 : 1;
}
VISIBLE result cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    memset(to, 0, bytes);
    did(kCopy, NULL, bytes, 2, NULL);
    return from ? 0 : 1;
}
VISIBLE result cuModuleLoadData(void **module, const void *image)
{
    *module = next_handle();
    return image ? 0 : 1;
}
VISIBLE result cuModuleUnload(void *module)
{
    return module ? 0 : 1;
}

// --- for programs with hazards; all work is complete at once

VISIBLE result cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 89 && getenv("MOCK_CONCURRENT_MANAGED") != NULL; // concurrentManagedAccess
    return attribute > 0 && device == 0 ? 0 : 1;
}
VISIBLE result cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags)
{
    *address = (uint64_t)(uintptr_t)malloc(bytes);
    return flags == 1 || flags == 2 ? 0 : 1;
}
VISIBLE result cuMemFreeHost(void *memory)
{
    free(memory);
    return 0;
}
VISIBLE result cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return memory && bytes > 0 ? 0 : 1;
}
VISIBLE result cuMemHostUnregister(void *memory)
{
    return memory ? 0 : 1;
}
VISIBLE result cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    memset(to, 0, bytes);
    did(kCopy, stream, bytes, 2, NULL);
    return from ? 0 : 1;
}
VISIBLE result cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    did(kCopy, stream, bytes, 8, NULL);
    return to && from ? 0 : 1;
}
VISIBLE result cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    did(kCopy, stream, bytes, 0, NULL);
    return to && from ? 0 : 1;
}
// CUDA_MEMCPY2D: 7 words for each side, width, height. Those of a side: x, y, type, host, device, array, pitch.
VISIBLE result cuMemcpy2DAsync_v2(const uint64_t *copy, void *stream)
{
    const uint64_t width = copy[14], height = copy[15];
    did(kCopy, stream, width * height, 0, NULL);
    for (const uint64_t *side = copy; side < copy + 14; side += 7) {
        const uint32_t type = (uint32_t)side[2];
        const uint64_t address = type == 1 ? side[3] : type == 3 ? side[5] : side[4];
        if (type < 1 || type > 4 || address == 0 || (type != 3 && side[6] < width))
            return 1;
    }
    return 0;
}
VISIBLE result cuMemsetD2D8Async(uint64_t address, size_t pitch, unsigned char value, size_t width, size_t height,
                                 void *stream)
{
    (void)value;
    did(kSet, stream, width * height, 0, NULL);
    return address && pitch >= width && height > 0 ? 0 : 1;
}
VISIBLE result cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void *stream)
{
    (void)value;
    did(kSet, stream, bytes, 0, NULL);
    return address ? 0 : 1;
}
VISIBLE result cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    did(kCopy, NULL, bytes, 1, NULL);
    return to && from ? 0 : 1;
}
VISIBLE result cuGraphicsUnmapResources(unsigned count, void **resources, void *stream)
{
    return count == 1 && resources[0] == (void *)13 && stream ? 0 : 1;
}
VISIBLE result cuStreamAttachMemAsync(void *stream, uint64_t address, size_t bytes, unsigned flags)
{
    return stream && address && bytes == 0 && (flags == 1 || flags == 2 || flags == 4) ? 0 : 1;
}
VISIBLE result cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream)
{
    (void)stream;
    return cuMemAlloc_v2(address, bytes);
}
VISIBLE result cuMemFreeAsync(uint64_t address, void *stream)
{
    return address && stream ? 0 : 1;
}
VISIBLE result cuDeviceGetDefaultMemPool(void **pool, int device)
{
    *pool = next_handle();
    return device == 0 ? 0 : 1;
}
VISIBLE result cuMemPoolSetAttribute(void *pool, int attribute, const void *value)
{
    return pool && attribute == 4 && value ? 0 : 1; // CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
}
VISIBLE result cuEventCreate(void **event, unsigned flags)
{
    (void)flags;
    *event = next_handle();
    return 0;
}
VISIBLE result cuEventCreateFromEGLSync(void **event, void *sync, unsigned flags)
{
    *event = next_handle();
    return sync && flags == 0 ? 0 : 1;
}
VISIBLE result cuEventRecord(void *event, void *stream)
{
    (void)stream;
    return event ? 0 : 1;
}
VISIBLE result cuEventSynchronize(void *event)
{
    return event ? 0 : 1;
}
VISIBLE result cuEventDestroy_v2(void *event)
{
    return event ? 0 : 1;
}
VISIBLE result cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    return stream && event && flags == 0 ? 0 : 1;
}

VISIBLE result cuStreamWriteValue32_v2(void *stream, uint64_t address, uint32_t value, unsigned flags)
{
    (void)value;
    return stream && address && flags == 0 ? 0 : 1;
}
VISIBLE result cuStreamWaitValue32_v2(void *stream, uint64_t address, uint32_t value, unsigned flags)
{
    (void)value;
    return stream && address && (flags & ~0x40000003u) == 0 ? 0 : 1;
}
VISIBLE result cuStreamBatchMemOp_v2(void *stream, unsigned count, const uint64_t *operations, unsigned flags)
{
    return stream && operations && count <= 256 && flags == 0 ? 0 : 1;
}

struct host_function {
    void (*function)(void *);
    void *data;
};

static void *run_host_function(void *plan)
{
    const struct host_function *host = plan;
    t_in_host_function = 1;
    host->function(host->data);
    return NULL;
}

// On a thread of the driver.
VISIBLE result cuLaunchHostFunc(void *stream, void (*function)(void *), void *data)
{
    struct host_function host = {function, data};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_host_function, &host) != 0)
        return 1;
    pthread_join(thread, NULL);
    return stream ? 0 : 1;
}

VISIBLE result cuStreamAddCallback(void *stream, void (*function)(void *, result, void *), void *data, unsigned flags)
{
    function(stream, 0, data);
    return stream && flags == 0 ? 0 : 1;
}

// --- names with the endings of cuda.h, for default streams of threads

VISIBLE result cuLaunchKernel_ptsz(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, void *stream, void **parameters, void **extra)
{
    ++s_launches;
    s_wrong += !function || gx != 1 || gy != 2 || gz != 3 || bx != 4 || by != 5 || bz != 6 || shared != 7
        || parameters != (void **)8 || extra != (void **)9 || (stream && stream < (void *)0x1000);
    return 0;
}
VISIBLE result cuMemcpyHtoD_v2_ptds(uint64_t to, const void *from, size_t bytes)
{
    s_wrong += to == 0 || from == NULL || bytes != 4096;
    return 0;
}
VISIBLE result cuStreamSynchronize_ptsz(void *stream)
{
    s_wrong += stream != NULL;
    return 0;
}
VISIBLE result cuEventRecord_ptsz(void *event, void *stream)
{
    s_wrong += stream != NULL;
    return event ? 0 : 1;
}

VISIBLE result cuDriverGetVersion(int *version)
{
    *version = 13000;
    return 0;
}

// What the real runtime asks for and never calls here.
static result no_such_device(void)
{
    return 100; // CUDA_ERROR_NO_DEVICE
}

#define PREFETCH(name, ...)                                                                                            \
    VISIBLE result name(__VA_ARGS__)                                                                                   \
    {                                                                                                                  \
        s_wrong += memory != 4096 || bytes != 64;                                                                      \
        return 0;                                                                                                      \
    }
#define UNUSED __attribute__((unused))
#define PREFETCH_1 uint64_t memory, size_t bytes, int UNUSED device, void UNUSED *stream
#define PREFETCH_2 uint64_t memory, size_t bytes, uint64_t UNUSED place, unsigned UNUSED flags, void UNUSED *stream
PREFETCH(cuMemPrefetchAsync, PREFETCH_1)
PREFETCH(cuMemPrefetchAsync_ptsz, PREFETCH_1)
PREFETCH(cuMemPrefetchAsync_v2, PREFETCH_2)
PREFETCH(cuMemPrefetchAsync_v2_ptsz, PREFETCH_2)

// As a driver may have it that is newer than Jetscope.
VISIBLE result cuMemPrefetchAsync_v3(uint64_t memory, size_t bytes, uint64_t place, unsigned flags, void *stream,
                                     uint64_t sixth, uint64_t seventh)
{
    s_wrong += memory != 4096 || bytes != 64 || place != 1 || flags != 0 || stream || sixth != 6 || seventh != 7;
    return 0;
}

// CUeglFrame of cudaEGL.h, of 64 bytes, which come by value.
struct egl_frame {
    void *planes[3];
    unsigned width, height, depth, pitch, plane_count, channels, type, colour, format;
};
VISIBLE result cuEGLStreamProducerPresentFrame(void *connection, struct egl_frame frame, void *stream)
{
    s_wrong += connection != (void *)12 || frame.planes[0] != (void *)13 || frame.planes[2] != (void *)14
        || frame.width != 640 || frame.height != 480 || frame.format != 32 || stream != (void *)15;
    return 0;
}

VISIBLE result cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status)
{
    static const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"cuInit", (void *)cuInit},
        {"cuDriverGetVersion", (void *)cuDriverGetVersion},
        {"cuModuleGetFunction", (void *)cuModuleGetFunction},
        {"cuLaunchKernel", (void *)cuLaunchKernel},
        {"cuMemAlloc", (void *)cuMemAlloc_v2},
        {"cuMemFree", (void *)cuMemFree_v2},
        {"cuMemHostAlloc", (void *)cuMemHostAlloc},
        {"cuMemcpyHtoDAsync", (void *)cuMemcpyHtoDAsync_v2},
        {"cuGraphicsEGLRegisterImage", (void *)cuGraphicsEGLRegisterImage},
        {"cuGraphicsUnregisterResource", (void *)cuGraphicsUnregisterResource},
        {"cuStreamCreate", (void *)cuStreamCreate},
        {"cuStreamQuery", (void *)cuStreamQuery},
        {"cuStreamSynchronize", (void *)cuStreamSynchronize},
        {"cuCtxSynchronize", (void *)cuCtxSynchronize},
        {"cuEventCreate", (void *)cuEventCreate},
        {"cuGetProcAddress", (void *)cuGetProcAddress_v2},
    };
    static const struct {
        const char *name;
        void *function;
    } of_threads[] = {
        {"cuLaunchKernel", (void *)cuLaunchKernel_ptsz},
        {"cuMemcpyHtoD", (void *)cuMemcpyHtoD_v2_ptds},
        {"cuStreamSynchronize", (void *)cuStreamSynchronize_ptsz},
        {"cuEventRecord", (void *)cuEventRecord_ptsz},
    };
    static const int kOfPrograms = 12020; // The real runtime asks for other versions.
    static const int kOfTheFuture = 90000;
    s_wrong += version == kOfPrograms && flags != 0 && flags != 2;
    if (strcmp(symbol, "cuMemPrefetchAsync") == 0 && version >= kOfTheFuture) {
        *function = (void *)cuMemPrefetchAsync_v3;
        return 0;
    }
    if (strcmp(symbol, "cuMemPrefetchAsync") == 0) {
        static void *const versions[] = {(void *)cuMemPrefetchAsync, (void *)cuMemPrefetchAsync_ptsz,
                                         (void *)cuMemPrefetchAsync_v2, (void *)cuMemPrefetchAsync_v2_ptsz};
        *function = versions[(version >= kOfPrograms ? 2 : 0) + (flags == 2)];
        return 0;
    }
    for (size_t i = 0; flags == 2 && i < sizeof of_threads / sizeof *of_threads; ++i)
        if (strcmp(of_threads[i].name, symbol) == 0) {
            *function = of_threads[i].function;
            return 0;
        }
    if (status)
        *status = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, symbol) == 0) {
            *function = functions[i].function;
            return 0;
        }
    *function = version == kOfPrograms ? NULL : (void *)no_such_device;
    return version == kOfPrograms ? 500 : 0;
}
