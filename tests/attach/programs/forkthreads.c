// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// forkthreads GL PLUGIN OUTER CHILDREN : each child of fork has threads that ask GL for its functions while another one
// unloads the first libraries of the process, which were loaded before the fork. PLUGIN calls glFlush when it is
// unloaded. Exits with 42 if all children find all functions and end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 3 };

static void *(*s_get)(const char *name);
static unsigned long (*s_calls)(const char *name);
static uint32_t s_asking, s_stop, s_missing;

static void *ask_all_the_time(void *nothing)
{
    __atomic_fetch_add(&s_asking, 1, __ATOMIC_ACQ_REL);
    while (!__atomic_load_n(&s_stop, __ATOMIC_RELAXED))
        if (!s_get("glFinish") || !s_get("eglSwapBuffers"))
            __atomic_fetch_add(&s_missing, 1, __ATOMIC_RELAXED);
    return nothing;
}

static int unload_while_threads_ask(void *plugin, void *outer)
{
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i)
        if (pthread_create(&threads[i], NULL, ask_all_the_time, NULL) != 0)
            return 2;
    while (__atomic_load_n(&s_asking, __ATOMIC_ACQUIRE) < kThreads)
        sched_yield();
    const unsigned long before = s_calls("glFlush");
    const int closed = dlclose(plugin) == 0 && dlclose(outer) == 0;
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    if (!closed || s_missing != 0)
        return 3;
    return s_calls("glFlush") == before + 1 ? 0 : 4;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 1;
    void *const gl = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void *const plugin = dlopen(argv[2], RTLD_LAZY | RTLD_LOCAL);
    void *const outer = dlopen(argv[3], RTLD_LAZY | RTLD_LOCAL);
    *(void **)&s_get = gl ? dlsym(gl, "eglGetProcAddress") : NULL;
    *(void **)&s_calls = gl ? dlsym(gl, "mockgl_calls") : NULL;
    if (!s_get || !s_calls || !plugin || !outer)
        return 1;
    int bad = 0;
    for (int i = atoi(argv[4]); i > 0; --i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit(unload_while_threads_ask(plugin, outer));
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (status != 0 && bad++ == 0)
            fprintf(stderr, "a child ended with status 0x%x\n", (unsigned)status);
    }
    printf("%d children were disturbed\n", bad);
    return bad == 0 ? 42 : 2;
}
