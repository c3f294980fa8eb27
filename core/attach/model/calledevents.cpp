// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/calledevents.h"

namespace jetscope {

void CalledEvents::add(std::uint64_t event)
{
    m_ledger.removeEvent(ledgerObjectOf(event)); // Its end was lost if there was one of this handle.
    m_known.insert(event);
}

void CalledEvents::remove(std::uint64_t event)
{
    m_known.erase(event);
    m_values.removeEvent(ledgerObjectOf(event));
    m_ledger.removeEvent(ledgerObjectOf(event));
}

void CalledEvents::record(std::uint64_t event, std::uint64_t stream, HazardLedger::Object object,
                          const HazardCaller &caller)
{
    m_known.insert(event);
    m_ledger.record(ledgerObjectOf(event), object, caller);
    m_values.recordEvent(ledgerObjectOf(event), stream);
}

void CalledEvents::recordCaptured(std::uint64_t event)
{
    m_values.removeEvent(ledgerObjectOf(event));
    m_ledger.removeEvent(ledgerObjectOf(event));
}

bool CalledEvents::isRecordUnseen(std::uint64_t event)
{
    const bool isUnseen = !m_ledger.isRecorded(ledgerObjectOf(event)) && (m_hasGraphs || !m_known.contains(event));
    m_hasUnseenRecords = m_hasUnseenRecords || isUnseen;
    return isUnseen;
}

void CalledEvents::waitInStream(std::uint64_t stream, std::uint64_t event)
{
    const HazardLedger::Object object = m_streams.awaited(stream);
    if (isRecordUnseen(event))
        return m_values.waitForUnseen(stream, object);
    m_ledger.wait(object, ledgerObjectOf(event));
    m_values.waitEvent(stream, object, ledgerObjectOf(event));
}

void CalledEvents::waited(std::uint64_t event)
{
    if (isRecordUnseen(event))
        return m_streams.waitedForAll();
    m_ledger.eventSeen(ledgerObjectOf(event));
    m_values.eventSeen(ledgerObjectOf(event));
    m_streams.endHostFunctions(); // Which of them the event is behind does not matter: none is reported.
}

void CalledEvents::addSync(std::uint64_t sync, std::uint64_t event, const HazardCaller &caller)
{
    if (m_known.contains(sync))
        return;
    if (isRecordUnseen(event)) { // It may stand for any work.
        for (const std::uint64_t stream : m_streams.all())
            m_ledger.unmap(m_streams.awaited(stream));
        return;
    }
    m_known.insert(sync);
    m_values.cpuMayLearnOf(ledgerObjectOf(event));
    m_ledger.syncFromEvent(ledgerObjectOf(sync), ledgerObjectOf(event), caller);
}

bool CalledEvents::waitedForSync(std::uint64_t sync)
{
    if (!m_known.contains(sync))
        return false;
    m_ledger.syncExecuted(ledgerObjectOf(sync), true);
    return true;
}

void CalledEvents::removeSync(std::uint64_t sync)
{
    if (m_known.erase(sync) > 0)
        m_ledger.syncExecuted(ledgerObjectOf(sync), false);
}

} // namespace jetscope
