// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Follows advice over a random sample of all choices; see README.md beside this file.
// Usage: bench_advice DEVICE [N [SEED [all]]]
#include "core/measure/advice/trial.h"
#include "core/time/clock.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/device/backends.h"
#include "gpu/measure/pipelinetrial.h"
#include "gpu/pipeline/pipeline.h"
#include "tests/bench/gpubench.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace jetscope;

namespace {

/// Enough frames for a path with candidates.
constexpr std::uint64_t kMinFrames = 40;
constexpr std::int64_t kMinNs = 400'000'000;
constexpr std::int64_t kPatienceNs = 20'000'000'000;

struct Sample {
    PipelineConfig config;
    int height = 480;

    std::string text() const
    {
        std::string out = std::to_string(height) + "p " + std::string(nameOf(config.memory)) + " "
            + std::string(nameOf(config.output)) + " " + std::string(nameOf(config.sync)) + " "
            + std::string(nameOf(config.wait)) + " " + filterNames(config.filters, "+") + " "
            + std::to_string(config.framesInFlight) + "f" + std::to_string(config.streams) + "s";
        if (config.cpuStage != CpuStagePlacement::Off)
            out += " " + std::string(nameOf(config.cpuStage)) + "/" + std::string(nameOf(config.cpuWork));
        return out;
    }
};

class Sampler {
public:
    Sampler(DeviceFacts facts, unsigned seed) : m_facts(std::move(facts)), m_random(seed) {}

    /// Any legal configuration.
    Sample next()
    {
        for (;;) {
            Sample sample;
            PipelineConfig &config = sample.config;
            config.memory = any<MemoryKind>();
            config.output = any<OutputKind>();
            config.sync = any<SyncMode>();
            config.wait = any<WaitPolicy>();
            config.cpuStage = cpuStageCapability().available ? any<CpuStagePlacement>() : CpuStagePlacement::Off;
            config.cpuWork = any<CpuWork>();
            config.framesInFlight = 1 + static_cast<int>(below(kMaxFramesInFlight));
            config.streams = 1 + static_cast<int>(below(static_cast<std::size_t>(config.framesInFlight)));
            config.filters.clear();
            for (std::size_t count = below(4); count > 0; --count)
                config.filters.push_back(any<Filter>());
            constexpr std::array<int, 3> kHeights = {480, 720, 1080};
            sample.height = kHeights[below(kHeights.size())];
            if (availability(config, m_facts).legal())
                return sample;
        }
    }

private:
    std::size_t below(std::size_t count) { return static_cast<std::size_t>((std::uint64_t{m_random()} * count) >> 32); }
    template <class T>
    T any()
    {
        return choices<T>()[below(choices<T>().size())].value;
    }

    const DeviceFacts m_facts;
    std::mt19937 m_random;
};

/// A pipeline whose updates are read until a condition holds.
class WatchedChoices {
public:
    WatchedChoices(const std::string &device, const std::shared_ptr<EglDisplay> &display, const Sample &sample)
    {
        PipelineSetup setup;
        setup.display = display;
        setup.deviceId = device;
        const std::string size = std::to_string(sample.height * 16 / 9 / 2 * 2) + "x" + std::to_string(sample.height);
        setup.source = need(openSource("synthetic:?size=" + size, Pacing::Unpaced));
        setup.config = sample.config;
        setup.hostFiles.clear();
        m_pipeline = need(Pipeline::create(std::move(setup)));
    }

    Pipeline &pipeline() { return *m_pipeline; }

    /// The path of the next frames, once there are enough.
    PathSummary path()
    {
        const auto first = static_cast<std::uint32_t>(m_pipeline->status().frames);
        PathSums sums;
        const std::int64_t beginNs = nowNs();
        do {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            const PipelineUpdate update = take();
            for (const PathPiece &piece : update.path)
                if (piece.frame >= first)
                    sums.add(piece);
            for (const PathGain &gain : update.pathGains)
                if (gain.firstFrame >= first)
                    sums.add(gain);
        } while ((sums.frames() < kMinFrames || nowNs() - beginNs < kMinNs) && nowNs() - beginNs < kPatienceNs);
        return sums.summary([](std::uint32_t name) { return internedName(static_cast<NameId>(name)); },
                            [this](LaneId id) { return id < m_lanes.size() ? &m_lanes[id] : nullptr; });
    }

