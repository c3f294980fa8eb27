// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/stages/stagetable.h"

#include <cstdint>
#include <string>

namespace jetscope {

enum class VpiAlgorithm : std::uint8_t { Gaussian, Rescale, Convert, Harris };

/// What a user asks of VPI: "vpi:gaussian?backend=pva&size=7".
struct VpiPlan {
    VpiAlgorithm algorithm = VpiAlgorithm::Gaussian;
    std::string name;          ///< "gaussian"
    std::uint64_t backend = 0; ///< vpi::kCpu and so on.
    std::string backendName;   ///< "CPU"
    PixelFormat reads = PixelFormat::Grey8;
    PixelFormat makes = PixelFormat::Grey8;
    bool isWrapped = false; ///< VPI's CUDA work goes into the stream of the frame, not into a stream of VPI.
    bool waits = true;      ///< For the end of VPI's work, before the run returns.
    int version = 0;        ///< 0: the newest.
    int size = 5;           ///< Of the blur, in pixels.
    double sigma = 1.2;     ///< Of the blur, in pixels.
    double scale = 0.5;     ///< The frame is made smaller by this factor and then enlarged to its size.
    int most = 64;          ///< The corners that are marked, the strongest first.
    double strength = 20;   ///< The least score of a corner.

    /// Errors name an unknown algorithm, backend or option, or a value out of range.
    static Result<VpiPlan> parse(const StageAddress &address);
    /// Why the backend cannot work on frames of this size; empty if it can.
    std::string limit(int width, int height) const;
};

/// "CPU, CUDA and VIC"
std::string backendNames(std::uint64_t backends);

} // namespace jetscope
