// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/accesshistory.h"
#include "core/hazards/hazard.h"
#include "core/hazards/queueorder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Who makes a call: the frame and the thread's role in the trace.
struct HazardCaller {
    std::uint32_t frame = kNoFrame;
    LaneRole role = LaneRole::Tool;
    std::int64_t timeNs = 0;
};

/// The hazards that were found and not taken yet; their number is limited. One thread at a time.
class HazardReports {
public:
    /// `order` knows the names of the queues.
    explicit HazardReports(const QueueOrder &order) : m_order(order) {}

    /// `memory` is its name, empty when no memory is concerned. `second` is the access that broke the rule.
    void add(RuleId rule, const std::string &memory, std::string text, const HazardCaller &caller,
             const std::optional<MemoryAccess> &first = {}, const std::optional<MemoryAccess> &second = {});
    /// Oldest first.
    std::vector<Hazard> take();

private:
    HazardAccess wordsFor(const MemoryAccess &access) const;
    std::string queueWords(const MemoryAccess &access) const;

    const QueueOrder &m_order;
    std::vector<Hazard> m_hazards;
};

} // namespace jetscope
