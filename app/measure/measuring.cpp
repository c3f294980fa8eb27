// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/measuring.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/progressline.h"
#include "app/commandline/textlayout.h"
#include "core/time/clock.h"
#include "gpu/device/backends.h"

#include <utility>

namespace jetscope {

namespace {

// The default source's size.
constexpr int kBenchWidth = 1280;
constexpr int kBenchHeight = 720;
constexpr std::uint64_t kDefaultSeconds = 60;
constexpr std::size_t kRoundsForTime = 1000;

JsonObject roundsProgressJson(const Rounds &rounds)
{
    JsonObject line{{"progress", rounds.progress()}, {"rounds", rounds.completeRounds()}};
    if (const auto ns = rounds.remainingNs())
        line["seconds_left"] = static_cast<double>(*ns) / 1e9;
    return line;
}

} // namespace

Result<OpenBench> openBench(const std::string &deviceId)
{
    OpenBench open;
    // Without a display everything but GL can be measured.
    if (Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(deviceId); display.ok())
        open.display = std::move(display).value();
    JETSCOPE_TRY_ASSIGN(open.device, openDevice(deviceId, open.display));
    JETSCOPE_TRY_ASSIGN(open.bench, ProbeBench::create(*open.device, open.display, kBenchWidth, kBenchHeight));
    return open;
}

RoundsMethod roundsMethod(const Options &options, std::size_t most)
{
    RoundsMethod method;
    method.most = options.seconds ? kRoundsForTime : most;
    method.budgetNs = static_cast<std::int64_t>(options.seconds.value_or(kDefaultSeconds)) * 1'000'000'000;
    return method;
}

int tooFewRounds(const Rounds &rounds, bool interrupted)
{
    const std::string done = counted(rounds.completeRounds(), "round");
    const std::string end = rounds.stopReason().empty() ? "" : ": " + rounds.stopReason();
    return complain(sentence(interrupted ? "interrupted after " + done + "; nothing is kept"
                                         : done + " measured, and " + std::to_string(kMinRounds) + " are needed" + end),
                    Failed);
}

bool runRounds(Rounds &rounds, Device &device, const Interrupt &interrupt, bool jsonLines)
{
    ProgressLine progress;
    ProgressJson lines(jsonLines);
    bool saidLonger = false;
    while (!rounds.isOver()) {
        if (interrupt.requested())
            return true;
        rounds.step();
        if (rounds.lastError() && device.isLost())
            rounds.stop("the device was lost: " + rounds.lastError()->message());
        if (const auto ns = rounds.longerNs(); ns && !std::exchange(saidLonger, true)) {
            progress.clear();
            complain(counted(kMinRounds, "round") + " are expected to take about " + clockText(*ns)
                     + ", longer than the time for them. They are measured all the same, because figures need them; "
                       "Ctrl-C ends it");
        }
        std::string text = counted(rounds.completeRounds(), "round") + " measured";
        if (const auto ns = rounds.remainingNs())
            text += " · about " + clockText(*ns);
        progress.show(rounds.progress(), text, nowNs());
        lines.show([&rounds] { return roundsProgressJson(rounds); }, nowNs());
    }
    return false;
}

} // namespace jetscope
