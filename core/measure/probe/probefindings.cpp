// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/probefindings.h"

#include "core/measure/probe/probepairs.h"
#include "core/settings/memorykinds.h"
#include "core/text/numbertext.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

/// Memory that the CPU reaches, beside ordinary memory, each once: a pool's is pinned memory.
std::vector<std::string_view> hostMemories()
{
    std::vector<std::string_view> names;
    for (const auto &kind : choices<MemoryKind>()) {
        const TableMemory side = memoryKind(kind.value).cpuSide;
        if (side != TableMemory::None && side != TableMemory::Pageable && kind.value != MemoryKind::Pool)
            names.push_back(kind.name);
    }
    return names;
}

/// Memory that kernels read in place.
std::vector<std::string_view> sharedMemories()
{
    std::vector<std::string_view> names;
    for (const auto &kind : choices<MemoryKind>()) {
        const MemoryKindRow &row = memoryKind(kind.value);
        if (row.gpuSide != TableMemory::None && row.copy != FrameCopy::Always)
            names.push_back(kind.name);
    }
    return names;
}
constexpr double kNsPerMicrosecond = 1000;
/// Share of the rate of pageable memory that a further read must reach to count as cached.
constexpr double kCachedShare = 0.5;

/// "(0.52 against 4.7 GB/s)"
std::string ratesText(const ProbeFigure &a, const ProbeFigure &b)
{
    return "(" + threeFigures(a.estimate.value) + " against " + bandwidthText(b.estimate.value) + ")";
}

std::string nameOfMemory(std::string_view memory)
{
    return memory == "device" ? "device memory" : std::string(memory) + " memory";
}

class Findings {
public:
    explicit Findings(const ProbeTable &table) : m_table(table) {}

    std::vector<ProbeFinding> all()
    {
        for (const std::string_view memory : hostMemories())
            addCpu(memory);
        for (const std::string_view memory : sharedMemories())
            addDevice(memory);
        addCopies();
        addWaits();
        addHandOvers();
        addReplacementsOfCopies();
        addFlips();
        return std::move(m_findings);
    }

private:
    const ProbeFigure *memory(std::string_view kind, std::string_view access) const
    {
        return m_table.find(memoryKey(kind, access));
    }

    void add(std::string text, std::vector<std::string> keys)
    {
        m_findings.push_back({std::move(text), std::move(keys)});
    }

    /// The CPU's accesses compared with those to pageable memory.
    void addCpu(std::string_view kind)
    {
        const ProbeFigure *plain = memory("pageable", "cpu_read");
        const ProbeFigure *read = memory(kind, "cpu_read");
        if (plain && read)
            if (const ProbeRatio ratio = ratioOf(*plain, *read); ratio.differs && ratio.ratio.value < 1)
                add("The CPU reads " + nameOfMemory(kind) + " " + timesText(1 / ratio.ratio.value)
                        + " slower than pageable memory here " + ratesText(*read, *plain) + ": "
                        + causeOfSlowRead(kind),
                    {memoryKey(kind, "cpu_read"), memoryKey("pageable", "cpu_read"), memoryKey(kind, "cpu_reread")});
        const ProbeFigure *plainWrite = memory("pageable", "cpu_write");
        const ProbeFigure *write = memory(kind, "cpu_write");
        if (!plainWrite || !write)
            return;
        if (const ProbeRatio ratio = ratioOf(*plainWrite, *write); ratio.differs && ratio.ratio.value < 1)
            add("The CPU writes " + nameOfMemory(kind) + " " + timesText(1 / ratio.ratio.value)
                    + " slower than pageable memory here " + ratesText(*write, *plainWrite) + ".",
                {memoryKey(kind, "cpu_write"), memoryKey("pageable", "cpu_write")});
    }

    /// Why a first read is slow, as far as a further read tells.
    std::string causeOfSlowRead(std::string_view kind) const
    {
        const ProbeFigure *read = memory(kind, "cpu_read");
        const ProbeFigure *again = memory(kind, "cpu_reread");
        const ProbeFigure *plainAgain = memory("pageable", "cpu_reread");
        if (!again || !plainAgain)
            return "the table does not tell why.";
        const bool slowAgain = ratioOf(*plainAgain, *again).ratio.atMost < kCachedShare;
        if (slowAgain && !ratioOf(*read, *again).differs)
            return "it is not cached for the CPU, since a further read is no faster ("
                + bandwidthText(again->estimate.value) + ").";
        if (!slowAgain)
            return "only the first read after the GPU's turn is slow; a further one reaches "
                + bandwidthText(again->estimate.value) + ".";
        return "a further read reaches " + bandwidthText(again->estimate.value) + ".";
    }

