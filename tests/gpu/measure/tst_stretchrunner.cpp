// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stretches on a scripted pipeline: which frames count, and what ends a stretch.
#include "gpu/measure/stretchrunner.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

/// A pipeline whose every event is made by the test.
class ScriptedControl final : public PipelineControl {
public:
    void post(PipelineCommand command) override { commands.push_back(std::move(command)); }
    PipelineUpdate drainUpdates() override { return {}; }
    void setSink(std::shared_ptr<TraceSink>) override {}
    PipelineStatus status() const override { return now; }
    void waitForEnd() override {}
    FramePort *framePort() override { return nullptr; }

    PipelineStatus now;
    std::vector<PipelineCommand> commands;
};

PipelineNotice notice(PipelineNotice::Kind kind, std::uint32_t frame, std::string text = {})
{
    PipelineNotice made;
    made.kind = kind;
    made.frame = frame;
    made.text = std::move(text);
    return made;
}

constexpr std::int64_t kMs = 1'000'000;
constexpr const char *kRefusal = "memory: pinned → zero-copy: no room";

} // namespace

class TestStretchRunner : public QObject {
    Q_OBJECT

private slots:
    void init();
    void framesBeforeTheSwitchAndColdOnesDoNotCount();
    void energyIsIntegratedWherePowerIsKnown();
    void theSameConfigurationNeedsNoSwitch();
    void whatGoesOnIsWarm();
    void anotherSizeChangesTheSourceFirst();
    void aSizeThatCannotBeIsAFailure();
    void aRefusedSwitchFailsTheCellOnly();
    void aStoppedPipelineIsLost_data();
    void aStoppedPipelineIsLost();
    void withoutFramesItGivesUp();
    void aSlowPipelineGivesFewFrames();
    void countersAreMeansWithTheValueBefore();
    void onlyHazardsOfTheStretchAreCounted();
    void figuresOfAnotherConfigurationAreNotTaken();

private:
    static SweepCell cell(MemoryKind memory, int width = 0, int height = 0)
    {
        SweepCell made;
        made.config.memory = memory;
        made.width = width;
        made.height = height;
        return made;
    }
    void begin(const SweepCell &wanted, bool keeps = false) { m_runner->begin({3, 1}, wanted, keeps, m_ns); }
    void give(PipelineUpdate update)
    {
        m_ns += 5 * kMs;
        m_runner->take(std::move(update), m_ns);
    }
    void tell(const PipelineNotice &event)
    {
        const bool isChange =
            !m_pipeline->commands.empty() && m_pipeline->commands.back().kind == PipelineCommand::Kind::ChangeConfig;
        if (event.kind == PipelineNotice::Kind::Switched && isChange)
            m_pipeline->now.config = m_pipeline->commands.back().config;
        PipelineUpdate update;
        update.notices = {event};
        give(std::move(update));
    }
    /// Frames of `ms` milliseconds from m_frame on, until the stretch is over or `most` came. Returns their number.
    int frames(int most, std::int64_t ms)
    {
        int given = 0;
        for (; given < most && m_runner->state() == StretchRunner::State::Measuring; ++given) {
            FrameFigures figures;
            figures.frame = m_frame++;
            figures.startNs = figures.frame * ms * kMs;
            figures.overlap.periodNs = ms * kMs;
            figures.frameNs = ms * kMs / 2;
            PipelineUpdate update;
            update.figures = {figures};
            m_ns += ms * kMs;
            m_runner->take(std::move(update), m_ns);
        }
        return given;
    }
    Result<std::string> address(SweepSize size) const
    {
        if (size.width == 13)
            return sentence("no such size");
        return "synthetic:?size=" + std::to_string(size.width);
    }

    std::unique_ptr<ScriptedControl> m_pipeline;
    std::unique_ptr<StretchRunner> m_runner;
    std::int64_t m_ns = 0;
    std::uint32_t m_frame = 0;
};

void TestStretchRunner::init()
{
    m_pipeline = std::make_unique<ScriptedControl>();
    m_runner = std::make_unique<StretchRunner>(*m_pipeline, [this](SweepSize size) { return address(size); });
    m_ns = 1'000'000'000;
    m_frame = 0;
}

