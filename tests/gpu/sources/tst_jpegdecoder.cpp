// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/jpegdecoder.h"
#include "tests/gpu/referencefilters.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>
#include <turbojpeg.h>

using namespace jetscope;

namespace {

using Bytes = std::vector<std::byte>;

/// A JPEG picture of soft colours.
Bytes jpegOf(int width, int height, int subsampling)
{
    std::vector<unsigned char> rgb(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            unsigned char *pixel = rgb.data()
                + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
            pixel[0] = static_cast<unsigned char>(255 * x / width);
            pixel[1] = static_cast<unsigned char>(255 * y / height);
            pixel[2] = static_cast<unsigned char>(255 - 255 * x / width);
        }
    tjhandle handle = tjInitCompress();
    unsigned char *out = nullptr;
    unsigned long size = 0;
    if (tjCompress2(handle, rgb.data(), width, 0, height, TJPF_RGB, &out, &size, subsampling, 95, 0) != 0)
        qFatal("%s", tjGetErrorStr2(handle));
    Bytes bytes(reinterpret_cast<std::byte *>(out), reinterpret_cast<std::byte *>(out) + size);
    tjFree(out);
    tjDestroy(handle);
    return bytes;
}

} // namespace

class TestJpegDecoder : public QObject {
    Q_OBJECT

private slots:
    void planesShowThePicture_data()
    {
        QTest::addColumn<int>("subsampling");
        QTest::addColumn<int>("format");
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(64, 48), QSize(65, 48), QSize(63, 47), QSize(1, 1), QSize(17, 3)}) {
            const auto row = [&](const char *name, int subsampling, PixelFormat format) {
                QTest::addRow("%s %dx%d", name, size.width(), size.height())
                    << subsampling << static_cast<int>(format) << size;
            };
            row("4:2:0", TJSAMP_420, size.height() % 2 == 0 ? PixelFormat::Yu12 : PixelFormat::Bgr8);
            row("4:2:2", TJSAMP_422, PixelFormat::Yu16);
            row("4:4:4", TJSAMP_444, PixelFormat::Bgr8);
            row("grey", TJSAMP_GRAY, PixelFormat::Grey8);
        }
    }

    void planesShowThePicture()
    {
        QFETCH(int, subsampling);
        QFETCH(int, format);
        QFETCH(QSize, size);
        const Bytes jpeg = jpegOf(size.width(), size.height(), subsampling);
        auto decoder = std::move(JpegDecoder::create()).value();
        const auto layout = decoder->layoutOf(jpeg.data(), jpeg.size());
        QVERIFY(layout.ok());
        QVERIFY(
            layout.value()
            == makeImageLayout(static_cast<PixelFormat>(format), size.width(), size.height(), YuvColour::Bt601Full));
        Bytes frame(layout.value().bytes + 64, std::byte{0xa5});
        QVERIFY(decoder->decode(jpeg.data(), jpeg.size(), layout.value(), frame.data()).ok());
        for (std::size_t i = layout.value().bytes; i < frame.size(); ++i)
            QCOMPARE(frame[i], std::byte{0xa5}); // No byte was written after the picture.
        const reference::Image shown = reference::convert(layout.value(), frame.data());
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x) {
                const int r = 255 * x / size.width();
                const int g = 255 * y / size.height();
                const int b = 255 - r;
                const int grey = (299 * r + 587 * g + 114 * b) / 1000;
                const int wanted[3] = {subsampling == TJSAMP_GRAY ? grey : r, subsampling == TJSAMP_GRAY ? grey : g,
                                       subsampling == TJSAMP_GRAY ? grey : b};
                for (std::size_t c = 0; c < 3; ++c)
                    // One chroma sample covers pixels of several colours, so the smallest pictures differ much.
                    QVERIFY2(
                        size.width() < 63 || std::abs(shown.at(x, y)[c] - wanted[c]) <= 12,
                        qPrintable(QString("%1,%2: %3 not %4").arg(x).arg(y).arg(shown.at(x, y)[c]).arg(wanted[c])));
            }
    }

    void damagedPicturesAreRefused()
    {
        const Bytes jpeg = jpegOf(160, 120, TJSAMP_422);
        auto decoder = std::move(JpegDecoder::create()).value();
        const ImageLayout layout = decoder->layoutOf(jpeg.data(), jpeg.size()).value();
        Bytes frame(layout.bytes);
        for (std::size_t bytes = 0; bytes + 2 < jpeg.size(); bytes += 37)
            QVERIFY2(!decoder->decode(jpeg.data(), bytes, layout, frame.data()).ok(),
                     qPrintable(QString::number(bytes)));
        QVERIFY(
            !decoder->decode(jpeg.data(), jpeg.size(), makeImageLayout(PixelFormat::Yu16, 80, 60), frame.data()).ok());
        Bytes trailing = jpeg;
        trailing.resize(jpeg.size() + 700); // Zeros after the picture, as cameras write them.
        const Status decoded = decoder->decode(trailing.data(), trailing.size(), layout, frame.data());
        QVERIFY2(decoded.ok(), decoded.ok() ? "" : decoded.error().message().c_str());
    }

    void noBytesBreakIt()
    {
        auto decoder = std::move(JpegDecoder::create()).value();
        const Bytes jpeg = jpegOf(64, 48, TJSAMP_420);
        const ImageLayout layout = decoder->layoutOf(jpeg.data(), jpeg.size()).value();
        std::mt19937 random(1);
        for (int round = 0; round < 3000; ++round) {
            Bytes mutated = jpeg;
            for (unsigned i = 0; i < 1 + random() % 8; ++i)
                mutated[random() % mutated.size()] = static_cast<std::byte>(random());
            const auto found = decoder->layoutOf(mutated.data(), mutated.size());
            Bytes frame(layout.bytes + 64, std::byte{0xa5});
            static_cast<void>(decoder->decode(mutated.data(), mutated.size(), layout, frame.data()).ok());
            QCOMPARE(frame.back(), std::byte{0xa5});
            // The next valid picture is decoded.
            QVERIFY(decoder->decode(jpeg.data(), jpeg.size(), layout, frame.data()).ok());
            QVERIFY(!found.ok() || (found.value().width <= kMaxImageSide && found.value().height <= kMaxImageSide));
        }
    }
};

JETSCOPE_TEST(TestJpegDecoder)
#include "tst_jpegdecoder.moc"
