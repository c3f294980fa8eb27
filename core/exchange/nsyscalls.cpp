// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsyscalls.h"

#include "core/attach/format/calltable.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

/// Calls of the C library that wait for something: another thread, a file, a time.
constexpr auto kSystemWaits = std::to_array<std::string_view>({"accept",
                                                               "accept4",
                                                               "clock_nanosleep",
                                                               "epoll_pwait",
                                                               "epoll_pwait2",
                                                               "epoll_wait",
                                                               "futex",
                                                               "io_getevents",
                                                               "mq_receive",
                                                               "mq_timedreceive",
                                                               "msgrcv",
                                                               "nanosleep",
                                                               "pause",
                                                               "poll",
                                                               "ppoll",
                                                               "pselect",
                                                               "pselect6",
                                                               "recv",
                                                               "recvfrom",
                                                               "recvmmsg",
                                                               "recvmsg",
                                                               "select",
                                                               "sem_clockwait",
                                                               "sem_timedwait",
                                                               "sem_wait",
                                                               "semop",
                                                               "semtimedop",
                                                               "sigsuspend",
                                                               "sigtimedwait",
                                                               "sigwait",
                                                               "sigwaitinfo",
                                                               "sleep",
                                                               "usleep",
                                                               "wait",
                                                               "wait3",
                                                               "wait4",
                                                               "waitid",
                                                               "waitpid",
                                                               "pthread_join",
                                                               "pthread_timedjoin_np",
                                                               "pthread_clockjoin_np",
                                                               "pthread_barrier_wait",
                                                               "pthread_cond_wait",
                                                               "pthread_cond_timedwait",
                                                               "pthread_cond_clockwait",
                                                               "pthread_mutex_lock",
                                                               "pthread_mutex_timedlock",
                                                               "pthread_mutex_clocklock",
                                                               "pthread_rwlock_rdlock",
                                                               "pthread_rwlock_wrlock",
                                                               "pthread_rwlock_timedrdlock",
                                                               "pthread_rwlock_timedwrlock",
                                                               "pthread_spin_lock"});

constexpr auto kVulkanWaits =
    std::to_array<std::string_view>({"vkWaitForFences", "vkQueueWaitIdle", "vkDeviceWaitIdle", "vkWaitSemaphores",
                                     "vkWaitSemaphoresKHR", "vkWaitForPresentKHR", "vkGetQueryPoolResults"});

template <class Names>
bool isAmong(const Names &names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

Category graphicsCategory(std::string_view name)
{
    if (isAmong(kVulkanWaits, name))
        return Category::WaitSync;
    if (name.starts_with("vkAcquireNextImage"))
        return Category::WaitSlot;
    if (name == "vkQueuePresentKHR" || name.find("SwapBuffers") != std::string_view::npos)
        return Category::Present;
    const auto call = attachCallNamed(name);
    return call ? attachCall(*call)->category : Category::Submit;
}

} // namespace

std::string_view withoutCallVersion(std::string_view name)
{
    const std::size_t version = name.rfind("_v");
    const bool isVersion = version != std::string_view::npos && version + 2 < name.size()
        && name.find_first_not_of("0123456789", version + 2) == std::string_view::npos;
    return isVersion ? name.substr(0, version) : name;
}

Category nsysCallCategory(NsysUse use, std::string_view name)
{
    switch (use) {
    case NsysUse::Calls:
        return name.find("Synchronize") != std::string_view::npos ? Category::WaitSync : Category::Submit;
    case NsysUse::GraphicsCalls:
        return graphicsCategory(name);
    case NsysUse::SystemCalls:
        return isAmong(kSystemWaits, name) ? Category::WaitInput : Category::CpuStage;
    case NsysUse::LibraryCalls:
        return name.starts_with("MPI_Wait") || name == "MPI_Barrier" ? Category::WaitInput : Category::CpuStage;
    default:
        return Category::Tool;
    }
}

} // namespace jetscope