    void warmUp()
    {
        while (m_pipeline->status().frames < 20 && m_pipeline->status().state == PipelineState::Running) {
            static_cast<void>(take());
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }

    TrialOutcome tryOut(const Candidate &candidate, const TrialLimits &limits)
    {
        PipelineTrial trial(*m_pipeline, candidate, limits);
        while (!trial.isBack()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            trial.take(take(), nowNs());
        }
        return trial.outcome();
    }

private:
    PipelineUpdate take()
    {
        PipelineUpdate update = m_pipeline->drainUpdates();
        m_lanes.insert(m_lanes.end(), update.lanes.begin(), update.lanes.end());
        return update;
    }

    std::unique_ptr<Pipeline> m_pipeline;
    std::vector<LaneInfo> m_lanes;
};

/// Whether the gain exceeds the promised maximum by more than noise.
bool isExceeded(const Candidate &candidate, const TrialOutcome &outcome)
{
    return outcome.isMeasured() && 1 - outcome.ratio - outcome.noise > candidate.atMost;
}

struct Tally {
    std::map<TrialVerdict, int> counts;
    int none = 0;
    int exceeded = 0;

    void print(const char *what) const
    {
        int tried = 0;
        for (const auto &[verdict, count] : counts)
            tried += count;
        const auto count = [&](TrialVerdict verdict) { return counts.count(verdict) ? counts.at(verdict) : 0; };
        std::printf(
            "%-24s %3d tried: %d faster, %d no difference, %d slower, %d without an answer; %d brought more than "
            "\"at most\"; %d had none\n",
            what, tried, count(TrialVerdict::Faster), count(TrialVerdict::Same), count(TrialVerdict::Slower),
            count(TrialVerdict::Refused) + count(TrialVerdict::Unfinished), exceeded, none);
    }
};

void printRow(const Sample &sample, const Candidate *candidate, const TrialOutcome *outcome)
{
    if (!candidate) {
        std::printf("%-78s | none\n", sample.text().c_str());
    } else if (outcome->isMeasured()) {
        std::printf("%-78s | %-26s%s at most %3.0f %% | %.3f ±%.3f (%2zu turns) | %s\n", sample.text().c_str(),
                    candidate->setting().c_str(), candidate->replaced ? "?" : " ", candidate->atMost * 100,
                    outcome->ratio, outcome->noise, outcome->turns, std::string(verdictName(outcome->verdict)).c_str());
    } else {
        std::printf("%-78s | %-26s%s at most %3.0f %% | %s\n", sample.text().c_str(), candidate->setting().c_str(),
                    candidate->replaced ? "?" : " ", candidate->atMost * 100, outcomeWords(*outcome).c_str());
    }
    std::fflush(stdout);
}

/// Prints the path if a promise was too small.
void printPath(const PathSummary &path)
{
    std::printf("    more than \"at most\":");
    for (const PathShare &share : path.shares)
        if (share.share >= 0.01)
            std::printf(" %s (%s) %.0f %%,", share.what.c_str(), share.lane.c_str(), share.share * 100);
    std::printf(" of %.3f ms\n", path.periodMs);
}

} // namespace

int main(int argc, char **argv)
{
    if (const std::optional<int> code = cuptiTrialIfAsked(argc, argv))
        return *code;
    const std::string device = argc > 1 ? argv[1] : "soft:orin";
    const int count = argc > 2 ? std::atoi(argv[2]) : 60;
    const unsigned seed = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
    const bool all = argc > 4 && std::string(argv[4]) == "all";
    TrialLimits limits;
    limits.ns = 4'000'000'000;

    const std::shared_ptr<EglDisplay> display = need(openHeadlessDisplay(device));
    const DeviceFacts facts =
        factsWith(need(openDevice(device, display))->facts(), Error{"--memory", 0, "the test card lies in memory"});
    Sampler sampler(facts, seed);
    Tally advised;
    Tally others;
    std::map<std::string, Tally> byKey;
    for (int i = 0; i < count; ++i) {
        const Sample sample = sampler.next();
        WatchedChoices watched(device, display, sample);
        watched.warmUp();
        const PathSummary path = watched.path();
        std::vector<TriedCandidate> list;
        for (Candidate &candidate : candidatesFor(path, sample.config, facts, watched.pipeline().status().waitInForce))
            list.push_back({std::move(candidate), std::nullopt});
        const Candidate *advice = adviceOf(list);
        if (!advice) {
            ++advised.none;
            printRow(sample, nullptr, nullptr);
        }
        for (const TriedCandidate &entry : list) {
            const bool isAdvice = &entry.candidate == advice;
            if (!isAdvice && !all)
                continue;
            const TrialOutcome outcome = watched.tryOut(entry.candidate, limits);
            printRow(sample, &entry.candidate, &outcome);
            Tally &key = byKey[entry.candidate.setting() + (entry.candidate.replaced ? " (replaces)" : "")];
            for (Tally *tally : {isAdvice ? &advised : &others, &key}) {
                ++tally->counts[outcome.verdict];
                tally->exceeded += isExceeded(entry.candidate, outcome) ? 1 : 0;
            }
            if (isExceeded(entry.candidate, outcome))
                printPath(path);
        }
    }
    std::printf("\n%s, %d configurations, seed %u\n", facts.name.c_str(), count, seed);
    for (const auto &[key, tally] : byKey)
        tally.print(key.c_str());
    advised.print("advice");
    if (all)
        others.print("all others");
    return 0;
}
