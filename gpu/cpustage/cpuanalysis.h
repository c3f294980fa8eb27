// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "core/settings/devicefacts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace jetscope {

struct Point {
    std::int16_t x = 0;
    std::int16_t y = 0;

    bool operator==(const Point &) const = default;
};

/// The result of the CPU stage for one half-size grey picture; the view draws it, the output does not contain it.
/// Coordinates are pixels of the half-size picture.
struct CpuAnswer {
    std::uint32_t frame = 0;
    CpuWork work = CpuWork::Canny;
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> edges;            ///< Canny: width x height, 255 on an edge.
    std::vector<std::vector<Point>> contours;   ///< Contours: closed polygons.
    std::array<std::uint32_t, 256> histogram{}; ///< Histogram: pixels per grey value.
    std::vector<Point> keypoints;               ///< That a stage of the filter chain found, with any work.

    bool operator==(const CpuAnswer &) const = default;
};

/// The work of the CPU stage (OpenCV). One instance per thread.
class CpuAnalysis {
public:
    virtual ~CpuAnalysis() = default;
    /// Reads the picture in place; keeps no pointer to it.
    virtual CpuAnswer run(CpuWork work, const std::byte *grey, std::size_t pitch, int width, int height) = 0;
};

// The variant `_linked` calls OpenCV directly (tests), `_loaded` loads the module that does (the program), `_absent` is
// for builds without OpenCV.

/// Whether there is a CPU stage. The first call may load it, which takes some milliseconds.
Capability cpuStageCapability();
/// Null if there is no CPU stage.
std::unique_ptr<CpuAnalysis> makeCpuAnalysis();

} // namespace jetscope
