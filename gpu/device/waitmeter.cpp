// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/waitmeter.h"

#include "core/time/clock.h"

#include <sys/resource.h>

namespace jetscope {

namespace {

constexpr unsigned kOneOf = 8;

WaitCost threadSums()
{
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return {nowNs(), usage.ru_nvcsw, usage.ru_nivcsw};
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
    return WaitCost{end.wallNs - m_begin->wallNs, end.blocks - m_begin->blocks, end.preemptions - m_begin->preemptions};
}

} // namespace jetscope
