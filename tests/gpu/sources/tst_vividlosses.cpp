// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Why frames of a real driver are missing, and what its time stamps are of: the kernel's virtual camera (vivid) with
// the faults that it injects, and a reader with faults of its own. Runs where that driver is loaded:
// tests/support/v4l2-guest boots a machine that has it.
#include "core/lab/stampdoctor.h"
#include "core/time/clock.h"
#include "gpu/sources/cameras.h"
#include "gpu/sources/framesource.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <sched.h>
#include <thread>
#include <vector>

using namespace jetscope;

namespace {

std::optional<CameraInfo> vivid()
{
    for (CameraInfo &camera : listCameras())
        if (camera.driver == "vivid")
            return camera;
    return std::nullopt;
}

void set(const char *name, std::int64_t value = 1)
{
    const std::string path = vivid()->path;
    const auto controls = readCameraControls(path);
    QVERIFY(controls.ok());
    for (const CameraControl &control : controls.value())
        if (control.name == name) {
            QVERIFY(setCameraControl(path, control.id, value).ok());
            return;
        }
    QFAIL(name);
}

/// What was read of the camera: the numbers that arrived, and why the others are missing.
struct Reading {
    std::uint64_t arrived = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::vector<LostFrames> lost;
    LossCounts counts;
    std::vector<StampedFrame> stamps;
    std::string error;

    void take(const CapturedFrame &captured)
    {
        if (arrived == 0)
            first = captured.index;
        else if (captured.index > last + 1)
            for (const LostFrames &each :
                 accountedFor(last + 1, captured.index - last - 1, captured.lost, captured.captureNs)) {
                counts.add(each);
                lost.push_back(each);
            }
        last = captured.index;
        ++arrived;
        stamps.push_back({captured.index, captured.stamp});
    }
    /// Each number from the first to the last either arrived or has one cause.
    bool isExact() const { return arrived + counts.sum() == last - first + 1; }
    QByteArray describe() const
    {
        QByteArray text = QByteArray::number(qulonglong(counts.sum())) + " missing of "
            + QByteArray::number(qulonglong(last - first + 1)) + ": " + lossText(counts).c_str() + " " + error.c_str();
        for (const LostFrames &each : lost)
            text += "\n" + QByteArray::number(qulonglong(each.first)) + "+" + QByteArray::number(qulonglong(each.count))
                + " " + std::string(rowOf(each.cause).key).c_str() + ": " + each.evidence.c_str();
        return text;
    }
};

std::unique_ptr<FrameSource> openVivid(const std::string &options)
{
    Result<std::unique_ptr<FrameSource>> opened =
        openSource(vivid()->uri + "?size=320x180&fps=30" + options, Pacing::Real);
    if (!opened.ok())
        qFatal("%s", opened.error().message().c_str());
    return std::move(opened).value();
}

/// Lets the driver's threads run on other processors than the first, so that only the reader is kept from it.
void keepDriverOffTheFirst()
{
    cpu_set_t others;
    CPU_ZERO(&others);
    for (int cpu = 1; cpu < 8; ++cpu)
        CPU_SET(cpu, &others);
    for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile name(QStringLiteral("/proc/%1/comm").arg(entry));
        if (entry.toInt() > 0 && name.open(QIODevice::ReadOnly) && name.readAll().startsWith("vivid-"))
            sched_setaffinity(entry.toInt(), sizeof others, &others);
    }
}

/// Copies frames out of the driver's buffers; `before` is called before each.
Reading readMapped(int frames, const std::function<void(int)> &before = nullptr)
{
    Reading reading;
    const std::unique_ptr<FrameSource> source = openVivid("&io=mmap");
    std::vector<std::byte> picture(source->info().layout.bytes);
    for (int i = 0; i < frames; ++i) {
        if (before)
            before(i);
        const auto read = source->read(picture.data());
        if (!read.ok() || !read.value()) {
            reading.error = read.ok() ? "the source ended" : read.error().message();
            break;
        }
        reading.take(*read.value());
    }
    return reading;
}

