// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "tests/support/testprogram.h"

#include <elf.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/// Programs that cannot be inspected, and how it is said.
class AttachRefusalsTest : public QObject {
    Q_OBJECT

private slots:
    void refusesProgram_data();
    void refusesProgram();
    void refusesSetUidPrograms_data();
    void refusesSetUidPrograms();
    void refusesOtherProcessors();
    void refusesProgramsOfOtherLinkers();
    void refusesWords_data();
    void refusesWords();
    void runsScripts();
    void runsScriptsOfScripts();
    void readsLittleOfAFile();
    void saysThatItMayOpenNoFile();
    void keepsThePreloadsOfTheUser();
    void replacesNoFile();
    void probesTheMachine();
};

void AttachRefusalsTest::refusesProgram_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("words");
    QTest::newRow("no such file") << "./no-such-program"
                                  << "no program";
    QTest::newRow("not in PATH") << "no-such-program"
                                 << "PATH";
    QTest::newRow("a folder") << "/tmp"
                              << "no program";
    QTest::newRow("static") << PROGRAM_STATIC << "statically";
    QTest::newRow("not executable") << "/etc/passwd"
                                    << "may not be run";
}

void AttachRefusalsTest::refusesProgram()
{
    QFETCH(QString, program);
    QFETCH(QString, words);
    if (program == "/etc/passwd" && access("/etc/passwd", X_OK) == 0)
        QSKIP("every file may be run here");
    QTemporaryDir folder;
    const Outcome run = runProgram({"attach", "--record", folder.filePath("a.jscope"), "--", program});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.oneSentence() && run.err.contains(words), run.describe());
    QVERIFY(!QFile::exists(folder.filePath("a.jscope")));
}

void AttachRefusalsTest::refusesSetUidPrograms_data()
{
    QTest::addColumn<bool>("ofGroup");
    QTest::newRow("set-uid") << false;
    QTest::newRow("set-gid") << true;
}

void AttachRefusalsTest::refusesSetUidPrograms()
{
    QFETCH(bool, ofGroup);
    QTemporaryDir folder;
    const QString copy = folder.filePath("program");
    QVERIFY(QFile::copy(PROGRAM_LAZY, copy));
    constexpr auto kSame = static_cast<uid_t>(-1);
    const int given = ofGroup ? chown(copy.toLocal8Bit().constData(), kSame, getgid() + 1)
                              : chown(copy.toLocal8Bit().constData(), getuid() + 1, kSame);
    if (given != 0)
        QSKIP("only root can give a file to another user or group");
    QCOMPARE(chmod(copy.toLocal8Bit().constData(), ofGroup ? 02755 : 04755), 0);
    const Outcome run = runProgram({"attach", "--", copy});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.oneSentence() && run.err.contains(ofGroup ? "set-gid" : "set-uid"), run.describe());
}

void AttachRefusalsTest::refusesOtherProcessors()
{
    QTemporaryDir folder;
    const QString copy = folder.filePath("program");
    QVERIFY(QFile::copy(PROGRAM_LAZY, copy));
    QFile file(copy);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(offsetof(Elf64_Ehdr, e_machine)));
    const std::uint16_t riscv = 243;
    QCOMPARE(file.write(reinterpret_cast<const char *>(&riscv), sizeof riscv), 2);
    file.close();
    const Outcome run = runProgram({"attach", "--", copy});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.oneSentence() && run.err.contains("another processor"), run.describe());
    // Any damage of the header is a sentence, too.
    for (qint64 place = 0; place < 64; ++place) {
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(place));
        file.write("\xff");
        file.close();
        const Outcome damaged = runProgram({"attach", "--", copy});
        QVERIFY2(damaged.code == 1 && damaged.oneSentence(), damaged.describe());
    }
}

void AttachRefusalsTest::refusesProgramsOfOtherLinkers()
{
    QFile program(PROGRAM_LAZY);
    QVERIFY(program.open(QIODevice::ReadOnly));
    QByteArray bytes = program.readAll();
    const qsizetype linker = bytes.indexOf("/ld-linux");
    QVERIFY(linker > 0);
    bytes.replace(linker, 9, "/ld-musl-"); // The rest of its name does not matter.
    QTemporaryDir folder;
    QFile copy(folder.filePath("program"));
    QVERIFY(copy.open(QIODevice::WriteOnly) && copy.write(bytes) == bytes.size());
    copy.close();
    QVERIFY(copy.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const Outcome run = runProgram({"attach", "--", copy.fileName()});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.oneSentence() && run.err.contains("musl"), run.describe());
}

void AttachRefusalsTest::refusesWords_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("said");
    QTest::newRow("no program") << QStringList{} << "no program to inspect";
    QTest::newRow("frames by NVTX without a name") << QStringList{"--frame", "nvtx:", "true"} << "nvtx:NAME";
    QTest::newRow("frames by an unknown call") << QStringList{"--frame", "call:exit", "true"} << "--probe";
    QTest::newRow("frames by a counted call") << QStringList{"--frame", "call:glDrawArrays", "true"} << "--probe";
    QTest::newRow("unknown frame") << QStringList{"--frame", "vsync", "true"} << "auto, swap";
    QTest::newRow("no time") << QStringList{"--duration", "0", "true"} << "seconds";
    QTest::newRow("JSON without a file") << QStringList{"--json"} << "--json needs FILE";
    QTest::newRow("JSON to standard output") << QStringList{"--json", "-", "true"} << "give a file";
}

