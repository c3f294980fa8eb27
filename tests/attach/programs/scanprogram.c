// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// scanprogram PLUGIN FOLDER : has the sources of the preloaded library built in, and counts their work: names that are
// compared to find one, relocations that are looked at when plug-ins come and go. Exits with 42 if that is bounded.
#define _GNU_SOURCE
#include "gpu/attach/preload/preload.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { kPlugins = 40, kNames = 1000, kImports = 256 };

static int s_bad;

static void expect(int good, const char *what, uint64_t value)
{
    if (!good) {
        printf("%s: %llu\n", what, (unsigned long long)value);
        ++s_bad;
    }
}

static void find_names(void)
{
    for (uint32_t call = JSA_CALL_MARK + 1; call < JSA_CALL_COUNT; ++call)
        for (uint32_t flags = 0; flags <= JSA_FLAG_PER_THREAD; flags += JSA_FLAG_PER_THREAD) {
            char place[JSA_NAME_PLACE], longer[JSA_NAME_PLACE + 1];
            const char *const name = jsa_name(call, flags, place);
            uint32_t found_flags = 9;
            expect(jsa_find(name, &found_flags) == call, name, call);
            expect(found_flags == (name == place ? JSA_FLAG_PER_THREAD : 0), name, found_flags);
            expect(jsa_hook(call, 0) && (name != place || jsa_hook(call, JSA_PER_THREAD_VARIANT)), name, call);
            snprintf(longer, sizeof longer, "%sA", name);
            expect(jsa_find(longer, &found_flags) == JSA_CALL_NONE, longer, call);
        }
    uint32_t flags = 0;
    expect(strcmp(jsa_name(JSA_CALL_cuMemcpyHtoD_v2, JSA_FLAG_PER_THREAD, (char[JSA_NAME_PLACE]){0}),
                  "cuMemcpyHtoD_v2_ptds")
               == 0,
           "the name with an ending", 0);
    expect(jsa_find("cuStreamBeginCaptureToGraph_ptsz", &flags) == JSA_CALL_cuStreamBeginCaptureToGraph
               && flags == JSA_FLAG_PER_THREAD,
           "a capture of the thread's own stream", flags);
    static const char *const strangers[] = {"cuMemcpyHtoD_v2_ptsz", "cuInit_ptsz", "_ptsz", "g_ptds", "g", "",
                                            "cuMemcpyHtoD"};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; ++i)
        expect(jsa_find(strangers[i], &flags) == JSA_CALL_NONE, strangers[i], i);
    expect(jsa_find_cuda("cuMemcpyHtoD", (const void *)(uintptr_t)find_names, &flags) == JSA_CALL_cuMemcpyHtoD_v2
               && flags == 0,
           "without _v2", flags);

    jsa_compared = 0;
    for (int i = 0; i < kNames; ++i) {
        char name[32];
        snprintf(name, sizeof name, "g_object_function_%d", i);
        expect(jsa_find(name, &flags) == JSA_CALL_NONE, name, flags);
    }
    expect(jsa_compared < kNames, "names compared", jsa_compared);
}

static int copy_file(const char *from, const char *to)
{
    char bytes[65536];
    FILE *const in = fopen(from, "rb"), *const out = fopen(to, "wb");
    size_t count = 0;
    while (in && out && (count = fread(bytes, 1, sizeof bytes, in)) > 0)
        fwrite(bytes, 1, count, out);
    const int good = in && out && !ferror(in) && !ferror(out);
    if (in)
        fclose(in);
    return out && fclose(out) == 0 && good;
}

// The relocations that are looked at because of one more plug-in.
static uint64_t scanned_for(const char *folder, int number, void **library)
{
    char file[512];
    snprintf(file, sizeof file, "%s/%d.so", folder, number);
    const uint64_t before = jsa_scanned;
    *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    int (*run)(int) = *library ? (int (*)(int))dlsym(*library, "run") : NULL;
    expect(run && run(0) == 7, file, 0);
    return jsa_scanned - before;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    find_names();
    for (int i = 0; i < kPlugins; ++i) {
        char file[512];
        snprintf(file, sizeof file, "%s/%d.so", argv[2], i);
        if (!copy_file(argv[1], file))
            return 3;
    }
    void *library = NULL;
    scanned_for(argv[2], 0, &library); // And all libraries before.
    const uint64_t each = scanned_for(argv[2], 1, &library);
    expect(each >= kImports && each < 2 * kImports, "relocations of one plug-in", each);
    for (int i = 2; i < kPlugins; ++i) {
        const uint64_t scanned = scanned_for(argv[2], i, &library);
        expect(scanned == each, "relocations of one more plug-in", scanned);
    }
    for (int i = 0; i < kPlugins; ++i) { // Probably to the same place each time.
        dlclose(library);
        const uint64_t scanned = scanned_for(argv[2], kPlugins - 1, &library);
        expect(scanned == each, "relocations of a plug-in that was loaded again", scanned);
    }
    jsa_real_dlclose(
        library); // As if the hook had not been called: what is at the same place must not be taken for known.
    const uint64_t scanned = scanned_for(argv[2], kPlugins - 1, &library);
    expect(scanned >= each, "relocations after an unloading that was not seen", scanned);
    return s_bad == 0 ? 42 : 1;
}
