// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/memory.h"
#include "core/hazards/rules.h"
#include "core/recording/span.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

/// One of the two accesses of a hazard.
struct HazardAccess {
    std::string what;  ///< "kernels", "copy", "CPU access"
    std::string queue; ///< "CUDA stream 1", "GL queue", "the CPU stage thread"
    Access access = Access::Read;
    std::uint32_t frame = kNoFrame;
    std::int64_t timeNs = 0; ///< When it was submitted, or a scope began.
};

/// A rule that was broken once.
struct Hazard {
    RuleId rule = RuleId::O1;
    std::string text;   ///< What happened, without numbers of frames: the same hazard has the same text.
    std::string memory; ///< "managed memory, 460800 bytes"; empty when no memory is concerned.
    std::optional<HazardAccess> first;
    std::optional<HazardAccess> second; ///< The one that broke the rule.
    std::uint32_t frame = kNoFrame;     ///< Of the second access, else of the first.
    std::int64_t timeNs = 0;
};

/// "kernels on CUDA stream 1, a write, frame 3"
std::string accessText(const HazardAccess &access);

} // namespace jetscope
