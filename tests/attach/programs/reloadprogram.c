// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// reloadprogram MODE PLUGIN TURNS [INNER] : loads a plug-in that brings GL with it, makes frames and unloads both, many
// times; nothing else holds GL. GL is loaded to another place each time ("moved"), or by dlsym alone ("pointers"), or
// to the same place by a plug-in with RTLD_DEEPBIND ("same"), or to another place by a child that was forked when it
// was loaded ("child"). INNER is this program as such a plug-in, which does all of it. Exits with 42 if all went well.
#define _GNU_SOURCE
#include "frames.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kFrames = 20 };

static const char *const s_names[] = {"eglSwapBuffers", "glFinish",          "glDrawArrays",
                                      "glTexImage2D",   "eglCreateImageKHR", "wrong arguments"};
enum { kNames = sizeof s_names / sizeof *s_names };
static unsigned long s_calls[kNames];

static void add_calls(void *library)
{
    unsigned long (*count)(const char *) = (unsigned long (*)(const char *))dlsym(library, "mockgl_calls");
    for (int i = 0; i < kNames; ++i)
        s_calls[i] += count ? count(s_names[i]) : 0;
}

struct found {
    const char *file;
    ElfW(Addr) base;
};

static int find(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct found *found = data;
    if (strstr(info->dlpi_name, found->file))
        found->base = info->dlpi_addr;
    return 0;
}

static ElfW(Addr) base_of(const char *file)
{
    struct found found = {file, 0};
    dl_iterate_phdr(find, &found);
    return found.base;
}

// So that the library cannot be loaded to the same place again.
static int occupy(ElfW(Addr) base)
{
    return mmap((void *)base, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
        == (void *)base;
}

static int use(void *library, int by_pointers)
{
    void (*make)(int) = NULL;
    struct mock_functions gl = {0};
    if (by_pointers) {
        *(void **)&gl.swap = dlsym(library, "eglSwapBuffers");
        *(void **)&gl.finish = dlsym(library, "glFinish");
        *(void **)&gl.draw = dlsym(library, "glDrawArrays");
        *(void **)&gl.texture = dlsym(library, "glTexImage2D");
        *(void **)&gl.image = dlsym(library, "eglCreateImageKHR");
        make_frames(&gl, kFrames);
    } else {
        *(void **)&make = dlsym(library, "linked_frames");
        if (!make)
            return 0;
        make(kFrames);
    }
    add_calls(library);
    return 1;
}

__attribute__((visibility("default"))) int reload(const char *mode, const char *file, int turns)
{
    const int deepbind = strcmp(mode, "same") == 0 ? RTLD_DEEPBIND : 0;
    for (int turn = 0; turn < turns; ++turn) {
        void *const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL | deepbind);
        if (!library || !use(library, strcmp(mode, "pointers") == 0))
            return 1;
        const ElfW(Addr) base = base_of("libjetscope_mockgl");
        dlclose(library);
        if (base == 0 || base_of("libjetscope_mockgl") != 0)
            return 2;
        if (!deepbind && !occupy(base))
            return 3;
    }
    for (int i = 0; i < kNames; ++i)
        printf("%s %lu\n", s_names[i], s_calls[i]);
    return 42;
}

#ifndef IS_PLUGIN
static int reload_in_child(const char *file, int turns)
{
    void *const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    const pid_t child = fork();
    if (child == 0) {
        const ElfW(Addr) base = base_of("libjetscope_mockgl");
        if (!library || !use(library, 0) || dlclose(library) != 0 || !occupy(base))
            _exit(7);
        const int code = reload("moved", file, turns - 1);
        fflush(stdout);
        _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 6;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 4;
    if (strcmp(argv[1], "child") == 0)
        return reload_in_child(argv[2], atoi(argv[3]));
    int (*inner)(const char *, const char *, int) = reload;
    if (argc > 4) {
        void *const library = dlopen(argv[4], RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
        *(void **)&inner = library ? dlsym(library, "reload") : NULL;
    }
    return inner ? inner(argv[1], argv[2], atoi(argv[3])) : 5;
}
#endif
