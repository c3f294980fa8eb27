// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/framesource.h"
#include "gpu/sources/pictureheader.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace jetscope;

namespace {

const char *const kRealVideo = "/usr/share/doc/opencv-doc/examples/data/vtest.avi";

/// A picture with structure everywhere that differs for each number.
cv::Mat makePicture(int width, int height, int number)
{
    cv::Mat picture(height, width, CV_8UC3);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            picture.at<cv::Vec3b>(y, x) = cv::Vec3b(static_cast<uchar>(x + 5 * number), static_cast<uchar>(y * 3),
                                                    static_cast<uchar>((x ^ y) + number * 40));
    return picture;
}

void writeVideo(const QString &path, int width, int height, int frames)
{
    cv::VideoWriter writer(path.toStdString(), cv::CAP_OPENCV_MJPEG, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), 25,
                           cv::Size(width, height));
    for (int i = 0; i < frames; ++i)
        writer.write(makePicture(width, height, i));
}

void writeBytes(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    return file.readAll();
}

/// A source's pictures without row padding, and why it ended.
struct Played {
    std::vector<cv::Mat> pictures;
    QByteArray error; ///< Empty at a regular end.
};

Played play(FrameSource &source, std::size_t most = 100'000)
{
    Played played;
    const ImageLayout &layout = source.info().layout;
    std::vector<std::byte> bytes(layout.bytes);
    while (played.pictures.size() < most) {
        const auto read = source.read(bytes.data());
        if (!read.ok())
            played.error = QByteArray::fromStdString(read.error().message());
        if (!read.ok() || !read.value())
            break;
        played.pictures.push_back(
            cv::Mat(layout.height, layout.width, CV_8UC3, bytes.data(), layout.planes[0].pitch).clone());
    }
    return played;
}

bool same(const cv::Mat &a, const cv::Mat &b)
{
    return a.size() == b.size() && a.type() == b.type() && cv::norm(a, b, cv::NORM_INF) == 0;
}

/// The text that the process writes to stderr while `action` runs.
template <class Action>
QByteArray chatterOf(const QString &scratch, Action action)
{
    const int file = ::open(scratch.toStdString().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::fflush(stderr);
    const int saved = ::dup(STDERR_FILENO);
    ::dup2(file, STDERR_FILENO);
    action();
    std::fflush(stderr);
    ::dup2(saved, STDERR_FILENO);
    ::close(saved);
    ::close(file);
    return bytesOf(scratch);
}

QByteArray errorOf(const QString &uri)
{
    const auto source = openSource(uri.toStdString(), Pacing::Unpaced);
    return source.ok() ? QByteArray() : QByteArray::fromStdString(source.error().message());
}

} // namespace

class TestFileSource : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void videoFramesAreTheDecodersOwn_data();
    void videoFramesAreTheDecodersOwn();
    void realVideoPlaysToItsEnd();
    void loopedVideoStartsAgain();
    void preloadedPicturesAreTheDecodersOwn();
    void framesLimitAVideo();
    void truncatedVideoIsAnError();
    void picturePlaysOnceOrForever();
    void foldersAreSortedByNumber();
    void otherFilesInAFolderAreIgnored();
    void mixedSizesNameBothPictures();
    void unreadablePictureInAFolderIsNamed();

    void badFilesAreRefused_data();
    void badFilesAreRefused();
    void devicesAndPipesAreRefused();
    void aPipeInPlaceOfTheFileIsAnError_data();
    void aPipeInPlaceOfTheFileIsAnError();
    void headersTellTheSize_data();
    void headersTellTheSize();
    void hugePicturesAreNotDecoded();
    void pathsMayHoldAnyCharacter_data();
    void pathsMayHoldAnyCharacter();
    void unknownOptionsAreRefused();
    void describesItself();

private:
    QString path(const QString &name) const { return m_folder->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestFileSource::videoFramesAreTheDecodersOwn_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::newRow("even") << 320 << 240;
    QTest::newRow("padded rows") << 98 << 50;
}

void TestFileSource::videoFramesAreTheDecodersOwn()
{
    QFETCH(int, width);
    QFETCH(int, height);
    const QString video = path("clip.avi");
    writeVideo(video, width, height, 12);
    const auto source = openSource("file:" + video.toStdString(), Pacing::Unpaced);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    QCOMPARE(source.value()->info().layout, makeImageLayout(PixelFormat::Bgr8, width, height));
    QCOMPARE(source.value()->info().fps, 25.0);
    QVERIFY(!source.value()->info().live);

    const Played played = play(*source.value());
    QCOMPARE(played.error, QByteArray());
    QCOMPARE(played.pictures.size(), std::size_t(12));
    cv::VideoCapture decoder(video.toStdString(), cv::CAP_FFMPEG);
    for (const cv::Mat &picture : played.pictures) {
        cv::Mat expected;
        QVERIFY(decoder.read(expected));
        QVERIFY(same(picture, expected));
    }
}

void TestFileSource::realVideoPlaysToItsEnd()
{
    if (!QFile::exists(kRealVideo))
        QSKIP("OpenCV's sample video is not installed (Debian package opencv-doc)");
    const auto source = openSource(kRealVideo, Pacing::Unpaced);
    QVERIFY(source.ok());
    const Played played = play(*source.value());
    QCOMPARE(played.error, QByteArray());
    cv::VideoCapture decoder(kRealVideo, cv::CAP_FFMPEG);
    std::size_t frames = 0;
    for (cv::Mat expected; decoder.read(expected); ++frames)
        QVERIFY(frames < played.pictures.size() && same(played.pictures[frames], expected));
    QCOMPARE(played.pictures.size(), frames);
    QVERIFY(frames > 100);
}

void TestFileSource::loopedVideoStartsAgain()
{
    writeVideo(path("clip.avi"), 64, 48, 5);
    const auto source = openSource("file:" + path("clip.avi").toStdString() + "?loop=1&frames=12", Pacing::Unpaced);
    QVERIFY(source.ok());
    const Played played = play(*source.value());
    QCOMPARE(played.error, QByteArray());
    QCOMPARE(played.pictures.size(), std::size_t(12));
    for (std::size_t i = 5; i < 12; ++i)
        QVERIFY(same(played.pictures[i], played.pictures[i - 5]));
    QVERIFY(!same(played.pictures[0], played.pictures[1]));
}

void TestFileSource::preloadedPicturesAreTheDecodersOwn()
{
    writeVideo(path("clip.avi"), 64, 48, 5);
    const std::string address = "file:" + path("clip.avi").toStdString();
    const Played decoded = play(*openSource(address, Pacing::Unpaced).value());
    const auto source = openSource(address + "?preload=3&loop=1&frames=8", Pacing::Unpaced);
    QVERIFY(source.ok());
    QVERIFY2(source.value()->info().description.find("3 pictures in memory") != std::string::npos,
             source.value()->info().description.c_str());
    QVERIFY(source.value()->state().copies.front().find("preloaded") != std::string::npos);
    QVERIFY(QFile::remove(path("clip.avi"))); // Nothing is decoded from here on.
    const Played played = play(*source.value());
    QCOMPARE(played.error, QByteArray());
    QCOMPARE(played.pictures.size(), std::size_t(8));
    for (std::size_t i = 0; i < 8; ++i)
        QVERIFY(same(played.pictures[i], decoded.pictures[i % 3]));
    // A count above that of the video is all of it, and the memory has a limit.
    writeVideo(path("clip.avi"), 64, 48, 5);
    QCOMPARE(play(*openSource(address + "?preload=100", Pacing::Unpaced).value()).pictures.size(), std::size_t(5));
    cv::imwrite(path("large.png").toStdString(), cv::Mat::zeros(9000, 9000, CV_8UC3));
    QVERIFY(errorOf(path("large.png") + "?preload=9").contains("preload=8 or less"));
    QVERIFY(errorOf(path("large.png") + "?preload=0").contains("from 1 to 100000"));
}

void TestFileSource::framesLimitAVideo()
{
    writeVideo(path("clip.avi"), 64, 48, 9);
    const auto source = openSource("file:" + path("clip.avi").toStdString() + "?frames=4", Pacing::Unpaced);
    QVERIFY(source.ok());
    const Played played = play(*source.value());
    QCOMPARE(played.pictures.size(), std::size_t(4));
    QCOMPARE(played.error, QByteArray());
}

void TestFileSource::truncatedVideoIsAnError()
{
    writeVideo(path("whole.avi"), 320, 240, 60);
    const QByteArray whole = bytesOf(path("whole.avi"));
    writeBytes(path("cut.avi"), whole.left(whole.size() / 2));
    const auto source = openSource(path("cut.avi").toStdString(), Pacing::Unpaced);
    QVERIFY(source.ok());
    const Played played = play(*source.value());
    QVERIFY(played.pictures.size() > 10 && played.pictures.size() < 60);
    QVERIFY2(played.error.contains("cut short") && played.error.contains("of 60"), played.error.constData());
}

void TestFileSource::picturePlaysOnceOrForever()
{
    const cv::Mat picture = makePicture(37, 21, 3);
    cv::imwrite(path("one.png").toStdString(), picture);
    const auto once = openSource(path("one.png").toStdString(), Pacing::Unpaced);
    QVERIFY(once.ok());
    const Played played = play(*once.value());
    QCOMPARE(played.pictures.size(), std::size_t(1));
    QVERIFY(same(played.pictures[0], picture));

    const auto looped = openSource(path("one.png").toStdString() + "?loop=1", Pacing::Unpaced);
    QVERIFY(looped.ok());
    const Played many = play(*looped.value(), 50);
    QCOMPARE(many.pictures.size(), std::size_t(50));
    QVERIFY(same(many.pictures[49], picture));
}

void TestFileSource::foldersAreSortedByNumber()
{
    const std::vector<QString> order{"a2.png", "a10.png", "b1.PNG", "b002.png", "b3.png"};
    for (std::size_t i = 0; i < order.size(); ++i) {
        cv::imwrite(path("picture.png").toStdString(), makePicture(20, 10, static_cast<int>(i)));
        QVERIFY(QFile::rename(path("picture.png"), path(order[i])));
    }
    const auto source = openSource(m_folder->path().toStdString(), Pacing::Unpaced);
    QVERIFY(source.ok());
    const Played played = play(*source.value());
    QCOMPARE(played.error, QByteArray());
    QCOMPARE(played.pictures.size(), order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        QVERIFY(same(played.pictures[i], makePicture(20, 10, static_cast<int>(i))));
}

void TestFileSource::otherFilesInAFolderAreIgnored()
{
    cv::imwrite(path("1.png").toStdString(), makePicture(20, 10, 1));
    writeBytes(path("notes.txt"), "not a picture");
    QVERIFY(QDir(m_folder->path()).mkdir("2.png"));
    const auto source = openSource("file:" + m_folder->path().toStdString() + "/", Pacing::Unpaced);
    QVERIFY(source.ok());
    QCOMPARE(play(*source.value()).pictures.size(), std::size_t(1));
}

void TestFileSource::mixedSizesNameBothPictures()
{
    cv::imwrite(path("1.png").toStdString(), makePicture(20, 10, 1));
    cv::imwrite(path("2.png").toStdString(), makePicture(20, 11, 2));
    const auto source = openSource(m_folder->path().toStdString(), Pacing::Unpaced);
    QVERIFY(source.ok());
    const Played played = play(*source.value());
    QCOMPARE(played.pictures.size(), std::size_t(1));
    QVERIFY2(played.error.contains("2.png") && played.error.contains("1.png") && played.error.contains("20×11"),
             played.error.constData());
}

void TestFileSource::unreadablePictureInAFolderIsNamed()
{
    cv::imwrite(path("1.png").toStdString(), makePicture(20, 10, 1));
    writeBytes(path("2.png"), "this is no picture");
    const auto source = openSource(m_folder->path().toStdString(), Pacing::Unpaced);
    QVERIFY(source.ok());
    const Played played = play(*source.value());
    QCOMPARE(played.pictures.size(), std::size_t(1));
    QVERIFY2(played.error.contains("2.png") && played.error.contains("not a picture"), played.error.constData());
}

void TestFileSource::badFilesAreRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("hint");
    QByteArray noise(100'000, '\0');
    unsigned state = 1;
    for (char &byte : noise)
        byte = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
    std::vector<uchar> coded;
    cv::imencode(".png", makePicture(64, 48, 1), coded);
    const QByteArray png(reinterpret_cast<const char *>(coded.data()), static_cast<qsizetype>(coded.size()));
    cv::imencode(".jpg", makePicture(64, 48, 1), coded);
    const QByteArray jpeg(reinterpret_cast<const char *>(coded.data()), static_cast<qsizetype>(coded.size()));

    QTest::newRow("empty video") << "clip.avi" << QByteArray() << QByteArray("empty");
    QTest::newRow("empty picture") << "one.png" << QByteArray() << QByteArray("empty");
    QTest::newRow("text as video") << "clip.mp4" << QByteArray("Dear reader,\nthis is a letter.\n")
                                   << QByteArray("is text");
    // FFmpeg would play the first as a terminal's screen and open the addresses in the second.
    QTest::newRow("text file") << "notes.txt" << QByteArray("one\ntwo\n") << QByteArray("is text");
    QTest::newRow("playlist") << "list.m3u8" << QByteArray("#EXTM3U\n#EXTINF:5,\nhttp://127.0.0.1:9/x.ts\n")
                              << QByteArray("is text");
    QTest::newRow("noise as video") << "clip.avi" << noise << QByteArray("decoded");
    QTest::newRow("noise as picture") << "one.jpg" << noise << QByteArray("not a picture");
    const QByteArray mp4("\0\0\0\x18"
                         "ftypisom\0\0\2\0isomiso2"
                         "\0\0\1\0mdat",
                         32);
    QTest::newRow("mp4 without an index") << "clip.mp4" << mp4 + noise.left(248) << QByteArray("decoded");
    QTest::newRow("only a header") << "clip.avi"
                                   << QByteArray("RIFF\x10\x00\x00\x00"
                                                 "AVI ",
                                                 12)
                                   << QByteArray("decoded");
    QByteArray badPng = png;
    badPng[png.indexOf("IDAT") + 20] = static_cast<char>(badPng[png.indexOf("IDAT") + 20] ^ 0x55);
    cv::imencode(".bmp", makePicture(64, 48, 1), coded);
    const QByteArray bmp(reinterpret_cast<const char *>(coded.data()), static_cast<qsizetype>(coded.size()));
    QTest::newRow("damaged png") << "one.png" << badPng << QByteArray("not a picture");
    QTest::newRow("cut bmp") << "one.bmp" << bmp.left(bmp.size() / 2) << QByteArray("not a picture");
    QTest::newRow("cut png") << "one.png" << png.left(png.size() / 2) << QByteArray("cut short");
    QTest::newRow("cut jpeg") << "one.jpg" << jpeg.left(jpeg.size() / 2) << QByteArray("cut short");
}

void TestFileSource::badFilesAreRefused()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, hint);
    writeBytes(path(name), bytes);
    QByteArray error;
    std::size_t pictures = 0;
    const QByteArray chatter = chatterOf(path("stderr"), [&] {
        const auto source = openSource(path(name).toStdString(), Pacing::Unpaced);
        if (!source.ok()) {
            error = QByteArray::fromStdString(source.error().message());
            return;
        }
        // Some open and fail at the first picture: in both cases the user gets one sentence.
        const Played played = play(*source.value());
        error = played.error;
        pictures = played.pictures.size();
    });
    QCOMPARE(pictures, std::size_t(0));
    QVERIFY2(error.contains(hint) && error.contains(name.toUtf8()) && !error.contains('\n'), error.constData());
    QCOMPARE(chatter, QByteArray());
}

