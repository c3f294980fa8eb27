// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The contract of Device, tested for every device of this machine.
#include "tests/support/gpufixture.h"

#include "core/time/clock.h"
#include "gpu/base/livecount.h"
#include "gpu/device/device.h"
#include "gpu/device/hostmemory.h"
#include "tests/gpu/referencefilters.h"
#include "tests/support/testprogram.h"
#include "tests/support/workgate.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

using namespace jetscope;

class TestDevice : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data();
    void init();
    void cleanup();

    void allocationsHaveTheAddressesOfTheirKind();
    void emptyAndImpossibleAllocationsFail();
    void registrationFollowsTheCapability();
    void copiesRunInStreamOrder();
    void eventsTellWhenTheirPlaceIsReached();
    void anEventNeverRecordedIsComplete();
    void aStreamWaitsForAnotherStreamsEvent();
    void aLaterRecordDoesNotMoveAnEarlierWait();
    void elapsedTimeNeedsTimingAndCompletion();
    void elapsedTimeIsThatOfTheWork();
    void deviceSynchronizeCoversAllStreams();
    void hostFunctionsRunInOrderAndOffTheCallersThread();
    void aHostFunctionMayNotCallTheDevice();
    void waitPoliciesAreReadBack_data();
    void waitPoliciesAreReadBack();
    void eventsMayBeAwaitedFromOtherThreads();
    void launchesMatchTheReference_data();
    void launchesMatchTheReference();
    void onlyManagedMemoryCanBeAttached();
    void destroyingAStreamFinishesItsWork();

private:
    std::unique_ptr<Buffer> allocate(Allocation kind, std::size_t bytes);
    std::unique_ptr<Stream> stream();
    std::unique_ptr<Event> event(Device::Timing timing = Device::Timing::Off);
    /// Blocks a stream until `gate` is opened.
    void hold(Stream &stream, const testing::WorkGate &gate);

    std::unique_ptr<Device> m_device;
    std::size_t m_handlesBefore = 0;
    std::size_t m_bytesBefore = 0;
};

void TestDevice::initTestCase_data()
{
    testing::addDeviceRows(testing::usableDevices());
}

void TestDevice::init()
{
    m_handlesBefore = LiveCount::handles;
    m_bytesBefore = LiveCount::bytes;
    QFETCH_GLOBAL(QString, device);
    Result<std::unique_ptr<Device>> opened = openDevice(device.toStdString(), testing::headlessDisplay());
    JETSCOPE_VERIFY(opened);
    m_device = std::move(opened).value();
}

void TestDevice::cleanup()
{
    m_device.reset();
    QCOMPARE(LiveCount::handles.load(), m_handlesBefore);
    QCOMPARE(LiveCount::bytes.load(), m_bytesBefore);
}

std::unique_ptr<Buffer> TestDevice::allocate(Allocation kind, std::size_t bytes)
{
    Result<std::unique_ptr<Buffer>> buffer = m_device->allocate(kind, bytes);
    return buffer.ok() ? std::move(buffer).value() : nullptr;
}

std::unique_ptr<Stream> TestDevice::stream()
{
    Result<std::unique_ptr<Stream>> made = m_device->createStream();
    return made.ok() ? std::move(made).value() : nullptr;
}

std::unique_ptr<Event> TestDevice::event(Device::Timing timing)
{
    Result<std::unique_ptr<Event>> made = m_device->createEvent(timing);
    return made.ok() ? std::move(made).value() : nullptr;
}

void TestDevice::hold(Stream &stream, const testing::WorkGate &gate)
{
    JETSCOPE_VERIFY(m_device->launchHost(stream, gate.work()));
}

void TestDevice::allocationsHaveTheAddressesOfTheirKind()
{
    for (const Allocation kind : {Allocation::Pageable, Allocation::Device, Allocation::Pinned,
                                  Allocation::PinnedMapped, Allocation::Managed}) {
        const std::unique_ptr<Buffer> buffer = allocate(kind, 10001);
        QVERIFY(buffer);
        QCOMPARE(buffer->bytes(), std::size_t(10001));
        QCOMPARE(buffer->allocation(), kind);
        QCOMPARE(buffer->host() != nullptr, kind != Allocation::Device);
        if (kind == Allocation::Pageable)
            QVERIFY(!buffer->device());
        else if (kind != Allocation::Pinned)
            QVERIFY(buffer->device());
        if (buffer->host())
            std::memset(buffer->host(), 0x5a, buffer->bytes());
    }
}

