// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The camera source with a real driver: the kernel's virtual camera (vivid), with the faults that it injects on demand.
// Runs if that driver is loaded: `tests/support/v4l2-guest` boots a machine that has it.
#include "core/time/clock.h"
#include "gpu/filters/filterchain.h"
#include "gpu/sources/cameras.h"
#include "gpu/sources/framesource.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 180;
const char *kSmall = "?size=320x180&fps=30";
const char *kSmallMapped = "?size=320x180&fps=30&io=mmap";

std::optional<CameraInfo> vivid()
{
    for (CameraInfo &camera : listCameras())
        if (camera.driver == "vivid")
            return camera;
    return std::nullopt;
}

void set(const char *name, std::int64_t value = 1)
{
    const std::optional<CameraInfo> camera = vivid();
    QVERIFY(camera);
    const auto controls = readCameraControls(camera->path);
    QVERIFY2(controls.ok(), controls.ok() ? "" : controls.error().message().c_str());
    for (const CameraControl &control : controls.value()) {
        if (control.name != name)
            continue;
        const Status done = setCameraControl(camera->path, control.id, value);
        QVERIFY2(done.ok(), done.ok() ? "" : done.error().message().c_str());
        return;
    }
    QFAIL(name);
}

/// Reads a camera like the capture thread: queues buffers if the source needs them.
class Reader {
public:
    explicit Reader(const std::string &options)
    {
        Result<std::unique_ptr<FrameSource>> opened = openSource(vivid()->uri + options, Pacing::Real);
        if (!opened.ok()) {
            m_error = opened.error().message();
            return;
        }
        m_source = std::move(opened).value();
        for (std::size_t i = 0; i < 6; ++i) {
            m_buffers.push_back(static_cast<std::byte *>(
                std::aligned_alloc(4096, (m_source->info().layout.bytes + 4095) / 4096 * 4096)));
            m_free.push_back(m_buffers.back());
        }
    }
    ~Reader()
    {
        if (m_source)
            m_source->flush();
        m_source.reset();
        for (std::byte *buffer : m_buffers)
            std::free(buffer);
    }

    const std::string &error() const { return m_error; }
    FrameSource &source() { return *m_source; }

    /// The next frame's pixels; none at an error, which `error` returns.
    std::optional<CapturedFrame> next() { return m_source->buffersWanted() > 0 ? nextQueued() : nextCopied(); }
    const std::vector<std::byte> &pixels() const { return m_pixels; }

private:
    std::optional<CapturedFrame> nextCopied()
    {
        m_pixels.resize(m_source->info().layout.bytes);
        const auto read = m_source->read(m_pixels.data());
        if (!read.ok())
            m_error = read.error().message();
        return read.ok() ? read.value() : std::nullopt;
    }

    std::optional<CapturedFrame> nextQueued()
    {
        while (m_queued < m_source->buffersWanted()) {
            if (const Status queued = m_source->queue(m_free.back()); !queued.ok()) {
                m_error = queued.error().message();
                return std::nullopt;
            }
            m_free.pop_back();
            ++m_queued;
        }
        const auto read = m_source->readQueued();
        if (!read.ok())
            m_error = read.error().message();
        if (!read.ok() || !read.value())
            return std::nullopt;
        std::byte *memory = read.value()->memory;
        m_pixels.assign(memory, memory + m_source->info().layout.bytes);
        m_free.insert(m_free.begin(), memory);
        --m_queued;
        return read.value()->captured;
    }

    std::unique_ptr<FrameSource> m_source;
    std::vector<std::byte *> m_buffers;
    std::vector<std::byte *> m_free;
    std::size_t m_queued = 0;
    std::vector<std::byte> m_pixels;
    std::string m_error;
};

/// Converts a frame to RGBA with the pipeline's filters.
std::vector<std::uint8_t> rgbaOf(const ImageLayout &layout, const std::vector<std::byte> &pixels)
{
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(layout.width) * static_cast<std::size_t>(layout.height)
                                   * 4);
    ChainWork work;
    work.inputLayout = layout;
    work.input = pixels.data();
    work.output = reinterpret_cast<std::byte *>(rgba.data());
    work.outputPitch = static_cast<std::size_t>(layout.width) * 4;
    ChainExecutor().run(work);
    return rgba;
}

