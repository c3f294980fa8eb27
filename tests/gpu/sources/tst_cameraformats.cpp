// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Every format that a camera may deliver, through the whole pipeline and compared pixel by pixel with the reference
// conversion. The reference reads the driver's buffer according to the kernel's documentation and shares no code with
// the source.
#include "tests/support/fakecamera.h"
#include "tests/support/pipelinefixture.h"

#include "gpu/sources/v4l2/camerasource.h"
#include "gpu/sources/v4l2/formattable.h"
#include "tests/support/testprogram.h"

#include <atomic>
#include <turbojpeg.h>

using namespace jetscope;
using testing::FakeCamera;
using Bytes = std::vector<std::byte>;

namespace {

constexpr int kWidth = 96;
constexpr int kHeight = 50; // Not a multiple of any loop's step.

/// A driver's layout of a picture: the first plane's rows are `pitch` apart, those of planar chroma half as far, planes
/// without gaps between them.
ImageLayout documentedLayout(PixelFormat format, std::size_t pitch)
{
    ImageLayout layout;
    layout.format = format;
    layout.width = kWidth;
    layout.height = kHeight;
    const auto add = [&](std::size_t planePitch, int rows) {
        PlaneLayout &plane = layout.planes[static_cast<std::size_t>(layout.planeCount++)];
        plane.offset = layout.bytes;
        plane.pitch = planePitch;
        plane.rows = rows;
        layout.bytes += planePitch * static_cast<std::size_t>(rows);
    };
    add(pitch, kHeight);
    if (format == PixelFormat::Nv12)
        add(pitch, kHeight / 2);
    if (format == PixelFormat::Yu12 || format == PixelFormat::Yu16)
        for (int i = 0; i < 2; ++i)
            add(pitch / 2, format == PixelFormat::Yu12 ? kHeight / 2 : kHeight);
    return layout;
}

std::size_t bytesOfPixel(PixelFormat format)
{
    switch (format) {
    case PixelFormat::Yuyv:
    case PixelFormat::Uyvy:
        return 2;
    case PixelFormat::Bgr8:
    case PixelFormat::Rgb8:
        return 3;
    default:
        return 1;
    }
}

/// Bytes that differ between neighbouring positions of a buffer.
Bytes chart(std::size_t bytes)
{
    Bytes out(bytes);
    std::uint32_t random = 7;
    for (std::byte &byte : out)
        byte = static_cast<std::byte>((random = random * 1664525 + 1013904223) >> 24);
    return out;
}

/// A chart of colours encoded by turbojpeg, and the planes that it decodes to.
struct Jpeg {
    Bytes coded;
    ImageLayout layout;
    Bytes planes;
};

/// `timesHigh` makes another size, of which only the coded bytes are.
Jpeg jpegOf(int subsampling, PixelFormat format, int timesHigh = 1)
{
    Bytes rgb(static_cast<std::size_t>(kWidth) * kHeight * 3 * static_cast<std::size_t>(timesHigh));
    for (std::size_t i = 0; i < rgb.size(); ++i)
        rgb[i] = static_cast<std::byte>(
            128 + 100 * std::sin(static_cast<double>(i / 3 % kWidth) / 9 + static_cast<double>(i % 3)));
    const std::unique_ptr<void, int (*)(void *)> encoder(tjInitCompress(), tjDestroy);
    const std::unique_ptr<void, int (*)(void *)> decoder(tjInitDecompress(), tjDestroy);
    unsigned char *out = nullptr;
    unsigned long size = 0;
    if (tjCompress2(encoder.get(), reinterpret_cast<unsigned char *>(rgb.data()), kWidth, 0, kHeight * timesHigh,
                    TJPF_RGB, &out, &size, subsampling, 90, 0)
        != 0)
        qFatal("%s", tjGetErrorStr2(encoder.get()));
    Jpeg jpeg;
    jpeg.coded.assign(reinterpret_cast<std::byte *>(out), reinterpret_cast<std::byte *>(out) + size);
    if (timesHigh > 1) {
        tjFree(out);
        return jpeg;
    }
    jpeg.layout = documentedLayout(format, kWidth);
    jpeg.layout.colour = YuvColour::Bt601Full; // As defined by JFIF.
    jpeg.planes.resize(jpeg.layout.bytes);
    unsigned char *planes[3] = {};
    int pitches[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        planes[i] = reinterpret_cast<unsigned char *>(jpeg.planes.data()) + jpeg.layout.planes[i].offset;
        pitches[i] = static_cast<int>(jpeg.layout.planes[i].pitch);
    }
    if (tjDecompressToYUVPlanes(decoder.get(), out, size, planes, kWidth, pitches, kHeight, 0) != 0)
        qFatal("%s", tjGetErrorStr2(decoder.get()));
    tjFree(out);
    return jpeg;
}

} // namespace

