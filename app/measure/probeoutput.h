// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "app/measure/probesource.h"
#include "core/measure/advice/boardadvice.h"
#include "core/measure/probe/probetable.h"

#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// What `probe` prints: the device, the figures with their noise, what they say in words, and which memory kinds they
/// advise for a source, or for several uses if none is named.
std::string probeText(const ProbeTable &table, const std::optional<ProbeSource> &source);

/// A figure with half the width of its interval: "4.71 ±2 %"; empty without a figure.
std::string figureText(const ProbeFigure *figure);

/// Uses for which `probe` predicts: of the source, or else light and heavy use by each side of frames that the CPU
/// writes, and that a camera's DMA writes.
std::vector<FrameUse> advisedUses(const ProbeTable &table, const std::optional<ProbeSource> &source);

/// The object that `probe --json` prints: the table in its format, with `findings`, `advice` and `source`.
JsonObject probeOutputJson(const ProbeTable &table, const std::optional<ProbeSource> &source);

} // namespace jetscope
