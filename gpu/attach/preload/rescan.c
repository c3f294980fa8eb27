// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// One call of a listed function in a library's relocation table.
struct place {
    ElfW(Addr) object; // Where the library is loaded.
    void **slot;
    void *now;                         // What the slot held when it was found.
    void *wanted;                      // The hook to put there; null: none.
    uint32_t call;                     // JSA_CALL_NONE: a function of the dynamic linker.
    uint32_t flags;                    // JSA_FLAG_PER_THREAD, for a name with an ending.
    int linker;                        // Which one, in s_linker.
    int unresolved;                    // The slot leads to the dynamic linker, which has not looked it up yet.
    ElfW(Addr) locked_from, locked_to; // Read-only after relocation: whole pages.
};

enum { kMaxPlaces = 512 };
static struct place s_places[kMaxPlaces];
static int s_count;
static struct jsa_loads s_loads; // At the last scan.
static uint32_t s_busy = 0;
uint64_t jsa_scanned;

// Objects that were scanned, in the order of their loading, by the addresses of their program headers. As long as none
// is unloaded, no other object has that address.
enum { kMaxKnown = 1024 };
static const void *s_known[kMaxKnown];
static int s_known_count, s_known_next;

// Another thread may be loading an object whose slots are not relocated yet: the next scans look again.
enum { kMaxTries = 16 };
static int s_early;
static int s_tries;
static uint64_t s_tried; // Libraries ever loaded, at the last try.
// Slots that are read-only after relocation are left to a scan that may wait until no object is being relocated.
static int s_may_wait;
static uint32_t s_left;

// Slots that lead to the dynamic linker, of functions that several libraries have. Only the linker knows which one it
// will find: its own library's first with RTLD_DEEPBIND, else perhaps another one. It writes it to the slot at the
// first call.
enum { kMaxWatched = 256 };
static struct place s_watched[kMaxWatched];
static uint32_t s_watched_count;

extern void *dlsym(void *handle, const char *name);
extern int dlclose(void *handle);

// Calls of the dynamic linker that are redirected, too.
static const struct {
    const char *name;
    void *hook;
    void *real; // Where its address is.
} s_linker[] = {{"dlsym", (void *)(uintptr_t)dlsym, &jsa_real_dlsym},
                {"dlclose", (void *)(uintptr_t)dlclose, &jsa_real_dlclose}};
enum { kLinker = sizeof s_linker / sizeof *s_linker };

static int find_linker(const char *name)
{
    int i = 0;
    while (i < kLinker && strcmp(name, s_linker[i].name) != 0)
        ++i;
    return i;
}

// New objects come last and the others keep their order, so that the first step mostly finds an old one.
static int is_known(const void *object)
{
    for (int i = 0; i < s_known_count; ++i) {
        if (s_known_next == s_known_count)
            s_known_next = 0;
        if (s_known[s_known_next++] == object)
            return 1;
    }
    return 0;
}

struct object {
    int early; // It has slots that are not relocated.
    int left;  // It has slots for a scan that may wait.
    const ElfW(Sym) * symbols;
    const char *strings;
    ElfW(Addr) base, end;
    ElfW(Addr) locked_from, locked_to;
};

static void collect(struct object *object, const ElfW(Rela) * table, size_t bytes)
{
    jsa_scanned += bytes / sizeof *table;
    for (size_t i = 0; i < bytes / sizeof *table; ++i) {
        const uint32_t kind = (uint32_t)ELF64_R_TYPE(table[i].r_info);
        if (kind != JSA_RELOCATION_CALL && kind != JSA_RELOCATION_DATA)
            continue;
        const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(table[i].r_info)];
        if (symbol->st_shndx != SHN_UNDEF) // The library's own function.
            continue;
        const char *name = object->strings + symbol->st_name;
        uint32_t flags = 0;
        const uint32_t call = jsa_find(name, &flags);
        const int linker = call == JSA_CALL_NONE ? find_linker(name) : kLinker;
        if ((call == JSA_CALL_NONE && linker == kLinker) || s_count == kMaxPlaces)
            continue;
        void **slot = (void **)(object->base + table[i].r_offset);
        void *now = __atomic_load_n(slot, __ATOMIC_RELAXED);
        const ElfW(Addr) value = (ElfW(Addr))now;
        if (value < object->base && value < object->end - object->base) {
            object->early = 1;
            continue;
        }
        if (!s_may_wait && (ElfW(Addr))slot >= object->locked_from && (ElfW(Addr))slot < object->locked_to) {
            object->left = 1;
            continue;
        }
        const int unresolved = kind == JSA_RELOCATION_CALL && value >= object->base && value < object->end;
        s_places[s_count++] = (struct place){.object = object->base,
                                             .slot = slot,
                                             .now = now,
                                             .call = call,
                                             .flags = flags,
                                             .linker = linker,
                                             .unresolved = unresolved,
                                             .locked_from = object->locked_from,
                                             .locked_to = object->locked_to};
    }
}

