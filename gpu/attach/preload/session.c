// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static uint32_t s_no_generation = 0;
static struct jsa_session s_no_session = {.quiet = 1};

__thread struct jsa_thread jsa_self __attribute__((tls_model("initial-exec"))) = {.generation = JSA_NO_GENERATION};
uint32_t *jsa_generation = &s_no_generation;
struct jsa_session *jsa_session = &s_no_session;
uint32_t jsa_clock = JSA_CLOCK_MONOTONIC;

// --- environment

// Removes a variable, or with `part` only the words of its value that end in it. In place, because the environment may
// be in memory that cannot be freed.
static void forget(const char *name, const char *part)
{
    const size_t length = strlen(name);
    for (char **entry = environ; entry && *entry; ++entry) {
        if (strncmp(*entry, name, length) != 0 || (*entry)[length] != '=')
            continue;
        char *value = *entry + length + 1;
        char *to = value;
        for (char *from = part ? value : value + strlen(value); *from;) {
            const size_t word = strcspn(from, ": ");
            const size_t end = strlen(part);
            const int ours = word >= end && memcmp(from + word - end, part, end) == 0;
            const size_t taken = word + (from[word] ? 1 : 0);
            if (!ours) {
                memmove(to, from, taken);
                to += taken;
            }
            from += taken;
        }
        *to = 0;
        if (to > value && (to[-1] == ':' || to[-1] == ' '))
            to[-1] = 0;
        if (*value)
            continue;
        for (char **later = entry; (later[0] = later[1]); ++later) {}
        --entry;
    }
}

// --- start

static void wipe_generation(void)
{
    *jsa_generation = 0;
}

static void prepare_fork(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    const int wipes = madvise(page, 4096, MADV_WIPEONFORK) == 0;
    jsa_generation = page;
    *jsa_generation = (uint32_t)getpid();
    if (!wipes) // Linux before 4.14.
        pthread_atfork(NULL, NULL, wipe_generation);
}

