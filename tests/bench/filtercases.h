// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/filters/filterchain.h"
#include "gpu/filters/rowkernels.h"

#include <opencv2/core.hpp>

#include <functional>
#include <string>
#include <vector>

namespace jetscope {

/// A filter chain and OpenCV's equivalent, for 1920x1080 pixels.
struct FilterCase {
    std::string name;
    double goal = 0; ///< Maximum time that meets the project's goal, relative to OpenCV's.
    PixelFormat format = PixelFormat::Rgba8;
    std::vector<Filter> filters;
    bool hasOutput = true;  ///< Otherwise only the half-size grey result.
    bool isSameWork = true; ///< Whether OpenCV's function returns the same bytes.
    std::function<void(const cv::Mat &in, cv::Mat &out)> reference;
};

struct FilterTiming {
    double oursMs = 0; ///< Medians of the batches' means.
    double theirsMs = 0;
    bool isSameBytes = false;

    double ratio() const { return oursMs / theirsMs; }
};

std::vector<FilterCase> filterCases();

/// Times both in alternating batches on one thread; together the rotated frames exceed a core's own cache.
FilterTiming timeFilter(const FilterCase &test, const RowKernels &kernels, int batches);

} // namespace jetscope
