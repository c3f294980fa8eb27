// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the hazard ledger says of calls of the real Device interface that break a rule: each mistake is made on the
// software iGPU, or on a stand-in where no software device has the feature, with the corrected calls beside it.
#include "tests/support/endlessstream.h"
#include "tests/support/gpufixture.h"

#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/device/cpuaccess.h"
#include "gpu/gl/texture.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/hazards/ledgerdevice.h"
#include "gpu/paths/streaminput.h"
#include "gpu/soft/pageguard.h"
#include "tests/support/testprogram.h"

#include <QCoreApplication>
#include <QScopeGuard>

#include <atomic>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sched.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace jetscope;

namespace {

constexpr std::size_t kBytes = 1 << 16;

/// A device that the ledger watches. Work that is waited for behind the ledger's back is complete without its
/// knowledge, so that a mistake can be made without its consequences.
class Bench {
public:
    explicit Bench(const std::string &id, const std::shared_ptr<EglDisplay> &display = nullptr)
    {
        std::unique_ptr<Device> plain = openDevice(id, display).value();
        m_plain = plain.get();
        m_device = std::make_unique<LedgerDevice>(std::move(plain));
        m_stream = m_device->createStream().value();
        m_output = m_device->allocate(Allocation::Device, kBytes).value();
    }

    Device &device() const { return *m_device; }
    Stream &stream() const { return *m_stream; }

    ChainLaunch work() const
    {
        ChainLaunch work;
        work.inputLayout = makeImageLayout(PixelFormat::Rgba8, 16, 16);
        work.output = wholeOf(*m_output);
        work.outputPitch = 64;
        return work;
    }
    /// Kernels, or a copy where kernels do not reach the memory.
    Status use(Buffer &buffer) const
    {
        if (!buffer.device())
            return m_device->copyAsync(wholeOf(*m_output), wholeOf(buffer), CopyKind::HostToDevice, *m_stream);
        ChainLaunch reading = work();
        reading.input = wholeOf(buffer);
        return m_device->launch(reading, *m_stream);
    }
    Status waitUnseen() const { return m_plain->synchronize(); }

    QStringList rulesBroken()
    {
        QStringList rules;
        m_hazards = m_device->takeHazards();
        for (const Hazard &hazard : m_hazards)
            rules << QString::fromUtf8(ruleOf(hazard.rule).name.data(), qsizetype(ruleOf(hazard.rule).name.size()));
        return rules;
    }
    const std::vector<Hazard> &hazards() const { return m_hazards; }

private:
    Device *m_plain = nullptr;
    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<Buffer> m_output;
    std::vector<Hazard> m_hazards;
};

/// The two ends of a pipe.
struct Pipe {
    Pipe()
    {
        if (pipe(ends) != 0)
            qFatal("no pipe");
    }
    ~Pipe()
    {
        close(ends[0]);
        close(ends[1]);
    }
    int ends[2] = {};
};

/// Pages that the caller frees.
struct WholePages {
    std::byte *memory = static_cast<std::byte *>(std::aligned_alloc(4096, kBytes));
    ~WholePages() { std::free(memory); }
};

/// A device that registers nothing.
class RefusingDevice final : public ForwardingDevice {
public:
    explicit RefusingDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}
    Result<std::unique_ptr<Buffer>> registerHost(std::byte *, std::size_t) override
    {
        return Error{"cudaHostRegister", 1, "refused"};
    }
};

} // namespace

class TestLedgerDevice : public QObject {
    Q_OBJECT

private slots:
    void buffersAreFreedAfterTheirWork_data();
    void buffersAreFreedAfterTheirWork();
    void imagesAreUnregisteredAfterTheirWork();
    void texturesAreRespecifiedWithoutAnImage();
    void largeRegionsThatAreRefusedCost();
    void atomicsNeedCachedMemory_data();
    void atomicsNeedCachedMemory();
    void uncachedMemoryIsReadOnce_data();
    void uncachedMemoryIsReadOnce();
    void spinningNeedsACore_data();
    void spinningNeedsACore();
    void systemCallsAreReportedBeforeTheyFail();
    void pinnedPagesAreReportedAlthoughTheyBypassTheProtection();
    void kernelsThatOnlyReadAreLaunches();
    void aConsumerOfCudaSkipsRepeats();
    void aConsumerOfCudaDoesNotWrite();
};

