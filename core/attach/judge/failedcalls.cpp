// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/failedcalls.h"

#include "core/attach/format/calltable.h"

#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxNotPermitted = 16;
constexpr int kNotPermitted = 800; // CUDA_ERROR_NOT_PERMITTED
constexpr int kNotSupported = 801; // CUDA_ERROR_NOT_SUPPORTED

} // namespace

/// It has other reasons in a process without host functions.
void FailedCalls::takeNotPermitted(const LedgerCall &call)
{
    if (m_hasHostFunctions)
        return m_process.findings.add(RuleId::B1, HazardEvidence::Calls, call,
                                      "A call fails because it is made in a host function (CUDA_ERROR_NOT_PERMITTED)");
    m_notPermitted.push_back({call.event, call.tid, call.caller});
    if (m_notPermitted.size() > kMaxNotPermitted)
        m_notPermitted.pop_front();
}

void FailedCalls::takeHostFunction(const LedgerCall &call)
{
    if (std::exchange(m_hasHostFunctions, true))
        return;
    for (const Refused &refused : std::exchange(m_notPermitted, {}))
        if (refused.event.endNs >= call.event.startNs)
            takeNotPermitted({refused.event, call.pid, refused.tid, refused.caller});
}

void FailedCalls::take(const LedgerCall &call)
{
    const AttachEvent &event = call.event;
    const auto found = [&](RuleId rule, const char *text) {
        m_process.findings.add(rule, HazardEvidence::Calls, call, text);
    };
    if (event.code() == kNotPermitted)
        return takeNotPermitted(call);
    switch (attachCall(event.call)->work) {
    case JSA_WORK_ATTACH:
        return m_memory.attach(call);
    case JSA_WORK_REGISTER:
        if (event.code() == kNotSupported)
            return found(RuleId::A13, "The driver does not support the registration of host memory");
        return m_process.ledger.registrationFailed(event.argument[1], call.caller);
    case JSA_WORK_MANAGED:
        if (event.code() == kNotSupported)
            found(RuleId::A10, "The driver does not support managed memory on this device");
        return;
    case JSA_WORK_GRAPHICS:
        if (event.call == JSA_CALL_cuGraphicsEGLRegisterImage)
            found(RuleId::C2, "The registration of an EGLImage fails");
        return;
    default:
        if (event.call == JSA_CALL_cuMemPrefetchAsync || event.call == JSA_CALL_cuMemPrefetchAsync_v2)
            found(RuleId::A9, "A prefetch of managed memory fails");
        return;
    }
}

} // namespace jetscope
