// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What a driver says of a stream is applied or told: order of fields, colours, sizes that change, frames that are torn,
// repeated or never good.
#include "core/time/clock.h"
#include "gpu/sources/v4l2/camerasource.h"
#include "gpu/sources/v4l2/formattable.h"
#include "tests/support/fakecamera.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

using namespace jetscope;
using testing::FakeCamera;
using Bytes = std::vector<std::byte>;

namespace {

constexpr int kFieldsWidth = 96;
constexpr int kFieldsHeight = 48;

std::unique_ptr<FrameSource> openFields(FakeCamera &camera, const char *uri = "v4l2:?io=mmap")
{
    Result<std::unique_ptr<FrameSource>> source = openCamera(camera, parseSourceUri(uri).value());
    if (!source.ok())
        qFatal("%s", source.error().message().c_str());
    return std::move(source).value();
}

/// The row of a picture that a driver writes to a row of its buffer, by the kernel's documentation of field orders.
int pictureRow(std::uint32_t field, int row, int rows, int parity)
{
    switch (field) {
    case V4L2_FIELD_SEQ_TB:
        return row < rows / 2 ? 2 * row : 2 * (row - rows / 2) + 1;
    case V4L2_FIELD_SEQ_BT:
        return row < rows / 2 ? 2 * row + 1 : 2 * (row - rows / 2);
    case V4L2_FIELD_ALTERNATE:
        return 2 * row + parity;
    default:
        return row;
    }
}

/// A picture with rows that all differ, and the camera that delivers it in a format and an order of fields.
struct FieldScene {
    FakeCamera camera;
    ImageLayout layout;
    Bytes picture;

    FieldScene(std::uint32_t fourcc, std::uint32_t field)
        : layout(makeImageLayout(formatOf(fourcc)->pixels, kFieldsWidth, kFieldsHeight))
    {
        std::uint32_t random = 7;
        picture.resize(layout.bytes);
        for (std::byte &byte : picture)
            byte = static_cast<std::byte>((random = random * 1664525 + 1013904223) >> 24);
        const bool alternates = field == V4L2_FIELD_ALTERNATE;
        const int share = alternates ? 2 : 1;
        camera.fourccs = {fourcc};
        camera.field = field;
        camera.width = kFieldsWidth;
        camera.height = kFieldsHeight / share;
        camera.pitch = static_cast<std::uint32_t>(layout.planes[0].rowBytes);
        for (int i = 0; i < layout.planeCount; ++i) {
            const PlaneLayout &plane = layout.planes[static_cast<std::size_t>(i)];
            camera.imageBytes += plane.rowBytes * static_cast<std::size_t>(plane.rows / share);
        }
        camera.fill = [this, field, share](std::byte *into, std::size_t size) {
            const int parity = static_cast<int>(camera.sequence % 2);
            for (int i = 0; i < layout.planeCount; ++i) {
                const PlaneLayout &plane = layout.planes[static_cast<std::size_t>(i)];
                for (int y = 0; y < plane.rows / share; ++y, into += plane.rowBytes) {
                    const int from = pictureRow(field, y, plane.rows, parity);
                    std::memcpy(into, picture.data() + plane.offset + static_cast<std::size_t>(from) * plane.pitch,
                                plane.rowBytes);
                }
            }
            return size;
        };
        camera.tamper = [field](v4l2_buffer &buffer) {
            buffer.field = field;
            if (field == V4L2_FIELD_ALTERNATE)
                buffer.field = buffer.sequence % 2 == 0 ? V4L2_FIELD_TOP : V4L2_FIELD_BOTTOM;
        };
    }

    bool shows(const Bytes &frame) const
    {
        for (int i = 0; i < layout.planeCount; ++i) {
            const PlaneLayout &plane = layout.planes[static_cast<std::size_t>(i)];
            for (int y = 0; y < plane.rows; ++y) {
                const std::size_t at = plane.offset + static_cast<std::size_t>(y) * plane.pitch;
                if (std::memcmp(frame.data() + at, picture.data() + at, plane.rowBytes) != 0)
                    return false;
            }
        }
        return true;
    }
};

/// Reads in a thread of its own until it is cancelled.
class ReadingThread {
public:
    explicit ReadingThread(FrameSource &source)
        : m_source(source), m_thread([this] {
              Bytes frame(m_source.info().layout.bytes);
              for (;;) {
                  const auto read = m_source.read(frame.data());
                  if (!read.ok() || !read.value())
                      break;
                  ++m_frames;
              }
              m_ended = true;
          })
    {
    }
    ~ReadingThread()
    {
        m_source.cancel();
        m_thread.join();
    }
    int frames() const { return m_frames; }
    bool ended() const { return m_ended; }

private:
    FrameSource &m_source;
    std::atomic<int> m_frames{0};
    std::atomic<bool> m_ended{false};
    std::thread m_thread; // Last: it uses the others.
};

} // namespace

