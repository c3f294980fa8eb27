// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

void *jsa_real[JSA_CALL_COUNT][JSA_VARIANTS];
uint8_t jsa_flags[JSA_CALL_COUNT][JSA_VARIANTS] = {
#define JSA_PER_THREAD(name, ...) [JSA_CALL_##name] = {[JSA_PER_THREAD_VARIANT] = JSA_FLAG_PER_THREAD},
    JSA_PER_THREAD_CALLS(JSA_PER_THREAD)
#undef JSA_PER_THREAD
};
void *(*jsa_real_dlsym)(void *handle, const char *name);
int (*jsa_real_dlclose)(void *handle);

// The same as in jsa_real where a library has code. Others are never forgotten: libraries also make functions while
// they run, as the dispatcher of GL does for extensions.
static void *s_in_library[JSA_CALL_COUNT][JSA_VARIANTS];

static int is_hook(uint32_t call, const void *address)
{
    for (int variant = 0; variant < JSA_VARIANTS; ++variant)
        if (jsa_hook(call, variant) == address)
            return 1;
    return 0;
}

static int is_in_library(void *address)
{
    struct jsa_kept kept = {.address = address};
    jsa_find_held(&kept, 1);
    return kept.held != 0;
}

// Keeps an address in a slot that is free. Another thread may unload its library meanwhile: until s_in_library has it,
// the address is not forgotten then, so that it is looked at again behind that.
static int keep(uint32_t call, uint32_t variant, void *real)
{
    const int was_in_library = is_in_library(real);
    void *none = NULL;
    if (!__atomic_compare_exchange_n(&jsa_real[call][variant], &none, real, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return 0;
    __atomic_store_n(&s_in_library[call][variant], was_in_library ? real : NULL, __ATOMIC_SEQ_CST);
    void *kept = real;
    if (was_in_library && !is_in_library(real))
        __atomic_compare_exchange_n(&jsa_real[call][variant], &kept, NULL, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    return 1;
}

// A hook whose function was forgotten looks for it again. Destructors of a library may call hooks until the last
// moment, and find again what is forgotten behind them, so that this is done after the unloading only.
void jsa_forget_unloaded(void)
{
    enum { kAtOnce = 64, kSlots = JSA_CALL_COUNT * JSA_VARIANTS };
    void **const real = &jsa_real[0][0], **const in_library = &s_in_library[0][0];
    for (uint32_t slot = 0; slot < kSlots;) {
        struct jsa_kept kept[kAtOnce];
        uint32_t count = 0;
        for (; slot < kSlots && count < kAtOnce; ++slot) {
            void *const address = __atomic_load_n(&in_library[slot], __ATOMIC_ACQUIRE);
            if (address && address == __atomic_load_n(&real[slot], __ATOMIC_ACQUIRE))
                kept[count++] = (struct jsa_kept){.address = address, .slot = slot};
        }
        if (count > 0)
            jsa_find_held(kept, count);
        for (uint32_t i = 0; i < count; ++i)
            if (!kept[i].held)
                __atomic_compare_exchange_n(&real[kept[i].slot], &kept[i].address, NULL, 0, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED);
    }
}

void *jsa_wrap(uint32_t call, void *real, uint32_t flags)
{
    if (!real || is_hook(call, real))
        return real;
    for (int variant = 0; variant < JSA_VARIANTS; ++variant)
        if (__atomic_load_n(&jsa_real[call][variant], __ATOMIC_ACQUIRE) == real && jsa_flags[call][variant] == flags)
            return jsa_hook(call, variant);
    for (uint32_t variant = 1; variant < JSA_PER_THREAD_VARIANT; ++variant)
        if (keep(call, variant, real)) {
            jsa_flags[call][variant] = (uint8_t)flags;
            return jsa_hook(call, variant);
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
    for (size_t i = 0; i < sizeof versions / sizeof *versions && !jsa_real_dlclose; ++i)
        *(void **)&jsa_real_dlclose = dlvsym(RTLD_NEXT, "dlclose", versions[i]);
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
    static const char *const starts[] = {
        "libEGL",   "libGL.so",   "libGLX",     "libGLdispatch",      "libGLES", "libOpenGL.",
        "libglapi", "libgallium", "libcuda.so", "libnvidia-",         "libnvrm", "libnvos",
        "libnvbuf", "libMali",    "libcupti",   "libjetscope-attach", NULL};
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
    static const char *const buffers[] = {"libnvbufsurface.so", "libnvbuf_utils.so", NULL};
    static const char *const transform[] = {"libnvbufsurftransform.so", NULL};
    struct search search = {name[0] == 'e'       ? egl
                                : name[0] == 'c' ? cuda
                                : name[0] == 'N' ? (strncmp(name, "NvBufSurfT", 10) == 0 ? transform : buffers)
                                : name[2] == 'X' ? glx
                                                 : gl,
                            NULL};
    jsa_iterate(find_library, &search);
    return search.place ? jsa_lookup_near(search.place, name) : NULL;
}

// The next function after this library's own in the program's global symbols.
static void *lookup_next(uint32_t call, const char *name)
{
    void *real = jsa_lookup_next(name);
    if (!real && !jsa_real_dlsym)
        jsa_find_dlsym();
    if (!real && jsa_real_dlsym)
        real = jsa_real_dlsym(RTLD_NEXT, name);
    return real && is_hook(call, real) ? NULL : real;
}

// A hook for one library's function may be called when that library is gone, if the program kept the address. Then it
// does what the exported one does.
void *jsa_resolve(uint32_t call, uint32_t variant, void *caller)
{
    const int saved = errno;
    const uint32_t flags = variant == JSA_PER_THREAD_VARIANT ? JSA_FLAG_PER_THREAD : 0;
    char place[JSA_NAME_PLACE];
    const char *const name = jsa_name(call, flags, place);
    void *real = lookup_next(call, name);
    if (!real)
        real = jsa_lookup_near(caller, name);
    if (!real || is_hook(call, real))
        real = lookup_in_libraries(name);
    if (real && !is_hook(call, real))
        keep(call, flags ? JSA_PER_THREAD_VARIANT : 0, real);
    else
        real = NULL;
    errno = saved;
    return real;
}

// Whether a function is the one of the table: its hook, or what the library around it exports under that name.
static int is_function_of(uint32_t call, const void *function)
{
    char place[JSA_NAME_PLACE];
    return is_hook(call, function) || jsa_lookup_near(function, jsa_name(call, 0, place)) == function
        || jsa_lookup_near(function, jsa_name(call, JSA_FLAG_PER_THREAD, place)) == function;
}

// The name with "_v2" or the like; null if there is no place for it.
static const char *version_of(const char *name, char number, char place[JSA_NAME_PLACE])
{
    const size_t length = strlen(name);
    if (length + sizeof "_v2" > JSA_NAME_PLACE)
        return NULL;
    memcpy(place, name, length);
    memcpy(place + length, (const char[]){'_', 'v', number, 0}, sizeof "_v2");
    return place;
}

// Which version the driver gives depends on the version of CUDA that the program was built for. The runtime asks for
// several of them, and each has hooks of its own. A version behind those of the table may have more arguments than a
// hook passes on: where the driver has one, only what it exports under a name of the table gets a hook.
uint32_t jsa_find_cuda(const char *name, const void *function, uint32_t *flags)
{
    char place[JSA_NAME_PLACE];
    const uint32_t plain = jsa_find(name, flags);
    const char *const newer = version_of(name, '2', place);
    const uint32_t second = newer ? jsa_find(newer, flags) : JSA_CALL_NONE;
    // The hook of cuCtxSynchronize passes the argument of its second version on, too.
    if ((plain == JSA_CALL_NONE && second == JSA_CALL_NONE) || !newer || plain == JSA_CALL_cuCtxSynchronize)
        return plain;
    const uint32_t last = second != JSA_CALL_NONE ? second : plain;
    if (plain != JSA_CALL_NONE && second != JSA_CALL_NONE && is_function_of(plain, function))
        return plain;
    const char *const later = version_of(name, second != JSA_CALL_NONE ? '3' : '2', place);
    if (!jsa_lookup_near(function, later) || is_function_of(last, function))
        return last;
    __atomic_fetch_add(&jsa_session->unhooked, 1, __ATOMIC_RELAXED);
    return JSA_CALL_NONE;
}

void *jsa_wrap_from(uint32_t call, const void *from, void *real, uint32_t flags)
{
    if (real && is_hook(call, real)) {
        char place[JSA_NAME_PLACE];
        const int ending = real == jsa_hook(call, JSA_PER_THREAD_VARIANT);
        void *own = jsa_lookup_near(from, jsa_name(call, ending ? JSA_FLAG_PER_THREAD : 0, place));
        real = own ? own : real;
    }
    return jsa_wrap(call, real, flags);
}

// --- dlsym

extern void *dlsym(void *handle, const char *name);

static struct jsa_answer answer(void *handle, uint32_t call, uint32_t flags)
{
    char place[JSA_NAME_PLACE];
    const char *const name = jsa_name(call, flags, place);
    void *real = jsa_real_dlsym(handle, name);
    // This library must not make the program believe that there is a function which is not there.
    if (real && is_hook(call, real))
        real = lookup_next(call, name);
    else if (handle == RTLD_DEFAULT)
        return (struct jsa_answer){1, real}; // The program's own function of that name.
    return (struct jsa_answer){1, jsa_wrap(call, real, flags)};
}

struct jsa_answer jsa_answer_dlsym(void *handle, const char *name, void *caller)
{
    static const struct jsa_answer none = {0, NULL};
    const int saved = errno;
    if (!jsa_real_dlsym)
        jsa_find_dlsym();
    jsa_rescan(1);
    struct jsa_answer found = none;
    uint32_t flags = 0;
    const uint32_t call = name ? jsa_find(name, &flags) : JSA_CALL_NONE;
    Dl_info from;
    if (!jsa_real_dlsym)
        found.given = 1; // There is no other dlsym to ask.
    else if (call != JSA_CALL_NONE && handle != RTLD_NEXT && !(dladdr(caller, &from) && jsa_is_driver(from.dli_fname)))
        found = answer(handle, call, flags);
    else if (name && handle != RTLD_NEXT && strcmp(name, "dlsym") == 0)
        found = (struct jsa_answer){1, (void *)(uintptr_t)dlsym};
    else if (name && handle != RTLD_NEXT && strcmp(name, "dlclose") == 0
             && jsa_real_dlsym(handle, name) == (void *)(uintptr_t)jsa_real_dlclose)
        found = (struct jsa_answer){1, (void *)(uintptr_t)dlclose};
    errno = saved;
    return found;
}

// --- dlclose

// The addresses of functions that a library had are not valid behind it: another one may be loaded to the same place.
__attribute__((visibility("default"))) int dlclose(void *handle)
{
    if (!jsa_real_dlclose)
        jsa_find_dlsym();
    if (!jsa_real_dlclose)
        return -1;
    const struct jsa_loads before = jsa_count_loads();
    jsa_begin_unloading();
    const int result = jsa_real_dlclose(handle);
    jsa_end_unloading();
    const int saved = errno;
    jsa_after_unload(before);
    errno = saved;
    return result;
}
