// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/ledgerlimits.h"

#include <array>

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

constexpr std::string_view kNoCuda = "no call of CUDA was seen";
constexpr std::string_view kTooMany = "there were too many objects to follow in a process, or too many processes";

bool takesTurns(RuleId rule)
{
    return rule == RuleId::A7 || (rule >= RuleId::A1 && rule <= RuleId::A5);
}

bool isOfAccesses(RuleId rule)
{
    return rule == RuleId::B5 || rule == RuleId::O1 || rule == RuleId::A11;
}

} // namespace

/// Why the rules about two accesses were not checked in full; empty if they were.
std::string LedgerLimits::accessReason() const
{
    std::string reason = accesses.reason();
    const auto also = [&](const std::string &other) {
        reason = other + (reason.empty() ? "; all else was checked" : ", and " + reason);
    };
    if (unordered)
        also("streams waited for values, semaphores or events before it was known what sets them, so that the order of "
             "their work was not known");
    if (forgotten)
        also("where nothing orders more than a thousand uses of some memory, the older ones were forgotten");
    return reason;
}

/// `always`: why it is not checked in any program.
std::string LedgerLimits::reasonOf(RuleId rule, std::string_view always) const
{
    if (!sawCuda)
        return std::string(kNoCuda);
    if (takesTurns(rule) && !turnsAreTaken)
        return "it does not apply: with concurrentManagedAccess = 1 CPU and GPU may use managed memory at the same "
               "time";
    if (tooMany)
        return std::string(kTooMany);
    if (isOfAccesses(rule))
        if (std::string reason = accessReason(); !reason.empty())
            return reason;
    if (always.empty() && unseen.any())
        return unseen.text() + ", so that it cannot be told";
    return std::string(always);
}

/// What a debug register can watch is never all.
std::string LedgerLimits::readReason() const
{
    const std::string refusal = watched.refusal();
    const std::string parts =
        "watched are the first bytes of the four newest results of each thread, for that thread; what others read, and "
        "what the kernel reads (write, send), is not seen; all else was checked";
    if (!watched.asked)
        return "the CPU's own accesses are seen with --watch-reads only";
    if (!sawCuda)
        return std::string(kNoCuda);
    if (watched.watched == 0)
        return refusal.empty() ? "no asynchronous copy was seen that says it goes to the host (cuMemcpyAsync does not)"
                               : refusal;
    if (tooMany)
        return std::string(kTooMany);
    return refusal.empty() ? parts : refusal + "; " + parts;
}

std::vector<WasteCheck> LedgerLimits::checks() const
{
    std::vector<WasteCheck> checks;
    for (const LedgerRow &row : kLedgerRows)
        checks.push_back({"hazard-" + std::string(ruleOf(row.rule).name), reasonOf(row.rule, row.reason)});
    checks.push_back({kCpuReadFinding, readReason()});
    return checks;
}

} // namespace jetscope
