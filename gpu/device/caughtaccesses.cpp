// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/caughtaccesses.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

/// More than scopes that may still be open when their hazard was taken.
constexpr std::size_t kFormerKept = 16;

constexpr std::string_view kCaught = ", caught at ";

/// Whether a hazard is about ownership: a CPU scope while kernels run, or a launch within one.
bool isOwnership(const Hazard &hazard)
{
    return hazard.rule >= RuleId::A1 && hazard.rule <= RuleId::A4;
}

/// The scope of the hazard in which a caught access lies; null if it lies in another one.
HazardAccess *scopeOf(Hazard &hazard, const Hazard &caught)
{
    if (!isOwnership(hazard) || hazard.memory != caught.memory)
        return nullptr;
    for (std::optional<HazardAccess> *side : {&hazard.second, &hazard.first})
        if (*side && (*side)->queue == caught.second->queue && (*side)->frame == caught.second->frame)
            return &**side;
    return nullptr;
}

} // namespace

bool CaughtAccesses::isOfFormer(const Hazard &access)
{
    return std::any_of(m_former.begin(), m_former.end(),
                       [&](Hazard &hazard) { return scopeOf(hazard, access) != nullptr; });
}

std::vector<Hazard> CaughtAccesses::join(std::vector<Hazard> hazards, std::vector<Hazard> caught)
{
    const std::size_t declared = hazards.size();
    for (Hazard &access : caught) {
        HazardAccess *scope = nullptr;
        for (std::size_t i = 0; i < declared && !scope; ++i)
            scope = scopeOf(hazards[i], access);
        if (scope && scope->what.find(kCaught) == std::string::npos)
            scope->what.append(kCaught).append(access.second->what); // One hazard, and the device knows the code.
        else if (!scope && !isOfFormer(access))
            hazards.push_back(std::move(access));
    }
    std::copy_if(hazards.begin(), hazards.begin() + static_cast<std::ptrdiff_t>(declared), std::back_inserter(m_former),
                 isOwnership);
    while (m_former.size() > kFormerKept)
        m_former.pop_front();
    return hazards;
}

} // namespace jetscope
