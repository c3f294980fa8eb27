// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kFlushEveryMs = 50 };

struct jsi_cupti jsi_cupti;
struct jsa_ring *jsi_ring;
uint32_t jsi_owner;
static struct jsa_session *s_session;
static pid_t s_process;

// In the library that is preloaded; null in a program without it.
extern struct jsa_ring *jetscope_gpu_ring_v1(uint32_t *owner, struct jsa_session **session) __attribute__((weak));

static const struct {
    enum jsa_gpu_kind kind;
    uint32_t number;
} s_kinds[] = {
    {JSA_GPU_KERNEL, JSC_KIND_CONCURRENT_KERNEL}, {JSA_GPU_COPY, JSC_KIND_MEMCPY},    {JSA_GPU_SET, JSC_KIND_MEMSET},
    {JSA_GPU_SYNC, JSC_KIND_SYNCHRONIZATION},     {JSA_GPU_MEMORY, JSC_KIND_MEMORY2}, {JSA_GPU_CALL, JSC_KIND_DRIVER},
};
enum { kKinds = sizeof s_kinds / sizeof *s_kinds };

// Callback ids (cupti_driver_cbid.h, where numbers never change) of the calls that submit work: cuLaunchKernel,
// cuLaunchKernelEx, cuLaunchCooperativeKernel, cuGraphLaunch, then the copies and memsets of core/attach/attachcalls.h,
// each for the legacy and for the threads' own default stream.
static const uint16_t s_submissions[] = {307, 442, 652, 653, 477, 478, 514, 515, 305, 408, 306, 418, 276, 397,
                                         278, 398, 280, 399, 277, 421, 279, 422, 281, 423, 287, 405, 288, 406,
                                         289, 424, 290, 407, 291, 425, 249, 411, 251, 413, 216, 428, 220, 430};

static int refuse(enum jsa_gpu_step step, int code, const char *reason)
{
    struct jsa_gpu_state *const state = &jsi_ring->gpu;
    state->step = step;
    state->code = code;
    strncpy(state->reason, reason ? reason : "", sizeof state->reason - 1);
    __atomic_store_n(&state->state, JSA_GPU_REFUSED, __ATOMIC_RELEASE);
    return 0;
}

// --- the library

// A libcupti that the program has loaded itself, because two in one process disturb each other.
static int find_loaded(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    if (!slash || strncmp(slash, "/libcupti.so", strlen("/libcupti.so")) != 0)
        return 0;
    *(const char **)data = info->dlpi_name;
    return 1;
}

// dlopen, which the preloaded library never calls: this runs in the driver's cuInit, which loads libraries itself.
static int load(void)
{
    const char *path = getenv(JSA_CUPTI_VARIABLE);
    if (!path)
        return refuse(JSA_GPU_STEP_LOAD, 0, "the path of libcupti is missing in the environment");
    dl_iterate_phdr(find_loaded, &path);
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return refuse(JSA_GPU_STEP_LOAD, 0, dlerror());
    const struct {
        void *place;
        const char *name;
        int needed;
    } functions[] = {
        {&jsi_cupti.get_version, "cuptiGetVersion", 1},
        {&jsi_cupti.set_thread_ids, "cuptiSetThreadIdType", 0},
        {&jsi_cupti.register_clock, "cuptiActivityRegisterTimestampCallback", 1},
        {&jsi_cupti.register_buffers, "cuptiActivityRegisterCallbacks", 1},
        {&jsi_cupti.enable, "cuptiActivityEnable", 1},
        {&jsi_cupti.disable, "cuptiActivityDisable", 1},
        {&jsi_cupti.enable_call, "cuptiActivityEnableDriverApi", 0},
        {&jsi_cupti.flush, "cuptiActivityFlushAll", 1},
        {&jsi_cupti.next_record, "cuptiActivityGetNextRecord", 1},
        {&jsi_cupti.dropped, "cuptiActivityGetNumDroppedRecords", 1},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        void *const function = dlsym(library, functions[i].name);
        memcpy(functions[i].place, &function, sizeof function);
        if (!function && functions[i].needed)
            return refuse(JSA_GPU_STEP_SYMBOL, 0, functions[i].name);
    }
    return 1;
}

static int is_known(uint32_t version)
{
    return (version >= JSC_FIRST_OF_12_2 && version <= JSC_LAST_OF_12)
        || (version >= JSC_FIRST_OF_13 && version < JSC_END_OF_13);
}

// --- what is recorded

// Only calls that submit work, where CUPTI can choose; else all.
static int enable_calls(void)
{
    const size_t count = sizeof s_submissions / sizeof *s_submissions;
    size_t enabled = 0;
    while (jsi_cupti.enable_call && enabled < count && jsi_cupti.enable_call(s_submissions[enabled], 1) == JSC_SUCCESS)
        ++enabled;
    return enabled == count ? JSC_SUCCESS : jsi_cupti.enable(JSC_KIND_DRIVER);
}

