// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/picture/png.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;

namespace {

RgbaPicture pictureOfSize(int width, int height, unsigned noise)
{
    RgbaPicture picture{width, height, {}};
    std::mt19937 random(static_cast<unsigned>(width * 7 + height));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            for (const int value : {x * 3 + y, y * 5, x * y / 4})
                picture.rgba.push_back(static_cast<std::byte>(static_cast<unsigned>(value) + random() % noise));
            picture.rgba.push_back(std::byte{0xff});
        }
    return picture;
}

} // namespace

class TestPng : public QObject {
    Q_OBJECT

private slots:
    void comesBackAsItWas_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<uint>("noise");
        QTest::newRow("one pixel") << 1 << 1 << 1U;
        QTest::newRow("a row") << 301 << 1 << 1U;
        QTest::newRow("a column") << 1 << 301 << 3U;
        QTest::newRow("smooth") << 640 << 360 << 1U;
        QTest::newRow("noise") << 333 << 77 << 256U;
    }
    void comesBackAsItWas()
    {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(uint, noise);
        const RgbaPicture picture = pictureOfSize(width, height, noise);
        const auto file = pngOf(picture);
        QVERIFY(file.ok());
        const auto read = readPng(file.value(), width, height);
        QVERIFY(read.ok());
        QVERIFY(read.value().rgba == picture.rgba);
    }

    void otherSizesAreRefused()
    {
        const auto file = pngOf(pictureOfSize(20, 10, 1));
        QVERIFY(file.ok());
        for (const auto &[width, height] :
             {std::pair(10, 20), {20, 11}, {19, 10}, {0, 10}, {20, -10}, {1 << 20, 1 << 20}})
            QVERIFY(!readPng(file.value(), width, height).ok());
        QVERIFY(!pngOf({20, 10, {}}).ok());
        QVERIFY(!pngOf({0, 0, {}}).ok());
    }

    /// Each end, and each byte changed: refused, or the same picture (a byte of a checksum of zlib is not looked at by
    /// all, but none may give another picture).
    void brokenFilesAreRefused()
    {
        const RgbaPicture picture = pictureOfSize(20, 10, 50);
        const auto made = pngOf(picture);
        QVERIFY(made.ok());
        const std::vector<std::byte> &file = made.value();
        for (std::size_t size = 0; size < file.size(); ++size)
            QVERIFY2(!readPng(std::span(file).first(size), 20, 10).ok(), qPrintable(QString::number(size)));
        for (std::size_t at = 0; at < file.size(); ++at) {
            std::vector<std::byte> broken = file;
            broken[at] ^= std::byte{0x10};
            const auto read = readPng(broken, 20, 10);
            QVERIFY2(!read.ok() || read.value().rgba == picture.rgba, qPrintable(QString::number(at)));
        }
    }
};

JETSCOPE_TEST(TestPng)
#include "tst_png.moc"
