// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QStandardPaths>

/// Real EGL and GL: a program of our own, and programs from the distribution where they are installed.
class AttachedGlTest : public QObject {
    Q_OBJECT

private slots:
    void countsCallsOfOwnProgram();
    void countsFramesOfGlmark_data();
    void countsFramesOfGlmark();
    void countsFramesOfEglgears();
    void countsFramesOfGStreamer();
    void keepsThePicturesOfGStreamer();
    void countsFramesOfMpv();
    void countsFramesOfQtQuick();
};

void AttachedGlTest::countsCallsOfOwnProgram()
{
    const Attached run = attach({PROGRAM_GL, "500"});
    if (run.plain.code == 77)
        QSKIP(run.plain.out.trimmed().toUtf8().constData());
    QCOMPARE(run.plain.code, 0);
    QCOMPARE(run.under.code, 0);
    QVERIFY2(run.plain.out.contains(QRegularExpression("picture [0-9a-f]{16}\n")), run.describe());
    QCOMPARE(run.under.out, run.plain.out); // The picture, too.
    for (const char *function :
         {"eglSwapBuffers", "glFinish", "glTexSubImage2D", "glClientWaitSync", "glFenceSync", "glDrawArrays"})
        QVERIFY2(run.calls(function) == 500, function + run.describe());
    QCOMPARE(run.json["frames"].toInt(), 500);
    QCOMPARE(run.json["lost"]["calls"].toInt(), 0);
    QVERIFY(!run.json["path"].toArray().isEmpty());
    QVERIFY(run.json["gpu"]["busy_ms_per_frame"].isNull());
    QCOMPARE(rowsOf(run.capture, "SELECT max(value) FROM counters WHERE name = 'textures'"), QStringList{"1.0"});
}

void AttachedGlTest::countsFramesOfGlmark_data()
{
    QTest::addColumn<QString>("program");
    QTest::newRow("EGL") << "glmark2-es2";
    QTest::newRow("GLX") << "glmark2";
}

/// glmark2 prints frames per second and the time of a frame of each scene.
void AttachedGlTest::countsFramesOfGlmark()
{
    QFETCH(QString, program);
    if (QStandardPaths::findExecutable(program).isEmpty())
        QSKIP(
            ("the program " + program + " is not installed (Debian package " + program + "-x11)").toUtf8().constData());
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        QSKIP("there is no X display");
    QTemporaryDir folder;
    const QStringList command{program,       "-s",       "320x240", "-b", "build:duration=3:use-vbo=true",
                              "--swap-mode", "immediate"};
    const QString json = folder.filePath("a.json");
    const Outcome run =
        runProgram(QStringList{"attach", "--json", json, "--"} + command, QProcessEnvironment::systemEnvironment());
    const QRegularExpressionMatch printed = QRegularExpression("FPS: (\\d+) FrameTime").match(run.out);
    const Outcome plain = runPlain(command);
    if (!printed.hasMatch() && plain.code != 0)
        QSKIP("the program does not run here without Jetscope, either");
    QVERIFY2(run.code == 0 && printed.hasMatch(), run.describe());
    QCOMPARE(run.err, plain.err);
    const QJsonObject object = jsonOf(json);
    const double frames = object["frames"].toDouble();
    const double expected = printed.captured(1).toDouble() * 3;
    // It prints whole frames a second over about three seconds, and swaps a few times around its scene.
    QVERIFY2(std::abs(frames - expected) <= expected * 0.02 + 10, QJsonDocument(object).toJson() + run.out.toUtf8());
}