// What a program has left behind may start others later, while the same path leads to the memory of another session.
static struct jsa_session *map_session(const char *address)
{
    if (strlen(address) <= JSA_TOKEN_BYTES || address[JSA_TOKEN_BYTES] != ':')
        return NULL;
    const int file = open(address + JSA_TOKEN_BYTES + 1, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return NULL;
    struct stat facts;
    struct jsa_session *session = NULL;
    if (fstat(file, &facts) == 0 && (uint64_t)facts.st_size >= JSA_FILE_BYTES)
        session = jsa_map_session(file);
    close(file);
    if (session
        && (session->magic != JSA_MAGIC || session->version != JSA_VERSION
            || memcmp(session->token, address, JSA_TOKEN_BYTES) != 0)) {
        jsa_unmap_session();
        return NULL;
    }
    return session;
}

// Looked up once, because a sandbox may end a program that looks later. A child of another PID namespace that did not
// call exec is its first process.
static uint32_t s_pid_namespace;
static pid_t s_first_pid;

static void find_namespace(void)
{
    struct stat facts;
    s_pid_namespace = stat("/proc/self/ns/pid", &facts) == 0 ? (uint32_t)facts.st_ino : 0;
    s_first_pid = getpid();
}

static void write_maps(void);

__attribute__((constructor)) static void begin(void)
{
    const int saved = errno;
    jsa_find_dlsym();
    jsa_count_at_start();
    jsa_prepare_forks();
    const char *address = getenv(JSA_VARIABLE);
    struct jsa_session *session = address ? map_session(address) : NULL;
    if (session) {
        find_namespace();
        prepare_fork();
        jsa_clock = session->clock;
        if (jsa_generation != &s_no_generation) {
            const uint32_t cost = session->record_cost == 0 ? jsa_measure_cost() : 0;
            jsa_session = session;
            if (cost != 0)
                session->record_cost = cost;
            if ((session->options & JSA_OPTION_WATCH_READS) != 0)
                jsa_prepare_reads();
            if (!session->quiet)
                write_maps();
        }
    }
    if (!session || (session->options & JSA_OPTION_NO_CHILDREN) != 0) {
        forget(JSA_VARIABLE, NULL);
        forget("LD_PRELOAD", "libjetscope-attach.so");
    }
    errno = saved;
}

// --- rings

// A ring that the collector does not know yet; null if there is none left.
static struct jsa_ring *take_ring(uint32_t kind, int32_t tid, uint32_t *owner)
{
    *owner = 0;
    while (*owner == 0)
        *owner = __atomic_add_fetch(&jsa_session->next_owner, 1, __ATOMIC_RELAXED);
    struct jsa_ring *ring = jsa_take_ring(*owner);
    if (!ring)
        return NULL;
    ring->kind = kind;
    ring->pid = (int32_t)getpid();
    ring->tid = tid;
    ring->pid_namespace = ring->pid != 1 || s_first_pid == 1 ? s_pid_namespace : 0;
    memset(ring->thread_name, 0, sizeof ring->thread_name);
    prctl(PR_GET_NAME, ring->thread_name);
    strncpy(ring->process_name, program_invocation_short_name, sizeof ring->process_name - 1);
    return ring;
}

// Makes a ring known to the collector; null if there is none left.
static struct jsa_ring *begin_ring(uint32_t kind, int32_t tid, uint32_t *owner)
{
    struct jsa_ring *ring = take_ring(kind, tid, owner);
    if (ring)
        __atomic_store_n(&ring->ready, 1, __ATOMIC_RELEASE);
    return ring;
}

// Where the code of the program and of its first libraries is: a short program may have ended before the collector
// looks. At the start, because a sandbox may end a program that opens a file later.
static void write_maps(void)
{
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    uint32_t owner = 0;
    struct jsa_ring *ring = take_ring(JSA_RING_MAPS, (int32_t)getpid(), &owner);
    if (ring) {
        char *const text = (char *)ring + JSA_RING_HEADER_BYTES;
        uint64_t bytes = 0;
        ssize_t more = 0;
        while ((more = read(file, text + bytes, JSA_RING_BYTES - JSA_RING_HEADER_BYTES - bytes)) > 0)
            bytes += (uint64_t)more;
        ring->head = bytes;
        __atomic_store_n(&ring->ready, 1, __ATOMIC_RELEASE);
    }
    close(file);
}

// For the library with CUPTI, which the driver loads.
__attribute__((visibility("default"))) struct jsa_ring *jetscope_gpu_ring_v1(uint32_t *owner,
                                                                             struct jsa_session **session)
{
    *session = jsa_session;
    return jsa_session->quiet ? NULL : begin_ring(JSA_RING_GPU, (int32_t)getpid(), owner);
}

// For the library with CUPTI, which calls it inside of a call that submits work.
__attribute__((visibility("default"))) void jetscope_submission_v1(uint32_t correlation)
{
    jsa_self.submission = correlation;
}

void jsa_begin_thread(void)
{
    struct jsa_thread *const self = &jsa_self;
    const int saved = errno;
    uint32_t none = 0; // After fork: this process gets a generation of its own.
    __atomic_compare_exchange_n(jsa_generation, &none, (uint32_t)getpid(), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    *self = (struct jsa_thread){.generation = *jsa_generation};
    if (!jsa_session->quiet) {
        uint32_t owner = 0;
        struct jsa_ring *ring = begin_ring(JSA_RING_THREAD, (int32_t)syscall(SYS_gettid), &owner);
        if (ring) {
            self->records = (struct jsa_record *)((char *)ring + JSA_RING_HEADER_BYTES);
            self->owner = owner;
            self->tail_seen = ring->tail;
            self->ring = ring;
        }
        self->refused = ring == NULL;
    }
    errno = saved;
}

static struct jsa_record *next_record(struct jsa_thread *self)
{
    struct jsa_ring *const ring = self->ring;
    const uint64_t head = ring->head;
    if (head - self->tail_seen >= JSA_RING_RECORDS) {
        self->tail_seen = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
        if (head - self->tail_seen >= JSA_RING_RECORDS)
            return NULL;
    }
    struct jsa_record *record = &self->records[head & (JSA_RING_RECORDS - 1)];
    record->lost = self->lost;
    self->lost = 0;
    return record;
}

// The collector has read the ring's memory on another processor, so it takes as long as a whole call to get it back.
static void publish(struct jsa_thread *self)
{
    enum { kAhead = 8 };
    struct jsa_ring *const ring = self->ring;
    const uint64_t head = ring->head + 1;
    __atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
    jsa_will_write(&self->records[(head + kAhead) & (JSA_RING_RECORDS - 1)]);
}

void jsa_count_refused(uint32_t call)
{
    __atomic_fetch_add(&jsa_session->counts[call], 1, __ATOMIC_RELAXED);
}

uint32_t jsa_shares;

// A call inside of a recorded call is the library's own or a signal handler's: it only passes through, which also keeps
// a ring's single writer from interrupting itself. A recorded call that was left by longjmp or an exception is detected
// by its address, or by the number of calls that seem to be inside.
uint64_t jsa_enter(uint32_t call, uintptr_t frame)
{
    struct jsa_thread *const self = &jsa_self;
    if (!JSA_LIKELY(self->generation == __atomic_load_n(jsa_generation, __ATOMIC_RELAXED)))
        jsa_begin_thread();
    struct jsa_ring *const ring = self->ring;
    if ((!JSA_LIKELY(ring) && !self->refused) || jsa_session->quiet)
        return 0;
    if (self->frame != 0 && frame < self->frame && ++self->nested <= JSA_MOST_NESTED)
        return 0;
    if (!JSA_LIKELY(!self->watches))
        jsa_take_reads(frame);
    self->frame = frame;
    self->nested = 0;
    self->submission = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const uint64_t begin = jsa_now();
    if (!JSA_LIKELY(ring))
        return begin;
    __atomic_store_n(&ring->open_begin, begin, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->open_call, call, __ATOMIC_RELEASE);
    return begin;
}

void jsa_finish(uint32_t call, uint32_t flags, uint64_t begin, const uint64_t argument[JSA_ARGUMENTS])
{
    struct jsa_thread *const self = &jsa_self;
    const uint64_t end = jsa_now();
    // The function may have forked, or the collector may have taken the ring of a thread that it believed dead.
    if (JSA_LIKELY(self->ring && self->generation == *jsa_generation
                   && __atomic_load_n(&self->ring->owner, __ATOMIC_RELAXED) == self->owner)) {
        struct jsa_record *const record = next_record(self);
        if (JSA_LIKELY(record)) {
            record->begin = begin;
            record->end = end;
            record->call = (uint16_t)call;
            record->flags = (uint16_t)flags;
            for (int i = 0; i < (int)JSA_ARGUMENTS; ++i)
                record->argument[i] = argument[i];
            if (self->submission != 0 && record->lost == 0) {
                record->submission = self->submission;
                record->flags |= JSA_FLAG_SUBMISSION;
            }
            publish(self);
        } else {
            __atomic_store_n(&self->ring->lost, self->ring->lost + 1, __ATOMIC_RELAXED);
            ++self->lost;
        }
        uint64_t *const count = &self->ring->counts[call];
        __atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);
        __atomic_store_n(&self->ring->open_call, 0, __ATOMIC_RELEASE);
        if (!JSA_LIKELY(!self->watches))
            jsa_take_reads(0);
    } else if (self->refused && self->generation == *jsa_generation) {
        jsa_count_refused(call);
    } else {
        self->generation = JSA_NO_GENERATION;
    }
    self->wants_draw = jsa_shares; // What is drawn now may be in another order than before.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    self->frame = 0;
}

void jsa_record_draw(uint32_t call, uint32_t kind, uint64_t site, uintptr_t frame)
{
    const uint32_t others = jsa_self.wants_draw & ~kind;
    const uint64_t begin = jsa_enter(JSA_CALL_DRAWN, frame);
    if (begin == 0)
        return;
    const uint64_t argument[JSA_ARGUMENTS] = {call, 0, 0, 0, site};
    jsa_finish(JSA_CALL_DRAWN, 0, begin, argument);
    jsa_self.wants_draw = others;
}

// A record that belongs to the next one; null if there is no place for it.
static struct jsa_record *part_record(uint32_t call)
{
    struct jsa_thread *const self = &jsa_self;
    const int isOurs = self->ring && self->generation == *jsa_generation
        && __atomic_load_n(&self->ring->owner, __ATOMIC_RELAXED) == self->owner;
    struct jsa_record *record = isOurs ? next_record(self) : NULL;
    if (!record)
        return NULL;
    record->begin = record->end = 0;
    record->call = (uint16_t)call;
    record->flags = 0;
    return record;
}

void jsa_write_text(const char *text)
{
    enum { kMaxParts = 4 };
    for (int part = 0; part < kMaxParts; ++part) {
        struct jsa_record *record = part_record(JSA_CALL_TEXT);
        if (!record)
            return;
        char *bytes = (char *)record->argument;
        size_t length = 0;
        for (; length < JSA_TEXT_BYTES && text[length]; ++length)
            bytes[length] = text[length];
        for (size_t i = length; i < JSA_TEXT_BYTES; ++i)
            bytes[i] = 0;
        publish(&jsa_self);
        if (length < JSA_TEXT_BYTES)
            return;
        text += length;
    }
}

int jsa_write_part(uint32_t call, const uint64_t data[JSA_ARGUMENTS])
{
    struct jsa_record *record = part_record(call);
    if (!record)
        return 0;
    for (int i = 0; i < (int)JSA_ARGUMENTS; ++i)
        record->argument[i] = data[i];
    publish(&jsa_self);
    return 1;
}

uint32_t jsa_measure_cost(void)
{
    enum { kBatches = 8, kBatch = 32 };
    void *memory = mmap(NULL, JSA_RING_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 0;
    struct jsa_session loud = {.quiet = 0};
    struct jsa_session *const before = jsa_session;
    jsa_session = &loud;
    const uint64_t argument[JSA_ARGUMENTS] = {0};
    uint64_t least = UINT64_MAX;
    for (int batch = 0; batch < kBatches; ++batch) {
        memset(memory, 0, JSA_RING_HEADER_BYTES);
        jsa_self = (struct jsa_thread){.ring = memory,
                                       .records = (struct jsa_record *)((char *)memory + JSA_RING_HEADER_BYTES),
                                       .generation = *jsa_generation};
        const uint64_t from = jsa_now();
        for (int i = 0; i < kBatch; ++i) {
            const uint64_t start = jsa_enter(JSA_CALL_TEXT, (uintptr_t)__builtin_frame_address(0));
            jsa_finish(JSA_CALL_TEXT, 0, start, argument);
        }
        const uint64_t took = jsa_now() - from;
        least = took < least ? took : least;
    }
    jsa_self = (struct jsa_thread){.generation = JSA_NO_GENERATION};
    jsa_session = before;
    munmap(memory, JSA_RING_BYTES);
    const uint64_t cost = least * 1000 / kBatch;
    return cost == 0 ? 1 : cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
}