// The tables of one object.
struct tables {
    const ElfW(Rela) * calls, *data;
    size_t calls_bytes, data_bytes;
};

// The dynamic section's addresses are relocated by glibc on these processors.
static struct tables read_dynamic(struct object *object, const ElfW(Dyn) * dynamic)
{
    struct tables tables = {NULL, NULL, 0, 0};
    for (; dynamic && dynamic->d_tag != DT_NULL; ++dynamic) {
        switch (dynamic->d_tag) {
        case DT_SYMTAB:
            object->symbols = (const void *)dynamic->d_un.d_ptr;
            break;
        case DT_STRTAB:
            object->strings = (const void *)dynamic->d_un.d_ptr;
            break;
        case DT_JMPREL:
            tables.calls = (const void *)dynamic->d_un.d_ptr;
            break;
        case DT_PLTRELSZ:
            tables.calls_bytes = dynamic->d_un.d_val;
            break;
        case DT_RELA:
            tables.data = (const void *)dynamic->d_un.d_ptr;
            break;
        case DT_RELASZ:
            tables.data_bytes = dynamic->d_un.d_val;
            break;
        default:
            break;
        }
    }
    return tables;
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *data)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(struct jsa_loads *)data = (struct jsa_loads){info->dlpi_adds, info->dlpi_subs};
    return 1;
}

static int scan_object(struct dl_phdr_info *info, size_t size, void *data)
{
    count_loads(info, size, data);
    if (is_known(info->dlpi_phdr) || jsa_is_driver(info->dlpi_name))
        return 0;
    const ElfW(Addr) in_page = (ElfW(Addr))sysconf(_SC_PAGESIZE) - 1;
    struct object object = {.base = info->dlpi_addr};
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const ElfW(Addr) from = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)from;
        if (part->p_type == PT_LOAD && from + part->p_memsz > object.end)
            object.end = from + part->p_memsz;
        if (part->p_type == PT_GNU_RELRO) { // As glibc does it: the last page only if it is whole.
            object.locked_from = from & ~in_page;
            object.locked_to = (from + part->p_memsz) & ~in_page;
        }
    }
    const struct tables tables = read_dynamic(&object, dynamic);
    // The kernel's vdso is listed with addresses that are not relocated.
    if (object.symbols && object.strings && (ElfW(Addr))object.symbols >= object.base) {
        if (tables.calls)
            collect(&object, tables.calls, tables.calls_bytes);
        if (tables.data)
            collect(&object, tables.data, tables.data_bytes);
    }
    s_early |= object.early;
    if (object.left)
        __atomic_store_n(&s_left, 1, __ATOMIC_RELAXED);
    if (!object.early && !object.left && s_count < kMaxPlaces && s_known_count < kMaxKnown)
        s_known[s_known_count++] = info->dlpi_phdr;
    return 0;
}

static void watch(const struct place *place)
{
    const uint32_t count = s_watched_count;
    for (uint32_t i = 0; i < count; ++i)
        if (s_watched[i].slot == place->slot)
            return;
    if (count == kMaxWatched)
        return;
    s_watched[count] = *place;
    __atomic_store_n(&s_watched_count, count + 1, __ATOMIC_RELAXED);
}

