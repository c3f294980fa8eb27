// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/busyprocesses.h"
#include "core/time/clock.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <unistd.h>

using namespace jetscope;

/// Which programs had the processors: a folder in the place of /proc, and a program that runs for real.
class TestBusyProcesses : public QObject {
    Q_OBJECT
private slots:
    void namesThoseThatRan();
    void strangeEntriesAreLeftOut();
    void nothingIsSaidOfQuietMachines();
    void findsAProgramThatRuns();

private:
    /// An entry of a process whose times are `ticks` each.
    static void put(const QTemporaryDir &folder, int pid, const QByteArray &name, int ticks, int start = 100)
    {
        QDir(folder.path()).mkpath(QString::number(pid));
        write(folder, pid, "comm", name + "\n");
        write(folder, pid, "stat",
              QByteArray::number(pid) + " (" + name + ") R 1 1 1 0 -1 4194304 0 0 0 0 " + QByteArray::number(ticks)
                  + " 0 0 0 20 0 1 0 " + QByteArray::number(start) + " 0 0\n");
    }
    static void write(const QTemporaryDir &folder, int pid, const char *name, const QByteArray &text)
    {
        QFile file(folder.filePath(QStringLiteral("%1/%2").arg(pid).arg(QString::fromLatin1(name))));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    }
    /// As if they were read a second after the others.
    static ProcessTimes secondLater(const QTemporaryDir &folder, const ProcessTimes &before)
    {
        ProcessTimes now = readProcessTimes(folder.path().toStdString());
        now.ns = before.ns + 1'000'000'000;
        return now;
    }
    /// A part of a second in ticks.
    static int ticksOf(double seconds) { return static_cast<int>(seconds * static_cast<double>(sysconf(_SC_CLK_TCK))); }
    static std::string words(const QTemporaryDir &folder, const ProcessTimes &before, const ProcessTimes &now)
    {
        return busyWords(before, now, folder.path().toStdString());
    }
};

void TestBusyProcesses::namesThoseThatRan()
{
    const QTemporaryDir folder;
    put(folder, 10, "steady", 1000);
    put(folder, 11, "idle", 5000);
    put(folder, 12, "some", 0);
    put(folder, 13, "few", 0);
    put(folder, 14, "ended and begun", 5000, 1);
    put(folder, getpid(), "own", 0);
    const ProcessTimes before = readProcessTimes(folder.path().toStdString());
    QCOMPARE(before.processes.size(), std::size_t{6});
    put(folder, 10, "steady", 1000 + ticksOf(0.98));
    put(folder, 12, "some", ticksOf(0.25));
    put(folder, 13, "few", ticksOf(0.05));
    put(folder, 14, "another", ticksOf(0.4), 2); // Of the same number.
    put(folder, getpid(), "own", ticksOf(1.8));
    QCOMPARE(
        words(folder, before, secondLater(folder, before)),
        std::string("in the last 1.0 s this program itself had 180 % of a processor, steady (10) 98 %, another (14) "
                    "40 %"));
}

void TestBusyProcesses::strangeEntriesAreLeftOut()
{
    const QTemporaryDir folder;
    put(folder, 20, "a) R 1 (b\n\x1b[31m", 0);
    put(folder, 21, "cut", 0);
    write(folder, 21, "stat", "21 (cut) R 1 1");
    QDir(folder.path()).mkpath(QStringLiteral("22")); // It has ended meanwhile.
    QDir(folder.path()).mkpath(QStringLiteral("-5"));
    QDir(folder.path()).mkpath(QStringLiteral("99999999999999999999"));
    const ProcessTimes before = readProcessTimes(folder.path().toStdString());
    QCOMPARE(before.processes.size(), std::size_t{1});
    put(folder, 20, "a) R 1 (b\n\x1b[31m", ticksOf(0.5));
    const std::string text = words(folder, before, secondLater(folder, before));
    QVERIFY2(text.find("(20) had 50 %") != std::string::npos, text.c_str());
    QVERIFY2(text.find('\x1b') == std::string::npos && text.find('\n') == std::string::npos, text.c_str());
}

void TestBusyProcesses::nothingIsSaidOfQuietMachines()
{
    const QTemporaryDir folder;
    put(folder, 30, "quiet", 70);
    const ProcessTimes before = readProcessTimes(folder.path().toStdString());
    QCOMPARE(words(folder, before, secondLater(folder, before)), std::string());
    QCOMPARE(words(folder, before, before), std::string()); // No time between them.
    put(folder, 30, "quiet", 60);                           // A time that went back.
    QCOMPARE(words(folder, before, secondLater(folder, before)), std::string());
    BusyProcesses nobody(folder.filePath("missing").toStdString());
    QCOMPARE(nobody.words(nowNs()), std::string());
}

void TestBusyProcesses::findsAProgramThatRuns()
{
    QProcess busy;
    busy.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("while :; do :; done")});
    QVERIFY(busy.waitForStarted());
    const std::string number = "(" + std::to_string(busy.processId()) + ") ";
    {
        const std::shared_ptr<BusyProcesses> processes = BusyProcesses::shared();
        QVERIFY(BusyProcesses::shared() == processes);
        // On a machine whose other programs are busier it may be the fourth at first.
        QTRY_VERIFY_WITH_TIMEOUT(processes->words(nowNs()).find(number) != std::string::npos, 30'000);
    }
    busy.kill();
    QVERIFY(busy.waitForFinished());
}

JETSCOPE_TEST(TestBusyProcesses)
#include "tst_busyprocesses.moc"
