// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

// The first rings (one of them for maps) are mapped with the head at the start, because a sandbox that the program
// enters later may end it at the system calls below. Others are mapped when a thread takes them: all rings would be 2
// GB of address space, which a program's mlockall fills with memory, because holes of a memory file count as its pages,
// and which RLIMIT_AS and RLIMIT_MEMLOCK count. The file cannot be opened again then: the program may have closed all
// descriptors, changed its root or locked itself in. Instead, some pages of the file stay mapped without access, and
// mremap with an old size of 0 maps more of the file from there. There is one for each group of rings, because what
// lies between it and a ring needs address space for a moment, which other threads may miss in that moment: they try
// again. Emulators and some sandboxes cannot do that: there, all rings are mapped at the start.

enum { kFirstRings = 5, kGroupRings = 4, kGroups = JSA_RINGS / kGroupRings, kTries = 50 };
_Static_assert(JSA_RINGS % kGroupRings == 0, "all groups are whole");

static uint64_t s_page;
static char *s_mapped; // From the beginning of the file.
static uint64_t s_mapped_bytes;
static char *s_anchors;                     // One page for each group of rings.
static struct jsa_ring *s_heads[JSA_RINGS]; // Without records, to see who owns a ring.
static struct jsa_ring *s_rings[JSA_RINGS];

static int map_start(int file, uint64_t bytes)
{
    void *const start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (start == MAP_FAILED)
        return 0;
    madvise(start, bytes, MADV_DONTDUMP);
    s_mapped = start;
    s_mapped_bytes = bytes;
    return 1;
}

static uint64_t page_of(uint64_t at)
{
    return at & ~(s_page - 1);
}

static uint64_t offset_of_group(uint32_t group)
{
    return page_of(JSA_RING_OFFSET(group * kGroupRings));
}

static int map_anchors(int file)
{
    const uint64_t bytes = kGroups * s_page;
    char *const anchors = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (anchors == MAP_FAILED)
        return 0;
    for (uint32_t group = 0; group < kGroups; ++group)
        if (mmap(anchors + group * s_page, s_page, PROT_NONE, MAP_SHARED | MAP_FIXED, file,
                 (off_t)offset_of_group(group))
            == MAP_FAILED) {
            munmap(anchors, bytes);
            return 0;
        }
    madvise(anchors, bytes, MADV_DONTDUMP); // Also for what is mapped from them.
    s_anchors = anchors;
    return 1;
}

// After mlockall, what is mapped from a page that is locked would be locked, too, for which there may be no right.
static void *map_more(uint32_t group, uint64_t bytes)
{
    if (!s_anchors)
        return MAP_FAILED;
    void *const anchor = s_anchors + group * s_page;
    void *more = mremap(anchor, 0, bytes, MREMAP_MAYMOVE);
    for (int i = 0; i < kTries && more == MAP_FAILED && errno == ENOMEM; ++i) {
        jsa_pause();
        more = mremap(anchor, 0, bytes, MREMAP_MAYMOVE);
    }
    if (more != MAP_FAILED || errno != EAGAIN || munlock(anchor, s_page) != 0)
        return more;
    return mremap(anchor, 0, bytes, MREMAP_MAYMOVE);
}

static int can_map_more(void)
{
    void *const again = map_more(0, s_page);
    if (again == MAP_FAILED)
        return 0;
    munmap(again, s_page);
    return 1;
}

struct jsa_session *jsa_map_session(int file)
{
    s_page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (!map_start(file, JSA_RING_OFFSET(kFirstRings)) && !map_start(file, JSA_SESSION_BYTES))
        return NULL;
    if (!map_anchors(file) || !can_map_more()) {
        char *const start = s_mapped;
        const uint64_t bytes = s_mapped_bytes;
        if (map_start(file, JSA_FILE_BYTES)) // Else there are the first rings only.
            munmap(start, bytes);
    }
    return (struct jsa_session *)s_mapped;
}

void jsa_unmap_session(void)
{
    munmap(s_mapped, s_mapped_bytes);
    if (s_anchors)
        munmap(s_anchors, kGroups * s_page);
}

static void unmap_part(char *part, uint64_t bytes)
{
    if (part >= s_mapped && part < s_mapped + s_mapped_bytes)
        return;
    char *const from = (char *)(uintptr_t)page_of((uintptr_t)part);
    munmap(from, (size_t)(part + bytes - from));
}

static void *map_part(uint32_t index, uint64_t bytes)
{
    if (JSA_RING_OFFSET(index) + bytes <= s_mapped_bytes)
        return s_mapped + JSA_RING_OFFSET(index);
    const uint32_t group = index / kGroupRings;
    const uint64_t offset = JSA_RING_OFFSET(index) - offset_of_group(group);
    const uint64_t before = page_of(offset);
    char *const whole = map_more(group, offset + bytes);
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
    struct jsa_ring *ring = map_part(index, bytes);
    if (ring && !__atomic_compare_exchange_n(place, &known, ring, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        unmap_part((char *)ring, bytes); // Another thread was faster.
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
