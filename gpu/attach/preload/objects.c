// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// dl_iterate_phdr has a lock that glibc does not renew in a child after fork: if another thread holds it then, the
// child stands still at its first call that needs it. So no thread is in there for this library while one forks; each
// side waits for a short time only, because the other one may need something of it. The program's own threads take the
// lock, too, while they load libraries or look at them. A child therefore reads the list of libraries itself, without
// the lock, until it has loaded or unloaded one, which it could not do if the lock were taken. Its first unloading
// waits for the threads that read, and threads that begin to read meanwhile wait for it.

// The longest waits: of all readers together for a fork, and of a fork for them; of a child's unloading for readers,
// which do not wait for anything themselves; of all readers together for such an unloading, whose destructors may wait
// for them.
enum { kForkNs = 10000000, kReadersNs = 1000000000, kUnloadingNs = 100000000, kPauseNs = 50000 };

// In a page that the kernel clears in a child, however it is made: not all ways call the handlers of pthread_atfork.
// Behind kChild are children in which one or more threads unload libraries.
enum { kNewChild = 0, kNormal = 1, kChild = 2, kUnloading = 3 };
struct shared {
    uint32_t state;
    uint32_t readers; // Threads in the list.
    uint32_t forks;   // Threads that fork.
};
static struct shared s_without_page = {kNormal, 0, 0};
static struct shared *s_shared = &s_without_page;
static uint64_t s_fork_until, s_unloading_until; // Readers wait no longer.

enum view {
    kLocked,    // What dl_iterate_phdr shows.
    kInherited, // What was there when this process began.
    kAtStart    // What the program was started with, which is never unloaded.
};
static __thread uint32_t s_depth __attribute__((tls_model("initial-exec")));
static __thread uint32_t s_unloadings __attribute__((tls_model("initial-exec")));
static __thread enum view s_view __attribute__((tls_model("initial-exec"))); // While s_depth is not 0.

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static long futex_wait(const uint32_t *place, uint32_t value, long ns)
{
    const int saved = errno;
    const long result = syscall(SYS_futex, place, FUTEX_WAIT_PRIVATE, value, &(struct timespec){0, ns}, NULL, 0);
    const int error = errno;
    errno = saved;
    return result == 0 ? 0 : error;
}

// Not by nanosleep, at which a thread may be cancelled, in functions of the program that are no such places. No thread
// can run without futex, which a sandbox therefore permits.
void jsa_pause(void)
{
    static const uint32_t nothing = 0;
    futex_wait(&nothing, 0, kPauseNs);
}

static uint32_t state_now(void)
{
    return __atomic_load_n(&s_shared->state, __ATOMIC_SEQ_CST);
}

static int change_state(uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&s_shared->state, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void add_reader(void)
{
    __atomic_fetch_add(&s_shared->readers, 1, __ATOMIC_SEQ_CST);
}

static void remove_reader(void)
{
    __atomic_fetch_sub(&s_shared->readers, 1, __ATOMIC_SEQ_CST);
}

static void wait_for_other_readers(uint64_t ns)
{
    const uint32_t own = s_depth > 0; // In a signal handler.
    const uint64_t until = now_ns() + ns;
    while (__atomic_load_n(&s_shared->readers, __ATOMIC_SEQ_CST) > own && now_ns() < until)
        jsa_pause();
}

// --- the list without its lock

// The dynamic linker's list for debuggers. New libraries come last.
enum { kMaxListed = 1 << 16, kMaxGone = 8 };
static struct {
    const struct link_map *last;
    int count;
    int gone;
    const struct link_map *unmapped[kMaxGone];
} s_inherited;

// A thread of the parent may have unmapped a library that is still in the list: it cannot be read.
static int is_unmapped(const struct link_map *object)
{
    const ElfW(Addr) place = object->l_addr;
    return place != 0 && place % sizeof(uint32_t) == 0 && futex_wait((const void *)place, 0, 0) == EFAULT;
}

static void inherit_list(void)
{
    s_inherited.last = NULL;
    s_inherited.count = s_inherited.gone = 0;
    for (const struct link_map *each = _r_debug.r_map; each && s_inherited.count < kMaxListed; each = each->l_next) {
        if (is_unmapped(each)) {
            if (s_inherited.gone == kMaxGone)
                return;
            s_inherited.unmapped[s_inherited.gone++] = each;
        }
        s_inherited.last = each;
        ++s_inherited.count;
    }
}

// Does not look behind the libraries that were inherited, because those behind them may go away at any time.
static int is_as_inherited(void)
{
    const struct link_map *each = _r_debug.r_map;
    for (int i = 1; each && i < s_inherited.count; ++i)
        each = each->l_next;
    return each == s_inherited.last && (!each || !each->l_next || s_inherited.gone == kMaxGone);
}

static const ElfW(Ehdr) * header_of(const struct link_map *object)
{
    for (int i = 0; i < s_inherited.gone; ++i)
        if (s_inherited.unmapped[i] == object)
            return NULL;
    const ElfW(Addr) place = object->l_addr;
    const long page = sysconf(_SC_PAGESIZE);
    if (place == 0 || page <= 0 || place % (ElfW(Addr))page != 0)
        return NULL;
    const ElfW(Ehdr) *header = (const void *)place;
    const int is_whole = memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
        && header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) <= (size_t)page;
    return is_whole ? header : NULL;
}

