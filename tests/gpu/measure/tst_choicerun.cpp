// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Trials of every value on a scripted pipeline: the order, failures, and that the choices from before come back.
#include "gpu/measure/choicerun.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <memory>
#include <optional>
#include <set>

using namespace jetscope;

namespace {

constexpr std::int64_t kFrameNs = 5'000'000;

/// A pipeline that makes every change at once, unless the test refuses it.
class TrialControl final : public PipelineControl {
public:
    void post(PipelineCommand command) override { commands.push_back(std::move(command)); }
    void setSink(std::shared_ptr<TraceSink>) override {}
    PipelineUpdate drainUpdates() override
    {
        PipelineUpdate update = std::exchange(next, {});
        if (!commands.empty() && done < commands.size()) {
            const PipelineConfig wanted = commands.back().config;
            done = commands.size();
            PipelineNotice made;
            made.frame = frame;
            made.text = describeChange(now.config, wanted);
            made.kind = wanted.sync == refused ? PipelineNotice::Kind::Refused : PipelineNotice::Kind::Switched;
            if (made.kind == PipelineNotice::Kind::Refused)
                made.text += ": out of memory";
            else
                now.config = wanted;
            update.notices.push_back(made);
        }
        for (int i = 0; i < 10; ++i, ++frame) {
            FrameFigures figures;
            figures.frame = frame;
            figures.startNs = frame * kFrameNs;
            figures.overlap.periodNs = kFrameNs;
            figures.frameNs = now.config.sync == fast ? kFrameNs / 2 : kFrameNs - 100'000 + frame % 7 * 1000;
            update.figures.push_back(figures);
        }
        now.frames = frame;
        visited.insert(now.config.sync);
        return update;
    }
    PipelineStatus status() const override { return now; }
    void waitForEnd() override {}
    FramePort *framePort() override { return nullptr; }

    PipelineStatus now;
    PipelineUpdate next;
    std::vector<PipelineCommand> commands;
    std::size_t done = 0;
    std::uint32_t frame = 0;
    std::optional<SyncMode> refused;
    std::optional<SyncMode> fast;
    std::set<SyncMode> visited;
};

DeviceFacts facts()
{
    DeviceFacts made;
    made.id = "soft:orin";
    made.eglImage = made.eglSync = Capability::yes();
    return made;
}

} // namespace

class TestChoiceRun : public QObject {
    Q_OBJECT
private slots:
    void init();
    void everyValueHasAllRoundsInAnotherOrder();
    void thePresentChoiceComesBack();
    void theTimeIsTheGivenOne();
    void aRefusedValueFailsAlone();
    void cancelRestoresAtOnce();
    void anotherChoiceStays();
    void aChoiceThatNobodyToldStaysToo();
    void anotherSourceEndsIt();
    void aStoppedPipelineEndsIt();
    void aLostDeviceIsNotAsked();
    void destructionRestores();
    void unsafeValuesNeverRun();

private:
    std::unique_ptr<ChoiceRun> begin(std::uint64_t seed = 1)
    {
        ChoiceLimits limits;
        limits.seed = seed;
        m_ns = 0;
        return std::make_unique<ChoiceRun>(*m_pipeline, planChoice("sync", m_pipeline->now.config, facts()), limits);
    }
    void step(ChoiceRun &run)
    {
        m_ns += 10 * kFrameNs;
        run.take(m_pipeline->drainUpdates(), m_ns);
    }
    void finish(ChoiceRun &run)
    {
        for (int i = 0; i < 20'000 && !run.isOver(); ++i)
            step(run);
        QVERIFY(run.isOver());
        step(run);
    }

    std::optional<TrialControl> m_pipeline;
    PipelineConfig m_before;
    std::int64_t m_ns = 0;
};

void TestChoiceRun::init()
{
    m_pipeline.emplace();
    m_pipeline->now.config.sync = SyncMode::Event;
    m_before = m_pipeline->now.config;
}

void TestChoiceRun::everyValueHasAllRoundsInAnotherOrder()
{
    m_pipeline->fast = SyncMode::Stream;
    const auto run = begin();
    finish(*run);
    QVERIFY(run->endedEarly().empty());
    const std::size_t cells = run->plan().cells.size();
    QVERIFY(cells >= 5);
    const std::size_t rounds = run->sweep().result.roundsOf(0);
    QVERIFY(rounds >= kMinRounds);
    for (std::size_t cell = 0; cell < cells; ++cell)
        QCOMPARE(run->sweep().result.roundsOf(cell), rounds);
    std::set<std::vector<std::size_t>> orders;
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<std::size_t> order;
        for (const KeptStretch &kept : run->sweep().stretches)
            if (kept.stretch.round == round)
                order.push_back(kept.stretch.cell);
        QCOMPARE(order.size(), cells);
        orders.insert(order);
    }
    QVERIFY(orders.size() > 1);
    const ChoiceTable table = choiceTable(run->plan(), run->sweep(), Figure::FrameP50);
    QVERIFY(table.better && table.rows[*table.better].label == "Stream");
}