    /// The device's accesses compared with those to its own memory, and a further read with the first.
    void addDevice(std::string_view kind)
    {
        const ProbeFigure *own = memory("device", "gpu_read");
        const ProbeFigure *read = memory(kind, "gpu_read");
        const ProbeFigure *again = memory(kind, "gpu_reread");
        if (own && read)
            if (const ProbeRatio ratio = ratioOf(*own, *read); ratio.differs && ratio.ratio.value < 1)
                add("The first kernel that reads a frame in " + nameOfMemory(kind) + " takes "
                        + timesText(1 / ratio.ratio.value) + " as long as one in device memory here "
                        + ratesText(*read, *own) + ".",
                    {memoryKey(kind, "gpu_read"), memoryKey("device", "gpu_read")});
        if (!read || !again)
            return;
        const ProbeRatio ratio = ratioOf(*read, *again);
        const std::vector<std::string> keys{memoryKey(kind, "gpu_reread"), memoryKey(kind, "gpu_read")};
        if (ratio.differs && ratio.ratio.value > 1)
            add("The GPU reads " + nameOfMemory(kind) + " " + timesText(ratio.ratio.value)
                    + " faster in further passes than in the first " + ratesText(*again, *read)
                    + ": it is in the GPU's caches or memory by then.",
                keys);
        else if (const ProbeFigure *ownAgain = memory("device", "gpu_reread");
                 ownAgain && ratioOf(*again, *ownAgain).ratio.atLeast > 1 / kCachedShare)
            add("Each further pass of the GPU over " + nameOfMemory(kind) + " costs as much as the first, "
                    + timesText(ownAgain->estimate.value / again->estimate.value) + " as much as in device memory here "
                    + ratesText(*again, *ownAgain) + ": it is not cached for the GPU.",
                {memoryKey(kind, "gpu_reread"), memoryKey("device", "gpu_reread")});
    }

    void addCopies()
    {
        for (const std::string_view direction : kProbeDirections) {
            const ProbeFigure pageable = copyRate(m_table, direction, "pageable", m_table.frameBytes());
            const ProbeFigure pinned = copyRate(m_table, direction, "pinned", m_table.frameBytes());
            if (!pageable.known() || !pinned.known())
                continue;
            const ProbeRatio ratio = ratioOf(pageable, pinned);
            if (!ratio.differs)
                continue;
            const bool faster = ratio.ratio.value > 1;
            add(std::string("A frame is copied to the ") + (direction == "to_host" ? "CPU " : "device ")
                    + timesText(faster ? ratio.ratio.value : 1 / ratio.ratio.value) + (faster ? " faster" : " slower")
                    + " from pinned memory than from pageable memory here " + ratesText(pinned, pageable) + ".",
                {copyKey(direction, "pinned", kProbeCopyBytes.back()),
                 copyKey(direction, "pageable", kProbeCopyBytes.back())});
        }
    }

    void addWaits()
    {
        const ProbeFigure *spin = m_table.find("launch_sync_spin");
        const ProbeFigure *block = m_table.find("launch_sync_block");
        if (!spin || !block)
            return;
        const ProbeRatio ratio = ratioOf(*spin, *block);
        if (!ratio.differs)
            return;
        const double more = block->estimate.value - spin->estimate.value;
        add(std::string("A wait that blocks ends ") + microsecondsText(std::abs(more))
                + (more > 0 ? " later" : " sooner") + " than one that spins here ("
                + microsecondsText(block->estimate.value) + " against " + microsecondsText(spin->estimate.value)
                + " with the launch).",
            {"launch_sync_block", "launch_sync_spin"});
    }

