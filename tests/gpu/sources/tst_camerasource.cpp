// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The camera source with a fake camera that misbehaves on demand: invalid answers, wrong numbers, long runs. tst_vivid
// tests a real driver.
#include "core/time/clock.h"
#include "gpu/sources/v4l2/camerafacts.h"
#include "gpu/sources/v4l2/camerasource.h"
#include "gpu/sources/v4l2/framecheck.h"
#include "tests/support/fakecamera.h"
#include "tests/support/testprogram.h"
#include "tests/support/teststep.h"

#include <QTest>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <unistd.h>

using namespace jetscope;
using testing::FakeCamera;

namespace {

Result<std::unique_ptr<FrameSource>> openFake(FakeCamera &camera, const std::string &text)
{
    const Result<SourceUri> uri = parseSourceUri(text);
    if (!uri.ok())
        return uri.error();
    return openCamera(camera, uri.value());
}

std::unique_ptr<FrameSource> mustOpen(FakeCamera &camera, const std::string &uri = "v4l2:?io=mmap")
{
    Result<std::unique_ptr<FrameSource>> source = openFake(camera, uri);
    if (!source.ok())
        qFatal("%s", source.error().message().c_str());
    return std::move(source).value();
}

std::size_t residentPages()
{
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0;
    std::size_t resident = 0;
    file >> all >> resident;
    return resident;
}

/// Page-aligned memory like that of the pipeline's pools.
struct Pages {
    explicit Pages(std::size_t bytes)
        : memory(static_cast<std::byte *>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096)))
    {
    }
    ~Pages() { std::free(memory); }
    Pages(const Pages &) = delete;
    Pages &operator=(const Pages &) = delete;
    std::byte *const memory;
};

} // namespace

class TestCameraSource : public QObject {
    Q_OBJECT

private slots:
    void urisAreHeldToTheirWords_data();
    void urisAreHeldToTheirWords();
    void indicesFollowTheDriversNumbers();
    void impossibleStampsAreReplaced_data();
    void impossibleStampsAreReplaced();
    void hostileListsEnd();
    void hintsFollowTheSystem();
    void aDriverThatLiesIsRefused_data();
    void aDriverThatLiesIsRefused();
    void rowsAreRepacked();
    void framesLandInLentMemory();
    void lateReadersGetTheNewestFrame();
    void refusedMemoryFallsBackToCopies();
    void unpluggedTenTimesWhileReading_data();
    void unpluggedTenTimesWhileReading();
    void faultsAreCountedEachAsItsKind();
    void aBrokenCameraEndsInAnError();
    void cancelEndsEveryWait();
    void aHundredThousandCapturesLeaveNothingBehind_data();
    void aHundredThousandCapturesLeaveNothingBehind();
};

void TestCameraSource::urisAreHeldToTheirWords_data()
{
    QTest::addColumn<QByteArray>("uri");
    QTest::addColumn<QByteArray>("hint");
    const auto row = [](const char *uri, const char *hint) {
        QTest::newRow(uri) << QByteArray(uri) << QByteArray(hint);
    };
    row("v4l2:video0", "v4l2:/dev/video0");
    row("v4l2:?size=1", "WIDTHxHEIGHT");
    row("v4l2:?size=0x4", "WIDTHxHEIGHT");
    row("v4l2:?size=99999999999x4", "WIDTHxHEIGHT");
    row("v4l2:?fps=nan", "0.1 to 1000");
    row("v4l2:?fps=-3", "0.1 to 1000");
    row("v4l2:?format=", "YUYV");
    row("v4l2:?format=XYZW", "YUYV");
    row("v4l2:?io=dma", "userptr");
    row("v4l2:?io=", "userptr");
    row("v4l2:?frames=3", "size, fps, format or io");
    row("v4l2:?size=64x48&size=64x48", "twice");
    row("v4l2:?size=65x48", "64x48");
    row("v4l2:?format=NV12", "does not deliver NV12");
}

void TestCameraSource::urisAreHeldToTheirWords()
{
    QFETCH(QByteArray, uri);
    QFETCH(QByteArray, hint);
    FakeCamera camera;
    const auto source = openFake(camera, uri.toStdString());
    QVERIFY(!source.ok());
    const QByteArray message = QByteArray::fromStdString(source.error().message());
    QVERIFY2(message.contains(hint) && !message.contains('\n'), message.constData());
    QCOMPARE(camera.openFiles, 0);
}