static struct dl_phdr_info info_of(const struct link_map *object)
{
    struct dl_phdr_info info = {.dlpi_addr = object->l_addr, .dlpi_name = object->l_name};
    const ElfW(Ehdr) *const header = header_of(object);
    if (header) {
        info.dlpi_phdr = (const void *)(object->l_addr + header->e_phoff);
        info.dlpi_phnum = header->e_phnum;
    } else if (object == _r_debug.r_map) { // A program with fixed addresses.
        info.dlpi_phdr = (const void *)getauxval(AT_PHDR);
        info.dlpi_phnum = (ElfW(Half))getauxval(AT_PHNUM);
    }
    return info;
}

// How often libraries were loaded and unloaded is not known: always 0.
static int iterate_list(int most, int (*callback)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
    const struct link_map *each = _r_debug.r_map;
    int result = 0;
    for (int i = 0; each && result == 0 && i < most && i < s_inherited.count; ++i, each = each->l_next) {
        struct dl_phdr_info info = info_of(each);
        if (info.dlpi_phdr && info.dlpi_phnum > 0)
            result = callback(&info, sizeof info, data);
    }
    return result;
}

// --- children

// One thread of those that are the first does it, as if it were unloading.
static void become_child(void)
{
    if (JSA_LIKELY(state_now() != kNewChild))
        return;
    __atomic_store_n(&s_unloading_until, now_ns() + kUnloadingNs, __ATOMIC_RELAXED);
    if (!change_state(kNewChild, kUnloading))
        return;
    if (s_depth > 0)
        add_reader(); // It has forked while it read, and will remove itself.
    inherit_list();
    jsa_scan_anew();
    if (s_unloadings == 0)
        __atomic_fetch_sub(&s_shared->state, 1, __ATOMIC_SEQ_CST);
}

// Until when a reader has to wait, or 0.
static uint64_t waits_until(uint32_t state)
{
    if (state == kNormal)
        return __atomic_load_n(&s_shared->forks, __ATOMIC_SEQ_CST) != 0
            ? __atomic_load_n(&s_fork_until, __ATOMIC_RELAXED)
            : 0;
    return state >= kUnloading && s_unloadings == 0 ? __atomic_load_n(&s_unloading_until, __ATOMIC_RELAXED) : 0;
}

static enum view begin_reading(void)
{
    for (;;) {
        become_child();
        add_reader();
        const uint32_t state = state_now();
        const uint64_t until = waits_until(state);
        if (until != 0 && now_ns() < until) {
            remove_reader();
            jsa_pause();
            continue;
        }
        if (state == kNormal)
            return kLocked;
        if (state >= kUnloading && s_unloadings == 0)
            return kAtStart;
        // A destructor that reads has the lock of loading, so that no other thread changes the list.
        if (is_as_inherited())
            return kInherited;
        __atomic_store_n(&s_shared->state, kNormal, __ATOMIC_SEQ_CST);
        return kLocked;
    }
}

int jsa_iterate(int (*callback)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
    if (s_depth == 0)
        s_view = begin_reading();
    ++s_depth;
    const int result = s_view == kLocked ? dl_iterate_phdr(callback, data)
                                         : iterate_list(s_view == kAtStart ? jsa_at_start : INT_MAX, callback, data);
    if (--s_depth == 0)
        remove_reader();
    return result;
}

void jsa_begin_unloading(void)
{
    if (s_unloadings++ > 0)
        return;
    become_child();
    uint32_t state = state_now();
    while (state >= kChild && !change_state(state, state + 1))
        state = state_now();
    if (state < kChild)
        return;
    __atomic_store_n(&s_unloading_until, now_ns() + kUnloadingNs, __ATOMIC_RELAXED);
    wait_for_other_readers(kReadersNs);
}

// The lock of dl_iterate_phdr is used again only if the list has changed, for which the linker took it. The last thread
// that unloads looks, because the list may change under the others.
void jsa_end_unloading(void)
{
    if (--s_unloadings > 0)
        return;
    for (;;) {
        const uint32_t state = state_now();
        if (state < kUnloading || (state > kUnloading && change_state(state, state - 1)))
            return;
        add_reader(); // Another thread that begins to unload waits.
        const int is_done = state_now() == kUnloading && change_state(kUnloading, is_as_inherited() ? kChild : kNormal);
        remove_reader();
        if (is_done)
            return;
    }
}

static void before_fork(void)
{
    if (__atomic_load_n(&s_shared->forks, __ATOMIC_SEQ_CST) == 0)
        __atomic_store_n(&s_fork_until, now_ns() + kForkNs, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s_shared->forks, 1, __ATOMIC_SEQ_CST);
    wait_for_other_readers(kForkNs);
}

static void after_fork(void)
{
    __atomic_fetch_sub(&s_shared->forks, 1, __ATOMIC_SEQ_CST);
}

static void in_child(void)
{
    *s_shared = (struct shared){kNewChild, 0, 0};
    become_child();
}

void jsa_prepare_forks(void)
{
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    struct shared *const page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && madvise(page, bytes, MADV_WIPEONFORK) == 0) {
        page->state = kNormal;
        s_shared = page;
    }
    pthread_atfork(before_fork, after_fork, in_child);
}