class TestCameraFields : public QObject {
    Q_OBJECT

private slots:
    void everyOrderOfFieldsIsShownInEveryFormat_data();
    void everyOrderOfFieldsIsShownInEveryFormat();
    void aDriverThatWeavesIsAskedTo();
    void unknownOrdersAreRefused();
    void aLostFieldCostsItsFrameOnly_data();
    void aLostFieldCostsItsFrameOnly();
    void coloursAreAppliedOrTold_data();
    void coloursAreAppliedOrTold();
    void shortFramesAreTorn();
    void repeatedFramesAreCounted();
    void driversThatDoNotCountRepeatNothing();
    void aCameraWithoutGoodFramesIsInTrouble_data();
    void aCameraWithoutGoodFramesIsInTrouble();
    void aChangedSignalOpensTheCameraAgain();
    void gapsBeginAtTheLastGoodFrame();
    void theRateIsMeasured();
};

void TestCameraFields::everyOrderOfFieldsIsShownInEveryFormat_data()
{
    QTest::addColumn<quint32>("fourcc");
    QTest::addColumn<quint32>("field");
    QTest::addColumn<QString>("order");
    const struct {
        std::uint32_t field;
        const char *name;
        const char *order;
    } fields[] = {{V4L2_FIELD_ANY, "any", ""},
                  {V4L2_FIELD_NONE, "none", "progressive"},
                  {V4L2_FIELD_TOP, "top", "top fields alone: half of the rows"},
                  {V4L2_FIELD_BOTTOM, "bottom", "bottom fields alone: half of the rows"},
                  {V4L2_FIELD_INTERLACED, "interlaced", "interlaced"},
                  {V4L2_FIELD_INTERLACED_TB, "interlaced tb", "top field first"},
                  {V4L2_FIELD_INTERLACED_BT, "interlaced bt", "bottom field first"},
                  {V4L2_FIELD_SEQ_TB, "seq tb", "top field first, woven from two half pictures"},
                  {V4L2_FIELD_SEQ_BT, "seq bt", "bottom field first, woven from two half pictures"},
                  {V4L2_FIELD_ALTERNATE, "alternate", "alternating fields, woven in pairs"}};
    for (const ReadableFormat &format : readableFormats())
        for (const auto &field : fields)
            if (!format.compressed)
                QTest::addRow("%s %s", std::string(format.name).c_str(), field.name)
                    << quint32{format.fourcc} << quint32{field.field} << QString(field.order);
}

void TestCameraFields::everyOrderOfFieldsIsShownInEveryFormat()
{
    QFETCH(quint32, fourcc);
    QFETCH(quint32, field);
    QFETCH(QString, order);
    FieldScene scene(fourcc, field);
    // Whole pictures may be filled by the driver itself; both ways show the same.
    const auto source = openFields(scene.camera, "v4l2:?io=mmap&size=96x48");
    QCOMPARE(source->info().layout, scene.layout);
    QCOMPARE(QString::fromStdString(source->state().facts.fieldOrder), order);
    Bytes frame(scene.layout.bytes);
    for (std::uint64_t i = 0; i < 4; ++i) {
        std::fill(frame.begin(), frame.end(), std::byte{0});
        const auto read = source->read(frame.data());
        QVERIFY2(read.ok() && read.value(), read.ok() ? "" : read.error().message().c_str());
        QCOMPARE(read.value()->index, i);
        QVERIFY(scene.shows(frame));
    }
    QCOMPARE(source->state().faults, SourceFaults());
    const bool woven = field == V4L2_FIELD_SEQ_TB || field == V4L2_FIELD_SEQ_BT || field == V4L2_FIELD_ALTERNATE;
    FieldScene other(fourcc, field);
    const Result<std::unique_ptr<FrameSource>> user =
        openCamera(other.camera, parseSourceUri("v4l2:?io=userptr&size=96x48").value());
    QVERIFY(!woven || (!user.ok() && user.error().text.find("half pictures") != std::string::npos));
    QVERIFY2(scene.camera.broken.empty(), scene.camera.broken.c_str());
}