void TestCameraSource::indicesFollowTheDriversNumbers()
{
    SequenceCounter counter;
    QCOMPARE(counter.index(0xfffffffe), 0u);
    QCOMPARE(counter.index(0xffffffff), 1u);
    QCOMPARE(counter.index(0), 2u);          // Wrapped.
    QCOMPARE(counter.index(3), 5u);          // Two are missing.
    QCOMPARE(counter.index(3), 6u);          // Repeated.
    QCOMPARE(counter.index(2), 7u);          // Decreasing.
    QCOMPARE(counter.index(0x7fffffff), 8u); // A gap of two thousand million frames is not plausible.
    counter.restart();
    QCOMPARE(counter.index(40), 9u);
    QCOMPARE(counter.index(41), 10u);
}

void TestCameraSource::impossibleStampsAreReplaced_data()
{
    constexpr qint64 now = 50'000'000'000;
    QTest::addColumn<qint64>("stamp");
    QTest::addColumn<bool>("monotonic");
    QTest::addColumn<qint64>("used");
    QTest::newRow("plausible") << now - 20'000'000 << true << now - 20'000'000;
    QTest::newRow("a tick ahead") << now + 4'000'000 << true << now;
    QTest::newRow("in the future") << now + 20'000'000 << true << now;
    QTest::newRow("too old") << now - 3'000'000'000 << true << now;
    QTest::newRow("never set") << qint64{0} << true << now;
    QTest::newRow("negative") << qint64{-1} << true << now;
    QTest::newRow("largest") << std::numeric_limits<qint64>::max() << true << now;
    QTest::newRow("smallest") << std::numeric_limits<qint64>::min() << true << now;
    QTest::newRow("another clock") << now - 20'000'000 << false << now;
}

void TestCameraSource::impossibleStampsAreReplaced()
{
    constexpr qint64 now = 50'000'000'000;
    QFETCH(qint64, stamp);
    QFETCH(bool, monotonic);
    QFETCH(qint64, used);
    TimestampCheck check;
    QCOMPARE(qint64{check.captureNs(stamp, monotonic, now)}, used);
    QCOMPARE(check.complaint().empty(), used == stamp || stamp == now + 4'000'000);
    // The following stamp is always later.
    QVERIFY(check.captureNs(stamp, monotonic, now + 1) > used);
}

void TestCameraSource::hostileListsEnd()
{
    FakeCamera camera;
    // A driver whose lists never end.
    class Endless final : public V4l2Syscalls {
    public:
        std::vector<std::string> devices() override { return {"/dev/video0"}; }
        int open(const char *) override { return 7; }
        void close(int) override {}
        int control(int, unsigned long request, void *argument) override
        {
            ++calls;
            if (request == VIDIOC_QUERYCAP) {
                auto &capability = *static_cast<v4l2_capability *>(argument);
                std::memset(&capability, 0xff, sizeof capability); // Strings without a terminating NUL.
            }
            return 0;
        }
        void *map(int, std::size_t, std::size_t) override { return nullptr; }
        void unmap(void *, std::size_t) override {}
        Wait wait(int, int, int) override { return Wait::TimedOut; }
        int calls = 0;
    } endless;
    const std::vector<CameraInfo> cameras = camerasOf(endless);
    QCOMPARE(cameras.size(), 1u);
    QVERIFY(cameras.front().name.size() <= 32);
    QVERIFY(!cameras.front().usable.available);
    const Result<CameraDevice> device = CameraDevice::open(endless, "/dev/video0");
    QVERIFY(device.ok());
    controlsOf(device.value());
    ratesOf(device.value(), V4L2_PIX_FMT_YUYV, 64, 48);
    QVERIFY2(endless.calls < 1000, qPrintable(QString::number(endless.calls)));
}

