// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// forkprogram PLUGIN OTHER : threads look at the list of libraries, or load and unload a plug-in all the time, while
// the program forks. Children make frames by calls of another library, which was loaded and linked before: no call of
// theirs needs the dynamic linker, which a thread may have left in the middle of its work. Exits with 42 if all of them
// end, and have called what they wanted.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void (*frames_function)(int);

static const char *s_file;
static int s_stop;

static frames_function load(const char *file, void **library)
{
    *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    frames_function make = *library ? (frames_function)dlsym(*library, "linked_frames") : NULL;
    if (!make)
        abort();
    return make;
}

static void *load_all_the_time(void *nothing)
{
    while (!__atomic_load_n(&s_stop, __ATOMIC_RELAXED)) {
        void *library;
        load(s_file, &library)(2);
        dlclose(library);
    }
    return nothing;
}

static int s_looks, s_looked;

// The dynamic linker holds a lock meanwhile.
static int look(struct dl_phdr_info *info, size_t size, void *nothing)
{
    __atomic_store_n(&s_looks, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&s_looked, __ATOMIC_ACQUIRE))
        usleep(1000);
    return info && size && !nothing;
}

static void *look_at_libraries(void *nothing)
{
    dl_iterate_phdr(look, NULL);
    return nothing;
}

struct other {
    frames_function make;
    unsigned long (*calls)(const char *name);
};

// Not all ways to fork call the handlers of pthread_atfork.
static pid_t fork_without_handlers(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static int child_ends(const struct other *other, pid_t (*begin)(void))
{
    const pid_t child = begin();
    if (child == 0) {
        alarm(10);
        const unsigned long before = other->calls("eglSwapBuffers");
        other->make(2);
        _exit(other->calls("eglSwapBuffers") == before + 2 ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
}

// They are the first that call functions of that library.
static int end_while_a_thread_looks(const struct other *other)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look_at_libraries, NULL);
    while (!__atomic_load_n(&s_looks, __ATOMIC_ACQUIRE))
        usleep(1000);
    const int ended = child_ends(other, fork) + child_ends(other, fork_without_handlers);
    __atomic_store_n(&s_looked, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    return ended == 2;
}

static int end_while_threads_load(const struct other *other)
{
    enum { kThreads = 6, kChildren = 100 };
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i)
        pthread_create(&threads[i], NULL, load_all_the_time, NULL);
    int ended = 0;
    for (int i = 0; i < kChildren; ++i) {
        usleep(20000);
        ended += child_ends(other, fork);
    }
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    return ended == kChildren;
}

int main(int argc, char **argv)
{
    void *library;
    s_file = argc > 1 ? argv[1] : "";
    struct other other = {load(argc > 2 ? argv[2] : "", &library), NULL};
    *(void **)&other.calls = dlsym(library, "mockgl_calls");
    if (!other.calls)
        return 2;
    const int looked = end_while_a_thread_looks(&other);
    const int loaded = end_while_threads_load(&other);
    return looked && loaded ? 42 : 1 + 2 * looked + 4 * loaded;
}
