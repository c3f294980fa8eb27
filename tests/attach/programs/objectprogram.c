// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// objectprogram WAY FRAMES : makes frames from what the producers of a Jetson's pictures hand over, without a swap or a
// mark. WAY names a row at the end. Prints how often functions of NvBuf were called, and exits with 0 if all
// arguments arrived.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned long mockgl_calls(const char *name);
extern int mockgl_streams(void);
extern void *eglGetProcAddress(const char *name);
extern unsigned eglSwapBuffers(void *display, void *surface);
extern void *eglCreateStreamKHR(void *display, const int *attributes);
extern unsigned eglDestroyStreamKHR(void *display, void *stream);
extern unsigned eglStreamConsumerGLTextureExternalKHR(void *display, void *stream);
extern unsigned eglStreamConsumerAcquireKHR(void *display, void *stream);
extern unsigned eglStreamConsumerReleaseKHR(void *display, void *stream);
extern unsigned eglQueryStreamKHR(void *display, void *stream, unsigned attribute, int *value);

extern unsigned long mockcuda_wrong(void);
extern int cuModuleGetFunction(void **function, void *module, const char *name);
extern int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void *stream, void **parameters, void **extra);
extern int cuStreamCreate(void **stream, unsigned flags);
extern int cuStreamSynchronize(void *stream);
extern int cuGraphicsEGLRegisterImage(void **resource, void *image, unsigned flags);
extern int cuGraphicsUnregisterResource(void *resource);
extern int cuEGLStreamConsumerConnect(uint64_t *connection, void *stream);
extern int cuEGLStreamConsumerDisconnect(uint64_t *connection);
extern int cuEGLStreamConsumerAcquireFrame(uint64_t *connection, void **resource, void **stream, unsigned timeout);
extern int cuEGLStreamConsumerReleaseFrame(uint64_t *connection, void *resource, void **stream);
extern int cuGraphicsResourceGetMappedEglFrame(void *frame, void *resource, unsigned index, unsigned level);
extern int cuMemHostAlloc(void **address, size_t bytes, unsigned flags);
extern int cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags);
extern int cuMemHostUnregister(void *address);
extern int cuMemFreeHost(void *address);
extern int cuEventCreate(void **event, unsigned flags);
extern int cuEventRecord(void *event, void *stream);
extern int cuEventSynchronize(void *event);
extern int cuEventDestroy_v2(void *event);
extern int cuEventElapsedTime(float *ms, void *from, void *to);
extern int cuEventElapsedTime_v2(float *ms, void *from, void *to);
extern int cuArrayCreate_v2(uint64_t *array, const void *wish);
extern int cuArray3DCreate_v2(uint64_t *array, const void *wish);
extern int cuArrayDestroy(uint64_t array);
extern int cuMipmappedArrayCreate(uint64_t *array, const void *wish, unsigned levels);
extern int cuMipmappedArrayDestroy(uint64_t array);
extern int cuMemCreate(uint64_t *handle, size_t bytes, const void *properties, uint64_t flags);
extern int cuMemRelease(uint64_t handle);
extern int cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle, uint64_t flags);
extern int cuMemUnmap(uint64_t address, size_t bytes);

extern unsigned long mocknvbuf_wrong(void);
extern void mocknvbuf_print(void);
extern int NvBufSurfaceAllocate(void **surface, uint32_t batch, const void *parameters);
extern int NvBufSurfaceCreate(void **surface, uint32_t batch, const void *parameters);
extern int NvBufSurfaceDestroy(void *surface);
extern int NvBufSurfaceMap(void *surface, int index, int plane, int type);
extern int NvBufSurfaceUnMap(void *surface, int index, int plane);
extern int NvBufSurfaceSyncForCpu(void *surface, int index, int plane);
extern int NvBufSurfaceSyncForDevice(void *surface, int index, int plane);
extern int NvBufSurfaceMapEglImage(void *surface, int index);
extern int NvBufSurfaceUnMapEglImage(void *surface, int index);
extern int NvBufSurfTransform(void *from, void *to, const void *parameters);
extern int NvBufSurfaceCopy(void *from, void *to);
extern int NvBufferCreateEx(int *descriptor, const void *parameters);
extern int NvBufferDestroy(int descriptor);
extern void *NvEGLImageFromFd(void *display, int descriptor);
extern int NvDestroyEGLImage(void *display, void *image);
extern int NvBufferTransform(int from, int to, const void *parameters);

