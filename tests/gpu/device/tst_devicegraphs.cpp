// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Graphs that a stream captured, on every device of this machine that has them, and as a pipeline uses them.
#include "tests/support/pipelinefixture.h"

#include "core/settings/settingtable.h"
#include "gpu/device/device.h"
#include "gpu/hazards/ledgerdevice.h"
#include "gpu/hazards/mistakes.h"
#include "tests/support/testprogram.h"
#include "tests/support/workgate.h"

#include <atomic>

using namespace jetscope;

namespace {

constexpr std::size_t kGraphBytes = 4096;

/// Counts what reaches the device.
class GraphCounter final : public ForwardingDevice {
public:
    struct Counts {
        std::atomic<int> captures{0};
        std::atomic<int> updates{0};
        std::atomic<int> launches{0};
        std::atomic<int> direct{0};
    };
    GraphCounter(std::unique_ptr<Device> device, std::shared_ptr<Counts> counts)
        : ForwardingDevice(std::move(device)), m_counts(std::move(counts))
    {
    }
    Status beginCapture(Stream &stream) override
    {
        ++m_counts->captures;
        m_isCapturing = true;
        return ForwardingDevice::beginCapture(stream);
    }
    Result<std::unique_ptr<Graph>> endCapture(Stream &stream, std::unique_ptr<Graph> former) override
    {
        m_counts->updates += former ? 1 : 0;
        m_isCapturing = false;
        return ForwardingDevice::endCapture(stream, std::move(former));
    }
    Status launchGraph(Graph &graph, Stream &stream) override
    {
        ++m_counts->launches;
        return ForwardingDevice::launchGraph(graph, stream);
    }
    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        m_counts->direct += m_isCapturing ? 0 : 1;
        return ForwardingDevice::launch(work, stream);
    }

private:
    const std::shared_ptr<Counts> m_counts;
    bool m_isCapturing = false;
};

} // namespace

class TestDeviceGraphs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::usableDevices()); }
    void init();
    void cleanup();

    void capturedWorkRunsWhenItIsLaunched();
    void aGraphRunsInTheOrderOfItsStream();
    void anUpdatedGraphDoesTheNewWork();
    void aWaitMakesTheCaptureInvalid();
    void freedMemoryInAGraphIsFound();
    void framesShareGraphs();
    void aSwitchCapturesAnew();

private:
    std::unique_ptr<Graph> copyGraph(std::unique_ptr<Graph> former = nullptr);
    QStringList broken();

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<Buffer> m_from;
    std::unique_ptr<Buffer> m_between;
    std::unique_ptr<Buffer> m_to;
};

void TestDeviceGraphs::init()
{
    QFETCH_GLOBAL(QString, device);
    Result<std::unique_ptr<Device>> opened = openDevice(device.toStdString(), nullptr);
    JETSCOPE_VERIFY(opened);
    m_device = std::make_unique<LedgerDevice>(std::move(opened).value());
    if (!m_device->facts().graphs.available)
        QSKIP(m_device->facts().graphs.reason.c_str());
    m_stream = m_device->createStream().value();
    m_from = m_device->allocate(Allocation::Pinned, kGraphBytes).value();
    m_between = m_device->allocate(Allocation::Device, kGraphBytes).value();
    m_to = m_device->allocate(Allocation::Pinned, kGraphBytes).value();
    m_to->host()[0] = m_from->host()[0] = std::byte{0};
}

void TestDeviceGraphs::cleanup()
{
    m_stream.reset(); // Waits for its work.
    m_from.reset();
    m_between.reset();
    m_to.reset();
    m_device.reset();
}

/// There and back.
std::unique_ptr<Graph> TestDeviceGraphs::copyGraph(std::unique_ptr<Graph> former)
{
    const auto check = [](const Status &status) {
        if (!status.ok())
            qFatal("%s", status.error().message().c_str());
    };
    check(m_device->beginCapture(*m_stream));
    check(m_device->copyAsync(wholeOf(*m_between), wholeOf(*m_from), CopyKind::HostToDevice, *m_stream));
    check(m_device->copyAsync(wholeOf(*m_to), wholeOf(*m_between), CopyKind::DeviceToHost, *m_stream));
    return m_device->endCapture(*m_stream, std::move(former)).value();
}

