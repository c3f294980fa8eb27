// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/candidates.h"
#include "core/measure/advice/trial.h"
#include "tests/core/pathshares.h"
#include "tests/core/profiles.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>
#include <set>

using namespace jetscope;
using namespace jetscope::test;

namespace {

PathShare copy(double ms)
{
    return shareOf(PathCause::Copy, "copy to device", LaneRole::DeviceStream, ms);
}
PathShare fetch(double ms)
{
    return shareOf(PathCause::Copy, "copy output to host", LaneRole::DeviceStream, ms);
}
PathShare upload(double ms)
{
    return shareOf(PathCause::Upload, "glTexSubImage2D", LaneRole::GlQueue, ms);
}

/// No setting can increase overlap further: four frames in flight on four streams.
PipelineConfig fullConfig()
{
    PipelineConfig config;
    config.framesInFlight = kMaxFramesInFlight;
    config.streams = kMaxStreams;
    return config;
}

std::vector<Candidate> candidates(std::vector<PathShare> shares, const PipelineConfig &config, const DeviceFacts &facts)
{
    return candidatesFor(pathOf(std::move(shares)), nearestLegal(config, facts), facts, config.wait);
}

const Candidate *find(const std::vector<Candidate> &list, const std::string &setting)
{
    for (const Candidate &candidate : list)
        if (candidate.setting() == setting)
            return &candidate;
    return nullptr;
}

std::string settingsIn(const std::vector<Candidate> &list)
{
    std::string text;
    for (const Candidate &candidate : list)
        text += candidate.setting() + " ";
    return text;
}

} // namespace

class TestCandidates : public QObject {
    Q_OBJECT

    const DeviceFacts m_orin = test::softwareFacts("soft:orin", 8, 7);
    const DeviceFacts m_thor = test::softwareFacts("soft:thor", 11, 0);
    const DeviceFacts m_card = test::discreteFacts();

private slots:
    void whatNoChoiceCanRemoveYieldsNone()
    {
        QVERIFY(candidates({kernel(10)}, {}, m_card).empty());
        QVERIFY(candidates({camera(45), kernel(4), draw(1)}, {}, m_card).empty());
        QVERIFY(candidates({unknown(10)}, {}, m_orin).empty());
        QVERIFY(candidates({}, {}, m_orin).empty());
    }

    void tooFewFramesYieldNone()
    {
        PathSummary path = pathOf({copy(5), kernel(5)});
        QVERIFY(!candidatesFor(path, {}, m_orin, WaitPolicy::Auto).empty());
        path.frames = 5;
        QVERIFY(candidatesFor(path, {}, m_orin, WaitPolicy::Auto).empty());
    }

    void aCopyCanStayAwayWhereMemoryIsShared()
    {
        const auto orin = candidates({copy(4), kernel(6)}, fullConfig(), m_orin);
        const Candidate *inPlace = find(orin, "memory=zero-copy");
        QVERIFY2(inPlace, settingsIn(orin).c_str());
        QCOMPARE(inPlace->atMost, 0.4);
        QVERIFY(inPlace->replaced); // The GPU reads without its cache.
        QVERIFY(inPlace->basis.starts_with("copy to device takes 40 % of the period: "));
        // With full coherency the GPU caches registered memory, so nothing replaces the copy; pinned memory is not
        // cached.
        const auto thor = candidates({copy(4), kernel(6)}, fullConfig(), m_thor);
        QVERIFY(find(thor, "memory=registered") && !find(thor, "memory=registered")->replaced);
        QVERIFY(find(thor, "memory=zero-copy") && find(thor, "memory=zero-copy")->replaced);
        PipelineConfig inPinned = fullConfig();
        inPinned.memory = MemoryKind::ZeroCopy;
        QVERIFY(find(candidates({kernel(6)}, inPinned, m_thor), "memory=pinned"));
        inPinned.memory = MemoryKind::Registered;
        QVERIFY(!find(candidates({kernel(6)}, inPinned, m_thor), "memory=pinned"));
        // Over a bus the frame must be transferred anyway.
        QVERIFY(!find(candidates({copy(4), kernel(6)}, fullConfig(), m_card), "memory=zero-copy"));
    }

