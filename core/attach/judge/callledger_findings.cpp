// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/callledger.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace jetscope {

namespace {

/// Why rules about calls of CUDA are not checked; empty if they are.
struct LedgerRow {
    RuleId rule;
    std::string_view reason;
};
constexpr std::string_view kKernels = "what kernels use is not in their calls";
constexpr std::string_view kImages = "what uses an image is not in its calls";
constexpr std::string_view kCpu = "the CPU's own accesses are not seen";
constexpr std::string_view kStreams = "the frames of EGLStreams are not followed";
constexpr auto kLedgerRows = std::to_array<LedgerRow>({
    {RuleId::O1, {}},       {RuleId::A1, {}},       {RuleId::A2, kKernels}, {RuleId::A3, {}},
    {RuleId::A4, {}},       {RuleId::A5, kKernels}, {RuleId::A6, {}},       {RuleId::A7, {}},
    {RuleId::A8, kKernels}, {RuleId::A9, {}},       {RuleId::A10, {}},      {RuleId::A11, {}},
    {RuleId::A12, kCpu},    {RuleId::A13, {}},      {RuleId::A14, {}},      {RuleId::A15, kCpu},
    {RuleId::A16, kCpu},    {RuleId::B1, {}},       {RuleId::B5, {}},       {RuleId::C1, kImages},
    {RuleId::C2, {}},       {RuleId::C3, {}},       {RuleId::C6, kImages},  {RuleId::D1, {}},
    {RuleId::D2, {}},       {RuleId::D4, {}},       {RuleId::E2, kStreams}, {RuleId::E3, kStreams},
    {RuleId::E4, kStreams}, {RuleId::E6, kStreams},
});

bool takesTurns(RuleId rule)
{
    return rule == RuleId::A7 || (rule >= RuleId::A1 && rule <= RuleId::A5);
}

bool isOfAccesses(RuleId rule)
{
    return rule == RuleId::B5 || rule == RuleId::O1 || rule == RuleId::A11;
}

} // namespace

std::vector<WasteFinding> CallLedger::findings(std::uint32_t frames) const
{
    std::vector<WasteFinding> found;
    const CallHazards::Entries entries = m_hazards.entries();
    for (const auto &[key, entry] : entries) {
        const auto &[id, evidence] = key;
        const auto better = entries.lower_bound({id, Evidence::Calls});
        if (better->first != key)
            continue; // The same rule, said with more certainty.
        if (evidence == Evidence::Order && !entry.tally.isFrequent(frames))
            continue;
        const Rule &rule = ruleOf(id);
        std::string text = std::string(rule.title) + " (rule " + std::string(rule.name)
            + (rule.condition.empty() ? "" : ", where " + std::string(rule.condition)) + "): " + entry.text;
        if (!entry.memory.empty())
            text += " (" + entry.memory + ")";
        std::string fix(rule.fix);
        if (evidence == Evidence::UnknownOrder)
            fix += "; graphs were launched, and the events that they record and wait for are not seen";
        if (evidence == Evidence::UnknownBytes)
            fix += "; GL was told to leave out bytes of images (glPixelStorei)";
        found.push_back(findingOf(entry.tally, "hazard-" + std::string(rule.name),
                                  evidence == Evidence::Calls ? FindingGrade::Seen : FindingGrade::Possible, text, fix,
                                  frames, m_unseen));
    }
    addReadFindings(found, frames);
    return found;
}

std::vector<CallSite> CallLedger::takeNewSites()
{
    std::vector<CallSite> sites = m_hazards.takeNewSites();
    for (CallSite &site : m_reads.takeNewSites())
        sites.push_back(std::move(site));
    return sites;
}

bool CallLedger::hasForgotten() const
{
    return m_hasForgotten || std::any_of(m_processes.begin(), m_processes.end(), [](const auto &entry) {
               return entry.second->ledger.hasForgotten();
           });
}

/// Why the rules about two accesses were not checked in full; empty if they were.
std::string CallLedger::accessReason() const
{
    std::string reason = m_unseenAccesses.reason();
    const auto also = [&](const std::string &other) {
        reason = other + (reason.empty() ? "; all else was checked" : ", and " + reason);
    };
    if (m_unordered)
        also("streams waited for values, semaphores or events before it was known what sets them, so that the order of "
             "their work was not known");
    if (hasForgotten())
        also("where nothing orders more than a thousand uses of some memory, the older ones were forgotten");
    return reason;
}

std::vector<WasteCheck> CallLedger::checks() const
{
    std::vector<WasteCheck> checks;
    for (const LedgerRow &row : kLedgerRows) {
        std::string reason(row.reason);
        if (!m_sawCuda)
            reason = "no call of CUDA was seen";
        else if (takesTurns(row.rule) && !turnsAreTaken())
            reason = "it does not apply: with concurrentManagedAccess = 1 CPU and GPU may use managed memory at the "
                     "same time";
        else if (m_tooMany)
            reason = "there were too many objects to follow in a process, or too many processes";
        else if (isOfAccesses(row.rule) && !accessReason().empty())
            reason = accessReason();
        else if (reason.empty() && m_unseen.any())
            reason = m_unseen.text() + ", so that it cannot be told";
        checks.push_back({"hazard-" + std::string(ruleOf(row.rule).name), reason});
    }
    checks.push_back(readCheck());
    return checks;
}

} // namespace jetscope
