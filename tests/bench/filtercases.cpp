// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/filtercases.h"
#include "tests/bench/quantile.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <chrono>

namespace jetscope {

namespace {

constexpr int kWidth = 1920;
constexpr int kHeight = 1080;
constexpr int kFrames = 8; ///< Rotated, so that a frame has left a core's own cache before it is used again.
constexpr int kRunsPerBatch = 8;

struct Frames {
    std::vector<cv::Mat> inputs;
    std::vector<cv::Mat> outputs;
};

cv::Mat makeInput(PixelFormat format)
{
    const ImageLayout layout = makeImageLayout(format, kWidth, kHeight);
    const int channels = format == PixelFormat::Rgba8 ? 4
        : format == PixelFormat::Bgr8                 ? 3
        : format == PixelFormat::Yuyv                 ? 2
                                                      : 1;
    const int rows = format == PixelFormat::Nv12 ? kHeight * 3 / 2 : kHeight;
    cv::Mat input(rows, kWidth, CV_8UC(channels));
    cv::randu(input, cv::Scalar::all(0),
              format == PixelFormat::Rgba8 ? cv::Scalar(256, 256, 256, 1) : cv::Scalar::all(256));
    if (format == PixelFormat::Rgba8)
        // OpenCV filters alpha too: the bytes are the same only if it is flat.
        cv::add(input, cv::Scalar(0, 0, 0, 255), input);
    CV_Assert(input.total() * input.elemSize() == layout.bytes); // 1920 needs no padding in any format.
    return input;
}

void runChain(ChainExecutor &executor, const FilterCase &test, const cv::Mat &in, cv::Mat &out)
{
    ChainWork work;
    work.inputLayout = makeImageLayout(test.format, kWidth, kHeight);
    work.input = reinterpret_cast<const std::byte *>(in.data);
    work.filters = test.filters;
    auto *bytes = reinterpret_cast<std::byte *>(out.data);
    if (test.hasOutput) {
        work.output = bytes;
        work.outputPitch = out.step;
    } else {
        work.result = bytes;
        work.resultPitch = out.step;
    }
    executor.run(work);
}

/// Mean milliseconds per run in a batch.
template <class Run>
double batch(Frames &frames, int &turn, const Run &run)
{
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kRunsPerBatch; ++i, ++turn) {
        const auto frame = static_cast<std::size_t>(turn % kFrames);
        run(frames.inputs[frame], frames.outputs[frame]);
    }
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / kRunsPerBatch;
}

void gaussian(const cv::Mat &in, cv::Mat &out, int size)
{
    cv::GaussianBlur(in, out, cv::Size(size, size), 0, 0, cv::BORDER_REFLECT_101);
}

void sobel(const cv::Mat &in, cv::Mat &out)
{
    static cv::Mat grey, gx, gy, magnitude;
    cv::cvtColor(in, grey, cv::COLOR_RGBA2GRAY);
    cv::Sobel(grey, gx, CV_16S, 1, 0, 3, 1, 0, cv::BORDER_REFLECT_101);
    cv::Sobel(grey, gy, CV_16S, 0, 1, 3, 1, 0, cv::BORDER_REFLECT_101);
    cv::convertScaleAbs(gx, gx);
    cv::convertScaleAbs(gy, gy);
    cv::add(gx, gy, magnitude);
    cv::cvtColor(magnitude, out, cv::COLOR_GRAY2RGBA);
}

void threshold(const cv::Mat &in, cv::Mat &out)
{
    static cv::Mat grey;
    cv::cvtColor(in, grey, cv::COLOR_RGBA2GRAY);
    cv::threshold(grey, grey, 127, 255, cv::THRESH_BINARY);
    cv::cvtColor(grey, out, cv::COLOR_GRAY2RGBA);
}

void sharpen(const cv::Mat &in, cv::Mat &out)
{
    static const cv::Mat kernel = (cv::Mat_<float>(3, 3) << 0, -1, 0, -1, 5, -1, 0, -1, 0);
    cv::filter2D(in, out, -1, kernel, cv::Point(-1, -1), 0, cv::BORDER_REFLECT_101);
}

void invertByTable(const cv::Mat &in, cv::Mat &out)
{
    static const cv::Mat table = [] {
        cv::Mat all(1, 256, CV_8UC4);
        for (int i = 0; i < 256; ++i)
            all.at<cv::Vec4b>(i) = cv::Vec4b(cv::saturate_cast<uchar>(255 - i), cv::saturate_cast<uchar>(255 - i),
                                             cv::saturate_cast<uchar>(255 - i), cv::saturate_cast<uchar>(i));
        return all;
    }();
    cv::LUT(in, table, out);
}

void halfGrey(const cv::Mat &in, cv::Mat &out)
{
    static cv::Mat grey;
    cv::cvtColor(in, grey, cv::COLOR_RGBA2GRAY);
    cv::resize(grey, out, cv::Size((in.cols + 1) / 2, (in.rows + 1) / 2), 0, 0, cv::INTER_AREA);
}

} // namespace

