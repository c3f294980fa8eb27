// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The kinds of memory that not every device has, on every device of this machine: legal where the attribute says so,
// refused with a reason elsewhere.
#include "tests/support/gpufixture.h"

#include "core/settings/memorykinds.h"
#include "gpu/base/livecount.h"
#include "gpu/device/cpuaccess.h"
#include "gpu/device/device.h"
#include "gpu/device/hostmemory.h"
#include "tests/support/testprogram.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace jetscope;

namespace {

constexpr std::size_t kMemoryBytes = std::size_t{1} << 20;

} // namespace

class TestDeviceMemory : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::usableDevices()); }
    void init();
    void cleanup();

    void refusalsHaveReasons();
    void attributesAgreeWithTheTrials();
    void kernelsReadSystemMemory();
    void ioMemoryIsRegistered();
    void prefetchesKeepWhatMemoryHolds();
    void discardedMemoryCanBeWritten();
    void aStreamFindsItsMemoryInItsOrder();
    void streamsDoNotShareWhatIsInUse();
    void aPoolKeepsItsThreshold();
    void poolMemoryIsFreedOnce();
    void exportedMemoryIsThatOfTheBuffer();

private:
    /// What the device copies of a buffer's bytes that the device reaches.
    std::vector<std::byte> seenByDevice(Buffer &buffer);
    const DeviceFacts &facts() const { return m_device->facts(); }

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    std::size_t m_bytesBefore = 0;
};

void TestDeviceMemory::init()
{
    m_bytesBefore = LiveCount::bytes;
    QFETCH_GLOBAL(QString, device);
    Result<std::unique_ptr<Device>> opened = openDevice(device.toStdString(), testing::headlessDisplay());
    JETSCOPE_VERIFY(opened);
    m_device = std::move(opened).value();
    Result<std::unique_ptr<Stream>> stream = m_device->createStream();
    JETSCOPE_VERIFY(stream);
    m_stream = std::move(stream).value();
}

void TestDeviceMemory::cleanup()
{
    m_stream.reset();
    m_device.reset();
    QCOMPARE(LiveCount::bytes.load(), m_bytesBefore);
}

std::vector<std::byte> TestDeviceMemory::seenByDevice(Buffer &buffer)
{
    auto between = m_device->allocate(Allocation::Device, buffer.bytes());
    auto back = m_device->allocate(Allocation::Pinned, buffer.bytes());
    if (!between.ok() || !back.ok()
        || !m_device->copyAsync(wholeOf(*between.value()), wholeOf(buffer), CopyKind::DeviceToDevice, *m_stream).ok()
        || !m_device->copyAsync(wholeOf(*back.value()), wholeOf(*between.value()), CopyKind::DeviceToHost, *m_stream)
                .ok()
        || !m_device->synchronize(*m_stream).ok())
        return {};
    const std::byte *const bytes = back.value()->host();
    return {bytes, bytes + buffer.bytes()};
}

void TestDeviceMemory::refusalsHaveReasons()
{
    Result<HostMemory> memory = allocateHostMemory(kMemoryBytes);
    JETSCOPE_VERIFY(memory);
    const auto agrees = [](const Capability &capability, const auto &done) {
        return done.ok() == capability.available && (done.ok() || !done.error().text.empty());
    };
    QVERIFY(agrees(facts().systemMemory, m_device->allocate(Allocation::System, kMemoryBytes)));
    QVERIFY(agrees(facts().dmabuf, m_device->allocate(Allocation::Exported, kMemoryBytes)) || !facts().software);
    QVERIFY(agrees(facts().hostRegisterIo, m_device->registerIoMemory(memory.value().get(), kMemoryBytes)));
    QVERIFY(agrees(facts().memoryPools, m_device->poolUse()));
    for (const auto &kind : choices<MemoryKind>()) {
        const Availability found = availability(kind.value, {}, facts());
        QCOMPARE(found.legal(), found.reason.empty());
    }
}

