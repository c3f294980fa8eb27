// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/measure/advice/boardadvice.h"
#include "core/measure/probe/probetable.h"

#include <array>
#include <string>

namespace jetscope {

/// What `probe` prints: the device, the figures with their noise, and what they say in words.
std::string probeText(const ProbeTable &table);

/// A figure with half the width of its interval: "4.71 ±2 %"; empty without a figure.
std::string figureText(const ProbeFigure *figure);

/// Passes of CPU and GPU for which `probe` predicts: light and heavy use by each side, and frames that a camera's DMA
/// writes.
struct AdvisedUse {
    int cpuPasses;
    int gpuPasses;
    FrameWriter writer = FrameWriter::Cpu;
};
inline constexpr std::array<AdvisedUse, 6> kAdvisedUses{
    {{0, 1}, {0, 4}, {1, 1}, {4, 1}, {0, 1, FrameWriter::Dma}, {1, 1, FrameWriter::Dma}}};

/// The object that `probe --json` prints: the table in its format, with `findings` and `advice`.
JsonObject probeOutputJson(const ProbeTable &table);

} // namespace jetscope
