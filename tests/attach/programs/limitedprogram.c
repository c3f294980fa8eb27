// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// limitedprogram MODE FRAMES : makes frames in the main thread, then takes rights away from itself, then makes as many
// frames in threads. "sandbox": the kernel ends it at system calls that it does not need itself; it forks, too.
// "space": it has address space for the rings of its threads, and little more. Prints how often it swapped, exits with
// 42, or with 7 if the kernel does not know such a sandbox.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern void linked_frames(int frames);
extern unsigned long mockgl_calls(const char *name);

static int s_frames;
static pthread_barrier_t s_all_have_called;

static int lock_in(void)
{
    const struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mincore, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_munlock, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mremap, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int narrow(rlim_t more)
{
    unsigned long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    const int is_read = file && fscanf(file, "%lu", &pages) == 1;
    if (file)
        fclose(file);
    const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    const struct rlimit limit = {bytes, bytes};
    return is_read && setrlimit(RLIMIT_AS, &limit) == 0;
}

static void *thread_frames(void *nothing)
{
    linked_frames(s_frames);
    pthread_barrier_wait(&s_all_have_called); // Each has a ring of its own.
    return nothing;
}

static int in_threads(int count)
{
    static pthread_t threads[64];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 * 1024);
    pthread_barrier_init(&s_all_have_called, NULL, (unsigned)count);
    for (int i = 0; i < count; ++i)
        if (pthread_create(&threads[i], &small, thread_frames, NULL) != 0)
            return 0;
    for (int i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    return 1;
}

static int in_child(void)
{
    const pid_t child = fork();
    if (child == 0) {
        const int found = dlsym(RTLD_DEFAULT, "gnu_get_libc_version") != NULL;
        linked_frames(s_frames);
        _exit(found ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
}

int main(int argc, char **argv)
{
    enum { kSandboxThreads = 2, kSpaceThreads = 48, kRing = 4 << 20, kGroup = 64 << 20, kSpare = 32 << 20 };
    s_frames = argc > 2 ? atoi(argv[2]) : 1;
    linked_frames(s_frames);
    int good = 0;
    if (argc > 1 && strcmp(argv[1], "sandbox") == 0) {
        if (!lock_in())
            return 7;
        good = in_threads(kSandboxThreads) && in_child();
    } else {
        mallopt(M_ARENA_MAX, 1); // Another one takes address space.
        good = narrow((rlim_t)kSpaceThreads * kRing + kGroup + kSpare) && in_threads(kSpaceThreads);
    }
    printf("eglSwapBuffers %lu\n", mockgl_calls("eglSwapBuffers"));
    return good ? 42 : 1;
}
