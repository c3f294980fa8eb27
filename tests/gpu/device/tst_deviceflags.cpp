// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Flags that streams write for the CPU, on every device of this machine that has them.
#include "tests/support/gpufixture.h"

#include "gpu/device/device.h"
#include "gpu/hazards/ledgerdevice.h"
#include "tests/support/testprogram.h"
#include "tests/support/workgate.h"

#include <QDeadlineTimer>

#include <chrono>

using namespace jetscope;

namespace {

/// Ends a wait for a value that never comes.
constexpr std::chrono::seconds kLongestFlagWait{60};

} // namespace

class TestDeviceFlags : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::usableDevices()); }
    void init();
    void cleanup();

    void aFlagComesBehindTheWorkBefore();
    void aSleeperSeesTheValue();
    void aFlagShowsWhatWasWrittenBefore();
    void valuesMayWrapAround();
    void aFlagWithoutABarrierIsFound();

private:
    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<StreamFlag> m_flag;
};

void TestDeviceFlags::init()
{
    QFETCH_GLOBAL(QString, device);
    Result<std::unique_ptr<Device>> opened = openDevice(device.toStdString(), nullptr);
    JETSCOPE_VERIFY(opened);
    m_device = std::make_unique<LedgerDevice>(std::move(opened).value());
    if (!m_device->facts().streamFlags.available)
        QSKIP(m_device->facts().streamFlags.reason.c_str());
    m_stream = m_device->createStream().value();
    m_flag = m_device->createFlag().value();
}

void TestDeviceFlags::cleanup()
{
    m_stream.reset(); // Waits for its work.
    m_flag.reset();
    m_device.reset();
}

void TestDeviceFlags::aFlagComesBehindTheWorkBefore()
{
    testing::WorkGate gate;
    QVERIFY(m_device->reached(*m_flag, 0));
    JETSCOPE_VERIFY(m_device->launchHost(*m_stream, gate.work()));
    JETSCOPE_VERIFY(m_device->write(*m_flag, 1, WriteOrder::AfterAll, *m_stream));
    JETSCOPE_VERIFY(m_device->write(*m_flag, 2, WriteOrder::AfterAll, *m_stream));
    QVERIFY(!m_device->reached(*m_flag, 1));
    m_flag->sleepUntil(1, std::chrono::milliseconds(5)); // Ends without the value.
    QVERIFY(!m_device->reached(*m_flag, 1));
    gate.open();
    QTRY_VERIFY(m_device->reached(*m_flag, 2));
    QVERIFY(m_device->reached(*m_flag, 1));
    QVERIFY(!m_device->reached(*m_flag, 3));
}

void TestDeviceFlags::aSleeperSeesTheValue()
{
    for (std::uint32_t value = 1; value <= 200; ++value) {
        JETSCOPE_VERIFY(m_device->write(*m_flag, value, WriteOrder::AfterAll, *m_stream));
        const QDeadlineTimer deadline(kLongestFlagWait);
        while (!m_device->reached(*m_flag, value) && !deadline.hasExpired())
            m_flag->sleepUntil(value, std::chrono::milliseconds(1));
        QVERIFY(m_device->reached(*m_flag, value));
    }
}

/// The order of memory: the bytes of a copy are there when its flag is.
void TestDeviceFlags::aFlagShowsWhatWasWrittenBefore()
{
    constexpr std::size_t kBytes = 1 << 16;
    const auto from = m_device->allocate(Allocation::Device, kBytes).value();
    const auto start = m_device->allocate(Allocation::Pinned, kBytes).value();
    const auto to = m_device->allocate(Allocation::Pinned, kBytes).value();
    for (std::uint32_t value = 1; value <= 300; ++value) {
        start->host()[kBytes - 1] = start->host()[0] = static_cast<std::byte>(value);
        JETSCOPE_VERIFY(m_device->copyAsync(wholeOf(*from), wholeOf(*start), CopyKind::HostToDevice, *m_stream));
        JETSCOPE_VERIFY(m_device->copyAsync(wholeOf(*to), wholeOf(*from), CopyKind::DeviceToHost, *m_stream));
        JETSCOPE_VERIFY(m_device->write(*m_flag, value, WriteOrder::AfterAll, *m_stream));
        const QDeadlineTimer deadline(kLongestFlagWait);
        bool isReached = false;
        while (!(isReached = m_device->reached(*m_flag, value)) && !deadline.hasExpired()) {}
        const std::byte first = to->host()[0]; // At once.
        const std::byte last = to->host()[kBytes - 1];
        QVERIFY(isReached);
        QCOMPARE(first, static_cast<std::byte>(value));
        QCOMPARE(last, static_cast<std::byte>(value));
    }
    QCOMPARE(m_device->takeHazards().size(), std::size_t(0));
}

void TestDeviceFlags::valuesMayWrapAround()
{
    for (const std::uint32_t value : {0x7fffffffU, 0xfffffffeU, 0U, 1U}) {
        JETSCOPE_VERIFY(m_device->write(*m_flag, value, WriteOrder::AfterAll, *m_stream));
        JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
        QVERIFY(m_device->reached(*m_flag, value));
        QVERIFY(!m_device->reached(*m_flag, value + 1));
    }
}

/// And the same calls with it are silent.
void TestDeviceFlags::aFlagWithoutABarrierIsFound()
{
    if (!m_device->facts().software)
        QSKIP("drivers refuse such a write from CUDA 12 on");
    for (const auto order : {WriteOrder::AfterAll, WriteOrder::AnyTime}) {
        testing::WorkGate gate;
        if (order == WriteOrder::AfterAll)
            gate.open();
        JETSCOPE_VERIFY(m_device->launchHost(*m_stream, gate.work()));
        const std::uint32_t value = order == WriteOrder::AfterAll ? 1 : 2;
        JETSCOPE_VERIFY(m_device->write(*m_flag, value, order, *m_stream));
        QTRY_VERIFY(m_device->reached(*m_flag, value)); // Without the barrier before the work in front of it.
        gate.open();
        JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
        const std::vector<Hazard> found = m_device->takeHazards();
        QCOMPARE(found.size(), std::size_t(order == WriteOrder::AfterAll ? 0 : 1));
        QVERIFY(found.empty() || found[0].rule == RuleId::B6);
    }
}

JETSCOPE_TEST(TestDeviceFlags)
#include "tst_deviceflags.moc"
