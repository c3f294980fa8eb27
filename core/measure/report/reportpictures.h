// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/distribution.h"
#include "core/recording/span.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A coordinate of an SVG picture.
std::string svgNumber(double value);

/// An inline SVG histogram with the median and the 99th percentile. `titleText` says what is shown.
std::string histogramSvg(const FrameDistribution &distribution, std::string_view titleText);

/// An inline SVG of a part of a trace.
struct TimelinePicture {
    std::string svg;
    std::vector<Category> categories; ///< For the legend, in the order of the enum; waits once.
    std::string words;                ///< "frames 41 to 43, 4.12 ms, of 60 frames"
};

/// About three typical frames from the middle of the trace, or of a trace without frames its middle. Empty for a trace
/// without spans.
std::optional<TimelinePicture> timelineSvg(const Trace &trace, std::string_view titleText);

/// A class of the style sheet that fills with the category's colour: "k-kernel".
std::string_view categoryClass(Category category);
/// The colours of the categories with their names.
std::string legendHtml(const std::vector<Category> &categories);

} // namespace jetscope
