// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <sys/mman.h>
#include <unistd.h>

// A ring is mapped when a thread takes it. All rings would be 2 GB of address space, which a program's mlockall fills
// with memory, because holes of a memory file count as its pages, and which RLIMIT_AS and RLIMIT_MEMLOCK count. The
// file cannot be opened again then: the program may have closed all descriptors, changed its root or locked itself in.
// Instead, one page of the file stays mapped without access, and mremap with an old size of 0 maps more of the file
// from there. Emulators and some sandboxes cannot do that: there, all rings are mapped at the start.

static struct jsa_session *s_session;
static void *s_anchor;
static char *s_all; // Null if mremap does it.
static uint64_t s_page;
static struct jsa_ring *s_heads[JSA_RINGS]; // Without records, to see who owns a ring.
static struct jsa_ring *s_rings[JSA_RINGS];

static void *map_more(uint64_t bytes)
{
    return mremap(s_anchor, 0, bytes, MREMAP_MAYMOVE);
}

static void map_all_if_needed(int file)
{
    void *const again = map_more(s_page);
    if (again != MAP_FAILED) {
        munmap(again, s_page);
        return;
    }
    void *const all = mmap(NULL, JSA_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (all == MAP_FAILED)
        return;
    madvise(all, JSA_FILE_BYTES, MADV_DONTDUMP);
    s_all = all;
}

struct jsa_session *jsa_map_session(int file)
{
    s_page = (uint64_t)sysconf(_SC_PAGESIZE);
    void *session = mmap(NULL, JSA_SESSION_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (session == MAP_FAILED)
        return NULL;
    void *anchor = mmap(NULL, s_page, PROT_NONE, MAP_SHARED, file, 0);
    if (anchor == MAP_FAILED) {
        munmap(session, JSA_SESSION_BYTES);
        return NULL;
    }
    madvise(session, JSA_SESSION_BYTES, MADV_DONTDUMP);
    madvise(anchor, s_page, MADV_DONTDUMP); // Also for what is mapped from it.
    s_anchor = anchor;
    s_session = session;
    map_all_if_needed(file);
    return session;
}

void jsa_unmap_session(void)
{
    munmap(s_session, JSA_SESSION_BYTES);
    munmap(s_anchor, s_page);
    if (s_all)
        munmap(s_all, JSA_FILE_BYTES);
    s_all = NULL;
}

static char *page_of(uint64_t at)
{
    return (char *)(uintptr_t)(at & ~(s_page - 1));
}

static void unmap_part(void *part, uint64_t bytes)
{
    if (s_all)
        return;
    char *const from = page_of((uintptr_t)part);
    munmap(from, (size_t)((char *)part + bytes - from));
}

static void *map_part(uint64_t offset, uint64_t bytes)
{
    if (s_all)
        return s_all + offset;
    const uint64_t before = offset & ~(s_page - 1);
    munlock(s_anchor, s_page); // After mlockall, what is mapped from it would be locked, too.
    char *const whole = map_more(offset + bytes);
    if (whole == MAP_FAILED)
        return NULL;
    if (before > 0 && munmap(whole, before) != 0) {
        munmap(whole, offset + bytes);
        return NULL;
    }
    if (mprotect(whole + before, offset + bytes - before, PROT_READ | PROT_WRITE) != 0) {
        munmap(whole + before, offset + bytes - before);
        return NULL;
    }
    return whole + offset;
}

// Stays mapped: for another thread, and in children for what still writes to it.
static struct jsa_ring *mapped(struct jsa_ring **place, uint32_t index, uint64_t bytes)
{
    struct jsa_ring *known = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (known)
        return known;
    struct jsa_ring *ring = map_part(JSA_RING_OFFSET(index), bytes);
    if (ring && !__atomic_compare_exchange_n(place, &known, ring, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        unmap_part(ring, bytes); // Another thread was faster.
        return known;
    }
    return ring;
}

struct jsa_ring *jsa_take_ring(uint32_t owner)
{
    for (uint32_t i = 0; i < JSA_RINGS; ++i) {
        struct jsa_ring *const head = mapped(&s_heads[i], i, JSA_RING_HEADER_BYTES);
        if (!head)
            break;
        if (__atomic_load_n(&head->owner, __ATOMIC_RELAXED) != 0)
            continue;
        struct jsa_ring *const ring = mapped(&s_rings[i], i, JSA_RING_BYTES);
        if (!ring)
            break;
        uint32_t none = 0;
        if (!__atomic_compare_exchange_n(&ring->owner, &none, owner, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        uint32_t used = __atomic_load_n(&jsa_session->rings_used, __ATOMIC_RELAXED);
        while (used < i + 1
               && !__atomic_compare_exchange_n(&jsa_session->rings_used, &used, i + 1, 0, __ATOMIC_RELEASE,
                                               __ATOMIC_RELAXED)) {}
        return ring;
    }
    __atomic_fetch_add(&jsa_session->threads_refused, 1, __ATOMIC_RELAXED);
    return NULL;
}