void TestDeviceMemory::attributesAgreeWithTheTrials()
{
    QCOMPARE(facts().systemMemory.available, facts().pageableMemoryAccess);
    QCOMPARE(facts().prefetch.available, facts().concurrentManagedAccess);
    for (const auto &[name, capability] : {std::pair("memoryPoolsSupported", &DeviceFacts::memoryPools),
                                           std::pair("hostAllocDmaBufSupported", &DeviceFacts::dmabuf)})
        for (const DeviceAttribute &attribute : facts().attributes)
            if (attribute.name == name && attribute.value == 0)
                QVERIFY2(!(facts().*capability).available, name);
}

void TestDeviceMemory::kernelsReadSystemMemory()
{
    if (!facts().systemMemory.available)
        QSKIP(facts().systemMemory.reason.c_str());
    Result<std::unique_ptr<Buffer>> memory = m_device->allocate(Allocation::System, kMemoryBytes);
    JETSCOPE_VERIFY(memory);
    QCOMPARE(memory.value()->host(), memory.value()->device());
    for (int round = 1; round < 5; ++round) {
        std::memset(memory.value()->host(), round, kMemoryBytes);
        JETSCOPE_VERIFY(m_device->readMemory(wholeOf(*memory.value()), 1, *m_stream));
        QCOMPARE(seenByDevice(*memory.value()), std::vector<std::byte>(kMemoryBytes, static_cast<std::byte>(round)));
    }
}

void TestDeviceMemory::ioMemoryIsRegistered()
{
    if (!facts().hostRegisterIo.available)
        QSKIP(facts().hostRegisterIo.reason.c_str());
    Result<HostMemory> memory = allocateHostMemory(kMemoryBytes);
    JETSCOPE_VERIFY(memory);
    Result<std::unique_ptr<Buffer>> buffer = m_device->registerIoMemory(memory.value().get(), kMemoryBytes);
    JETSCOPE_VERIFY(buffer);
    QCOMPARE(buffer.value()->allocation(), Allocation::RegisteredIo);
    std::memset(memory.value().get(), 0x3c, kMemoryBytes);
    QCOMPARE(seenByDevice(*buffer.value()), std::vector<std::byte>(kMemoryBytes, std::byte{0x3c}));
}

void TestDeviceMemory::prefetchesKeepWhatMemoryHolds()
{
    Result<std::unique_ptr<Buffer>> device = m_device->allocate(Allocation::Device, kMemoryBytes);
    JETSCOPE_VERIFY(device);
    QVERIFY(!m_device->prefetch(*device.value(), PrefetchTo::Host, Content::Kept, *m_stream).ok());
    Result<std::unique_ptr<Buffer>> memory = m_device->allocate(Allocation::Managed, kMemoryBytes);
    JETSCOPE_VERIFY(memory);
    if (!facts().prefetch.available) {
        QVERIFY(!m_device->prefetch(*memory.value(), PrefetchTo::Device, Content::Kept, *m_stream).ok());
        QSKIP(facts().prefetch.reason.c_str());
    }
    for (int round = 1; round < 5; ++round) {
        std::memset(memory.value()->host(), round, kMemoryBytes);
        JETSCOPE_VERIFY(m_device->prefetch(*memory.value(), PrefetchTo::Device, Content::Kept, *m_stream));
        QCOMPARE(seenByDevice(*memory.value()), std::vector<std::byte>(kMemoryBytes, static_cast<std::byte>(round)));
        JETSCOPE_VERIFY(m_device->prefetch(*memory.value(), PrefetchTo::Host, Content::Kept, *m_stream));
        JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
        QCOMPARE(memory.value()->host()[kMemoryBytes - 1], static_cast<std::byte>(round));
    }
}

