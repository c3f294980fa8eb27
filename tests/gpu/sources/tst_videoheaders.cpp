// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Videos whose headers lie or lack something: what their packets and pictures show decides.
#include "tests/gpu/shownvideo.h"
#include "tests/support/testprogram.h"

using namespace jetscope;
using namespace jetscope::testing;

namespace {

using Lie = std::function<void(QByteArray &)>;

struct LyingFile {
    const char *name;
    const char *ending;
    Change change;
    Lie lie;
    double fps = 25;
    std::size_t frames = 24;
};

std::vector<std::int64_t> stampsWith(const std::function<std::int64_t(std::int64_t)> &stamp)
{
    std::vector<std::int64_t> stamps;
    for (std::int64_t i = 0; i < 24; ++i)
        stamps.push_back(stamp(i));
    return stamps;
}

void milliseconds(Clip &clip, const std::function<std::int64_t(std::int64_t)> &stamp)
{
    clip.timeBase = {1, 1000};
    clip.stamps = stampsWith(stamp);
}

/// All of these have 24 pictures that can be played to their end.
std::vector<LyingFile> lyingFiles()
{
    const auto nothing = [](QByteArray &) {};
    const auto same = [](Clip &) {};
    return {
        {"rate too high, Matroska", ".mkv",
         [](Clip &clip) {
             clip.statedRate = {1000, 1};
         },
         nothing},
        {"rate too low, Matroska", ".mkv",
         [](Clip &clip) {
             clip.statedRate = {1, 1};
         },
         nothing},
        {"no rate, Matroska", ".mkv", [](Clip &clip) { milliseconds(clip, [](auto i) { return 40 * i; }); }, nothing},
        {"coarse stamps", ".mkv", [](Clip &clip) { milliseconds(clip, [](auto i) { return (i * 200 + 1) / 3; }); },
         nothing, 15},
        {"a slow end", ".mkv",
         [](Clip &clip) { milliseconds(clip, [](auto i) { return i < 16 ? 40 * i : 640 + 500 * (i - 16); }); },
         nothing},
        {"a pause", ".mkv",
         [](Clip &clip) { milliseconds(clip, [](auto i) { return 40 * i + (i < 12 ? 0 : 100'000); }); }, nothing},
        {"begins late", ".mkv", [](Clip &clip) { milliseconds(clip, [](auto i) { return 40 * i + 7'000'000; }); },
         nothing},
        {"begins before 0", ".mkv", [](Clip &clip) { milliseconds(clip, [](auto i) { return 40 * (i - 5); }); },
         nothing},
        {"jitter", ".mp4", [](Clip &clip) { milliseconds(clip, [](auto i) { return 40 * i + (i % 2 == 0 ? 0 : 9); }); },
         nothing},
        {"duration times 10, Matroska", ".mkv", same, [](QByteArray &file) { patchDuration(file, 10); }},
        {"duration 0, Matroska", ".mkv", same, [](QByteArray &file) { patchDuration(file, 0); }},
        {"duration a tenth, Matroska", ".mkv", same, [](QByteArray &file) { patchDuration(file, 0.1); }},
        {"duration times 10, MP4", ".mp4", same,
         [](QByteArray &file) { patch(file, "mdhd", 16, bigEndian({24 * 512 * 10})); }},
        {"duration 0, MP4", ".mp4", same, [](QByteArray &file) { patch(file, "mdhd", 16, bigEndian({0})); }},
        {"count times 10, AVI", ".avi", same, [](QByteArray &file) { patch(file, "strh", 4 + 32, littleEndian(240)); }},
        {"count 0, AVI", ".avi", same, [](QByteArray &file) { patch(file, "strh", 4 + 32, littleEndian(0)); }},
        {"size of another video, MP4", ".mp4", same,
         [](QByteArray &file) { patch(file, "mp4v", 24, QByteArray("\0\x20\0\x10", 4)); }},
        {"size of another video, Matroska", ".mkv", same,
         [](QByteArray &file) { patch(file, QByteArray("\xb0\x81", 2), 0, QByteArray("\x20", 1)); }},
        {"no index, AVI", ".avi", same, [](QByteArray &file) { patch(file, "idx1", -4, "JUNK"); }},
        {"B pictures, Matroska", ".mkv", [](Clip &clip) { clip.bFrames = 2; }, nothing},
        {"B pictures, MP4", ".mp4", [](Clip &clip) { clip.bFrames = 2; }, nothing},
        {"B pictures, AVI", ".avi", [](Clip &clip) { clip.bFrames = 2; }, nothing},
        {"index in front", ".mp4", [](Clip &clip) { clip.indexInFront = true; }, nothing},
        {"MPEG transport stream", ".ts", [](Clip &clip) { clip.codec = AV_CODEC_ID_MPEG2VIDEO; }, nothing},
    };
}

} // namespace

class TestVideoHeaders : public QObject {
    Q_OBJECT

private slots:
    void headersThatLieAreNotBelieved_data();
    void headersThatLieAreNotBelieved();
    void picturesComeInTheOrderOfDisplay();
    void durationsThatCannotBeAreTold();
    void ratesWithoutStampsAreNotMeasured();
    void filesThatAreCutAreErrors_data();
    void filesThatAreCutAreErrors();
    void givenFilesPlayAtTheirRate_data();
    void givenFilesPlayAtTheirRate();
    void damagedPicturesAreCounted();
    void randomDamageEndsSomehow_data();
    void randomDamageEndsSomehow();

private:
    QString made(const QString &name, const Change &change = {}) const { return madeVideo(m_folder, name, change); }

    QTemporaryDir m_folder;
};

void TestVideoHeaders::headersThatLieAreNotBelieved_data()
{
    QTest::addColumn<int>("row");
    int row = 0;
    for (const LyingFile &file : lyingFiles())
        QTest::newRow(file.name) << row++;
}

void TestVideoHeaders::headersThatLieAreNotBelieved()
{
    QFETCH(int, row);
    const LyingFile file = lyingFiles()[static_cast<std::size_t>(row)];
    const QString video = made(QStringLiteral("lie") + QLatin1String(file.ending), file.change);
    QByteArray bytes = contentOf(video);
    file.lie(bytes);
    putContent(video, bytes);
    const Shown shown = show(video);
    QCOMPARE(shown.refused, QByteArray());
    QCOMPARE(shown.error, QByteArray());
    QCOMPARE(shown.frames.size(), file.frames);
    QVERIFY2(std::abs(shown.info.fps / file.fps - 1) < 0.002, qPrintable(QString::number(shown.info.fps)));
    QCOMPARE(shown.info.layout.width, 64);
    QCOMPARE(shown.info.layout.height, 48);
    QCOMPARE(shown.state.faults, SourceFaults());
    const QList<int> first = shown.quarters(0);
    for (int i = 1; i < 4; ++i)
        QVERIFY(first[i - 1] - first[i] > 40);
}

void TestVideoHeaders::picturesComeInTheOrderOfDisplay()
{
    for (const char *name : {"b.mkv", "b.mp4", "b.avi"}) {
        const Shown shown = show(made(QLatin1String(name), [](Clip &clip) { clip.bFrames = 2; }));
        QCOMPARE(shown.frames.size(), std::size_t{24});
        for (std::size_t i = 4; i < 24; ++i)
            QVERIFY2(shown.quarters(i)[1] > shown.quarters(i - 4)[1], name);
    }
}

void TestVideoHeaders::durationsThatCannotBeAreTold()
{
    const QString video = made("long.mkv");
    QByteArray bytes = contentOf(video);
    patchDuration(bytes, 10);
    putContent(video, bytes);
    const Shown shown = show(video);
    QCOMPARE(shown.error, QByteArray());
    QVERIFY2(shown.state.remark.find("header states 9.6 s") != std::string::npos, shown.state.remark.c_str());
}

/// The reader stamps the pictures of such files by a rate; that is no measurement.
void TestVideoHeaders::ratesWithoutStampsAreNotMeasured()
{
    const StreamFacts avi = show(made("claims.avi")).state.facts;
    QCOMPARE(avi.measuredFps, 0.0);
    QCOMPARE(avi.claimedFps, 25.0);
    QVERIFY(!avi.isRateAssumed);
    const StreamFacts bare = show(made("bare.mjpeg", [](Clip &clip) { clip.codec = AV_CODEC_ID_MJPEG; })).state.facts;
    QCOMPARE(bare.measuredFps, 0.0);
    QCOMPARE(bare.claimedFps, 25.0);
    QVERIFY(bare.isRateAssumed);
    const auto rows = streamFactRows(bare);
    QVERIFY(std::any_of(rows.begin(), rows.end(), [](const StreamFactRow &row) {
        return row.key == "rate" && row.text == "25 fps assumed: it has no time stamps";
    }));
}

void TestVideoHeaders::filesThatAreCutAreErrors_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("front");
    QTest::addColumn<bool>("refused");
    QTest::newRow("AVI") << "cut.avi" << false << false;
    QTest::newRow("Matroska") << "cut.mkv" << false << false;
    QTest::newRow("MP4 with its index in front") << "cut.mp4" << true << false;
    QTest::newRow("MP4 with its index at the end") << "end.mp4" << false << true;
}

void TestVideoHeaders::filesThatAreCutAreErrors()
{
    QFETCH(QString, name);
    QFETCH(bool, front);
    QFETCH(bool, refused);
    const QString video = made(name, [&](Clip &clip) {
        clip.indexInFront = front;
        clip.codec = AV_CODEC_ID_MJPEG; // All pictures have about the same size.
        clip.width = 320;
        clip.height = 240;
    });
    const QByteArray whole = contentOf(video);
    for (const double share : {0.5, 0.6, 0.7}) {
        putContent(video, whole.left(static_cast<qsizetype>(static_cast<double>(whole.size()) * share)));
        const Shown shown = show(video);
        QCOMPARE(!shown.refused.isEmpty(), refused);
        QVERIFY(refused || (shown.frames.size() > 4 && shown.frames.size() < 22));
        QVERIFY2(refused || shown.error.contains("cut short"), shown.error.constData());
    }
}

void TestVideoHeaders::givenFilesPlayAtTheirRate_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("fps");
    QTest::addColumn<int>("frames");
    QTest::addColumn<QString>("claimed");
    QTest::newRow("1000 frames/s in its header") << "b2.webm" << 15.0 << 60 << "1000 claimed";
    QTest::newRow("72 pictures, the last ones slow") << "vfr.mkv" << 30.0 << 72 << "";
}

void TestVideoHeaders::givenFilesPlayAtTheirRate()
{
    QFETCH(QString, name);
    QFETCH(double, fps);
    QFETCH(int, frames);
    QFETCH(QString, claimed);
    const Shown shown = show(givenVideo(qPrintable(name)));
    if (shown.refused.contains("no decoder"))
        QSKIP(shown.refused.constData());
    QCOMPARE(shown.error, QByteArray());
    QCOMPARE(shown.frames.size(), static_cast<std::size_t>(frames));
    QVERIFY2(std::abs(shown.info.fps / fps - 1) < 0.02, qPrintable(QString::number(shown.info.fps)));
    QVERIFY2(shown.fact("rate").contains(claimed), qPrintable(shown.fact("rate")));
}

void TestVideoHeaders::damagedPicturesAreCounted()
{
    const QString video = made("hurt.avi", [](Clip &clip) { clip.codec = AV_CODEC_ID_MJPEG; });
    QByteArray bytes = contentOf(video);
    int hurt = 0;
    qsizetype at = bytes.indexOf("movi");
    for (int i = 0; (at = bytes.indexOf("00dc", at + 4)) >= 0 && at < bytes.indexOf("idx1"); ++i)
        if (i % 8 == 3) {
            bytes.replace(at + 8, 200, QByteArray(200, '\0'));
            ++hurt;
        }
    putContent(video, bytes);
    const Shown shown = show(video);
    QCOMPARE(hurt, 3);
    QCOMPARE(shown.error, QByteArray());
    QCOMPARE(shown.state.faults.damaged, std::uint64_t{3});
    QCOMPARE(shown.frames.size(), std::size_t{21});
}

void TestVideoHeaders::randomDamageEndsSomehow_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"a.avi", "a.mkv", "a.mp4", "a.nut", "a.ts"})
        QTest::newRow(name) << name;
}

