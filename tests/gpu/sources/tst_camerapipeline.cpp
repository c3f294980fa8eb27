// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A camera through the whole pipeline: frames reach every memory kind, survive switches, and gaps are marked.
#include "tests/support/fakecamera.h"
#include "tests/support/pipelinefixture.h"

#include "gpu/sources/copies.h"
#include "gpu/sources/v4l2/camerasource.h"
#include "tests/support/testprogram.h"

#include <algorithm>
#include <atomic>

using namespace jetscope;
using testing::FakeCamera;

namespace {

/// A picture that depends only on the position in it.
std::size_t chart(std::byte *into, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
        into[i] = static_cast<std::byte>(i * 7 + i / 128);
    return size;
}

std::unique_ptr<FrameSource> open(FakeCamera &camera, const std::string &text)
{
    const Result<SourceUri> uri = parseSourceUri(text);
    Result<std::unique_ptr<FrameSource>> source = openCamera(camera, uri.value());
    if (!source.ok())
        qFatal("%s", source.error().message().c_str());
    return std::move(source).value();
}

} // namespace

class TestCameraPipeline : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::representativeDevices()); }
    void framesLandInEveryMemoryKind_data();
    void framesLandInEveryMemoryKind();
    void memoryIsSwitchedUnderTheCamera();
    void aCameraGoneTenTimesLeavesTenGaps();
    void gapsBeforeFramesThatNobodySawAreTold();

private:
    static PipelineSetup setupFor(const QString &device, std::unique_ptr<FrameSource> source);
};

PipelineSetup TestCameraPipeline::setupFor(const QString &device, std::unique_ptr<FrameSource> source)
{
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = device.toStdString();
    setup.source = std::move(source);
    setup.config.filters = {};
    return setup;
}

void TestCameraPipeline::framesLandInEveryMemoryKind_data()
{
    QTest::addColumn<int>("memory");
    QTest::addColumn<QString>("io");
    for (const Choice<MemoryKind> &kind : choices<MemoryKind>())
        for (const char *io : {"mmap", "userptr"})
            QTest::addRow("%s %s", std::string(kind.name).c_str(), io) << static_cast<int>(kind.value) << QString(io);
}

void TestCameraPipeline::framesLandInEveryMemoryKind()
{
    QFETCH_GLOBAL(QString, device);
    QFETCH(int, memory);
    QFETCH(QString, io);
    FakeCamera camera;
    camera.fill = chart;
    camera.period = 2;
    PipelineSetup setup = setupFor(device, open(camera, "v4l2:?io=" + io.toStdString()));
    setup.config.memory = static_cast<MemoryKind>(memory);
    if (const Availability found = availability(setup.config, testing::factsOf(device.toStdString()));
        found.unavailable())
        QSKIP(found.reason.c_str());
    setup.frameLimit = 12;
    testing::OutputLog log;
    log.keepPixels();
    setup.outputTap = log.tap();
    const ImageLayout layout = setup.source->info().layout;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineStatus status = pipeline.value()->status();
    PipelineUpdate update = pipeline.value()->drainUpdates();
    QVERIFY2(status.state == PipelineState::Ended,
             qPrintable(testing::noticeText(update, PipelineNotice::Kind::Failed)));
    QCOMPARE(status.sourceState.copies.size(), io == "mmap" ? 1u : 0u);
    // The reported copies of the memory kind match the copies measured for its frames.
    const auto hasFigures = [&] { // The GPU's times arrive a little later.
        if (update.figures.empty())
            update = pipeline.value()->drainUpdates();
        return !update.figures.empty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasFigures(), 60'000);
    const std::size_t told = copiesToGpu(status.sourceState, status.config.memory, status.facts).size();
    QCOMPARE(told - status.sourceState.copies.size(),
             update.figures.back().bytesCopied > 0 ? std::size_t{1} : std::size_t{0});
    pipeline.value().reset();
    std::vector<std::byte> frame(layout.bytes);
    chart(frame.data(), frame.size());
    const auto wanted = reference::bytesOf(reference::convert(layout, frame.data()));
    QCOMPARE(log.numbers().size(), std::size_t{12});
    for (const auto &[number, pixels] : log.pixels())
        QVERIFY2(pixels == wanted, qPrintable(QString("frame %1 shows something else").arg(number)));
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
    QCOMPARE(camera.openFiles, 0);
}

void TestCameraPipeline::memoryIsSwitchedUnderTheCamera()
{
    QFETCH_GLOBAL(QString, device);
    FakeCamera camera;
    camera.fill = chart;
    camera.period = 1;
    PipelineSetup setup = setupFor(device, open(camera, "v4l2:"));
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    for (std::uint32_t i = 0; i < 40; ++i) {
        PipelineConfig config = setup.config;
        config.memory = choices<MemoryKind>()[i % choices<MemoryKind>().size()].value;
        config.framesInFlight = 1 + static_cast<int>(i % 4);
        if (availability(config, facts).legal())
            setup.schedule.push_back({5 * i, config});
    }
    setup.frameLimit = 220;
    testing::OutputLog log;
    log.keepPixels();
    setup.outputTap = log.tap();
    const ImageLayout layout = setup.source->info().layout;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Refused), QString());
    pipeline.value().reset();
    std::vector<std::byte> frame(layout.bytes);
    chart(frame.data(), frame.size());
    const auto wanted = reference::bytesOf(reference::convert(layout, frame.data()));
    QCOMPARE(log.numbers().size(), std::size_t{220});
    for (const auto &[number, pixels] : log.pixels())
        QVERIFY2(pixels == wanted, qPrintable(QString("frame %1 shows something else").arg(number)));
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
}

