// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A camera whose driver imports CUDA's own pinned memory as DMA-BUFs and writes it, and what happens where it does not.
#include "tests/support/fakecamera.h"
#include "tests/support/pipelinefixture.h"

#include "gpu/sources/v4l2/camerasource.h"
#include "tests/support/testprogram.h"

using namespace jetscope;
using testing::FakeCamera;

namespace {

constexpr const char *kExporter = "soft:thor"; ///< The board whose rules export pinned memory.

std::size_t stripes(std::byte *into, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
        into[i] = static_cast<std::byte>(i * 5 + i / 96);
    return size;
}

struct StripedCamera : FakeCamera {
    StripedCamera()
    {
        fill = stripes;
        period = 2;
    }
};

std::unique_ptr<FrameSource> openDefault(FakeCamera &camera, const std::string &uri = "v4l2:")
{
    Result<std::unique_ptr<FrameSource>> source = openCamera(camera, parseSourceUri(uri).value());
    if (!source.ok())
        qFatal("%s", source.error().message().c_str());
    return std::move(source).value();
}

} // namespace

class TestCameraDmabuf : public QObject {
    Q_OBJECT

private slots:
    void theDriverWritesTheMemoryOfTheDevice();
    void withoutImportsTheMemoryIsFilledInOtherWays_data();
    void withoutImportsTheMemoryIsFilledInOtherWays();
    void kindsAreSwitchedWithoutLosingFrames();
    void anUnpluggedCameraImportsAgain();

private:
    PipelineSetup setup(std::unique_ptr<FrameSource> source, std::uint64_t frames);
    /// Runs to the end, and compares every frame.
    void run(FakeCamera &camera, PipelineSetup setup);

    PipelineStatus m_status;
};

PipelineSetup TestCameraDmabuf::setup(std::unique_ptr<FrameSource> source, std::uint64_t frames)
{
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = kExporter;
    setup.source = std::move(source);
    setup.config.filters = {};
    setup.config.memory = MemoryKind::Dmabuf;
    setup.frameLimit = frames;
    return setup;
}

void TestCameraDmabuf::run(FakeCamera &camera, PipelineSetup setup)
{
    testing::OutputLog log;
    log.keepPixels();
    setup.outputTap = log.tap();
    const ImageLayout layout = setup.source->info().layout;
    const std::uint64_t frames = setup.frameLimit;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    m_status = pipeline.value()->status();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    pipeline.value().reset();
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(testing::brokenRule(update), QString());
    std::vector<std::byte> frame(layout.bytes);
    stripes(frame.data(), frame.size());
    const auto wanted = reference::bytesOf(reference::convert(layout, frame.data()));
    QCOMPARE(log.numbers().size(), static_cast<std::size_t>(frames));
    for (const auto &[number, pixels] : log.pixels())
        QVERIFY2(pixels == wanted, qPrintable(QString("frame %1 shows something else").arg(number)));
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
    QCOMPARE(camera.openFiles, 0);
}

void TestCameraDmabuf::theDriverWritesTheMemoryOfTheDevice()
{
    StripedCamera camera;
    camera.takesUserMemory = false; // Only DMA-BUFs.
    run(camera, setup(openDefault(camera), 20));
    QVERIFY(camera.imports > 0);
    QCOMPARE(m_status.config.memory, MemoryKind::Dmabuf);
    QCOMPARE(m_status.sourceState.copies.size(), std::size_t{0});
}

void TestCameraDmabuf::withoutImportsTheMemoryIsFilledInOtherWays_data()
{
    QTest::addColumn<bool>("imports");
    QTest::addColumn<bool>("refuses");
    QTest::addColumn<bool>("takesAddresses");
    QTest::addColumn<int>("copies");
    QTest::newRow("the driver imports nothing") << false << false << true << 0;
    QTest::newRow("nothing but its own") << false << false << false << 1;
    QTest::newRow("it refuses the buffer") << true << true << false << 1;
}

void TestCameraDmabuf::withoutImportsTheMemoryIsFilledInOtherWays()
{
    QFETCH(bool, imports);
    QFETCH(bool, refuses);
    QFETCH(bool, takesAddresses);
    StripedCamera camera;
    camera.importsBuffers = imports;
    camera.takesUserMemory = takesAddresses;
    camera.refusesImports = refuses;
    run(camera, setup(openDefault(camera), 12));
    QCOMPARE(camera.imports, 0);
    QTEST(static_cast<int>(m_status.sourceState.copies.size()), "copies");
}

void TestCameraDmabuf::kindsAreSwitchedWithoutLosingFrames()
{
    StripedCamera camera;
    camera.takesUserMemory = false;
    PipelineSetup switching = setup(openDefault(camera), 90);
    PipelineConfig config = switching.config;
    std::uint32_t frame = 0;
    for (const MemoryKind kind :
         {MemoryKind::Pinned, MemoryKind::Dmabuf, MemoryKind::ZeroCopy, MemoryKind::Dmabuf, MemoryKind::System,
          MemoryKind::Pool, MemoryKind::UnifiedPrefetch, MemoryKind::Dmabuf}) {
        config.memory = kind;
        switching.schedule.push_back({frame += 10, config});
    }
    run(camera, std::move(switching));
    QCOMPARE(m_status.config.memory, MemoryKind::Dmabuf);
    QVERIFY(m_status.sourceState.copies.empty());
}

void TestCameraDmabuf::anUnpluggedCameraImportsAgain()
{
    StripedCamera camera;
    camera.takesUserMemory = false;
    int frames = 0;
    camera.tamper = [&](v4l2_buffer &) {
        if (++frames == 10)
            camera.present = false;
    };
    camera.paused = [&] { camera.present = true; };
    run(camera, setup(openDefault(camera), 20));
    QVERIFY(camera.imports > 4); // The buffers of two streams.
    QVERIFY(m_status.sourceState.copies.empty());
}

JETSCOPE_TEST(TestCameraDmabuf)
#include "tst_cameradmabuf.moc"
