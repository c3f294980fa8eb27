// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// resultreads CUDA MODE : 40 frames, each of which copies a result into pinned memory and reads it. MODE says when, and
// what else the program does. Prints what the watches of these reads have left behind.
#define _GNU_SOURCE
#include "hazardcalls.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kFrames = 40 };

static unsigned read_result(const void *result)
{
    return *(const volatile unsigned *)result; // The reading line.
}
static void *read_in_thread(void *result)
{
    read_result(result);
    return NULL;
}
static void in_thread(void *(*function)(void *), void *context)
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, context);
    pthread_join(thread, NULL);
}
static void *wait_in_thread(void *context)
{
    (void)context;
    wait_for(s.a);
    return NULL;
}
static void copy(void *to)
{
    CALL(cuMemcpyDtoHAsync_v2, to, s.device, kBytes, s.a);
}
static void copy_rows(void *to) // Two rows, of 64 bytes.
{
    enum { kHost = 1, kDevice = 2, kRow = 64 };
    const uint64_t words[16] = {[2] = kDevice,        [4] = s.device, [6] = kRow,  [9] = kHost,
                                [10] = (uintptr_t)to, [13] = kRow,    [14] = kRow, [15] = 2};
    CALL(cuMemcpy2DAsync_v2, words, s.a);
}
static void *copy_in_thread(void *to)
{
    copy(to);
    return NULL;
}
static void *copy_and_read_in_thread(void *to)
{
    copy(to);
    read_result(to);
    wait_for(s.a);
    return NULL;
}

// --- mistakes

static void early(void)
{
    copy(s.pinned);
    read_result(s.pinned);
    wait_for(s.a);
}
static void early_rows(void)
{
    copy_rows(s.pinned);
    read_result(s.pinned);
    wait_for(s.a);
}
static void early_write(void)
{
    copy(s.pinned);
    memset(s.pinned, 1, kBytes);
    wait_for(s.a);
}
static void wrong_stream(void)
{
    copy(s.pinned);
    wait_for(s.b);
    read_result(s.pinned);
    wait_for(s.a);
}
static void polls(void)
{
    copy(s.pinned);
    for (int i = 0; i < 1000; ++i)
        read_result(s.pinned);
    wait_for(s.a);
}
static void descriptors(void)
{
    early();
    syscall(SYS_close_range, 3u, ~0u, 0u);
}
static void newest(void) // Of six results.
{
    for (int i = 0; i < 6; ++i)
        copy((char *)s.pinned + 64 * i);
    read_result((char *)s.pinned + 64 * 2);
    wait_for(s.a);
}
static void threads(void)
{
    in_thread(copy_and_read_in_thread, s.pinned);
}
static void forks(void)
{
    copy(s.pinned);
    const pid_t child = fork();
    if (child == 0) {
        wait_for(s.a);
        copy(s.pinned2);
        read_result(s.pinned2);
        wait_for(s.a);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(3);
    read_result(s.pinned);
    wait_for(s.a);
}

// --- none, or not seen

static void late(void)
{
    copy(s.pinned);
    wait_for(s.a);
    read_result(s.pinned);
}
static void late_rows(void)
{
    copy_rows(s.pinned);
    wait_for(s.a);
    read_result(s.pinned);
}
static void event(void)
{
    copy(s.pinned);
    CALL(cuEventRecord, s.event, s.a);
    CALL(cuEventSynchronize, s.event);
    read_result(s.pinned);
}
static void handed_over(void) // Another thread waits.
{
    copy(s.pinned);
    in_thread(wait_in_thread, NULL);
    read_result(s.pinned);
}
static void copied_again(void) // After the legal access, which is reported while the next copy is in flight.
{
    copy(s.pinned);
    wait_for(s.a);
    read_result(s.pinned);
    in_thread(copy_in_thread, s.pinned);
    wait_for(s.b);
    wait_for(s.a);
}
static void within_call(void) // The driver's access.
{
    copy(s.pinned);
    CALL(cuMemcpyDtoH_v2, s.pinned, s.device, kBytes);
    wait_for(s.a);
}
static void pageable(void) // The copy is complete when the call returns.
{
    copy(s.pageable);
    read_result(s.pageable);
    wait_for(s.a);
}
static void refused(void) // As in a container.
{
    const struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), // The number of the system call.
                                       BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
                                       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {sizeof code / sizeof *code, (struct sock_filter *)code};
    if (s.frame == 0
        && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0))
        exit(77);
    errno = 0;
    early();
    if (errno != 0)
        exit(4);
}
static void other_thread(void)
{
    copy(s.pinned);
    in_thread(read_in_thread, s.pinned);
    wait_for(s.a);
}

static const struct {
    const char *name;
    void (*frame)(void);
} kModes[] = {{"early", early},
              {"early-rows", early_rows},
              {"late-rows", late_rows},
              {"early-write", early_write},
              {"wrong-stream", wrong_stream},
              {"polls", polls},
              {"descriptors", descriptors},
              {"newest", newest},
              {"threads", threads},
              {"forks", forks},
              {"late", late},
              {"event", event},
              {"handed-over", handed_over},
              {"copied-again", copied_again},
              {"within-call", within_call},
              {"pageable", pageable},
              {"refused", refused},
              {"other-thread", other_thread}};

static void print_left(void)
{
    int mappings = 0, files = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        mappings += strstr(line, "perf_event") != NULL;
    for (int i = 0; i < 256; ++i) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        const ssize_t length = readlink(path, line, sizeof line - 1);
        line[length > 0 ? length : 0] = 0;
        files += strstr(line, "perf_event") != NULL;
    }
    printf("%d mappings, %d descriptors\n", mappings, files);
}

int main(int count, char **words)
{
    void (*frame)(void) = NULL;
    for (size_t i = 0; i < sizeof kModes / sizeof *kModes; ++i)
        if (count > 2 && strcmp(words[2], kModes[i].name) == 0)
            frame = kModes[i].frame;
    s.cuda = count > 1 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!frame || !s.cuda)
        return 2;
#define FIND(name, arguments)                                                                                          \
    if (!(*(void **)&name = dlsym(s.cuda, #name)))                                                                     \
        return 77;
    CUDA(FIND)
    prepare();
    for (s.frame = 0; s.frame < kFrames; ++s.frame) {
        jetscope_frame_begin((uint64_t)s.frame);
        frame();
        jetscope_frame_end((uint64_t)s.frame);
    }
    (void)gl;
    (void)now;
    (void)launch;
    print_left();
    return 0;
}