/// Any answer is right but a crash, an endless loop, or more pictures than the file can have.
void TestVideoHeaders::randomDamageEndsSomehow()
{
    QFETCH(QString, name);
    const QString video = made(name, [&](Clip &clip) {
        clip.bFrames = 1;
        if (name.endsWith(".ts"))
            clip.codec = AV_CODEC_ID_MPEG2VIDEO;
    });
    const QByteArray whole = contentOf(video);
    unsigned state = 1;
    const auto random = [&state](qsizetype below) {
        state = state * 1664525U + 1013904223U;
        return static_cast<qsizetype>(state >> 8) % below;
    };
    int opened = 0;
    for (int i = 0; i < 60; ++i) {
        QByteArray bytes = whole;
        for (qsizetype n = 0; n < 1 + i / 4; ++n)
            bytes[random(i % 2 == 0 ? bytes.size() : std::min<qsizetype>(bytes.size(), 600))] =
                static_cast<char>(random(256));
        if (i % 5 == 0)
            bytes.truncate(random(bytes.size()) + 1);
        putContent(video, bytes);
        const Shown shown = show(video, 500);
        QVERIFY(shown.frames.size() < 500);
        opened += shown.refused.isEmpty() ? 1 : 0;
    }
    QVERIFY(opened > 5);
}

JETSCOPE_TEST(TestVideoHeaders)
#include "tst_videoheaders.moc"
