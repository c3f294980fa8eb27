// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/callhazards.h"

namespace jetscope {

namespace {

constexpr std::int64_t kForNowNs = 1'000'000'000; ///< A call that submits a host function returns sooner.
constexpr std::size_t kMaxForNow = 1024;

} // namespace

void CallHazards::count(Entries &entries, const CallHazard &hazard, std::vector<CallSite> &newSites)
{
    Entry &entry = entries[{hazard.rule, hazard.evidence}];
    if (entry.text.empty()) {
        entry.text = hazard.text;
        entry.memory = hazard.memory;
    }
    entry.tally.add(hazard.event, hazard.pid, hazard.frame, newSites);
}

void CallHazards::addForNow(CallHazard hazard)
{
    if (m_forNow.size() >= kMaxForNow)
        settleOldest();
    // Its place can be looked up only while the program runs.
    if (hazard.event.site != 0 && (m_forNow.empty() || m_forNow.back().event.site != hazard.event.site))
        m_newSites.push_back({hazard.pid, hazard.event.site, 0, {}});
    m_forNow.push_back(std::move(hazard));
}

void CallHazards::settleOldest()
{
    add(m_forNow.front());
    m_forNow.pop_front();
}

void CallHazards::withdraw(std::int32_t pid, std::int64_t sinceNs)
{
    std::erase_if(m_forNow,
                  [&](const CallHazard &hazard) { return hazard.pid == pid && hazard.event.endNs >= sinceNs; });
}

void CallHazards::passed(std::int64_t ns)
{
    while (!m_forNow.empty() && m_forNow.front().event.endNs < ns - kForNowNs)
        settleOldest();
}

CallHazards::Entries CallHazards::entries() const
{
    Entries all = m_entries;
    std::vector<CallSite> known;
    for (const CallHazard &hazard : m_forNow)
        count(all, hazard, known);
    return all;
}

} // namespace jetscope
