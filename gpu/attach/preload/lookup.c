// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

// Finds what a library would have found in itself and in the libraries that it was linked to. glibc's dlsym cannot be
// asked with the link map of a library that was never opened by itself, but came with another one: it has no search
// list, and dlsym crashes.

enum { kMostObjects = 1024, kMostToVisit = 128, kFileBytes = 56 };

struct found_object {
    const ElfW(Dyn) * dynamic;
    ElfW(Addr) base;
    char file[kFileBytes];
};

struct objects {
    struct found_object all[kMostObjects];
    int count;
    uint16_t queue[kMostToVisit];
    int queued;
};

static int add_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct objects *objects = data;
    if (objects->count == kMostObjects)
        return 1;
    struct found_object *object = &objects->all[objects->count];
    object->base = info->dlpi_addr;
    object->dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            object->dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    strncpy(object->file, slash ? slash + 1 : info->dlpi_name ? info->dlpi_name : "", kFileBytes - 1);
    object->file[kFileBytes - 1] = 0;
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

static void visit_later(struct objects *objects, int index)
{
    for (int i = 0; i < objects->queued; ++i)
        if (objects->queue[i] == index)
            return;
    if (objects->queued < kMostToVisit)
        objects->queue[objects->queued++] = (uint16_t)index;
}

static void visit_needed_later(struct objects *objects, const struct found_object *object)
{
    const char *strings = entry(object, DT_STRTAB);
    for (const ElfW(Dyn) *each = object->dynamic; strings && each->d_tag != DT_NULL; ++each)
        for (int i = 0; each->d_tag == DT_NEEDED && i < objects->count; ++i)
            if (strncmp(objects->all[i].file, strings + each->d_un.d_val, kFileBytes - 1) == 0)
                visit_later(objects, i);
}

void *jsa_lookup_near(const void *place, const char *name)
{
    Dl_info info;
    struct link_map *start = NULL;
    if (!dladdr1(place, &info, (void **)&start, RTLD_DL_LINKMAP) || !start)
        return NULL;
    struct objects *objects = mmap(NULL, sizeof *objects, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (objects == MAP_FAILED)
        return NULL;
    dl_iterate_phdr(add_object, objects);
    for (int i = 0; i < objects->count; ++i)
        if (objects->all[i].dynamic == start->l_ld)
            visit_later(objects, i);
    void *address = NULL;
    for (int i = 0; i < objects->queued && !address; ++i) {
        const struct found_object *object = &objects->all[objects->queue[i]];
        address = symbol_in(object, name);
        visit_needed_later(objects, object);
    }
    munmap(objects, sizeof *objects);
    return address;
}