/// Lends the driver so many buffers, and keeps each filled one as long as `keepMs` says.
Reading readLent(int frames, std::size_t buffers, const std::function<int(int)> &keepMs)
{
    Reading reading;
    const std::unique_ptr<FrameSource> source = openVivid("&io=userptr");
    const std::size_t bytes = (source->info().layout.bytes + 4095) / 4096 * 4096;
    std::vector<std::byte *> all;
    for (std::size_t i = 0; i < buffers; ++i) {
        all.push_back(static_cast<std::byte *>(std::aligned_alloc(4096, bytes)));
        if (!source->queue(all.back()).ok())
            qFatal("a buffer was refused");
    }
    for (int i = 0; i < frames; ++i) {
        const auto read = source->readQueued();
        if (!read.ok() || !read.value()) {
            reading.error = read.ok() ? "the source ended" : read.error().message();
            break;
        }
        reading.take(read.value()->captured);
        std::this_thread::sleep_for(std::chrono::milliseconds(keepMs(i)));
        if (!source->queue(read.value()->memory).ok())
            break;
    }
    source->flush();
    for (std::byte *memory : all)
        std::free(memory);
    return reading;
}

void sleepMs(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

} // namespace

#define JETSCOPE_MOSTLY(reading, cause)                                                                                \
    do {                                                                                                               \
        QVERIFY2((reading).isExact(), (reading).describe());                                                           \
        QVERIFY2((reading).counts.sum() >= 10, (reading).describe());                                                  \
        QVERIFY2((reading).counts[cause] * 100 >= (reading).counts.sum() * 95, (reading).describe());                  \
    } while (false)

class TestVividLosses : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void aSteadyReaderMissesNothing();
    void whatTheDriverDropsIsItsOwnGap();
    void damagedBuffersAreNamed();
    void aReaderThatSleepsIsLate();
    void aReaderThatIsNotScheduledIsLate();
    void twoBuffersThatAreKeptAreTooFew();
    void buffersThatAreKeptAreNamed();
    void aDisconnectInventsNothing();
    void stampsAreOfTheMonotonicClock_data();
    void stampsAreOfTheMonotonicClock();
};

void TestVividLosses::initTestCase()
{
    if (!vivid())
        QSKIP("there is no vivid camera: run this by tests/support/v4l2-guest");
}

void TestVividLosses::init()
{
    set("OSD Text Mode", 2);
    set("Percentage of Dropped Buffers", 0);
    set("Timestamp Source", 1); // The start of the exposure: the end would be in the future.
}

void TestVividLosses::aSteadyReaderMissesNothing()
{
    const Reading reading = readMapped(60);
    QVERIFY2(reading.isExact(), reading.describe());
    // In an emulated machine the driver itself misses frames: its own gaps.
    QVERIFY2(reading.counts[LossCause::Damaged] == 0 && reading.counts[LossCause::NoBuffer] == 0, reading.describe());
}

void TestVividLosses::whatTheDriverDropsIsItsOwnGap()
{
    set("Percentage of Dropped Buffers", 40);
    const Reading reading = readMapped(90);
    JETSCOPE_MOSTLY(reading, LossCause::SourceGap);
}

void TestVividLosses::damagedBuffersAreNamed()
{
    const Reading reading = readMapped(90, [](int i) {
        if (i > 2 && i % 5 == 0)
            set("Inject V4L2_BUF_FLAG_ERROR");
    });
    JETSCOPE_MOSTLY(reading, LossCause::Damaged);
}

void TestVividLosses::aReaderThatSleepsIsLate()
{
    const Reading reading = readMapped(60, [](int i) {
        if (i > 5 && i % 12 == 0)
            sleepMs(400); // Longer than all buffers last.
    });
    JETSCOPE_MOSTLY(reading, LossCause::LateDequeue);
}