void TestLedgerDevice::buffersAreFreedAfterTheirWork_data()
{
    QTest::addColumn<int>("allocation");
    for (const auto &[name, allocation] :
         {std::pair("cudaFree", Allocation::Device), std::pair("cudaFreeHost", Allocation::Pinned),
          std::pair("cudaFreeHost of mapped memory", Allocation::PinnedMapped),
          std::pair("cudaFree of managed memory", Allocation::Managed),
          std::pair("cudaHostUnregister", Allocation::Registered)})
        QTest::newRow(name) << static_cast<int>(allocation);
}

void TestLedgerDevice::buffersAreFreedAfterTheirWork()
{
    QFETCH(int, allocation);
    const auto kind = static_cast<Allocation>(allocation);
    Bench bench("soft:orin");
    const WholePages pages;
    const auto make = [&] {
        return kind == Allocation::Registered ? bench.device().registerHost(pages.memory, kBytes)
                                              : bench.device().allocate(kind, kBytes);
    };
    std::unique_ptr<Buffer> buffer = make().value();
    JETSCOPE_VERIFY(bench.use(*buffer));
    JETSCOPE_VERIFY(bench.waitUnseen());
    QCOMPARE(bench.rulesBroken(), QStringList());
    buffer.reset();
    QCOMPARE(bench.rulesBroken(), QStringList("A11"));
    QVERIFY(bench.hazards()[0].first.has_value());

    buffer = make().value();
    JETSCOPE_VERIFY(bench.use(*buffer));
    JETSCOPE_VERIFY(bench.device().synchronize(bench.stream()));
    buffer.reset();
    QCOMPARE(bench.rulesBroken(), QStringList());
}

/// A texture with its EGLImage, on a GL queue.
class SharedTexture {
public:
    SharedTexture(const std::shared_ptr<EglDisplay> &display, Tracer &tracer)
        : m_queue(GlQueue::create(display, GlQueue::Execution::Threaded, nullptr, tracer).value())
    {
        static_cast<void>(m_queue->run([&] {
            m_texture = std::move(GlTexture::create(16, 16)).value();
            m_eglImage = std::move(EglImage::create(display, m_queue->nativeContext(), m_texture->id())).value();
            return Status();
        }));
    }
    ~SharedTexture()
    {
        static_cast<void>(m_queue->run([this] {
            m_eglImage.reset();
            m_texture.reset();
            return Status();
        }));
    }
    GlQueue &queue() const { return *m_queue; }
    Result<std::unique_ptr<Image>> registeredWith(Device &device) const
    {
        return device.registerEglImage(m_eglImage->native(), 16, 16);
    }
    /// Tells of a glTexImage2D. It is not called, because the texture is immutable.
    void respecify(Device &device, const Image *image) const
    {
        m_queue->submit(GlUses(device, {m_texture->id(), image, Access::Write, true}), [] { return Status(); });
    }

private:
    const std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<GlTexture> m_texture;
    std::unique_ptr<EglImage> m_eglImage;
};

void TestLedgerDevice::imagesAreUnregisteredAfterTheirWork()
{
    const std::shared_ptr<EglDisplay> display = testing::headlessDisplay();
    if (!display)
        QSKIP("there is no EGL display");
    Tracer tracer;
    const SharedTexture texture(display, tracer);
    Bench bench("soft:orin", display);
    for (const bool waits : {false, true}) {
        std::unique_ptr<Image> image = texture.registeredWith(bench.device()).value();
        const std::unique_ptr<Buffer> input = bench.device().allocate(Allocation::Device, kBytes).value();
        ChainLaunch writing = bench.work();
        writing.input = wholeOf(*input);
        writing.output = {};
        writing.outputImage = image.get();
        JETSCOPE_VERIFY(bench.device().launch(writing, bench.stream()));
        JETSCOPE_VERIFY(waits ? bench.device().synchronize() : Status());
        image.reset();
        QCOMPARE(bench.rulesBroken(), waits ? QStringList() : QStringList("C6"));
        JETSCOPE_VERIFY(bench.device().synchronize());
    }
}