    void mostComesFromThePathBehindAPiece()
    {
        PathShare hidden = copy(4);
        hidden.mostShare = 0.1;
        const auto list = candidates({hidden, kernel(6)}, fullConfig(), m_orin);
        QCOMPARE(find(list, "memory=zero-copy")->atMost, 0.1);
        hidden.mostShare = 0.02; // Too little for a trial.
        QVERIFY(!find(candidates({hidden, kernel(6)}, fullConfig(), m_orin), "memory=zero-copy"));
    }

    void severalPiecesAddUp()
    {
        PipelineConfig config = fullConfig();
        config.output = OutputKind::CopyBack;
        PathShare one = fetch(3);
        PathShare two = upload(2);
        one.mostShare = two.mostShare = 0; // Each is hidden behind the other.
        const auto list = candidates({one, two, kernel(5)}, config, m_card);
        QVERIFY2(find(list, "output=eglimage"), settingsIn(list).c_str());
        QCOMPARE(find(list, "output=eglimage")->atMost, 0.5);
        QVERIFY(!find(list, "output=eglimage")->replaced);
        // The software iGPU needs its own copies for a texture and has no GL interop.
        const auto software = candidates({one, two, kernel(5)}, config, m_orin);
        QVERIFY(find(software, "output=eglimage") && find(software, "output=eglimage")->replaced);
        QVERIFY(!find(software, "output=gl-interop"));
        QVERIFY(find(candidates({one, two, kernel(5)}, config, m_card), "output=gl-interop")->replaced);
    }

    void overlapIsBoundedByTheBusiestLaneAndByTheFrames()
    {
        PipelineConfig config;
        config.framesInFlight = 1;
        const auto list = candidates({kernel(4), stage(3), late(3)}, config, m_card);
        QCOMPARE(find(list, "frames-in-flight=2")->atMost, 0.5); // Two frames at a time are at best twice as fast.
        QCOMPARE(find(list, "frames-in-flight=3")->atMost, 0.6); // The busiest lane is the limit.
        QCOMPARE(find(list, "frames-in-flight=4")->atMost, 0.6);
        QVERIFY(find(list, "frames-in-flight=3") < find(list, "frames-in-flight=4")); // Of equals, the smaller first.
        // Unexplained time is not counted as removable.
        QCOMPARE(find(candidates({kernel(4), stage(3), unknown(3)}, config, m_card), "frames-in-flight=4")->atMost,
                 0.3);
        config.sync = SyncMode::Finish; // Waits for all frames in flight.
        QVERIFY(find(candidates({kernel(4), stage(3), late(3)}, config, m_card), "frames-in-flight=2"));
        QVERIFY(!find(candidates({kernel(4), stage(3), late(3)}, config, m_card), "frames-in-flight=3"));
        config.sync = SyncMode::Event;
        config.cpuStage = CpuStagePlacement::Serial;
        const auto serial = candidates({kernel(4), stage(3), late(3)}, config, m_card);
        QVERIFY(!find(serial, "frames-in-flight=2")); // Serial placement processes one frame at a time.
        QCOMPARE(find(serial, "cpu-stage=pipelined")->atMost, 0.5);
        QVERIFY(!find(serial, "cpu-stage=off") && !find(serial, "cpu-stage=same-input")); // They change the result.
    }