bool isHeldByUs(const std::string &path)
{
    bool held = false;
    DIR *folder = ::opendir("/proc/self/fd");
    while (const dirent *entry = ::readdir(folder)) {
        char target[256] = {};
        if (::readlinkat(::dirfd(folder), entry->d_name, target, sizeof target - 1) > 0 && path == target)
            held = true;
    }
    ::closedir(folder);
    return held;
}

void writeFile(const char *path, const char *text)
{
    QFile file(QString::fromLatin1(path));
    QVERIFY2(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered), path);
    QCOMPARE(file.write(text), static_cast<qint64>(std::strlen(text)));
}

} // namespace

#define JETSCOPE_READS(reader) QVERIFY2((reader).error().empty(), (reader).error().c_str())

/// Compares the frames of these options pixel by pixel with the driver's 75 % colour bars.
void compareWithPattern(const std::string &options, std::optional<YuvColour> colour = std::nullopt)
{
    Reader reader(kSmall + options);
    JETSCOPE_READS(reader);
    const ImageLayout &layout = reader.source().info().layout;
    QCOMPARE(layout.width, kWidth);
    QCOMPARE(layout.height, kHeight);
    if (colour)
        QVERIFY2(layout.colour == *colour, std::string(yuvColourName(layout.colour)).c_str());
    QVERIFY(reader.next());
    JETSCOPE_READS(reader);
    const auto rgba = rgbaOf(layout, reader.pixels());
    // White, yellow, cyan, green, magenta, red, blue, black. The driver encodes 75 % of light as 191 of 255.
    constexpr int kBars[8][3] = {{1, 1, 1}, {1, 1, 0}, {0, 1, 1}, {0, 1, 0},
                                 {1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0}};
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            const int *bar = kBars[x / (kWidth / 8)];
            for (int c = 0; c < 3; ++c) {
                const bool grey = layout.format == PixelFormat::Grey8;
                // The driver converts sRGB to grey with the weights of BT.709.
                const double wanted = 191 * (grey ? 0.2126 * bar[0] + 0.7152 * bar[1] + 0.0722 * bar[2] : bar[c]);
                const int got = rgba[static_cast<std::size_t>((y * kWidth + x) * 4 + c)];
                QVERIFY2(std::abs(wanted - got) <= 4,
                         qPrintable(
                             QString("x %1, y %2, channel %3: %4, not %5").arg(x).arg(y).arg(c).arg(got).arg(wanted)));
            }
        }
    }
}

class TestVivid : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void theCameraIsListed();
    void controlsCanBeSet();
    void everyFormatShowsThePattern_data();
    void everyFormatShowsThePattern();
    void everyYuvColourShowsThePattern_data();
    void everyYuvColourShowsThePattern();
    void stampsAreThoseOfTheKernel();
    void wishesThatCannotBeMetAreRefused();

    void droppedBuffersAreGaps_data();
    void droppedBuffersAreGaps();
    void corruptedAndShortFramesAreLeftOut();
    void wrappingNumbersAreNoGap();
    void oddTimestampsAreReplaced();
    void failedStartsAreToldOrTriedAgain_data();
    void failedStartsAreToldOrTriedAgain();
    void faultsWhileStreamingAreSurvived_data();
    void faultsWhileStreamingAreSurvived();
    void tenDisconnectsInARow();
    void unpluggedAndBackAgain();
    void aBusyCameraNamesItsHolder();
    void nothingStaysOpen();
};

void TestVivid::initTestCase()
{
    if (!vivid())
        QSKIP("there is no vivid camera: run this by tests/support/v4l2-guest");
}

void TestVivid::init()
{
    set("Test Pattern", 0);
    set("OSD Text Mode", 2);
    set("Percentage of Dropped Buffers", 0);
    set("Fill Percentage of Frame", 100);
    set("Wrap Sequence Number", 0);
    set("Wrap Timestamp", 0);
    set("Timestamp Source", 0);
    set("Colorspace", 2);
    set("Y'CbCr Encoding", 0);
    set("Quantization", 0);
}

