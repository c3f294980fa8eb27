// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// program MODE FRAMES [FILE] : makes frames in one of many ways, prints how often it called what, exits with 42.
#define _GNU_SOURCE
#include "frames.h"
#include "gpu/attach/jetscope_mark.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern void linked_frames(int frames);
extern unsigned long mockgl_calls(const char *name);
extern void mockgl_in_finish(void (*callback)(void));
extern void glFinish(void);
extern unsigned eglSwapBuffers(void *display, void *surface);

static int report(void)
{
    static const char *const names[] = {"eglSwapBuffers", "glFinish",          "glDrawArrays",
                                        "glTexImage2D",   "eglCreateImageKHR", "wrong arguments"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        printf("%s %lu\n", names[i], mockgl_calls(names[i]));
    fflush(stdout);
    return 42;
}

static int by_pointers(void *(*find)(void *library, const char *name), void *library, int frames)
{
    struct mock_functions gl;
    *(void **)&gl.swap = find(library, "eglSwapBuffers");
    *(void **)&gl.finish = find(library, "glFinish");
    *(void **)&gl.draw = find(library, "glDrawArrays");
    *(void **)&gl.texture = find(library, "glTexImage2D");
    *(void **)&gl.image = find(library, "eglCreateImageKHR");
    make_frames(&gl, frames);
    return report();
}

static void *from_library(void *library, const char *name)
{
    return dlsym(library, name);
}

static void *from_getproc(void *library, const char *name)
{
    void *(*get)(const char *) = (void *(*)(const char *))dlsym(library, "eglGetProcAddress");
    return get(name);
}

static int from_plugin(const char *file, int flags, int frames)
{
    alarm(20); // Rather than waiting for ever.
    void *plugin = dlopen(file, flags);
    void (*make)(int) = plugin ? (void (*)(int))dlsym(plugin, "linked_frames") : NULL;
    if (!make)
        return 1;
    make(1);
    if (dlsym(plugin, "linked_frames") != (void *)make) // What is known at the first calls only may be seen now.
        return 1;
    make(frames - 1);
    return report();
}

static void *thread_frames(void *frames)
{
    linked_frames(*(int *)frames);
    return NULL;
}

static int in_threads(int frames)
{
    enum { kAtOnce = 8, kTurns = 25 };
    for (int turn = 0; turn < kTurns; ++turn) {
        pthread_t threads[kAtOnce];
        for (int i = 0; i < kAtOnce; ++i)
            pthread_create(&threads[i], NULL, thread_frames, &frames);
        for (int i = 0; i < kAtOnce; ++i)
            pthread_join(threads[i], NULL);
    }
    return report();
}

static pthread_barrier_t s_all_have_called;

static void *crowd_frames(void *frames)
{
    linked_frames(1);
    pthread_barrier_wait(&s_all_have_called); // Each keeps its ring, so that there are none for the last ones.
    linked_frames(*(int *)frames - 1);
    return NULL;
}

static int in_crowd(int frames)
{
    enum { kThreads = 600 };
    static pthread_t threads[kThreads];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 * 1024);
    pthread_barrier_init(&s_all_have_called, NULL, kThreads);
    for (int i = 0; i < kThreads; ++i)
        pthread_create(&threads[i], &small, crowd_frames, &frames);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    return report();
}