#define EGL ((void *)1)
static void *s_function, *s_stream;
static int s_bad;

static void check(int code)
{
    s_bad |= code != 0;
}

static void work(void)
{
    check(cuLaunchKernel(s_function, 1, 2, 3, 4, 5, 6, 7, s_stream, (void **)8, (void **)9));
    check(cuStreamSynchronize(s_stream));
}

// --- consumers of an EGLStream

static void take_frame(uint64_t *connection)
{
    void *resource = NULL;
    char frame[64];
    check(cuEGLStreamConsumerAcquireFrame(connection, &resource, &s_stream, 16000));
    check(cuGraphicsResourceGetMappedEglFrame(frame, resource, 0, 0));
    work();
    check(cuEGLStreamConsumerReleaseFrame(connection, resource, &s_stream));
}

static void consumer(int frames)
{
    void *const stream = eglCreateStreamKHR(EGL, NULL);
    uint64_t connection = 0;
    check(cuEGLStreamConsumerConnect(&connection, stream));
    for (int frame = 0; frame < frames; ++frame)
        take_frame(&connection);
    check(cuEGLStreamConsumerDisconnect(&connection));
    check(!eglDestroyStreamKHR(EGL, stream));
}

// The camera is opened anew for each frame, and not closed.
static void leaking_consumer(int frames)
{
    static uint64_t s_connection;
    for (int frame = 0; frame < frames; ++frame) {
        check(cuEGLStreamConsumerConnect(&s_connection, eglCreateStreamKHR(EGL, NULL)));
        take_frame(&s_connection);
    }
}

static void closing_consumer(int frames)
{
    static uint64_t s_connection;
    for (int frame = 0; frame < frames; ++frame) {
        void *const stream = eglCreateStreamKHR(EGL, NULL);
        check(cuEGLStreamConsumerConnect(&s_connection, stream));
        take_frame(&s_connection);
        check(cuEGLStreamConsumerDisconnect(&s_connection));
        check(!eglDestroyStreamKHR(EGL, stream));
    }
}

static void draw_stream(int frames, int releases, int swaps)
{
    void *const stream = eglCreateStreamKHR(EGL, NULL);
    int state = 0;
    check(!eglStreamConsumerGLTextureExternalKHR(EGL, stream));
    for (int frame = 0; frame < frames; ++frame) {
        check(!eglQueryStreamKHR(EGL, stream, 0x3214, &state));
        check(!eglStreamConsumerAcquireKHR(EGL, stream));
        if (releases)
            check(!eglStreamConsumerReleaseKHR(EGL, stream));
        if (swaps)
            check(!eglSwapBuffers(EGL, (void *)5));
    }
    check(!eglDestroyStreamKHR(EGL, stream));
}
static void gl_consumer(int frames)
{
    draw_stream(frames, 1, 0);
}
static void gl_that_only_takes(int frames)
{
    draw_stream(frames, 0, 0);
}
static void gl_with_swaps(int frames)
{
    draw_stream(frames, 1, 1);
}

static void consumer_by_extension(int frames)
{
    typedef unsigned (*hand_over)(void *, void *, const intptr_t *);
    const hand_over acquire = (hand_over)eglGetProcAddress("eglStreamConsumerAcquireAttribKHR");
    const hand_over release = (hand_over)eglGetProcAddress("eglStreamConsumerReleaseAttribKHR");
    void *(*const make)(void *, const int *) = (void *(*)(void *, const int *))eglGetProcAddress("eglCreateStreamKHR");
    void *const stream = make(EGL, NULL);
    for (int frame = 0; frame < frames; ++frame) {
        check(!acquire(EGL, stream, NULL));
        work();
        check(!release(EGL, stream, NULL));
    }
    check(!eglDestroyStreamKHR(EGL, stream));
}

// --- NvBuf

enum { kPool = 4 };