void TestCameraSource::hintsFollowTheSystem()
{
    QTemporaryDir root;
    const auto hints = [&](const std::vector<CameraInfo> &cameras) {
        QStringList all;
        for (const std::string &hint : cameraHints(cameras, root.path().toStdString()))
            all << QString::fromStdString(hint);
        return all;
    };
    const auto put = [&](const char *path) {
        QVERIFY(QDir(root.path()).mkpath(QFileInfo(QString(path)).path()));
        QFile file(root.filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
    };
    QCOMPARE(hints({CameraInfo()}), QStringList());
    QVERIFY(hints({}).join(' ').contains("plug one in"));
    JETSCOPE_STEP(put("etc/nv_tegra_release"));
    QVERIFY(hints({CameraInfo()}).join(' ').contains("nvargus-daemon"));
    JETSCOPE_STEP(put("run/.containerenv"));
    QVERIFY(hints({}).join(' ').contains("--device /dev/video0"));
    QVERIFY(hints({CameraInfo()}).join(' ').contains("-v /tmp/argus_socket"));
    JETSCOPE_STEP(put("tmp/argus_socket"));
    QCOMPARE(hints({CameraInfo()}), QStringList());
}

void TestCameraSource::aDriverThatLiesIsRefused_data()
{
    QTest::addColumn<int>("lie");
    QTest::newRow("no buffers") << 0;
    QTest::newRow("a million buffers") << 1;
    QTest::newRow("a buffer that does not exist") << 2;
    QTest::newRow("an empty picture") << 3;
    QTest::newRow("no memory to map") << 4;
}

void TestCameraSource::aDriverThatLiesIsRefused()
{
    QFETCH(int, lie);
    class Liar final : public V4l2Syscalls {
    public:
        explicit Liar(int lie) : m_lie(lie) {}
        std::vector<std::string> devices() override { return camera.devices(); }
        int open(const char *path) override { return camera.open(path); }
        void close(int fd) override { camera.close(fd); }
        int control(int fd, unsigned long request, void *argument) override
        {
            const int done = camera.control(fd, request, argument);
            if (done == 0 && request == VIDIOC_REQBUFS && m_lie < 2
                && static_cast<v4l2_requestbuffers *>(argument)->count > 0)
                static_cast<v4l2_requestbuffers *>(argument)->count = m_lie == 0 ? 0 : 1'000'000;
            if (done == 0 && request == VIDIOC_DQBUF && m_lie == 2)
                static_cast<v4l2_buffer *>(argument)->index = 0xffffffff;
            if (done == 0 && request == VIDIOC_S_FMT && m_lie == 3)
                static_cast<v4l2_format *>(argument)->fmt.pix.width = 0;
            return done;
        }
        void *map(int fd, std::size_t bytes, std::size_t offset) override
        {
            return m_lie == 4 ? nullptr : camera.map(fd, bytes, offset);
        }
        void unmap(void *memory, std::size_t bytes) override { camera.unmap(memory, bytes); }
        Wait wait(int fd, int wakeFd, int ms) override { return camera.wait(fd, wakeFd, ms); }
        FakeCamera camera;

    private:
        const int m_lie;
    } liar(lie);
    const Result<SourceUri> uri = parseSourceUri("v4l2:?io=mmap");
    Result<std::unique_ptr<FrameSource>> source = openCamera(liar, uri.value());
    if (source.ok()) {
        std::vector<std::byte> frame(source.value()->info().layout.bytes);
        const auto read = source.value()->read(frame.data());
        QVERIFY(!read.ok());
        QVERIFY(!read.error().text.empty());
    }
    source = Error{"", 0, ""};
    QCOMPARE(liar.camera.openFiles, 0);
    QCOMPARE(liar.camera.mappings, 0);
}

void TestCameraSource::rowsAreRepacked()
{
    FakeCamera camera;
    camera.width = 50;
    camera.height = 6;
    camera.pitch = 104; // 100 bytes of pixels; rows of our layout are 128 apart.
    camera.fill = [](std::byte *into, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i)
            into[i] = i % 104 < 100 ? static_cast<std::byte>(i / 104 * 10 + i % 104 % 10) : std::byte{0xee};
        return size;
    };
    const auto source = mustOpen(camera);
    const ImageLayout &layout = source->info().layout;
    std::vector<std::byte> frame(layout.bytes, std::byte{0xaa});
    QVERIFY(source->read(frame.data()).ok());
    for (std::size_t y = 0; y < 6; ++y)
        for (std::size_t x = 0; x < 100; ++x)
            QCOMPARE(frame[y * layout.planes[0].pitch + x], static_cast<std::byte>(y * 10 + x % 10));
    QCOMPARE(source->state().copies.size(), 1u);
    FakeCamera other;
    other.pitch = 192; // For 64 pixels; the GPU requires 128 bytes.
    const auto user = openFake(other, "v4l2:?io=userptr");
    QVERIFY(!user.ok());
    QVERIFY(user.error().text.find("io=mmap") != std::string::npos);
}

