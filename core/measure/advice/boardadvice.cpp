// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/boardadvice.h"

#include "core/measure/probe/probefindings.h"
#include "core/platform/memorytable.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kNsPerPredictedUs = 1000;

/// Whether the times of a kind can be computed from the figures of a table.
bool isPredictable(MemoryKind kind)
{
    return kind != MemoryKind::GlTexture && kind != MemoryKind::NvBuf;
}

/// The interval of a figure; without one, within 25 %, as ratioOf assumes.
Estimate boundedEstimate(const ProbeFigure &figure)
{
    Estimate bounds = figure.estimate;
    if (!std::isfinite(bounds.atLeast) || !std::isfinite(bounds.atMost))
        return {bounds.value, bounds.value / 1.25, bounds.value * 1.25};
    // The rounds of a noisy machine can give an interval below zero, which is no rate.
    bounds.atLeast = std::max(bounds.atLeast, bounds.value / 10);
    return bounds;
}

/// Adds the parts of the time of one kind, until a figure is missing.
class Prediction {
public:
    Prediction(const ProbeTable &table, const FrameUse &use) : m_table(table), m_bytes(static_cast<double>(use.bytes()))
    {
    }

    void addAccess(std::string what, std::string_view memory, std::string_view access, int passes)
    {
        if (passes <= 0 || !m_missing.empty())
            return;
        const std::string key = memoryKey(memory, access);
        const ProbeFigure *figure = m_table.find(key);
        if (!figure)
            m_missing = key + ": " + m_table.absence(key);
        else
            addRate(std::move(what), *figure, passes);
    }

    void addReads(const std::string &who, std::string_view memory, std::string_view access, int passes)
    {
        addAccess("first read by the " + who, memory, std::string(access) + "_read", std::min(passes, 1));
        addAccess("further reads by the " + who, memory, std::string(access) + "_reread", passes - 1);
    }

    void addCopy(std::string_view memory, std::size_t bytes)
    {
        const ProbeFigure figure = copyRate(m_table, "to_device", memory, bytes);
        if (!figure.known() && m_missing.empty())
            m_missing = "copies from " + std::string(memory) + " memory: " + figure.unavailable;
        if (m_missing.empty())
            addRate("copy to device memory", figure, 1);
    }

    void addCost(std::string what, const std::string &key, int times)
    {
        if (!m_missing.empty())
            return;
        const ProbeFigure *figure = m_table.find(key);
        if (!figure) {
            m_missing = key + ": " + m_table.absence(key);
            return;
        }
        const Estimate one = boundedEstimate(*figure);
        m_parts.push_back({std::move(what), {one.value * times, one.atLeast * times, one.atMost * times}});
    }

    const std::string &missing() const { return m_missing; }
    std::vector<PredictedPart> takeParts() { return std::move(m_parts); }

private:
    void addRate(std::string what, const ProbeFigure &figure, int passes)
    {
        const Estimate rate = boundedEstimate(figure);
        const auto time = [&](double gigabytes) { return m_bytes * passes / gigabytes / kNsPerPredictedUs; };
        m_parts.push_back({std::move(what), {time(rate.value), time(rate.atMost), time(rate.atLeast)}});
    }

    const ProbeTable &m_table;
    const double m_bytes;
    std::vector<PredictedPart> m_parts;
    std::string m_missing;
};

Prediction predict(MemoryKind kind, const ProbeTable &table, const FrameUse &use)
{
    const std::string_view name = nameOf(kind);
    const bool copied = kind == MemoryKind::Pageable || kind == MemoryKind::Pinned;
    Prediction prediction(table, use);
    prediction.addAccess("write by the CPU", name, "cpu_write", 1);
    if (copied)
        prediction.addCopy(name, use.bytes());
    if (kind == MemoryKind::UnifiedAttach)
        prediction.addCost("attachment to a stream and back", "attach", 2);
    prediction.addReads("GPU", copied ? "device" : name, "gpu", use.gpuPasses);
    prediction.addReads("CPU", name, "cpu", use.cpuPasses);
    return prediction;
}

Estimate sumOf(const std::vector<PredictedPart> &parts)
{
    // Errors of different figures add up as independent ones do.
    Estimate sum{0, 0, 0};
    double below = 0;
    double above = 0;
    for (const PredictedPart &part : parts) {
        sum.value += part.us.value;
        below += (part.us.value - part.us.atLeast) * (part.us.value - part.us.atLeast);
        above += (part.us.atMost - part.us.value) * (part.us.atMost - part.us.value);
    }
    sum.atLeast = sum.value - std::sqrt(below);
    sum.atMost = sum.value + std::sqrt(above);
    return sum;
}

/// What a kind demands of the program.
std::string_view demandOf(MemoryKind kind, const DeviceFacts &facts)
{
    if (kind == MemoryKind::Unified && !facts.concurrentManagedAccess)
        return "The CPU may touch it only while no kernel runs, so frames cannot overlap without a copy.";
    if (kind == MemoryKind::UnifiedAttach)
        return "Each frame must be attached to its stream before the kernels and to the host after them.";
    if (kind == MemoryKind::Registered)
        return "Each buffer must be registered once, not for each frame.";
    return {};
}