void TestVivid::theCameraIsListed()
{
    const std::optional<CameraInfo> camera = vivid();
    QVERIFY(camera->usable.available);
    QCOMPARE(camera->name, "vivid");
    QVERIFY(camera->bus.rfind("platform:", 0) == 0);
    QStringList readable;
    bool others = false;
    for (const CameraFormat &format : camera->formats) {
        if (!format.readable.available) {
            others = true;
            continue;
        }
        readable << QString::fromStdString(format.name);
        QVERIFY2(format.sizes.size() >= 3, format.name.c_str());
        for (const CameraSize &size : format.sizes)
            QVERIFY(!size.rates.empty() && size.rates.front() >= size.rates.back() && size.rates.back() > 0);
    }
    readable.sort();
    QCOMPARE(readable, (QStringList{"BGR", "GREY", "NV12", "RGB", "UYVY", "YU12", "YU16", "YUYV"}));
    QVERIFY(others);
}

void TestVivid::controlsCanBeSet()
{
    const std::string path = vivid()->path;
    const auto valueOf = [&](const std::string &name) -> std::int64_t {
        const auto all = readCameraControls(path);
        for (const CameraControl &control : all.value())
            if (control.name == name)
                return control.value;
        return -1;
    };
    set("Brightness", 77);
    QCOMPARE(valueOf("Brightness"), 77);
    set("Brightness", 128);
    const auto controls = readCameraControls(path).value();
    const auto named = [&](const std::string &name) {
        return *std::find_if(controls.begin(), controls.end(), [&](const CameraControl &c) { return c.name == name; });
    };
    QVERIFY(named("Read-Only Integer 32 Bits").readOnly || named("Read-Only Integer 32 Bits").inactive);
    QCOMPARE(named("Menu").choices.size(), 3u); // One of its four entries is unused.
    QCOMPARE(named("Integer Menu").choices.front().second, std::string("2"));
    QVERIFY(named("Button").kind == CameraControl::Kind::Button);
    QVERIFY(!setCameraControl(path, 0xdeadbeef, 1).ok());
}

void TestVivid::everyFormatShowsThePattern_data()
{
    QTest::addColumn<QString>("options");
    for (const char *io : {"mmap", "userptr"})
        for (const char *format : {"YUYV", "UYVY", "NV12", "YU12", "YU16", "BGR", "RGB", "GREY"})
            if (std::strcmp(io, "mmap") == 0
                || std::strncmp(format, "YU1", 3) != 0) // 160 bytes of chroma are padded to 192.
                QTest::addRow("%s %s", format, io) << QStringLiteral("&format=%1&io=%2").arg(format, io);
}

void TestVivid::everyFormatShowsThePattern()
{
    QFETCH(QString, options);
    compareWithPattern(options.toStdString());
}

void TestVivid::everyYuvColourShowsThePattern_data()
{
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("range");
    QTest::addColumn<int>("colour");
    QTest::newRow("601 full") << 1 << 1 << static_cast<int>(YuvColour::Bt601Full);
    QTest::newRow("601 limited") << 1 << 2 << static_cast<int>(YuvColour::Bt601Limited);
    QTest::newRow("709 full") << 2 << 1 << static_cast<int>(YuvColour::Bt709Full);
    QTest::newRow("709 limited") << 2 << 2 << static_cast<int>(YuvColour::Bt709Limited);
}

void TestVivid::everyYuvColourShowsThePattern()
{
    QFETCH(int, encoding);
    QFETCH(int, range);
    QFETCH(int, colour);
    set("Y'CbCr Encoding", encoding);
    set("Quantization", range);
    compareWithPattern("&format=NV12", static_cast<YuvColour>(colour));
}

void TestVivid::stampsAreThoseOfTheKernel()
{
    set("Timestamp Source", 1); // The start of the exposure. The default, its end, would be in the future.
    Reader reader(kSmall);
    JETSCOPE_READS(reader);
    std::int64_t last = 0;
    for (int i = 0; i < 10; ++i) {
        const auto frame = reader.next();
        JETSCOPE_READS(reader);
        QVERIFY(frame->captureNs > last && frame->captureNs <= nowNs());
        if (i > 1)
            QVERIFY2(nowNs() - frame->captureNs < 500'000'000, "a frame is delivered late");
        last = frame->captureNs;
    }
    QVERIFY2(reader.source().state().remark.empty(), reader.source().state().remark.c_str());
    QVERIFY(reader.source().state().copies.empty()); // Frames were written directly to our memory.
}