static int with_children(int frames)
{
    for (int i = 0; i < 3; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            linked_frames(frames);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    linked_frames(frames);
    return report();
}

static volatile sig_atomic_t s_signals;

static void on_alarm(int signal)
{
    (void)signal;
    const int saved = errno;
    ++s_signals;
    glFinish();
    errno = saved;
}

static int under_signals(int frames)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval often = {{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &often, NULL);
    while (s_signals < 500)
        linked_frames(frames);
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    return report();
}

static jmp_buf s_back;

static void leave(void)
{
    longjmp(s_back, 1);
}

static int by_longjmp(int frames)
{
    mockgl_in_finish(leave);
    if (setjmp(s_back) == 0)
        glFinish();
    mockgl_in_finish(NULL);
    linked_frames(frames);
    return report();
}

static int marked(int frames)
{
    for (int frame = 0; frame < frames; ++frame) {
        jetscope_frame_begin((uint64_t)frame);
        glFinish();
        jetscope_frame_end((uint64_t)frame);
    }
    jetscope_name_buffer(&s_back, sizeof s_back, "a buffer with a name");
    return report();
}

static int without_descriptors(int frames)
{
    for (int file = 3; file < 1024; ++file)
        close(file);
    linked_frames(frames);
    return report();
}

// Nothing may look different under Jetscope, but what a program can see of LD_PRELOAD.
static int unchanged(void)
{
    errno = 12;
    eglSwapBuffers((void *)1, (void *)5);
    const int kept = errno;
    glFinish();
    void *missing = dlsym(RTLD_DEFAULT, "glFenceSync");
    void *absent = dlsym(RTLD_DEFAULT, "cuLaunchKernel");
    void *next = dlsym(RTLD_NEXT, "glFinish");
    printf("errno %d %d, missing %p %p, next %d, descriptor %d\n", kept, errno, missing, absent, next != NULL, dup(1));
    return report();
}

static void print_memory(const char *when)
{
    char line[128];
    FILE *const file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        char name[16];
        unsigned long kib = 0;
        if (sscanf(line, "%15[A-Za-z]: %lu kB", name, &kib) == 2
            && (strcmp(name, "VmSize") == 0 || strcmp(name, "VmRSS") == 0))
            printf("%s-%s %lu\n", name, when, kib);
    }
    if (file)
        fclose(file);
}