void TestLedgerDevice::texturesAreRespecifiedWithoutAnImage()
{
    const std::shared_ptr<EglDisplay> display = testing::headlessDisplay();
    if (!display)
        QSKIP("there is no EGL display");
    Tracer tracer;
    Bench bench("soft:orin", display); // Goes behind the GL queue, whose commands tell it that they run.
    const SharedTexture texture(display, tracer);
    std::unique_ptr<Image> image = texture.registeredWith(bench.device()).value();
    const std::unique_ptr<Buffer> input = bench.device().allocate(Allocation::Device, kBytes).value();
    const auto write = [&] {
        ChainLaunch writing = bench.work();
        writing.input = wholeOf(*input);
        writing.output = {};
        writing.outputImage = image.get();
        return bench.device().launch(writing, bench.stream());
    };
    JETSCOPE_VERIFY(write());
    texture.respecify(bench.device(), image.get());
    QCOMPARE(bench.rulesBroken(), QStringList("C6"));
    JETSCOPE_VERIFY(bench.device().synchronize());
    JETSCOPE_VERIFY(write()); // The image is no longer that of the texture.
    QCOMPARE(bench.rulesBroken(), QStringList("C6"));

    JETSCOPE_VERIFY(bench.device().synchronize());
    image.reset();
    texture.respecify(bench.device(), nullptr);
    image = texture.registeredWith(bench.device()).value();
    JETSCOPE_VERIFY(write());
    JETSCOPE_VERIFY(bench.device().synchronize());
    QCOMPARE(bench.rulesBroken(), QStringList());
}

void TestLedgerDevice::largeRegionsThatAreRefusedCost()
{
    const auto refused = [](const char *device, std::size_t bytes) {
        LedgerDevice refusing(std::make_unique<RefusingDevice>(openDevice(device, nullptr).value()));
        if (refusing.registerHost(nullptr, bytes).ok())
            qFatal("the region was registered");
        return refusing.takeHazards().size();
    };
    QCOMPARE(refused("soft:orin", 8 << 20), std::size_t(1));
    QCOMPARE(refused("soft:orin", 64 << 10), std::size_t(0)); // For another reason.
    QCOMPARE(refused("soft:nano", 8 << 20), std::size_t(0));  // It registers no region of any size.
}

void TestLedgerDevice::atomicsNeedCachedMemory_data()
{
    QTest::addColumn<QStringList>("rules");
    QTest::newRow("soft:nano") << QStringList("A15");
    QTest::newRow("soft:tx2") << QStringList("A15");
    QTest::newRow("soft:xavier") << QStringList();
    QTest::newRow("soft:orin") << QStringList();
}

void TestLedgerDevice::atomicsNeedCachedMemory()
{
    QFETCH(QStringList, rules);
    Bench bench(QTest::currentDataTag());
    const std::unique_ptr<Buffer> pinned = bench.device().allocate(Allocation::PinnedMapped, kBytes).value();
    {
        const CpuAtomics counter(bench.device(), {pinned.get(), 0, 4});
        std::atomic_ref(*reinterpret_cast<std::uint32_t *>(counter.data())).fetch_add(1);
    }
    QCOMPARE(bench.rulesBroken(), rules);
    {
        const CpuWrite plain(bench.device(), {pinned.get(), 0, 4});
        *reinterpret_cast<std::uint32_t *>(plain.data()) = 2;
    }
    QCOMPARE(bench.rulesBroken(), QStringList());
}

void TestLedgerDevice::uncachedMemoryIsReadOnce_data()
{
    QTest::addColumn<QStringList>("rules");
    QTest::newRow("soft:nano") << QStringList("A16");
    QTest::newRow("soft:orin") << QStringList();
}

void TestLedgerDevice::uncachedMemoryIsReadOnce()
{
    QFETCH(QStringList, rules);
    Bench bench(QTest::currentDataTag());
    const std::unique_ptr<Buffer> pinned = bench.device().allocate(Allocation::Pinned, kBytes).value();
    const std::unique_ptr<Buffer> other = bench.device().allocate(Allocation::Device, kBytes).value();
    for (int frame = 0; frame < 3; ++frame) {
        JETSCOPE_VERIFY(
            bench.device().copyAsync(wholeOf(*pinned), wholeOf(*other), CopyKind::DeviceToHost, bench.stream()));
        JETSCOPE_VERIFY(bench.device().synchronize(bench.stream()));
        const CpuRead read(bench.device(), wholeOf(*pinned));
    }
    QCOMPARE(bench.rulesBroken(), QStringList());
    const CpuRead again(bench.device(), wholeOf(*pinned));
    QCOMPARE(bench.rulesBroken(), rules);
}

void TestLedgerDevice::spinningNeedsACore_data()
{
    QTest::addColumn<int>("policy");
    QTest::addColumn<QStringList>("rules");
    QTest::newRow("spin") << int(WaitPolicy::Spin) << QStringList{"B4"};
    QTest::newRow("yield") << int(WaitPolicy::Yield) << QStringList();
    QTest::newRow("block") << int(WaitPolicy::Block) << QStringList();
}