/// eglgears prints "N frames in S seconds", about every five seconds.
void AttachedGlTest::countsFramesOfEglgears()
{
    const QString program = QStandardPaths::findExecutable("es2gears_x11");
    if (program.isEmpty())
        QSKIP("es2gears_x11 is not installed (Debian package mesa-utils)");
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        QSKIP("there is no X display");
    QTemporaryDir folder;
    const QString json = folder.filePath("a.json");
    QProcess process;
    // stdbuf preloads a library, too, so that lines arrive at once.
    process.start(JETSCOPE_PROGRAM, {"attach", "--json", json, "--", "stdbuf", "-oL", program});
    const auto stop = qScopeGuard([&] { process.terminate(), process.waitForFinished(); });
    QString out;
    const QRegularExpression line("(\\d+) frames in ([\\d.]+) seconds");
    QVERIFY(QTest::qWaitFor(
        [&] {
            out += QString::fromUtf8(process.readAllStandardOutput());
            return out.contains(line) || process.state() == QProcess::NotRunning;
        },
        60'000));
    process.terminate(); // Goes to the program.
    QVERIFY(process.waitForFinished(60'000));
    const QRegularExpressionMatch printed = line.match(out);
    if (!printed.hasMatch())
        QSKIP("es2gears_x11 does not run here");
    const QJsonObject object = jsonOf(json);
    QVERIFY2(object["frames"].toInteger() >= printed.captured(1).toLongLong(), QJsonDocument(object).toJson());
    const double rate = printed.captured(1).toDouble() / printed.captured(2).toDouble();
    QVERIFY2(std::abs(object["fps"].toDouble() - rate) < rate * 0.2, QJsonDocument(object).toJson());
}

/// GStreamer's GL sink draws each buffer once, and may draw the last one again when the window is exposed.
void AttachedGlTest::countsFramesOfGStreamer()
{
    if (QStandardPaths::findExecutable("gst-launch-1.0").isEmpty())
        QSKIP("gst-launch-1.0 is not installed (Debian package gstreamer1.0-tools)");
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        QSKIP("there is no X display");
    qputenv("GST_GL_PLATFORM", "egl");
    const auto restore = qScopeGuard([] { qunsetenv("GST_GL_PLATFORM"); });
    const QStringList command{
        "gst-launch-1.0", "-q",        "videotestsrc", "num-buffers=120", "!", "video/x-raw,width=320,height=240", "!",
        "glimagesink",    "sync=false"};
    const Attached run = attach(command);
    if (run.plain.code != 0)
        QSKIP("glimagesink does not run here without Jetscope, either (Debian package gstreamer1.0-gl)");
    QCOMPARE(run.under.code, 0);
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.under.err, run.plain.err);
    const int frames = run.json["frames"].toInt();
    QVERIFY2(frames >= 120 && frames <= 130, run.describe());
    QCOMPARE(run.json["lost"]["damaged"].toInt(), 0);
}

/// GL converts the pictures, and files get them.
void AttachedGlTest::keepsThePicturesOfGStreamer()
{
    if (QStandardPaths::findExecutable("gst-launch-1.0").isEmpty())
        QSKIP("gst-launch-1.0 is not installed (Debian package gstreamer1.0-tools)");
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        QSKIP("there is no X display");
    qputenv("GST_GL_PLATFORM", "egl");
    const auto restore = qScopeGuard([] { qunsetenv("GST_GL_PLATFORM"); });
    QTemporaryDir folder;
    const auto command = [&](const char *name) {
        return QStringList{"gst-launch-1.0",
                           "-q",
                           "videotestsrc",
                           "num-buffers=30",
                           "pattern=ball",
                           "!",
                           "video/x-raw,format=I420,width=320,height=240",
                           "!",
                           "glupload",
                           "!",
                           "glcolorconvert",
                           "!",
                           "video/x-raw(memory:GLMemory),format=RGBA",
                           "!",
                           "gldownload",
                           "!",
                           "filesink",
                           "location=" + folder.filePath(name)};
    };
    const auto pictures = [&](const char *name) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const Outcome plain = runPlain(command("plain"));
    if (plain.code != 0)
        QSKIP("glcolorconvert does not run here without Jetscope, either (Debian package gstreamer1.0-gl)");
    const QString json = folder.filePath("a.json");
    const Outcome under = runProgram(QStringList{"attach", "--json", json, "--"} + command("under"),
                                     QProcessEnvironment::systemEnvironment());
    QVERIFY2(under.code == 0 && under.out == plain.out && under.err == plain.err, under.describe());
    QCOMPARE(pictures("plain").size(), 30 * 320 * 240 * 4);
    QVERIFY(pictures("under") == pictures("plain"));
    QVERIFY(jsonOf(json)["recorded"].toInt() > 30);
}

/// A video player, which draws each picture of the file once, and a few more for its window.
void AttachedGlTest::countsFramesOfMpv()
{
    constexpr int kPictures = 90;
    if (QStandardPaths::findExecutable("mpv").isEmpty())
        QSKIP("mpv is not installed (Debian package mpv)");
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        QSKIP("there is no X display");
    QTemporaryDir folder;
    QFile video(folder.filePath("a.y4m"));
    QVERIFY(video.open(QIODevice::WriteOnly));
    video.write("YUV4MPEG2 W160 H120 F30:1 Ip C420\n");
    for (int picture = 0; picture < kPictures; ++picture)
        video.write("FRAME\n" + QByteArray(160 * 120, static_cast<char>(picture)) + QByteArray(160 * 120 / 2, 100));
    video.close();
    const Attached run = attach({"mpv", "--no-config", "--really-quiet", "--vo=gpu", "--gpu-context=x11egl", "--gpu-sw",
                                 "--hwdec=no", "--untimed", "--framedrop=no", "--osd-level=0", video.fileName()});
    if (run.plain.code != 0)
        QSKIP("mpv does not show pictures by EGL here without Jetscope, either");
    QCOMPARE(run.under.code, 0);
    QCOMPARE(run.under.out + run.under.err, run.plain.out + run.plain.err);
    const int frames = run.json["frames"].toInt();
    QVERIFY2(frames >= kPictures && frames <= kPictures + 10, run.describe());
    QCOMPARE(run.json["lost"]["damaged"].toInt(), 0);
}

/// A program of the distribution that runs a file of ten lines, which counts its frames itself.
void AttachedGlTest::countsFramesOfQtQuick()
{
    const QString program = QStandardPaths::findExecutable("qml", {"/usr/lib/qt6/bin", "/usr/bin"});
    if (program.isEmpty())
        QSKIP("qml of Qt 6 is not installed (Debian package qml-qt6)");
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        QSKIP("there is no X display");
    QTemporaryDir folder;
    QFile file(folder.filePath("a.qml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("import QtQuick\nWindow {\n  visible: true; width: 200; height: 200; property int frames: 0\n"
               "  Rectangle {\n    width: 80; height: 80; color: 'teal'\n    NumberAnimation on x { to: 100; "
               "duration: 60000 }\n  }\n  onFrameSwapped: if (++frames == 60) { console.log('frames ' + frames); "
               "Qt.exit(3) }\n}\n");
    file.close();
    qputenv("QSG_RENDER_LOOP", "basic"); // Frames and their count on one thread.
    const auto restore = qScopeGuard([] { qunsetenv("QSG_RENDER_LOOP"); });
    const Attached run = attach({program, "-platform", "xcb", file.fileName()});
    if (run.plain.code != 3)
        QSKIP("Qt Quick does not run here without Jetscope, either (packages: quick_test_packages in "
              "packaging/setup.sh)");
    QCOMPARE(run.under.code, 3);
    QCOMPARE(run.under.out + run.under.err, run.plain.out + run.plain.err);
    QVERIFY2(run.under.err.contains("frames 60"), run.describe());
    const int frames = run.json["frames"].toInt();
    QVERIFY2(frames >= 60 && frames <= 62, run.describe());
    QVERIFY(run.json["gpu"]["busy_ms_per_frame"].isNull());
    QVERIFY(run.json["gpu"]["busy_reason"].toString().contains("GL"));
}

JETSCOPE_TEST(AttachedGlTest)
#include "tst_attachedgl.moc"