class TestCameraFormats : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::representativeDevices()); }
    void everyFormatIsShownAsTheReferenceHasIt_data();
    void everyFormatIsShownAsTheReferenceHasIt();
    void jpegIsShownAsTheReferenceHasIt_data();
    void jpegIsShownAsTheReferenceHasIt();
    void jpegOfAnotherSizeIsTold();

private:
    static void compare(FakeCamera &camera, const QString &uri, const reference::Image &wanted);
};

/// Sends frames of the camera through the pipeline.
void TestCameraFormats::compare(FakeCamera &camera, const QString &uri, const reference::Image &wanted)
{
    QFETCH_GLOBAL(QString, device);
    Result<std::unique_ptr<FrameSource>> source = openCamera(camera, parseSourceUri(uri.toStdString()).value());
    JETSCOPE_VERIFY(source);
    testing::OutputLog log;
    log.keepPixels();
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = device.toStdString();
    setup.source = std::move(source).value();
    setup.config.filters = {};
    setup.frameLimit = 6;
    setup.outputTap = log.tap();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const QString failure = testing::noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Failed);
    pipeline.value().reset();
    QCOMPARE(failure, QString());
    QCOMPARE(log.numbers().size(), std::size_t{6});
    const auto bytes = reference::bytesOf(wanted);
    for (const auto &[number, pixels] : log.pixels())
        for (std::size_t i = 0; i < bytes.size(); ++i)
            if (pixels[i] != bytes[i])
                QFAIL(qPrintable(QString("frame %1, x %2, y %3, channel %4: %5, not %6")
                                     .arg(number)
                                     .arg(i / 4 % kWidth)
                                     .arg(i / 4 / kWidth)
                                     .arg(i % 4)
                                     .arg(std::to_integer<int>(pixels[i]))
                                     .arg(std::to_integer<int>(bytes[i]))));
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
}

void TestCameraFormats::everyFormatIsShownAsTheReferenceHasIt_data()
{
    QTest::addColumn<quint32>("fourcc");
    QTest::addColumn<int>("padding");
    QTest::addColumn<quint32>("colourspace");
    QTest::addColumn<int>("colour");
    for (const ReadableFormat &format : readableFormats()) {
        if (format.compressed)
            continue;
        const auto row = [&](const char *what, int padding, std::uint32_t colourspace, YuvColour colour) {
            QTest::addRow("%s, %s", std::string(format.name).c_str(), what)
                << quint32{format.fourcc} << padding << quint32{colourspace} << static_cast<int>(colour);
        };
        row("rows close together", 0, V4L2_COLORSPACE_SMPTE170M, YuvColour::Bt601Limited);
        row("rows apart", 32, V4L2_COLORSPACE_SMPTE170M, YuvColour::Bt601Limited);
        row("BT.709", 0, V4L2_COLORSPACE_REC709, YuvColour::Bt709Limited);
        row("JPEG's colours", 32, V4L2_COLORSPACE_JPEG, YuvColour::Bt601Full);
    }
}

void TestCameraFormats::everyFormatIsShownAsTheReferenceHasIt()
{
    QFETCH(quint32, fourcc);
    QFETCH(int, padding);
    QFETCH(quint32, colourspace);
    QFETCH(int, colour);
    const PixelFormat format = formatOf(fourcc)->pixels;
    const std::size_t pitch = kWidth * bytesOfPixel(format) + static_cast<std::size_t>(padding);
    ImageLayout layout = documentedLayout(format, pitch);
    layout.colour = static_cast<YuvColour>(colour);
    const Bytes picture = chart(layout.bytes);
    FakeCamera camera;
    camera.fourccs = {fourcc};
    camera.width = kWidth;
    camera.height = kHeight;
    camera.pitch = static_cast<std::uint32_t>(pitch);
    camera.imageBytes = layout.bytes;
    camera.colourspace = colourspace;
    camera.period = 1;
    camera.fill = [&](std::byte *into, std::size_t size) {
        std::memcpy(into, picture.data(), picture.size());
        return size;
    };
    compare(camera, "v4l2:?size=96x50", reference::convert(layout, picture.data()));
}