void TestCameraFields::aDriverThatWeavesIsAskedTo()
{
    FieldScene scene(V4L2_PIX_FMT_YUYV, V4L2_FIELD_ALTERNATE);
    scene.camera.weaves = true;
    const auto source = openFields(scene.camera);
    QCOMPARE(source->state().facts.fieldOrder, std::string("interlaced"));
    QCOMPARE(source->info().layout.height, kFieldsHeight);
}

void TestCameraFields::unknownOrdersAreRefused()
{
    FieldScene scene(V4L2_PIX_FMT_YUYV, 77);
    const auto opened = openCamera(scene.camera, parseSourceUri("v4l2:?io=mmap").value());
    QVERIFY(!opened.ok());
    QVERIFY2(opened.error().text.find("fields") != std::string::npos, opened.error().text.c_str());
}

void TestCameraFields::aLostFieldCostsItsFrameOnly_data()
{
    QTest::addColumn<bool>("numbersFrames");
    QTest::addColumn<int>("lost");
    QTest::newRow("fields are numbered, a bottom field") << false << 3;
    QTest::newRow("fields are numbered, a top field") << false << 4;
    QTest::newRow("frames are numbered, a bottom field") << true << 3;
    QTest::newRow("frames are numbered, a top field") << true << 4;
}

void TestCameraFields::aLostFieldCostsItsFrameOnly()
{
    QFETCH(bool, numbersFrames);
    QFETCH(int, lost);
    FieldScene scene(V4L2_PIX_FMT_YUYV, V4L2_FIELD_ALTERNATE);
    const auto written = scene.camera.fill;
    scene.camera.fill = [&](std::byte *into, std::size_t size) {
        if (scene.camera.sequence == static_cast<std::uint32_t>(lost))
            ++scene.camera.sequence; // The driver had no buffer for it.
        return written(into, size);
    };
    scene.camera.tamper = [&](v4l2_buffer &buffer) {
        buffer.field = buffer.sequence % 2 == 0 ? V4L2_FIELD_TOP : V4L2_FIELD_BOTTOM;
        if (numbersFrames)
            buffer.sequence /= 2;
    };
    const auto source = openFields(scene.camera);
    Bytes frame(scene.layout.bytes);
    for (int i = 0; i < 6; ++i) {
        const auto read = source->read(frame.data());
        QVERIFY(read.ok() && read.value());
        QVERIFY2(scene.shows(frame), qPrintable(QString("frame %1").arg(i)));
    }
    QCOMPARE(source->state().faults.torn, std::uint64_t{1});
    QVERIFY(source->state().trouble.empty());
}