std::vector<std::string> reasonsOf(MemoryKind kind, const DeviceFacts &facts, const ProbeTable &table,
                                   const std::vector<PredictedPart> &parts)
{
    std::vector<std::string> reasons;
    const auto largest = std::max_element(parts.begin(), parts.end(),
                                          [](const auto &a, const auto &b) { return a.us.value < b.us.value; });
    reasons.push_back("The largest part is the " + largest->what + ", " + microsecondsText(largest->us.value) + ".");
    if (const MemoryCaching caching = documentedCaching(kind, facts); caching.known && !(caching.cpu && caching.gpu)) {
        const char *who = !caching.cpu && !caching.gpu ? "neither the CPU nor the GPU caches it"
            : !caching.cpu                             ? "the CPU does not cache it"
                                                       : "the GPU does not cache it";
        reasons.push_back(std::string("Documented: ") + who + ".");
        const ProbeFigure *again = table.find(memoryKey(nameOf(kind), "cpu_reread"));
        const ProbeFigure *plain = table.find(memoryKey("pageable", "cpu_reread"));
        if (!caching.cpu && again && plain && ratioOf(*plain, *again).ratio.atLeast > 0.8)
            reasons.emplace_back("The table says otherwise: the CPU reads it again as fast as pageable memory.");
    }
    if (const std::string_view demand = demandOf(kind, facts); !demand.empty())
        reasons.emplace_back(demand);
    return reasons;
}

std::string refusalOf(const DeviceFacts &facts, const ProbeTable &table, const FrameUse &use)
{
    if (table.device.software != facts.software)
        return table.device.software
            ? "the table is of the software iGPU (" + table.device.name + "), whose figures say nothing about "
                + facts.name
            : "the table is of " + table.device.name + ", whose figures say nothing about the software iGPU";
    if (table.device.name != facts.name)
        return "the table is of " + table.device.name + ", not of " + facts.name
            + "; figures of one device are no advice for another";
    if (use.gpuPasses < 1 || use.cpuPasses < 0 || use.width < 1 || use.height < 1)
        return "a frame needs a size, and at least one pass of the GPU";
    return {};
}

std::string passesText(const FrameUse &use)
{
    const auto passes = [](int count, const char *who) {
        return std::to_string(count) + (count == 1 ? " pass of the " : " passes of the ") + who;
    };
    return passes(use.cpuPasses, "CPU") + " and " + passes(use.gpuPasses, "GPU");
}

std::string adviceLabel(const ProbeTable &table, const FrameUse &use)
{
    std::string label = "Prediction, not tried, for " + table.device.name + ": frames of " + std::to_string(use.width)
        + "x" + std::to_string(use.height) + ", " + passesText(use);
    label += table.origin.empty() ? "; from its own probe" : "; from a published table (" + table.origin + ")";
    if (table.device.software)
        label += "; of the software iGPU only, never of a board";
    return label + ".";
}

} // namespace

MemoryCaching documentedCaching(MemoryKind kind, DeviceFacts facts)
{
    // A table of figures shows by its rows what the device has.
    facts.hostRegister = facts.managedMemory = Capability::yes();
    const std::vector<MemoryTableRow> rows = memoryTable(facts);
    const auto of = [&facts](CacheCell cpu, CacheCell gpu) {
        const auto fixed = [](CacheCell cell) {
            return cell.caching == Caching::Cached || cell.caching == Caching::Uncached;
        };
        return MemoryCaching{cpu.caching == Caching::Cached, gpu.caching == Caching::Cached,
                             fixed(cpu) && fixed(gpu) && !facts.software};
    };
    const auto rowOf = [&rows](std::string_view name) {
        return *std::find_if(rows.begin(), rows.end(), [name](const MemoryTableRow &row) { return row.kind == name; });
    };
    const CacheCell ownOfGpu = rowOf("device memory").gpu; // Of kinds that are copied.
    switch (kind) {
    case MemoryKind::Pageable:
        return of(rowOf("pageable host memory").cpu, ownOfGpu);
    case MemoryKind::Pinned:
        return of(rowOf("pinned host memory").cpu, ownOfGpu);
    case MemoryKind::ZeroCopy:
        return of(rowOf("pinned host memory").cpu, rowOf("pinned host memory").gpu);
    case MemoryKind::Registered:
        return of(rowOf("registered host memory").cpu, rowOf("registered host memory").gpu);
    case MemoryKind::Unified:
    case MemoryKind::UnifiedAttach:
        return of(rowOf("unified memory").cpu, rowOf("unified memory").gpu);
    case MemoryKind::GlTexture:
    case MemoryKind::NvBuf:
        break;
    }
    return {true, true, false};
}

BoardAdvice adviseMemory(const DeviceFacts &facts, const ProbeTable &table, const FrameUse &use)
{
    BoardAdvice advice;
    advice.refusal = refusalOf(facts, table, use);
    if (!advice.refusal.empty())
        return advice;
    advice.use = passesText(use);
    advice.label = adviceLabel(table, use);
    for (const auto &[kind, name, label, help] : choices<MemoryKind>()) {
        if (!isPredictable(kind)) {
            advice.left.push_back({kind, "a table has no figures for its reads"});
            continue;
        }
        Prediction prediction = predict(kind, table, use);
        if (!prediction.missing().empty()) {
            advice.left.push_back({kind, prediction.missing()});
            continue;
        }
        PredictedChoice choice;
        choice.memory = kind;
        choice.parts = prediction.takeParts();
        choice.us = sumOf(choice.parts);
        choice.reasons = reasonsOf(kind, facts, table, choice.parts);
        advice.ranked.push_back(std::move(choice));
    }
    std::stable_sort(advice.ranked.begin(), advice.ranked.end(),
                     [](const auto &a, const auto &b) { return a.us.value < b.us.value; });
    for (PredictedChoice &choice : advice.ranked)
        choice.ties = choice.us.atLeast <= advice.ranked.front().us.atMost;
    return advice;
}

} // namespace jetscope
