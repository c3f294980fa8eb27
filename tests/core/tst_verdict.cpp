// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verdict.h"
#include "profiles.h"

#include <QTest>

#include <random>

using namespace jetscope;

namespace {

RunFigures figuresOf(double periodMs, double cpuMs, double gpuMs)
{
    RunFigures figures;
    figures.frames = 100;
    figures.fps = 1e3 / periodMs;
    figures.cpuBusyMs = cpuMs;
    figures.gpuBusyMs = gpuMs;
    return figures;
}

RunFigures blockedFigures(double syncMs, double memoryMs)
{
    RunFigures figures = figuresOf(10, 3, 5);
    figures.syncMs = syncMs;
    figures.memoryMs = memoryMs;
    figures.blockedMs = syncMs + memoryMs;
    return figures;
}

} // namespace

class TestVerdict : public QObject {
    Q_OBJECT

    const DeviceFacts m_orin = test::softwareFacts("soft:orin", 8, 7);

private slots:
    void tooFewFramesHaveNone()
    {
        RunFigures figures = figuresOf(10, 5, 5);
        figures.frames = 2;
        const Verdict verdict = verdictOf(figures, {}, m_orin);
        QCOMPARE(verdict.bottleneck, Bottleneck::Unknown);
        QVERIFY(!verdict.sentence.empty());
        QVERIFY(verdict.suggestion.empty());
        QCOMPARE(verdictOf({}, {}, m_orin).bottleneck, Bottleneck::Unknown);
    }

    void theCameraLimitsWhatWaitsForIt()
    {
        RunFigures figures = figuresOf(33.3, 5, 8);
        figures.inputMs = 20;
        const Verdict verdict = verdictOf(figures, {}, m_orin);
        QCOMPARE(verdict.bottleneck, Bottleneck::Camera);
        QCOMPARE(verdict.sentence,
                 std::string("Camera-bound: the pipeline waits 20.0 ms of 33.3 ms a frame for the next picture."));
        QVERIFY(verdict.suggestion.empty());
    }

    void theHandOverIsNamedWithTheNextChoice()
    {
        PipelineConfig config;
        config.sync = SyncMode::Finish;
        const Verdict verdict = verdictOf(blockedFigures(4.2, 0), config, m_orin);
        QCOMPARE(verdict.bottleneck, Bottleneck::HandOver);
        QCOMPARE(verdict.sentence,
                 std::string("Serialised by the hand-over: cudaDeviceSynchronize blocks 4.2 ms a frame; try EGLSync."));
        QCOMPARE(verdict.suggestion, std::string("sync=eglsync"));
    }

    void theNextHandOverDependsOnTheDevice()
    {
        PipelineConfig config;
        config.sync = SyncMode::Event;
        const DeviceFacts discrete = test::discreteFacts();
        QCOMPARE(verdictOf(blockedFigures(4, 0), config, discrete).suggestion, std::string("sync=callback"));
        config.output = OutputKind::GlInterop;
        QCOMPARE(verdictOf(blockedFigures(4, 0), config, discrete).suggestion, std::string("sync=implicit"));
        config.sync = SyncMode::Implicit;
        QCOMPARE(verdictOf(blockedFigures(4, 0), config, discrete).suggestion, std::string("frames-in-flight=3"));
        config.framesInFlight = kMaxFramesInFlight;
        QVERIFY(verdictOf(blockedFigures(4, 0), config, discrete).suggestion.empty());
    }

    void theMemoryKindIsNamedWhenItBlocksMore()
    {
        PipelineConfig config;
        config.memory = MemoryKind::Unified;
        const Verdict verdict = verdictOf(blockedFigures(0.5, 3), config, m_orin);
        QCOMPARE(verdict.bottleneck, Bottleneck::HandOver);
        QCOMPARE(verdict.sentence, std::string("Serialised by the memory kind: Unified blocks 3.0 ms a frame; try "
                                               "Unified + attach hints."));
        QCOMPARE(verdict.suggestion, std::string("memory=unified-attach"));
    }