void TestVivid::wishesThatCannotBeMetAreRefused()
{
    for (const char *options : {"?size=123x77", "?format=MJPEG", "?format=YU12&size=320x180&io=userptr", "?size=0x0",
                                "?io=dma", "?speed=1"}) {
        Reader reader(options);
        QVERIFY2(!reader.error().empty(), options);
    }
    const auto missing = openSource("v4l2:/dev/video63", Pacing::Real);
    QVERIFY(!missing.ok());
    QVERIFY(missing.error().text.find("does not exist") != std::string::npos);
    const auto noCamera = openSource("v4l2:/dev/null", Pacing::Real);
    QVERIFY(!noCamera.ok());
    QVERIFY(noCamera.error().text.find("not a camera") != std::string::npos);
}

void TestVivid::droppedBuffersAreGaps_data()
{
    QTest::addColumn<QString>("options");
    QTest::newRow("mmap") << "&io=mmap";
    QTest::newRow("userptr") << "&io=userptr";
}

void TestVivid::droppedBuffersAreGaps()
{
    QFETCH(QString, options);
    Reader reader(kSmall + options.toStdString());
    JETSCOPE_READS(reader);
    reader.next();
    set("Percentage of Dropped Buffers", 50);
    // The driver drops random buffers: half of them, so that two or three frames are almost always enough.
    constexpr std::uint64_t kMax = 60;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t taken = 0;
    while (taken < 12 || (taken < kMax && last - first < taken)) {
        const auto frame = reader.next();
        JETSCOPE_READS(reader);
        QVERIFY(taken == 0 || frame->index > last);
        last = frame->index;
        first = taken == 0 ? last : first;
        ++taken;
    }
    QVERIFY2(last - first >= taken, "no frame is missed");
}

