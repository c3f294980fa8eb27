// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Trials on a running pipeline: its configuration is restored, whatever happens in between.
#include "gpu/measure/pipelinetrial.h"
#include "tests/support/pipelinefixture.h"
#include "tests/support/testprogram.h"

#include <chrono>
#include <thread>

using namespace jetscope;

namespace {

constexpr int kTrialPatienceMs = 240'000; // For a sanitized program on a busy machine.

Candidate zeroCopy()
{
    Candidate candidate;
    candidate.key = "memory";
    candidate.value = "zero-copy";
    return candidate;
}

} // namespace

class TestPipelineTrial : public QObject {
    Q_OBJECT

private slots:
    void aTrialEndsAndThePipelineIsAsBefore();
    void aSlowChainIsToldFromAShortOne();
    void oneTrialCanFollowAnother();
    void cancelledItGoesBackAtOnce();
    void aSwitchBeforeTheTrialIsNoOtherChoice();
    void aRefusedSwitchIsTheOutcome();
    void theEndOfTheSourceInTheMiddleIsSaid();
    void anotherSourceInTheMiddleIsSaid();
    void framesAreNeitherLostNorChanged();

private:
    std::unique_ptr<Pipeline> start(std::uint64_t frames, PipelineConfig config = {},
                                    testing::OutputLog *log = nullptr);
    static bool follow(Pipeline &pipeline, PipelineTrial &trial);
    template <class Condition>
    static bool waitFor(Pipeline &pipeline, PipelineTrial *trial, Condition condition);
};

std::unique_ptr<Pipeline> TestPipelineTrial::start(std::uint64_t frames, PipelineConfig config, testing::OutputLog *log)
{
    PipelineSetup setup;
    setup.display = testing::displayOf("soft:orin");
    setup.deviceId = "soft:orin";
    setup.config = nearestLegal(config, testing::factsOf("soft:orin"));
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Bgr8, 64, 48, frames);
    if (log)
        setup.outputTap = log->tap();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    return pipeline.ok() ? std::move(pipeline).value() : nullptr;
}

template <class Condition>
bool TestPipelineTrial::waitFor(Pipeline &pipeline, PipelineTrial *trial, Condition condition)
{
    return QTest::qWaitFor(
        [&] {
            const PipelineUpdate update = pipeline.drainUpdates();
            if (trial)
                trial->take(update, nowNs());
            return condition();
        },
        kTrialPatienceMs);
}

bool TestPipelineTrial::follow(Pipeline &pipeline, PipelineTrial &trial)
{
    return waitFor(pipeline, &trial, [&] { return trial.isOver(); });
}

void TestPipelineTrial::aTrialEndsAndThePipelineIsAsBefore()
{
    const std::unique_ptr<Pipeline> pipeline = start(100'000'000);
    QVERIFY(pipeline);
    const PipelineConfig before = pipeline->status().config;
    TrialLimits limits;
    limits.ns = 60'000'000'000;
    PipelineTrial trial(*pipeline, zeroCopy(), limits);
    QVERIFY(follow(*pipeline, trial));
    QVERIFY2(trial.outcome().isMeasured(), outcomeWords(trial.outcome()).c_str());
    QVERIFY(trial.outcome().turns >= 4 && trial.outcome().ratio > 0);
    QVERIFY(waitFor(*pipeline, nullptr, [&] { return pipeline->status().config == before; }));
    QCOMPARE(int(pipeline->status().state), int(PipelineState::Running));
}

void TestPipelineTrial::aSlowChainIsToldFromAShortOne()
{
    PipelineConfig config;
    config.filters = {Filter::Invert};
    const std::unique_ptr<Pipeline> pipeline = start(100'000'000, config);
    QVERIFY(pipeline);
    Candidate candidate;
    candidate.key = "filters";
    candidate.value = filterNames(std::vector<Filter>(60, Filter::Gaussian15), "+");
    TrialLimits limits;
    limits.ns = 60'000'000'000;
    PipelineTrial trial(*pipeline, candidate, limits);
    QVERIFY(follow(*pipeline, trial));
    QVERIFY2(trial.outcome().verdict == TrialVerdict::Slower && trial.outcome().ratio > 1.5,
             outcomeWords(trial.outcome()).c_str());
}

void TestPipelineTrial::oneTrialCanFollowAnother()
{
    const std::unique_ptr<Pipeline> pipeline = start(100'000'000);
    QVERIFY(pipeline);
    const PipelineConfig before = pipeline->status().config;
    TrialLimits limits;
    limits.ns = 60'000'000'000;
    for (const char *value : {"zero-copy", "nvbuf", "pageable", "unified-attach"}) {
        Candidate candidate = zeroCopy();
        candidate.value = value;
        PipelineTrial trial(*pipeline, candidate, limits);
        QVERIFY(waitFor(*pipeline, &trial, [&] { return trial.isBack(); }));
        QVERIFY2(trial.outcome().verdict != TrialVerdict::Unfinished, outcomeWords(trial.outcome()).c_str());
        QVERIFY(pipeline->status().config == before);
    }
}

