// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Compares the sources of GPU time with CUPTI in the same run, and measures their cost per frame; see README.md beside
// this file.
// Usage: bench_gputime DEVICE [accuracy|cost|noise SECONDS]
#include "core/time/clock.h"
#include "gpu/cupti/cuptisession.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/device/backends.h"
#include "gpu/pipeline/pipeline.h"
#include "tests/bench/gpubench.h"
#include "tests/bench/quantile.h"
#include "tests/support/stillsource.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace jetscope;

namespace {

/// Stamps and CUPTI's records are mapped to the host's clock in two ways, each with a small error.
constexpr std::int64_t kToleranceNs = 2'000;

struct Case {
    OutputKind output = OutputKind::EglImage;
    SyncMode sync = SyncMode::Event;
    int width = 1920;
    int height = 1080;
    std::vector<Filter> filters = {Filter::Gaussian5, Filter::Sobel};
    int framesInFlight = 2;
};

struct Run {
    std::vector<Span> spans;
    std::map<LaneId, LaneRole> roles;
    std::vector<FrameFigures> figures;
    double usAFrame = 0;
};

/// Null: not traced at all. None if the device does not have the choice.
std::optional<Run> runCase(const std::string &device, const Case &test, std::optional<GpuTime> source,
                           std::uint64_t frames)
{
    PipelineSetup setup;
    setup.display = need(openHeadlessDisplay(device));
    setup.deviceId = device;
    setup.source = std::make_unique<testing::StillSource>(test.width, test.height, frames);
    setup.config.output = test.output;
    setup.config.sync = test.sync;
    setup.config.filters = test.filters;
    setup.config.framesInFlight = test.framesInFlight;
    setup.config.gpuTime = source.value_or(GpuTime::Auto);
    setup.traced = source.has_value();
    setup.hostFiles.clear();
    const Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok()) {
        std::printf("  %s\n", pipeline.error().message().c_str());
        return std::nullopt;
    }
    Run run;
    std::uint64_t warm = 0;
    std::int64_t beginNs = 0;
    const auto drainUpdates = [&] {
        PipelineUpdate update = pipeline.value()->drainUpdates();
        run.spans.insert(run.spans.end(), update.spans.begin(), update.spans.end());
        run.figures.insert(run.figures.end(), update.figures.begin(), update.figures.end());
        for (const LaneInfo &lane : update.lanes)
            run.roles[lane.id] = lane.role;
    };
    while (true) {
        const PipelineStatus status = pipeline.value()->status();
        if (beginNs == 0 && status.frames > frames / 5) {
            beginNs = nowNs();
            warm = status.frames;
        }
        drainUpdates();
        if (status.state != PipelineState::Running) {
            run.usAFrame = static_cast<double>(nowNs() - beginNs) / 1e3 / static_cast<double>(status.frames - warm);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    drainUpdates();
    return run;
}

// --- accuracy

/// What stamps do not see of a kernel has spans of its own.
bool isUnseenPart(const Span &span)
{
    return spanName(span.name) == "launch and end";
}

/// The longest of them; 0 if there are none.
std::int64_t unseenNs(const Run &run)
{
    std::int64_t ns = 0;
    for (const Span &span : run.spans)
        ns = isUnseenPart(span) ? std::max(ns, span.durationNs) : ns;
    return ns;
}

std::vector<Span> deviceSpans(const Run &run, Category category)
{
    std::vector<Span> spans;
    for (const Span &span : run.spans) {
        const auto role = run.roles.find(span.lane);
        if (role != run.roles.end() && role->second == LaneRole::DeviceStream && spanCategory(span.name) == category
            && !isUnseenPart(span))
            spans.push_back(span);
    }
    std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.frame < b.frame; });
    return spans;
}

std::vector<GpuActivity> filterKernels(const std::vector<GpuActivity> &all)
{
    std::vector<GpuActivity> kernels;
    for (const GpuActivity &one : all)
        if (one.kind == GpuActivity::Kind::Kernel && one.ours
            && (one.name.find("streamFast") != std::string_view::npos
                || one.name.find("streamGeneric") != std::string_view::npos
                || one.name.find("gaussian15") != std::string_view::npos))
            kernels.push_back(one);
    std::sort(kernels.begin(), kernels.end(),
              [](const GpuActivity &a, const GpuActivity &b) { return a.startNs < b.startNs; });
    return kernels;
}