QStringList TestDeviceGraphs::broken()
{
    QStringList rules;
    for (const Hazard &hazard : m_device->takeHazards())
        rules << QString::fromUtf8(ruleOf(hazard.rule).name.data(), qsizetype(ruleOf(hazard.rule).name.size()));
    return rules;
}

void TestDeviceGraphs::capturedWorkRunsWhenItIsLaunched()
{
    m_from->host()[0] = std::byte{7};
    const std::unique_ptr<Graph> graph = copyGraph();
    JETSCOPE_VERIFY(m_device->synchronize());
    QCOMPARE(m_to->host()[0], std::byte{0});
    for (const std::byte value : {std::byte{7}, std::byte{8}}) {
        m_from->host()[0] = value;
        JETSCOPE_VERIFY(m_device->launchGraph(*graph, *m_stream));
        JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
        QCOMPARE(m_to->host()[0], value);
    }
    QCOMPARE(broken(), QStringList());
}

void TestDeviceGraphs::aGraphRunsInTheOrderOfItsStream()
{
    m_from->host()[0] = std::byte{9};
    const std::unique_ptr<Graph> graph = copyGraph();
    const std::unique_ptr<Event> done = m_device->createEvent(Device::Timing::Off).value();
    testing::WorkGate gate;
    JETSCOPE_VERIFY(m_device->launchHost(*m_stream, gate.work()));
    JETSCOPE_VERIFY(m_device->launchGraph(*graph, *m_stream));
    JETSCOPE_VERIFY(m_device->record(*done, *m_stream));
    QVERIFY(!m_device->query(*done).value());
    QCOMPARE(m_to->host()[0], std::byte{0});
    gate.open();
    JETSCOPE_VERIFY(m_device->synchronize(*done));
    QCOMPARE(m_to->host()[0], std::byte{9});
}

void TestDeviceGraphs::anUpdatedGraphDoesTheNewWork()
{
    std::unique_ptr<Graph> graph = copyGraph();
    const std::unique_ptr<Buffer> other = m_device->allocate(Allocation::Pinned, kGraphBytes).value();
    other->host()[0] = std::byte{5};
    std::swap(const_cast<std::unique_ptr<Buffer> &>(other), m_from);
    graph = copyGraph(std::move(graph));
    JETSCOPE_VERIFY(m_device->launchGraph(*graph, *m_stream));
    JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    QCOMPARE(m_to->host()[0], std::byte{5});
    QCOMPARE(broken(), QStringList());
}

void TestDeviceGraphs::aWaitMakesTheCaptureInvalid()
{
    JETSCOPE_VERIFY(m_device->beginCapture(*m_stream));
    JETSCOPE_VERIFY(m_device->copyAsync(wholeOf(*m_between), wholeOf(*m_from), CopyKind::HostToDevice, *m_stream));
    QVERIFY(!m_device->synchronize(*m_stream).ok());
    QVERIFY(!m_device->endCapture(*m_stream, nullptr).ok());
    QCOMPARE(broken(), QStringList{"B8"});
    const std::unique_ptr<Graph> graph = copyGraph(); // Afterwards all is as before.
    m_from->host()[0] = std::byte{3};
    JETSCOPE_VERIFY(m_device->launchGraph(*graph, *m_stream));
    JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    QCOMPARE(m_to->host()[0], std::byte{3});
    QCOMPARE(broken(), QStringList());
}

