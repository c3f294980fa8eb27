// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazardledger.h"

#include <QStringList>

#include <span>
#include <vector>

namespace jetscope::test {

/// A program written by hand: two streams, a GL queue, and memory of one kind.
class Program {
public:
    using Caller = HazardLedger::Caller;
    using Use = HazardLedger::Use;

    explicit Program(Allocation allocation = Allocation::PinnedMapped, bool managedRules = true)
        : Program(allocation, HazardLedger::Conditions{managedRules, false})
    {
    }
    Program(Allocation allocation, const HazardLedger::Conditions &conditions) : ledger(conditions)
    {
        ledger.addStream(&stream);
        ledger.addStream(&other);
        ledger.addBuffer(&memory, allocation, kBytes);
        ledger.addBuffer(&elsewhere, Allocation::Device, kBytes);
        ledger.addImage(&image, 64, 36, {});
    }

    void kernel(const char &queue, const char &used, Access access, std::size_t offset = 0, std::size_t bytes = kBytes)
    {
        const Use use{&used, offset, bytes, access};
        ledger.launch(&queue, std::span(&use, 1), at(1));
    }
    void gl(Access access)
    {
        const Use use{&image, 0, 1, access};
        ledger.glCommand(&glQueue, AccessKind::GlCommand, std::span(&use, 1), at(2));
    }
    void touch(Access access)
    {
        ledger.beginCpuAccess({&memory, 0, kBytes, access}, at(3));
        ledger.endCpuAccess({&memory, 0, kBytes, access});
    }
    static Caller at(std::uint32_t frame) { return {frame, LaneRole::Pipeline, 1000 * frame}; }

    /// "C1 C1", the rules that were broken since the last call.
    QString broken()
    {
        QStringList names;
        last = ledger.takeHazards();
        for (const Hazard &hazard : last)
            names << QString::fromUtf8(ruleOf(hazard.rule).name.data(), qsizetype(ruleOf(hazard.rule).name.size()));
        return names.join(' ');
    }

    static constexpr std::size_t kBytes = 4096;
    HazardLedger ledger;
    std::vector<Hazard> last;
    char stream = 0, other = 0, glQueue = 0, memory = 0, elsewhere = 0, image = 0, event = 0, fence = 0, sync = 0;
};

} // namespace jetscope::test
