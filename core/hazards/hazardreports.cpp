// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/hazardreports.h"

#include "core/hazards/hazardwords.h"

#include <utility>

namespace jetscope {

namespace {

/// Between two calls of `take`; a loop that is wrong in every frame must not fill the memory.
constexpr std::size_t kMaxHazards = 1000;

} // namespace

void HazardReports::add(RuleId rule, const std::string &memory, std::string text, const HazardCaller &caller,
                        const std::optional<MemoryAccess> &first, const std::optional<MemoryAccess> &second)
{
    if (m_hazards.size() >= kMaxHazards)
        return;
    Hazard hazard;
    hazard.rule = rule;
    hazard.text = std::move(text);
    hazard.memory = memory;
    if (first)
        hazard.first = wordsFor(*first);
    if (second)
        hazard.second = wordsFor(*second);
    hazard.frame = caller.frame != kNoFrame || !first ? caller.frame : first->frame;
    hazard.timeNs = caller.timeNs;
    m_hazards.push_back(std::move(hazard));
}

std::vector<Hazard> HazardReports::take()
{
    return std::exchange(m_hazards, {});
}

HazardAccess HazardReports::wordsFor(const MemoryAccess &access) const
{
    return {accessWords(access), queueWords(access), access.access, access.frame, access.timeNs};
}

std::string HazardReports::queueWords(const MemoryAccess &access) const
{
    if (access.queue == QueueOrder::kCpu)
        return threadWords(access.role);
    if (const std::string &name = m_order.name(access.queue); !name.empty())
        return name;
    return m_order.kind(access.queue) == QueueKind::Gl ? kGlQueueName : kStreamName;
}

} // namespace jetscope
