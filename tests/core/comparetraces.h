// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturecomparison.h"
#include "tests/core/pathtraces.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace jetscope::test {

/// What a synthetic run does.
struct RunOfFrames {
    int frames = 300;
    double kernelMs = 5;
    double submitMs = 0.4;
    double noise = 0.02;    ///< Relative standard deviation of each duration.
    double correlation = 0; ///< Of the noise of neighbouring frames.
    double runNoise = 0;    ///< As `noise`, for the whole run.
    double delayed = 0.01;  ///< Share of frames that a disturbance makes 1.5 times as long.
    bool withFrames = true;
};

/// A pipeline that submits a kernel and waits for it: the kernel is on the critical path.
inline Trace runTrace(std::uint32_t seed, const RunOfFrames &run = {})
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const double whole = 1 + run.runNoise * normal(random);
    double slow = normal(random); // The part of the noise that changes slowly.
    const auto ns = [&](double ms) {
        const double deviation = std::sqrt(run.correlation) * slow + std::sqrt(1 - run.correlation) * normal(random);
        const double factor = std::max(0.5, whole * (1 + run.noise * deviation));
        const bool isDelayed = std::uniform_real_distribution<double>(0, 1)(random) < run.delayed;
        return static_cast<std::int64_t>(ms * 1e6 * factor * (isDelayed ? 1.5 : 1));
    };
    std::vector<Span> spans;
    std::vector<FrameFigures> figures;
    std::int64_t at = 1'000'000;
    for (int i = 0; i < run.frames; ++i) {
        const auto frame = static_cast<std::uint32_t>(i);
        slow = run.correlation * slow + std::sqrt(1 - run.correlation * run.correlation) * normal(random);
        const std::int64_t start = at;
        const std::int64_t submitted = start + ns(run.submitMs);
        const std::int64_t done = submitted + ns(run.kernelMs);
        const std::int64_t end = done + ns(0.1);
        spans.push_back(namedSpan(kPipeline, "submit kernels", Category::Submit, start, submitted, frame));
        spans.push_back(namedSpan(kStream0, "sobel", Category::Kernel, submitted, done, frame));
        spans.push_back(namedSpan(kPipeline, "cudaStreamSynchronize", Category::WaitSync, submitted, done, frame));
        spans.push_back(namedSpan(kPipeline, "tidy up", Category::Submit, done, end, frame));
        FrameFigures of = frameOf(frame, start, end - start, done - start);
        of.latencyNs = of.frameNs + 200'000;
        of.overlap = {end - start, end - start - (done - submitted), done - submitted, 0, 0};
        of.waitSyncNs = done - submitted;
        of.bytesCopied = 1000;
        figures.push_back(of);
        at = end;
    }
    Trace trace = pathTrace(std::move(spans), run.withFrames ? figures : std::vector<FrameFigures>{});
    TraceOrigin origin;
    origin.device = "a device";
    origin.source = "synthetic:";
    origin.program = "Jetscope 0.1.0";
    origin.config = PipelineConfig{};
    trace.setOrigin(origin);
    return trace;
}

inline CaptureFigures captureOf(const Trace &trace, const std::string &file = "a.jscope")
{
    NoProgress progress;
    CaptureFigures figures = *figuresOfCapture(trace, progress);
    figures.file = file;
    return figures;
}

inline CaptureFigures captureOf(std::uint32_t seed, const RunOfFrames &run = {})
{
    return captureOf(runTrace(seed, run), "seed" + std::to_string(seed) + ".jscope");
}

} // namespace jetscope::test
