// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/ledgerfindings.h"

#include <utility>

namespace jetscope {

namespace {

constexpr const char *kOfGraphs = "; graphs were launched, and the events that they record and wait for are not seen";

FindingGrade gradeOf(HazardEvidence evidence)
{
    return evidence == HazardEvidence::Calls ? FindingGrade::Seen : FindingGrade::Possible;
}

std::string fixOf(std::string fix, HazardEvidence evidence)
{
    if (evidence == HazardEvidence::UnknownOrder)
        fix += kOfGraphs;
    if (evidence == HazardEvidence::UnknownBytes)
        fix += "; GL was told to leave out bytes of images (glPixelStorei)";
    return fix;
}

} // namespace

bool isOfOrder(RuleId rule)
{
    return rule == RuleId::O1 || (rule >= RuleId::A1 && rule <= RuleId::A4) || rule == RuleId::A11 || rule == RuleId::B5
        || rule == RuleId::D1 || rule == RuleId::D2;
}

void LedgerFindings::add(RuleId rule, HazardEvidence evidence, const LedgerCall &call, const std::string &text,
                         const std::string &memory)
{
    CallHazard hazard{rule, evidence, call.event, call.pid, call.caller.frame, text, memory};
    if (isOfOrder(rule) && evidence != HazardEvidence::Order)
        m_hazards.addForNow(std::move(hazard));
    else
        m_hazards.add(hazard);
}

void LedgerFindings::addRead(HazardEvidence evidence, const LedgerCall &call, const std::string &text)
{
    m_reads.addForNow({RuleId::O1, evidence, call.event, call.pid, call.caller.frame, text, {}});
}

void LedgerFindings::withdraw(std::int32_t pid, std::int64_t sinceNs)
{
    m_hazards.withdraw(pid, sinceNs);
    m_reads.withdraw(pid, sinceNs);
}

void LedgerFindings::passed(std::int64_t ns)
{
    m_hazards.passed(ns);
    m_reads.passed(ns);
}

std::vector<WasteFinding> LedgerFindings::findings(std::uint32_t frames, const UnseenCalls &unseen) const
{
    std::vector<WasteFinding> found;
    const CallHazards::Entries entries = m_hazards.entries();
    for (const auto &[key, entry] : entries) {
        const auto &[id, evidence] = key;
        const auto better = entries.lower_bound({id, HazardEvidence::Calls});
        if (better->first != key)
            continue; // The same rule, said with more certainty.
        if (evidence == HazardEvidence::Order && !entry.tally.isFrequent(frames))
            continue;
        const Rule &rule = ruleOf(id);
        std::string text = std::string(rule.title) + " (rule " + std::string(rule.name)
            + (rule.condition.empty() ? "" : ", where " + std::string(rule.condition)) + "): " + entry.text;
        if (!entry.memory.empty())
            text += " (" + entry.memory + ")";
        found.push_back(findingOf(entry.tally, "hazard-" + std::string(rule.name), gradeOf(evidence), text,
                                  fixOf(std::string(rule.fix), evidence), frames, unseen));
    }
    for (const auto &[key, entry] : m_reads.entries()) {
        const std::string fix =
            fixOf("wait for the stream, or for an event behind the copy, before the CPU uses the result", key.second);
        found.push_back(findingOf(entry.tally, kCpuReadFinding, gradeOf(key.second), entry.text, fix, frames, unseen));
    }
    return found;
}

std::vector<CallSite> LedgerFindings::takeNewSites()
{
    std::vector<CallSite> sites = m_hazards.takeNewSites();
    for (CallSite &site : m_reads.takeNewSites())
        sites.push_back(std::move(site));
    return sites;
}

} // namespace jetscope