static int enable_kinds(void)
{
    struct jsa_gpu_state *const state = &jsi_ring->gpu;
    for (int i = 0; i < kKinds; ++i) {
        const int code = s_kinds[i].kind == JSA_GPU_CALL ? enable_calls() : jsi_cupti.enable(s_kinds[i].number);
        state->refusals[s_kinds[i].kind] = code;
        if (code != JSC_SUCCESS && s_kinds[i].kind == JSA_GPU_KERNEL)
            return refuse(JSA_GPU_STEP_KERNELS, code, NULL);
    }
    return 1;
}

static void disable_kinds(void)
{
    for (int i = 0; i < kKinds; ++i)
        if (jsi_ring->gpu.refusals[s_kinds[i].kind] == JSC_SUCCESS)
            jsi_cupti.disable(s_kinds[i].number);
    for (size_t i = 0; jsi_cupti.enable_call && i < sizeof s_submissions / sizeof *s_submissions; ++i)
        jsi_cupti.enable_call(s_submissions[i], 0);
}

static int start_cupti(void)
{
    struct jsa_gpu_state *const state = &jsi_ring->gpu;
    if (!load())
        return 0;
    int code = jsi_cupti.get_version(&state->version);
    if (code != JSC_SUCCESS || !is_known(state->version))
        return refuse(JSA_GPU_STEP_VERSION, code, NULL);
    if (jsi_cupti.set_thread_ids)
        jsi_cupti.set_thread_ids(JSC_THREAD_IDS_OF_SYSTEM);
    // First the clock: records of kinds that were enabled before keep CUPTI's clock.
    if ((code = jsi_cupti.register_clock(jsi_now)) != JSC_SUCCESS)
        return refuse(JSA_GPU_STEP_CLOCK, code, NULL);
    if ((code = jsi_cupti.register_buffers(jsi_buffer_requested, jsi_buffer_completed)) != JSC_SUCCESS)
        return refuse(JSA_GPU_STEP_BUFFERS, code, NULL);
    return enable_kinds();
}

// --- delivery

static void flush(uint32_t flag)
{
    struct jsa_gpu_state *const state = &jsi_ring->gpu;
    const uint64_t began = jsi_now();
    if (jsi_has_buffers()) {
        jsi_cupti.flush(flag);
        __atomic_fetch_add(&state->flush_ns, jsi_now() - began, __ATOMIC_RELAXED);
        __atomic_fetch_add(&state->flushes, 1, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&state->flushed_ns, began, __ATOMIC_RELEASE);
}

// CUPTI returns a buffer only when it is full or at a flush.
static void *flush_at_intervals(void *nothing)
{
    while (!__atomic_load_n(&s_session->quiet, __ATOMIC_RELAXED)) {
        const struct timespec pause = {0, kFlushEveryMs * 1000000L};
        nanosleep(&pause, NULL);
        flush(0);
    }
    disable_kinds(); // The collector has what it wanted: the rest of the program is not slowed down.
    return nothing;
}

static void flush_at_exit(void)
{
    if (getpid() != s_process || s_session->quiet)
        return;
    const int saved = errno;
    flush(JSC_FLUSH_FORCED);
    errno = saved;
}

static int start_thread(void)
{
    pthread_t thread;
    pthread_attr_t facts;
    sigset_t all, before;
    pthread_attr_init(&facts);
    pthread_attr_setdetachstate(&facts, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // Signals are the program's.
    const int code = pthread_create(&thread, &facts, flush_at_intervals, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&facts);
    return code == 0;
}

// The driver calls it in cuInit.
__attribute__((visibility("default"))) int InitializeInjection(void)
{
    static uint32_t s_begun = 0;
    if (!jetscope_gpu_ring_v1 || __atomic_exchange_n(&s_begun, 1, __ATOMIC_ACQ_REL))
        return 1;
    const int saved = errno;
    s_process = getpid();
    jsi_begin_records();
    jsi_ring = jetscope_gpu_ring_v1(&jsi_owner, &s_session);
    if (jsi_ring) {
        memset(&jsi_ring->gpu, 0, sizeof jsi_ring->gpu);
        jsi_ring->gpu.state = JSA_GPU_STARTING;
        if (start_cupti() && start_thread()) {
            atexit(flush_at_exit);
            __atomic_store_n(&jsi_ring->gpu.state, JSA_GPU_RECORDING, __ATOMIC_RELEASE);
        }
    }
    if (s_session && (s_session->options & JSA_OPTION_NO_CHILDREN) != 0) {
        unsetenv("CUDA_INJECTION64_PATH");
        unsetenv(JSA_CUPTI_VARIABLE);
    }
    errno = saved;
    return 1;
}