void TestStretchRunner::framesBeforeTheSwitchAndColdOnesDoNotCount()
{
    begin(cell(MemoryKind::ZeroCopy), true);
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Switching));
    QCOMPARE(int(m_pipeline->commands.back().kind), int(PipelineCommand::Kind::ChangeConfig));
    tell(notice(PipelineNotice::Kind::Switched, 20));
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Measuring));
    // 20 frames with the earlier configuration, 10 that warm up, then 10 ms each for at least 300 ms.
    QCOMPARE(frames(1000, 10), 20 + 10 + 30);
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Done));
    const KeptStretch &taken = m_runner->taken();
    QVERIFY(taken.stretch == (CellTurn{3, 1}));
    QCOMPARE(taken.figures.frameMs.size(), std::size_t{30});
    QCOMPARE(figureOfBatches(taken.figures.batches[static_cast<std::size_t>(Figure::Period)]), 10.0);
    QCOMPARE(taken.tookNs, m_ns - taken.startNs);
    QCOMPARE(m_runner->takeUpdates().size(), std::size_t{2 + 60}); // First, what was told before; the switch.
}

void TestStretchRunner::energyIsIntegratedWherePowerIsKnown()
{
    const auto energyOf = [this](bool withPower) {
        init();
        begin(cell(MemoryKind::ZeroCopy));
        tell(notice(PipelineNotice::Kind::Switched, 0));
        PipelineUpdate update;
        if (withPower)
            update.counters = {{1000, "power VDD_IN", "W", {}}};
        for (std::int64_t at = 0; withPower && at <= 400; at += 100)
            update.samples.push_back({at * kMs, 3, 1000});
        m_runner->take(std::move(update), m_ns);
        frames(1000, 10); // Ten warm up, then 30 frames.
        return m_runner->taken().figures.batches[static_cast<std::size_t>(Figure::Energy)];
    };
    QCOMPARE(energyOf(false), std::vector<double>());
    const std::vector<double> energy = energyOf(true);
    QCOMPARE(energy.size(), std::size_t{1});
    QVERIFY2(std::abs(energy[0] - 30) < 1e-9, qPrintable(QString::number(energy[0]))); // 3 W for 10 ms a frame.
}

void TestStretchRunner::theSameConfigurationNeedsNoSwitch()
{
    m_pipeline->now.config.memory = MemoryKind::ZeroCopy;
    m_pipeline->now.frames = 7;
    begin(cell(MemoryKind::ZeroCopy));
    QVERIFY(m_pipeline->commands.empty());
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Measuring));
    QCOMPARE(frames(1000, 10), 7 + 10 + 30);
}

void TestStretchRunner::whatGoesOnIsWarm()
{
    m_pipeline->now.config.memory = MemoryKind::ZeroCopy;
    begin(cell(MemoryKind::ZeroCopy));
    QCOMPARE(frames(1000, 10), 10 + 30);
    m_pipeline->now.frames = m_frame;
    begin(cell(MemoryKind::ZeroCopy));
    QCOMPARE(frames(1000, 10), 30);
    QCOMPARE(m_runner->taken().figures.frameMs.size(), std::size_t{30});
    begin(cell(MemoryKind::Pageable));
    m_pipeline->now.frames = m_frame;
    tell(notice(PipelineNotice::Kind::Switched, m_frame));
    QCOMPARE(frames(1000, 10), 10 + 30);
}

void TestStretchRunner::anotherSizeChangesTheSourceFirst()
{
    begin(cell(MemoryKind::ZeroCopy, 640, 480));
    QCOMPARE(m_pipeline->commands.size(), std::size_t{1});
    QCOMPARE(m_pipeline->commands[0].address, std::string("synthetic:?size=640"));
    tell(notice(PipelineNotice::Kind::Switched, 3, "sync: event → stream"));
    QCOMPARE(m_pipeline->commands.size(), std::size_t{1}); // That was not the change of source.
    PipelineNotice source = notice(PipelineNotice::Kind::Switched, 4, "another one");
    source.ofSource = true;
    tell(source);
    QCOMPARE(m_pipeline->commands.size(), std::size_t{2});
    QCOMPARE(int(m_pipeline->commands[1].kind), int(PipelineCommand::Kind::ChangeConfig));
    tell(notice(PipelineNotice::Kind::Switched, 6));
    frames(1000, 10);
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Done));
    // The next cell of the same size needs the configuration only.
    begin(cell(MemoryKind::Pageable, 640, 480));
    QCOMPARE(int(m_pipeline->commands.back().kind), int(PipelineCommand::Kind::ChangeConfig));
}

void TestStretchRunner::aSizeThatCannotBeIsAFailure()
{
    begin(cell(MemoryKind::ZeroCopy, 13, 13));
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Failed));
    QCOMPARE(m_runner->failure(), std::string("no such size"));
    QVERIFY(!m_runner->lost());
}

