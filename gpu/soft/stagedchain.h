// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/filters/filterchain.h"
#include "gpu/stages/stage.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// A chain of filters on the CPU in which some are stages: those need whole pictures, so the loops stop before a stage
/// and go on behind it. Keeps its scratch pictures. One thread at a time.
class StagedChain {
public:
    /// `stages` are those of the chain, in order.
    Status run(const ChainWork &work, std::span<StageInstance *const> stages, std::uint64_t frame);

private:
    Status runStage(StageInstance &stage, ChainWork &part, std::uint64_t frame);
    StageImage readable(const ChainWork &part, PixelFormat wanted);

    ChainExecutor m_executor;
    std::vector<std::byte> m_colour; ///< Between loops and a stage.
    std::vector<std::byte> m_grey;
    std::vector<std::byte> m_made[2]; ///< By stages; one is read while the other is written.
    std::size_t m_next = 0;
};

} // namespace jetscope