void TestChoiceRun::thePresentChoiceComesBack()
{
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto run = begin(seed);
        finish(*run);
        QVERIFY(run->isBack());
        QVERIFY(m_pipeline->now.config == m_before);
        QVERIFY(m_pipeline->visited.size() > 3);
    }
}

void TestChoiceRun::theTimeIsTheGivenOne()
{
    const auto run = begin();
    const auto cells = static_cast<std::int64_t>(run->plan().cells.size());
    QCOMPARE(run->remainingNs(), cells * 3'000'000'000);
    finish(*run);
    QVERIFY(m_ns > cells * 2'000'000'000 && m_ns < cells * 4'000'000'000);
    QCOMPARE(run->remainingNs(), std::int64_t{0});
    QCOMPARE(run->progress(), 1.0);
}

void TestChoiceRun::aRefusedValueFailsAlone()
{
    m_pipeline->refused = SyncMode::Poll;
    const auto run = begin();
    finish(*run);
    int failed = 0;
    for (std::size_t cell = 0; cell < run->plan().cells.size(); ++cell) {
        const bool isRefused = run->plan().cells[cell].config.sync == SyncMode::Poll;
        QCOMPARE(run->sweep().result.failureOf(cell).empty(), !isRefused);
        failed += isRefused;
    }
    QCOMPARE(failed, 1);
    QVERIFY(m_pipeline->now.config == m_before);
    QVERIFY(choiceTable(run->plan(), run->sweep(), Figure::FrameP50).noVerdict.empty());
}

void TestChoiceRun::cancelRestoresAtOnce()
{
    for (int steps = 0; steps < 40; ++steps) {
        init();
        const auto run = begin(static_cast<std::uint64_t>(steps + 1));
        for (int i = 0; i < steps; ++i)
            step(*run);
        run->cancel();
        QVERIFY(run->isOver());
        QCOMPARE(run->endedEarly(), std::string("it was cancelled"));
        step(*run);
        QVERIFY(run->isBack());
        QVERIFY(m_pipeline->now.config == m_before);
        const std::size_t commands = m_pipeline->commands.size();
        step(*run);
        QCOMPARE(m_pipeline->commands.size(), commands);
    }
}

void TestChoiceRun::anotherChoiceStays()
{
    const auto run = begin();
    for (int i = 0; i < 100; ++i)
        step(*run);
    PipelineConfig users = m_before;
    users.memory = MemoryKind::Pageable;
    m_pipeline->change(users);
    run->giveWay();
    for (int i = 0; i < 5; ++i)
        step(*run);
    QVERIFY(m_pipeline->now.config == users);
}

void TestChoiceRun::aChoiceThatNobodyToldStaysToo()
{
    const auto run = begin();
    for (int i = 0; i < 100; ++i)
        step(*run);
    PipelineConfig users = m_before;
    users.memory = MemoryKind::Pageable;
    m_pipeline->change(users);
    finish(*run);
    QCOMPARE(run->endedEarly(), std::string("another choice was made in between"));
    QVERIFY(m_pipeline->now.config == users);
}

void TestChoiceRun::anotherSourceEndsIt()
{
    const auto run = begin();
    for (int i = 0; i < 100; ++i)
        step(*run);
    PipelineNotice source;
    source.text = "a → b";
    source.ofSource = true;
    source.counts.switches = 1;
    m_pipeline->next.notices.push_back(source);
    step(*run);
    QVERIFY(run->isOver());
    QCOMPARE(run->endedEarly(), std::string("the source was changed in between"));
    step(*run);
    QVERIFY(m_pipeline->now.config == m_before);
}

void TestChoiceRun::aStoppedPipelineEndsIt()
{
    const auto run = begin();
    for (int i = 0; i < 100; ++i)
        step(*run);
    PipelineNotice ended;
    ended.kind = PipelineNotice::Kind::Ended;
    ended.text = "end of file";
    m_pipeline->next.notices.push_back(ended);
    step(*run);
    QVERIFY(run->isOver());
    QCOMPARE(run->endedEarly(), std::string("the pipeline stopped: end of file"));
}

void TestChoiceRun::aLostDeviceIsNotAsked()
{
    const auto run = begin();
    for (int i = 0; i < 100; ++i)
        step(*run);
    PipelineNotice lost;
    lost.kind = PipelineNotice::Kind::Failed;
    lost.text = "the GPU was lost";
    lost.deviceLost = true;
    m_pipeline->next.notices.push_back(lost);
    const std::size_t commands = m_pipeline->commands.size();
    step(*run);
    QVERIFY(run->isOver() && run->isBack());
    QCOMPARE(m_pipeline->commands.size(), commands);
}

void TestChoiceRun::destructionRestores()
{
    auto run = begin();
    while (m_pipeline->now.config == m_before)
        step(*run);
    run.reset();
    QVERIFY(m_pipeline->commands.back().config == m_before);
}

void TestChoiceRun::unsafeValuesNeverRun()
{
    const auto run = begin();
    finish(*run);
    QVERIFY(!m_pipeline->visited.contains(SyncMode::None));
}

JETSCOPE_TEST(TestChoiceRun)
#include "tst_choicerun.moc"