void TestCameraFields::coloursAreAppliedOrTold_data()
{
    QTest::addColumn<quint32>("space");
    QTest::addColumn<quint32>("encoding");
    QTest::addColumn<quint32>("quantization");
    QTest::addColumn<int>("colour");
    QTest::addColumn<QString>("said");
    QTest::addColumn<bool>("remark");
    const auto row = [](const char *name, std::uint32_t space, std::uint32_t encoding, std::uint32_t quantization,
                        YuvColour colour, const char *said, bool remark = false) {
        QTest::newRow(name) << quint32{space} << quint32{encoding} << quint32{quantization} << static_cast<int>(colour)
                            << QString(said) << remark;
    };
    using enum YuvColour;
    row("nothing", 0, 0, 0, Bt601Limited, "BT.601, limited range (assumed: the stream does not say)");
    row("TV", V4L2_COLORSPACE_SMPTE170M, 0, 0, Bt601Limited, "BT.601, limited range");
    row("HDTV", V4L2_COLORSPACE_REC709, 0, 0, Bt709Limited, "BT.709, limited range");
    row("sRGB", V4L2_COLORSPACE_SRGB, 0, 0, Bt601Limited, "BT.601, limited range");
    row("JPEG", V4L2_COLORSPACE_JPEG, 0, 0, Bt601Full, "BT.601, full range");
    row("sRGB, full", V4L2_COLORSPACE_SRGB, 0, V4L2_QUANTIZATION_FULL_RANGE, Bt601Full, "BT.601, full range");
    row("JPEG, limited", V4L2_COLORSPACE_JPEG, 0, V4L2_QUANTIZATION_LIM_RANGE, Bt601Limited, "BT.601, limited range");
    row("601 in HDTV", V4L2_COLORSPACE_REC709, V4L2_YCBCR_ENC_601, 0, Bt601Limited, "BT.601, limited range");
    row("709 in TV, full", V4L2_COLORSPACE_SMPTE170M, V4L2_YCBCR_ENC_709, V4L2_QUANTIZATION_FULL_RANGE, Bt709Full,
        "BT.709, full range");
    row("xvYCC 601", V4L2_COLORSPACE_REC709, V4L2_YCBCR_ENC_XV601, 0, Bt601Limited, "BT.601, limited range");
    row("xvYCC 709", V4L2_COLORSPACE_REC709, V4L2_YCBCR_ENC_XV709, 0, Bt709Limited, "BT.709, limited range");
    row("BT.2020", V4L2_COLORSPACE_BT2020, 0, 0, Bt709Limited, "BT.2020, limited range", true);
    row("SMPTE 240M", V4L2_COLORSPACE_SMPTE240M, 0, 0, Bt709Limited, "SMPTE 240M, limited range", true);
}

void TestCameraFields::coloursAreAppliedOrTold()
{
    QFETCH(quint32, space);
    QFETCH(quint32, encoding);
    QFETCH(quint32, quantization);
    QFETCH(int, colour);
    QFETCH(QString, said);
    QFETCH(bool, remark);
    FakeCamera camera;
    camera.colourspace = space;
    camera.encoding = encoding;
    camera.quantization = quantization;
    const auto source = openFields(camera);
    QCOMPARE(static_cast<int>(source->info().layout.colour), colour);
    Bytes frame(source->info().layout.bytes);
    QVERIFY(source->read(frame.data()).ok());
    const SourceState state = source->state();
    QCOMPARE(!state.remark.empty(), remark);
    QString color;
    for (const StreamFactRow &row : streamFactRows(state.facts))
        if (row.key == "color")
            color = QString::fromStdString(row.text);
    QCOMPARE(color, said);
}

void TestCameraFields::shortFramesAreTorn()
{
    FakeCamera camera;
    const auto fill = camera.fill;
    camera.fill = [&](std::byte *into, std::size_t size) {
        return fill(into, size) / (camera.sequence % 3 == 1 ? 2 : 1);
    };
    const auto source = openFields(camera);
    Bytes frame(source->info().layout.bytes);
    for (int i = 0; i < 6; ++i)
        QVERIFY(source->read(frame.data()).ok());
    const SourceFaults faults = source->state().faults;
    QCOMPARE(faults.torn, std::uint64_t{3});
    QCOMPARE(faults.damaged, std::uint64_t{0});
    QCOMPARE(faults.missed, std::uint64_t{0});
}

void TestCameraFields::repeatedFramesAreCounted()
{
    FakeCamera camera;
    timeval before{};
    camera.tamper = [&](v4l2_buffer &buffer) {
        if (buffer.sequence == 4)
            buffer.sequence = 3;
        if (buffer.sequence == 7)
            buffer.timestamp = before;
        before = buffer.timestamp;
    };
    const auto source = openFields(camera);
    Bytes frame(source->info().layout.bytes);
    for (int i = 0; i < 10; ++i) {
        QTest::qWait(1); // Stamps are in microseconds.
        QVERIFY(source->read(frame.data()).ok());
    }
    QCOMPARE(source->state().faults.repeated, std::uint64_t{2});
}

void TestCameraFields::driversThatDoNotCountRepeatNothing()
{
    FakeCamera camera;
    camera.sequenceStep = 0;
    const auto source = openFields(camera);
    Bytes frame(source->info().layout.bytes);
    for (int i = 0; i < 10; ++i) {
        QTest::qWait(1);
        QVERIFY(source->read(frame.data()).ok());
    }
    QCOMPARE(source->state().faults.repeated, std::uint64_t{0});
}

