// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "preload.h"

// The functions of the table take integers and pointers, which the calling conventions of x86-64 and aarch64 pass in
// the same places as 64-bit integers, whatever their width: one signature for each number of arguments. The one that
// takes a CUeglFrame, too, has a signature of its own, which is in ticks.h.
#define TAKE_0 void
#define TAKE_1 uint64_t a0
#define TAKE_2 TAKE_1, uint64_t a1
#define TAKE_3 TAKE_2, uint64_t a2
#define TAKE_4 TAKE_3, uint64_t a3
#define TAKE_5 TAKE_4, uint64_t a4
#define TAKE_6 TAKE_5, uint64_t a5
#define TAKE_7 TAKE_6, uint64_t a6
#define TAKE_8 TAKE_7, uint64_t a7
#define TAKE_9 TAKE_8, uint64_t a8
#define TAKE_10 TAKE_9, uint64_t a9
#define TAKE_11 TAKE_10, uint64_t a10
#define TAKE_FRAME JSA_TAKE_FRAME
#define GIVE_0
#define GIVE_1 a0
#define GIVE_2 GIVE_1, a1
#define GIVE_3 GIVE_2, a2
#define GIVE_4 GIVE_3, a3
#define GIVE_5 GIVE_4, a4
#define GIVE_6 GIVE_5, a5
#define GIVE_7 GIVE_6, a6
#define GIVE_8 GIVE_7, a7
#define GIVE_9 GIVE_8, a8
#define GIVE_10 GIVE_9, a9
#define GIVE_11 GIVE_10, a10
#define GIVE_FRAME JSA_GIVE_FRAME
#define THEN_0
#define THEN_1 TAKE_1,
#define THEN_2 TAKE_2,
#define THEN_3 TAKE_3,
#define THEN_4 TAKE_4,
#define THEN_5 TAKE_5,
#define THEN_6 TAKE_6,
#define THEN_7 TAKE_7,
#define THEN_8 TAKE_8,
#define THEN_9 TAKE_9,
#define THEN_10 TAKE_10,
#define THEN_11 TAKE_11,
#define THEN_FRAME TAKE_FRAME,
#define THENGIVE_0
#define THENGIVE_1 GIVE_1,
#define THENGIVE_2 GIVE_2,
#define THENGIVE_3 GIVE_3,
#define THENGIVE_4 GIVE_4,
#define THENGIVE_5 GIVE_5,
#define THENGIVE_6 GIVE_6,
#define THENGIVE_7 GIVE_7,
#define THENGIVE_8 GIVE_8,
#define THENGIVE_9 GIVE_9,
#define THENGIVE_10 GIVE_10,
#define THENGIVE_11 GIVE_11,
#define THENGIVE_FRAME GIVE_FRAME,

// The words of the table's last columns.
#define LOW(a) ((uint64_t)(uint32_t)(a))
#define PAIR(a, b) (LOW(a) | LOW(b) << 32)
#define OUT(a) (failed || (a) == 0 ? 0 : *(const uint64_t *)(a))
#define OUT32(a) (failed || (a) == 0 ? 0 : *(const uint32_t *)(a))
#define WORD(a, i) (failed || (a) == 0 ? 0 : ((const uint64_t *)(a))[i])
#define LAUNCHSTREAM(a) ((a) == 0 ? 0 : *(const uint64_t *)((a) + 32)) // CUlaunchConfig.hStream
#define DRAWS jsa_self.draws
#define TEXT(a) (failed || (a) == 0 ? 0 : (jsa_write_text((const char *)(uintptr_t)(a)), 0))
#define OPERATIONS(count, list) (failed ? 0 : operations_in((uint32_t)(count), (const uint64_t *)(list)))

