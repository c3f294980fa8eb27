// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Preloaded into jetscope-sched: the folder $FAKE_FOLDER in place of /sys/kernel/tracing, which is tracefs unless
// $FAKE_IS_FOLDER is set. The user counts as root; a new instance gets the files of the kernel's, with the events that
// stand in "instances/template" and the lines of $FAKE_PIPE; removing it removes them; /proc/sys/kernel/panic_on_warn
// holds $FAKE_PANIC_ON_WARN; 30 s of patience are 0.3 s. And nvgpu's devices: $FAKE_CONTEXTS has the moments of context
// switches, "TAG:CONTEXT:PID:MICROSECONDS" behind the moment at which they are enabled, "drop" for one that nvgpu has
// dropped; or "busy", or "refuses". The GPU's clock is 1000 s ahead; it is asked only when there were moments, and the
// first time it sleeps for 50 ms as a GPU that is off. Whatever nvgpu would not take ends the process.
#define _GNU_SOURCE

#include "gpu/attach/sched/nvgpu.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

uid_t geteuid(void)
{
    return 0;
}

static int run(const char *format, const char *a, const char *b)
{
    char command[2048];
    snprintf(command, sizeof command, format, a, b);
    unsetenv("LD_PRELOAD");
    return system(command) == 0 ? 0 : -1;
}

// Of a name in the folder that is open as `at`.
static const char *path_of(int at, const char *name)
{
    static char path[1024];
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    const ssize_t length = readlink(link, path, 512);
    snprintf(path + (length > 0 ? length : 0), 256, "/%s", name);
    return path;
}

int mkdirat(int at, const char *name, mode_t mode)
{
    (void)mode;
    const char *lines = getenv("FAKE_PIPE");
    return run(
        "p='%s'; cp -r \"${p%%/*}/template\" \"$p\" && for e in \"$p\"/events/*/*; do : > \"$e/enable\"; done && "
        "for f in trace_clock buffer_size_kb tracing_on events/enable; do : > \"$p/$f\"; done && "
        "cp '%s' \"$p/trace_pipe\"",
        path_of(at, name), lines ? lines : "/dev/null");
}

int unlinkat(int at, const char *name, int flags)
{
    (void)flags;
    return run("rm -r '%s'%s", path_of(at, name), "");
}

int fstatfs(int file, struct statfs *system)
{
    (void)file;
    memset(system, 0, sizeof *system);
    system->f_type = getenv("FAKE_IS_FOLDER") ? 0xEF53 : 0x74726163;
    return 0;
}

unsigned alarm(unsigned seconds)
{
    const struct itimerval after = {.it_value = {.tv_usec = (suseconds_t)seconds * 10000}};
    setitimer(ITIMER_REAL, &after, NULL);
    return 0;
}

// --- nvgpu

enum { kGpu = 700, kSwitches = 701 }; // Descriptors.

static int s_wakes = 1;
static int s_enabled;
static int s_moments; // The other end of the pipe of moments.

static void must(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "the made-up nvgpu: %s\n", what);
    _exit(99);
}

static uint64_t gpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t)now.tv_sec + 1000) * 1000000000 + (uint64_t)now.tv_nsec;
}

static int open_nvgpu(const char *path, int flags)
{
    const char *moments = getenv("FAKE_CONTEXTS");
    int ends[2];
    errno = !moments ? ENOENT : strcmp(moments, "busy") == 0 ? EBUSY : ENOTTY;
    if (!moments || strcmp(moments, "busy") == 0)
        return -1;
    must((flags & O_ACCMODE) == O_RDWR, "opened without O_RDWR");
    if (strcmp(path, "/dev/nvgpu/igpu0/ctrl") == 0)
        return dup2(STDIN_FILENO, kGpu);
    must((flags & O_NONBLOCK) != 0 && pipe2(ends, O_NONBLOCK) == 0, "opened without O_NONBLOCK");
    s_moments = ends[1];
    return dup2(ends[0], kSwitches);
}

static void write_moments(const char *text)
{
    const uint64_t now = gpu_ns();
    uint16_t sequence = 65534;
    for (char *each = strtok(strdup(text), ", "); each; each = strtok(NULL, ", "), ++sequence) {
        struct jsa_context_switch moment = {.sequence = sequence};
        unsigned tag, context;
        unsigned long pid, micros;
        if (sscanf(each, "%x:%u:%lu:%lu", &tag, &context, &pid, &micros) != 4)
            continue;
        moment.tag = (uint8_t)tag;
        moment.context = context;
        moment.pid = pid;
        moment.ns = now + micros * 1000;
        must(write(s_moments, &moment, sizeof moment) == sizeof moment, "too many moments");
    }
}

int ioctl(int file, unsigned long request, ...)
{
    va_list list;
    va_start(list, request);
    struct jsa_gpu_time *time = va_arg(list, struct jsa_gpu_time *);
    va_end(list);
    if (file == kSwitches && strcmp(getenv("FAKE_CONTEXTS"), "refuses") == 0)
        return errno = ENOTTY, -1;
    if (file == kSwitches && request == JSA_CONTEXTS_ENABLE) {
        must(!s_enabled++, "enabled twice");
        write_moments(getenv("FAKE_CONTEXTS"));
        return 0;
    }
    if (file == kSwitches && request == JSA_CONTEXTS_DISABLE) {
        must(s_enabled-- == 1, "disabled without having been enabled");
        return 0;
    }
    must(file == kGpu && request == JSA_GPU_TIME && s_enabled, "another request");
    if (s_wakes)
        usleep(50000);
    s_wakes = 0;
    time->ns = gpu_ns();
    return 0;
}

int open(const char *path, int flags, ...)
{
    if (strncmp(path, "/dev/nv", 7) == 0)
        return open_nvgpu(path, flags);
    if (strcmp(path, "/proc/sys/kernel/panic_on_warn") == 0) {
        const char *value = getenv("FAKE_PANIC_ON_WARN");
        int ends[2];
        if (!value || pipe(ends) != 0)
            return -1;
        const ssize_t written = write(ends[1], value, strlen(value));
        close(ends[1]);
        return written > 0 ? ends[0] : -1;
    }
    if (strcmp(path, "/sys/kernel/tracing") == 0 && getenv("FAKE_FOLDER"))
        path = getenv("FAKE_FOLDER");
    else if (strncmp(path, "/sys/", 5) == 0)
        return -1;
    va_list list;
    va_start(list, flags);
    const int mode = va_arg(list, int);
    va_end(list);
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    return real(path, flags, mode);
}
