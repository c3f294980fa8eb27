// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/verdict.h"

#include "core/enumtable.h"
#include "core/text/numbertext.h"

#include <utility>

namespace jetscope {

namespace {

/// The last one goes on with "view: …".
constexpr auto kPrefixes = enumWords<Bottleneck>(
    {"", "Input-bound: ", "CPU-bound: ", "GPU-bound: ", "Held up between the steps: ", "Held up by the "});

constexpr std::size_t kMinVerdictFrames = 5;
/// Above this share, device work is the larger part of the path.
constexpr double kLargerPart = 0.5;

std::string msAFrame(double ms)
{
    return fixedText(ms, ms < 1 ? 2 : 1) + " ms a frame";
}

Bottleneck bottleneckOf(const PathShare &share)
{
    if (share.bounded)
        return Bottleneck::Unknown; // The work may have been far shorter than its bounds.
    switch (share.cause) {
    case PathCause::Camera:
    case PathCause::Capture:
        return Bottleneck::Camera;
    case PathCause::CpuStage:
    case PathCause::Upload:
    case PathCause::Submit:
    case PathCause::Tool:
        return Bottleneck::Cpu;
    case PathCause::Present:
        return Bottleneck::View;
    case PathCause::Kernel:
    case PathCause::Copy:
    case PathCause::Draw:
        return Bottleneck::Gpu;
    case PathCause::Call:
    case PathCause::LaunchDelay:
    case PathCause::OtherContext:
    case PathCause::WakeUp:
        return Bottleneck::HandOver;
    case PathCause::Unknown:
        break;
    }
    return Bottleneck::Unknown;
}

std::string_view prefixOf(Bottleneck bottleneck)
{
    return kPrefixes[static_cast<std::size_t>(bottleneck)];
}

double shareOf(const PathSummary &path, Bottleneck bottleneck)
{
    double sum = 0;
    for (const PathShare &share : path.shares)
        sum += bottleneckOf(share) == bottleneck ? share.share : 0;
    return sum;
}

const PathShare *largestExplained(const PathSummary &path)
{
    for (const PathShare &share : path.shares)
        if (share.cause != PathCause::Unknown)
            return &share;
    return nullptr;
}

const PathShare *largestDeviceWork(const PathSummary &path)
{
    for (const PathShare &share : path.shares)
        if (share.isCertainDeviceWork())
            return &share;
    return nullptr;
}

/// For example "thread not scheduled (Pipeline)": causes that occur on several lanes are shown with the lane.
std::string whatAndWhere(const PathShare &share)
{
    return share.lane.empty() || isNamed(share.cause) || share.cause == PathCause::Camera
        ? share.what
        : share.what + " (" + share.lane + ")";
}

std::string asSentence(std::string words)
{
    if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
        words.front() = static_cast<char>(words.front() - 'a' + 'A');
    return words + ".";
}

/// A warning that must come first; empty for a safe configuration.
std::string unsafeWords(const PipelineConfig &config, const DeviceFacts &facts)
{
    const PipelineConfig legal = nearestLegal(config, facts);
    if (legal.sync != config.sync)
        return "First make the hand-over safe; until then: ";
    return legal.memory != config.memory ? "First make the memory safe; until then: " : "";
}

bool hasTooFewFrames(const PathSummary &path)
{
    return path.frames < kMinVerdictFrames || path.empty();
}

/// `first` is the text before the verdict.
Verdict verdictOf(const PathSummary &path, const std::string &first)
{
    const double device = path.deviceShare();
    const PathShare *largest = device > kLargerPart ? largestDeviceWork(path) : largestExplained(path);
    const double unexplained = path.unexplained();
    if (largest && largest->purpose == Purpose::OwnCode && largest->share >= unexplained)
        return {Bottleneck::Unknown,
                asSentence(first + "the program's own code between its calls takes " + wholePercent(largest->share)
                           + " of the period (" + msAFrame(largest->ms)
                           + "); whether it works or waits there is not seen")};
    if (!largest || (device <= kLargerPart && unexplained > largest->share))
        return {Bottleneck::Unknown,
                asSentence(first + "nothing in the trace explains " + wholePercent(unexplained)
                           + " of the period, more than any one thing takes")};
    Verdict verdict;
    if (device > kLargerPart)
        verdict.bottleneck = Bottleneck::Gpu;
    else if (!largest->bounded && shareOf(path, bottleneckOf(*largest)) > kLargerPart)
        verdict.bottleneck = bottleneckOf(*largest);
    verdict.sentence = first + std::string(prefixOf(verdict.bottleneck));
    if (device > kLargerPart && wholePercent(device) != wholePercent(largest->share))
        verdict.sentence += wholePercent(device) + " of the period is device work, most of it " + whatAndWhere(*largest)
            + " (" + wholePercent(largest->share) + ", " + msAFrame(largest->ms) + ")";
    else
        verdict.sentence += (largest->cause == PathCause::Camera ? "the pipeline " : "") + whatAndWhere(*largest)
            + (largest->cause == PathCause::Camera ? " for "
                   : largest->bounded              ? " takes at most "
                                                   : " takes ")
            + wholePercent(largest->share) + " of the period (" + msAFrame(largest->ms) + ")";
    if (unexplained > kUnexplainedSaid)
        verdict.sentence += "; nothing explains " + wholePercent(unexplained);
    verdict.sentence = asSentence(std::move(verdict.sentence));
    return verdict;
}

} // namespace

Verdict verdictOf(const PathSummary &path, const PipelineConfig &config, const DeviceFacts &facts)
{
    const std::string first = unsafeWords(config, facts);
    if (hasTooFewFrames(path))
        return {Bottleneck::Unknown, asSentence(first + "too few frames yet for a verdict")};
    return verdictOf(path, first);
}

Verdict verdictOf(const PathSummary &path)
{
    if (hasTooFewFrames(path))
        return {Bottleneck::Unknown, "There are too few complete frames for a verdict."};
    return verdictOf(path, std::string());
}

} // namespace jetscope