#define COPIED(dimensions, part, copy)                                                                                 \
    (failed ? 0 : jsa_copied((const void *)(uintptr_t)(copy), dimensions, JSA_COPIED_##part))

#define EVENTOF(kind, attributes) event_of((uint32_t)(kind), (const uint64_t *)(attributes))
#define NAMES(count, names) names_in((int32_t)(count), (const uint32_t *)(names))
#define NAME(count, names, i) name_in((int32_t)(count), (const uint32_t *)(names), i)
#define THRESHOLD(attribute, value)                                                                                    \
    ((uint32_t)(attribute) == 4 ? OUT(value) : 0) // CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, the only one of 64 bits.

// The event that a fence of EGL_NV_cuda_event stands for.
static inline uint64_t event_of(uint32_t kind, const uint64_t *attributes)
{
    enum { kCudaEvent = 0x323B, kCudaEventHandle = 0x323C, kNone = 0x3038, kMax = 8 };
    for (int i = 0; kind == kCudaEvent && attributes && i < kMax && attributes[0] != kNone; ++i, attributes += 2)
        if (attributes[0] == kCudaEventHandle)
            return attributes[1];
    return 0;
}

static __attribute__((noinline)) uint64_t names_in(int32_t count, const uint32_t *names)
{
    uint64_t known = 0;
    for (int32_t i = 0; names && i < count; ++i)
        known += names[i] != 0;
    return known;
}

static __attribute__((noinline)) uint64_t name_in(int32_t count, const uint32_t *names, int32_t i)
{
    return names && i < count ? names[i] : 0;
}

// Each CUstreamBatchMemOpParams has six words: the operation in 32 bits, the address, the value, the flags in 32 bits.
static uint64_t operations_in(uint32_t count, const uint64_t *list)
{
    enum { kWords = 6 };
    for (uint32_t i = 0; list && i < count && i < JSA_MOST_OPERATIONS; ++i, list += kWords) {
        const uint64_t data[JSA_ARGUMENTS] = {LOW(list[0]), list[1], list[2], LOW(list[3]), 0};
        jsa_write_data(data);
    }
    return 0;
}

// JSA_FLAG_FAILED with the code of the error where there is one, or 0.
static inline uint32_t failure_of(enum jsa_failure failure, uint64_t result)
{
    switch (failure) {
    case JSA_ON_ZERO:
        return (uint32_t)result == 0;
    case JSA_ON_NONZERO:
        return (uint32_t)result != 0 ? JSA_FLAG_FAILED | ((uint32_t)result & JSA_CODE_MASK) << JSA_CODE_SHIFT : 0;
    case JSA_ON_NULL:
        return result == 0;
    case JSA_NEVER:
        break;
    }
    return 0;
}

// Bit of JSA_EACH_DRAW: draws of one kind may read and write other objects than those of another one.
static inline uint32_t kind_of_draw(uint32_t call)
{
    switch (call) {
    case JSA_CALL_glClear:
        return 1;
    case JSA_CALL_glBlitFramebuffer:
        return 2;
    case JSA_CALL_glDispatchCompute:
        return 4;
    default:
        return 8;
    }
}

// Functions that are rare enough to look for newly loaded libraries.
static inline int is_rare(enum jsa_work work)
{
    return work == JSA_WORK_SWAP || work == JSA_WORK_CURRENT;
}

// What a function returns if it exists nowhere, which a program without Jetscope would have noticed earlier.
#define NOWHERE(failure) ((failure) == JSA_ON_NONZERO ? 500 : 0) // CUDA_ERROR_NOT_FOUND

#define REAL(name, variant, n, failure, caller)                                                                        \
    uint64_t (*real)(TAKE_##n) =                                                                                       \
        (uint64_t(*)(TAKE_##n))__atomic_load_n(&jsa_real[JSA_CALL_##name][variant], __ATOMIC_RELAXED);                 \
    if (!JSA_LIKELY(real)) {                                                                                           \
        real = (uint64_t(*)(TAKE_##n))jsa_resolve(JSA_CALL_##name, variant, caller);                                   \
        if (!real)                                                                                                     \
            return NOWHERE(failure);                                                                                   \
    }

// The part that all variants share, so that a variant is a few instructions: two arguments behind those of the
// function, and a jump.
#define BODY_RECORDED(name, n, failure, work, p, q, s, t, u, matters)                                                  \
    static __attribute__((noinline)) uint64_t record_##name(THEN_##n uint32_t variant, uint64_t site)                  \
    {                                                                                                                  \
        REAL(name, variant, n, failure, (void *)site)                                                                  \
        if (!(matters))                                                                                                \
            return real(GIVE_##n);                                                                                     \
        const uint64_t begin = jsa_enter(JSA_CALL_##name, (uintptr_t)__builtin_frame_address(0));                      \
        if (!JSA_LIKELY(begin != 0))                                                                                   \
            return real(GIVE_##n);                                                                                     \
        const uint64_t r = real(GIVE_##n);                                                                             \
        const uint32_t failed = failure_of(failure, r);                                                                \
        if (!JSA_LIKELY(!jsa_has_stack(JSA_CALL_##name)))                                                              \
            jsa_write_stack();                                                                                         \
        const uint64_t argument[JSA_ARGUMENTS] = {p, q, s, t, site};                                                   \
        const int to_host = (u) == JSA_COPY_TO_HOST || ((u) == JSA_COPY_IN_ROWS && jsa_self.to_host);                  \
        if (work == JSA_WORK_COPYASYNC && to_host && !failed)                                                          \
            jsa_watch_result(JSA_CALL_##name, argument[1]);                                                            \
        if (work == JSA_WORK_SWAP)                                                                                     \
            jsa_self.draws = 0;                                                                                        \
        if (work == JSA_WORK_CONTEXT && argument[1] != 0 && !failed)                                                   \
            __atomic_store_n(&jsa_shares, JSA_EACH_DRAW, __ATOMIC_RELAXED);                                            \
        jsa_finish(JSA_CALL_##name, failed | jsa_flags[JSA_CALL_##name][variant], begin, argument);                    \
        if (is_rare(work))                                                                                             \
            jsa_rescan(0);                                                                                             \
        return r;                                                                                                      \
    }
#define BODY_JSA_RECORD(...) BODY_RECORDED(__VA_ARGS__, 1)
// Of calls that only matter between contexts that share objects.
#define BODY_JSA_SHARED(...) BODY_RECORDED(__VA_ARGS__, jsa_shares)
#define BODY_JSA_COUNT(name, n, failure, work, p, q, s, t, u)                                                          \
    static __attribute__((noinline)) uint64_t count_##name(THEN_##n uint32_t variant, uint64_t site)                   \
    {                                                                                                                  \
        REAL(name, variant, n, failure, (void *)site)                                                                  \
        struct jsa_thread *const self = &jsa_self;                                                                     \
        if (!JSA_LIKELY(self->generation == *jsa_generation))                                                          \
            jsa_begin_thread();                                                                                        \
        if (JSA_LIKELY(self->ring)) {                                                                                  \
            uint64_t *const count = &self->ring->counts[JSA_CALL_##name];                                              \
            __atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);                                                     \
            ++self->draws;                                                                                             \
            if (!JSA_LIKELY(!(self->wants_draw & kind_of_draw(JSA_CALL_##name))))                                      \
                jsa_record_draw(JSA_CALL_##name, kind_of_draw(JSA_CALL_##name), site,                                  \
                                (uintptr_t)__builtin_frame_address(0));                                                \
        } else if (self->refused && !jsa_session->quiet) {                                                             \
            jsa_count_refused(JSA_CALL_##name);                                                                        \
        }                                                                                                              \
        return real(GIVE_##n);                                                                                         \
    }
#define BODY_JSA_GETPROC(name, n, failure, work, p, q, s, t, u)
#define BODY_JSA_GETCUDA(name, n, failure, work, p, q, s, t, u)

// Named by the table of hooks only.
#define USED __attribute__((used))

#define HOOK_JSA_RECORD(name, variant, n, failure)                                                                     \
    static USED uint64_t hook_##variant##_##name(TAKE_##n)                                                             \
    {                                                                                                                  \
        return record_##name(THENGIVE_##n variant, (uint64_t)__builtin_return_address(0));                             \
    }

#define HOOK_JSA_SHARED HOOK_JSA_RECORD

#define HOOK_JSA_COUNT(name, variant, n, failure)                                                                      \
    static USED uint64_t hook_##variant##_##name(TAKE_##n)                                                             \
    {                                                                                                                  \
        return count_##name(THENGIVE_##n variant, (uint64_t)__builtin_return_address(0));                              \
    }

#define HOOK_JSA_GETPROC(name, variant, n, failure)                                                                    \
    static USED uint64_t hook_##variant##_##name(TAKE_##n)                                                             \
    {                                                                                                                  \
        REAL(name, variant, n, failure, __builtin_return_address(0))                                                   \
        jsa_rescan(0);                                                                                                 \
        const uint64_t r = real(GIVE_##n);                                                                             \
        uint32_t flags = 0;                                                                                            \
        const uint32_t call = a0 != 0 ? jsa_find((const char *)a0, &flags) : JSA_CALL_NONE;                            \
        return call != JSA_CALL_NONE ? (uint64_t)jsa_wrap_from(call, (void *)real, (void *)r, flags) : r;              \
    }

// Argument 3 of cuGetProcAddress, flags: 2 asks for the functions whose stream 0 is the thread's own.
#define HOOK_JSA_GETCUDA(name, variant, n, failure)                                                                    \
    static USED uint64_t hook_##variant##_##name(TAKE_##n)                                                             \
    {                                                                                                                  \
        REAL(name, variant, n, failure, __builtin_return_address(0))                                                   \
        jsa_rescan(0);                                                                                                 \
        const uint64_t r = real(GIVE_##n);                                                                             \
        uint32_t flags = 0;                                                                                            \
        const uint32_t call = (uint32_t)r == 0 && a0 != 0 && a1 != 0                                                   \
            ? jsa_find_cuda((const char *)a0, *(void **)a1, &flags)                                                    \
            : JSA_CALL_NONE;                                                                                           \
        if (call != JSA_CALL_NONE) {                                                                                   \
            void **const function = (void **)a1;                                                                       \
            flags |= (a3 & 2) != 0 ? JSA_FLAG_PER_THREAD : 0;                                                          \
            *function = jsa_wrap_from(call, (void *)real, *function, flags);                                           \
        }                                                                                                              \
        return r;                                                                                                      \
    }

#define HOOKS(name, n, tier, action, failure, work, p, q, s, t, u)                                                     \
    BODY_##action(name, n, failure, work, p, q, s, t, u) HOOK_##action(name, 0, n, failure)                            \
        HOOK_##action(name, 1, n, failure) HOOK_##action(name, 2, n, failure) extern uint64_t name(TAKE_##n)           \
            __attribute__((alias("hook_0_" #name), visibility("default")));
JSA_CALLS(HOOKS)

#define PER_THREAD_HOOKS(name, n, ending)                                                                              \
    HOOK_JSA_RECORD(name, 3, n, 0)                                                                                     \
    extern uint64_t name##_##ending(TAKE_##n) __attribute__((alias("hook_3_" #name), visibility("default")));
JSA_PER_THREAD_CALLS(PER_THREAD_HOOKS)
_Static_assert(JSA_PER_THREAD_VARIANT == 3, "as in the names of these hooks");

// Where the hooks are, as distances from the table: pointers would need a relocation each, which are larger than the
// hooks. A static function's address is no constant in C, so that this is written in the assembler's language.
#define PLACES(name, ...)                                                                                              \
    ".long hook_0_" #name " - jsa_places, hook_1_" #name " - jsa_places, hook_2_" #name " - jsa_places\n"
#define PLACE(name, ...) ".long hook_3_" #name " - jsa_places\n"
__asm__(".pushsection .rodata\n"
        ".p2align 2\n"
        "jsa_places:\n" JSA_CALLS(PLACES) JSA_PER_THREAD_CALLS(PLACE) ".popsection\n");
extern JSA_HIDDEN const int32_t jsa_places[];

enum per_thread {
    kNoPerThread = (JSA_CALL_COUNT - JSA_CALL_MARK - 1) * JSA_PER_THREAD_VARIANT - 1,
#define NUMBER(name, ...) k_##name,
    JSA_PER_THREAD_CALLS(NUMBER)
#undef NUMBER
};
static const uint16_t s_per_thread[JSA_CALL_COUNT] = {
#define NUMBER(name, ...) [JSA_CALL_##name] = k_##name,
    JSA_PER_THREAD_CALLS(NUMBER)
#undef NUMBER
};

void *jsa_hook(uint32_t call, uint32_t variant)
{
    const int per_thread = variant == JSA_PER_THREAD_VARIANT;
    if (per_thread && s_per_thread[call] == 0)
        return NULL;
    const uint32_t place =
        per_thread ? s_per_thread[call] : (call - JSA_CALL_MARK - 1) * JSA_PER_THREAD_VARIANT + variant;
    return (char *)(uintptr_t)jsa_places + jsa_places[place];
}

// Called by jetscope_mark.h, which finds it by dlsym.
__attribute__((visibility("default"))) void jetscope_mark_v1(uint32_t kind, uint64_t first, uint64_t second,
                                                             const char *name)
{
    const uint64_t begin = jsa_enter(JSA_CALL_MARK, (uintptr_t)__builtin_frame_address(0));
    if (begin == 0)
        return;
    if (name)
        jsa_write_text(name);
    const uint64_t argument[JSA_ARGUMENTS] = {kind, first, second};
    jsa_finish(JSA_CALL_MARK, 0, begin, argument);
}