void TestVividLosses::aReaderThatIsNotScheduledIsLate()
{
    // All on one processor, and the others ask first.
    cpu_set_t before;
    QCOMPARE(sched_getaffinity(0, sizeof before, &before), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    QCOMPARE(sched_setaffinity(0, sizeof one, &one), 0);
    std::atomic<bool> stop{false};
    std::atomic<bool> busy{false};
    std::thread other([&] {
        const sched_param first{10};
        if (sched_setscheduler(0, SCHED_FIFO, &first) != 0)
            return;
        while (!stop) {
            sleepMs(300);
            busy = true;
            for (const std::int64_t until = nowNs() + 300'000'000; nowNs() < until;) {}
        }
    });
    const Reading reading = readMapped(60, [](int i) {
        if (i == 1)
            keepDriverOffTheFirst(); // They begin with the stream.
    });
    stop = true;
    other.join();
    QCOMPARE(sched_setaffinity(0, sizeof before, &before), 0);
    if (!busy)
        QSKIP("no thread may ask first here");
    QVERIFY2(reading.isExact(), reading.describe());
    // Without those that the driver misses, whose thread the same load keeps waiting.
    const std::uint64_t ofReader = reading.counts.sum() - reading.counts[LossCause::SourceGap];
    QVERIFY2(ofReader >= 10 && reading.counts[LossCause::LateDequeue] * 100 >= ofReader * 95, reading.describe());
    const auto told = std::count_if(reading.lost.begin(), reading.lost.end(), [](const LostFrames &lost) {
        return lost.evidence.find("ready but not scheduled") != std::string::npos
            && lost.evidence.find("this program itself") != std::string::npos; // Its other thread.
    });
    QVERIFY2(told * 2 > static_cast<std::ptrdiff_t>(reading.lost.size()), reading.describe());
}

void TestVividLosses::twoBuffersThatAreKeptAreTooFew()
{
    const Reading reading = readLent(40, 2, [](int) { return 90; });
    QVERIFY2(reading.isExact(), reading.describe());
    QVERIFY2(reading.counts.sum() >= 10, reading.describe());
    // One is kept and one is full, or both are kept: never the source's own.
    QVERIFY2((reading.counts[LossCause::NoBuffer] + reading.counts[LossCause::LateDequeue]) * 100
                 >= reading.counts.sum() * 95,
             reading.describe());
}

void TestVividLosses::buffersThatAreKeptAreNamed()
{
    // All four come back together: the driver starves although every frame is taken at once.
    Reading reading;
    const std::unique_ptr<FrameSource> source = openVivid("&io=userptr");
    const std::size_t bytes = (source->info().layout.bytes + 4095) / 4096 * 4096;
    std::vector<std::byte *> all;
    for (int i = 0; i < 4; ++i)
        all.push_back(static_cast<std::byte *>(std::aligned_alloc(4096, bytes)));
    for (int round = 0; round < 6; ++round) {
        for (std::byte *memory : all)
            QVERIFY(source->queue(memory).ok());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto read = source->readQueued();
            QVERIFY2(read.ok() && read.value(), read.ok() ? "ended" : read.error().message().c_str());
            reading.take(read.value()->captured);
        }
        sleepMs(200);
    }
    source->flush();
    for (std::byte *memory : all)
        std::free(memory);
    JETSCOPE_MOSTLY(reading, LossCause::NoBuffer);
    QVERIFY2(reading.lost.front().evidence.find("held all 4") != std::string::npos, reading.describe());
}

void TestVividLosses::aDisconnectInventsNothing()
{
    Reading reading = readMapped(40, [](int i) {
        if (i == 20)
            set("Disconnect");
    });
    // The stream ends there, or goes on with numbers of its own: no number in between is made up.
    QVERIFY2(reading.isExact(), reading.describe());
    QVERIFY2(reading.counts[LossCause::SourceGap] == 0, reading.describe());
}

void TestVividLosses::stampsAreOfTheMonotonicClock_data()
{
    QTest::addColumn<int>("source");
    QTest::newRow("end of frame") << 0;
    QTest::newRow("start of exposure") << 1;
}

void TestVividLosses::stampsAreOfTheMonotonicClock()
{
    QFETCH(int, source);
    set("Timestamp Source", source);
    const std::vector<SystemClockReading> before = readClocks();
    const Reading reading = readMapped(60);
    const StampFinding finding = examineStamps(reading.stamps, before, readClocks());
    QVERIFY2(finding.clock == StampClock::System, finding.verdict.c_str());
    QVERIFY2(finding.system == SystemClock::Monotonic, finding.verdict.c_str());
    QVERIFY(finding.toldClock == ToldClock::Monotonic);
    QVERIFY(finding.toldEdge == (source == 1 ? ToldEdge::Start : ToldEdge::End));
    QVERIFY(finding.offsetMs && std::abs(*finding.offsetMs) <= finding.offsetBoundMs + 0.01);
    QVERIFY(finding.periodMs > 30 && finding.periodMs < 37);
    // The driver computes the end of a frame before it has ended.
    const bool isAhead = std::any_of(finding.conflicts.begin(), finding.conflicts.end(), [](const std::string &text) {
        return text.find("before the time of their stamps") != std::string::npos;
    });
    QVERIFY2(isAhead == (source == 0), finding.verdict.c_str());
}

QTEST_GUILESS_MAIN(TestVividLosses)
#include "tst_vividlosses.moc"