    /// In a flush a driver waits for the GPU, and a late thread is not busy.
    void aFlushDoesNotHoldUpFramesBesideIt()
    {
        PipelineConfig config;
        config.framesInFlight = 1;
        const PathShare flush = shareOf(PathCause::Submit, "eglCreateSync, glFlush", LaneRole::Pipeline, 6);
        const auto list = candidates({flush, late(2), kernel(2)}, config, m_card);
        QCOMPARE(find(list, "frames-in-flight=2")->atMost, 0.5);
        QCOMPARE(find(list, "frames-in-flight=4")->atMost, 0.75);
        const PathShare calls = shareOf(PathCause::Submit, "submit", LaneRole::Pipeline, 6);
        QCOMPARE(find(candidates({calls, late(2), kernel(2)}, config, m_card), "frames-in-flight=4")->atMost, 0.4);
    }

    /// They share the CPU cores with the rasteriser's threads.
    void threadsOfTheSoftwareDeviceAreNotPromised()
    {
        PipelineConfig config;
        config.framesInFlight = 2;
        const auto list = candidates({copy(3), kernel(7)}, config, m_orin);
        QVERIFY(find(list, "streams=2") && find(list, "streams=2")->replaced);
    }

    void moreFramesOfPagesThatMoveAreNotPromised()
    {
        PipelineConfig config;
        config.framesInFlight = 1;
        config.memory = MemoryKind::Unified;
        for (const SyncMode sync : {SyncMode::Event, SyncMode::Finish}) {
            config.sync = sync;
            const auto card = candidates({kernel(4), stage(3), late(3)}, config, m_card);
            QVERIFY(find(card, "frames-in-flight=2") && find(card, "frames-in-flight=2")->replaced);
            const auto thor = candidates({kernel(4), stage(3), late(3)}, config, m_thor); // No page migration.
            QVERIFY(find(thor, "frames-in-flight=2") && !find(thor, "frames-in-flight=2")->replaced);
        }
    }

    /// The wait for the copy, the calls for copy and upload, and the draw to which an upload was deferred.
    void whatGoesWithACopyBackIsInItsMost()
    {
        PipelineConfig config = fullConfig();
        config.output = OutputKind::CopyBack;
        const auto list = candidates({fetch(2), upload(1), late(3), draw(2), kernel(2)}, config, m_card);
        QVERIFY2(find(list, "output=eglimage"), settingsIn(list).c_str());
        QCOMPARE(find(list, "output=eglimage")->atMost, 0.8);
        QVERIFY(!find(list, "output=eglimage")->replaced);
    }

    /// CUDA and OpenGL ES take turns on a GPU; on the software iGPU they are threads.
    void oneGpuDoesNotOverlapWithItself()
    {
        PipelineConfig config;
        config.framesInFlight = 1;
        QVERIFY(!find(candidates({kernel(5), draw(5)}, config, m_card), "frames-in-flight=2"));
        QCOMPARE(find(candidates({kernel(5), draw(5)}, config, m_orin), "frames-in-flight=2")->atMost, 0.5);
        QCOMPARE(find(candidates({kernel(4), draw(3), stage(3)}, config, m_card), "frames-in-flight=2")->atMost, 0.3);
    }

    void streamsLetACardCopyBesideKernels()
    {
        PipelineConfig config;
        config.framesInFlight = 2;
        const auto list = candidates({copy(3), kernel(7)}, config, m_card);
        QCOMPARE(find(list, "streams=2")->atMost, 0.3);
        QVERIFY(!find(list, "streams=3")); // More than the frames in flight.
        QVERIFY(!find(candidates({kernel(7), draw(3)}, config, m_card), "streams=2"));
    }

    void anotherSynchronizationIsNeverPromised()
    {
        const auto list = candidates({late(4), kernel(6)}, fullConfig(), m_orin);
        std::vector<std::string> names;
        for (const Candidate &candidate : list) {
            if (candidate.key != "sync")
                continue;
            names.push_back(candidate.value);
            QCOMPARE(candidate.atMost, 0.4);
            QVERIFY(candidate.replaced);
        }
        // All legal values except the current one; none is promised more, so that what needs another thread is last.
        QCOMPARE(names, (std::vector<std::string>{"finish", "stream", "event", "poll", "callback", "flag", "graph"}));
    }

