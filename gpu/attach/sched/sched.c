// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// jetscope-sched : writes to standard output which threads run and wait on this machine, what the drivers of a Jetson's
// GPU and engines tell, and which context has the GPU, as lines of the kernel's trace, until the reader of its output
// ends, has not read for 30 s, or it is interrupted. `jetscope attach --probe` prints the command for it. Only root may
// start it; it takes no words and no commands, reads no files but those of tracefs, where that is mounted,
// /proc/sys/kernel/panic_on_warn and two devices of nvgpu, and leaves the kernel as it was: it uses an instance of the
// trace of its own, which it removes. Addresses of the kernel's memory are not handed on. The line "# threads:
// NAMESPACE" says in which PID namespace threads are counted, lines "# events: GROUP HAS OF" how many of the events
// that it asks for this kernel has, "# contexts: REASON" why the GPU's contexts are not told. Exits with 1, and a line
// "# error: ..." on standard output, if the kernel refuses.
#define _GNU_SOURCE

#include "core/attach/kernel/tracedevents.h"
#include "gpu/attach/sched/contexts.h"
#include "gpu/attach/sched/tracefs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { kReadEveryMs = 20, kBytes = 1 << 16, kPipeBytes = 1 << 20, kPatienceSeconds = 30 };

static volatile sig_atomic_t s_ended;

static void end(int signal)
{
    (void)signal;
    s_ended = 1;
}

static int fail(const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "jetscope-sched: %s\n", text);
    printf("# error: %s\n", text); // The reader's user sees only this.
    fflush(stdout);
    return 1;
}

// All paths are below descriptors of folders of tracefs, which has no links.
static int write_file(int folder, const char *file, const char *text)
{
    const int to = openat(folder, file, O_WRONLY | O_CLOEXEC | O_TRUNC);
    if (to < 0)
        return -1;
    const ssize_t length = (ssize_t)strlen(text);
    const int good = write(to, text, (size_t)length) == length;
    close(to);
    return good ? 0 : -1;
}

// Linux from 5.13 on writes a warning into its log, once, when it prints an event whose text is not a constant of the
// kernel, as names of engines are (trace_check_vprintf in kernel/trace/trace.c). A kernel that stops at warnings is
// not asked for such events.
static int may_warn(void)
{
    char text = '0';
    const int from = open("/proc/sys/kernel/panic_on_warn", O_RDONLY | O_CLOEXEC);
    if (from >= 0) {
        if (read(from, &text, 1) != 1)
            text = '0';
        close(from);
    }
    return text == '0';
}

struct event {
    const char *group, *name;
};

// The events of tracedevents.h. Returns whether there are switches.
static int enable_events(int instance)
{
#define ROW(group, event, use) {#group, #event},
    static const struct event events[] = {JSA_TRACED_EVENTS(ROW)};
#undef ROW
    const size_t count = sizeof events / sizeof *events;
    const int all = may_warn();
    int switches = 0;
    for (size_t first = 0, end; first < count; first = end) {
        int has = 0;
        for (end = first; end < count && strcmp(events[end].group, events[first].group) == 0; ++end) {
            char file[128];
            snprintf(file, sizeof file, "events/%s/%s/enable", events[end].group, events[end].name);
            if (!all && strcmp(events[end].group, "sched") != 0)
                continue;
            const int good = write_file(instance, file, "1") == 0; // What a kernel lacks is not seen.
            has += good;
            switches |= good && strcmp(events[end].name, "sched_switch") == 0;
        }
        printf("# events: %s %d %d\n", events[first].group, has, (int)(end - first));
    }
    fflush(stdout);
    return switches;
}

// In the names of engines ("(0xADDRESS:NAME)[UNSAFE-MEMORY]"): they would tell where the kernel is.
static void hide_addresses(char *bytes, size_t length)
{
    static const char begin[] = "(0x";
    static size_t matched; // Also where a line comes in parts.
    for (size_t i = 0; i < length; ++i)
        if (matched == sizeof begin - 1 && isxdigit((unsigned char)bytes[i]))
            bytes[i] = '0';
        else if (matched < sizeof begin - 1 && bytes[i] == begin[matched])
            ++matched;
        else
            matched = bytes[i] == begin[0];
}

