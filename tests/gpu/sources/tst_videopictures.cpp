// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Videos whose headers ask for something: rotation and colours are applied, the rest is told.
#include "tests/gpu/shownvideo.h"
#include "tests/support/testprogram.h"

using namespace jetscope;
using namespace jetscope::testing;

class TestVideoPictures : public QObject {
    Q_OBJECT

private slots:
    void turnsAreAsTheFileAsks_data();
    void turnsAreAsTheFileAsks();
    void anglesBetweenAreTold();
    void coloursAreThoseOfTheStream_data();
    void coloursAreThoseOfTheStream();
    void coloursOfGivenFiles_data();
    void coloursOfGivenFiles();
    void untaggedHdHasTheColoursOfHd();
    void samplesAndFieldsAreTold();

private:
    QString made(const QString &name, const Change &change = {}) const { return madeVideo(m_folder, name, change); }

    QTemporaryDir m_folder;
};

void TestVideoPictures::turnsAreAsTheFileAsks_data()
{
    QTest::addColumn<QList<int>>("matrix"); ///< a, b, c, d.
    QTest::addColumn<QList<int>>("quarters");
    QTest::addColumn<QString>("said");
    QTest::newRow("none") << QList<int>{1, 0, 0, 1} << QList<int>{0, 1, 2, 3} << "";
    QTest::newRow("90") << QList<int>{0, 1, -1, 0} << QList<int>{2, 0, 3, 1} << "90° clockwise";
    QTest::newRow("180") << QList<int>{-1, 0, 0, -1} << QList<int>{3, 2, 1, 0} << "180° clockwise";
    QTest::newRow("270") << QList<int>{0, -1, 1, 0} << QList<int>{1, 3, 0, 2} << "270° clockwise";
    QTest::newRow("mirrored") << QList<int>{-1, 0, 0, 1} << QList<int>{1, 0, 3, 2} << "mirrored";
    QTest::newRow("upside down") << QList<int>{1, 0, 0, -1} << QList<int>{2, 3, 0, 1}
                                 << "180° clockwise, then mirrored";
    QTest::newRow("transposed") << QList<int>{0, 1, 1, 0} << QList<int>{0, 2, 1, 3} << "90° clockwise, then mirrored";
    QTest::newRow("transposed at the other corner")
        << QList<int>{0, -1, -1, 0} << QList<int>{3, 1, 2, 0} << "270° clockwise, then mirrored";
}

void TestVideoPictures::turnsAreAsTheFileAsks()
{
    QFETCH(QList<int>, matrix);
    QFETCH(QList<int>, quarters);
    QFETCH(QString, said);
    // A width of whole groups of pixels, and one that is not.
    for (const int width : {64, 50}) {
        const QString video = made("turned.mp4", [&](Clip &clip) { clip.width = width; });
        QByteArray bytes = contentOf(video);
        constexpr int kOne = 1 << 16;
        patch(bytes, "tkhd", 40,
              bigEndian({matrix[0] * kOne, matrix[1] * kOne, 0, matrix[2] * kOne, matrix[3] * kOne, 0}));
        putContent(video, bytes);
        const Shown shown = show(video);
        QCOMPARE(shown.error, QByteArray());
        const bool swapped = matrix[0] == 0;
        QCOMPARE(shown.info.layout.width, swapped ? 48 : width);
        QCOMPARE(shown.info.layout.height, swapped ? width : 48);
        QCOMPARE(shown.fact("rotation"), said);
        const QList<int> seen = shown.quarters(0);
        for (int i = 0; i < 4; ++i) {
            const int luma = kQuarters[static_cast<std::size_t>(quarters[i])];
            QVERIFY2(isNear(seen[i], (luma - 16) * 255 / 219, 6), qPrintable(QString::number(seen[i])));
        }
    }
}

void TestVideoPictures::anglesBetweenAreTold()
{
    const QString video = made("tilted.mp4");
    QByteArray bytes = contentOf(video);
    patch(bytes, "tkhd", 40, bigEndian({63303, 16962, 0, -16962, 63303, 0})); // 15°.
    putContent(video, bytes);
    const Shown shown = show(video);
    QCOMPARE(shown.info.layout.width, 64);
    QVERIFY2(shown.state.remark.find("no multiple of 90°") != std::string::npos, shown.state.remark.c_str());
}

void TestVideoPictures::coloursAreThoseOfTheStream_data()
{
    QTest::addColumn<int>("matrix");
    QTest::addColumn<double>("red");
    QTest::addColumn<double>("blue");
    QTest::addColumn<bool>("full");
    QTest::addColumn<QString>("said");
    const auto rows = [](const char *name, AVColorSpace matrix, double red, double blue) {
        for (const bool full : {false, true})
            QTest::addRow("%s, %s", name, full ? "full" : "limited")
                << static_cast<int>(matrix) << red << blue << full
                << QStringLiteral("%1, %2 range").arg(QLatin1String(name), full ? "full" : "limited");
    };
    rows("BT.601", AVCOL_SPC_SMPTE170M, 0.299, 0.114);
    rows("BT.709", AVCOL_SPC_BT709, 0.2126, 0.0722);
    rows("BT.2020", AVCOL_SPC_BT2020_NCL, 0.2627, 0.0593);
    rows("SMPTE 240M", AVCOL_SPC_SMPTE240M, 0.212, 0.087);
}

