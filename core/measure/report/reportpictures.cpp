// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/reportpictures.h"

#include "core/measure/report/reporttext.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr double kHistogramWidth = 360;
constexpr double kAxisLeft = 8;
constexpr double kAxisRight = 352;
constexpr double kBarsTop = 34;
constexpr double kBarsBottom = 140;

std::string axisText(double ms)
{
    return msText(ms, ms < 10 ? 3 : 2);
}

/// Places values of a histogram on the x axis.
struct Axis {
    double from;
    double to;

    double x(double value) const
    {
        const double share = to > from ? (value - from) / (to - from) : 0.5;
        return kAxisLeft + std::clamp(share, 0.0, 1.0) * (kAxisRight - kAxisLeft);
    }
};

std::string barsSvg(const FrameHistogram &histogram)
{
    const std::uint32_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
    const double width = (kAxisRight - kAxisLeft) / static_cast<double>(histogram.counts.size());
    std::string svg;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const double share = most > 0 ? static_cast<double>(histogram.counts[i]) / most : 0;
        const double height = share * (kBarsBottom - kBarsTop);
        if (histogram.counts[i] > 0)
            svg += "<rect class=\"bar\" x=\"" + svgNumber(kAxisLeft + static_cast<double>(i) * width) + "\" y=\""
                + svgNumber(kBarsBottom - std::max(height, 1.0)) + "\" width=\"" + svgNumber(std::max(width - 0.6, 0.6))
                + "\" height=\"" + svgNumber(std::max(height, 1.0)) + "\"/>";
    }
    return svg;
}

std::string textSvg(double x, double y, const char *anchor, std::string_view text, const char *className = "m")
{
    return "<text class=\"" + std::string(className) + "\" x=\"" + svgNumber(x) + "\" y=\"" + svgNumber(y)
        + "\" text-anchor=\"" + anchor + "\">" + htmlText(text) + "</text>";
}

/// A dashed line at a percentile. Its label is beside the line, on the side with more room.
std::string percentileSvg(const Axis &axis, double value, const char *name, double labelY)
{
    const double x = axis.x(value);
    const bool atRight = x < kHistogramWidth / 2;
    return "<path class=\"p\" d=\"M" + svgNumber(x) + " " + svgNumber(labelY - 8) + "V" + svgNumber(kBarsBottom)
        + "\"/>"
        + textSvg(x + (atRight ? 4 : -4), labelY, atRight ? "start" : "end", std::string(name) + " " + axisText(value),
                  "t");
}

} // namespace

std::string svgNumber(double value)
{
    return fixedText(value, 1);
}

std::string histogramSvg(const FrameDistribution &distribution, std::string_view titleText)
{
    const FrameHistogram &histogram = distribution.histogram;
    if (distribution.count == 0 || histogram.counts.empty())
        return {};
    const double to = histogram.from + histogram.width * static_cast<double>(histogram.counts.size());
    const Axis axis{histogram.from, to};
    const Percentiles &percentiles = distribution.percentiles;
    std::string svg = "<svg viewBox=\"0 0 360 160\" role=\"img\"><title>" + htmlText(titleText) + "; median "
        + axisText(percentiles.p50) + ", 99th percentile " + axisText(percentiles.p99) + "</title>";
    svg += barsSvg(histogram) + "<path class=\"axis\" d=\"M" + svgNumber(kAxisLeft) + " " + svgNumber(kBarsBottom) + "H"
        + svgNumber(kAxisRight) + "\"/>";
    svg += percentileSvg(axis, percentiles.p50, "p50", 10) + percentileSvg(axis, percentiles.p99, "p99", 24);
    if (to > histogram.from) {
        svg +=
            textSvg(kAxisLeft, 155, "start", axisText(histogram.from)) + textSvg(kAxisRight, 155, "end", axisText(to));
        svg += textSvg(kHistogramWidth / 2, 155, "middle", "frame time");
    } else {
        svg += textSvg(kHistogramWidth / 2, 155, "middle", "every frame " + axisText(histogram.from));
    }
    return svg + "</svg>\n";
}

std::string_view categoryClass(Category category)
{
    if (isWait(category))
        return "k-wait";
    switch (category) {
    case Category::Capture:
        return "k-capture";
    case Category::Upload:
    case Category::Copy:
        return "k-copy";
    case Category::Kernel:
        return "k-kernel";
    case Category::CpuStage:
    case Category::Submit:
    case Category::Present:
        return "k-cpu";
    case Category::Draw:
        return "k-draw";
    default:
        return "k-tool";
    }
}

std::string legendHtml(const std::vector<Category> &categories)
{
    std::string html = "<ul class=\"legend\">";
    for (std::size_t i = 0; i < categories.size(); ++i) {
        const std::string_view name = categoryClass(categories[i]);
        std::string words;
        for (const Category other : categories)
            if (categoryClass(other) == name)
                words += (words.empty() ? "" : ", ") + std::string(isWait(other) ? "wait" : categoryName(other));
        const bool isFirst = std::find_if(categories.begin(), categories.end(),
                                          [&](Category other) { return categoryClass(other) == name; })
            == categories.begin() + static_cast<std::ptrdiff_t>(i);
        if (isFirst)
            html += "<li><i class=\"" + std::string(name) + "\"></i>" + htmlText(words) + "</li>";
    }
    return html + "</ul>\n";
}

} // namespace jetscope
