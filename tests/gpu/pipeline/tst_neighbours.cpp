// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Shares of the GPU, priorities, and loads beside a pipeline: they change no byte, they come and go while it runs, and
// what a device lacks is refused with its reason. Semaphores that CUDA and OpenGL ES share, where they do.
#include "tests/support/pipelinefixture.h"

#include "core/settings/settingtable.h"
#include "gpu/gl/context.h"
#include "gpu/gl/exportedsemaphore.h"
#include "gpu/pipeline/besideload.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <string>

using namespace jetscope;

namespace {

constexpr std::uint64_t kFrames = 30;

} // namespace

class TestNeighbours : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::usableDevices()); }

    void noneChangesAByte();
    void whatADeviceLacksIsRefused();
    void loadsComeAndGo();
    void aGpuThatVulkanDoesNotKnowIsRefused();
    void semaphoresCountOnBothSides();

private:
    static PipelineSetup setupOf(const PipelineConfig &config, testing::OutputLog &log);
};

PipelineSetup TestNeighbours::setupOf(const PipelineConfig &config, testing::OutputLog &log)
{
    QFETCH_GLOBAL(QString, device);
    PipelineSetup setup;
    setup.display = testing::displayOf(device.toStdString());
    setup.deviceId = device.toStdString();
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Nv12, 64, 36, kFrames);
    setup.config = config;
    setup.outputTap = log.tap();
    setup.hostFiles.clear();
    return setup;
}

void TestNeighbours::noneChangesAByte()
{
    QFETCH_GLOBAL(QString, device);
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    int ran = 0;
    for (const char *const key : {"priority", "gpu-share", "beside"})
        for (const SettingValue &value : settingRow(key)->values()) {
            PipelineConfig config = nearestLegal({}, facts);
            QVERIFY(settingRow(key)->set(config, value.name).ok());
            if (!availability(config, facts).legal())
                continue;
            testing::OutputLog log;
            log.keepPixels();
            Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupOf(config, log));
            JETSCOPE_VERIFY(pipeline);
            pipeline.value()->waitForEnd();
            QCOMPARE(testing::brokenRule(pipeline.value()->drainUpdates()), QString());
            pipeline.value().reset();
            const testing::RandomSource same(PixelFormat::Nv12, 64, 36, kFrames);
            QCOMPARE(log.pixels().size(), std::size_t(kFrames));
            for (std::uint32_t frame = 0; frame < kFrames; ++frame)
                QVERIFY2(log.pixels()[frame] == same.expected(frame, config.filters), value.name.c_str());
            ++ran;
        }
    QVERIFY(ran >= 5); // The usual values, and two loads that every device has.
}

void TestNeighbours::whatADeviceLacksIsRefused()
{
    QFETCH_GLOBAL(QString, device);
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    int refused = 0;
    for (const char *const key : {"priority", "gpu-share", "beside", "sync"})
        for (const SettingValue &value : settingRow(key)->values()) {
            PipelineConfig config = nearestLegal({}, facts);
            QVERIFY(settingRow(key)->set(config, value.name).ok());
            const Availability found = availability(config, facts);
            if (!found.unavailable())
                continue;
            ++refused;
            QVERIFY2(found.reason.size() > 10, value.name.c_str());
            testing::OutputLog log;
            const Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupOf(config, log));
            QVERIFY2(!pipeline.ok() && pipeline.error().text.find(found.reason) != std::string::npos,
                     value.name.c_str());
        }
    QVERIFY(refused > 0); // Mapping orders nothing without the output that maps.
}

void TestNeighbours::loadsComeAndGo()
{
    QFETCH_GLOBAL(QString, device);
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    for (const Choice<Beside> &load : choices<Beside>()) {
        if (!availability(load.value, {}, facts).legal())
            continue;
        Result<std::unique_ptr<BesideLoad>> made = BesideLoad::create(load.value, facts);
        JETSCOPE_VERIFY(made);
        QCOMPARE(made.value() == nullptr, load.value == Beside::Nothing);
        if (!made.value())
            continue;
        QVERIFY(made.value()->kind() == load.value);
        const std::uint64_t before = BesideLoad::bytesMoved();
        QTRY_VERIFY(BesideLoad::bytesMoved() > before + 1'000'000);
        made.value().reset();
        const std::uint64_t after = BesideLoad::bytesMoved();
        QTest::qWait(20);
        QCOMPARE(BesideLoad::bytesMoved(), after);
    }
}

void TestNeighbours::aGpuThatVulkanDoesNotKnowIsRefused()
{
    const Result<std::unique_ptr<ExportedSemaphore>> none = ExportedSemaphore::create({});
    QVERIFY(!none.ok());
    QVERIFY(none.error().text.find("Vulkan") != std::string::npos);
}

void TestNeighbours::semaphoresCountOnBothSides()
{
    QFETCH_GLOBAL(QString, device);
    const std::shared_ptr<EglDisplay> display = testing::displayOf(device.toStdString());
    Result<std::unique_ptr<Device>> opened = openDevice(device.toStdString(), display);
    JETSCOPE_VERIFY(opened);
    if (!opened.value()->facts().semaphores.available) {
        QVERIFY(!opened.value()->createSemaphore().ok());
        QSKIP(opened.value()->facts().semaphores.reason.c_str());
    }
    const std::unique_ptr<EglContext> context = EglContext::create(display).value();
    JETSCOPE_VERIFY(context->makeCurrent());
    const std::unique_ptr<Stream> stream = opened.value()->createStream().value();
    std::unique_ptr<Semaphore> semaphore = opened.value()->createSemaphore().value();
    for (std::uint64_t value = 1; value <= 50; value += 2) {
        JETSCOPE_VERIFY(opened.value()->signalSemaphore(*semaphore, value, *stream));
        JETSCOPE_VERIFY(semaphore->glWait(value));
        JETSCOPE_VERIFY(semaphore->glSignal(value + 1));
        JETSCOPE_VERIFY(opened.value()->waitSemaphore(*semaphore, value + 1, *stream));
    }
    JETSCOPE_VERIFY(opened.value()->synchronize(*stream));
    semaphore.reset();
    context->doneCurrent();
}

JETSCOPE_TEST(TestNeighbours)
#include "tst_neighbours.moc"