void TestCameraFields::aCameraWithoutGoodFramesIsInTrouble_data()
{
    QTest::addColumn<int>("fault");
    QTest::addColumn<QString>("says");
    QTest::newRow("short") << 0 << "shorter than a picture";
    QTest::newRow("marked") << 1 << "marks them as damaged";
    QTest::newRow("empty") << 2 << "leaves them empty";
}

void TestCameraFields::aCameraWithoutGoodFramesIsInTrouble()
{
    QFETCH(int, fault);
    QFETCH(QString, says);
    FakeCamera camera;
    camera.period = 1;
    std::atomic<bool> bad{false};
    camera.tamper = [&](v4l2_buffer &buffer) {
        if (!bad)
            return;
        if (fault == 1)
            buffer.flags |= V4L2_BUF_FLAG_ERROR;
        else
            buffer.bytesused = fault == 0 ? 100 : 0;
    };
    const auto source = openFields(camera);
    const ReadingThread reading(*source);
    QTRY_VERIFY(reading.frames() > 3);
    bad = true;
    QTRY_VERIFY(!source->state().trouble.empty());
    QVERIFY2(source->state().trouble.find(says.toStdString()) != std::string::npos, source->state().trouble.c_str());
    bad = false;
    QTRY_VERIFY(source->state().trouble.empty());
    QVERIFY(!reading.ended());
}

void TestCameraFields::aChangedSignalOpensTheCameraAgain()
{
    FakeCamera camera;
    camera.period = 1;
    const auto source = openFields(camera);
    QVERIFY(camera.watchesSource);
    Bytes frame(source->info().layout.bytes);
    QVERIFY(source->read(frame.data()).ok());
    camera.sourceChanges = 1;
    const auto back = source->read(frame.data()); // The same size again: a gap, and it goes on.
    QVERIFY(back.ok() && back.value());
    QCOMPARE(back.value()->gaps.size(), std::size_t{1});
    QVERIFY2(back.value()->gaps.front().reason.find("signal changed") != std::string::npos,
             back.value()->gaps.front().reason.c_str());
    // Another size cannot go into frames of the former one.
    camera.sourceChanges = 1;
    camera.height = 32;
    const auto other = source->read(frame.data());
    QVERIFY(!other.ok());
    QVERIFY2(other.error().message().find("the nearest it has is 64x32") != std::string::npos,
             other.error().message().c_str());
}

void TestCameraFields::gapsBeginAtTheLastGoodFrame()
{
    FakeCamera camera;
    const auto source = openFields(camera);
    Bytes frame(source->info().layout.bytes);
    const std::int64_t before = nowNs();
    QVERIFY(source->read(frame.data()).ok());
    const std::int64_t good = nowNs();
    // It goes later, after frames that are of no use.
    camera.tamper = [&](v4l2_buffer &buffer) {
        buffer.flags |= V4L2_BUF_FLAG_ERROR;
        camera.present = camera.delivered < 20;
    };
    camera.paused = [&] {
        camera.tamper = nullptr;
        camera.present = true;
    };
    const auto read = source->read(frame.data());
    QVERIFY(read.ok() && read.value());
    QCOMPARE(read.value()->gaps.size(), std::size_t{1});
    const SourceGap gap = read.value()->gaps.front();
    QVERIFY(gap.fromNs >= before && gap.fromNs <= good);
    QVERIFY(gap.untilNs > good);
}

void TestCameraFields::theRateIsMeasured()
{
    FakeCamera camera;
    std::int64_t stamp = nowNs();
    camera.tamper = [&](v4l2_buffer &buffer) {
        stamp += 40'000'000; // In the future of a fast test; each is later than the one before.
        buffer.timestamp.tv_sec = (stamp - 1'000'000'000) / 1'000'000'000;
        buffer.timestamp.tv_usec = (stamp - 1'000'000'000) % 1'000'000'000 / 1000;
    };
    const auto source = openFields(camera);
    Bytes frame(source->info().layout.bytes);
    for (int i = 0; i < 20; ++i)
        QVERIFY(source->read(frame.data()).ok());
    const StreamFacts facts = source->state().facts;
    QVERIFY2(facts.measuredFps > 24.9 && facts.measuredFps < 25.1, qPrintable(QString::number(facts.measuredFps)));
    QCOMPARE(facts.claimedFps, 0.0); // The stand-in does not answer.
}

JETSCOPE_TEST(TestCameraFields)
#include "tst_camerafields.moc"
