// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/live/picturescaler.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using namespace jetscope;

namespace {

QImage noise(int width, int height, QRandomGenerator &random)
{
    QImage image(width, height, QImage::Format_RGBX8888);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image.setPixel(x, y, 0xff000000u | random.generate());
    return image;
}

/// Reference in double precision: bilinear between pixel centres when shrinking, nearest pixel when enlarging.
double reference(const QImage &source, const QRectF &target, int x, int y, int (*channel)(QRgb))
{
    const auto exact = [](double at, double start, double scale, int pixels) {
        return std::clamp((at + 0.5 - start) / scale - (scale < 1 ? 0.5 : 0), 0.0, pixels - 1.0);
    };
    const double scaleX = target.width() / source.width();
    const double scaleY = target.height() / source.height();
    const double sx = exact(x, target.left(), scaleX, source.width());
    const double sy = exact(y, target.top(), scaleY, source.height());
    const int x0 = static_cast<int>(sx);
    const int y0 = static_cast<int>(sy);
    const double fx = scaleX < 1 ? sx - x0 : 0;
    const double fy = scaleY < 1 ? sy - y0 : 0;
    const auto at = [&](int px, int py) {
        return static_cast<double>(
            channel(source.pixel(std::min(px, source.width() - 1), std::min(py, source.height() - 1))));
    };
    return (at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx) * (1 - fy)
        + (at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx) * fy;
}

} // namespace

class TestPictureScaler : public QObject {
    Q_OBJECT
private slots:
    void equalsItsDefinition_data();
    void equalsItsDefinition();
    void staysInsideTheRegion();
    void atItsOwnSizeItIsACopy();
    void masksAreHitOrMiss();
    void farAwayTargetsAreHarmless();
};

void TestPictureScaler::equalsItsDefinition_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QRectF>("target");
    QTest::newRow("shrinks") << QSize(128, 72) << QRectF(3.3, 2.7, 100.4, 56.5);
    QTest::newRow("shrinks a lot") << QSize(641, 479) << QRectF(0, 0, 50, 37);
    QTest::newRow("grows") << QSize(20, 10) << QRectF(-30.5, 4.2, 260, 130);
    QTest::newRow("one pixel") << QSize(1, 1) << QRectF(10, 10, 30, 30);
    QTest::newRow("reaches out") << QSize(64, 64) << QRectF(-20, -20, 60, 60);
}

void TestPictureScaler::equalsItsDefinition()
{
    QFETCH(QSize, size);
    QFETCH(QRectF, target);
    QRandomGenerator random(6);
    const QImage source = noise(size.width(), size.height(), random);
    QImage canvas(160, 120, QImage::Format_RGB32);
    canvas.fill(Qt::black);
    PictureScaler scaler;
    scaler.draw(canvas, source, target, canvas.rect());
    for (int y = 0; y < canvas.height(); ++y)
        for (int x = 0; x < canvas.width(); ++x) {
            const QRgb pixel = canvas.pixel(x, y);
            if (!target.contains(QPointF(x + 0.5, y + 0.5))) {
                QCOMPARE(pixel, 0xff000000u);
                continue;
            }
            // Two truncations of 8-bit weights.
            QVERIFY(std::abs(qRed(pixel) - reference(source, target, x, y, qRed)) <= 4);
            QVERIFY(std::abs(qGreen(pixel) - reference(source, target, x, y, qGreen)) <= 4);
            QVERIFY(std::abs(qBlue(pixel) - reference(source, target, x, y, qBlue)) <= 4);
        }
}

void TestPictureScaler::staysInsideTheRegion()
{
    QRandomGenerator random(7);
    const QImage source = noise(50, 40, random);
    PictureScaler scaler;
    for (int round = 0; round < 200; ++round) {
        QImage canvas(90, 70, QImage::Format_RGB32);
        canvas.fill(0xff123456u);
        const QRect region(random.bounded(-20, 100), random.bounded(-20, 80), random.bounded(0, 120),
                           random.bounded(0, 100));
        const QRectF target(random.bounded(-60, 80), random.bounded(-60, 60), random.bounded(1, 200),
                            random.bounded(1, 200));
        scaler.draw(canvas, source, target, region);
        for (int y = 0; y < canvas.height(); ++y)
            for (int x = 0; x < canvas.width(); ++x)
                if (!region.contains(x, y))
                    QCOMPARE(canvas.pixel(x, y), 0xff123456u);
    }
}

void TestPictureScaler::atItsOwnSizeItIsACopy()
{
    QRandomGenerator random(8);
    const QImage source = noise(33, 21, random);
    QImage canvas(33, 21, QImage::Format_RGB32);
    PictureScaler().draw(canvas, source, QRectF(0, 0, 33, 21), canvas.rect());
    QCOMPARE(canvas, source.convertToFormat(QImage::Format_RGB32));
}

void TestPictureScaler::masksAreHitOrMiss()
{
    const std::uint8_t mask[] = {0, 255, 0, 0, 0, 1};
    QImage canvas(6, 4, QImage::Format_RGB32);
    canvas.fill(Qt::black);
    PictureScaler().drawMask(canvas, mask, QSize(3, 2), QRectF(0, 0, 6, 4), QRect(0, 0, 6, 4), 0xffffb000u);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 6; ++x)
            QCOMPARE(canvas.pixel(x, y), mask[y / 2 * 3 + x / 2] ? 0xffffb000u : 0xff000000u);
}

void TestPictureScaler::farAwayTargetsAreHarmless()
{
    QImage canvas(30, 20, QImage::Format_RGB32);
    canvas.fill(Qt::black);
    QRandomGenerator random(9);
    const QImage source = noise(8, 8, random);
    const std::uint8_t mask[64] = {};
    PictureScaler scaler;
    for (const QRectF &target :
         {QRectF(1e9, 1e9, 10, 10), QRectF(-1e9, 0, 10, 10), QRectF(-1e7, -1e7, 2e7, 2e7), QRectF(0, 0, 0.1, 0.1)}) {
        scaler.draw(canvas, source, target, canvas.rect());
        scaler.drawMask(canvas, mask, QSize(8, 8), target, canvas.rect(), 0xffffffffu);
    }
    scaler.draw(canvas, QImage(), QRectF(0, 0, 30, 20), canvas.rect());
    QCOMPARE(canvas.size(), QSize(30, 20));
}

JETSCOPE_TEST(TestPictureScaler)
#include "tst_picturescaler.moc"
