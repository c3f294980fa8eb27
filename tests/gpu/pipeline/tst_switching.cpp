// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Switching while frames flow: no frame is lost, no resource leaks, and a failed switch changes nothing.
#include "tests/support/longrun.h"
#include "tests/support/pipelinefixture.h"

#include "gpu/base/livecount.h"
#include "tests/support/testprogram.h"

#include <deque>
#include <random>

using namespace jetscope;

class TestSwitching : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::representativeDevices()); }
    void init();
    void randomSwitchesLoseNoFrame();
    void switchesWhileAViewHoldsFramesGiveEverythingBack();
    void anUnavailableChoiceIsRefusedAndTheOldOneStays();
    void aFailedDeviceChangeIsRefused();
    void theDeviceCanBeExchanged();
    void theSourceCanBeExchanged();
    void pauseAndStepDeliverExactlyTheFramesAskedFor();
    void aScheduledChangeBeginsAtItsFrame();

private:
    PipelineSetup setupFor(std::uint64_t frames);
    template <class Condition>
    bool waitUntil(Pipeline &pipeline, Condition condition);
    std::string m_device;
    PipelineUpdate m_events; ///< Everything that waitUntil received.
};

void TestSwitching::init()
{
    QFETCH_GLOBAL(QString, device);
    m_device = device.toStdString();
}

PipelineSetup TestSwitching::setupFor(std::uint64_t frames)
{
    m_events = {};
    PipelineSetup setup;
    setup.display = testing::displayOf(m_device);
    setup.deviceId = m_device;
    setup.config = nearestLegal(setup.config, testing::factsOf(m_device));
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Bgr8, 64, 48, frames);
    return setup;
}

/// For a sanitized program on a busy machine.
constexpr int kPatienceMs = 240'000;

template <class Condition>
bool TestSwitching::waitUntil(Pipeline &pipeline, Condition condition)
{
    return QTest::qWaitFor(
        [&] {
            PipelineUpdate update = pipeline.drainUpdates();
            m_events.notices.insert(m_events.notices.end(), update.notices.begin(), update.notices.end());
            m_events.lanes.insert(m_events.lanes.end(), update.lanes.begin(), update.lanes.end());
            return condition(pipeline.status());
        },
        kPatienceMs);
}

