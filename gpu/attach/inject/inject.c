// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kFlushEveryMs = 50, kMaxExitMs = 200 };

struct jsi_cupti jsi_cupti;
struct jsa_ring *jsi_ring;
uint32_t jsi_owner;
static struct jsa_session *s_session;
static pid_t s_process;

// In the library that is preloaded; null in a program without it.
extern struct jsa_ring *jetscope_gpu_ring_v1(uint32_t *owner, struct jsa_session **session) __attribute__((weak));
extern void jetscope_before_exit_v1(void (*before)(void)) __attribute__((weak));
extern void jetscope_submission_v1(uint32_t correlation) __attribute__((weak));

// Waits and allocations are not among them: the hooks see them with more than CUPTI says, and each kind costs time on
// the program's threads.
static const struct {
    enum jsa_gpu_kind kind;
    uint32_t number;
} s_kinds[] = {
    {JSA_GPU_KERNEL, JSC_KIND_CONCURRENT_KERNEL},
    {JSA_GPU_COPY, JSC_KIND_MEMCPY},
    {JSA_GPU_SET, JSC_KIND_MEMSET},
    {JSA_GPU_CALL, JSC_KIND_DRIVER},
};
enum { kKinds = sizeof s_kinds / sizeof *s_kinds };

// Callback ids of the calls that submit work (cupti_driver_cbid.h and cupti_runtime_cbid.h, where numbers never
// change): kernels, graphs, then copies and memsets, each for the legacy and for the threads' own default stream. Of a
// call of the runtime CUPTI records no call of the driver: for records both are needed, for callbacks the driver's.
static const uint16_t s_driver_calls[] = {307, 442, 652, 653, 477, 478, 514, 515, 305, 408, 306, 418, 276, 397,
                                          278, 398, 280, 399, 277, 421, 279, 422, 281, 423, 287, 405, 288, 406,
                                          289, 424, 290, 407, 291, 425, 249, 411, 251, 413, 216, 428, 220, 430};
static const uint16_t s_runtime_calls[] = {211, 214, 430, 431, 269, 270, 311, 312, 31, 215, 41, 225,
                                           32,  216, 44,  228, 144, 245, 145, 246, 39, 223, 40, 224,
                                           47,  231, 48,  232, 49,  233, 51,  235, 50, 234, 52, 236};

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
        {&jsi_cupti.set_attribute, "cuptiActivitySetAttribute", 0},
        {&jsi_cupti.enable, "cuptiActivityEnable", 1},
        {&jsi_cupti.disable, "cuptiActivityDisable", 1},
        {&jsi_cupti.enable_driver_call, "cuptiActivityEnableDriverApi", 0},
        {&jsi_cupti.enable_runtime_call, "cuptiActivityEnableRuntimeApi", 0},
        {&jsi_cupti.subscribe, "cuptiSubscribe", 1},
        {&jsi_cupti.unsubscribe, "cuptiUnsubscribe", 1},
        {&jsi_cupti.enable_callback, "cuptiEnableCallback", 1},
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

static void *s_subscriber; // Null: submissions are told by records.

// On the thread that submits, inside of the call that the preloaded library has hooked.
static void on_submission(void *user_data, int domain, uint32_t callback_id, const void *data)
{
    (void)user_data;
    (void)domain;
    (void)callback_id;
    const struct jsc_callback_data *const call = data;
    if (call->site != JSC_SITE_ENTER)
        return;
    if (__atomic_load_n(&jsi_ring->owner, __ATOMIC_RELAXED) == jsi_owner)
        __atomic_fetch_add(&jsi_ring->counts[JSA_GPU_CALL], 1, __ATOMIC_RELAXED);
    jetscope_submission_v1(call->correlationId);
}

enum { kDriverCalls = sizeof s_driver_calls / sizeof *s_driver_calls };
enum { kRuntimeCalls = sizeof s_runtime_calls / sizeof *s_runtime_calls };

static void end_callbacks(void)
{
    if (s_subscriber)
        jsi_cupti.unsubscribe(s_subscriber);
    s_subscriber = NULL;
}

// They cost the program's threads less than records of the calls. Only one client of CUPTI can have callbacks at a
// time.
static int enable_callbacks(void)
{
    void *subscriber = NULL;
    if (!jetscope_submission_v1 || jsi_cupti.subscribe(&subscriber, on_submission, NULL) != JSC_SUCCESS)
        return 0;
    s_subscriber = subscriber;
    int enabled = 0;
    while (enabled < kDriverCalls
           && jsi_cupti.enable_callback(1, subscriber, JSC_DOMAIN_DRIVER, s_driver_calls[enabled]) == JSC_SUCCESS)
        ++enabled;
    if (enabled < kDriverCalls)
        end_callbacks();
    return enabled == kDriverCalls;
}

