// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"
#include "core/settings/choices.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Who writes a frame: a thread, a device's DMA (a camera; the GPU's copy engine stands in for it), or kernels.
enum class FrameWriter : std::uint8_t { Cpu, Dma, Gpu };
enum class FrameReader : std::uint8_t { Gpu, Cpu };

/// "cpu", "dma", "gpu" in keys and JSON; "the CPU", "DMA", "the GPU" in sentences.
std::string_view nameOf(FrameWriter writer);
std::string_view nameOf(FrameReader reader);
std::string_view subjectOf(FrameWriter writer);
std::string_view subjectOf(FrameReader reader);

/// Who writes and who reads. A frame that the same side writes and reads crosses nothing and is no pair.
struct FramePair {
    FrameWriter writer = FrameWriter::Cpu;
    FrameReader reader = FrameReader::Gpu;
    bool operator==(const FramePair &) const = default;
};
std::span<const FramePair> framePairs();

inline constexpr std::array<std::size_t, 3> kProbePairBytes{std::size_t{256} << 10U, std::size_t{2} << 20U,
                                                            std::size_t{8} << 20U};

/// "pair.pinned.cpu.gpu.2097152": GB/s of a frame from the beginning of its write to the end of its read, with the
/// hand-over or the copy that the memory kind needs, again and again in the same memory.
std::string pairKey(std::string_view memory, FramePair pair, std::size_t bytes);
/// Keys of a memory kind, or of all.
std::vector<std::string> pairKeys(std::string_view memory);

/// The rate of frames of so many bytes: between two sizes the times are interpolated. An unknown figure with the reason
/// if the table has none.
ProbeFigure pairRate(const ProbeTable &table, std::string_view memory, FramePair pair, std::size_t bytes);

/// The memory kinds of a table by the rate of a pair, the fastest first.
struct RankedMemory {
    MemoryKind memory = MemoryKind::Pinned;
    ProbeFigure rate;
    bool ties = false; ///< Not distinguishable from the first within the noise.
};
std::vector<RankedMemory> rankMemories(const ProbeTable &table, FramePair pair, std::size_t bytes);

/// Two memory kinds of which the better one depends on who writes (or reads), beyond the noise.
struct PairFlip {
    FramePair first;  ///< Here `better` is faster than `other`, …
    FramePair second; ///< … and here it is slower.
    MemoryKind better = MemoryKind::Pinned;
    MemoryKind other = MemoryKind::Pinned;
    std::size_t bytes = 0;
};
/// For each two kinds and pairs at most one, at the size where it is clearest.
std::vector<PairFlip> pairFlips(const ProbeTable &table);

} // namespace jetscope