    /// The cheapest turn between GL and the device.
    void addHandOvers()
    {
        std::vector<std::string> keys;
        for (const char *key : {"eglimage_turn", "gl_interop_turn", "eglsync_turn"})
            if (m_table.find(key))
                keys.emplace_back(key);
        const auto cost = [this](const std::string &key) { return m_table.find(key)->estimate.value; };
        std::sort(keys.begin(), keys.end(), [&](const auto &a, const auto &b) { return cost(a) < cost(b); });
        if (keys.size() < 2 || !ratioOf(*m_table.find(keys[0]), *m_table.find(keys[1])).differs)
            return;
        const auto label = [](const std::string &key) {
            return key == "eglimage_turn" ? "EGLImages and waits of the CPU"
                : key == "eglsync_turn"   ? "EGLSync"
                                          : "GL interop";
        };
        add(std::string("The cheapest turn between GL and CUDA is that with ") + label(keys[0]) + " here ("
                + microsecondsText(cost(keys[0])) + "; " + microsecondsText(cost(keys[1])) + " with " + label(keys[1])
                + ").",
            {keys[0], keys[1]});
    }

    /// Costs for each frame that would replace a copy.
    void addReplacementsOfCopies()
    {
        addAgainstCopy("To register a frame's memory and end that takes ", "register_host", "unregister_host",
                       "register once, not for each frame.",
                       "even a registration for each frame is cheaper than a copy here.");
        addAgainstCopy("To attach a frame to a stream and back takes ", "attach", "attach",
                       "attachment for each frame is no cheaper way than a copy.",
                       "attachment is cheaper than a copy here.");
    }

    void addAgainstCopy(const std::string &what, const std::string &first, const std::string &second,
                        const std::string &ifSlower, const std::string &ifFaster)
    {
        const ProbeFigure *begin = m_table.find(first);
        const ProbeFigure *end = m_table.find(second);
        const ProbeFigure copy = copyRate(m_table, "to_device", "pageable", m_table.frameBytes());
        if (!begin || !end || !copy.known())
            return;
        ProbeFigure both;
        both.estimate = {begin->estimate.value + end->estimate.value, begin->estimate.atLeast + end->estimate.atLeast,
                         begin->estimate.atMost + end->estimate.atMost};
        const double bytes = static_cast<double>(m_table.frameBytes());
        const auto time = [bytes](double rate) { return bytes / rate / kNsPerMicrosecond; };
        ProbeFigure copying;
        copying.estimate = {time(copy.estimate.value), time(copy.estimate.atMost), time(copy.estimate.atLeast)};
        const ProbeRatio ratio = ratioOf(copying, both);
        if (!ratio.differs)
            return;
        add(what + microsecondsText(both.estimate.value) + ", to copy it from pageable memory "
                + microsecondsText(copying.estimate.value) + ": " + (ratio.ratio.value > 1 ? ifSlower : ifFaster),
            {first, second});
    }

    /// Kinds that change places with who writes or reads.
    void addFlips()
    {
        for (const PairFlip &flip : pairFlips(m_table)) {
            const auto key = [&flip](MemoryKind kind, FramePair pair) {
                return pairKey(jetscope::nameOf(kind), pair, flip.bytes);
            };
            const auto where = [&](MemoryKind faster, MemoryKind slower, FramePair pair) {
                return std::string(jetscope::nameOf(faster)) + " where " + std::string(subjectOf(pair.writer))
                    + " writes and " + std::string(subjectOf(pair.reader)) + " reads "
                    + ratesText(*m_table.find(key(faster, pair)), *m_table.find(key(slower, pair)));
            };
            add("Of frames of " + std::to_string(flip.bytes >> 10U) + " KiB, the faster one of "
                    + std::string(jetscope::nameOf(flip.better)) + " and " + std::string(jetscope::nameOf(flip.other))
                    + " depends on who writes and reads: " + where(flip.better, flip.other, flip.first) + ", "
                    + where(flip.other, flip.better, flip.second) + ".",
                {key(flip.better, flip.first), key(flip.other, flip.first), key(flip.better, flip.second),
                 key(flip.other, flip.second)});
        }
    }

    const ProbeTable &m_table;
    std::vector<ProbeFinding> m_findings;
};

} // namespace

std::string bandwidthText(double gigabytesPerSecond)
{
    return threeFigures(gigabytesPerSecond) + " GB/s";
}

std::string microsecondsText(double us)
{
    return us >= 999.5 ? threeFigures(us / 1000) + " ms" : threeFigures(us) + " us";
}

std::string timesText(double ratio)
{
    return threeFigures(ratio) + " times";
}

std::vector<ProbeFinding> probeFindings(const ProbeTable &table)
{
    return Findings(table).all();
}

} // namespace jetscope
