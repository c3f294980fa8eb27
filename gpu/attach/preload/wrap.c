// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

void *jsa_real[JSA_CALL_COUNT][JSA_VARIANTS];
uint8_t jsa_flags[JSA_CALL_COUNT][JSA_VARIANTS];
void *(*jsa_real_dlsym)(void *handle, const char *name);

const char *const jsa_names[JSA_CALL_COUNT] = {[JSA_CALL_NONE] = "",
                                               [JSA_CALL_TEXT] = "",
                                               [JSA_CALL_DATA] = "",
                                               [JSA_CALL_MARK] = "",
#define JSA_NAME(name, ...) [JSA_CALL_##name] = #name,
                                               JSA_CALLS(JSA_NAME)
#undef JSA_NAME
};

uint32_t jsa_find(const char *name)
{
    if (name[0] != 'e' && name[0] != 'g' && name[0] != 'c')
        return JSA_CALL_NONE;
    for (uint32_t call = JSA_CALL_MARK + 1; call < JSA_CALL_COUNT; ++call)
        if (strcmp(name, jsa_names[call]) == 0)
            return call;
    return JSA_CALL_NONE;
}

uint32_t jsa_find_cuda(const char *name)
{
    char newer[64];
    const size_t length = strlen(name);
    if (length + sizeof "_v2" <= sizeof newer) {
        memcpy(newer, name, length);
        memcpy(newer + length, "_v2", sizeof "_v2");
        const uint32_t call = jsa_find(newer);
        if (call != JSA_CALL_NONE)
            return call;
    }
    return jsa_find(name);
}

static int is_hook(uint32_t call, const void *address)
{
    for (int variant = 0; variant < JSA_VARIANTS; ++variant)
        if (jsa_hooks[call][variant] == address)
            return 1;
    return 0;
}

void *jsa_wrap(uint32_t call, void *real, uint32_t flags)
{
    if (!real || is_hook(call, real))
        return real;
    for (int variant = 0; variant < JSA_VARIANTS; ++variant) {
        void *known = __atomic_load_n(&jsa_real[call][variant], __ATOMIC_ACQUIRE);
        if (!known && variant > 0
            && __atomic_compare_exchange_n(&jsa_real[call][variant], &known, real, 0, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE)) {
            jsa_flags[call][variant] = (uint8_t)flags;
            return jsa_hooks[call][variant];
        }
        if (known == real && jsa_flags[call][variant] == flags)
            return jsa_hooks[call][variant];
    }
    __atomic_fetch_add(&jsa_session->unhooked, 1, __ATOMIC_RELAXED);
    return real;
}

// --- finding what a function would be without this library

void jsa_find_dlsym(void)
{
    static const char *const versions[] = {JSA_DLSYM_VERSIONS};
    for (size_t i = 0; i < sizeof versions / sizeof *versions && !jsa_real_dlsym; ++i)
        *(void **)&jsa_real_dlsym = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
}

static const char *file_of(const char *object)
{
    const char *slash = object ? strrchr(object, '/') : NULL;
    return slash ? slash + 1 : object ? object : "";
}

static int begins_with_one(const char *name, const char *const *starts)
{
    for (; *starts; ++starts)
        if (strncmp(name, *starts, strlen(*starts)) == 0)
            return 1;
    return 0;
}

int jsa_is_driver(const char *object)
{
    static const char *const starts[] = {"libEGL",     "libGL.so", "libGLX",     "libGLdispatch", "libGLES",
                                         "libOpenGL.", "libglapi", "libgallium", "libcuda.so",    "libnvidia-",
                                         "libnvrm",    "libnvos",  "libMali",    "libcupti",      "libjetscope-attach",
                                         NULL};
    const char *file = file_of(object);
    return begins_with_one(file, starts) || strstr(file, "_dri.so") != NULL;
}

struct search {
    const char *const *files;
    const void *place;
};

static int find_library(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct search *search = data;
    if (!begins_with_one(file_of(info->dlpi_name), search->files))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && !search->place; ++i)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            search->place = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return 1;
}

// In a library that was loaded for itself: the program's global symbols do not have it.
static void *lookup_in_libraries(const char *name)
{
    static const char *const egl[] = {"libEGL.so", NULL};
    static const char *const gl[] = {"libGLESv2.so", "libGL.so", "libOpenGL.so", "libGLESv1_CM.so", NULL};
    static const char *const glx[] = {"libGLX.so", "libGL.so", NULL};
    static const char *const cuda[] = {"libcuda.so", NULL};
    struct search search = {name[0] == 'e' ? egl : name[0] == 'c' ? cuda : name[2] == 'X' ? glx : gl, NULL};
    dl_iterate_phdr(find_library, &search);
    return search.place ? jsa_lookup_near(search.place, name) : NULL;
}

// The next function after this library's own in the program's global symbols.
static void *lookup_next(uint32_t call)
{
    if (!jsa_real_dlsym)
        jsa_find_dlsym();
    void *real = jsa_real_dlsym ? jsa_real_dlsym(RTLD_NEXT, jsa_names[call]) : NULL;
    return real && is_hook(call, real) ? NULL : real;
}

void *jsa_resolve(uint32_t call, void *caller)
{
    const int saved = errno;
    void *real = lookup_next(call);
    if (!real)
        real = jsa_lookup_near(caller, jsa_names[call]);
    if (!real || is_hook(call, real))
        real = lookup_in_libraries(jsa_names[call]);
    if (real && !is_hook(call, real))
        __atomic_store_n(&jsa_real[call][0], real, __ATOMIC_RELEASE);
    else
        real = NULL;
    errno = saved;
    return real;
}

void *jsa_wrap_from(uint32_t call, const void *from, void *real, uint32_t flags)
{
    if (real && is_hook(call, real)) {
        void *own = jsa_lookup_near(from, jsa_names[call]);
        real = own ? own : real;
    }
    return jsa_wrap(call, real, flags);
}

// --- dlsym

extern void *dlsym(void *handle, const char *name);

static struct jsa_answer answer(void *handle, uint32_t call)
{
    void *real = jsa_real_dlsym(handle, jsa_names[call]);
    // This library must not make the program believe that there is a function which is not there.
    if (real && is_hook(call, real))
        real = lookup_next(call);
    else if (handle == RTLD_DEFAULT)
        return (struct jsa_answer){1, real}; // The program's own function of that name.
    return (struct jsa_answer){1, jsa_wrap(call, real, 0)};
}

struct jsa_answer jsa_answer_dlsym(void *handle, const char *name, void *caller)
{
    static const struct jsa_answer none = {0, NULL};
    const int saved = errno;
    if (!jsa_real_dlsym)
        jsa_find_dlsym();
    jsa_rescan();
    struct jsa_answer found = none;
    const uint32_t call = name ? jsa_find(name) : JSA_CALL_NONE;
    Dl_info from;
    if (!jsa_real_dlsym)
        found.given = 1; // There is no other dlsym to ask.
    else if (call != JSA_CALL_NONE && handle != RTLD_NEXT && !(dladdr(caller, &from) && jsa_is_driver(from.dli_fname)))
        found = answer(handle, call);
    else if (name && handle != RTLD_NEXT && strcmp(name, "dlsym") == 0)
        found = (struct jsa_answer){1, (void *)(uintptr_t)dlsym};
    errno = saved;
    return found;
}
