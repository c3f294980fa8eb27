// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsysstates.h"

#include "core/trace/watchedsort.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr const char *kWithoutPartner = "nothing tells when they began or ended";
constexpr const char *kOnProcessor = "times on a processor";
constexpr const char *kOnGpu = "times on the GPU";

bool saysWord(const std::string &text, std::string_view word)
{
    return std::search(text.begin(), text.end(), word.begin(), word.end(),
                       [](char a, char b) { return (a | 0x20) == (b | 0x20); })
        != text.end();
}

} // namespace

NsysFate NsysStates::addSchedule(const NsysRow &row)
{
    m_moments[{false, row.process, row.thread}].push_back({row.time.startNs, row.kind != 0, row.cpu});
    return {kOnProcessor, nullptr};
}

/// A context has the GPU from the start of its restoration to the end of its saving; there are more events between.
NsysFate NsysStates::addSwitch(const NsysRow &row)
{
    const auto name = m_switchNames.find(row.kind);
    if (name == m_switchNames.end())
        return {nullptr, "the export does not say what kind of switch they are"};
    const bool begins = saysWord(name->second, "restore") && saysWord(name->second, "start");
    if (!begins && !(saysWord(name->second, "save") && saysWord(name->second, "end")))
        return {nullptr, "steps within a switch are not shown"};
    m_moments[{true, static_cast<std::uint64_t>(row.device), static_cast<std::uint64_t>(row.context)}].push_back(
        {row.time.startNs, begins, 0});
    return {kOnGpu, nullptr};
}

NsysFate NsysStates::addAllocation(const NsysRow &row)
{
    const auto operation = m_operationNames.find(row.kind);
    const bool frees = operation != m_operationNames.end() ? saysWord(operation->second, "dealloc") : row.kind == 1;
    const auto memory = m_memoryNames.find(row.memoryKind);
    addChange("GPU " + std::to_string(row.device) + " memory allocated"
                  + (memory != m_memoryNames.end() ? " (" + memory->second + ")" : ""),
              "B", row.time.startNs, frees ? -static_cast<double>(row.bytes) : static_cast<double>(row.bytes));
    return {"counters", nullptr};
}

void NsysStates::addChange(std::string counter, const char *unit, std::int64_t timeNs, double change)
{
    const auto [place, isNew] = m_counters.try_emplace(std::move(counter), Counter{unit, {}});
    place->second.changes.emplace_back(timeNs, change);
}

Status NsysStates::read(Progress &progress)
{
    m_switchNames = m_tables.labels("ENUM_GPU_CTX_SWITCH");
    m_operationNames = m_tables.labels("ENUM_CUDA_DEV_MEM_EVENT_OPER");
    m_memoryNames = m_tables.labels("ENUM_CUDA_MEM_KIND");
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Scheduling, [this](NsysRow &row) { return addSchedule(row); }, progress));
    JETSCOPE_TRY(pairMoments(NsysUse::Scheduling, progress));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::ContextSwitches, [this](NsysRow &row) { return addSwitch(row); }, progress));
    JETSCOPE_TRY(pairMoments(NsysUse::ContextSwitches, progress));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::Allocations, [this](NsysRow &row) { return addAllocation(row); }, progress));
    JETSCOPE_TRY(m_tables.each(
        NsysUse::CpuFaults,
        [this](NsysRow &row) {
            addChange("page faults of the CPU in unified memory", "", row.time.startNs, 1);
            return NsysFate{"counters", nullptr};
        },
        progress));
    return m_tables.each(
        NsysUse::GpuFaults,
        [this](NsysRow &row) {
            return m_spans.addFact("GPU " + std::to_string(row.device) + " page faults",
                                   m_tables.processText(row.process), row.time, "page fault");
        },
        progress);
}

Status NsysStates::pairMoments(NsysUse use, Progress &progress)
{
    std::uint64_t alone = 0;
    for (auto &[owner, moments] : m_moments) {
        const auto byTime = [](const Moment &a, const Moment &b) { return a.timeNs < b.timeNs; };
        if (!watchedStableSort(moments, byTime, progress, 0))
            return cancelledError();
        pair(owner, moments, alone);
        if (!progress.advance(0))
            return cancelledError();
    }
    m_moments.clear();
    m_tables.leaveOut(use, use == NsysUse::Scheduling ? kOnProcessor : kOnGpu, kWithoutPartner, alone);
    return {};
}

void NsysStates::pair(const Owner &owner, const std::vector<Moment> &moments, std::uint64_t &alone)
{
    const auto &[isGpu, first, second] = owner;
    const std::string lane = isGpu ? "GPU " + std::to_string(first) + " context switches"
                                   : m_spans.threadText({first, second}) + " on a processor";
    const std::string detail = isGpu ? "context " + std::to_string(second) : m_tables.processText(first);
    const Moment *begun = nullptr;
    // Captured by name: clang before 16 refuses structured bindings.
    const auto show = [&, isGpu = isGpu, second = second](std::int64_t endNs) {
        const NsysFate fate =
            m_spans.addFact(lane, detail, {begun->timeNs, endNs},
                            isGpu ? "context " + std::to_string(second) : "CPU " + std::to_string(begun->cpu));
        return fate.leftOut == nullptr;
    };
    for (const Moment &moment : moments) {
        if (moment.begins) {
            alone += begun ? 1 : 0;
            begun = &moment;
        } else if (begun) {
            alone += show(moment.timeNs) ? 0 : 2;
            begun = nullptr;
        } else {
            ++alone;
        }
    }
    if (begun)
        alone += show(std::max(begun->timeNs, m_tables.times().lastNs())) ? 0 : 1;
}

bool NsysStates::addCounters(Trace &trace, Progress &progress, double fraction)
{
    constexpr std::size_t kMaxCounters = 512;
    std::vector<CounterInfo> infos;
    std::vector<CounterSample> samples;
    for (auto &[name, counter] : m_counters) {
        if (infos.size() >= kMaxCounters)
            break;
        const auto byTime = [](const auto &a, const auto &b) { return a.first < b.first; };
        if (!watchedStableSort(counter.changes, byTime, progress, fraction))
            return false;
        const auto id = static_cast<CounterId>(infos.size());
        infos.push_back({id, name, counter.unit, std::nullopt});
        double sum = 0;
        for (const auto &[timeNs, change] : counter.changes)
            samples.push_back({timeNs, sum += change, id});
    }
    trace.setCounters(infos);
    trace.add(samples);
    return true;
}

} // namespace jetscope