void TestDeviceMemory::discardedMemoryCanBeWritten()
{
    if (!facts().prefetch.available)
        QSKIP(facts().prefetch.reason.c_str());
    Result<std::unique_ptr<Buffer>> memory = m_device->allocate(Allocation::Managed, kMemoryBytes);
    JETSCOPE_VERIFY(memory);
    for (int round = 1; round < 5; ++round) {
        JETSCOPE_VERIFY(m_device->prefetch(*memory.value(), PrefetchTo::Host, Content::Discarded, *m_stream));
        JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
        std::memset(memory.value()->host(), round, kMemoryBytes);
        JETSCOPE_VERIFY(m_device->prefetch(*memory.value(), PrefetchTo::Device, Content::Kept, *m_stream));
        QCOMPARE(seenByDevice(*memory.value()), std::vector<std::byte>(kMemoryBytes, static_cast<std::byte>(round)));
    }
}

/// Allocated, written, read and freed in one stream without a wait, many times; what is read is what was written.
void TestDeviceMemory::aStreamFindsItsMemoryInItsOrder()
{
    if (!facts().memoryPools.available)
        QSKIP(facts().memoryPools.reason.c_str());
    constexpr int kRounds = 16;
    std::vector<std::unique_ptr<Buffer>> kept;
    std::vector<Buffer *> results;
    for (int round = 0; round < kRounds; ++round) {
        auto from = m_device->allocate(Allocation::Pinned, kMemoryBytes);
        auto to = m_device->allocate(Allocation::Pinned, kMemoryBytes);
        JETSCOPE_VERIFY(from);
        JETSCOPE_VERIFY(to);
        std::memset(from.value()->host(), round, kMemoryBytes);
        auto pooled = m_device->allocateInStream(kMemoryBytes, *m_stream);
        JETSCOPE_VERIFY(pooled);
        QCOMPARE(pooled.value()->allocation(), Allocation::Pool);
        QVERIFY(!pooled.value()->host());
        JETSCOPE_VERIFY(
            m_device->copyAsync(wholeOf(*pooled.value()), wholeOf(*from.value()), CopyKind::HostToDevice, *m_stream));
        JETSCOPE_VERIFY(
            m_device->copyAsync(wholeOf(*to.value()), wholeOf(*pooled.value()), CopyKind::DeviceToHost, *m_stream));
        JETSCOPE_VERIFY(m_device->freeInStream(*pooled.value(), *m_stream));
        results.push_back(to.value().get());
        for (auto *made : {&from, &to, &pooled})
            kept.push_back(std::move(*made).value());
    }
    JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    for (int round = 0; round < kRounds; ++round)
        for (std::size_t i = 0; i < kMemoryBytes; i += 4096)
            QCOMPARE(results[static_cast<std::size_t>(round)]->host()[i], static_cast<std::byte>(round));
}

/// A block that another stream freed and may still use is not given out.
void TestDeviceMemory::streamsDoNotShareWhatIsInUse()
{
    if (!facts().memoryPools.available)
        QSKIP(facts().memoryPools.reason.c_str());
    JETSCOPE_VERIFY(m_device->keepInPool(4 * kMemoryBytes));
    Result<std::unique_ptr<Stream>> other = m_device->createStream();
    JETSCOPE_VERIFY(other);
    std::atomic<bool> gate{false};
    auto first = m_device->allocateInStream(kMemoryBytes, *m_stream);
    JETSCOPE_VERIFY(first);
    JETSCOPE_VERIFY(m_device->launchHost(*m_stream, [&gate] {
        while (!gate.load())
            std::this_thread::yield();
    }));
    const std::byte *const address = first.value()->device();
    JETSCOPE_VERIFY(m_device->freeInStream(*first.value(), *m_stream));
    auto second = m_device->allocateInStream(kMemoryBytes, *other.value());
    const bool apart = second.ok() && second.value()->device() != address;
    auto third = m_device->allocateInStream(kMemoryBytes, *m_stream);
    gate.store(true);
    JETSCOPE_VERIFY(m_device->synchronize());
    QVERIFY(apart);
    JETSCOPE_VERIFY(third);
    if (facts().software)
        QVERIFY(third.value()->device() == address); // The same stream may have it at once.
    JETSCOPE_VERIFY(m_device->freeInStream(*second.value(), *other.value()));
    JETSCOPE_VERIFY(m_device->freeInStream(*third.value(), *m_stream));
    JETSCOPE_VERIFY(m_device->synchronize());
}

