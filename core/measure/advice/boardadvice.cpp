// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/boardadvice.h"

#include "core/measure/probe/probefindings.h"
#include "core/settings/memorykinds.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kNsPerPredictedUs = 1000;

/// Whether the times of a kind can be computed from the figures of a table.
bool isPredictable(MemoryKind kind)
{
    return memoryKind(kind).gpuSide != TableMemory::None;
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

    /// The measured way from the first byte written to the last one read by the GPU.
    void addWay(const ProbeFigure &rate, FrameWriter writer)
    {
        if (!rate.known() && m_missing.empty())
            m_missing = "frames that " + std::string(subjectOf(writer)) + " writes: " + rate.unavailable;
        if (m_missing.empty())
            addRate("way from " + std::string(subjectOf(writer)) + " to the GPU", rate, 1);
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

/// The way of a frame to its first read by the GPU, put together from single figures, as tables without pairs have
/// them.
void addWayOfCpu(Prediction &prediction, MemoryKind kind, const FrameUse &use, bool copied)
{
    const std::string_view name = nameOf(kind);
    prediction.addAccess("write by the CPU", name, "cpu_write", 1);
    if (copied)
        prediction.addCopy(memoryKind(kind).cpuSide == TableMemory::Pinned ? "pinned" : name, use.bytes());
    if (kind == MemoryKind::UnifiedAttach)
        prediction.addCost("attachment to a stream and back", "attach", 2);
    if (kind == MemoryKind::UnifiedPrefetch)
        prediction.addCost("prefetch to the GPU and back", "prefetch", 2);
    if (kind == MemoryKind::Pool)
        prediction.addCost("allocation from the pool and its return", "pool", 1);
    prediction.addAccess("first read by the GPU", copied ? "device" : name, "gpu_read", 1);
}

Prediction predict(MemoryKind kind, const ProbeTable &table, const FrameUse &use)
{
    const std::string_view name = nameOf(kind);
    const bool copied = memoryKind(kind).copy == FrameCopy::Always;
    Prediction prediction(table, use);
    const ProbeFigure way = pairRate(table, name, {use.writer, FrameReader::Gpu}, use.bytes());
    if (use.writer == FrameWriter::Cpu && !way.known())
        addWayOfCpu(prediction, kind, use, copied);
    else
        prediction.addWay(way, use.writer);
    prediction.addAccess("further reads by the GPU", copied ? "device" : name, "gpu_reread", use.gpuPasses - 1);
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
    return passes(use.cpuPasses, "CPU") + " and " + passes(use.gpuPasses, "GPU")
        + (use.writer == FrameWriter::Cpu ? std::string() : ", written by " + std::string(subjectOf(use.writer)));
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

std::vector<FrameUse> usualUses(int width, int height)
{
    std::vector<FrameUse> uses;
    for (const auto &[cpuPasses, gpuPasses] : {std::pair{0, 1}, {0, 4}, {1, 1}, {4, 1}})
        uses.push_back({width, height, cpuPasses, gpuPasses, FrameWriter::Cpu});
    for (const int cpuPasses : {0, 1})
        uses.push_back({width, height, cpuPasses, 1, FrameWriter::Dma});
    return uses;
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