void AttachRefusalsTest::refusesWords()
{
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    const Outcome run = runProgram(QStringList{"attach"} + words);
    QCOMPARE(run.code, 2);
    QVERIFY2(run.oneSentence() && run.err.contains(said), run.describe());
}

void AttachRefusalsTest::runsScripts()
{
    QTemporaryDir folder;
    const QString script = folder.filePath("script");
    QFile file(script);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QString("#!/bin/sh\n%1 linked \"$1\"\nexit 9\n").arg(PROGRAM_LAZY).toUtf8());
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    // Without "--": what follows the program is the program's, also what looks like an option of Jetscope.
    const QString json = folder.filePath("a.json");
    const Outcome run = runProgram({"attach", "--json", json, script, "7", "--version", ""});
    QCOMPARE(run.code, 9);
    const QJsonObject object = jsonOf(json);
    QCOMPARE(object["calls"]["eglSwapBuffers"].toInt(), 7);
}

namespace {

bool writeScript(const QString &path, const QString &interpreter, const QString &text = {})
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write(("#!" + interpreter + "\n" + text).toUtf8());
    file.close();
    return file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

} // namespace

/// As the system does it: five scripts at most.
void AttachRefusalsTest::runsScriptsOfScripts()
{
    QTemporaryDir folder;
    QString interpreter = "/bin/sh";
    for (int depth = 1; depth <= 6; ++depth) {
        const QString script = folder.filePath(QString("script%1").arg(depth));
        QVERIFY(
            writeScript(script, interpreter, depth == 1 ? QString(PROGRAM_LAZY) + " linked 3\nexit 9\n" : QString()));
        interpreter = script;
        const QString json = folder.filePath(QString("%1.json").arg(depth));
        const Outcome run = runProgram({"attach", "--json", json, script});
        QProcess plain;
        plain.start(script, QStringList());
        const bool starts = plain.waitForStarted();
        plain.waitForFinished();
        if (starts) {
            QVERIFY2(run.code == 9, run.describe());
            const QJsonObject object = jsonOf(json);
            QCOMPARE(object["calls"]["eglSwapBuffers"].toInt(), 3);
        } else {
            QVERIFY2(run.code == 1 && run.oneSentence() && run.err.contains("and so on"), run.describe());
        }
        QCOMPARE(starts, depth <= 5);
    }
}

/// A file without an end of line.
void AttachRefusalsTest::readsLittleOfAFile()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("large");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64{1} << 30));
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const Outcome run = runProgram({"attach", "--", path});
    QVERIFY2(run.code == 1 && run.oneSentence() && run.err.contains("neither a program"), run.describe());
    rusage use{};
    QCOMPARE(getrusage(RUSAGE_CHILDREN, &use), 0);
    QVERIFY2(use.ru_maxrss * 1024 < (1L << 30) / 4, qPrintable(QString::number(use.ru_maxrss)));
}

void AttachRefusalsTest::saysThatItMayOpenNoFile()
{
    Outcome run;
    int refusals = 0;
    for (int files = 4; files < 40; ++files) { // How many it has open by then depends on the machine.
        run = runShell(QString("ulimit -n %1; exec \"$0\" attach -- /bin/true").arg(files));
        if (run.code == 0)
            break;
        QVERIFY2(!run.err.contains("neither a program") && !run.err.contains("; check that it runs"), run.describe());
        refusals += run.err.contains("no further file may be opened") ? 1 : 0;
    }
    QCOMPARE(run.code, 0);
    QVERIFY(refusals > 0);
}

void AttachRefusalsTest::keepsThePreloadsOfTheUser()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", MOCK_CUDA);
    environment.insert("ASAN_OPTIONS", "verify_asan_link_order=0"); // The sanitizer wants to be the first.
    const Outcome run = runProgram({"attach", "--", "/bin/sh", "-c", "echo $LD_PRELOAD"}, environment);
    QCOMPARE(run.out.trimmed(), QString("%1:%2").arg(ATTACH_LIBRARY, MOCK_CUDA));
    // The variables that Jetscope sets for itself are not the program's.
    const Outcome variables = runProgram({"attach", "--", "/bin/sh", "-c", "echo $MESA_DEBUG$EGL_LOG_LEVEL"});
    QCOMPARE(variables.out, QString("\n"));
}

void AttachRefusalsTest::replacesNoFile()
{
    QTemporaryDir folder;
    const QString json = folder.filePath("a.json");
    QVERIFY(QFile(json).open(QIODevice::WriteOnly));
    const Outcome run = runProgram({"attach", "--json", json, "--", "/bin/echo", "ran"});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.oneSentence() && run.out.isEmpty(), run.describe());
}

void AttachRefusalsTest::probesTheMachine()
{
    const Outcome run = runProgram({"attach", "--probe"});
    QCOMPARE(run.code, 0);
    for (const char *words : {"library to preload: yes", "tier A): no", "(tier D): ", "context switches (tier D): no",
                              "eglSwapBuffers", "cuLaunchKernel"})
        QVERIFY2(run.out.contains(words), run.describe());
}

JETSCOPE_TEST(AttachRefusalsTest)
#include "tst_attachrefusals.moc"