void TestFileSource::devicesAndPipesAreRefused()
{
    QVERIFY(errorOf("/dev/null").contains("not a file"));
    QCOMPARE(::mkfifo(path("pipe.avi").toStdString().c_str(), 0600), 0);
    QVERIFY(errorOf(path("pipe.avi")).contains("not a file"));
    QVERIFY(errorOf(m_folder->path()).contains("holds no picture"));
    QVERIFY(errorOf(path("missing.avi")).contains("no such file"));
}

void TestFileSource::aPipeInPlaceOfTheFileIsAnError_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("a video") << "clip.avi";
    QTest::newRow("a picture among others") << "2.png";
}

/// Opening it would block until a writer opens it.
void TestFileSource::aPipeInPlaceOfTheFileIsAnError()
{
    QFETCH(QString, name);
    const bool video = name.endsWith(".avi");
    if (video)
        writeVideo(path(name), 64, 48, 3);
    for (const char *picture : {"1.png", "2.png", "3.png"})
        if (!video)
            cv::imwrite(path(picture).toStdString(), makePicture(64, 48, picture[0]));
    const QString opened = video ? path(name) : m_folder->path();
    const auto source = openSource(("file:" + opened + "?loop=1").toStdString(), Pacing::Unpaced);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    QCOMPARE(play(*source.value(), 4).pictures.size(), std::size_t(4));
    QVERIFY(QFile::remove(path(name)));
    QCOMPARE(mkfifo(path(name).toStdString().c_str(), 0600), 0);
    const Played played = play(*source.value(), 100);
    QVERIFY(played.pictures.size() < 10);
    QVERIFY2(played.error.contains(name.toUtf8())
                 && (played.error.contains("replaced") || played.error.contains("pipe")),
             played.error.constData());
}

