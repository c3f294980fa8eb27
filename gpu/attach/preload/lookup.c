// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

// Finds what a library would have found in itself and in the libraries that it was linked to. glibc's dlsym cannot be
// asked with the link map of a library that was never opened by itself, but came with another one: it has no search
// list, and dlsym crashes.

enum { kMaxObjects = 1024, kMaxToVisit = 128, kFileBytes = 56 };

struct found_object {
    const ElfW(Dyn) * dynamic;
    ElfW(Addr) base;
    char file[kFileBytes];
};

struct objects {
    struct found_object all[kMaxObjects];
    int count;
    const void *place;
    const char *name;
    void *address;
    uint16_t queue[kMaxToVisit];
    int queued;
};

static int is_in(const ElfW(Phdr) * part, ElfW(Addr) base, const void *place)
{
    return part->p_type == PT_LOAD && (ElfW(Addr))place - (base + part->p_vaddr) < part->p_memsz;
}

static void visit_later(struct objects *objects, int index)
{
    for (int i = 0; i < objects->queued; ++i)
        if (objects->queue[i] == index)
            return;
    if (objects->queued < kMaxToVisit)
        objects->queue[objects->queued++] = (uint16_t)index;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct objects *objects = data;
    if (objects->count == kMaxObjects)
        return 1;
    struct found_object *object = &objects->all[objects->count];
    object->base = info->dlpi_addr;
    object->dynamic = NULL;
    int is_start = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            object->dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        is_start |= is_in(&info->dlpi_phdr[i], info->dlpi_addr, objects->place);
    }
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    strncpy(object->file, slash ? slash + 1 : info->dlpi_name ? info->dlpi_name : "", kFileBytes - 1);
    object->file[kFileBytes - 1] = 0;
    if (object->dynamic && is_start)
        visit_later(objects, objects->count);
    objects->count += object->dynamic != NULL;
    return 0;
}

// Addresses in the dynamic section are relocated by glibc on these processors, but not in the kernel's vdso.
static const void *entry(const struct found_object *object, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *each = object->dynamic; each->d_tag != DT_NULL; ++each)
        if (each->d_tag == tag)
            return each->d_un.d_ptr >= object->base ? (const void *)each->d_un.d_ptr : NULL;
    return NULL;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; ++name)
        hash = hash * 33 + (uint8_t)*name;
    return hash;
}

static int is_function(const ElfW(Sym) * symbol, const char *strings, const char *name)
{
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC
        && strcmp(strings + symbol->st_name, name) == 0;
}

// By the table of GNU hashes: head, Bloom filter, buckets, and a chain of hashes for each bucket whose end has bit 0.
static void *symbol_in(const struct found_object *object, const char *name)
{
    const uint32_t *table = entry(object, DT_GNU_HASH);
    const ElfW(Sym) *symbols = entry(object, DT_SYMTAB);
    const char *strings = entry(object, DT_STRTAB);
    if (!table || !symbols || !strings || table[0] == 0)
        return NULL;
    const uint32_t buckets = table[0], first = table[1], bloom = table[2];
    const uint32_t *bucket = (const uint32_t *)((const ElfW(Addr) *)(table + 4) + bloom);
    const uint32_t *chain = bucket + buckets;
    const uint32_t hash = hash_of(name);
    uint32_t index = bucket[hash % buckets];
    if (index < first)
        return NULL;
    for (;; ++index) {
        const uint32_t other = chain[index - first];
        if ((other | 1) == (hash | 1) && is_function(&symbols[index], strings, name))
            return (void *)(object->base + symbols[index].st_value);
        if (other & 1)
            return NULL;
    }
}

static void visit_needed_later(struct objects *objects, const struct found_object *object)
{
    const char *strings = entry(object, DT_STRTAB);
    for (const ElfW(Dyn) *each = object->dynamic; strings && each->d_tag != DT_NULL; ++each)
        for (int i = 0; each->d_tag == DT_NEEDED && i < objects->count; ++i)
            if (strncmp(objects->all[i].file, strings + each->d_un.d_val, kFileBytes - 1) == 0)
                visit_later(objects, i);
}

// All in the first call of dl_iterate_phdr, whose lock keeps other threads from unloading what is read here.
static int search(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)info;
    (void)size;
    struct objects *objects = data;
    jsa_iterate(add_object, objects);
    for (int i = 0; i < objects->queued && !objects->address; ++i) {
        const struct found_object *object = &objects->all[objects->queue[i]];
        objects->address = symbol_in(object, objects->name);
        visit_needed_later(objects, object);
    }
    return 1;
}

void *jsa_lookup_near(const void *place, const char *name)
{
    struct objects *objects = mmap(NULL, sizeof *objects, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (objects == MAP_FAILED)
        return NULL;
    objects->place = place;
    objects->name = name;
    jsa_iterate(search, objects);
    void *address = objects->address;
    munmap(objects, sizeof *objects);
    return address;
}

// --- global symbols

// The program and the libraries that it was started with are searched in the order in which they stand here, those that
// were loaded later behind them. dlsym would wait while another thread loads a library, and for ever if a constructor
// of that library waits for this thread.

int jsa_at_start;

struct global {
    const char *name;
    int behind; // Search behind this library instead of before it.
    int index, passed;
    void *address;
};

static int search_global(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct global *global = data;
    struct found_object object = {.base = info->dlpi_addr};
    int is_self = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        is_self |= is_in(&info->dlpi_phdr[i], info->dlpi_addr, (const void *)(uintptr_t)search_global);
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            object.dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
    if ((is_self && !global->behind) || (global->behind && global->index++ >= jsa_at_start))
        return 1;
    if (object.dynamic && !is_self && global->passed == global->behind)
        global->address = symbol_in(&object, global->name);
    global->passed |= is_self;
    return global->address != NULL;
}

static int count_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)info;
    (void)size;
    ++*(int *)data;
    return 0;
}

void jsa_count_at_start(void)
{
    int count = 0;
    jsa_iterate(count_object, &count);
    jsa_at_start = count;
}

void *jsa_lookup_earlier(const char *name)
{
    struct global global = {.name = name};
    jsa_iterate(search_global, &global);
    return global.address;
}

void *jsa_lookup_next(const char *name)
{
    struct global global = {.name = name, .behind = 1};
    jsa_iterate(search_global, &global);
    return global.address;
}

struct other {
    const char *name;
    const void *known;
    int is_there;
};

static int search_other(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct other *other = data;
    struct found_object object = {.base = info->dlpi_addr};
    int is_self = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        is_self |= is_in(&info->dlpi_phdr[i], info->dlpi_addr, (const void *)(uintptr_t)search_other);
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            object.dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
    const void *const address = object.dynamic && !is_self ? symbol_in(&object, other->name) : NULL;
    other->is_there = address && address != other->known;
    return other->is_there;
}

int jsa_has_other(const char *name, const void *known)
{
    struct other other = {name, known, 0};
    jsa_iterate(search_other, &other);
    return other.is_there;
}

// --- addresses

struct keepers {
    struct jsa_kept *kept;
    uint32_t count;
};

static int hold(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const struct keepers *keepers = data;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        for (uint32_t k = 0; (info->dlpi_phdr[i].p_flags & PF_X) != 0 && k < keepers->count; ++k)
            keepers->kept[k].held |= (uint32_t)is_in(&info->dlpi_phdr[i], info->dlpi_addr, keepers->kept[k].address);
    return 0;
}

void jsa_find_held(struct jsa_kept *kept, uint32_t count)
{
    struct keepers keepers = {kept, count};
    jsa_iterate(hold, &keepers);
}
