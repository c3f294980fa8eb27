// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "core/settings/filters.h"
#include "gpu/stages/stagetable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

enum class VpiAlgorithm : std::uint8_t { Gaussian, Rescale, Convert, Harris };

/// How VPI wraps a frame in a source's own buffer; Memory: not at all, but the picture that CUDA makes of it.
enum class VpiWrapping : std::uint8_t { Descriptor, EglImage, Memory };

/// What a user asks of VPI: "vpi:gaussian?backend=pva&size=7".
struct VpiPlan {
    VpiAlgorithm algorithm = VpiAlgorithm::Gaussian;
    std::string name;          ///< "gaussian"
    std::uint64_t backend = 0; ///< vpi::kCpu and so on.
    std::string backendName;   ///< "CPU"
    PixelFormat reads = PixelFormat::Grey8;
    PixelFormat makes = PixelFormat::Grey8;
    bool isWrapped = false; ///< VPI's CUDA work goes into the stream of the frame, not into a stream of VPI.
    VpiWrapping wrapping = VpiWrapping::Descriptor;
    std::string whyMemory{}; ///< Why a source's own buffer is not wrapped nevertheless; empty if it is.
    bool waits = true;       ///< For the end of VPI's work, before the run returns.
    int version = 0;         ///< 0: the newest.
    int size = 5;            ///< Of the blur, in pixels.
    double sigma = 1.2;      ///< Of the blur, in pixels.
    double scale = 0.5;      ///< The frame is made smaller by this factor and then enlarged to its size.
    int most = 64;           ///< The corners that are marked, the strongest first.
    double strength = 20;    ///< The least score of a corner.
    /// The CPU stage reads the corners, and the picture stays as it is; else the run reads and marks them.
    bool isReadByCpuStage = false;
    /// What can be set, with the values of this plan.
    std::vector<FilterOption> options;

    /// Errors name an unknown algorithm, backend or option, or a value out of range.
    static Result<VpiPlan> parse(const StageAddress &address);
    /// Says of backends that are not among these that there is none on this machine.
    void limitBackends(std::uint64_t backends, const std::string &ofVpi);
    /// Source's own buffers are not wrapped for this reason; the option says so of its word, and is now `memory`.
    void takeMemory(const std::string &reason);
    /// Why the backend cannot work on frames of this size; empty if it can.
    std::string limit(int width, int height) const;
};

/// "CPU, CUDA and VIC"
std::string backendNames(std::uint64_t backends);

} // namespace jetscope