void TestDeviceGraphs::freedMemoryInAGraphIsFound()
{
    mistakes::FreedMemoryInGraphs mistaken(std::move(m_device));
    JETSCOPE_VERIFY(mistaken.beginCapture(*m_stream));
    JETSCOPE_VERIFY(mistaken.copyAsync(wholeOf(*m_between), wholeOf(*m_from), CopyKind::HostToDevice, *m_stream));
    const std::unique_ptr<Graph> graph = mistaken.endCapture(*m_stream, nullptr).value();
    JETSCOPE_VERIFY(mistaken.launchGraph(*graph, *m_stream));
    JETSCOPE_VERIFY(mistaken.synchronize(*m_stream));
    const std::vector<Hazard> found = mistaken.takeHazards();
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY(found[0].rule == RuleId::B7);
    cleanup(); // Before the device goes.
}

/// Each frame is one launch of a graph, but the first ones, and there are fewer graphs than frames.
void TestDeviceGraphs::framesShareGraphs()
{
    QFETCH_GLOBAL(QString, device);
    constexpr int kFrames = 300;
    for (const MemoryKind memory : {MemoryKind::Pinned, MemoryKind::ZeroCopy, MemoryKind::GlTexture})
        for (const OutputKind output : {OutputKind::EglImage, OutputKind::CopyBack}) {
            PipelineSetup setup;
            setup.display = testing::displayOf(device.toStdString());
            setup.deviceId = device.toStdString();
            setup.config.memory = memory;
            setup.config.output = output;
            setup.config.sync = SyncMode::Graph;
            setup.config.streams = 2;
            setup.config.framesInFlight = 3;
            if (!availability(setup.config, testing::factsOf(device.toStdString())).legal())
                continue;
            const auto counts = std::make_shared<GraphCounter::Counts>();
            setup.decorateDevice = [counts](std::unique_ptr<Device> plain) -> std::unique_ptr<Device> {
                return std::make_unique<GraphCounter>(std::move(plain), counts);
            };
            setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Rgba8, 64, 36, kFrames);
            setup.hostFiles.clear();
            Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
            JETSCOPE_VERIFY(pipeline);
            pipeline.value()->waitForEnd();
            QCOMPARE(testing::brokenRule(pipeline.value()->drainUpdates()), QString());
            pipeline.value().reset();
            QCOMPARE(counts->launches + counts->direct, kFrames);
            QCOMPARE(counts->direct.load(), 2); // One for each stream, which loads the kernels.
            QVERIFY2(counts->captures < kFrames / 2, qPrintable(QString::number(counts->captures)));
        }
}

/// By a change of the filters, which keeps all buffers: no frame gets the work of another chain.
void TestDeviceGraphs::aSwitchCapturesAnew()
{
    QFETCH_GLOBAL(QString, device);
    constexpr std::uint32_t kFrames = 120;
    testing::OutputLog log;
    log.keepPixels();
    PipelineSetup setup;
    setup.display = testing::displayOf(device.toStdString());
    setup.deviceId = device.toStdString();
    setup.config.memory = MemoryKind::Pinned;
    setup.config.output = OutputKind::CopyBack;
    setup.config.sync = SyncMode::Graph;
    setup.config.filters = {Filter::Gaussian5};
    std::vector<std::vector<Filter>> chains(kFrames, setup.config.filters);
    for (std::uint32_t frame = 10; frame < kFrames; frame += 10) {
        PipelineConfig changed = setup.config;
        changed.filters = frame % 20 == 0 ? std::vector{Filter::Gaussian5} : std::vector{Filter::Sobel, Filter::Invert};
        setup.schedule.push_back({frame, changed});
        std::fill(chains.begin() + frame, chains.end(), changed.filters);
    }
    setup.outputTap = log.tap();
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Nv12, 64, 36, kFrames);
    setup.hostFiles.clear();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    QCOMPARE(testing::brokenRule(pipeline.value()->drainUpdates()), QString());
    pipeline.value().reset();
    const testing::RandomSource same(PixelFormat::Nv12, 64, 36, kFrames);
    QCOMPARE(log.pixels().size(), std::size_t(kFrames));
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        QVERIFY2(log.pixels()[frame] == same.expected(frame, chains[frame]), qPrintable(QString::number(frame)));
}

JETSCOPE_TEST(TestDeviceGraphs)
#include "tst_devicegraphs.moc"
