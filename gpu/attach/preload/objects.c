// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

// dl_iterate_phdr has a lock that glibc does not renew in a child after fork: if another thread holds it then, the
// child stands still at its first call that needs it. So no thread is in there for this library while one forks; each
// side waits for a short time only, because the other one may need something of it. The program's own threads take the
// lock, too, while they load libraries or look at them. A child therefore reads the list of libraries itself, without
// the lock, until it has loaded or unloaded one, which it could not do if the lock were taken.

enum { kTries = 200, kPauseNs = 50000 };
static uint32_t s_inside; // Threads.
static uint32_t s_forking;
static __thread uint32_t s_depth __attribute__((tls_model("initial-exec")));

// In a page that the kernel clears in a child, however it is made: not all ways call the handlers of pthread_atfork.
enum { kNewChild = 0, kNormal = 1, kChild = 2 };
static uint32_t s_without_page = kNormal;
static uint32_t *s_state = &s_without_page;

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){0, kPauseNs}, NULL);
}

// --- the list without its lock

// The dynamic linker's list for debuggers.
struct list {
    const struct link_map *last;
    int count;
};
static struct list s_inherited;
enum { kMostListed = 1 << 16 };

static struct list list_now(void)
{
    struct list list = {NULL, 0};
    for (const struct link_map *each = _r_debug.r_map; each && list.count < kMostListed; each = each->l_next)
        list = (struct list){each, list.count + 1};
    return list;
}

static int is_as_inherited(void)
{
    const struct list now = list_now();
    return now.last == s_inherited.last && now.count == s_inherited.count;
}

// A thread of the parent may have unmapped a library that is still in the list.
static const ElfW(Ehdr) * header_at(ElfW(Addr) place)
{
    const long page = sysconf(_SC_PAGESIZE);
    unsigned char is_resident = 0;
    if (place == 0 || page <= 0 || place % (ElfW(Addr))page != 0 || mincore((void *)place, 1, &is_resident) != 0)
        return NULL;
    const ElfW(Ehdr) *header = (const void *)place;
    const int is_whole = memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
        && header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) <= (size_t)page;
    return is_whole ? header : NULL;
}

static struct dl_phdr_info info_of(const struct link_map *object)
{
    struct dl_phdr_info info = {.dlpi_addr = object->l_addr, .dlpi_name = object->l_name};
    const ElfW(Ehdr) *const header = header_at(object->l_addr);
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
static int iterate_list(int (*callback)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
    const int saved = errno;
    int result = 0, count = 0;
    for (const struct link_map *each = _r_debug.r_map; each && result == 0 && count < kMostListed;
         each = each->l_next) {
        struct dl_phdr_info info = info_of(each);
        ++count;
        if (info.dlpi_phdr && info.dlpi_phnum > 0)
            result = callback(&info, sizeof info, data);
    }
    errno = saved;
    return result;
}

// --- children

static void become_child(void)
{
    uint32_t state = __atomic_load_n(s_state, __ATOMIC_ACQUIRE);
    if (state != kNewChild
        || !__atomic_compare_exchange_n(s_state, &state, kChild, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    s_forking = 0;
    s_inside = s_depth > 0;
    s_inherited = list_now();
    jsa_scan_anew();
}

static int is_child(void)
{
    if (JSA_LIKELY(__atomic_load_n(s_state, __ATOMIC_ACQUIRE) == kNormal))
        return 0;
    become_child();
    if (is_as_inherited())
        return 1;
    __atomic_store_n(s_state, kNormal, __ATOMIC_RELEASE);
    return 0;
}

int jsa_iterate(int (*callback)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
    if (is_child())
        return iterate_list(callback, data);
    if (s_depth++ == 0) {
        const int saved = errno;
        __atomic_fetch_add(&s_inside, 1, __ATOMIC_SEQ_CST);
        for (int i = 0; i < kTries && __atomic_load_n(&s_forking, __ATOMIC_SEQ_CST) != 0; ++i) {
            __atomic_fetch_sub(&s_inside, 1, __ATOMIC_SEQ_CST);
            pause_shortly();
            __atomic_fetch_add(&s_inside, 1, __ATOMIC_SEQ_CST);
        }
        errno = saved;
    }
    const int result = dl_iterate_phdr(callback, data);
    if (--s_depth == 0)
        __atomic_fetch_sub(&s_inside, 1, __ATOMIC_SEQ_CST);
    return result;
}

static void before_fork(void)
{
    const int saved = errno;
    const uint32_t own = s_depth > 0; // In a signal handler.
    __atomic_fetch_add(&s_forking, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < kTries && __atomic_load_n(&s_inside, __ATOMIC_SEQ_CST) > own; ++i)
        pause_shortly();
    errno = saved;
}

static void after_fork(void)
{
    __atomic_fetch_sub(&s_forking, 1, __ATOMIC_SEQ_CST);
}

static void in_child(void)
{
    __atomic_store_n(s_state, kNewChild, __ATOMIC_RELEASE);
    become_child();
}

void jsa_prepare_forks(void)
{
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    uint32_t *const page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && madvise(page, bytes, MADV_WIPEONFORK) == 0) {
        *page = kNormal;
        s_state = page;
    }
    pthread_atfork(before_fork, after_fork, in_child);
}