void TestCameraSource::framesLandInLentMemory()
{
    FakeCamera camera;
    const auto source = mustOpen(camera, "v4l2:");
    QVERIFY(source->buffersWanted() >= 2);
    QVERIFY(source->state().copies.empty());
    const Pages a(source->info().layout.bytes);
    const Pages b(source->info().layout.bytes);
    QVERIFY(source->queue(a.memory).ok());
    QVERIFY(source->queue(b.memory).ok());
    for (int i = 0; i < 6; ++i) {
        std::byte *const wanted = i % 2 == 0 ? a.memory : b.memory;
        std::memset(wanted, 0, 16);
        const auto read = source->readQueued();
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        QCOMPARE(read.value()->memory, wanted);
        QCOMPARE(wanted[0], std::byte{0x55});
        QVERIFY(source->queue(wanted).ok());
    }
    source->flush();
    QVERIFY(source->queue(a.memory).ok()); // Restart from the beginning.
    QVERIFY(source->readQueued().ok());
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
}

void TestCameraSource::lateReadersGetTheNewestFrame()
{
    FakeCamera camera;
    const auto source = mustOpen(camera);
    std::vector<std::byte> frame(source->info().layout.bytes);
    const auto readIndex = [&] { return source->read(frame.data()).value()->index; };
    QCOMPARE(readIndex(), std::uint64_t{0});
    camera.backlog = 2; // A late reader: two frames are ready, and the driver has one more.
    QCOMPARE(readIndex(), std::uint64_t{3});
    camera.backlog = 3;
    QTest::qSleep(300); // The user pauses: frames filled before are not shown, the next one is.
    QCOMPARE(readIndex(), std::uint64_t{7});
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
}

void TestCameraSource::refusedMemoryFallsBackToCopies()
{
    FakeCamera camera;
    const auto source = mustOpen(camera, "v4l2:");
    camera.refuse = [&](unsigned long request) { return request == VIDIOC_QBUF ? EFAULT : 0; };
    const Pages memory(source->info().layout.bytes);
    QVERIFY(!source->queue(memory.memory).ok());
    QCOMPARE(source->buffersWanted(), 0u);
    QCOMPARE(source->state().copies.size(), 1u);
    camera.refuse = nullptr;
    QVERIFY(source->read(memory.memory).ok());
    // If only user memory is requested, the error contains the reason.
    camera.refuse = [&](unsigned long request) { return request == VIDIOC_QBUF ? EFAULT : 0; };
    FakeCamera other;
    const auto strict = mustOpen(other, "v4l2:?io=userptr");
    other.refuse = camera.refuse;
    QVERIFY(!strict->queue(memory.memory).ok());
    QVERIFY(strict->buffersWanted() > 0);
}

void TestCameraSource::unpluggedTenTimesWhileReading_data()
{
    QTest::addColumn<QString>("uri");
    QTest::newRow("mmap") << "v4l2:?io=mmap";
    QTest::newRow("userptr") << "v4l2:?io=userptr";
}

void TestCameraSource::unpluggedTenTimesWhileReading()
{
    QFETCH(QString, uri);
    FakeCamera camera;
    const auto source = mustOpen(camera, uri.toStdString());
    std::string trouble;
    int pauses = 0;
    camera.paused = [&] {
        trouble = source->state().trouble;
        camera.present = ++pauses % 3 == 0; // Back at the third attempt.
    };
    const Pages a(source->info().layout.bytes);
    const Pages b(source->info().layout.bytes);
    std::vector<std::byte *> free{a.memory, b.memory};
    std::uint64_t last = 0;
    for (int i = 0; i < 60; ++i) {
        if (i % 6 == 5)
            camera.present = false;
        std::optional<CapturedFrame> captured;
        if (source->buffersWanted() == 0) {
            const auto read = source->read(a.memory);
            QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
            captured = read.value();
        } else {
            for (std::byte *memory : free)
                QVERIFY(source->queue(memory).ok());
            const auto read = source->readQueued();
            QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
            free = {read.value()->memory};
            captured = read.value()->captured;
        }
        QVERIFY(i == 0 || captured->index == last + 1); // While a camera is disconnected, no frames count as missed.
        // The first frame after a gap contains it.
        QCOMPARE(captured->gaps.size(), i % 6 == 5 ? std::size_t{1} : std::size_t{0});
        if (!captured->gaps.empty()) {
            const SourceGap &gap = captured->gaps.front();
            QVERIFY(gap.fromNs > 0 && gap.fromNs <= gap.untilNs && gap.untilNs <= nowNs());
            QCOMPARE(gap.reason, std::string("Fake camera was unplugged"));
        }
        last = captured->index;
        QVERIFY(source->state().trouble.empty());
    }
    QCOMPARE(pauses, 30);
    QCOMPARE(source->state().faults.gaps, std::uint64_t{10});
    QCOMPARE(source->state().faults.missed, std::uint64_t{0});
    QVERIFY2(trouble.find("unplugged") != std::string::npos, trouble.c_str());
    QCOMPARE(camera.openFiles, 1);
    source->flush();
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
}

