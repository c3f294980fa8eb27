// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/trial.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <functional>
#include <random>

using namespace jetscope;

namespace {

Candidate candidateOf(const char *key, const char *value, AdviceMetric metric = AdviceMetric::Period)
{
    Candidate candidate;
    candidate.key = key;
    candidate.value = value;
    candidate.metric = metric;
    return candidate;
}

/// A simulated pipeline: frame times depend on the configuration, and changes take effect immediately.
class Frames {
public:
    using FrameMs = std::function<double(const PipelineConfig &config, std::uint32_t frame)>;
    Frames(Trial &trial, FrameMs frameMs) : m_trial(trial), m_frameMs(std::move(frameMs)), m_config(trial.wanted()) {}

    void run(std::uint32_t mostFrames)
    {
        for (const std::uint32_t last = m_frame + mostFrames; m_frame < last && !m_trial.isOver(); ++m_frame) {
            follow();
            FrameFigures figures;
            figures.frame = m_frame;
            figures.startNs = m_ns;
            figures.overlap.periodNs = static_cast<std::int64_t>(m_frameMs(m_config, m_frame) * 1e6);
            figures.frameNs = figures.overlap.periodNs / 2;
            m_ns += figures.overlap.periodNs;
            m_trial.add({&figures, 1});
            m_trial.tick(m_ns);
        }
        follow();
    }

    void follow()
    {
        if (m_trial.wanted() == m_config || (m_trial.isOver() && !m_trial.goesBack()))
            return;
        const std::string change = describeChange(m_config, m_trial.wanted());
        m_config = m_trial.wanted();
        ++m_switches;
        m_trial.switched(m_frame, change);
    }

    const PipelineConfig &config() const { return m_config; }
    std::uint32_t frame() const { return m_frame; }
    std::int64_t ns() const { return m_ns; }
    int switches() const { return m_switches; }

private:
    Trial &m_trial;
    FrameMs m_frameMs;
    PipelineConfig m_config;
    std::uint32_t m_frame = 0;
    std::int64_t m_ns = 5'000'000'000;
    int m_switches = 0;
};

} // namespace

class TestTrial : public QObject {
    Q_OBJECT

    const PipelineConfig m_now;
    const Candidate m_candidate = candidateOf("memory", "zero-copy");

    static bool isCandidates(const PipelineConfig &config) { return config.memory == MemoryKind::ZeroCopy; }

    /// With the candidate, frames take `ratio` times as long, with a variation of `spread`.
    TrialOutcome tried(double ratio, double spread, unsigned seed, double ms = 5, double drift = 0)
    {
        std::mt19937 random(seed);
        std::normal_distribution<double> noise(1, spread);
        Trial trial(m_now, m_candidate, {});
        Frames frames(trial, [&](const PipelineConfig &config, std::uint32_t frame) {
            return ms * (isCandidates(config) ? ratio : 1) * std::max(0.3, noise(random)) * (1 + drift * frame / 1000);
        });
        frames.run(100'000);
        if (frames.config() != m_now)
            return {};
        return trial.outcome();
    }

private slots:
    void fasterAndSlowerAreTold()
    {
        const TrialOutcome faster = tried(0.88, 0.1, 1);
        QCOMPARE(verdictName(faster.verdict), std::string_view("faster"));
        QVERIFY(std::abs(faster.ratio - 0.88) < 0.03);
        QVERIFY(faster.noise > 0 && faster.noise < 0.06);
        const QString words = QString::fromStdString(outcomeWords(faster));
        QVERIFY2(words.startsWith("faster by ") && words.contains(" % (±") && words.endsWith(")"), qPrintable(words));
        QCOMPARE(verdictName(tried(1.2, 0.1, 2).verdict), std::string_view("slower"));
    }

    void whatIsTheSameIsSeldomToldOtherwise()
    {
        int told = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            const TrialOutcome outcome = tried(1, seed % 2 ? 0.3 : 0.05, seed, seed % 3 ? 4 : 40);
            QVERIFY(outcome.isMeasured());
            told += outcome.verdict != TrialVerdict::Same ? 1 : 0;
        }
        QVERIFY2(told <= 6, qPrintable(QString::number(told)));
    }

