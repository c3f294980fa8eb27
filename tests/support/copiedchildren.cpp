// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdarg>
#include <dlfcn.h>
#include <sched.h>
#include <sys/types.h>

// For ThreadSanitizer. QProcess starts its child by clone(CLONE_VM | CLONE_VFORK), and TSan treats every clone as a
// fork: in the child it ignores all accesses and all synchronization from there on. A child in the parent's memory
// leaves the parent's thread in that state, so that TSan checks nothing of it and reports races with what it handed
// over properly. Here such a child gets a copy of the memory, as after fork, which is all that a child that will exec
// can tell apart.

extern "C" int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    using Clone = int (*)(int (*)(void *), void *, int, void *, ...);
    static const auto next = reinterpret_cast<Clone>(dlsym(RTLD_NEXT, "clone"));
    va_list list;
    va_start(list, argument);
    auto *const parent = va_arg(list, pid_t *);
    auto *const tls = va_arg(list, void *);
    auto *const child = va_arg(list, pid_t *);
    va_end(list);
    if ((flags & CLONE_VFORK) && !(flags & CLONE_THREAD))
        flags &= ~(CLONE_VM | CLONE_VFORK);
    return next(function, stack, flags, argument, parent, tls, child);
}
