// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
// What the program loads, and when: only the window may need Qt, a short command must not wait for the libraries of
// OpenCV and GStreamer, and a package without a module must say what to install.
#include "tests/app/programalone.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QFileInfo>

using jetscope::testing::ProgramAlone;

namespace {

/// What the dynamic linker says about each library that it opens.
Outcome runListingLibraries(const QStringList &arguments)
{
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("LD_DEBUG", "files");
    return runProgram(arguments, environment);
}

bool isBuilt(const char *module)
{
    return QFile::exists(QFileInfo(JETSCOPE_PROGRAM).path() + "/libjetscope-" + module + ".so");
}

} // namespace

class TestModules : public QObject {
    Q_OBJECT

private slots:
    void aShortCommandOpensNoModule_data();
    void aShortCommandOpensNoModule();
    void aModuleIsOpenedWhenItIsNeeded_data();
    void aModuleIsOpenedWhenItIsNeeded();
    void aMissingModuleSaysWhatToInstall_data();
    void aMissingModuleSaysWhatToInstall();
    void theRestWorksWithoutModules();
    void aDamagedModuleSaysWhy();
    void aModuleOfAnotherVersionIsRefused();
};

void TestModules::aShortCommandOpensNoModule_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("help") << QStringList{"--help"};
    QTest::newRow("version") << QStringList{"--version"};
    QTest::newRow("help of a command") << QStringList{"run", "--help"};
    QTest::newRow("rules") << QStringList{"rules", "A1", "--json"};
    QTest::newRow("top") << QStringList{"top", "--count", "1", "--json"};
}

void TestModules::aShortCommandOpensNoModule()
{
    QFETCH(const QStringList, arguments);
    const Outcome outcome = runListingLibraries(arguments);
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QVERIFY2(outcome.err.contains("libsqlite3"), "the dynamic linker lists no libraries"); // Or this test sees nothing.
    for (const char *library : {"libQt6", "libicu", "libopencv_", "libgst", "libavcodec", "libjetscope-"})
        QVERIFY2(!outcome.err.contains(library), library);
}

void TestModules::aModuleIsOpenedWhenItIsNeeded_data()
{
    QTest::addColumn<QString>("module");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("opened");
    QTest::addColumn<QString>("notOpened");
    const QStringList run{"run", "--device", "soft:orin", "--frames", "2"};
    QTest::newRow("a file") << "files" << run + QStringList{"--source", "file:%1"} << 0 << "libopencv_imgcodecs"
                            << "libQt6";
    QTest::newRow("a pipeline") << "streams" << run + QStringList{"--source", "gst:videotestsrc"} << 0 << "libgstapp"
                                << "libjetscope-files";
    QTest::newRow("the CPU stage") << "cpustage" << run + QStringList{"--cpu-stage", "pipelined"} << 0
                                   << "libopencv_imgproc"
                                   << "libopencv_videoio";
    // Without a display the window says that it cannot open; its module was loaded to find that out.
    QTest::newRow("the window") << "window" << QStringList() << 1 << "libQt6Widgets"
                                << "libjetscope-streams";
}

void TestModules::aModuleIsOpenedWhenItIsNeeded()
{
    QFETCH(const QString, module);
    QFETCH(QStringList, arguments);
    QFETCH(const int, code);
    QFETCH(const QString, opened);
    QFETCH(const QString, notOpened);
    if (!isBuilt(module.toUtf8()))
        QSKIP("this build has no such module");
    const QTemporaryDir folder;
    const QString picture = folder.filePath("picture.ppm");
    QFile file(picture);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("P6 64 64 255\n" + QByteArray(64 * 64 * 3, 'x')) > 0);
    file.close();
    arguments.replaceInStrings("%1", picture);
    const Outcome outcome = runListingLibraries(arguments);
    QVERIFY2(outcome.finished && outcome.code == code, outcome.describe().right(2000));
    QVERIFY2(outcome.err.contains("libjetscope-" + module), qPrintable(module));
    QVERIFY2(outcome.err.contains(opened), qPrintable(opened));
    QVERIFY2(!outcome.err.contains(notOpened), qPrintable(notOpened));
}

void TestModules::aMissingModuleSaysWhatToInstall_data()
{
    QTest::addColumn<QString>("module");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("the window") << "window" << QStringList() << "install the package jetscope";
    QTest::newRow("a file") << "files" << QStringList{"run", "--source", "file:clip.mp4"} << "install Jetscope again";
    QTest::newRow("a stream") << "streams" << QStringList{"run", "--source", "rtsp://me:secret@host/a"}
                              << "install Jetscope again";
    QTest::newRow("the CPU stage") << "cpustage"
                                   << QStringList{"run", "--device", "soft:orin", "--cpu-stage", "pipelined"}
                                   << "install Jetscope again";
}

void TestModules::aMissingModuleSaysWhatToInstall()
{
    QFETCH(const QString, module);
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, remedy);
    if (!isBuilt(module.toUtf8()))
        QSKIP("this build has no such module");
    const ProgramAlone program;
    const Outcome outcome = program.run(arguments);
    QVERIFY2(outcome.finished && outcome.code == 2, outcome.describe());
    QVERIFY2(outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.contains("is not installed (libjetscope-" + module + ".so is missing)"), outcome.describe());
    QVERIFY2(outcome.err.contains(remedy), outcome.describe());
    QVERIFY2(!outcome.err.contains("secret"), outcome.describe());
}

void TestModules::theRestWorksWithoutModules()
{
    const ProgramAlone program;
    const Outcome outcome = program.run({"run", "--device", "soft:orin", "--frames", "5", "--json"});
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QCOMPARE(outcome.json().value("frames").toInt(), 5);
}

void TestModules::aDamagedModuleSaysWhy()
{
    if (!isBuilt("window"))
        QSKIP("this build has no such module");
    const ProgramAlone program;
    QFile file(program.path("libjetscope-window.so"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(4096, 'x')) > 0);
    file.close();
    const Outcome outcome = program.run({});
    QVERIFY2(outcome.finished && outcome.code == 2, outcome.describe());
    QVERIFY2(outcome.oneSentence() && outcome.err.contains("invalid ELF header"), outcome.describe());
}

void TestModules::aModuleOfAnotherVersionIsRefused()
{
    if (!isBuilt("window"))
        QSKIP("this build has no such module");
    const ProgramAlone program;
    QVERIFY(QFile::copy(JETSCOPE_OTHER_MODULE, program.path("libjetscope-window.so")));
    const Outcome outcome = program.run({});
    QVERIFY2(outcome.finished && outcome.code == 2, outcome.describe());
    QVERIFY2(outcome.oneSentence() && outcome.err.contains("the window is of version 0.0.1"), outcome.describe());
    QVERIFY2(outcome.err.contains(JETSCOPE_VERSION), outcome.describe());
}

JETSCOPE_TEST(TestModules)
#include "tst_modules.moc"