void TestFileSource::headersTellTheSize_data()
{
    QTest::addColumn<QByteArray>("ending");
    for (const char *ending : {".png", ".jpg", ".bmp", ".tiff", ".webp", ".ppm", ".pgm"})
        QTest::newRow(ending) << QByteArray(ending);
}

/// Read from whole files, and never beyond the end of truncated or damaged ones.
void TestFileSource::headersTellTheSize()
{
    QFETCH(QByteArray, ending);
    cv::Mat picture = makePicture(70, 33, 1);
    if (ending == ".pgm")
        cv::cvtColor(picture, picture, cv::COLOR_BGR2GRAY);
    std::vector<uchar> coded;
    QVERIFY(cv::imencode(ending.toStdString(), picture, coded));
    const std::string file(coded.begin(), coded.end());
    const auto size = pictureSizeIn(file);
    QVERIFY(size && size->width == 70 && size->height == 33);
    unsigned state = 1;
    for (std::size_t length = 0; length < file.size(); ++length) {
        // A separate copy, so that a sanitizer detects reads past the end.
        const std::vector<char> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
        const auto some = pictureSizeIn({cut.data(), cut.size()});
        QVERIFY(!some || length >= 8);
        std::vector<char> damaged(file.begin(),
                                  file.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(file.size(), 400)));
        for (int i = 0; i < 4; ++i) {
            state = state * 1664525u + 1013904223u;
            damaged[(state >> 8) % damaged.size()] = static_cast<char>(state >> 13);
        }
        const auto any = pictureSizeIn({damaged.data(), damaged.size()});
        QVERIFY(!any || (any->width > 0 && any->height > 0));
    }
}