void TestDeviceMemory::aPoolKeepsItsThreshold()
{
    if (!facts().memoryPools.available)
        QSKIP(facts().memoryPools.reason.c_str());
    const auto heldAfterAFrame = [this](std::uint64_t threshold) -> std::uint64_t {
        if (!m_device->keepInPool(threshold).ok())
            return UINT64_MAX;
        auto pooled = m_device->allocateInStream(kMemoryBytes, *m_stream);
        if (!pooled.ok() || !m_device->freeInStream(*pooled.value(), *m_stream).ok()
            || !m_device->synchronize(*m_stream).ok())
            return UINT64_MAX;
        const Result<PoolUse> use = m_device->poolUse();
        return use.ok() && use.value().releaseThreshold == threshold && use.value().usedBytes == 0
            ? use.value().reservedBytes
            : UINT64_MAX;
    };
    QVERIFY(heldAfterAFrame(64 * kMemoryBytes) >= kMemoryBytes); // Drivers reserve large pages.
    QVERIFY(heldAfterAFrame(64 * kMemoryBytes) <= 64 * kMemoryBytes);
    QCOMPARE(heldAfterAFrame(0), std::uint64_t{0});
}

void TestDeviceMemory::poolMemoryIsFreedOnce()
{
    if (!facts().memoryPools.available)
        QSKIP(facts().memoryPools.reason.c_str());
    auto pooled = m_device->allocateInStream(kMemoryBytes, *m_stream);
    JETSCOPE_VERIFY(pooled);
    JETSCOPE_VERIFY(m_device->freeInStream(*pooled.value(), *m_stream));
    QVERIFY(!m_device->freeInStream(*pooled.value(), *m_stream).ok());
    auto other = m_device->allocate(Allocation::Device, kMemoryBytes);
    JETSCOPE_VERIFY(other);
    QVERIFY(!m_device->freeInStream(*other.value(), *m_stream).ok());
    auto left = m_device->allocateInStream(kMemoryBytes, *m_stream);
    JETSCOPE_VERIFY(left);
    JETSCOPE_VERIFY(m_device->synchronize());
    left.value().reset(); // Not freed in a stream: it gives itself back.
    const Result<PoolUse> use = m_device->poolUse();
    JETSCOPE_VERIFY(use);
    QCOMPARE(use.value().usedBytes, std::uint64_t{0});
}

/// What another holder of the file writes is what CPU and device read.
void TestDeviceMemory::exportedMemoryIsThatOfTheBuffer()
{
    if (!facts().dmabuf.available)
        QSKIP(facts().dmabuf.reason.c_str());
    Result<std::unique_ptr<Buffer>> memory = m_device->allocate(Allocation::Exported, kMemoryBytes);
    JETSCOPE_VERIFY(memory);
    const Result<int> file = m_device->exportDmabuf(*memory.value());
    JETSCOPE_VERIFY(file);
    QVERIFY(file.value() >= 0);
    QVERIFY((fcntl(file.value(), F_GETFD) & FD_CLOEXEC) != 0 || !facts().software);
    void *theirs = mmap(nullptr, kMemoryBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.value(), 0);
    close(file.value());
    if (theirs == MAP_FAILED)
        QSKIP("the DMA-BUF cannot be mapped by the CPU");
    std::memset(theirs, 0x77, kMemoryBytes);
    munmap(theirs, kMemoryBytes);
    QCOMPARE(memory.value()->host()[kMemoryBytes - 1], std::byte{0x77});
    QCOMPARE(seenByDevice(*memory.value()), std::vector<std::byte>(kMemoryBytes, std::byte{0x77}));
    const auto plain = m_device->allocate(Allocation::PinnedMapped, kMemoryBytes);
    JETSCOPE_VERIFY(plain);
    QVERIFY(!m_device->exportDmabuf(*plain.value()).ok());
}

JETSCOPE_TEST(TestDeviceMemory)
#include "tst_devicememory.moc"