static void watch_none(void)
{
    __atomic_store_n(&s_watched_count, 0, __ATOMIC_RELAXED);
}

// Whether the linker may find another function than the one of the library's own libraries. Those that were loaded with
// RTLD_GLOBAL are known to dlsym only, which waits for other threads.
static int may_be_another(const char *name, const void *own)
{
    if (!jsa_has_other(name, own))
        return 0;
    const void *next = jsa_lookup_next(name);
    if (!next && !s_may_wait)
        return 1;
    if (!next)
        next = jsa_real_dlsym(RTLD_NEXT, name);
    return next && next != own;
}

// Those that the linker has written to become places to decide for. Libraries whose slots are watched are still there
// as long as none was unloaded.
static int find_resolved(struct dl_phdr_info *info, size_t size, void *data)
{
    const struct jsa_loads *scanned = data;
    struct jsa_loads now = *scanned;
    count_loads(info, size, &now);
    if (now.subs != scanned->subs)
        return 1;
    for (uint32_t i = 0; i < s_watched_count; ++i) {
        struct place *const place = &s_watched[i];
        if (place->object != info->dlpi_addr || s_count == kMaxPlaces)
            continue;
        void *const function = __atomic_load_n(place->slot, __ATOMIC_RELAXED);
        if (function == place->now)
            continue;
        place->now = function;
        place->unresolved = 0;
        s_places[s_count++] = *place;
        *place = s_watched[s_watched_count - 1];
        __atomic_store_n(&s_watched_count, s_watched_count - 1, __ATOMIC_RELAXED);
        --i;
    }
    return 0;
}

// Decides for each place. Outside of dl_iterate_phdr, because it takes long. Without dlsym, which waits while another
// thread loads a library, and for ever if the constructor of that library waits for this thread.
static void decide(struct place *place)
{
    const int is_linker = place->call == JSA_CALL_NONE;
    char ending[JSA_NAME_PLACE];
    const char *name = is_linker ? s_linker[place->linker].name : jsa_name(place->call, place->flags, ending);
    const void *const earlier = jsa_lookup_earlier(name);
    // Without RTLD_DEEPBIND the dynamic linker will find the program's own function, or the exported hook.
    if (place->unresolved ? earlier != NULL : place->now == earlier)
        return;
    void *hook = NULL;
    if (is_linker) {
        void *const real = *(void **)s_linker[place->linker].real;
        hook = place->unresolved || (real && real == place->now) ? s_linker[place->linker].hook : NULL;
    } else {
        void *const real = place->unresolved ? jsa_lookup_near(place->slot, name) : place->now;
        if (real && place->unresolved && may_be_another(name, real)) {
            watch(place);
            return;
        }
        hook = real ? jsa_wrap(place->call, real, place->flags) : NULL;
    }
    place->wanted = hook != place->now ? hook : NULL;
}

static void store(const struct place *place)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)place->slot & ~(page - 1));
    const ElfW(Addr) slot = (ElfW(Addr))place->slot;
    const int locked = slot >= place->locked_from && slot < place->locked_to;
    if (locked && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(place->slot, place->wanted, __ATOMIC_RELEASE);
    if (locked)
        mprotect(start, page, PROT_READ);
    if (place->call != JSA_CALL_NONE)
        __atomic_fetch_add(&jsa_session->rescans, 1, __ATOMIC_RELAXED);
}

// Again under the lock of dl_iterate_phdr, so that no library goes away meanwhile. If one has gone since the scan,
// another one may be in its place.
static int patch_object(struct dl_phdr_info *info, size_t size, void *data)
{
    const struct jsa_loads *scanned = data;
    struct jsa_loads now = *scanned;
    count_loads(info, size, &now);
    if (now.subs != scanned->subs)
        return 1;
    for (int i = 0; i < s_count; ++i)
        if (s_places[i].object == info->dlpi_addr && s_places[i].wanted && *s_places[i].slot == s_places[i].now)
            store(&s_places[i]);
    return 0;
}

struct jsa_loads jsa_count_loads(void)
{
    struct jsa_loads loads = {0, 0};
    jsa_iterate(count_loads, &loads);
    return loads;
}