void TestStretchRunner::aRefusedSwitchFailsTheCellOnly()
{
    begin(cell(MemoryKind::ZeroCopy));
    tell(notice(PipelineNotice::Kind::Refused, 3, kRefusal));
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Failed));
    QCOMPARE(m_runner->failure(), std::string(kRefusal));
    QVERIFY(!m_runner->lost());
    begin(cell(MemoryKind::Pageable));
    tell(notice(PipelineNotice::Kind::Switched, 0));
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Measuring));
}

void TestStretchRunner::aStoppedPipelineIsLost_data()
{
    QTest::addColumn<bool>("deviceLost");
    QTest::newRow("the source ended") << false;
    QTest::newRow("the device is lost") << true;
}

void TestStretchRunner::aStoppedPipelineIsLost()
{
    QFETCH(bool, deviceLost);
    begin(cell(MemoryKind::ZeroCopy));
    PipelineNotice event = notice(deviceLost ? PipelineNotice::Kind::Failed : PipelineNotice::Kind::Ended, 3, "gone");
    event.deviceLost = deviceLost;
    tell(event);
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Failed));
    QVERIFY(m_runner->lost());
    QCOMPARE(m_runner->deviceLost(), deviceLost);
}

void TestStretchRunner::withoutFramesItGivesUp()
{
    begin(cell(MemoryKind::ZeroCopy));
    tell(notice(PipelineNotice::Kind::Switched, 0));
    m_ns += 9'000 * kMs;
    give({});
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Measuring));
    m_ns += 1'000 * kMs;
    give({});
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Failed));
    QVERIFY(m_runner->failure().find("no frame came") != std::string::npos);
}

void TestStretchRunner::aSlowPipelineGivesFewFrames()
{
    begin(cell(MemoryKind::ZeroCopy));
    tell(notice(PipelineNotice::Kind::Switched, 0));
    const int given = frames(1000, 400); // Each frame takes 0.4 s.
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Done));
    QVERIFY2(given <= kMaxFramesInFlight + 4, "a slow pipeline must not take a minute for each stretch");
    QVERIFY(m_runner->taken().figures.frameMs.size() >= 3);
}

void TestStretchRunner::countersAreMeansWithTheValueBefore()
{
    PipelineUpdate before;
    before.counters = {{0, "CPU clock", "Hz", {}}, {1, "GPU clock", "Hz", {}}};
    before.samples = {{1, 2e9, 0}};
    begin(cell(MemoryKind::ZeroCopy));
    give(before); // Still switching: the value holds until the next one.
    tell(notice(PipelineNotice::Kind::Switched, 0));
    PipelineUpdate later;
    later.samples = {{2, 1e9, 0}};
    give(later);
    PipelineUpdate unknown;
    unknown.samples = {{3, std::nan(""), 1}};
    give(unknown);
    PipelineUpdate last;
    give(last);
    FrameFigures figures;
    for (std::uint32_t i = 0; i < 60; ++i) {
        figures.frame = i;
        figures.startNs = i * 10 * kMs;
        figures.overlap.periodNs = 10 * kMs;
        last.figures.push_back(figures);
    }
    give(last);
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Done));
    QCOMPARE(m_runner->taken().counters.size(), std::size_t{1}); // The other one was never known.
    QCOMPARE(m_runner->taken().counters[0].name, std::string("CPU clock"));
    QCOMPARE(m_runner->taken().counters[0].mean, 1.5e9);
}

void TestStretchRunner::onlyHazardsOfTheStretchAreCounted()
{
    begin(cell(MemoryKind::ZeroCopy));
    tell(notice(PipelineNotice::Kind::Switched, 20));
    PipelineNotice hazard = notice(PipelineNotice::Kind::Violation, 19);
    tell(hazard);
    hazard.frame = 25;
    tell(hazard);
    hazard.level = HazardLevel::Cost;
    tell(hazard);
    frames(1000, 10);
    QCOMPARE(m_runner->taken().hazards, std::uint64_t{1});
}

void TestStretchRunner::figuresOfAnotherConfigurationAreNotTaken()
{
    begin(cell(MemoryKind::ZeroCopy));
    tell(notice(PipelineNotice::Kind::Switched, 0));
    m_pipeline->now.config.sync = SyncMode::Finish; // The user has chosen it.
    frames(1000, 10);
    QCOMPARE(int(m_runner->state()), int(StretchRunner::State::Failed));
    QVERIFY(m_runner->failure().find("another configuration") != std::string::npos);
}

JETSCOPE_TEST(TestStretchRunner)
#include "tst_stretchrunner.moc"