void TestSwitching::randomSwitchesLoseNoFrame()
{
    const std::uint32_t switches = testing::isLongRun() ? 1000 : 200;
    const std::uint32_t frames = 3 * switches;
    const std::size_t handlesBefore = LiveCount::handles;
    const std::size_t bytesBefore = LiveCount::bytes;
    PipelineSetup setup = setupFor(frames);
    testing::OutputLog log;
    setup.outputTap = log.tap();
    const DeviceFacts facts = testing::factsOf(m_device);
    std::mt19937 random(7);
    const auto pick = [&](auto all) { return all[random() % all.size()].value; };
    while (setup.schedule.size() < switches) {
        PipelineConfig config;
        config.memory = pick(choices<MemoryKind>());
        config.output = pick(choices<OutputKind>());
        config.sync = pick(choices<SyncMode>());
        config.wait = random() % 2 != 0 ? WaitPolicy::Block : WaitPolicy::Yield;
        if (cpuStageCapability().available)
            config.cpuStage = pick(choices<CpuStagePlacement>());
        config.framesInFlight = 1 + static_cast<int>(random() % 4);
        config.streams = 1 + static_cast<int>(random() % 4);
        config.filters = {pick(choices<Filter>())};
        if (availability(config, facts).legal())
            setup.schedule.push_back({static_cast<std::uint32_t>(setup.schedule.size() * frames / switches), config});
    }
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QVERIFY(waitUntil(*pipeline.value(), [](const PipelineStatus &status) {
        return status.state == PipelineState::Ended || status.state == PipelineState::Failed;
    }));
    pipeline.value().reset();
    QCOMPARE(testing::noticeText(m_events, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(testing::noticeText(m_events, PipelineNotice::Kind::Refused), QString());
    QCOMPARE(testing::brokenRule(m_events), QString());
    QCOMPARE(log.numbers().size(), std::size_t{frames});
    for (std::uint32_t frame = 0; frame < frames; ++frame)
        QCOMPARE(log.numbers()[frame], frame);
    QCOMPARE(LiveCount::handles.load(), handlesBefore);
    QCOMPARE(LiveCount::bytes.load(), bytesBefore);
}

void TestSwitching::switchesWhileAViewHoldsFramesGiveEverythingBack()
{
    const std::size_t handlesBefore = LiveCount::handles;
    PipelineSetup setup = setupFor(1'000'000);
    setup.forWindow = true;
    Result<std::unique_ptr<Pipeline>> created = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(created);
    Pipeline &pipeline = *created.value();
    std::deque<ViewFrame> held;
    std::size_t steady = 0;
    for (int round = 0; round < 40; ++round) {
        // A slow view: it holds the picture from before the switch until a newer one arrives.
        QVERIFY(waitUntil(pipeline, [&](const PipelineStatus &) {
            if (std::optional<ViewFrame> frame = pipeline.mailbox().take(true))
                held.push_back(*frame);
            return held.size() > 1;
        }));
        pipeline.mailbox().release(held.front(), GlFence());
        pipeline.mailbox().presented(held.front(), nowNs());
        held.pop_front();
        PipelineConfig config = pipeline.status().config;
        config.memory = round % 2 == 0 ? MemoryKind::ZeroCopy : MemoryKind::UnifiedAttach;
        pipeline.change(config);
        QVERIFY(
            waitUntil(pipeline, [&](const PipelineStatus &status) { return status.config.memory == config.memory; }));
        if (round == 10)
            steady = pipeline.status().liveHandles;
    }
    pipeline.mailbox().release(held.front(), GlFence());
    held.clear();
    // Replaced resources are destroyed once their last texture is returned; the number of fences varies with the frames
    // in flight.
    QVERIFY(waitUntil(pipeline, [&](const PipelineStatus &status) { return status.liveHandles <= steady; }));
    created.value().reset();
    QCOMPARE(LiveCount::handles.load(), handlesBefore);
}

void TestSwitching::anUnavailableChoiceIsRefusedAndTheOldOneStays()
{
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupFor(1'000'000));
    JETSCOPE_VERIFY(pipeline);
    PipelineConfig config = pipeline.value()->status().config;
    config.memory = MemoryKind::NvBuf;
    pipeline.value()->change(config);
    QVERIFY(waitUntil(*pipeline.value(), [&](const PipelineStatus &) {
        return !testing::noticeText(m_events, PipelineNotice::Kind::Refused).isEmpty();
    }));
    const auto refusal = testing::noticeText(m_events, PipelineNotice::Kind::Refused);
    QVERIFY2(refusal.contains("lie in the CPU's memory"), qPrintable(refusal));
    const std::uint64_t frames = pipeline.value()->status().frames;
    QVERIFY(waitUntil(*pipeline.value(), [&](const PipelineStatus &status) { return status.frames > frames + 5; }));
    QCOMPARE(pipeline.value()->status().config.memory, MemoryKind::Pinned);
}

void TestSwitching::aFailedDeviceChangeIsRefused()
{
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupFor(1'000'000));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->changeDevice("soft:toaster", pipeline.value()->status().config);
    QVERIFY(waitUntil(*pipeline.value(), [&](const PipelineStatus &) {
        return testing::noticeText(m_events, PipelineNotice::Kind::Refused).contains("soft:orin");
    }));
    QCOMPARE(pipeline.value()->status().state, PipelineState::Running);
}

