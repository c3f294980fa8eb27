// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/path/pathsummary.h"
#include "core/pipelineconfig.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace jetscope {

/// What comes of a piece that a choice touches.
enum class AdviceEffect : std::uint8_t {
    Gone,     ///< Nothing takes its place.
    Replaced, ///< Something else does, whose cost is known on no device before it was tried there.
};

/// Which kind of piece which choices can touch. The table says nothing of which choice is faster.
struct PieceRule {
    bool (*piece)(const PathShare &share);
    bool (*when)(const PipelineConfig &config, const DeviceFacts &facts);
    std::string_view key;
    std::array<std::string_view, 5> values; ///< Empty ones do not count; none at all: every value there is.
    AdviceEffect effect = AdviceEffect::Replaced;
    std::string_view why; ///< Ends a sentence that begins with the piece.
};
std::span<const PieceRule> pieceRules();

/// Choices that let pieces of different lanes happen at the same time.
struct OverlapRule {
    bool (*when)(const PipelineConfig &config, const DeviceFacts &facts);
    std::string_view key;
    std::array<std::string_view, 5> values;
    /// The most that can be hidden, of the period: beside what no overlap can beat, the busiest lane.
    double (*most)(const PathSummary &path, const DeviceFacts &facts, const PipelineConfig &now,
                   const PipelineConfig &then);
    AdviceEffect effect = AdviceEffect::Gone;
    std::string_view why;
};
std::span<const OverlapRule> overlapRules();

} // namespace jetscope