std::vector<FilterCase> filterCases()
{
    using enum PixelFormat;
    const auto convert = [](int code) {
        return [code](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, code); };
    };
    const auto chain = [](const cv::Mat &in, cv::Mat &out) {
        static cv::Mat rgba, blurred;
        cv::cvtColor(in, rgba, cv::COLOR_YUV2RGBA_NV12);
        gaussian(rgba, blurred, 5);
        sobel(blurred, out);
    };
    return {
        {"identity / Mat::copyTo", 1.2, Rgba8, {}, true, true, [](const cv::Mat &in, cv::Mat &out) { in.copyTo(out); }},
        {"BGR -> RGBA / cvtColor", 1.2, Bgr8, {}, true, true, convert(cv::COLOR_BGR2RGBA)},
        {"NV12 -> RGBA / cvtColor", 1.2, Nv12, {}, true, true, convert(cv::COLOR_YUV2RGBA_NV12)},
        {"YUYV -> RGBA / cvtColor", 1.2, Yuyv, {}, true, true, convert(cv::COLOR_YUV2RGBA_YUYV)},
        {"GREY -> RGBA / cvtColor", 1.2, Grey8, {}, true, true, convert(cv::COLOR_GRAY2RGBA)},
        {"gaussian5 / GaussianBlur",
         0.8,
         Rgba8,
         {Filter::Gaussian5},
         true,
         true,
         [](const cv::Mat &in, cv::Mat &out) { gaussian(in, out, 5); }},
        {"gaussian15 / GaussianBlur",
         0.8,
         Rgba8,
         {Filter::Gaussian15},
         true,
         true,
         [](const cv::Mat &in, cv::Mat &out) { gaussian(in, out, 15); }},
        {"sobel / cvtColor, Sobel x 2, add", 0.8, Rgba8, {Filter::Sobel}, true, true, sobel},
        {"threshold / cvtColor, threshold", 0.8, Rgba8, {Filter::Threshold}, true, true, threshold},
        {"sharpen / filter2D", 0.8, Rgba8, {Filter::Sharpen}, true, true, sharpen},
        {"invert / LUT", 0.8, Rgba8, {Filter::Invert}, true, true, invertByTable},
        {"invert / bitwise_not",
         0.8,
         Rgba8,
         {Filter::Invert},
         true,
         false,
         [](const cv::Mat &in, cv::Mat &out) { cv::bitwise_not(in, out); }},
        {"half-size / cvtColor, resize", 0.8, Rgba8, {}, false, true, halfGrey},
        {"NV12, gaussian5, sobel / all three", 0.6, Nv12, {Filter::Gaussian5, Filter::Sobel}, true, true, chain},
    };
}

FilterTiming timeFilter(const FilterCase &test, const RowKernels &kernels, int batches)
{
    cv::setNumThreads(1);
    ChainExecutor executor(kernels);
    Frames frames;
    for (int i = 0; i < kFrames; ++i) {
        frames.inputs.push_back(makeInput(test.format));
        frames.outputs.push_back(test.hasOutput ? cv::Mat(kHeight, kWidth, CV_8UC4)
                                                : cv::Mat((kHeight + 1) / 2, (kWidth + 1) / 2, CV_8UC1));
    }
    const auto ours = [&](const cv::Mat &in, cv::Mat &out) { runChain(executor, test, in, out); };
    cv::Mat expected;
    test.reference(frames.inputs[0], expected);
    ours(frames.inputs[0], frames.outputs[0]);
    FilterTiming timing;
    timing.isSameBytes = cv::norm(expected, frames.outputs[0], cv::NORM_INF) == 0;

    int turn = 0;
    batch(frames, turn, ours); // Warms up both sides: pages, code, clock rate.
    batch(frames, turn, test.reference);
    std::vector<double> oursMs;
    std::vector<double> theirsMs;
    for (int i = 0; i < batches; ++i) {
        oursMs.push_back(batch(frames, turn, ours));
        theirsMs.push_back(batch(frames, turn, test.reference));
    }
    timing.oursMs = median(oursMs);
    timing.theirsMs = median(theirsMs);
    return timing;
}

} // namespace jetscope
