// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/hazards/ledgerstages.h"

#include "gpu/hazards/callernow.h"
#include "gpu/hazards/memoryuses.h"
#include "gpu/hazards/observedpoints.h"

#include <utility>
#include <vector>

namespace jetscope {

LedgerStages::LedgerStages(StageHost &host, std::shared_ptr<HazardLedger> ledger)
    : ForwardingStageHost(host), m_ledger(std::move(ledger))
{
}

Status LedgerStages::prepare(std::span<const Filter> filters, int width, int height)
{
    JETSCOPE_TRY(ForwardingStageHost::prepare(filters, width, height));
    if (!leavesVpiWork(filters)) // A stage that went has waited for its work.
        m_ledger->endVpiWork();
    return {};
}

std::shared_ptr<StagePoints> LedgerStages::points(std::span<const Filter> filters)
{
    return ObservedPoints::of(ForwardingStageHost::points(filters), [ledger = m_ledger](bool isSynchronized) {
        ledger->readVpiMemory(isSynchronized, callerNow());
    });
}

void LedgerStages::launch(const ChainLaunch &work, std::span<const MemoryUse> own, const Stream &stream)
{
    const std::vector<StageTouch> touched = touches(work.filters, work.frame);
    std::vector<MemoryUse> all;
    if (!touched.empty())
        all.assign(own.begin(), own.end());
    for (const StageTouch &touch : touched) {
        if (touch.memory) {
            if (m_memory.insert(touch.memory).second)
                m_ledger->addBuffer(touch.memory, Allocation::Device, touch.bytes);
            all.push_back({touch.memory, 0, touch.bytes, touch.access});
        } else if (work.input) {
            all.push_back(useOf(work.input, touch.access));
        } else if (work.inputImage) {
            all.push_back(useOf(*work.inputImage, touch.access));
        }
    }
    m_ledger->launch(&stream, touched.empty() ? own : all, callerNow());
    if (leavesVpiWork(work.filters))
        m_ledger->leaveVpiWork(&stream);
}

} // namespace jetscope