static int write_all(const char *bytes, size_t length)
{
    while (length > 0) {
        alarm(kPatienceSeconds); // A shell may keep the other end of a pipe that nobody reads any more.
        const ssize_t written = write(STDOUT_FILENO, bytes, length);
        alarm(0);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
        if (s_ended)
            return -1;
    }
    return 0;
}

// Reads at intervals: a reader that waits for each line is woken so often that it fills the trace itself.
static void copy_lines(int from)
{
    static char bytes[kBytes];
    fcntl(STDOUT_FILENO, F_SETPIPE_SZ, kPipeBytes); // If it is a pipe: so that a slow reader does not hold this up.
    struct pollfd reader = {.fd = STDOUT_FILENO, .events = 0};
    while (!s_ended) {
        ssize_t length = 0;
        while (!s_ended && (length = read(from, bytes, sizeof bytes)) > 0) {
            hide_addresses(bytes, (size_t)length);
            if (write_all(bytes, (size_t)length) != 0)
                return;
        }
        if ((length < 0 && errno != EAGAIN && errno != EINTR) || jsa_take_contexts(write_all) != 0)
            return;
        poll(&reader, 1, kReadEveryMs);
        if ((reader.revents & (POLLERR | POLLHUP)) != 0)
            return;
    }
}

static int record(int instance)
{
    if (write_file(instance, "trace_clock", "mono") != 0)
        return fail("the kernel's trace cannot use CLOCK_MONOTONIC (Linux before 3.17)");
    write_file(instance, "buffer_size_kb", "4096");
    const int from = openat(instance, "trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (from < 0)
        return fail("the kernel's trace cannot be read: %s", strerror(errno));
    printf("# threads: %u\n", JSA_TRACED_NAMESPACE);
    const int good = enable_events(instance);
    if (good) {
        const char *why = jsa_open_contexts();
        if (why)
            printf(JSA_CONTEXTS_REFUSED "%s\n", why);
        fflush(stdout);
        copy_lines(from);
        jsa_close_contexts();
    }
    write_file(instance, "tracing_on", "0");
    write_file(instance, "events/enable", "0");
    close(from);
    return good ? 0 : fail("this kernel has no trace of its scheduler (CONFIG_SCHED_TRACER or FTRACE)");
}

// Removes what a killed program of this kind has left; the kernel refuses while one is in use.
static void remove_left(int instances)
{
    const int again = openat(instances, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again < 0 ? NULL : fdopendir(again);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (strncmp(entry->d_name, "jetscope-", 9) == 0)
            unlinkat(instances, entry->d_name, AT_REMOVEDIR);
    if (folder)
        closedir(folder);
}

// The folder of instances; -1 if tracefs is not mounted. Where it is not, the folder may be anybody's.
static int open_instances(void)
{
    static const char *const usual[] = {JSA_TRACEFS_FOLDERS};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i) {
        struct statfs system;
        const int tracing = open(usual[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (tracing < 0)
            continue;
        const int instances = fstatfs(tracing, &system) == 0 && system.f_type == JSA_TRACEFS_MAGIC
            ? openat(tracing, "instances", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            : -1;
        close(tracing);
        if (instances >= 0)
            return instances;
    }
    return -1;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return fputs("usage: jetscope-sched\n", stderr), 2;
    if (geteuid() != 0)
        return fail("only root may see the scheduler: start it with sudo");
    const int instances = open_instances();
    if (instances < 0)
        return fail(JSA_TRACEFS_MISSING);
    struct sigaction action = {.sa_handler = end};
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i)
        sigaction(signals[i], &action, NULL);
    remove_left(instances);
    char name[64];
    snprintf(name, sizeof name, "jetscope-%d", (int)getpid());
    const int instance =
        mkdirat(instances, name, 0700) == 0 ? openat(instances, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const int code = instance < 0 ? fail("a trace of its own cannot be made: %s", strerror(errno)) : record(instance);
    if (instance >= 0)
        close(instance);
    if (unlinkat(instances, name, AT_REMOVEDIR) != 0 && instance >= 0)
        fprintf(stderr, "jetscope-sched: %s cannot be removed: %s\n", name, strerror(errno));
    return code;
}