/// All threads of the device share one core, as the threads of a full machine do.
void TestLedgerDevice::spinningNeedsACore()
{
    QFETCH(int, policy);
    QFETCH(QStringList, rules);
    cpu_set_t before;
    QCOMPARE(sched_getaffinity(0, sizeof before, &before), 0);
    const auto restore = qScopeGuard([&] { sched_setaffinity(0, sizeof before, &before); });
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
        if (CPU_ISSET(core, &before))
            CPU_SET(core, &one);
    QCOMPARE(sched_setaffinity(0, sizeof one, &one), 0); // Threads inherit it.

    Bench bench("soft:orin");
    JETSCOPE_VERIFY(bench.device().setWaitPolicy(static_cast<WaitPolicy>(policy)));
    // Longer than a turn of the scheduler: the device's thread may take the core as soon as there is work, and a wait
    // is not counted if the work has ended before it.
    const auto busy = [] {
        const std::int64_t end = nowNs() + 10'000'000;
        while (nowNs() < end) {}
    };
    // One wait in eight is measured, and 32 of them are judged together.
    const int judgements = rules.isEmpty() ? 1 : 2;
    QStringList broken;
    for (int wait = 0; wait < 8 * 32 * judgements && broken.isEmpty(); ++wait) {
        JETSCOPE_VERIFY(bench.device().launchHost(bench.stream(), busy));
        JETSCOPE_VERIFY(bench.device().synchronize(bench.stream()));
        broken = bench.rulesBroken();
    }
    QCOMPARE(broken, rules);
}

/// A system call gets EFAULT for memory that the CPU may not touch, where a Jetson gives it a bus error or wrong data.
void TestLedgerDevice::systemCallsAreReportedBeforeTheyFail()
{
    Bench bench("soft:nano");
    const std::unique_ptr<Buffer> managed = bench.device().allocate(Allocation::Managed, kBytes).value();
    const Pipe pipe;
    QCOMPARE(write(pipe.ends[1], "frame", 5), ssize_t(5));
    JETSCOPE_VERIFY(bench.use(*managed));
    {
        const CpuWrite scope(bench.device(), wholeOf(*managed));
        QCOMPARE(read(pipe.ends[0], scope.data(), 5), ssize_t(-1));
        QCOMPARE(errno, EFAULT);
    }
    QCOMPARE(bench.rulesBroken(), QStringList("A1"));
    QCOMPARE(bench.hazards()[0].second->what, std::string("CPU access")); // No instruction was caught.
    JETSCOPE_VERIFY(bench.use(*managed));
    {
        const CpuRead scope(bench.device(), wholeOf(*managed));
        QCOMPARE(write(pipe.ends[1], scope.data(), 5), ssize_t(-1));
        QCOMPARE(errno, EFAULT);
    }
    QCOMPARE(bench.rulesBroken(), QStringList("A2")); // The kernels read it, too.

    JETSCOPE_VERIFY(bench.device().synchronize(bench.stream()));
    {
        const CpuWrite scope(bench.device(), wholeOf(*managed));
        QCOMPARE(read(pipe.ends[0], scope.data(), 5), ssize_t(5));
        QVERIFY(std::memcmp(scope.data(), "frame", 5) == 0);
    }
    QCOMPARE(bench.rulesBroken(), QStringList());
}

void TestLedgerDevice::kernelsThatOnlyReadAreLaunches()
{
    Bench bench("soft:nano");
    const std::unique_ptr<Buffer> managed = bench.device().allocate(Allocation::Managed, kBytes).value();
    JETSCOPE_VERIFY(bench.device().readMemory(wholeOf(*managed), 1, bench.stream()));
    JETSCOPE_VERIFY(bench.waitUnseen());
    {
        const CpuRead scope(bench.device(), wholeOf(*managed));
    }
    QCOMPARE(bench.rulesBroken(), QStringList("A2"));
    JETSCOPE_VERIFY(bench.device().readMemory(wholeOf(*managed), 1, bench.stream()));
    JETSCOPE_VERIFY(bench.device().synchronize(bench.stream()));
    {
        const CpuRead scope(bench.device(), wholeOf(*managed));
    }
    QCOMPARE(bench.rulesBroken(), QStringList());
}