void TestDevice::emptyAndImpossibleAllocationsFail()
{
    const Result<std::unique_ptr<Buffer>> empty = m_device->allocate(Allocation::Device, 0);
    QVERIFY(!empty.ok());
    QVERIFY(!empty.error().text.empty());
    const Result<std::unique_ptr<Buffer>> huge = m_device->allocate(Allocation::Device, std::size_t(1) << 60);
    QVERIFY(!huge.ok());
    QVERIFY(!huge.error().text.empty());
    // The failure is not sticky.
    QVERIFY(allocate(Allocation::Device, 4096));
}

void TestDevice::registrationFollowsTheCapability()
{
    Result<HostMemory> memory = allocateHostMemory(1 << 20);
    JETSCOPE_VERIFY(memory);
    const Result<std::unique_ptr<Buffer>> buffer = m_device->registerHost(memory.value().get(), 1 << 20);
    QCOMPARE(buffer.ok(), m_device->facts().hostRegister.available);
    if (buffer.ok())
        QCOMPARE(buffer.value()->host(), memory.value().get());
    else
        QVERIFY(!buffer.error().text.empty());
}

void TestDevice::copiesRunInStreamOrder()
{
    constexpr std::size_t kBytes = 1 << 20;
    const auto from = allocate(Allocation::Pinned, kBytes);
    const auto middle = allocate(Allocation::Device, kBytes);
    const auto to = allocate(Allocation::Pinned, kBytes);
    const auto queue = stream();
    for (int round = 0; round < 8; ++round) {
        std::memset(from->host(), round + 1, kBytes);
        std::memset(to->host(), 0, kBytes);
        JETSCOPE_VERIFY(m_device->copyAsync(wholeOf(*middle), wholeOf(*from), CopyKind::HostToDevice, *queue));
        JETSCOPE_VERIFY(m_device->copyAsync(wholeOf(*to), wholeOf(*middle), CopyKind::DeviceToHost, *queue));
        JETSCOPE_VERIFY(m_device->synchronize(*queue));
        QCOMPARE(std::memcmp(to->host(), from->host(), kBytes), 0);
    }
}

void TestDevice::eventsTellWhenTheirPlaceIsReached()
{
    const auto queue = stream();
    const auto reached = event();
    testing::WorkGate gate;
    hold(*queue, gate);
    JETSCOPE_VERIFY(m_device->record(*reached, *queue));
    const Result<bool> early = m_device->query(*reached);
    JETSCOPE_VERIFY(early);
    QVERIFY(!early.value());
    gate.open();
    JETSCOPE_VERIFY(m_device->synchronize(*reached));
    const Result<bool> late = m_device->query(*reached);
    JETSCOPE_VERIFY(late);
    QVERIFY(late.value());
}

void TestDevice::anEventNeverRecordedIsComplete()
{
    const auto never = event();
    const Result<bool> done = m_device->query(*never);
    JETSCOPE_VERIFY(done);
    QVERIFY(done.value());
    JETSCOPE_VERIFY(m_device->synchronize(*never));
    const auto queue = stream();
    JETSCOPE_VERIFY(m_device->wait(*queue, *never));
    JETSCOPE_VERIFY(m_device->synchronize(*queue));
}

void TestDevice::aStreamWaitsForAnotherStreamsEvent()
{
    std::atomic<bool> secondRan{false};
    const auto first = stream();
    const auto second = stream();
    const auto between = event();
    const auto after = event();
    testing::WorkGate gate;
    hold(*first, gate);
    JETSCOPE_VERIFY(m_device->record(*between, *first));
    JETSCOPE_VERIFY(m_device->wait(*second, *between));
    JETSCOPE_VERIFY(m_device->launchHost(*second, [&] { secondRan = true; }));
    JETSCOPE_VERIFY(m_device->record(*after, *second));
    const Result<bool> early = m_device->query(*after);
    JETSCOPE_VERIFY(early);
    QVERIFY(!early.value());
    QVERIFY(!secondRan);
    gate.open();
    JETSCOPE_VERIFY(m_device->synchronize(*after));
    QVERIFY(secondRan);
}

void TestDevice::aLaterRecordDoesNotMoveAnEarlierWait()
{
    const auto first = stream();
    const auto second = stream();
    const auto mark = event();
    testing::WorkGate gate;
    JETSCOPE_VERIFY(m_device->record(*mark, *first));
    JETSCOPE_VERIFY(m_device->wait(*second, *mark));
    hold(*first, gate);
    JETSCOPE_VERIFY(m_device->record(*mark, *first));
    // The second stream waits only for the first record, so it is not blocked.
    JETSCOPE_VERIFY(m_device->synchronize(*second));
    const Result<bool> done = m_device->query(*mark);
    JETSCOPE_VERIFY(done);
    QVERIFY(!done.value());
    gate.open();
    JETSCOPE_VERIFY(m_device->synchronize(*mark));
}

