// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The rules about VPI.
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

namespace jetscope {

void HazardLedger::leaveVpiWork(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_withVpiWork.insert(stream);
}

void HazardLedger::endVpiWork()
{
    const std::lock_guard lock(m_mutex);
    m_withVpiWork.clear();
}

void HazardLedger::readVpiMemory(bool isSynchronized, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (!isSynchronized)
        m_reports.add(RuleId::G2, {}, vpiReadWords(caller.role), caller);
}

void HazardLedger::checkVpiWork(Object stream, const char *what, const Caller &caller)
{
    if (m_withVpiWork.count(stream) > 0)
        m_reports.add(RuleId::G1, {}, vpiWords(what), caller);
}

} // namespace jetscope