void TestCameraPipeline::aCameraGoneTenTimesLeavesTenGaps()
{
    QFETCH_GLOBAL(QString, device);
    FakeCamera camera;
    camera.period = 1;
    int gone = 0;
    int looks = 0;
    camera.fill = [&](std::byte *into, std::size_t size) {
        if (camera.delivered % 20 == 19 && gone < 10) {
            ++gone;
            camera.present = false; // After the current frame.
        }
        return chart(into, size);
    };
    camera.paused = [&] { camera.present = ++looks % 2 == 0; };
    PipelineSetup setup = setupFor(device, open(camera, "v4l2:"));
    Result<std::unique_ptr<Pipeline>> created = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(created);
    Pipeline &pipeline = *created.value();
    std::size_t gaps = 0;
    std::uint64_t framesAtLastGap = 0;
    const bool done = QTest::qWaitFor(
        [&] {
            const PipelineUpdate update = pipeline.drainUpdates();
            gaps +=
                static_cast<std::size_t>(std::count_if(update.spans.begin(), update.spans.end(), [](const Span &span) {
                    return spanName(span.name) == "camera gone";
                }));
            const PipelineStatus status = pipeline.status();
            if (gaps < 10)
                framesAtLastGap = status.frames;
            return status.state != PipelineState::Running || (gaps >= 10 && status.frames > framesAtLastGap + 5);
        },
        60'000);
    QVERIFY2(done, qPrintable(QString("%1 gaps").arg(gaps)));
    // The tenth gap may be reported shortly before the trouble is cleared.
    QTRY_VERIFY(pipeline.status().sourceState.trouble.empty());
    QVERIFY(pipeline.status().state == PipelineState::Running);
    created.value().reset();
    QCOMPARE(gaps, std::size_t{10});
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
}

void TestCameraPipeline::gapsBeforeFramesThatNobodySawAreTold()
{
    QFETCH_GLOBAL(QString, device);
    FakeCamera camera;
    camera.period = 1;
    int looks = 0;
    std::atomic<int> gone{0};
    std::atomic<bool> allBack{false};
    camera.fill = [&](std::byte *into, std::size_t size) {
        if (camera.delivered % 5 == 4 && gone < 10) {
            ++gone;
            camera.present = false;
        }
        allBack = gone == 10 && camera.delivered > 60;
        return chart(into, size);
    };
    camera.paused = [&] { camera.present = ++looks % 2 == 0; };
    PipelineSetup setup = setupFor(device, open(camera, "v4l2:"));
    setup.startPaused = true; // Frames that are not taken are superseded.
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(allBack.load(), 60'000);
    pipeline.value()->setPaused(false);
    std::vector<PipelineNotice> gaps;
    const auto look = [&] {
        for (const PipelineNotice &notice : pipeline.value()->drainUpdates().notices)
            if (notice.kind == PipelineNotice::Kind::Gap)
                gaps.push_back(notice);
        return pipeline.value()->status().frames > 10;
    };
    QTRY_VERIFY_WITH_TIMEOUT(look(), 60'000);
    look();
    QCOMPARE(gaps.size(), std::size_t{10});
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        QCOMPARE(gaps[i].frame, 0u);
        QVERIFY(i == 0 || gaps[i].timeNs > gaps[i - 1].timeNs);
        QVERIFY2(gaps[i].text.find("Fake camera was unplugged") == 0, gaps[i].text.c_str());
    }
    QCOMPARE(pipeline.value()->status().sourceState.faults.gaps, std::uint64_t{10});
    pipeline.value().reset();
}

JETSCOPE_TEST(TestCameraPipeline)
#include "tst_camerapipeline.moc"