std::vector<GpuActivity> inputCopies(const std::vector<GpuActivity> &all)
{
    std::vector<GpuActivity> copies;
    for (const GpuActivity &one : all)
        if (one.kind == GpuActivity::Kind::Memcpy && one.copy == GpuCopy::HostToDevice && one.bytes > 100'000)
            copies.push_back(one);
    std::sort(copies.begin(), copies.end(),
              [](const GpuActivity &a, const GpuActivity &b) { return a.startNs < b.startNs; });
    return copies;
}

/// How many of the intervals are within their spans, and the widths of both. Kernels of trials come before those of
/// frames.
/// `unseen`: how much longer than its span a record may be; 0 if it may not.
void compare(const char *what, std::vector<Span> spans, std::vector<GpuActivity> reference, std::int64_t toleranceNs,
             std::int64_t unseen)
{
    const std::size_t paired = std::min(spans.size(), reference.size());
    spans.erase(spans.begin(), spans.end() - static_cast<std::ptrdiff_t>(paired));
    reference.erase(reference.begin(), reference.end() - static_cast<std::ptrdiff_t>(paired));
    std::vector<double> ours;
    std::vector<double> theirs;
    std::vector<double> startError;
    for (const Span &span : spans)
        ours.push_back(static_cast<double>(span.durationNs) / 1e3);
    for (const GpuActivity &one : reference)
        theirs.push_back(static_cast<double>(one.endNs - one.startNs) / 1e3);
    if (ours.empty() || theirs.empty()) {
        std::printf("    %-7s %zu spans, %zu records\n", what, ours.size(), theirs.size());
        return;
    }
    std::size_t inside = 0;
    std::size_t bounded = 0;
    std::size_t between = 0;
    const std::size_t common = std::min(spans.size(), reference.size());
    for (std::size_t i = 0; i < common; ++i) {
        const std::int64_t ns = reference[i].endNs - reference[i].startNs;
        between += ns >= spans[i].durationNs && ns <= spans[i].durationNs + unseen ? 1 : 0;
        if (spanCertainty(spans[i].name) == Certainty::Bounded)
            ++bounded;
        inside += spans[i].startNs - toleranceNs <= reference[i].startNs
                && spans[i].endNs() + toleranceNs >= reference[i].endNs
            ? 1
            : 0;
        startError.push_back(static_cast<double>(spans[i].startNs - reference[i].startNs) / 1e3);
    }
    std::printf("    %-7s median %7.2f us, CUPTI %7.2f; p95 %7.2f, CUPTI %7.2f; start off by %6.2f (%.2f to %.2f); "
                "%zu spans, %zu records, %.1f %% bounded, %.2f %% of records inside\n",
                what, median(ours), median(theirs), quantile(ours, 0.95), quantile(theirs, 0.95), median(startError),
                quantile(startError, 0.01), quantile(startError, 0.99), spans.size(), reference.size(),
                100.0 * static_cast<double>(bounded) / static_cast<double>(common),
                100.0 * static_cast<double>(inside) / static_cast<double>(common));
    if (unseen > 0)
        std::printf(
            "            launch and end take at most %.2f us more; %.2f %% of records are as long as that says\n",
            static_cast<double>(unseen) / 1e3, 100.0 * static_cast<double>(between) / static_cast<double>(common));
}

std::string caseName(const Case &test)
{
    return std::string(nameOf(test.output)) + " " + std::string(nameOf(test.sync)) + " " + std::to_string(test.height)
        + "p " + filterNames(test.filters, "+");
}

void measureAccuracy(const std::string &device, const std::vector<Case> &cases)
{
    const CuptiOutcome outcome = awaitCuptiOutcome(0);
    if (!outcome.usable.available) {
        std::printf("no CUPTI to compare with: %s\n", outcome.usable.reason.c_str());
        return;
    }
    const CuptiLibrary library = need(CuptiLibrary::load(outcome.library));
    for (const Case &test : cases) {
        std::printf("%s\n", caseName(test).c_str());
        for (const GpuTime source : {GpuTime::Stamped, GpuTime::Bounds, GpuTime::Events, GpuTime::Cupti}) {
            std::unique_ptr<CuptiSession> session;
            if (source != GpuTime::Cupti)
                session = need(CuptiSession::open(library));
            const std::optional<Run> run = runCase(device, test, source, 2'000);
            if (!run)
                continue;
            std::vector<GpuActivity> records;
            if (session) {
                static_cast<void>(session->flush());
                session->take(records);
            }
            std::printf("  %-8s %.1f us a frame\n", std::string(nameOf(source)).c_str(), run->usAFrame);
            const std::int64_t toleranceNs = source == GpuTime::Bounds ? 0 : kToleranceNs;
            compare("kernels", deviceSpans(*run, Category::Kernel), filterKernels(records), toleranceNs,
                    unseenNs(*run));
            compare("copies", deviceSpans(*run, Category::Copy), inputCopies(records), toleranceNs, 0);
        }
    }
}

// --- cost

void measureCost(const std::string &device, const std::vector<Case> &cases)
{
    constexpr int kRounds = 7;
    const std::vector<GpuTime> sources = {GpuTime::Bounds, GpuTime::Stamped, GpuTime::Cupti, GpuTime::Events};
    for (const Case &test : cases) {
        std::vector<double> plain;
        std::map<GpuTime, std::vector<double>> ratios;
        for (int round = 0; round < kRounds; ++round) {
            for (const GpuTime source : sources) {
                const std::optional<Run> without = runCase(device, test, std::nullopt, 1'000);
                const std::optional<Run> with = runCase(device, test, source, 1'000);
                if (!without || !with)
                    continue;
                plain.push_back(without->usAFrame);
                ratios[source].push_back(with->usAFrame / without->usAFrame);
            }
        }
        if (plain.empty())
            continue;
        std::printf("%-44s untraced %7.1f us", caseName(test).c_str(), median(plain));
        for (const GpuTime source : sources)
            if (!ratios[source].empty())
                std::printf(" | %s %.3f (%.3f to %.3f)", std::string(nameOf(source)).c_str(), median(ratios[source]),
                            quantile(ratios[source], 0.25), quantile(ratios[source], 0.75));
        std::printf("\n");
        std::fflush(stdout);
    }
}

/// Keeps the GPU busy next to another process.
void makeNoise(const std::string &device, int seconds)
{
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    Case test;
    test.height = 2160;
    test.width = 3840;
    test.filters.assign(8, Filter::Gaussian15);
    test.output = OutputKind::CopyBack;
    while (std::chrono::steady_clock::now() < until)
        static_cast<void>(runCase(device, test, std::nullopt, 500));
}

std::vector<Case> allCases()
{
    std::vector<Case> cases;
    for (const int height : {720, 1080, 2160})
        for (const OutputKind output : {OutputKind::EglImage, OutputKind::GlInterop})
            for (const SyncMode sync : {SyncMode::Event, SyncMode::Finish, SyncMode::Stream, SyncMode::Poll,
                                        SyncMode::Callback, SyncMode::Implicit}) {
                if (sync == SyncMode::Implicit && output != OutputKind::GlInterop)
                    continue;
                Case test;
                test.output = output;
                test.sync = sync;
                test.height = height;
                test.width = height * 16 / 9;
                cases.push_back(test);
            }
    return cases;
}

} // namespace

int main(int argc, char **argv)
{
    if (const std::optional<int> code = cuptiTrialIfAsked(argc, argv))
        return *code;
    const std::string device = argc > 1 ? argv[1] : "cuda:0";
    const std::string what = argc > 2 ? argv[2] : "accuracy";
    if (what == "noise") {
        makeNoise(device, argc > 3 ? std::atoi(argv[3]) : 10);
        return 0;
    }
    // Selects some of them by a part of their names: "1080p", "event".
    std::vector<Case> cases = allCases();
    for (int i = 3; i < argc; ++i)
        std::erase_if(cases, [&](const Case &test) { return caseName(test).find(argv[i]) == std::string::npos; });
    if (what == "cost")
        measureCost(device, cases);
    else
        measureAccuracy(device, cases);
    return 0;
}
