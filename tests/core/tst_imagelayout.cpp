// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/imagelayout.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <set>

using namespace jetscope;

namespace {

constexpr PixelFormat kFormats[] = {PixelFormat::Rgba8, PixelFormat::Bgr8,  PixelFormat::Nv12,
                                    PixelFormat::Yuyv,  PixelFormat::Grey8, PixelFormat::Rgb8,
                                    PixelFormat::Uyvy,  PixelFormat::Yu12,  PixelFormat::Yu16};

} // namespace

class TestImageLayout : public QObject {
    Q_OBJECT

private slots:
    void planesAreAlignedInsideAndApart()
    {
        for (const PixelFormat format : kFormats)
            for (const int width : {1, 2, 15, 63, 64, 65, 641, 1280, 8192, kMaxImageSide})
                for (const int height : {1, 2, 479, 4320, kMaxImageSide}) {
                    const ImageLayout layout = makeImageLayout(format, width, height);
                    std::size_t end = 0;
                    for (int i = 0; i < layout.planeCount; ++i) {
                        const PlaneLayout &plane = layout.planes[static_cast<std::size_t>(i)];
                        QCOMPARE(plane.offset, end); // No gap, no overlap.
                        QCOMPARE(plane.pitch % kRowAlignment, std::size_t{0});
                        QVERIFY(plane.rowBytes > 0 && plane.rowBytes <= plane.pitch);
                        QVERIFY(plane.pitch - plane.rowBytes < kRowAlignment);
                        end = plane.offset + plane.pitch * static_cast<std::size_t>(plane.rows);
                    }
                    QCOMPARE(layout.bytes, end);
                }
    }

    void pictureBytes_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<qulonglong>("bytes");
        const auto row = [](const char *name, PixelFormat format, int width, int height, qulonglong bytes) {
            QTest::newRow(name) << static_cast<int>(format) << width << height << bytes;
        };
        row("rgba", PixelFormat::Rgba8, 1280, 720, 3'686'400);
        row("bgr", PixelFormat::Bgr8, 641, 479, 921'117);
        row("nv12", PixelFormat::Nv12, 1280, 720, 1'382'400);
        row("nv12 odd", PixelFormat::Nv12, 5, 3, 15 + 6 * 2);
        row("nv12 1x1", PixelFormat::Nv12, 1, 1, 1 + 2);
        row("yuyv odd", PixelFormat::Yuyv, 3, 2, 8 * 2);
        row("yu12", PixelFormat::Yu12, 1280, 720, 1'382'400);
        row("yu12 odd", PixelFormat::Yu12, 5, 3, 15 + 2 * 3 * 2);
        row("yu16 odd", PixelFormat::Yu16, 5, 3, 15 + 2 * 3 * 3);
        row("grey", PixelFormat::Grey8, 8192, 4320, 35'389'440);
    }
    void pictureBytes()
    {
        QFETCH(int, format);
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(qulonglong, bytes);
        QCOMPARE(qulonglong{jetscope::pictureBytes(makeImageLayout(static_cast<PixelFormat>(format), width, height))},
                 bytes);
    }

    void theColourCountsWhereThereIsLuma()
    {
        QVERIFY(!(makeImageLayout(PixelFormat::Nv12, 64, 64)
                  == makeImageLayout(PixelFormat::Nv12, 64, 64, YuvColour::Bt709Full)));
        QVERIFY(makeImageLayout(PixelFormat::Bgr8, 64, 64)
                == makeImageLayout(PixelFormat::Bgr8, 64, 64, YuvColour::Bt709Full));
    }

    void layoutsAreEqualWhenFormatAndSizeAre()
    {
        QVERIFY(makeImageLayout(PixelFormat::Nv12, 64, 64) == makeImageLayout(PixelFormat::Nv12, 64, 64));
        QVERIFY(!(makeImageLayout(PixelFormat::Nv12, 64, 64) == makeImageLayout(PixelFormat::Grey8, 64, 64)));
        // Same size in bytes, different image.
        QVERIFY(!(makeImageLayout(PixelFormat::Grey8, 63, 64) == makeImageLayout(PixelFormat::Grey8, 64, 64)));
        QVERIFY(!(makeImageLayout(PixelFormat::Grey8, 64, 63) == makeImageLayout(PixelFormat::Grey8, 64, 64)));
    }

    void everyFormatHasItsOwnName()
    {
        std::set<std::string_view> names;
        for (const PixelFormat format : kFormats)
            names.insert(pixelFormatName(format));
        QCOMPARE(names.size(), std::size(kFormats));
        QVERIFY(!names.count("?"));
    }
};

JETSCOPE_TEST(TestImageLayout)
#include "tst_imagelayout.moc"
