// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/statistics.h"
#include "core/path/verdict.h"
#include "tests/core/pathshares.h"
#include "tests/core/pathtraces.h"
#include "tests/core/profiles.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;
using namespace jetscope::test;

class TestVerdict : public QObject {
    Q_OBJECT

    const DeviceFacts m_orin = test::softwareFacts("soft:orin", 8, 7);

    Verdict verdict(std::vector<PathShare> shares, const PipelineConfig &config = {}) const
    {
        return verdictOf(pathOf(std::move(shares)), config, m_orin);
    }
    static QString words(const Verdict &verdict) { return QString::fromStdString(verdict.sentence); }

private slots:
    void tooFewFramesHaveNone()
    {
        PathSummary path = pathOf({kernel(10)});
        path.frames = 2;
        QCOMPARE(verdictOf(path, {}, m_orin).bottleneck, Bottleneck::Unknown);
        QCOMPARE(words(verdictOf(path, {}, m_orin)), QString("Too few frames yet for a verdict."));
        QCOMPARE(words(verdictOf({}, {}, m_orin)), QString("Too few frames yet for a verdict."));
    }

    /// As in all tables; else a capture and the run that recorded it name different causes.
    void warmUpDoesNotCount()
    {
        std::vector<Span> spans;
        std::vector<FrameFigures> frames;
        const auto add = [&](int count, std::int64_t kernelMs) {
            for (int i = 0; i < count; ++i) {
                const auto frame = static_cast<std::uint32_t>(frames.size());
                const std::int64_t startNs =
                    frames.empty() ? 0 : frames.back().startNs + frames.back().overlap.periodNs;
                const std::int64_t endNs = startNs + kernelMs * 1'000'000;
                spans.push_back(namedSpan(kStream0, "gaussian15", Category::Kernel, startNs, endNs, frame));
                spans.push_back(namedSpan(kPipeline, "canny", Category::CpuStage, endNs, endNs + 8'000'000, frame));
                frames.push_back(frameOf(frame, startNs, kernelMs * 1'000'000 + 8'000'000, kernelMs * 1'000'000));
            }
        };
        add(static_cast<int>(StatisticsMethod().warmUp), 500);
        add(20, 1);
        NoProgress progress;
        Trace trace = pathTrace(spans, frames);
        trace.setFact({kAttachedFact, "yes"});
        const std::optional<PathSummary> path = summarisePaths(trace, progress);
        QVERIFY(path);
        QCOMPARE(path->frames, std::size_t{20});
        QVERIFY2(std::abs(path->periodMs - 9) < 0.1, qPrintable(QString::number(path->periodMs)));
    }

    void theLargestPieceIsNamedWithItsShare()
    {
        const Verdict limited = verdict({camera(45), kernel(4), draw(1)});
        QCOMPARE(limited.bottleneck, Bottleneck::Camera);
        QCOMPARE(words(limited),
                 QString("Input-bound: the pipeline waits for the source for 90 % of the period (45.0 ms a frame)."));
        const Verdict cpu = verdict({stage(30), kernel(8), late(2)});
        QCOMPARE(cpu.bottleneck, Bottleneck::Cpu);
        QCOMPARE(words(cpu), QString("CPU-bound: CPU stage Canny takes 75 % of the period (30.0 ms a frame)."));
        const Verdict view =
            verdict({shareOf(PathCause::Present, "read back", LaneRole::View, 30), kernel(8), late(2)});
        QCOMPARE(view.bottleneck, Bottleneck::View);
        QCOMPARE(words(view), QString("Held up by the view: read back takes 75 % of the period (30.0 ms a frame)."));
    }

    void gpuBoundNeedsTheLargerPart()
    {
        const Verdict gpu = verdict({kernel(6), draw(2), stage(2)});
        QCOMPARE(gpu.bottleneck, Bottleneck::Gpu);
        QCOMPARE(
            words(gpu),
            QString(
                "GPU-bound: 80 % of the period is device work, most of it kernel gaussian15 (60 %, 6.0 ms a frame)."));
        // The kernel is the largest piece, but all device work together is less than half.
        const Verdict mixed = verdict({kernel(4), stage(3), late(3)});
        QVERIFY(mixed.bottleneck != Bottleneck::Gpu);
        QCOMPARE(words(mixed), QString("Kernel gaussian15 takes 40 % of the period (4.0 ms a frame)."));
        QCOMPARE(words(verdict({kernel(10)})),
                 QString("GPU-bound: kernel gaussian15 takes 100 % of the period (10.0 ms a frame)."));
    }

