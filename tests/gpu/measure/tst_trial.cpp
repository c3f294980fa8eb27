// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Trials on a simulated pipeline: the order of the turns, what counts, and what ends a trial.
#include "gpu/measure/pipelinetrial.h"
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
class Frames final : public PipelineControl {
public:
    using FrameMs = std::function<double(const PipelineConfig &config, std::uint32_t frame)>;
    explicit Frames(FrameMs periodMs = [](const PipelineConfig &, std::uint32_t) { return 10.0; })
        : m_periodMs(std::move(periodMs))
    {
    }

    void post(PipelineCommand command) override { commands.push_back(std::move(command)); }
    void setSink(std::shared_ptr<TraceSink>) override {}
    PipelineUpdate drainUpdates() override { return {}; }
    PipelineStatus status() const override { return now; }
    void waitForEnd() override {}
    FramePort *framePort() override { return nullptr; }

    void run(PipelineTrial &trial, std::uint32_t mostFrames)
    {
        for (const std::uint64_t last = now.frames + mostFrames; now.frames < last && !trial.isOver();) {
            PipelineUpdate update;
            follow(update, frame());
            FrameFigures &figures = update.figures.emplace_back();
            figures.frame = frame();
            figures.startNs = ns;
            figures.overlap.periodNs = static_cast<std::int64_t>(m_periodMs(now.config, frame()) * 1e6);
            figures.frameNs =
                frameMs ? static_cast<std::int64_t>(frameMs(now.config, frame()) * 1e6) : figures.overlap.periodNs / 2;
            ns += figures.overlap.periodNs;
            ++now.frames;
            trial.take(update, ns);
        }
        PipelineUpdate update;
        follow(update, frame());
        trial.take(update, ns);
    }
    /// Makes the change that was requested last.
    void follow(PipelineUpdate &update, std::uint32_t at)
    {
        if (made == commands.size())
            return;
        made = commands.size();
        choose(commands.back().config, update, at);
    }
    void choose(const PipelineConfig &config, PipelineUpdate &update, std::uint32_t at)
    {
        PipelineNotice &notice = update.notices.emplace_back();
        notice.frame = at;
        notice.text = describeChange(now.config, config);
        notice.counts.switches = ++now.switches;
        now.config = config;
    }
    std::uint32_t frame() const { return static_cast<std::uint32_t>(now.frames); }

    PipelineStatus now;
    std::vector<PipelineCommand> commands;
    std::size_t made = 0;
    std::int64_t ns = 5'000'000'000;
    FrameMs frameMs; ///< Half the period if empty.

private:
    FrameMs m_periodMs;
};