void TestDevice::elapsedTimeNeedsTimingAndCompletion()
{
    const auto queue = stream();
    const auto timed = event(Device::Timing::On);
    const auto untimed = event(Device::Timing::Off);
    JETSCOPE_VERIFY(m_device->record(*timed, *queue));
    JETSCOPE_VERIFY(m_device->record(*untimed, *queue));
    JETSCOPE_VERIFY(m_device->synchronize(*queue));
    QVERIFY(!m_device->elapsedNs(*timed, *untimed).ok());
    const auto unrecorded = event(Device::Timing::On);
    QVERIFY(!m_device->elapsedNs(*timed, *unrecorded).ok());
}

void TestDevice::elapsedTimeIsThatOfTheWork()
{
    const auto queue = stream();
    const auto begin = event(Device::Timing::On);
    const auto end = event(Device::Timing::On);
    JETSCOPE_VERIFY(m_device->record(*begin, *queue));
    std::atomic<std::int64_t> workNs{0};
    JETSCOPE_VERIFY(m_device->launchHost(*queue, [&] {
        const std::int64_t start = nowNs();
        while (nowNs() - start < 5'000'000) {}
        workNs = nowNs() - start;
    }));
    JETSCOPE_VERIFY(m_device->record(*end, *queue));
    JETSCOPE_VERIFY(m_device->synchronize(*end));
    const Result<std::int64_t> elapsed = m_device->elapsedNs(*begin, *end);
    JETSCOPE_VERIFY(elapsed);
    // Events are accurate to about half a microsecond; the work must be between them.
    QVERIFY2(elapsed.value() >= workNs - 1'000'000, qPrintable(QString::number(elapsed.value())));
}

void TestDevice::deviceSynchronizeCoversAllStreams()
{
    std::atomic<int> ran{0};
    std::vector<std::unique_ptr<Stream>> queues;
    for (int i = 0; i < 3; ++i) {
        queues.push_back(stream());
        for (int work = 0; work < 4; ++work)
            JETSCOPE_VERIFY(m_device->launchHost(*queues.back(), [&] { ++ran; }));
    }
    JETSCOPE_VERIFY(m_device->synchronize());
    QCOMPARE(ran.load(), 12);
}

void TestDevice::hostFunctionsRunInOrderAndOffTheCallersThread()
{
    const auto queue = stream();
    std::vector<int> order;
    std::thread::id ranOn;
    for (int i = 0; i < 20; ++i)
        JETSCOPE_VERIFY(m_device->launchHost(*queue, [&, i] {
            order.push_back(i);
            ranOn = std::this_thread::get_id();
        }));
    JETSCOPE_VERIFY(m_device->synchronize(*queue));
    QCOMPARE(order.size(), std::size_t(20));
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QVERIFY(ranOn != std::this_thread::get_id());
}

void TestDevice::aHostFunctionMayNotCallTheDevice()
{
    if (!m_device->facts().software)
        QSKIP("CUDA forbids this without promising an error; only the software iGPU answers with one");
    const auto queue = stream();
    bool refused = false;
    JETSCOPE_VERIFY(m_device->launchHost(*queue, [&] { refused = !m_device->createEvent(Device::Timing::Off).ok(); }));
    JETSCOPE_VERIFY(m_device->synchronize(*queue));
    QVERIFY(refused);
    QVERIFY(event()); // Allowed on our own thread.
}

void TestDevice::waitPoliciesAreReadBack_data()
{
    QTest::addColumn<int>("asked");
    for (const Choice<WaitPolicy> &choice : choices<WaitPolicy>())
        QTest::newRow(std::string(choice.name).c_str()) << int(choice.value);
}

void TestDevice::waitPoliciesAreReadBack()
{
    QFETCH(int, asked);
    const auto policy = static_cast<WaitPolicy>(asked);
    JETSCOPE_VERIFY(m_device->setWaitPolicy(policy));
    if (policy != WaitPolicy::Auto)
        QCOMPARE(m_device->waitPolicy(), policy);
    const auto queue = stream();
    const auto done = event();
    JETSCOPE_VERIFY(m_device->record(*done, *queue));
    JETSCOPE_VERIFY(m_device->synchronize(*done));
    JETSCOPE_VERIFY(m_device->synchronize(*queue));
    JETSCOPE_VERIFY(m_device->synchronize());
}

