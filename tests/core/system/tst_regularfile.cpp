// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/bytesource.h"
#include "core/exchange/opentrace.h"
#include "core/measure/probe/keptprobes.h"
#include "core/measure/probe/probejson.h"
#include "core/system/besidedatabase.h"
#include "core/system/filecache.h"
#include "core/system/regularfile.h"
#include "tests/core/probetables.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <sys/stat.h>

using namespace jetscope;
using namespace jetscope::test;

/// Whatever opens a file that a user names, given something that is none.
class TestRegularFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_pipe;

private slots:
    void initTestCase();
    void readsFiles();
    void refusesWhatIsNone_data();
    void refusesWhatIsNone();
    void aPipeAsKeptProbeIsSaid();
    void aPipeInTheCacheIsNotRead();
};

void TestRegularFile::initTestCase()
{
    m_pipe = m_folder.filePath("pipe").toStdString();
    QCOMPARE(mkfifo(m_pipe.c_str(), 0600), 0);
    QVERIFY(QFile::link("/dev/zero", m_folder.filePath("zero")));
}

void TestRegularFile::readsFiles()
{
    const QString path = m_folder.filePath("text");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(QByteArray(40'000, 'x')), qint64{40'000});
    file.close();
    QCOMPARE(readRegularFile(path.toStdString(), 40'000).value(), std::string(40'000, 'x'));
    const Result<std::string> large = readRegularFile(path.toStdString(), 39'999);
    QVERIFY(!large.ok() && large.error().text.find("larger than 39999 bytes") != std::string::npos);
    QVERIFY(readRegularFile("/proc/self/status", 1 << 20).ok()); // Has no size, but an end.
}

void TestRegularFile::refusesWhatIsNone_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("pipe") << QString::fromStdString(m_pipe);
    QTest::newRow("device without an end") << m_folder.filePath("zero");
    QTest::newRow("terminal") << "/dev/tty";
    QTest::newRow("folder") << m_folder.path();
    QTest::newRow("messages of the kernel") << "/proc/kmsg"; // A file by its kind, which waits for the next message.
    QTest::newRow("none") << m_folder.filePath("none");
}

void TestRegularFile::refusesWhatIsNone()
{
    QFETCH(QString, path);
    const std::string name = path.toStdString();
    const auto refuses = [&](const auto &result) {
        return !result.ok() && result.error().text.find(name) != std::string::npos
            && isOneSentence(result.error().text);
    };
    QVERIFY(refuses(readRegularFile(name, 1 << 24)));
    QVERIFY(refuses(readProbe(name)));
    Watcher watcher;
    QVERIFY(refuses(openTrace(name, watcher)));
    Result<ByteSource> source = ByteSource::open(name);
    std::vector<char> bytes(1 << 24);
    QVERIFY(!source.ok() || !source.value().read(bytes).ok());
    QVERIFY(!foreignFilesBeside(name).any());
}

void TestRegularFile::aPipeAsKeptProbeIsSaid()
{
    const DeviceFacts facts = testing::madeUpTable(8, 7).device;
    const std::string path = keptProbePath(m_folder.path().toStdString(), facts);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    QCOMPARE(mkfifo(path.c_str(), 0600), 0);
    const auto kept = keptProbe(facts, m_folder.path().toStdString());
    QVERIFY(!kept.ok());
    QVERIFY2(kept.error().text.find("is no file") != std::string::npos, kept.error().text.c_str());
}

void TestRegularFile::aPipeInTheCacheIsNotRead()
{
    const std::string folder = m_folder.filePath("cache").toStdString();
    const FileCache cache(folder, ".bin");
    cache.store("identity", "content");
    QCOMPARE(cache.find("identity").value(), std::string("content"));
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        std::filesystem::remove(entry.path());
        QCOMPARE(mkfifo(entry.path().c_str(), 0600), 0);
    }
    QVERIFY(!cache.find("identity"));
}

JETSCOPE_TEST(TestRegularFile)
#include "tst_regularfile.moc"