    /// A bounded span does not prove that the GPU was busy, regardless of its length.
    void boundsAreNoProofOfABusyGpu()
    {
        PathShare wide = draw(8);
        wide.bounded = true;
        wide.what = pathWords(PathCause::Draw, "draw", true);
        const Verdict within = verdict({wide, kernel(1), stage(1)});
        QCOMPARE(within.bottleneck, Bottleneck::Unknown);
        QVERIFY2(words(within).contains(QStringLiteral("takes at most 80 %")), qPrintable(words(within)));
        QVERIFY(!words(within).contains(QStringLiteral("bound: ")));
        wide.bounded = false;
        QCOMPARE(verdict({wide, kernel(1), stage(1)}).bottleneck, Bottleneck::Gpu);
    }

    void whatTakesTimeBetweenTheStepsIsSaidWithItsLane()
    {
        const Verdict handOver = verdict({late(6), kernel(4)});
        QCOMPARE(handOver.bottleneck, Bottleneck::HandOver);
        QCOMPARE(words(handOver),
                 QString("Held up between the steps: thread not scheduled (Pipeline) takes 60 % of the period (6.0 ms "
                         "a frame)."));
    }

    void whatNothingExplainsIsSaid()
    {
        QVERIFY(words(verdict({kernel(8), stage(1), unknown(1)})).endsWith("; nothing explains 10 %."));
        QVERIFY(!words(verdict({kernel(8), stage(2), unknown(0.4)})).contains("explains"));
        const Verdict nobody = verdict({unknown(6), kernel(4)});
        QCOMPARE(nobody.bottleneck, Bottleneck::Unknown);
        QCOMPARE(words(nobody),
                 QString("Nothing in the trace explains 60 % of the period, more than any one thing takes."));
    }

    void aWrongConfigurationIsSaidFirst()
    {
        PipelineConfig config;
        config.sync = SyncMode::None;
        QVERIFY(words(verdict({kernel(8), stage(2)}, config))
                    .startsWith("First make the hand-over safe; until then: GPU-bound: "));
        QVERIFY(words(verdictOf({}, config, m_orin)).startsWith("First make the hand-over safe; until then: too few"));
        config = {};
        config.memory = MemoryKind::Unified;
        config.cpuStage = CpuStagePlacement::SameInput;
        QVERIFY(words(verdict({kernel(8), stage(2)}, config)).startsWith("First make the memory safe; until then: "));
    }

    /// For all combinations of measurements and settings: one complete sentence that suggests no setting.
    void namesNoSetting()
    {
        std::mt19937 random(1);
        const auto any = [&](auto list) { return list[random() % list.size()].value; };
        for (int round = 0; round < 5000; ++round) {
            PipelineConfig config;
            config.memory = any(choices<MemoryKind>());
            config.output = any(choices<OutputKind>());
            config.sync = any(choices<SyncMode>());
            config.cpuStage = any(choices<CpuStagePlacement>());
            const auto ms = [&] { return static_cast<double>(random() % 1000) / 100; };
            const Verdict found = verdict(
                {kernel(ms()), draw(ms()), stage(ms()), camera(ms()), late(ms()), unknown(ms() + 0.01)}, config);
            const QString text = words(found);
            QVERIFY(text.endsWith('.') && text[0].isUpper() && text.contains('%'));
            for (const auto &choice : choices<SyncMode>())
                QVERIFY2(!text.contains(QString::fromUtf8(choice.label.data(), qsizetype(choice.label.size()))),
                         qPrintable(text));
            QVERIFY(!text.contains("try "));
        }
    }
};

JETSCOPE_TEST(TestVerdict)
#include "tst_verdict.moc"