void TestVivid::corruptedAndShortFramesAreLeftOut()
{
    Reader reader(kSmallMapped);
    JETSCOPE_READS(reader);
    auto before = reader.next();
    JETSCOPE_READS(reader);
    set("Inject V4L2_BUF_FLAG_ERROR");
    bool gap = false;
    for (int i = 0; i < 10 && !gap; ++i) {
        const auto frame = reader.next();
        JETSCOPE_READS(reader);
        gap = frame->index > before->index + 1;
        before = frame;
    }
    QVERIFY2(gap, "the corrupted frame was delivered");
    // Only half frames: none is delivered until they are complete again.
    set("Fill Percentage of Frame", 50);
    std::thread later([&] {
        ::usleep(600'000); // Half frames during this time, complete ones after it.
        set("Fill Percentage of Frame", 100);
    });
    const auto whole = reader.next();
    later.join();
    JETSCOPE_READS(reader);
    const auto next = reader.next();
    JETSCOPE_READS(reader);
    QVERIFY(next->index > before->index + 3);
    QVERIFY(whole->index < next->index);
}

void TestVivid::wrappingNumbersAreNoGap()
{
    set("Wrap Sequence Number", 1);
    Reader reader(kSmall);
    JETSCOPE_READS(reader);
    std::optional<CapturedFrame> before = reader.next();
    JETSCOPE_READS(reader);
    for (int i = 0; i < 150; ++i) { // The driver starts 128 frames before the wrap.
        const auto frame = reader.next();
        JETSCOPE_READS(reader);
        QVERIFY2(frame->index - before->index < 100, "the wrap was taken for a gap");
        before = frame;
    }
}

void TestVivid::oddTimestampsAreReplaced()
{
    set("Wrap Timestamp", 1); // The driver's clock is about to overflow 64 bits.
    Reader reader(kSmall);
    JETSCOPE_READS(reader);
    const auto frame = reader.next();
    JETSCOPE_READS(reader);
    QVERIFY(std::abs(nowNs() - frame->captureNs) < 1'000'000'000);
    QVERIFY(!reader.source().state().remark.empty());
}

void TestVivid::failedStartsAreToldOrTriedAgain_data()
{
    QTest::addColumn<QString>("fault");
    for (const char *call : {"REQBUFS", "QBUF", "STREAMON"})
        QTest::newRow(call) << QStringLiteral("Inject VIDIOC_%1 Error").arg(call);
}

void TestVivid::failedStartsAreToldOrTriedAgain()
{
    QFETCH(QString, fault);
    Reader reader(kSmallMapped);
    JETSCOPE_READS(reader);
    set(qPrintable(fault));
    reader.next();
    QVERIFY2(reader.error().find("/dev/video") != std::string::npos, reader.error().c_str());
    Reader again(kSmallMapped);
    // The first one is still open but no longer streams.
    JETSCOPE_READS(again);
    QVERIFY(again.next());
}

void TestVivid::faultsWhileStreamingAreSurvived_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("options");
    for (const char *io : {"mmap", "userptr"})
        for (const char *fault : {"Inject VIDIOC_QBUF Error", "Inject Fatal Streaming Error", "Disconnect"})
            QTest::addRow("%s %s", fault, io) << QString(fault) << QStringLiteral("&io=%1").arg(io);
}

void TestVivid::faultsWhileStreamingAreSurvived()
{
    QFETCH(QString, fault);
    QFETCH(QString, options);
    Reader reader(kSmall + options.toStdString());
    JETSCOPE_READS(reader);
    reader.next();
    std::optional<CapturedFrame> before = reader.next();
    JETSCOPE_READS(reader);
    set(qPrintable(fault));
    for (int i = 0; i < 5; ++i) {
        const auto frame = reader.next();
        JETSCOPE_READS(reader);
        QVERIFY(frame->index > before->index);
        before = frame;
    }
    QVERIFY(reader.source().state().trouble.empty());
}

void TestVivid::tenDisconnectsInARow()
{
    Reader reader(kSmall);
    JETSCOPE_READS(reader);
    std::uint64_t last = 0;
    for (int i = 0; i < 10; ++i) {
        for (int k = 0; k < 2; ++k) {
            const auto frame = reader.next();
            JETSCOPE_READS(reader);
            QVERIFY(frame->index > last || (i == 0 && k == 0));
            last = frame->index;
        }
        set("Disconnect");
    }
    QVERIFY(reader.next());
}

void TestVivid::unpluggedAndBackAgain()
{
    Reader reader(kSmall);
    JETSCOPE_READS(reader);
    QVERIFY(reader.next());
    const std::string path = vivid()->path;
    writeFile("/sys/bus/platform/drivers/vivid/unbind", "vivid.0");
    QVERIFY(!vivid());
    std::string trouble;
    std::thread later([&] {
        // Plugged in again once the loss was detected.
        while ((trouble = reader.source().state().trouble).empty())
            std::this_thread::yield();
        writeFile("/sys/bus/platform/drivers/vivid/bind", "vivid.0");
    });
    // Frames filled before may still arrive.
    std::optional<CapturedFrame> frame;
    for (int i = 0; i < 12; ++i) {
        frame = reader.next();
        JETSCOPE_READS(reader);
    }
    later.join();
    QVERIFY2(trouble.find("unplugged") != std::string::npos, trouble.c_str());
    QVERIFY(vivid());
    QVERIFY(reader.source().state().trouble.empty());
}

void TestVivid::aBusyCameraNamesItsHolder()
{
    int started[2];
    QCOMPARE(::pipe(started), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        Reader holder(kSmall);
        const char ok = holder.error().empty() && holder.next() ? 'y' : 'n';
        if (::write(started[1], &ok, 1) == 1)
            ::pause();
        ::_exit(0);
    }
    char ok = 'n';
    QCOMPARE(::read(started[0], &ok, 1), ssize_t{1});
    QCOMPARE(ok, 'y');
    Reader reader(std::string(kSmall) + "&format=NV12"); // The format cannot be changed while it streams.
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    QVERIFY2(reader.error().find("in use by tst_vivid (process " + std::to_string(child) + ")") != std::string::npos,
             reader.error().c_str());
    Reader again(std::string(kSmall) + "&format=NV12");
    JETSCOPE_READS(again);
    QVERIFY(again.next());
}

void TestVivid::nothingStaysOpen()
{
    const std::string path = vivid()->path;
    {
        Reader reader(kSmall);
        QVERIFY(isHeldByUs(path));
    }
    QVERIFY(!isHeldByUs(path));
}

QTEST_GUILESS_MAIN(TestVivid)
#include "tst_vivid.moc"