/// As V4L2 does with a buffer of the user: the kernel pins the pages when the buffer is queued, and uses them later
/// without a look at their protection. Here a pipe pins them.
void TestLedgerDevice::pinnedPagesAreReportedAlthoughTheyBypassTheProtection()
{
    Bench bench("soft:nano");
    const std::unique_ptr<Buffer> managed = bench.device().allocate(Allocation::Managed, kBytes).value();
    const Pipe pipe;
    {
        CpuRead scope(bench.device(), wholeOf(*managed)); // Open as long as the buffer is queued.
        const iovec pages{const_cast<std::byte *>(scope.data()), 4096};
        QCOMPARE(vmsplice(pipe.ends[1], &pages, 1, 0), ssize_t(4096));
        QCOMPARE(bench.rulesBroken(), QStringList());
        JETSCOPE_VERIFY(bench.use(*managed)); // Protects the pages.
        std::array<std::byte, 4096> copy{};
        QCOMPARE(read(pipe.ends[0], copy.data(), copy.size()), ssize_t(4096)); // Nothing faults.
    }
    QCOMPARE(PageGuard::instance().takeTouches().size(), std::size_t(0));
    QCOMPARE(bench.rulesBroken(), QStringList("A1"));
    QVERIFY(bench.hazards()[0].text.find("Kernels are launched while the CPU reads") == 0);
    JETSCOPE_VERIFY(bench.device().synchronize());
}

// --- EGLStreams, against a stand-in: no software device has them

void TestLedgerDevice::aConsumerOfCudaSkipsRepeats()
{
    const std::shared_ptr<EglDisplay> display = testing::headlessDisplay();
    if (!display)
        QSKIP("there is no EGL display");
    LedgerDevice device(std::make_unique<testing::EndlessStreamDevice>());
    const std::unique_ptr<Stream> stream = device.createStream().value();
    const auto process = [&](Image *image) {
        ChainLaunch launch;
        launch.inputImage = image;
        return device.launch(launch, *stream);
    };
    {
        const auto input = StreamInput::create(device, display, 0, testing::EndlessStreamDevice::table()).value();
        for (std::uint64_t frame = 1; frame <= 5; ++frame) {
            testing::EndlessStreamDevice::repeatNext(frame == 3 ? 2 : 0);
            const auto acquired = input->acquire(input->latest() + 1, *stream);
            JETSCOPE_VERIFY(acquired);
            JETSCOPE_VERIFY(process(acquired.value().image));
            JETSCOPE_VERIFY(input->release(*stream));
        }
        QCOMPARE(input->counts().repeats, std::uint64_t(2));
        QCOMPARE(device.takeHazards().size(), std::size_t(0));
    }
    const auto input = StreamInput::create(device, display, 0, testing::EndlessStreamDevice::table()).value();
    for (int frame = 0; frame < 2; ++frame) { // Takes whatever frame comes.
        testing::EndlessStreamDevice::repeatNext(frame);
        const auto acquired = input->acquire(input->latest(), *stream);
        JETSCOPE_VERIFY(acquired);
        JETSCOPE_VERIFY(process(acquired.value().image));
        JETSCOPE_VERIFY(input->release(*stream));
    }
    const std::vector<Hazard> hazards = device.takeHazards();
    QCOMPARE(hazards.size(), std::size_t(1));
    QVERIFY(hazards[0].rule == RuleId::E4);
}

void TestLedgerDevice::aConsumerOfCudaDoesNotWrite()
{
    LedgerDevice device(std::make_unique<testing::EndlessStreamDevice>());
    const std::unique_ptr<Stream> stream = device.createStream().value();
    int eglStream = 0;
    const std::unique_ptr<FrameConsumer> consumer = device.connectConsumer(&eglStream).value();
    const auto acquired = device.acquire(*consumer, *stream);
    JETSCOPE_VERIFY(acquired);
    ChainLaunch launch;
    launch.inputImage = acquired.value()->image;
    JETSCOPE_VERIFY(device.launch(launch, *stream));
    QCOMPARE(device.takeHazards().size(), std::size_t(0));
    launch.outputImage = std::exchange(launch.inputImage, nullptr);
    JETSCOPE_VERIFY(device.launch(launch, *stream));
    const std::vector<Hazard> hazards = device.takeHazards();
    QCOMPARE(hazards.size(), std::size_t(1));
    QVERIFY(hazards[0].rule == RuleId::E6);
    JETSCOPE_VERIFY(device.release(*consumer, *stream));
    QCOMPARE(device.takeHazards().size(), std::size_t(0));
    JETSCOPE_VERIFY(device.launch(launch, *stream));
    QCOMPARE(device.takeHazards().size(), std::size_t(1));
}

JETSCOPE_TEST(TestLedgerDevice)
#include "tst_ledgerdevice.moc"