    /// Waiting for a GPU that is always busy is no fault of the hand-over.
    void aSaturatedSideExplainsTheWaits()
    {
        RunFigures figures = figuresOf(10, 3, 9.6);
        figures.syncMs = figures.blockedMs = 6;
        figures.bytesCopiedPerFrame = 1e6;
        const Verdict gpu = verdictOf(figures, {}, m_orin);
        QCOMPARE(gpu.bottleneck, Bottleneck::Gpu);
        QCOMPARE(gpu.suggestion, std::string("memory=zero-copy"));

        PipelineConfig config;
        config.cpuStage = CpuStagePlacement::Serial;
        config.memory = MemoryKind::Registered;
        const Verdict cpu = verdictOf(figuresOf(10, 9.5, 2), config, m_orin);
        QCOMPARE(cpu.bottleneck, Bottleneck::Cpu);
        QCOMPARE(cpu.suggestion, std::string("cpu-stage=pipelined"));
    }

    void gapsAskForMoreInFlight()
    {
        const Verdict verdict = verdictOf(figuresOf(10, 3, 5), {}, m_orin);
        QCOMPARE(verdict.bottleneck, Bottleneck::Gpu);
        QCOMPARE(verdict.suggestion, std::string("frames-in-flight=3"));
    }

    void whatIsUnsafeIsPutRightFirst()
    {
        PipelineConfig config;
        config.sync = SyncMode::None;
        const Verdict verdict = verdictOf(figuresOf(10, 9.5, 5), config, m_orin);
        QCOMPARE(verdict.suggestion, std::string("sync=eglsync"));
        config.sync = SyncMode::EglSync;
        config.memory = MemoryKind::Unified;
        config.cpuStage = CpuStagePlacement::SameInput;
        QCOMPARE(verdictOf(figuresOf(10, 9.5, 5), config, m_orin).suggestion, std::string("memory=unified-attach"));
    }

    void everySuggestionIsAvailableSafeAndNew()
    {
        std::mt19937 random(21);
        std::uniform_real_distribution<double> ms(0, 12);
        auto devices = test::softwareProfiles();
        devices.push_back(test::jetsonFacts());
        devices.push_back(test::discreteFacts());
        devices.push_back({});
        int suggestions = 0;
        const auto pick = [&](auto all) { return all[random() % all.size()].value; };
        for (int round = 0; round < 20'000; ++round) {
            const DeviceFacts &facts = devices[random() % devices.size()];
            PipelineConfig config;
            config.memory = pick(choices<MemoryKind>());
            config.output = pick(choices<OutputKind>());
            config.sync = pick(choices<SyncMode>());
            config.cpuStage = pick(choices<CpuStagePlacement>());
            config.framesInFlight = 1 + static_cast<int>(random() % 4);
            config = random() % 2 ? nearestLegal(config, facts) : config;
            RunFigures figures = figuresOf(10, ms(random), ms(random));
            figures.syncMs = ms(random) / 3;
            figures.memoryMs = ms(random) / 3;
            figures.blockedMs = figures.syncMs + figures.memoryMs;
            figures.inputMs = random() % 4 ? 0 : ms(random);
            figures.bytesCopiedPerFrame = random() % 2 ? 1e6 : 0;

            const Verdict verdict = verdictOf(figures, config, facts);
            QVERIFY(verdict.bottleneck != Bottleneck::Unknown);
            QCOMPARE(verdict.sentence.back(), '.');
            if (verdict.suggestion.empty())
                continue;
            ++suggestions;
            const auto equals = verdict.suggestion.find('=');
            PipelineConfig changed = config;
            QVERIFY(applySetting(changed, verdict.suggestion.substr(0, equals), verdict.suggestion.substr(equals + 1)).ok());
            QVERIFY(!(changed == config));
            if (availability(config, facts).legal())
                QVERIFY2(availability(changed, facts).legal(), verdict.suggestion.c_str());
        }
        QVERIFY(suggestions > 5000);
    }
};

QTEST_GUILESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
