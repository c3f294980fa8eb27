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
    void *now;      // What the slot held when it was found.
    void *wanted;   // The hook to put there; null: none.
    uint32_t call;  // JSA_CALL_NONE: dlsym.
    int unresolved; // The slot leads to the dynamic linker, which has not looked the function up yet.
    ElfW(Addr) locked_from, locked_to; // Read-only after relocation.
};

enum { kMostPlaces = 512 };
static struct place s_places[kMostPlaces];
static int s_count;
static uint64_t s_adds = 0; // Libraries ever loaded, at the last scan.
static uint32_t s_busy = 0;

extern void *dlsym(void *handle, const char *name);

struct object {
    const ElfW(Sym) * symbols;
    const char *strings;
    ElfW(Addr) base, end;
    ElfW(Addr) locked_from, locked_to;
};

static void collect(const struct object *object, const ElfW(Rela) * table, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *table; ++i) {
        const uint32_t kind = (uint32_t)ELF64_R_TYPE(table[i].r_info);
        if (kind != JSA_RELOCATION_CALL && kind != JSA_RELOCATION_DATA)
            continue;
        const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(table[i].r_info)];
        if (symbol->st_shndx != SHN_UNDEF) // The library's own function.
            continue;
        const char *name = object->strings + symbol->st_name;
        const uint32_t call = jsa_find(name);
        if ((call == JSA_CALL_NONE && strcmp(name, "dlsym") != 0) || s_count == kMostPlaces)
            continue;
        void **slot = (void **)(object->base + table[i].r_offset);
        void *now = __atomic_load_n(slot, __ATOMIC_RELAXED);
        const ElfW(Addr) value = (ElfW(Addr))now;
        const int unresolved = kind == JSA_RELOCATION_CALL && value >= object->base && value < object->end;
        s_places[s_count++] =
            (struct place){object->base, slot, now, NULL, call, unresolved, object->locked_from, object->locked_to};
    }
}

// The dynamic section's addresses are relocated by glibc on these processors.
static int scan_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    if (jsa_is_driver(info->dlpi_name))
        return 0;
    struct object object = {.base = info->dlpi_addr};
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const ElfW(Addr) from = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)from;
        if (part->p_type == PT_LOAD && from + part->p_memsz > object.end)
            object.end = from + part->p_memsz;
        if (part->p_type == PT_GNU_RELRO) {
            object.locked_from = from;
            object.locked_to = from + part->p_memsz;
        }
    }
    const ElfW(Rela) *calls = NULL, *data_slots = NULL;
    size_t calls_bytes = 0, data_bytes = 0;
    for (; dynamic && dynamic->d_tag != DT_NULL; ++dynamic) {
        switch (dynamic->d_tag) {
        case DT_SYMTAB:
            object.symbols = (const void *)dynamic->d_un.d_ptr;
            break;
        case DT_STRTAB:
            object.strings = (const void *)dynamic->d_un.d_ptr;
            break;
        case DT_JMPREL:
            calls = (const void *)dynamic->d_un.d_ptr;
            break;
        case DT_PLTRELSZ:
            calls_bytes = dynamic->d_un.d_val;
            break;
        case DT_RELA:
            data_slots = (const void *)dynamic->d_un.d_ptr;
            break;
        case DT_RELASZ:
            data_bytes = dynamic->d_un.d_val;
            break;
        default:
            break;
        }
    }
    // The kernel's vdso is listed with addresses that are not relocated.
    if (!object.symbols || !object.strings || (ElfW(Addr))object.symbols < object.base)
        return 0;
    if (calls)
        collect(&object, calls, calls_bytes);
    if (data_slots)
        collect(&object, data_slots, data_bytes);
    return 0;
}

// Decides for each place. Outside of dl_iterate_phdr, whose lock must not be held while dlsym takes another.
static void decide(struct place *place)
{
    if (place->call == JSA_CALL_NONE) {
        if (!place->unresolved && place->now != (void *)(uintptr_t)dlsym)
            place->wanted = place->now == (void *)(uintptr_t)jsa_real_dlsym ? (void *)(uintptr_t)dlsym : NULL;
        return;
    }
    const char *name = jsa_names[place->call];
    void *real = place->now;
    if (place->unresolved) {
        // Without RTLD_DEEPBIND the dynamic linker will find the exported hook, or the program's own function.
        if (jsa_real_dlsym(RTLD_DEFAULT, name) != jsa_hooks[place->call][0])
            return;
        real = jsa_lookup_near(place->slot, name);
    } else if (jsa_real_dlsym(RTLD_DEFAULT, name) == real) {
        return; // The program's own function, or the exported hook.
    }
    void *hook = real ? jsa_wrap(place->call, real, 0) : NULL;
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
    __atomic_fetch_add(&jsa_session->rescans, 1, __ATOMIC_RELAXED);
}

// Again under the lock of dl_iterate_phdr, so that no library goes away meanwhile.
static int patch_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int i = 0; i < s_count; ++i)
        if (s_places[i].object == info->dlpi_addr && s_places[i].wanted && *s_places[i].slot == s_places[i].now)
            store(&s_places[i]);
    return 0;
}

static int count_adds(struct dl_phdr_info *info, size_t size, void *data)
{
    *(uint64_t *)data = size >= offsetof(struct dl_phdr_info, dlpi_subs) ? info->dlpi_adds : 0;
    return 1;
}

void jsa_rescan(void)
{
    uint64_t adds = 0;
    dl_iterate_phdr(count_adds, &adds);
    uint32_t idle = 0;
    if (adds == __atomic_load_n(&s_adds, __ATOMIC_RELAXED) || !jsa_real_dlsym
        || !__atomic_compare_exchange_n(&s_busy, &idle, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    const int saved = errno;
    __atomic_store_n(&s_adds, adds, __ATOMIC_RELAXED);
    s_count = 0;
    dl_iterate_phdr(scan_object, NULL);
    for (int i = 0; i < s_count; ++i)
        decide(&s_places[i]);
    dl_iterate_phdr(patch_object, NULL);
    __atomic_store_n(&s_busy, 0, __ATOMIC_RELEASE);
    errno = saved;
}
