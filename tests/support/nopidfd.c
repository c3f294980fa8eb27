/* SPDX-FileCopyrightText: 2026 The Jetscope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into emulated programs (packaging/arm64.sh): qemu-user 7 cannot make pidfds, but lets programs believe that
 * the kernel can, and QProcess then waits for ever. This is the answer of a kernel without them. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    if (type == P_PIDFD) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_waitid, type, id, info, options, (void *)0);
}