void TestSwitching::theDeviceCanBeExchanged()
{
    const std::size_t handlesBefore = LiveCount::handles;
    PipelineSetup setup = setupFor(1'000'000);
    setup.config.memory = MemoryKind::Registered;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    for (const std::string &id : {std::string("soft:nano"), std::string("soft:thor"), m_device}) {
        pipeline.value()->changeDevice(id, pipeline.value()->status().config);
        QVERIFY(waitUntil(*pipeline.value(), [&](const PipelineStatus &status) { return status.facts.id == id; }));
        const std::uint64_t frames = pipeline.value()->status().frames;
        QVERIFY(waitUntil(*pipeline.value(), [&](const PipelineStatus &status) { return status.frames > frames + 3; }));
    }
    // A Nano cannot register host memory, so the nearest legal kind was used.
    QVERIFY(pipeline.value()->status().config.memory != MemoryKind::Registered);
    pipeline.value().reset();
    QCOMPARE(LiveCount::handles.load(), handlesBefore);
}

void TestSwitching::theSourceCanBeExchanged()
{
    PipelineSetup setup = setupFor(20);
    setup.openSource = [](const std::string &uri) -> Result<std::unique_ptr<FrameSource>> {
        if (uri != "other:")
            return Error{"", 0, "there is no " + uri};
        return std::unique_ptr<FrameSource>(std::make_unique<testing::RandomSource>(PixelFormat::Nv12, 33, 21, 30));
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    pipeline.value()->changeSource("missing:");
    const auto refusal = [this] { return testing::noticeText(m_events, PipelineNotice::Kind::Refused); };
    QVERIFY(waitUntil(*pipeline.value(), [&](const PipelineStatus &) { return !refusal().isEmpty(); }));
    QVERIFY(refusal().contains("there is no missing:"));
    pipeline.value()->changeSource("other:");
    QVERIFY(
        waitUntil(*pipeline.value(), [](const PipelineStatus &status) { return status.source.layout.width == 33; }));
    QVERIFY(waitUntil(*pipeline.value(),
                      [](const PipelineStatus &status) { return status.state == PipelineState::Ended; }));
    QCOMPARE(pipeline.value()->status().frames, std::uint64_t(50));
    // Both sources are of one kind: no lane without a future stays behind.
    const std::vector<LaneInfo> &lanes = m_events.lanes;
    QCOMPARE(
        std::count_if(lanes.begin(), lanes.end(), [](const LaneInfo &lane) { return lane.role == LaneRole::Capture; }),
        std::ptrdiff_t{1});
}

void TestSwitching::pauseAndStepDeliverExactlyTheFramesAskedFor()
{
    PipelineSetup setup = setupFor(1'000'000);
    setup.startPaused = true;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QCOMPARE(pipeline.value()->status().state, PipelineState::Paused);
    for (std::uint64_t frame = 1; frame <= 5; ++frame) {
        pipeline.value()->step();
        QVERIFY(waitUntil(*pipeline.value(), [&](const PipelineStatus &status) { return status.frames >= frame; }));
        QCOMPARE(pipeline.value()->status().frames, frame);
    }
    pipeline.value()->setPaused(false);
    QVERIFY(waitUntil(*pipeline.value(), [](const PipelineStatus &status) { return status.frames > 20; }));
}

void TestSwitching::aScheduledChangeBeginsAtItsFrame()
{
    PipelineSetup setup = setupFor(30);
    testing::OutputLog log;
    log.keepPixels();
    setup.outputTap = log.tap();
    setup.config.filters = {Filter::Identity};
    PipelineConfig later = setup.config;
    later.filters = {Filter::Invert};
    later.memory = MemoryKind::ZeroCopy;
    setup.schedule.push_back({12, later});
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const testing::RandomSource same(PixelFormat::Bgr8, 64, 48, 30);
    for (std::uint32_t frame = 0; frame < 30; ++frame)
        QVERIFY2(log.pixels()[frame] == same.expected(frame, {frame < 12 ? Filter::Identity : Filter::Invert}),
                 qPrintable(QString::number(frame)));
    bool seen = false;
    for (const PipelineNotice &notice : pipeline.value()->drainUpdates().notices)
        seen = seen || (notice.kind == PipelineNotice::Kind::Switched && notice.frame == 12);
    QVERIFY(seen);
}

JETSCOPE_TEST(TestSwitching)
#include "tst_switching.moc"