// As programs with real-time threads do. Other threads call GL first when all memory is locked.
static int locked(int frames)
{
    linked_frames(frames);
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        return 1;
    print_memory("locked");
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 * 1024);
    for (int i = 0; i < 2; ++i) {
        if (pthread_create(&thread, &small, thread_frames, &frames) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    const pid_t child = fork();
    if (child == 0) {
        linked_frames(frames);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    print_memory("later");
    return report();
}

static void *narrow_finish(void *nothing)
{
    glFinish(); // And keeps its ring until the last thread is done: it would take one that is free.
    pthread_barrier_wait(&s_all_have_called);
    pthread_barrier_wait(&s_all_have_called);
    pthread_barrier_wait(&s_all_have_called);
    return nothing;
}

static void *narrow_frames(void *frames)
{
    pthread_barrier_wait(&s_all_have_called);
    pthread_barrier_wait(&s_all_have_called);
    linked_frames(*(int *)frames);
    pthread_barrier_wait(&s_all_have_called);
    return NULL;
}

// The last thread calls GL first when no address space is left, but for what is mapped already.
static int narrow(int frames)
{
    enum { kOthers = 4 };
    pthread_t threads[kOthers + 1];
    pthread_barrier_init(&s_all_have_called, NULL, kOthers + 2);
    for (int i = 0; i < kOthers; ++i)
        pthread_create(&threads[i], NULL, narrow_finish, NULL);
    pthread_create(&threads[kOthers], NULL, narrow_frames, &frames);
    pthread_barrier_wait(&s_all_have_called);
    const struct rlimit none = {4096, 4096};
    setrlimit(RLIMIT_AS, &none);
    pthread_barrier_wait(&s_all_have_called);
    pthread_barrier_wait(&s_all_have_called);
    for (int i = 0; i <= kOthers; ++i)
        pthread_join(threads[i], NULL);
    return report();
}

// A thread begins when the old root cannot be seen any more.
static int behind_chroot(const char *folder, int frames)
{
    pthread_t thread;
    linked_frames(frames);
    if (chroot(folder) != 0 || chdir("/") != 0)
        return 1;
    if (pthread_create(&thread, NULL, thread_frames, &frames) != 0)
        return 2;
    pthread_join(thread, NULL);
    return report();
}

// As servers do: whoever started it sees it end at once.
static int as_daemon(int frames)
{
    linked_frames(1);
    if (daemon(1, 1) != 0)
        return 1;
    for (int i = 0; i < frames; ++i) {
        const struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
        linked_frames(1);
    }
    return report();
}

static volatile sig_atomic_t s_told;

static void on_told(int signal)
{
    (void)signal;
    s_told = 1;
}

// Until SIGTERM.
static int until_told(void)
{
    alarm(120); // Rather than for ever.
    struct sigaction action = {.sa_handler = on_told};
    sigaction(SIGTERM, &action, NULL);
    while (!s_told)
        linked_frames(1);
    return report();
}

static int ends(const char *mode, int frames)
{
    linked_frames(frames);
    report();
    if (strcmp(mode, "_exit") == 0)
        _exit(7);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (strcmp(mode, "abort") == 0)
        abort();
    if (strcmp(mode, "kill") == 0)
        kill(getpid(), SIGKILL);
    pause(); // For a test that ends it.
    return 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "linked";
    const int frames = argc > 2 ? atoi(argv[2]) : 10;
    const char *file = argc > 3 ? argv[3] : "";
    if (strcmp(mode, "linked") == 0) {
        linked_frames(frames);
        return report();
    }
    if (strcmp(mode, "until-told") == 0)
        return until_told();
    if (strcmp(mode, "dlsym") == 0)
        return by_pointers(from_library, dlopen(file, RTLD_NOW | RTLD_LOCAL), frames);
    if (strcmp(mode, "default") == 0)
        return by_pointers(from_library, RTLD_DEFAULT, frames);
    if (strcmp(mode, "getproc") == 0)
        return by_pointers(from_getproc, dlopen(file, RTLD_NOW | RTLD_LOCAL), frames);
    if (strcmp(mode, "plugin") == 0)
        return from_plugin(file, RTLD_LAZY | RTLD_LOCAL, frames);
    if (strcmp(mode, "plugin-later") == 0) {
        linked_frames(1);
        return from_plugin(file, RTLD_LAZY | RTLD_LOCAL, frames - 2);
    }
    if (strcmp(mode, "deepbind") == 0)
        return from_plugin(file, RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND, frames);
    if (strcmp(mode, "deepbind-now") == 0)
        return from_plugin(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND, frames);
    if (strcmp(mode, "threads") == 0)
        return in_threads(frames);
    if (strcmp(mode, "crowd") == 0)
        return in_crowd(frames);
    if (strcmp(mode, "fork") == 0)
        return with_children(frames);
    if (strcmp(mode, "signals") == 0)
        return under_signals(frames);
    if (strcmp(mode, "longjmp") == 0)
        return by_longjmp(frames);
    if (strcmp(mode, "chroot") == 0)
        return behind_chroot(file, frames);
    if (strcmp(mode, "daemon") == 0)
        return as_daemon(frames);
    if (strcmp(mode, "marks") == 0)
        return marked(frames);
    if (strcmp(mode, "closed") == 0)
        return without_descriptors(frames);
    if (strcmp(mode, "unchanged") == 0)
        return unchanged();
    if (strcmp(mode, "locked") == 0)
        return locked(frames);
    if (strcmp(mode, "narrow") == 0)
        return narrow(frames);
    if (strcmp(mode, "exec") == 0 && argc > 3 && atoi(file) > 0) {
        char left[16];
        snprintf(left, sizeof left, "%d", atoi(file) - 1);
        linked_frames(1);
        execl("/proc/self/exe", argv[0], "exec", argv[2], left, (char *)NULL);
    }
    if (strcmp(mode, "exec") == 0) {
        linked_frames(frames);
        return report();
    }
    return ends(mode, frames);
}
