// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/probepairs.h"

#include "core/enumtable.h"

#include <algorithm>
#include <optional>

namespace jetscope {

namespace {

constexpr auto kWriters = enumWords<FrameWriter>({"cpu", "dma", "gpu"});
constexpr auto kReaders = enumWords<FrameReader>({"gpu", "cpu"});
constexpr auto kWriterSubjects = enumWords<FrameWriter>({"the CPU", "DMA", "the GPU"});
constexpr auto kReaderSubjects = enumWords<FrameReader>({"the GPU", "the CPU"});

constexpr FramePair kPairs[] = {{FrameWriter::Cpu, FrameReader::Gpu},
                                {FrameWriter::Dma, FrameReader::Gpu},
                                {FrameWriter::Gpu, FrameReader::Cpu},
                                {FrameWriter::Dma, FrameReader::Cpu}};

/// How much faster `a` is than `b`, if that is beyond the noise.
std::optional<double> advantage(const ProbeTable &table, MemoryKind a, MemoryKind b, FramePair pair, std::size_t bytes)
{
    const ProbeFigure *const one = table.find(pairKey(nameOf(a), pair, bytes));
    const ProbeFigure *const other = table.find(pairKey(nameOf(b), pair, bytes));
    if (!one || !other)
        return std::nullopt;
    const ProbeRatio ratio = ratioOf(*other, *one);
    return ratio.differs ? std::optional(ratio.ratio.value) : std::nullopt;
}

/// The size where two kinds change places most clearly between two pairs.
std::optional<PairFlip> flipOf(const ProbeTable &table, MemoryKind a, MemoryKind b, FramePair first, FramePair second)
{
    std::optional<PairFlip> clearest;
    double most = 0;
    for (const std::size_t bytes : kProbePairBytes) {
        const std::optional<double> here = advantage(table, a, b, first, bytes);
        const std::optional<double> there = advantage(table, a, b, second, bytes);
        if (!here || !there || (*here > 1) == (*there > 1))
            continue;
        const double clear = std::min(std::max(*here, 1 / *here), std::max(*there, 1 / *there));
        if (clear <= most)
            continue;
        most = clear;
        clearest = PairFlip{first, second, *here > 1 ? a : b, *here > 1 ? b : a, bytes};
    }
    return clearest;
}

} // namespace

std::string_view nameOf(FrameWriter writer)
{
    return kWriters[static_cast<std::size_t>(writer)];
}

std::string_view nameOf(FrameReader reader)
{
    return kReaders[static_cast<std::size_t>(reader)];
}

std::string_view subjectOf(FrameWriter writer)
{
    return kWriterSubjects[static_cast<std::size_t>(writer)];
}

std::string_view subjectOf(FrameReader reader)
{
    return kReaderSubjects[static_cast<std::size_t>(reader)];
}

std::span<const FramePair> framePairs()
{
    return kPairs;
}

std::string pairKey(std::string_view memory, FramePair pair, std::size_t bytes)
{
    std::string key = "pair.";
    key.append(memory).append(".").append(nameOf(pair.writer)).append(".").append(nameOf(pair.reader));
    return key + "." + std::to_string(bytes);
}

std::vector<std::string> pairKeys(std::string_view memory)
{
    std::vector<std::string> keys;
    for (const FramePair pair : kPairs)
        for (const std::size_t bytes : kProbePairBytes)
            keys.push_back(pairKey(memory, pair, bytes));
    return keys;
}

ProbeFigure pairRate(const ProbeTable &table, std::string_view memory, FramePair pair, std::size_t bytes)
{
    return rateOfSize(table, kProbePairBytes, bytes, [&](std::size_t size) { return pairKey(memory, pair, size); });
}

std::vector<RankedMemory> rankMemories(const ProbeTable &table, FramePair pair, std::size_t bytes)
{
    std::vector<RankedMemory> ranked;
    for (const auto &kind : choices<MemoryKind>())
        if (ProbeFigure rate = pairRate(table, kind.name, pair, bytes); rate.known())
            ranked.push_back({kind.value, std::move(rate), false});
    std::stable_sort(ranked.begin(), ranked.end(), [](const RankedMemory &a, const RankedMemory &b) {
        return a.rate.estimate.value > b.rate.estimate.value;
    });
    for (RankedMemory &each : ranked)
        each.ties = !ratioOf(each.rate, ranked.front().rate).differs;
    return ranked;
}

std::vector<PairFlip> pairFlips(const ProbeTable &table)
{
    std::vector<PairFlip> flips;
    const auto kinds = choices<MemoryKind>();
    for (std::size_t a = 0; a < kinds.size(); ++a)
        for (std::size_t b = a + 1; b < kinds.size(); ++b)
            for (std::size_t first = 0; first < std::size(kPairs); ++first)
                for (std::size_t second = first + 1; second < std::size(kPairs); ++second)
                    if (const auto flip = flipOf(table, kinds[a].value, kinds[b].value, kPairs[first], kPairs[second]))
                        flips.push_back(*flip);
    return flips;
}

} // namespace jetscope