void refuse(PipelineTrial &trial, const char *text)
{
    PipelineUpdate update;
    PipelineNotice &notice = update.notices.emplace_back();
    notice.kind = PipelineNotice::Kind::Refused;
    notice.text = text;
    trial.take(update, 0);
}

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
        Frames frames([&](const PipelineConfig &config, std::uint32_t frame) {
            return ms * (isCandidates(config) ? ratio : 1) * std::max(0.3, noise(random)) * (1 + drift * frame / 1000);
        });
        PipelineTrial trial(frames, m_candidate);
        frames.run(trial, 100'000);
        if (frames.now.config != m_now)
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
        Frames frames([](const PipelineConfig &config, std::uint32_t) { return isCandidates(config) ? 5.0 : 10.0; });
        PipelineTrial trial(frames, m_candidate);
        const std::int64_t beginNs = frames.ns;
        frames.run(trial, 100'000);
        QVERIFY(trial.isOver());
        QCOMPARE(trial.outcome().turns, std::size_t{6});
        QVERIFY(frames.ns - beginNs < 3'000'000'000);
        QCOMPARE(trial.outcome().ratio, 0.5);
        QCOMPARE(trial.progress(), 1.0);
        QCOMPARE(frames.now.config, m_now);
        QCOMPARE(frames.now.switches,
                 std::uint64_t{6}); // A B, B A, A B, …: one switch a turn, and it ends with the original configuration.
    }

    /// Frames in flight and new memory count for neither side.
    void theFirstFramesOfAStretchAreLeftOut()
    {
        std::uint32_t since = 0;
        bool before = false;
        Frames frames([&](const PipelineConfig &config, std::uint32_t) {
            since = isCandidates(config) == before ? since + 1 : 0;
            before = isCandidates(config);
            return before && since < 10 ? 18.0 : 12.0;
        });
        PipelineTrial trial(frames, m_candidate);
        frames.run(trial, 100'000);
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("no difference"));
    }

    void slowPipelinesAreTriedTooAndTheTimeIsBounded()
    {
        const TrialOutcome slow = tried(0.6, 0.03, 5, 150);
        QCOMPARE(verdictName(slow.verdict), std::string_view("faster"));
        Frames frames([](const PipelineConfig &, std::uint32_t) { return 2500.0; });
        PipelineTrial trial(frames, m_candidate);
        const std::int64_t beginNs = frames.ns;
        frames.run(trial, 100'000);
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("unfinished"));
        QVERIFY(!trial.outcome().reason.empty());
        QVERIFY(frames.ns - beginNs <= 15'000'000'000);
        QCOMPARE(frames.now.config, m_now);
    }

    void itsFramesAreBounded()
    {
        TrialLimits limits;
        limits.ns = 1'000'000'000'000;
        limits.frames = 300;
        std::mt19937 random(1);
        Frames frames(
            [&](const PipelineConfig &, std::uint32_t) { return 8 + static_cast<double>(random() % 100) / 20; });
        PipelineTrial trial(frames, m_candidate, limits);
        frames.run(trial, 100'000);
        QVERIFY(trial.isOver());
        QVERIFY2(frames.frame() <= 650, qPrintable(QString::number(frames.frame())));
    }

    void withoutFramesTheTimeEndsIt()
    {
        Frames frames;
        PipelineTrial trial(frames, m_candidate);
        trial.take({}, 0);
        trial.take({}, 11'000'000'000);
        QVERIFY(!trial.isOver());
        trial.take({}, 13'000'000'000);
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
        Frames frames([](const PipelineConfig &, std::uint32_t) { return 16.0; }); // The camera's period.
        frames.frameMs = [heldUpEvery](const PipelineConfig &config, std::uint32_t frame) {
            const double heldUp = frame % static_cast<std::uint32_t>(heldUpEvery) == 6 ? 9 : 0;
            return (isCandidates(config) ? 4 : 5) + heldUp;
        };
        PipelineTrial trial(frames, candidateOf("memory", "zero-copy", AdviceMetric::Latency));
        frames.run(trial, 10'000);
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("faster"));
        QCOMPARE(trial.outcome().ratio, 0.8);
    }

    void aRefusalIsAnOutcome()
    {
        Frames frames;
        PipelineTrial trial(frames, m_candidate);
        refuse(trial, "something of before"); // No change was requested yet.
        QVERIFY(!trial.isOver());
        for (int frame = 0; frames.commands.empty(); ++frame) {
            PipelineUpdate update;
            FrameFigures &figures = update.figures.emplace_back();
            figures.frame = static_cast<std::uint32_t>(frame);
            figures.startNs = frame * std::int64_t{10'000'000};
            figures.overlap.periodNs = 10'000'000;
            trial.take(update, 0);
            QVERIFY(frame < 1000);
        }
        refuse(trial, "source: file:gone.mp4: no such file"); // A refusal of a change that the trial did not request.
        QVERIFY(!trial.isOver());
        refuse(trial, "memory: pinned → zero-copy: no memory left");
        QVERIFY(trial.isOver());
        QCOMPARE(trial.outcome().reason, std::string("no memory left"));
        QCOMPARE(verdictName(trial.outcome().verdict), std::string_view("refused"));
        QVERIFY(outcomeWords(trial.outcome()).find("no memory left") != std::string::npos);
        QCOMPARE(frames.commands.size(), std::size_t{1}); // The present configuration is in force.
        QVERIFY(trial.isBack());
    }

    void whatSomebodyElseChoosesStays()
    {
        Frames frames;
        PipelineTrial trial(frames, m_candidate);
        frames.run(trial, 5);
        PipelineConfig chosen = m_now;
        chosen.sync = SyncMode::Event;
        PipelineUpdate update;
        frames.choose(chosen, update, frames.frame());
        trial.take(update, frames.ns);
        frames.run(trial, 100'000);
        QVERIFY(trial.isOver() && trial.isBack());
        QVERIFY(frames.now.config == chosen);
        QVERIFY(frames.commands.empty());
        QCOMPARE(outcomeWords(trial.outcome()), std::string("not finished: another choice was made in between"));
    }

    void itCanBeStoppedAtOnce()
    {
        Frames frames;
        PipelineTrial trial(frames, m_candidate);
        while (frames.now.config == m_now)
            frames.run(trial, 1);
        QVERIFY(!trial.isOver() && trial.progress() > 0 && trial.progress() < 0.5);
        trial.cancel();
        frames.run(trial, 0);
        QCOMPARE(frames.now.config, m_now);
        QCOMPARE(outcomeWords(trial.outcome()), std::string("not finished: it was cancelled"));
    }

    /// Nothing is reported of a change to what there is, which no trial must wait for.
    void aSwitchThatIsPendingIsTakenBack()
    {
        Frames frames;
        PipelineTrial trial(frames, m_candidate);
        while (frames.now.config == m_now)
            frames.run(trial, 1);
        frames.now.config = m_now; // As if the switch were still pending.
        trial.cancel();
        QCOMPARE(frames.commands.back().config, m_now);
        QVERIFY(trial.isBack());
    }

    /// Any order of calls with any figures: the trial ends and requests only the two configurations.
    void hostileCallsEndIt()
    {
        std::mt19937 random(9);
        for (int round = 0; round < 500; ++round) {
            Frames frames;
            PipelineTrial trial(frames, m_candidate);
            std::int64_t ns = 0;
            for (int step = 0; step < 200; ++step) {
                PipelineUpdate update;
                FrameFigures &figures = update.figures.emplace_back();
                figures.frame = static_cast<std::uint32_t>(random());
                figures.startNs = static_cast<std::int64_t>(random()) * (random() % 2 ? 1 : -1);
                figures.overlap.periodNs = static_cast<std::int64_t>(random()) - 1'000'000'000;
                figures.frameNs = random() % 3 ? static_cast<std::int64_t>(random()) : -1;
                if (random() % 50 == 0) {
                    update.notices.emplace_back().kind = PipelineNotice::Kind::Refused;
                    update.notices.back().text = "no";
                }
                if (random() % 10 == 0)
                    frames.follow(update, static_cast<std::uint32_t>(random()));
                trial.take(update, ns += 100'000'000);
                QVERIFY(frames.commands.empty() || frames.commands.back().config == m_now
                        || frames.commands.back().config == trial.other());
                QVERIFY(trial.progress() >= 0 && trial.progress() <= 1);
                QVERIFY(!trial.outcome().isMeasured() || trial.outcome().ratio > 0);
            }
            QVERIFY(trial.isOver());
        }
    }
};

JETSCOPE_TEST(TestTrial)
#include "tst_trial.moc"