void TestCameraSource::faultsAreCountedEachAsItsKind()
{
    FakeCamera camera;
    const auto source = mustOpen(camera);
    std::vector<std::byte> frame(source->info().layout.bytes);
    const auto readIndex = [&] { return source->read(frame.data()).value()->index; };
    QCOMPARE(readIndex(), std::uint64_t{0});
    camera.sequence += 3; // Three that the driver counted but did not fill.
    QCOMPARE(readIndex(), std::uint64_t{4});
    QCOMPARE(source->state().faults.missed, std::uint64_t{3});
    camera.tamper = [&](v4l2_buffer &buffer) { // Two torn frames, then one with an old time stamp.
        if (buffer.sequence < 7)
            buffer.flags |= V4L2_BUF_FLAG_ERROR;
        else if (buffer.sequence == 7)
            buffer.timestamp = {};
    };
    QCOMPARE(readIndex(), std::uint64_t{7});
    camera.backlog = 2; // Two that were not read in time: dropped, but not a fault.
    QCOMPARE(readIndex(), std::uint64_t{10});
    const SourceFaults faults = source->state().faults;
    QCOMPARE(faults.missed, std::uint64_t{3});
    QCOMPARE(faults.damaged, std::uint64_t{2});
    QCOMPARE(faults.oddStamps, std::uint64_t{1});
    QCOMPARE(faults.gaps, std::uint64_t{0});
}

void TestCameraSource::aBrokenCameraEndsInAnError()
{
    FakeCamera camera;
    const auto source = mustOpen(camera);
    std::vector<std::byte> frame(source->info().layout.bytes);
    QVERIFY(source->read(frame.data()).ok());
    int attempts = 0;
    camera.refuse = [](unsigned long request) { return request == VIDIOC_DQBUF || request == VIDIOC_S_FMT ? EIO : 0; };
    camera.paused = [&] { ++attempts; };
    const auto read = source->read(frame.data());
    QVERIFY(!read.ok());
    QVERIFY(read.error().text.find("/dev/video0") != std::string::npos);
    QVERIFY(attempts >= 5 && attempts < 50);
}

void TestCameraSource::cancelEndsEveryWait()
{
    FakeCamera camera;
    const auto source = mustOpen(camera);
    std::vector<std::byte> frame(source->info().layout.bytes);
    QVERIFY(source->read(frame.data()).ok());
    camera.present = false;
    camera.paused = [&] { source->cancel(); }; // While it waits for the camera to come back.
    const auto read = source->read(frame.data());
    QVERIFY(read.ok() && !read.value());
    const auto again = source->read(frame.data());
    QVERIFY(again.ok() && !again.value());
}

void TestCameraSource::aHundredThousandCapturesLeaveNothingBehind_data()
{
    unpluggedTenTimesWhileReading_data();
}

void TestCameraSource::aHundredThousandCapturesLeaveNothingBehind()
{
    QFETCH(QString, uri);
    FakeCamera camera;
    const auto source = mustOpen(camera, uri.toStdString());
    const Pages a(source->info().layout.bytes);
    const Pages b(source->info().layout.bytes);
    const auto capture = [&](int frames) {
        for (int i = 0; i < frames; ++i) {
            if (source->buffersWanted() == 0) {
                if (!source->read(a.memory).ok())
                    qFatal("a read failed");
                continue;
            }
            const auto read = source->readQueued();
            if (!read.ok() || !source->queue(read.value()->memory).ok())
                qFatal("a read failed");
        }
    };
    if (source->buffersWanted() > 0) {
        QVERIFY(source->queue(a.memory).ok());
        QVERIFY(source->queue(b.memory).ok());
    }
    capture(1000);
    const std::size_t before = residentPages();
    capture(100'000);
    [[maybe_unused]] const std::size_t grown = residentPages() - std::min(before, residentPages());
#ifndef JETSCOPE_SANITIZED // A sanitizer keeps freed memory.
    QVERIFY2(grown < 64, qPrintable(QString("%1 pages more").arg(grown)));
#endif
    QCOMPARE(camera.delivered, std::uint64_t{101'000});
    source->flush();
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
}

JETSCOPE_TEST(TestCameraSource)
#include "tst_camerasource.moc"