    void withACamerasPaceTheFrameTimeCounts()
    {
        const auto list = candidates({camera(12), copy(3), kernel(1)}, fullConfig(), m_orin);
        const Candidate *inPlace = find(list, "memory=zero-copy");
        QVERIFY(inPlace);
        QCOMPARE(metricName(inPlace->metric), std::string_view("latency"));
        QCOMPARE(inPlace->atMost, 0.75);
        PipelineConfig config;
        QVERIFY(!find(candidates({camera(12), copy(3), kernel(1)}, config, m_orin), "frames-in-flight=3"));
    }

    void thePolicyInForceIsNotOffered()
    {
        PipelineConfig config = fullConfig();
        config.sync = SyncMode::Event;
        const PathSummary path = pathOf({late(4), kernel(6)});
        QVERIFY(find(candidatesFor(path, config, m_card, WaitPolicy::Yield), "wait=spin"));
        QVERIFY(!find(candidatesFor(path, config, m_card, WaitPolicy::Spin), "wait=spin"));
        config.sync = SyncMode::Callback; // No thread waits in the driver.
        QVERIFY(!find(candidatesFor(path, config, m_card, WaitPolicy::Yield), "wait=spin"));
    }

    /// For all combinations of measurements and settings, on every device.
    void everyCandidateIsLegalAnotherOneAndInOrder()
    {
        std::mt19937 random(4);
        const auto any = [&](auto list) { return list[random() % list.size()].value; };
        std::vector<DeviceFacts> devices = test::softwareProfiles();
        devices.push_back(test::jetsonFacts());
        devices.push_back(m_card);
        std::size_t seen = 0;
        for (int round = 0; round < 5000; ++round) {
            PipelineConfig config;
            config.memory = any(choices<MemoryKind>());
            config.output = any(choices<OutputKind>());
            config.sync = any(choices<SyncMode>());
            config.wait = any(choices<WaitPolicy>());
            config.cpuStage = any(choices<CpuStagePlacement>());
            config.framesInFlight = 1 + static_cast<int>(random() % 4);
            config.streams = 1 + static_cast<int>(random() % 4);
            const DeviceFacts &facts = devices[random() % devices.size()];
            const auto ms = [&] { return static_cast<double>(random() % 1000) / 100; };
            std::vector<PathShare> shares{kernel(ms()), copy(ms()),  fetch(ms()), upload(ms()),
                                          draw(ms()),   stage(ms()), late(ms()),  unknown(ms() + 0.01)};
            if (random() % 2)
                shares.push_back(camera(ms()));
            double before = 1;
            std::set<std::string> settings;
            for (const Candidate &candidate : candidatesFor(pathOf(shares), config, facts, config.wait)) {
                ++seen;
                const PipelineConfig then = withCandidate(config, candidate);
                QVERIFY(then != config);
                QVERIFY2(availability(then, facts).legal(), candidate.setting().c_str());
                QVERIFY(candidate.atMost >= kMinAtMost && candidate.atMost <= before);
                before = candidate.atMost;
                QVERIFY(settings.insert(candidate.setting()).second);
                QVERIFY(!candidate.basis.empty());
            }
        }
        QVERIFY(seen > 10000);
    }

    void adviceIsTheFirstUntriedOneThatNothingTakesThePlaceOf()
    {
        std::vector<TriedCandidate> list(3);
        list[0].candidate.replaced = true;
        list[1].candidate.value = "one";
        list[2].candidate.value = "two";
        QCOMPARE(adviceOf(list)->value, std::string("one"));
        list[1].tried = TrialOutcome();
        QCOMPARE(adviceOf(list)->value, std::string("two"));
        list[2].tried = TrialOutcome();
        QVERIFY(!adviceOf(list));
    }
};

JETSCOPE_TEST(TestCandidates)
#include "tst_candidates.moc"
