// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cpustage/cpuanalysis.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using namespace jetscope;

namespace {

/// A grey picture with padded rows; the padding must not affect any answer.
struct Picture {
    Picture(int pictureWidth, int pictureHeight)
        : width(pictureWidth), height(pictureHeight), pitch(static_cast<std::size_t>(pictureWidth) + 37)
    {
        bytes.assign(pitch * static_cast<std::size_t>(height), 0);
        for (int y = 0; y < height; ++y)
            for (std::size_t x = static_cast<std::size_t>(width); x < pitch; ++x)
                bytes[static_cast<std::size_t>(y) * pitch + x] = x % 2 == 0 ? 255 : 0;
    }

    std::uint8_t &at(int x, int y) { return bytes[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)]; }

    void fill(int left, int top, int right, int bottom, std::uint8_t value)
    {
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x)
                at(x, y) = value;
    }

    CpuAnswer analysed(CpuWork work) const
    {
        return makeCpuAnalysis()->run(work, reinterpret_cast<const std::byte *>(bytes.data()), pitch, width, height);
    }

    int width;
    int height;
    std::size_t pitch;
    std::vector<std::uint8_t> bytes;
};

Picture noise(int width, int height)
{
    Picture picture(width, height);
    std::mt19937 random(7);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            picture.at(x, y) = static_cast<std::uint8_t>(random());
    return picture;
}

} // namespace

class TestCpuAnalysis : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void edgesLieWhereThePictureChanges();
    void contoursOutlineShapes();
    void contoursAreBounded();
    void histogramCountsEveryPixelOnce();
    void everySizeIsAnalysed_data();
    void everySizeIsAnalysed();
    void picturesAreOnlyRead();
};

void TestCpuAnalysis::initTestCase()
{
    const Capability capability = cpuStageCapability();
    QCOMPARE(capability.available, bool(JETSCOPE_HAS_CPU_STAGE));
    if (!capability.available) {
        QVERIFY2(capability.reason.find("-DJETSCOPE_OPENCV=ON") != std::string::npos, capability.reason.c_str());
        QVERIFY(makeCpuAnalysis() == nullptr);
        QSKIP("this build has no CPU stage");
    }
}

void TestCpuAnalysis::edgesLieWhereThePictureChanges()
{
    Picture picture(120, 80);
    picture.fill(40, 20, 80, 60, 255);
    const CpuAnswer answer = picture.analysed(CpuWork::Canny);
    QCOMPARE(answer.work, CpuWork::Canny);
    QCOMPARE(answer.width, 120);
    QCOMPARE(answer.height, 80);
    QCOMPARE(answer.edges.size(), std::size_t(120 * 80));
    for (int y = 0; y < 80; ++y)
        for (int x = 0; x < 120; ++x) {
            const std::uint8_t edge = answer.edges[static_cast<std::size_t>(y * 120 + x)];
            QVERIFY(edge == 0 || edge == 255);
            // At most two pixels from the square's outline.
            const bool outside = x < 38 || x > 81 || y < 18 || y > 61;
            const bool inside = x > 42 && x < 77 && y > 22 && y < 57;
            QVERIFY2(edge == 0 || (!outside && !inside), qPrintable(QStringLiteral("edge at %1, %2").arg(x).arg(y)));
        }
    // A line through the middle crosses the left and the right side.
    const auto row = answer.edges.begin() + 40 * 120;
    QCOMPARE(std::count(row, row + 60, std::uint8_t(255)), 1);
    QCOMPARE(std::count(row + 60, row + 120, std::uint8_t(255)), 1);
}

void TestCpuAnalysis::contoursOutlineShapes()
{
    Picture picture(200, 100);
    picture.fill(10, 10, 60, 50, 200);
    picture.fill(100, 30, 180, 90, 220);
    const CpuAnswer answer = picture.analysed(CpuWork::Contours);
    QCOMPARE(answer.contours.size(), std::size_t(2));
    for (const std::vector<Point> &contour : answer.contours) {
        QCOMPARE(contour.size(), std::size_t(4));
        const bool first = contour[0].x < 80;
        for (const Point point : contour) {
            QVERIFY(point.x == (first ? 10 : 100) || point.x == (first ? 59 : 179));
            QVERIFY(point.y == (first ? 10 : 30) || point.y == (first ? 49 : 89));
        }
    }
}

void TestCpuAnalysis::contoursAreBounded()
{
    // Noise has few contours with many points, a pattern of squares has many with four points each.
    const CpuAnswer noisy = noise(1000, 700).analysed(CpuWork::Contours);
    const std::size_t points =
        std::accumulate(noisy.contours.begin(), noisy.contours.end(), std::size_t(0),
                        [](std::size_t sum, const auto &contour) { return sum + contour.size(); });
    QVERIFY(points > 0 && points <= 16384);

    Picture squares(400, 400);
    for (int y = 2; y < 394; y += 10)
        for (int x = 2; x < 394; x += 10)
            squares.fill(x, y, x + 5, y + 5, 255);
    QCOMPARE(squares.analysed(CpuWork::Contours).contours.size(), std::size_t(256));
}

void TestCpuAnalysis::histogramCountsEveryPixelOnce()
{
    Picture picture = noise(333, 77);
    const CpuAnswer answer = picture.analysed(CpuWork::Histogram);
    std::array<std::uint32_t, 256> expected{};
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x)
            ++expected[picture.at(x, y)];
    QVERIFY(answer.histogram == expected);
}

void TestCpuAnalysis::everySizeIsAnalysed_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    for (const auto &[width, height] : {std::pair(1, 1), std::pair(1, 9), std::pair(9, 1), std::pair(2, 2),
                                        std::pair(321, 241), std::pair(4096, 1), std::pair(4096, 2160)})
        QTest::addRow("%dx%d", width, height) << width << height;
}

void TestCpuAnalysis::everySizeIsAnalysed()
{
    QFETCH(int, width);
    QFETCH(int, height);
    const Picture picture = noise(width, height);
    const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    QCOMPARE(picture.analysed(CpuWork::Canny).edges.size(), pixels);
    for (const std::vector<Point> &contour : picture.analysed(CpuWork::Contours).contours)
        for (const Point point : contour)
            QVERIFY(point.x >= 0 && point.x < width && point.y >= 0 && point.y < height);
    const CpuAnswer histogram = picture.analysed(CpuWork::Histogram);
    QCOMPARE(std::accumulate(histogram.histogram.begin(), histogram.histogram.end(), std::size_t(0)), pixels);
}

void TestCpuAnalysis::picturesAreOnlyRead()
{
    const Picture picture = noise(160, 120);
    const std::vector<std::uint8_t> before = picture.bytes;
    for (const CpuWork work : {CpuWork::Canny, CpuWork::Contours, CpuWork::Histogram})
        QVERIFY(picture.analysed(work).work == work);
    QVERIFY(picture.bytes == before);
}

JETSCOPE_TEST(TestCpuAnalysis)
#include "tst_cpuanalysis.moc"
