// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The hand-over to the view: the mailbox holds only the latest frame, and the read-back view shows the pipeline's
// output.
#include "tests/support/pipelinefixture.h"

#include "gpu/pipeline/view.h"
#include "tests/support/testprogram.h"

using namespace jetscope;

class TestView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::representativeDevices()); }
    void aSlowViewNeverQueuesMoreThanOneFrame();
    void supersededFramesAreDropped();
    void aRetractedFrameComesBack();
    void listenersHearOfEveryFrame();
    void theReadbackViewShowsTheReferencesBytes();
    void shownFramesHaveALatencyAndReplacedOnesNone();
};

namespace {

ViewFrame frameOf(std::uint32_t number)
{
    ViewFrame frame;
    frame.frame = number;
    frame.slot = number;
    return frame;
}

} // namespace

void TestView::aSlowViewNeverQueuesMoreThanOneFrame()
{
    ViewMailbox box;
    for (std::uint32_t number = 0; number < 100; ++number)
        box.publish(frameOf(number));
    QCOMPARE(box.dropped(), std::uint64_t(99));
    QCOMPARE(box.takeReleased().size(), std::size_t(99));
    const std::optional<ViewFrame> latest = box.take(true);
    QVERIFY(latest);
    QCOMPARE(latest->frame, 99u);
    QVERIFY(!box.take(true));
    box.release(*latest, GlFence());
    QCOMPARE(box.takeReleased().size(), std::size_t(1));
}

void TestView::supersededFramesAreDropped()
{
    ViewMailbox box;
    box.publish(frameOf(5));
    const std::optional<ViewFrame> late = box.take(true);
    QVERIFY(late);
    QCOMPARE(box.dropped(), std::uint64_t(0));
    box.superseded(late->frame); // Taken, but a newer one was painted instead.
    QCOMPARE(box.dropped(), std::uint64_t(1));
    const auto dropped = box.takeDropped();
    QCOMPARE(dropped.size(), std::size_t(1));
    QCOMPARE(dropped.front().frame, 5u);
    QVERIFY(dropped.front().wasTaken);
    box.publish(frameOf(6));
    box.publish(frameOf(7));
    QCOMPARE(box.dropped(), std::uint64_t(2));
    const auto replaced = box.takeDropped();
    QCOMPARE(replaced.size(), std::size_t(1));
    QCOMPARE(replaced.front().frame, 6u);
    QVERIFY(!replaced.front().wasTaken);
}

void TestView::aRetractedFrameComesBack()
{
    ViewMailbox box;
    box.retract();
    QVERIFY(box.takeReleased().empty());
    box.publish(frameOf(3));
    box.retract();
    QVERIFY(!box.take(false));
    const auto released = box.takeReleased();
    QCOMPARE(released.size(), std::size_t(1));
    QCOMPARE(released.front().slot, std::size_t(3));
    QCOMPARE(box.dropped(), std::uint64_t(0));
}

void TestView::listenersHearOfEveryFrame()
{
    ViewMailbox box;
    int heard = 0;
    box.setListener([&heard] { ++heard; });
    box.publish(frameOf(0));
    box.publish(frameOf(1));
    box.setListener(nullptr);
    box.publish(frameOf(2));
    QCOMPARE(heard, 2);
}

void TestView::theReadbackViewShowsTheReferencesBytes()
{
    QFETCH_GLOBAL(QString, device);
    PipelineSetup setup;
    setup.display = testing::displayOf(device.toStdString());
    QVERIFY(setup.display);
    setup.deviceId = device.toStdString();
    setup.config = nearestLegal(setup.config, testing::factsOf(setup.deviceId));
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Nv12, 64, 48, 1'000'000);
    setup.config.filters = {Filter::Invert};
    setup.forWindow = true;
    setup.startPaused = true;
    const testing::RandomSource same(PixelFormat::Nv12, 64, 48, 1'000'000);
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    std::mutex mutex;
    std::map<std::uint32_t, std::vector<std::byte>> shown;
    Result<std::unique_ptr<ReadbackView>> view = ReadbackView::create(
        testing::displayOf(device.toStdString()), pipeline.value()->nativeContext(), pipeline.value()->mailbox(),
        pipeline.value()->tracer(), [&](Result<ReadbackView::Picture> picture) {
            const std::lock_guard lock(mutex);
            shown[picture.value().frame] = std::move(std::move(picture).value().rgba);
        });
    JETSCOPE_VERIFY(view);
    // Stepping gives the view enough time for every frame.
    for (std::uint32_t frame = 0; frame < 12; ++frame) {
        pipeline.value()->step();
        QVERIFY(QTest::qWaitFor([&] {
            const std::lock_guard lock(mutex);
            return shown.count(frame) == 1;
        }));
        QVERIFY(shown[frame] == same.expected(frame, {Filter::Invert}));
    }
    view.value().reset();
}

void TestView::shownFramesHaveALatencyAndReplacedOnesNone()
{
    QFETCH_GLOBAL(QString, device);
    PipelineSetup setup;
    setup.display = testing::displayOf(device.toStdString());
    setup.deviceId = device.toStdString();
    setup.config = nearestLegal(setup.config, testing::factsOf(setup.deviceId));
    // Faster than this test polls, so that some frames are replaced, but slow enough that figures still wait for a
    // presentation.
    Result<std::unique_ptr<FrameSource>> source =
        openSource("synthetic:?size=64x48&fps=250&frames=200&rate=real", Pacing::Real);
    JETSCOPE_VERIFY(source);
    setup.source = std::move(source).value();
    setup.forWindow = true;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    std::vector<FrameFigures> figures;
    std::uint64_t shown = 0;
    std::uint64_t toldOf = 0; // Frames not shown, according to the marks of the timeline.
    QVERIFY(QTest::qWaitFor(
        [&] {
            if (std::optional<ViewFrame> frame = pipeline.value()->mailbox().take(true)) {
                pipeline.value()->mailbox().release(*frame, GlFence());
                pipeline.value()->mailbox().presented(*frame, nowNs());
                ++shown;
            }
            const PipelineUpdate update = pipeline.value()->drainUpdates();
            figures.insert(figures.end(), update.figures.begin(), update.figures.end());
            for (const PipelineNotice &notice : update.notices)
                if (const QString text = QString::fromStdString(notice.text);
                    notice.kind == PipelineNotice::Kind::Dropped && text.contains("not shown"))
                    toldOf += text.section(' ', 0, 0).toULongLong();
            return pipeline.value()->status().state == PipelineState::Ended && figures.size() >= 100;
        },
        60000));
    std::uint64_t withLatency = 0;
    for (const FrameFigures &frame : figures)
        withLatency += frame.latencyNs > 0 ? 1 : 0;
    QVERIFY(withLatency > 0);
    QVERIFY2(withLatency <= shown, qPrintable(QString("%1 of %2").arg(withLatency).arg(shown)));
    QVERIFY(withLatency < figures.size());
    QVERIFY(pipeline.value()->status().droppedByView > 0);
    QVERIFY(toldOf > 0 && toldOf <= pipeline.value()->status().droppedByView);
}

JETSCOPE_TEST(TestView)
#include "tst_view.moc"