static int take_turn(void)
{
    uint32_t idle = 0;
    return __atomic_compare_exchange_n(&s_busy, &idle, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void end_turn(void)
{
    __atomic_store_n(&s_busy, 0, __ATOMIC_RELEASE);
}

static uint64_t adds_then(void)
{
    return __atomic_load_n(&s_loads.adds, __ATOMIC_RELAXED);
}

static uint64_t subs_then(void)
{
    return __atomic_load_n(&s_loads.subs, __ATOMIC_RELAXED);
}

static void note_loads(struct jsa_loads loads)
{
    __atomic_store_n(&s_loads.adds, loads.adds, __ATOMIC_RELAXED);
    __atomic_store_n(&s_loads.subs, loads.subs, __ATOMIC_RELAXED);
}

void jsa_rescan(int may_wait)
{
    struct jsa_loads loads = jsa_count_loads();
    const int unloaded = loads.subs != subs_then();
    const int left = may_wait && __atomic_load_n(&s_left, __ATOMIC_RELAXED);
    const int watched = __atomic_load_n(&s_watched_count, __ATOMIC_RELAXED) != 0;
    if ((loads.adds == adds_then() && !unloaded && !left && !watched) || !jsa_real_dlsym)
        return;
    const int saved = errno;
    if (unloaded)
        jsa_forget_unloaded();
    if (!take_turn()) {
        errno = saved;
        return;
    }
    if (unloaded) { // Not by the hook of dlclose: another library may be where a known one was.
        s_known_count = 0;
        watch_none();
    }
    s_count = s_known_next = s_early = 0;
    if (s_watched_count != 0)
        jsa_iterate(find_resolved, &loads);
    if (s_count == 0 && loads.adds == adds_then() && !unloaded && !left) {
        end_turn();
        errno = saved;
        return;
    }
    note_loads(loads);
    s_may_wait = may_wait;
    if (may_wait)
        __atomic_store_n(&s_left, 0, __ATOMIC_RELAXED);
    jsa_iterate(scan_object, &loads);
    if (may_wait && s_count > 0) // Until what was scanned is relocated: its pages must not become read-only before.
        jsa_real_dlsym(RTLD_DEFAULT, "dlsym");
    for (int i = 0; i < s_count; ++i)
        decide(&s_places[i]);
    jsa_iterate(patch_object, &loads);
    s_tries = loads.adds == s_tried ? s_tries + 1 : 0;
    s_tried = loads.adds;
    if (s_early && s_tries < kMaxTries)
        note_loads((struct jsa_loads){0, subs_then()});
    end_turn();
    errno = saved;
}

// --- after an unloading

struct remaining {
    struct jsa_loads loads;
    int count;
};

static int remain(struct dl_phdr_info *info, size_t size, void *data)
{
    struct remaining *remaining = data;
    count_loads(info, size, &remaining->loads);
    if (is_known(info->dlpi_phdr)) // In their order, so that none is overwritten before it was found.
        s_known[remaining->count++] = info->dlpi_phdr;
    return 0;
}

void jsa_after_unload(struct jsa_loads before)
{
    const struct jsa_loads now = jsa_count_loads();
    if (now.subs == before.subs)
        return;
    jsa_forget_unloaded();
    if (!take_turn())
        return; // The next scan begins anew, because there were unloadings that it does not know.
    struct remaining remaining = {now, 0};
    s_known_next = 0;
    if (before.subs == subs_then())
        jsa_iterate(remain, &remaining);
    // Only if no other thread has loaded or unloaded libraries meanwhile.
    if (before.subs == subs_then() && s_watched_count == 0 && remaining.loads.adds == before.adds
        && remaining.loads.subs == now.subs) {
        s_known_count = remaining.count;
        note_loads((struct jsa_loads){adds_then(), now.subs});
    } else {
        s_known_count = 0;
        watch_none();
    }
    end_turn();
}

void jsa_scan_anew(void)
{
    s_known_count = 0;
    watch_none();
    note_loads((struct jsa_loads){0, 0});
    end_turn();
}
