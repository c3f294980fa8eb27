/* SPDX-FileCopyrightText: 2026 The Jetscope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into emulated programs (packaging/arm64.sh): qemu-user 7 cannot make pidfds, but lets programs believe that
 * the kernel can, and QProcess then starts nothing. This is the answer of a kernel without them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static long (*s_real)(long, ...);

/* Once, because dlsym waits while another thread loads a library. */
__attribute__((constructor)) static void find(void)
{
    *(void **)&s_real = dlsym(RTLD_NEXT, "syscall");
}

long syscall(long number, ...)
{
    if (!s_real)
        find();
    long values[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; ++i)
        values[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_waitid && values[0] == P_PIDFD) {
        errno = EINVAL;
        return -1;
    }
    return s_real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    return (int)syscall(SYS_waitid, (long)type, (long)id, info, (long)options, (void *)0, 0L);
}
