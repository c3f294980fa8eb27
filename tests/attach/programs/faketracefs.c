// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Preloaded into jetscope-sched: the folder $FAKE_FOLDER in place of /sys/kernel/tracing, which is tracefs unless
// $FAKE_IS_FOLDER is set. The user counts as root; a new instance gets the files of the kernel's, with the events that
// stand in "instances/template" and the lines of $FAKE_PIPE; removing it removes them; /proc/sys/kernel/panic_on_warn
// holds $FAKE_PANIC_ON_WARN; 30 s of patience are 0.3 s.
#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/vfs.h>
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

int open(const char *path, int flags, ...)
{
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
