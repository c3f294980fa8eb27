// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probepairs.h"
#include "core/platform/memorytable.h"
#include "core/settings/choices.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

// Advice for a board from a table of its figures: a pure function of facts and figures, without a device and without
// I/O. What it gives is a prediction that was not tried.

/// What is done with each frame, which is written once.
struct FrameUse {
    int width = 1280;
    int height = 720;
    int cpuPasses = 0; ///< How often the CPU reads the whole frame.
    int gpuPasses = 1; ///< How many kernels read the whole frame; 1 or more.
    FrameWriter writer = FrameWriter::Cpu;
    std::size_t frameBytes = 0; ///< 0: four bytes a pixel.

    std::size_t bytes() const
    {
        return frameBytes != 0 ? frameBytes : static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4;
    }
};

/// Light and heavy use by each side of frames of this size that the CPU writes, and that a camera's DMA writes.
std::vector<FrameUse> usualUses(int width, int height);

/// A part of the predicted time of a frame.
struct PredictedPart {
    std::string what; ///< "copy to device memory"
    Estimate us;      ///< Microseconds.
};

/// A memory kind with the predicted time of writing, moving and reading a frame.
struct PredictedChoice {
    MemoryKind memory = MemoryKind::Pinned;
    Estimate us;
    std::vector<PredictedPart> parts;
    bool ties = false;                ///< Not distinguishable from the best, within the noise of the figures.
    std::vector<std::string> reasons; ///< Sentences: the largest part, what is documented, what it demands.
};

/// A memory kind without a prediction.
struct UnpredictedChoice {
    MemoryKind memory = MemoryKind::Pinned;
    std::string reason;
};

struct BoardAdvice {
    std::string refusal;                 ///< Why there is no advice; otherwise empty.
    std::vector<PredictedChoice> ranked; ///< The shortest time first.
    std::vector<UnpredictedChoice> left;
    std::string use;   ///< "1 pass of the CPU and 4 passes of the GPU"
    std::string label; ///< One sentence: for which device and use, from which table, and that it was not tried.
};

/// Ranks the memory kinds for a use on the device `facts` by the figures of `table`. Refused if the table is of another
/// device; figures of the software iGPU count for the software iGPU alone.
BoardAdvice adviseMemory(const DeviceFacts &facts, const ProbeTable &table, const FrameUse &use);

} // namespace jetscope
