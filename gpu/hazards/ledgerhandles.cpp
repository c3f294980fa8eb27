// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/hazards/ledgerhandles.h"

#include "gpu/hazards/callernow.h"

#include <utility>

namespace jetscope {

namespace {

class LedgerObserver final : public HandleObserver {
public:
    using Removal = void (*)(HazardLedger &ledger, const void *handle);

    LedgerObserver(std::shared_ptr<HazardLedger> ledger, Removal remove) : m_ledger(std::move(ledger)), m_remove(remove)
    {
    }
    void destroyed(const void *handle) override { m_remove(*m_ledger, handle); }

private:
    const std::shared_ptr<HazardLedger> m_ledger;
    const Removal m_remove;
};

void removeMemory(HazardLedger &ledger, const void *memory)
{
    ledger.removeMemory(memory, callerNow());
}

/// A member function of the ledger that needs no caller.
template <void (HazardLedger::*remove)(HazardLedger::Object)>
void removeHandle(HazardLedger &ledger, const void *handle)
{
    (ledger.*remove)(handle);
}

} // namespace

LedgerHandles::LedgerHandles(const std::shared_ptr<HazardLedger> &ledger)
    : memory(std::make_shared<LedgerObserver>(ledger, removeMemory)),
      streams(std::make_shared<LedgerObserver>(ledger, removeHandle<&HazardLedger::removeStream>)),
      events(std::make_shared<LedgerObserver>(ledger, removeHandle<&HazardLedger::removeEvent>)),
      semaphores(std::make_shared<LedgerObserver>(ledger, removeHandle<&HazardLedger::removeSemaphore>)),
      graphs(std::make_shared<LedgerObserver>(ledger, removeHandle<&HazardLedger::removeGraph>)),
      flags(std::make_shared<LedgerObserver>(ledger, removeHandle<&HazardLedger::removeFlag>)),
      producers(std::make_shared<LedgerObserver>(ledger, removeHandle<&HazardLedger::removeProducer>)),
      consumers(std::make_shared<LedgerObserver>(ledger, removeHandle<&HazardLedger::removeConsumer>))
{
}

} // namespace jetscope
