// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lab/sourcewatching.h"

#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/progressline.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"

#include <algorithm>
#include <chrono>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookAtSources{20};
/// Enough for percentiles of a source at 30 fps within some seconds.
constexpr std::uint64_t kDefaultWatchedFrames = 150;
constexpr std::int64_t kDefaultWatchNs = 20'000'000'000;

double doneOf(const WatchedSources &watched, double most)
{
    double done = 1;
    for (const auto &source : watched.sources)
        if (!source->ended())
            done = std::min(done, static_cast<double>(source->count()) / most);
    return done;
}

void waitForFrames(WatchedSources &watched, const Options &options, WatchRecording &recording, Tracer &tracer,
                   const Interrupt &interrupt)
{
    ProgressLine progress;
    ProgressJson lines(options.sweep.progress);
    const auto most = static_cast<double>(options.frames.value_or(kDefaultWatchedFrames));
    const std::int64_t startNs = nowNs();
    const std::int64_t limitNs =
        options.seconds ? static_cast<std::int64_t>(*options.seconds) * 1'000'000'000 : kDefaultWatchNs;
    for (bool isOver = false; !isOver;) {
        watched.interrupted = interrupt.waitFor(kLookAtSources);
        recording.collect(tracer);
        const std::int64_t ns = nowNs();
        const double done = std::max(doneOf(watched, most),
                                     std::min(1.0, static_cast<double>(ns - startNs) / static_cast<double>(limitNs)));
        std::uint64_t frames = 0;
        for (const auto &source : watched.sources)
            frames += source->count();
        progress.show(done, counted(frames, "frame"), ns);
        lines.show([&] { return JsonObject{{"progress", jsonNumber(done)}, {"frames", frames}}; }, ns);
        isOver = watched.interrupted || ns - startNs >= limitNs
            || std::all_of(watched.sources.begin(), watched.sources.end(),
                           [](const auto &source) { return source->ended(); });
    }
}

} // namespace

Result<WatchedSources> watchSources(const std::vector<std::string> &addresses, const Options &options,
                                    WatchRecording &recording, Tracer &tracer, const Interrupt &interrupt)
{
    WatchedSources watched;
    std::vector<std::unique_ptr<FrameSource>> opened;
    for (const std::string &address : addresses) {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<FrameSource> source, openSource(address, Pacing::Real));
        opened.push_back(std::move(source));
    }
    for (std::size_t i = 0; i < opened.size(); ++i)
        watched.sources.push_back(std::make_unique<SourceWatch>(
            std::move(opened[i]), opened.size() == 1 ? "Capture" : "Camera " + std::to_string(i + 1),
            static_cast<std::size_t>(options.frames.value_or(kDefaultWatchedFrames))));
    for (const auto &source : watched.sources)
        source->start(tracer);
    waitForFrames(watched, options, recording, tracer, interrupt);
    for (const auto &source : watched.sources)
        source->cancel();
    recording.collect(tracer);
    for (const auto &source : watched.sources)
        recording.addLost(*source);
    return watched;
}

} // namespace jetscope