// A camera's buffers in turn, which another engine copies.
static void nvbuf(int frames)
{
    void *pool[kPool], *picture = NULL, *resource = NULL;
    for (int i = 0; i < kPool; ++i)
        check(NvBufSurfaceAllocate(&pool[i], 3, pool));
    check(NvBufSurfaceCreate(&picture, 1, pool));
    check(NvBufSurfaceMap(picture, 0, -1, 2));
    check(NvBufSurfaceMapEglImage(picture, 0));
    check(cuGraphicsEGLRegisterImage(&resource, (void *)11, 0));
    for (int frame = 0; frame < frames; ++frame) {
        check(NvBufSurfTransform(pool[frame % kPool], picture, pool));
        work();
        check(NvBufSurfaceSyncForCpu(picture, 0, -1));
    }
    check(NvBufSurfaceCopy(picture, pool[0]));
    check(cuGraphicsUnregisterResource(resource));
    check(NvBufSurfaceUnMapEglImage(picture, 0));
    check(NvBufSurfaceUnMap(picture, 0, -1));
    check(NvBufSurfaceDestroy(picture));
    for (int i = 0; i < kPool; ++i)
        check(NvBufSurfaceDestroy(pool[i]));
}

// All is made and registered for each frame; the buffers are given back if `leaks` is 0.
static void waste_nvbuf(int frames, int leaks)
{
    void *camera = NULL;
    check(NvBufSurfaceAllocate(&camera, 3, &camera));
    for (int frame = 0; frame < frames; ++frame) {
        void *picture = NULL, *resource = NULL;
        check(NvBufSurfaceCreate(&picture, 1, &camera));
        check(NvBufSurfTransform(camera, picture, &camera));
        check(NvBufSurfaceMapEglImage(picture, 0));
        check(cuGraphicsEGLRegisterImage(&resource, (void *)11, 0));
        work();
        check(cuGraphicsUnregisterResource(resource));
        check(NvBufSurfaceUnMapEglImage(picture, 0));
        if (!leaks)
            check(NvBufSurfaceDestroy(picture));
    }
    check(NvBufSurfaceDestroy(camera));
}
static void nvbuf_per_frame(int frames)
{
    waste_nvbuf(frames, 0);
}
static void leaking_nvbuf(int frames)
{
    waste_nvbuf(frames, 1);
}

static void old_nvbuf(int frames, int keeps)
{
    struct {
        int value;
        int guard; // Only 32 bits are the descriptor.
    } camera = {0, -1}, picture = {0, -1};
    check(NvBufferCreateEx(&camera.value, &camera));
    check(NvBufferCreateEx(&picture.value, &camera));
    void *image = keeps ? NvEGLImageFromFd(EGL, picture.value) : NULL;
    for (int frame = 0; frame < frames; ++frame) {
        check(NvBufferTransform(camera.value, picture.value, &camera));
        if (!keeps)
            image = NvEGLImageFromFd(EGL, picture.value);
        work();
        if (!keeps)
            check(NvDestroyEGLImage(EGL, image));
    }
    if (keeps)
        check(NvDestroyEGLImage(EGL, image));
    check(NvBufferDestroy(picture.value));
    check(NvBufferDestroy(camera.value));
    check(camera.guard != -1 || picture.guard != -1);
}
static void nvbuf_of_jetpack_4(int frames)
{
    old_nvbuf(frames, 1);
}
static void images_of_jetpack_4(int frames)
{
    old_nvbuf(frames, 0);
}

// --- kinds of memory, which the arguments of the calls tell

static void host_memory(void)
{
    static char s_memory[2][8192];
    void *pinned = NULL, *mapped = NULL;
    check(cuMemHostAlloc(&pinned, 1000, 4)); // Write-combined.
    check(cuMemHostAlloc(&mapped, 2000, 2)); // The device uses it where it is.
    check(cuMemHostRegister_v2(s_memory[0], 4096, 0));
    check(cuMemHostRegister_v2(s_memory[1], 8192, 2));
    check(cuMemHostUnregister(s_memory[1]));
    check(cuMemHostUnregister(s_memory[0]));
    check(cuMemFreeHost(mapped));
    check(cuMemFreeHost(pinned));
}

static void arrays(void)
{
    struct {
        size_t width, height;
        uint32_t format, channels;
    } flat = {640, 480, 0x01, 4};
    struct {
        size_t width, height, depth;
        uint32_t format, channels, flags;
    } box = {64, 32, 6, 0x20, 2, 0}, layers = {16, 16, 3, 0x10, 4, 1};
    uint64_t array = 0, other = 0, levels = 0;
    check(cuArrayCreate_v2(&array, NULL) != 1);
    check(cuArrayCreate_v2(&array, &flat));
    check(cuArray3DCreate_v2(&other, &box));
    check(cuMipmappedArrayCreate(&levels, &layers, 5));
    check(cuArrayDestroy(array));
    check(cuMipmappedArrayDestroy(levels));
    check(cuArrayDestroy(other));
}

