// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The part of the hazard ledger that knows EGLStreams.
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

namespace jetscope {

namespace {

constexpr int kMostPresented = 64; ///< CUDA for Tegra note, CUDA as producer.

} // namespace

void HazardLedger::present(Object image, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    append(stream, kStreamName);
    Memory *memory = memoryOf(image);
    if (!memory)
        return;
    if (memory->presented)
        report(RuleId::E6, *memory, "A frame is presented again before the EGLStream returned it", std::nullopt,
               std::nullopt, caller);
    else if (++m_presented > kMostPresented)
        report(RuleId::E2, *memory, "More than 64 frames belong to an EGLStream", std::nullopt, std::nullopt, caller);
    memory->presented = true;
}

void HazardLedger::takeBack(Object image)
{
    const std::lock_guard lock(m_mutex);
    if (Memory *memory = memoryOf(image)) {
        m_presented -= memory->presented ? 1 : 0;
        memory->presented = false;
        memory->history = {}; // The EGLStream orders the consumer before the next work of the producer.
    }
}

} // namespace jetscope