    /// A machine that slows down continuously affects both sides.
    void aDriftIsNoDifference()
    {
        for (unsigned seed = 0; seed < 20; ++seed)
            QCOMPARE(verdictName(tried(1, 0.03, seed, 5, 0.5).verdict), std::string_view("no difference"));
    }

    /// The turns are compared in pairs, so a drift of 50 % within the trial does not hide a difference of 5 %.
    void aDriftHidesNoDifference()
    {
        for (unsigned seed = 0; seed < 20; ++seed) // Measured: 1000 of 1000.
            QCOMPARE(verdictName(tried(0.95, 0.03, seed, 5, 0.5).verdict), std::string_view("faster"));
    }

    void aClearAnswerEndsItEarly()
    {
        Trial trial(m_now, m_candidate, {});
        Frames frames(trial,
                      [](const PipelineConfig &config, std::uint32_t) { return isCandidates(config) ? 5.0 : 10.0; });
        const std::int64_t beginNs = frames.ns();
        frames.run(100'000);
        QVERIFY(trial.isOver());
        QCOMPARE(trial.outcome().turns, std::size_t{6});
        QVERIFY(frames.ns() - beginNs < 3'000'000'000);
        QCOMPARE(trial.outcome().ratio, 0.5);
        QCOMPARE(trial.progress(), 1.0);
        QCOMPARE(frames.config(), m_now);
        QCOMPARE(frames.switches(),
                 6); // A B, B A, A B, …: one switch a turn, and it ends with the original configuration.
    }

    /// Frames in flight and new memory count for neither side.
    void theFirstFramesOfAStretchAreLeftOut()
    {
        Trial trial(m_now, m_candidate, {});
        std::uint32_t since = 0;
        bool before = false;
        Frames frames(trial, [&](const PipelineConfig &config, std::uint32_t) {
            since = isCandidates(config) == before ? since + 1 : 0;
            before = isCandidates(config);
            return before && since < 10 ? 18.0 : 12.0;
        });
        frames.run(100'000);
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("no difference"));
    }

    void slowPipelinesAreTriedTooAndTheTimeIsBounded()
    {
        const TrialOutcome slow = tried(0.6, 0.03, 5, 150);
        QCOMPARE(verdictName(slow.verdict), std::string_view("faster"));
        Trial trial(m_now, m_candidate, {});
        Frames frames(trial, [](const PipelineConfig &, std::uint32_t) { return 2500.0; });
        const std::int64_t beginNs = frames.ns();
        frames.run(100'000);
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("unfinished"));
        QVERIFY(!trial.outcome().reason.empty());
        QVERIFY(frames.ns() - beginNs <= 15'000'000'000);
        QCOMPARE(frames.config(), m_now);
    }

    void itsFramesAreBounded()
    {
        TrialLimits limits;
        limits.ns = 1'000'000'000'000;
        limits.frames = 300;
        std::mt19937 random(1);
        Trial trial(m_now, m_candidate, limits);
        Frames frames(
            trial, [&](const PipelineConfig &, std::uint32_t) { return 8 + static_cast<double>(random() % 100) / 20; });
        frames.run(100'000);
        QVERIFY(trial.isOver());
        QVERIFY2(frames.frame() <= 650, qPrintable(QString::number(frames.frame())));
    }

    void withoutFramesTheTimeEndsIt()
    {
        Trial trial(m_now, m_candidate, {});
        trial.tick(0);
        trial.tick(11'000'000'000);
        QVERIFY(!trial.isOver());
        trial.tick(13'000'000'000);
        QVERIFY(trial.isOver());
        QCOMPARE(trial.outcome().turns, std::size_t{0});
    }

    void theLatencyIsTheFrameTime_data()
    {
        QTest::addColumn<int>("heldUpEvery");
        QTest::newRow("steady") << 1'000'000;
        QTest::newRow("some frames are held up") << 7;
    }
    void theLatencyIsTheFrameTime()
    {
        QFETCH(int, heldUpEvery);
        Trial trial(m_now, candidateOf("memory", "zero-copy", AdviceMetric::Latency), {});
        FrameFigures figures;
        std::uint32_t frame = 0;
        for (; frame < 10'000 && !trial.isOver(); ++frame) {
            figures.frame = frame;
            figures.startNs = frame * std::int64_t{16'000'000};
            figures.overlap.periodNs = 16'000'000; // The camera's period.
            const bool other = trial.wanted().memory == MemoryKind::ZeroCopy;
            figures.frameNs = other ? 4'000'000 : 5'000'000;
            if (frame % static_cast<std::uint32_t>(heldUpEvery) == 6)
                figures.frameNs += 9'000'000;
            const PipelineConfig before = trial.wanted();
            trial.add({&figures, 1});
            if (!trial.isOver() && trial.wanted() != before)
                trial.switched(frame + 1, describeChange(before, trial.wanted()));
            trial.tick(figures.startNs);
        }
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("faster"));
        QCOMPARE(trial.outcome().ratio, 0.8);
    }

    void aRefusalIsAnOutcome()
    {
        Trial trial(m_now, m_candidate, {});
        trial.refused("something of before"); // No change was requested yet.
        QVERIFY(!trial.isOver());
        FrameFigures figures;
        for (figures.frame = 0; trial.wanted() == m_now; ++figures.frame) {
            figures.startNs = figures.frame * std::int64_t{10'000'000};
            figures.overlap.periodNs = 10'000'000;
            trial.add({&figures, 1});
            QVERIFY(figures.frame < 1000);
        }
        trial.refused("source: file:gone.mp4: no such file"); // A refusal of a change that the trial did not request.
        QVERIFY(!trial.isOver());
        trial.refused("memory: pinned → zero-copy: no memory left");
        QVERIFY(trial.isOver());
        QCOMPARE(trial.outcome().reason, std::string("no memory left"));
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("refused"));
        QVERIFY(outcomeWords(trial.outcome()).find("no memory left") != std::string::npos);
        QCOMPARE(trial.wanted(), m_now);
    }

    void whatSomebodyElseChoosesStays()
    {
        Trial trial(m_now, m_candidate, {});
        trial.switched(3, "sync: eglsync → event");
        QVERIFY(trial.isOver() && !trial.goesBack());
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("unfinished"));
    }

    void itCanBeStoppedAtOnce()
    {
        Trial trial(m_now, m_candidate, {});
        Frames frames(trial, [](const PipelineConfig &, std::uint32_t) { return 10.0; });
        while (frames.config() == m_now)
            frames.run(1);
        QVERIFY(!trial.isOver() && trial.progress() > 0 && trial.progress() < 0.5);
        trial.stop("it was cancelled");
        frames.follow();
        QCOMPARE(frames.config(), m_now);
        QCOMPARE(outcomeWords(trial.outcome()), std::string("not finished: it was cancelled"));
    }

    /// Any order of calls with any figures: the trial ends and requests only the two configurations.
    void hostileCallsEndIt()
    {
        std::mt19937 random(9);
        for (int round = 0; round < 2000; ++round) {
            Trial trial(m_now, m_candidate, {});
            std::int64_t ns = 0;
            for (int step = 0; step < 200; ++step) {
                FrameFigures figures;
                figures.frame = static_cast<std::uint32_t>(random());
                figures.startNs = static_cast<std::int64_t>(random()) * (random() % 2 ? 1 : -1);
                figures.overlap.periodNs = static_cast<std::int64_t>(random()) - 1'000'000'000;
                figures.frameNs = random() % 3 ? static_cast<std::int64_t>(random()) : -1;
                trial.add({&figures, 1});
                if (random() % 50 == 0)
                    trial.refused("no");
                if (random() % 10 == 0)
                    trial.switched(static_cast<std::uint32_t>(random()), describeChange(m_now, trial.wanted()));
                trial.tick(ns += 100'000'000);
                QVERIFY(trial.wanted() == m_now || trial.wanted() == trial.other());
                QVERIFY(trial.progress() >= 0 && trial.progress() <= 1);
                QVERIFY(!trial.outcome().isMeasured() || trial.outcome().ratio > 0);
            }
            QVERIFY(trial.isOver());
        }
    }
};

JETSCOPE_TEST(TestTrial)
#include "tst_trial.moc"