void TestFileSource::hugePicturesAreNotDecoded()
{
    std::vector<uchar> coded;
    cv::imencode(".png", cv::Mat::zeros(48, 30'000, CV_8UC1), coded);
    QByteArray png(reinterpret_cast<const char *>(coded.data()), static_cast<qsizetype>(coded.size()));
    writeBytes(path("wide.png"), png);
    QVERIFY2(errorOf(path("wide.png")).contains("30000×48 pixels"), errorOf(path("wide.png")).constData());
    // Contains only the header: the size is reported before any other error.
    writeBytes(path("header.png"), png.left(40));
    QVERIFY2(errorOf(path("header.png")).contains("30000×48 pixels"), errorOf(path("header.png")).constData());
    writeBytes(path("huge.ppm"), "P6 # as large\n 99999999999999999999 20000\n255\n");
    QVERIFY2(errorOf(path("huge.ppm")).contains("16384"), errorOf(path("huge.ppm")).constData());
}

void TestFileSource::pathsMayHoldAnyCharacter_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("written"); ///< The text in the URI.
    QTest::newRow("spaces") << "my clip.png"
                            << "my clip.png";
    QTest::newRow("encoded spaces") << "my clip.png"
                                    << "my%20clip.png";
    QTest::newRow("question") << "what?.png"
                              << "what?.png";
    QTest::newRow("question before options") << "what?.png"
                                             << "what?.png?loop=0";
    QTest::newRow("encoded question") << "what?.png"
                                      << "what%3F.png?frames=1";
    QTest::newRow("looks like options") << "a?loop=1.png"
                                        << "a?loop=1.png";
    QTest::newRow("percent") << "100%.png"
                             << "100%.png";
    QTest::newRow("encoded looking") << "a%20b.png"
                                     << "a%20b.png";
    QTest::newRow("colon") << "file:synthetic:x.png"
                           << "file:synthetic:x.png";
    QTest::newRow("not latin") << QString::fromUtf8("straße.png") << QString::fromUtf8("straße.png");
}

void TestFileSource::pathsMayHoldAnyCharacter()
{
    QFETCH(QString, name);
    QFETCH(QString, written);
    cv::imwrite(path("picture.png").toStdString(), makePicture(8, 8, 1));
    QVERIFY(QFile::rename(path("picture.png"), path(name)));
    for (const QString &prefix : {QString(), QStringLiteral("file:"), QStringLiteral("file://")}) {
        const auto source = openSource((prefix + path(written)).toStdString(), Pacing::Unpaced);
        QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
        QCOMPARE(play(*source.value(), 3).pictures.size(), std::size_t(1));
    }
}

void TestFileSource::unknownOptionsAreRefused()
{
    cv::imwrite(path("one.png").toStdString(), makePicture(8, 8, 1));
    QVERIFY(errorOf(path("one.png") + "?size=3x3").contains("fps, rate, frames, loop or preload"));
    QVERIFY(errorOf(path("one.png") + "?rate=5").contains("real"));
    QVERIFY(!checkSourceUri(path("one.png").toStdString() + "?loop=7").ok());
}

void TestFileSource::describesItself()
{
    cv::imwrite(path("one.png").toStdString(), makePicture(9, 7, 1));
    const auto picture = openSource(path("one.png").toStdString() + "?loop=1", Pacing::Real);
    QVERIFY(picture.ok());
    QCOMPARE(picture.value()->info().description, std::string("one.png · 9×7 BGR · 30 fps"));
    const auto folder = openSource(m_folder->path().toStdString() + "?fps=12.5", Pacing::Real);
    QVERIFY(folder.ok());
    QCOMPARE(QByteArray::fromStdString(folder.value()->info().description),
             QDir(m_folder->path()).dirName().toUtf8() + " (1 picture) · 9×7 BGR · 12.5 fps");
}

JETSCOPE_TEST(TestFileSource)
#include "tst_filesource.moc"
