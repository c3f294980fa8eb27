// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The overhead of tracing, from alternating traced and untraced frames.
#include "core/figures/framemetricsbuilder.h"
#include "core/figures/tracecost.h"
#include "core/recording/tracer.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

#include <random>

using namespace jetscope;

namespace {

/// Adds the frames of a pipeline whose tracing makes them `factor` times as long, on a machine with drift.
TraceCostMeter meterAfter(std::uint32_t frames, double factor, double noise)
{
    TraceCostMeter meter;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> jitter(1 - noise, 1 + noise);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        FrameFigures figures;
        figures.frame = frame;
        const double drift = 1 + 0.5 * frame / frames;
        const double ms = 2.0 * drift * jitter(random) * (TraceCostMeter::traces(frame) ? factor : 1);
        figures.frameNs = static_cast<std::int64_t>(ms * 1e6);
        meter.add(figures);
    }
    return meter;
}

} // namespace

class TestTraceCostMeter : public QObject {
    Q_OBJECT

private slots:
    void fewFramesSayNothing()
    {
        QVERIFY(!meterAfter(200, 1.3, 0).cost());
        QVERIFY(QString::fromStdString(traceCostSentence({})).contains(QStringLiteral("not known yet")));
    }

    void theRatioIsFound_data()
    {
        QTest::addColumn<double>("factor");
        for (const double factor : {0.9, 1.0, 1.02, 1.5})
            QTest::addRow("%.2f", factor) << factor;
    }
    void theRatioIsFound()
    {
        QFETCH(double, factor);
        const auto cost = meterAfter(4000, factor, 0.1).cost();
        QVERIFY(cost);
        QVERIFY2(std::abs(cost->frameRatio - factor) <= 2 * cost->noise + 0.01,
                 qPrintable(QString::number(cost->frameRatio)));
        QVERIFY(cost->noise < 0.1);
        QVERIFY(cost->turns >= 4);
    }

    void onlyWhatIsBeyondTheNoiseIsCalledADifference()
    {
        const auto sentence = [](double ratio, double noise) {
            return QString::fromStdString(traceCostSentence(TraceCost{ratio, noise, 9}));
        };
        QVERIFY(sentence(1.05, 0.02).contains(QStringLiteral("5.0 % longer")));
        QVERIFY(sentence(1.05, 0.06).contains(QStringLiteral("no difference")));
        QVERIFY(sentence(0.90, 0.06).contains(QStringLiteral("10.0 % shorter")));
        QVERIFY(sentence(0.9999, 0.02).contains(QStringLiteral("(+0.0 % ± 2.0 %)")));
        const auto figure = [](double ratio, double noise) {
            return QString::fromStdString(traceCostFigure({ratio, noise, 9}));
        };
        QCOMPARE(figure(0.9999, 0.02), QStringLiteral("within ±2.0 %"));
        QCOMPARE(figure(1.05, 0.02), QStringLiteral("+5.0 ±2.0 %"));
        QCOMPARE(figure(0.90, 0.06), QStringLiteral("-10.0 ±6.0 %"));
    }

    void mostFramesAreTracedAndWhole()
    {
        std::uint32_t traced = 0;
        std::uint32_t whole = 0;
        constexpr std::uint32_t kFrames = 100'000;
        for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
            traced += TraceCostMeter::traces(frame) ? 1 : 0;
            whole += TraceCostMeter::isWhole(frame) ? 1 : 0;
            QVERIFY(!TraceCostMeter::isWhole(frame) || TraceCostMeter::traces(frame));
            const std::uint32_t stretch = TraceCostMeter::untracedFrom(frame);
            for (std::uint32_t i = 0; i < stretch; ++i)
                QVERIFY(!TraceCostMeter::traces(frame + i));
            if (stretch > 0)
                QVERIFY(TraceCostMeter::traces(frame + stretch) && TraceCostMeter::traces(frame - 1));
        }
        QVERIFY(traced > kFrames * 0.98);
        QVERIFY(whole > kFrames * 0.97);
    }

    /// Dropped and incomplete frames, and changes of settings, do not produce a wrong figure.
    void gapsInTheFramesDoNoHarm()
    {
        TraceCostMeter meter;
        std::mt19937 random(9);
        for (std::uint32_t frame = 0; frame < 20'000; frame += 1 + static_cast<std::uint32_t>(random() % 40)) {
            FrameFigures figures;
            figures.frame = frame;
            figures.frameNs = random() % 3 == 0 ? 0 : 1'000'000;
            meter.add(figures);
            if (random() % 500 == 0)
                meter.restart();
        }
        if (meter.cost())
            QCOMPARE(meter.cost()->frameRatio, 1.0);
    }

    void aPausedTracerRecordsNothing()
    {
        Tracer tracer;
        const NameId name = internName("span", Category::Submit);
        const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline");
        tracer.setPaused(true);
        QVERIFY(!tracer.isRecording() && tracer.canRecord());
        {
            const SpanScope span(name, 1);
            const SpanScope inner(name, 1);
        }
        tracer.setPaused(false);
        {
            const SpanScope span(name, 2);
            tracer.setPaused(true); // Spans that have begun are recorded completely.
        }
        std::vector<Span> spans;
        tracer.collect(spans);
        QCOMPARE(spans.size(), std::size_t{1});
        QCOMPARE(spans[0].frame, std::uint32_t{2});
        QCOMPARE(spans[0].depth, std::uint8_t{0});
    }
};

JETSCOPE_TEST(TestTraceCostMeter)
#include "tst_tracecostmeter.moc"