// Two pieces behind each other, of which nothing but the mapping is kept.
static void mapped_memory(void)
{
    enum { kPiece = 1 << 21 };
    uint64_t address = 0x700000000, pieces[2];
    for (int i = 0; i < 2; ++i) {
        check(cuMemCreate(&pieces[i], kPiece, pieces, 0));
        check(cuMemMap(address + (uint64_t)i * kPiece, kPiece, 0, pieces[i], 0));
        check(cuMemRelease(pieces[i]));
    }
    check(cuMemUnmap(address, 2 * kPiece));
}

static void memory(int frames)
{
    for (int frame = 0; frame < frames; ++frame)
        work();
    host_memory();
    arrays();
    mapped_memory();
}

// --- events

static void *s_events[2];

static void record_events(int frames, void (*use)(void))
{
    for (int i = 0; i < 2; ++i)
        check(cuEventCreate(&s_events[i], 0));
    for (int frame = 0; frame < frames; ++frame) {
        check(cuEventRecord(s_events[0], s_stream));
        check(cuLaunchKernel(s_function, 1, 2, 3, 4, 5, 6, 7, s_stream, (void **)8, (void **)9));
        check(cuEventRecord(s_events[1], s_stream));
        if (use)
            use();
        check(cuStreamSynchronize(s_stream));
    }
}
static void wait_for_both(void)
{
    check(cuEventSynchronize(s_events[0]));
    check(cuEventSynchronize(s_events[1]));
}
static void ask_for_time(void)
{
    float ms = 0;
    check(cuEventElapsedTime(&ms, s_events[0], s_events[1]));
}
static void ask_too_early(void)
{
    float ms = 0;
    check(cuEventElapsedTime_v2(&ms, s_events[0], s_events[1]) != 600);
}
static void wait_for_one(void)
{
    check(cuEventSynchronize(s_events[1]));
}
static void unawaited_events(int frames)
{
    record_events(frames, NULL);
}
static void unawaited_event(int frames)
{
    record_events(frames, wait_for_one);
}
static void awaited_events(int frames)
{
    record_events(frames, wait_for_both);
}
static void timed_events(int frames)
{
    record_events(frames, ask_for_time);
}
static void timed_too_early(int frames)
{
    record_events(frames, ask_too_early);
}

static void event_per_frame(int frames, int waits)
{
    for (int frame = 0; frame < frames; ++frame) {
        void *event = NULL;
        check(cuEventCreate(&event, 0));
        check(cuEventRecord(event, s_stream));
        if (waits)
            check(cuEventSynchronize(event));
        work();
        check(cuEventDestroy_v2(event));
    }
}
static void new_events(int frames)
{
    event_per_frame(frames, 0);
}
static void new_awaited_events(int frames)
{
    event_per_frame(frames, 1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int frames);
    } ways[] = {
        {"consumer", consumer},
        {"consumer-leaks", leaking_consumer},
        {"consumer-closes", closing_consumer},
        {"gl", gl_consumer},
        {"gl-takes", gl_that_only_takes},
        {"gl-swaps", gl_with_swaps},
        {"extension", consumer_by_extension},
        {"nvbuf", nvbuf},
        {"nvbuf-per-frame", nvbuf_per_frame},
        {"nvbuf-leaks", leaking_nvbuf},
        {"nvbuf-old", nvbuf_of_jetpack_4},
        {"nvbuf-old-images", images_of_jetpack_4},
        {"memory", memory},
        {"events-unawaited", unawaited_events},
        {"events-one-unawaited", unawaited_event},
        {"events-awaited", awaited_events},
        {"events-timed", timed_events},
        {"events-timed-early", timed_too_early},
        {"events-new", new_events},
        {"events-new-awaited", new_awaited_events},
    };
    if (argc < 3)
        return 2;
    check(cuModuleGetFunction(&s_function, (void *)1, "work"));
    check(cuStreamCreate(&s_stream, 1));
    int found = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
        if (strcmp(argv[1], ways[i].name) == 0) {
            ways[i].run(atoi(argv[2]));
            found = 1;
        }
    mocknvbuf_print();
    if (!found)
        return 2;
    return s_bad || mockcuda_wrong() || mocknvbuf_wrong() || mockgl_calls("wrong arguments") ? 5 : 0;
}