// Only calls that submit work, where CUPTI can choose; else all of this kind.
static int enable_calls(int (*enable)(uint32_t, uint8_t), const uint16_t *calls, size_t count, uint32_t kind)
{
    size_t enabled = 0;
    while (enable && enabled < count && enable(calls[enabled], 1) == JSC_SUCCESS)
        ++enabled;
    return enabled == count ? JSC_SUCCESS : jsi_cupti.enable(kind);
}

static int enable_submissions(void)
{
    if (enable_callbacks())
        return JSC_SUCCESS;
    const int driver = enable_calls(jsi_cupti.enable_driver_call, s_driver_calls, kDriverCalls, JSC_KIND_DRIVER);
    const int runtime = enable_calls(jsi_cupti.enable_runtime_call, s_runtime_calls, kRuntimeCalls, JSC_KIND_RUNTIME);
    return driver != JSC_SUCCESS ? driver : runtime;
}

static int enable_kinds(void)
{
    struct jsa_gpu_state *const state = &jsi_ring->gpu;
    for (int i = 0; i < kKinds; ++i) {
        const int code = s_kinds[i].kind == JSA_GPU_CALL ? enable_submissions() : jsi_cupti.enable(s_kinds[i].number);
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
    end_callbacks();
    jsi_cupti.disable(JSC_KIND_RUNTIME);
    for (int i = 0; jsi_cupti.enable_driver_call && i < kDriverCalls; ++i)
        jsi_cupti.enable_driver_call(s_driver_calls[i], 0);
    for (int i = 0; jsi_cupti.enable_runtime_call && i < kRuntimeCalls; ++i)
        jsi_cupti.enable_runtime_call(s_runtime_calls[i], 0);
}

// Otherwise CUPTI clears each buffer on the thread that launches (description of the attribute in cupti_activity.h).
static void offer_zeroed_buffers(void)
{
    enum { kZeroedOutActivityBuffer = 5 };
    uint8_t yes = 1;
    size_t size = sizeof yes;
    if (jsi_cupti.set_attribute && jsi_cupti.set_attribute(kZeroedOutActivityBuffer, &size, &yes) == JSC_SUCCESS)
        jsi_zero_buffers();
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
    offer_zeroed_buffers();
    return enable_kinds();
}

// --- delivery

static pthread_mutex_t s_flushing = PTHREAD_MUTEX_INITIALIZER;
static int s_ended; // The program exits: CUPTI may be gone. Under the lock.

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

static sem_t s_wake, s_flushed; // For ends without handlers, which may come in a signal handler.
static uint32_t s_leaving;

static struct timespec after_ms(long ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    return until;
}

// CUPTI returns a buffer only when it is full or at a flush. While the collector does not record, nothing is enabled,
// so that the program is not slowed down.
static void *flush_at_intervals(void *nothing)
{
    int enabled = 1;
    for (;;) {
        const struct timespec until = after_ms(kFlushEveryMs);
        sem_timedwait(&s_wake, &until);
        const int leaving = __atomic_load_n(&s_leaving, __ATOMIC_ACQUIRE) != 0;
        pthread_mutex_lock(&s_flushing);
        const int ended = s_ended;
        const int wanted = !__atomic_load_n(&s_session->quiet, __ATOMIC_RELAXED);
        if (!ended && enabled && !wanted)
            disable_kinds();
        if (!ended && !enabled && wanted)
            enable_kinds();
        if (!ended)
            flush(leaving ? JSC_FLUSH_FORCED : 0);
        enabled = wanted;
        pthread_mutex_unlock(&s_flushing);
        if (leaving)
            sem_post(&s_flushed);
        if (ended)
            return nothing;
    }
}

static void flush_at_exit(void)
{
    if (getpid() != s_process)
        return;
    const int saved = errno;
    const struct timespec until = after_ms(1000); // If CUPTI hangs, the program must not.
    if (pthread_mutex_timedlock(&s_flushing, &until) == 0) {
        s_ended = 1;
        flush(JSC_FLUSH_FORCED);
        pthread_mutex_unlock(&s_flushing);
    }
    errno = saved;
}

// The program ends without handlers, maybe in a signal handler that interrupted CUPTI: the library's own thread
// flushes.
static void flush_before_exit(void)
{
    if (getpid() != s_process || __atomic_exchange_n(&s_leaving, 1, __ATOMIC_ACQ_REL))
        return;
    const int saved = errno;
    const struct timespec until = after_ms(kMaxExitMs);
    sem_post(&s_wake);
    while (sem_timedwait(&s_flushed, &until) != 0 && errno == EINTR) {}
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
        sem_init(&s_wake, 0, 0);
        sem_init(&s_flushed, 0, 0);
        if (start_cupti() && start_thread()) {
            atexit(flush_at_exit);
            at_quick_exit(flush_before_exit);
            if (jetscope_before_exit_v1)
                jetscope_before_exit_v1(flush_before_exit);
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