void TestVideoPictures::coloursAreThoseOfTheStream()
{
    QFETCH(int, matrix);
    QFETCH(double, red);
    QFETCH(double, blue);
    QFETCH(bool, full);
    QFETCH(QString, said);
    for (const std::array<int, 3> &yuv :
         {std::array{120, 70, 90}, std::array{90, 160, 200}, std::array{180, 128, 128}}) {
        const QString video = made("colour.mkv", [&](Clip &clip) {
            clip.codec = AV_CODEC_ID_FFV1; // Without losses, and it says nothing of colours itself.
            clip.frames = 3;
            clip.yuv = yuv;
            clip.matrix = static_cast<AVColorSpace>(matrix);
            clip.range = full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
        });
        const Shown shown = show(video);
        QCOMPARE(shown.frames.size(), std::size_t{3});
        const Rgb seen = shown.at(1, 20, 20);
        const Rgb right = colourOfYuv(yuv, red, blue, full);
        QVERIFY2(isNear(seen.red, right.red, 2) && isNear(seen.green, right.green, 2)
                     && isNear(seen.blue, right.blue, 2),
                 qPrintable(QString("%1,%2,%3 and not %4,%5,%6")
                                .arg(seen.red)
                                .arg(seen.green)
                                .arg(seen.blue)
                                .arg(right.red)
                                .arg(right.green)
                                .arg(right.blue)));
        QCOMPARE(shown.fact("color"), said);
    }
}

void TestVideoPictures::coloursOfGivenFiles_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"m601.mp4", "m601f.mp4", "m709.mp4", "m709f.mp4"})
        QTest::newRow(name) << name;
}

/// The same colour, coded with four combinations of matrix and range.
void TestVideoPictures::coloursOfGivenFiles()
{
    QFETCH(QString, name);
    const Shown shown = show(givenVideo(qPrintable(name)));
    QCOMPARE(shown.error, QByteArray());
    const Rgb seen = shown.at(0, 640, 360);
    QVERIFY2(isNear(seen.red, 30, 3) && isNear(seen.green, 189, 3) && isNear(seen.blue, 60, 3),
             qPrintable(QString("%1,%2,%3").arg(seen.red).arg(seen.green).arg(seen.blue)));
}

void TestVideoPictures::untaggedHdHasTheColoursOfHd()
{
    for (const int height : {576, 720}) {
        const QString video = made("plain.mkv", [&](Clip &clip) {
            clip.codec = AV_CODEC_ID_FFV1;
            clip.height = height;
            clip.frames = 2;
            clip.yuv = {120, 70, 90};
        });
        const Shown shown = show(video);
        const bool hd = height == 720;
        const Rgb right =
            hd ? colourOfYuv({120, 70, 90}, 0.2126, 0.0722, false) : colourOfYuv({120, 70, 90}, 0.299, 0.114, false);
        QVERIFY(isNear(shown.at(0, 20, 20).green, right.green, 2));
        QCOMPARE(shown.fact("color"),
                 QString("%1, limited range (assumed: the stream does not say)").arg(hd ? "BT.709" : "BT.601"));
    }
}

void TestVideoPictures::samplesAndFieldsAreTold()
{
    const Shown wide = show(made("wide.mkv", [](Clip &clip) { clip.sampleAspect = {4, 3}; }));
    QCOMPARE(wide.fact("sample_aspect"), QString("1.333"));
    QCOMPARE(wide.info.layout.width, 64); // Frames keep their samples.
    const auto fields = [&](AVFieldOrder order) {
        return show(made("fields.mkv",
                         [&](Clip &clip) {
                             clip.codec = AV_CODEC_ID_FFV1;
                             clip.fieldOrder = order;
                         }))
            .fact("field_order");
    };
    QCOMPARE(fields(AV_FIELD_TT), QString("top field first"));
    QCOMPARE(fields(AV_FIELD_BB), QString("bottom field first"));
    QCOMPARE(fields(AV_FIELD_PROGRESSIVE), QString("progressive"));
    const Shown hdr = show(made("hdr.mkv", [](Clip &clip) {
        clip.codec = AV_CODEC_ID_FFV1;
        clip.matrix = AVCOL_SPC_BT2020_NCL;
        clip.transfer = AVCOL_TRC_SMPTE2084;
    }));
    QVERIFY2(hdr.state.remark.find("HDR (PQ)") != std::string::npos, hdr.state.remark.c_str());
    QCOMPARE(wide.fact("codec"), QString("MPEG-4 part 2"));
    QCOMPARE(wide.fact("container"), QString("Matroska / WebM"));
    QVERIFY(wide.fact("decoder").startsWith("mpeg4 (software)"));
    QCOMPARE(wide.fact("size"), QString("64×48"));
}

JETSCOPE_TEST(TestVideoPictures)
#include "tst_videopictures.moc"