void TestCameraFormats::jpegIsShownAsTheReferenceHasIt_data()
{
    QTest::addColumn<quint32>("fourcc");
    QTest::addColumn<int>("subsampling");
    QTest::addColumn<int>("format");
    QTest::newRow("MJPEG 4:2:2") << quint32{V4L2_PIX_FMT_MJPEG} << static_cast<int>(TJSAMP_422)
                                 << static_cast<int>(PixelFormat::Yu16);
    QTest::newRow("MJPEG 4:2:0") << quint32{V4L2_PIX_FMT_MJPEG} << static_cast<int>(TJSAMP_420)
                                 << static_cast<int>(PixelFormat::Yu12);
    QTest::newRow("JPEG 4:2:0") << quint32{V4L2_PIX_FMT_JPEG} << static_cast<int>(TJSAMP_420)
                                << static_cast<int>(PixelFormat::Yu12);
}

void TestCameraFormats::jpegIsShownAsTheReferenceHasIt()
{
    QFETCH(quint32, fourcc);
    QFETCH(int, subsampling);
    QFETCH(int, format);
    const Jpeg jpeg = jpegOf(subsampling, static_cast<PixelFormat>(format));
    FakeCamera camera;
    camera.fourccs = {fourcc};
    camera.width = kWidth;
    camera.height = kHeight;
    camera.pitch = 0;
    camera.imageBytes = 60'000;
    camera.period = 1;
    camera.fill = [&](std::byte *into, std::size_t) {
        // Every third frame is torn and must not be shown.
        const std::size_t size = camera.delivered % 3 == 2 ? jpeg.coded.size() / 2 : jpeg.coded.size();
        std::memcpy(into, jpeg.coded.data(), size);
        return size;
    };
    compare(camera, "v4l2:?size=96x50", reference::convert(jpeg.layout, jpeg.planes.data()));
}

/// Frames have one size while a source is open, so a camera that changes it is in trouble until it changes back.
void TestCameraFormats::jpegOfAnotherSizeIsTold()
{
    const Jpeg jpeg = jpegOf(TJSAMP_422, PixelFormat::Yu16);
    const Jpeg other = jpegOf(TJSAMP_422, PixelFormat::Yu16, 2);
    std::atomic<bool> changed{false};
    FakeCamera camera;
    camera.fourccs = {V4L2_PIX_FMT_MJPEG};
    camera.width = kWidth;
    camera.height = kHeight;
    camera.pitch = 0;
    camera.imageBytes = 60'000;
    camera.fill = [&](std::byte *into, std::size_t) {
        const Bytes &coded = changed ? other.coded : jpeg.coded;
        std::memcpy(into, coded.data(), coded.size());
        changed = changed && camera.delivered < 20;
        return coded.size();
    };
    Result<std::unique_ptr<FrameSource>> source = openCamera(camera, parseSourceUri("v4l2:?size=96x50").value());
    JETSCOPE_VERIFY(source);
    Bytes frame(source.value()->info().layout.bytes);
    QVERIFY(source.value()->read(frame.data()).ok());
    QVERIFY(source.value()->state().trouble.empty());
    changed = true;
    QString trouble;
    camera.tamper = [&](v4l2_buffer &) {
        trouble = std::max(trouble, QString::fromStdString(source.value()->state().trouble));
    };
    const auto back = source.value()->read(frame.data());
    QVERIFY(back.ok() && back.value());
    QVERIFY2(trouble.contains("its pictures have 96×100 pixels now"), qPrintable(trouble));
    QVERIFY(source.value()->state().trouble.empty());
    QVERIFY(source.value()->state().faults.damaged > 10);
}

JETSCOPE_TEST(TestCameraFormats)
#include "tst_cameraformats.moc"
