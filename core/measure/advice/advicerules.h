// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"
#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace jetscope {

/// What happens to a piece that a choice affects.
enum class AdviceEffect : std::uint8_t {
    Gone,     ///< The piece disappears without a replacement.
    Replaced, ///< Other work replaces it, and its cost is unknown until it was tried on the device.
};

/// Which settings can affect which kind of piece. The table does not contain which setting is faster.
struct PieceRule {
    bool (*piece)(const PathShare &share);
    bool (*when)(const PipelineConfig &config, const DeviceFacts &facts);
    std::string_view key;
    std::string_view values; ///< With blanks between; if empty: every value.
    AdviceEffect effect = AdviceEffect::Replaced;
    std::string_view why; ///< Second half of a sentence about the piece.
};
std::span<const PieceRule> pieceRules();

/// Settings that let pieces of different lanes run at the same time.
struct OverlapRule {
    bool (*when)(const PipelineConfig &config, const DeviceFacts &facts);
    std::string_view key;
    std::string_view values;
    /// Upper bound of what can be hidden, as a share of the period. The busiest lane limits it.
    double (*most)(const PathSummary &path, const DeviceFacts &facts, const PipelineConfig &now,
                   const PipelineConfig &then);
    AdviceEffect effect = AdviceEffect::Gone;
    std::string_view why;
};
std::span<const OverlapRule> overlapRules();

} // namespace jetscope