void TestDevice::eventsMayBeAwaitedFromOtherThreads()
{
    const auto queue = stream();
    const auto mark = event();
    std::atomic<int> failures{0};
    std::vector<std::jthread> watchers; // Also joined if an assertion fails.
    for (int i = 0; i < 2; ++i)
        watchers.emplace_back([&](const std::stop_token &stop) {
            while (!stop.stop_requested())
                if (!m_device->query(*mark).ok() || !m_device->synchronize(*mark).ok())
                    ++failures;
        });
    for (int i = 0; i < 200; ++i)
        JETSCOPE_VERIFY(m_device->record(*mark, *queue));
    watchers.clear(); // Stops and joins them.
    JETSCOPE_VERIFY(m_device->synchronize(*queue));
    QCOMPARE(failures.load(), 0);
}

void TestDevice::launchesMatchTheReference_data()
{
    QTest::addColumn<int>("format");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    for (const PixelFormat format :
         {PixelFormat::Rgba8, PixelFormat::Bgr8, PixelFormat::Nv12, PixelFormat::Yuyv, PixelFormat::Grey8,
          PixelFormat::Rgb8, PixelFormat::Uyvy, PixelFormat::Yu12, PixelFormat::Yu16})
        for (const auto &[width, height] : {std::pair{1, 1}, std::pair{17, 9}, std::pair{161, 119}})
            QTest::addRow("%s %dx%d", std::string(pixelFormatName(format)).c_str(), width, height)
                << int(format) << width << height;
}

void TestDevice::launchesMatchTheReference()
{
    QFETCH(int, format);
    QFETCH(int, width);
    QFETCH(int, height);
    const ImageLayout layout = makeImageLayout(static_cast<PixelFormat>(format), width, height);
    const ImageLayout rgba = makeImageLayout(PixelFormat::Rgba8, width, height);
    const ImageLayout half = makeImageLayout(PixelFormat::Grey8, (width + 1) / 2, (height + 1) / 2);
    const auto input = allocate(Allocation::PinnedMapped, layout.bytes);
    const auto output = allocate(Allocation::PinnedMapped, rgba.bytes);
    const auto result = allocate(Allocation::PinnedMapped, half.bytes);
    std::uint32_t random = 12345;
    for (std::size_t i = 0; i < layout.bytes; ++i)
        input->host()[i] = static_cast<std::byte>((random = random * 1664525 + 1013904223) >> 24);

    ChainLaunch launch;
    launch.inputLayout = layout;
    launch.input = wholeOf(*input);
    launch.filters = {Filter::Gaussian5, Filter::Sobel, Filter::Invert};
    launch.output = wholeOf(*output);
    launch.outputPitch = rgba.planes[0].pitch;
    launch.result = wholeOf(*result);
    launch.resultPitch = half.planes[0].pitch;
    const auto queue = stream();
    JETSCOPE_VERIFY(m_device->launch(launch, *queue));
    JETSCOPE_VERIFY(m_device->synchronize(*queue));

    const reference::Image expected = reference::applyAll(launch.filters, reference::convert(layout, input->host()));
    const auto wanted = reference::bytesOf(expected);
    const auto wantedHalf = reference::halfGrey(expected);
    for (int y = 0; y < height; ++y)
        QCOMPARE(std::memcmp(output->host() + static_cast<std::size_t>(y) * launch.outputPitch,
                             wanted.data() + static_cast<std::size_t>(y) * rgba.planes[0].rowBytes,
                             rgba.planes[0].rowBytes),
                 0);
    for (int y = 0; y < half.height; ++y)
        QCOMPARE(std::memcmp(result->host() + static_cast<std::size_t>(y) * launch.resultPitch,
                             wantedHalf.data() + static_cast<std::size_t>(y) * half.planes[0].rowBytes,
                             half.planes[0].rowBytes),
                 0);
}

void TestDevice::onlyManagedMemoryCanBeAttached()
{
    const auto queue = stream();
    const auto pinned = allocate(Allocation::Pinned, 4096);
    QVERIFY(!m_device->attach(*pinned, Attach::Host, *queue).ok());
    const auto managed = allocate(Allocation::Managed, 4096);
    JETSCOPE_VERIFY(m_device->attach(*managed, Attach::Host, *queue));
    JETSCOPE_VERIFY(m_device->synchronize(*queue));
    std::memset(managed->host(), 1, 4096);
    QVERIFY(m_device->takeHazards().empty());
}

void TestDevice::destroyingAStreamFinishesItsWork()
{
    std::atomic<int> ran{0};
    {
        const auto queue = stream();
        for (int i = 0; i < 50; ++i)
            JETSCOPE_VERIFY(m_device->launchHost(*queue, [&] { ++ran; }));
        JETSCOPE_VERIFY(m_device->synchronize(*queue));
    }
    QCOMPARE(ran.load(), 50);
}

JETSCOPE_TEST(TestDevice)
#include "tst_device.moc"
