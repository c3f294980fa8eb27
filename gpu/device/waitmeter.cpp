// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/waitmeter.h"

#include "core/time/clock.h"

#include <ctime>
#include <sys/resource.h>

namespace jetscope {

namespace {

constexpr unsigned kOneOf = 8;

WaitCost threadSums()
{
    timespec cpu{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return {nowNs(), std::int64_t(cpu.tv_sec) * 1'000'000'000 + cpu.tv_nsec, usage.ru_nivcsw};
}

} // namespace

WaitMeter::WaitMeter(WaitPolicy policy)
{
    thread_local unsigned t_waits = 0;
    if (policy != WaitPolicy::Yield && t_waits++ % kOneOf == 0)
        m_begin = threadSums();
}

std::optional<WaitCost> WaitMeter::cost() const
{
    if (!m_begin)
        return std::nullopt;
    const WaitCost end = threadSums();
    return WaitCost{end.wallNs - m_begin->wallNs, end.cpuNs - m_begin->cpuNs, end.preemptions - m_begin->preemptions};
}

} // namespace jetscope
