// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE

#include "gpu/attach/sched/contexts.h"

#include "core/attach/kernel/tracedevents.h"
#include "gpu/attach/sched/nvgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kSwitches = 512, kLineBytes = 128, kTries = 3 };

static int s_switches = -1;
static int s_gpu = -1;
static int s_began;
static uint16_t s_next; // Sequence number.

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

const char *jsa_open_contexts(void)
{
#define ROW(switches, gpu) {switches, gpu},
    static const char *const devices[][2] = {JSA_NVGPU_DEVICES(ROW)};
#undef ROW
    static char reason[256];
    int error = ENOENT;
    for (size_t i = 0; i < sizeof devices / sizeof *devices && error == ENOENT; ++i) {
        s_switches = open(devices[i][0], O_RDWR | O_NONBLOCK | O_CLOEXEC);
        error = s_switches < 0 ? errno : 0;
        if (error == 0) {
            s_gpu = open(devices[i][1], O_RDWR | O_CLOEXEC);
            if (s_gpu < 0 || ioctl(s_switches, JSA_CONTEXTS_ENABLE) != 0)
                error = errno;
        }
    }
    if (error == 0)
        return NULL;
    jsa_close_contexts();
    if (error == ENOENT)
        return JSA_NVGPU_MISSING;
    if (error == EBUSY)
        return "another program reads them, and nvgpu tells only one: end Nsight Systems";
    snprintf(reason, sizeof reason, "nvgpu refuses: %s", strerror(error));
    return reason;
}

// What is to be added to a time of the GPU for CLOCK_MONOTONIC. Known to half of the time that the question takes: the
// shortest of some, because the first one may have to wake the GPU. Asked for only when there were switches, so that a
// GPU that is idle stays off. The CPU's time that nvgpu can tell along with it is in units that differ by kernel.
static int offset_of(int64_t *offset)
{
    int64_t shortest = INT64_MAX;
    for (int i = 0; i < kTries; ++i) {
        struct jsa_gpu_time gpu = {0, 0};
        const int64_t before = now_ns();
        if (ioctl(s_gpu, JSA_GPU_TIME, &gpu) != 0)
            continue;
        const int64_t took = now_ns() - before;
        if (took >= shortest)
            continue;
        shortest = took;
        *offset = before + took / 2 - (int64_t)gpu.ns;
    }
    return shortest != INT64_MAX;
}

static size_t print_switch(char *to, const struct jsa_context_switch *moment, int64_t ns)
{
    const uint32_t lost = s_began ? (uint16_t)(moment->sequence - s_next) : 0;
    s_began = 1;
    s_next = (uint16_t)(moment->sequence + 1);
    ns = ns < 0 ? 0 : ns;
    char head[kLineBytes];
    snprintf(head, sizeof head,
             "     gpu-context-%" PRIu32 " [000] ..... %" PRId64 ".%06" PRId64 ": " JSA_CONTEXT_EVENT,
             moment->pid <= INT32_MAX ? (uint32_t)moment->pid : 0, ns / 1000000000, ns % 1000000000 / 1000);
    size_t length = 0;
    if (lost > 0)
        length = (size_t)snprintf(to, kLineBytes, "%s: lost=%" PRIu32 "\n", head, lost);
    return length
        + (size_t)snprintf(to + length, kLineBytes, "%s: context=%" PRIu32 " tag=%u\n", head, moment->context,
                           moment->tag);
}

int jsa_take_contexts(int (*write)(const char *bytes, size_t length))
{
    static struct jsa_context_switch switches[kSwitches];
    static char lines[kSwitches * 2 * kLineBytes];
    for (;;) {
        const ssize_t got = s_switches < 0 ? -1 : read(s_switches, switches, sizeof switches);
        int64_t offset = 0;
        if (got < (ssize_t)sizeof *switches || !offset_of(&offset))
            return 0;
        size_t length = 0;
        for (size_t i = 0; i < (size_t)got / sizeof *switches; ++i)
            length += print_switch(lines + length, &switches[i], (int64_t)switches[i].ns + offset);
        const int result = write(lines, length);
        if (result != 0)
            return result;
        if ((size_t)got < sizeof switches)
            return 0;
    }
}

void jsa_close_contexts(void)
{
    if (s_switches >= 0) {
        ioctl(s_switches, JSA_CONTEXTS_DISABLE);
        close(s_switches);
    }
    if (s_gpu >= 0)
        close(s_gpu);
    s_switches = s_gpu = -1;
}