void TestPipelineTrial::cancelledItGoesBackAtOnce()
{
    const std::unique_ptr<Pipeline> pipeline = start(100'000'000);
    QVERIFY(pipeline);
    const PipelineConfig before = pipeline->status().config;
    {
        PipelineTrial trial(*pipeline, zeroCopy());
        QVERIFY(waitFor(*pipeline, &trial, [&] { return trial.isOver() || pipeline->status().config != before; }));
        QVERIFY2(!trial.isOver(), outcomeWords(trial.outcome()).c_str());
        trial.cancel();
        QVERIFY(trial.isOver());
    }
    QVERIFY(waitFor(*pipeline, nullptr, [&] { return pipeline->status().config == before; }));
    { // A trial that is destroyed while it runs.
        PipelineTrial trial(*pipeline, zeroCopy());
        QVERIFY(waitFor(*pipeline, &trial, [&] { return trial.isOver() || pipeline->status().config != before; }));
        QVERIFY2(!trial.isOver(), outcomeWords(trial.outcome()).c_str());
    }
    QVERIFY(waitFor(*pipeline, nullptr, [&] { return pipeline->status().config == before; }));
}

/// The status shows a switch whose notice was not drained yet.
void TestPipelineTrial::aSwitchBeforeTheTrialIsNoOtherChoice()
{
    const std::unique_ptr<Pipeline> pipeline = start(100'000'000);
    QVERIFY(pipeline);
    PipelineConfig pageable = pipeline->status().config;
    pageable.memory = MemoryKind::Pageable;
    QVERIFY(pipeline->status().config != pageable);
    pipeline->change(pageable);
    QVERIFY(QTest::qWaitFor([&] { return pipeline->status().config == pageable; }, kTrialPatienceMs));
    PipelineTrial trial(*pipeline, zeroCopy());
    QVERIFY(waitFor(*pipeline, &trial, [&] { return trial.isOver() || pipeline->status().config != pageable; }));
    QVERIFY2(!trial.isOver(), outcomeWords(trial.outcome()).c_str());
}

void TestPipelineTrial::aRefusedSwitchIsTheOutcome()
{
    const std::unique_ptr<Pipeline> pipeline = start(100'000'000);
    QVERIFY(pipeline);
    const PipelineConfig before = pipeline->status().config;
    Candidate candidate;
    candidate.key = "memory";
    candidate.value = "nvbuf"; // The source has no such buffers.
    PipelineTrial trial(*pipeline, candidate);
    QVERIFY(follow(*pipeline, trial));
    QVERIFY(trial.outcome().verdict == TrialVerdict::Refused);
    QVERIFY(!trial.outcome().reason.empty());
    QVERIFY(pipeline->status().config == before);
    QCOMPARE(int(pipeline->status().state), int(PipelineState::Running));
}

void TestPipelineTrial::theEndOfTheSourceInTheMiddleIsSaid()
{
    const std::unique_ptr<Pipeline> pipeline = start(60);
    QVERIFY(pipeline);
    const PipelineConfig before = pipeline->status().config;
    PipelineTrial trial(*pipeline, zeroCopy());
    QVERIFY(follow(*pipeline, trial));
    QVERIFY(trial.outcome().verdict == TrialVerdict::Unfinished);
    QVERIFY2(trial.outcome().reason.find("the source ended") != std::string::npos, trial.outcome().reason.c_str());
    QVERIFY(waitFor(*pipeline, nullptr, [&] { return pipeline->status().config == before; }));
}

void TestPipelineTrial::anotherSourceInTheMiddleIsSaid()
{
    const std::unique_ptr<Pipeline> pipeline = start(100'000'000);
    QVERIFY(pipeline);
    const PipelineConfig before = pipeline->status().config;
    TrialLimits limits;
    limits.ns = 60'000'000'000;
    PipelineTrial trial(*pipeline, zeroCopy(), limits);
    pipeline->changeSource("synthetic:?size=64x48");
    QVERIFY(follow(*pipeline, trial));
    QCOMPARE(trial.outcome().reason, std::string("the source was changed in between"));
    QVERIFY(waitFor(*pipeline, &trial, [&] { return trial.isBack() && pipeline->status().config == before; }));
}

void TestPipelineTrial::framesAreNeitherLostNorChanged()
{
    constexpr std::uint32_t kFrames = 20'000;
    testing::OutputLog log;
    {
        const std::unique_ptr<Pipeline> pipeline = start(kFrames, {}, &log);
        QVERIFY(pipeline);
        PipelineTrial trial(*pipeline, zeroCopy());
        QVERIFY(follow(*pipeline, trial));
        QVERIFY(waitFor(*pipeline, nullptr, [&] { return pipeline->status().frames > 400; }));
    }
    const std::vector<std::uint32_t> &numbers = log.numbers();
    QVERIFY(numbers.size() > 400);
    for (std::uint32_t i = 0; i < numbers.size(); ++i)
        QCOMPARE(numbers[i], i);
}

JETSCOPE_TEST(TestPipelineTrial)
#include "tst_pipelinetrial.moc"
