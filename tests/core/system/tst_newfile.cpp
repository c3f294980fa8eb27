// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/newfile.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace jetscope;

class TestNewFile : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string pathOf(const char *name) const { return m_folder->filePath(name).toStdString(); }
    QStringList files() const { return QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }
    QByteArray content(const char *name) const
    {
        QFile file(m_folder->filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void hasItsNameOnlyWhenItIsWhole();
    void leavesNothingWithoutAnEnd();
    void neverReplacesAFile();
    void goesRoundWhatWasLeftBehind();
    void replacesAFileWhenTheNewOneIsWhole();
    void badNamesAreRefused_data();
    void badNamesAreRefused();
    void whatDoesNotFitIsSaid();
    void maskOfTheUserHolds();
};

void TestNewFile::hasItsNameOnlyWhenItIsWhole()
{
    Result<OutputFile> file = OutputFile::create(pathOf("a.json"));
    QVERIFY(file.ok());
    file.value().write("half");
    QCOMPARE(files(), QStringList{"a.json.part"});
    file.value().write(" and half");
    QVERIFY(file.value().finish().ok());
    QCOMPARE(files(), QStringList{"a.json"});
    QCOMPARE(content("a.json"), QByteArray("half and half"));
}

void TestNewFile::leavesNothingWithoutAnEnd()
{
    {
        Result<OutputFile> file = OutputFile::create(pathOf("a.json"));
        QVERIFY(file.ok());
        file.value().write("half");
    }
    QCOMPARE(files(), QStringList());
}

void TestNewFile::neverReplacesAFile()
{
    Result<OutputFile> file = OutputFile::create(pathOf("a.json"));
    QVERIFY(file.ok());
    file.value().write("ours");
    {
        Result<OutputFile> faster = OutputFile::create(pathOf("a.json"));
        QVERIFY(faster.ok());
        faster.value().write("theirs");
        QVERIFY(faster.value().finish().ok());
    }
    const Status finished = file.value().finish();
    QVERIFY(!finished.ok() && finished.error().text.find("exists already") != std::string::npos);
    QCOMPARE(content("a.json"), QByteArray("theirs"));
    const Result<OutputFile> late = OutputFile::create(pathOf("a.json"));
    QVERIFY(!late.ok() && late.error().text.find("exists already") != std::string::npos);
}

void TestNewFile::goesRoundWhatWasLeftBehind()
{
    QFile left(m_folder->filePath("a.json.part"));
    QVERIFY(left.open(QIODevice::WriteOnly) && left.write("left") == 4);
    left.close();
    Result<OutputFile> file = OutputFile::create(pathOf("a.json"));
    QVERIFY(file.ok());
    QVERIFY(file.value().finish().ok());
    QCOMPARE(files(), (QStringList{"a.json", "a.json.part"}));
    QCOMPARE(content("a.json.part"), QByteArray("left"));
}

void TestNewFile::replacesAFileWhenTheNewOneIsWhole()
{
    const auto writing = [](const char *text, bool toTheEnd) {
        return [=](const std::string &place) -> Status {
            Result<OutputFile> file = OutputFile::create(place);
            if (!file.ok())
                return file.error();
            file.value().write(text);
            return toTheEnd ? file.value().finish() : sentence("cancelled");
        };
    };
    const std::string path = pathOf("a.json");
    QVERIFY(!replaceFile(path, writing("first", false)).ok());
    QCOMPARE(files(), QStringList());
    QVERIFY(replaceFile(path, writing("first", true)).ok());
    QCOMPARE(content("a.json"), QByteArray("first"));
    QVERIFY(!replaceFile(path, writing("second", false)).ok());
    QCOMPARE(content("a.json"), QByteArray("first"));
    QVERIFY(replaceFile(path, writing("second", true)).ok());
    QCOMPARE(content("a.json"), QByteArray("second"));
    QCOMPARE(files(), QStringList{"a.json"});
    const Status folder = replaceFile("/tmp", writing("third", true));
    QVERIFY(!folder.ok() && folder.error().text.find("/tmp") != std::string::npos);
}

void TestNewFile::badNamesAreRefused_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("why");
    QTest::newRow("none") << ""
                          << "without a name";
    QTest::newRow("a folder") << "/tmp"
                              << "is a folder: name a new file in it";
    QTest::newRow("a folder that is not there") << "/tmp/not-there-at-all/"
                                                << "no such folder";
    QTest::newRow("in no folder") << "/not-there-at-all/a"
                                  << "no such folder";
    QTest::newRow("too long") << "/tmp/" + QString(300, 'a') << "too long";
    QTest::newRow("a device") << "/dev/null"
                              << "exists already";
}

void TestNewFile::badNamesAreRefused()
{
    QFETCH(QString, path);
    QFETCH(QString, why);
    const Result<OutputFile> file = OutputFile::create(path.toStdString());
    QVERIFY(!file.ok());
    QVERIFY2(file.error().text.find(why.toStdString()) != std::string::npos, file.error().text.c_str());
}

void TestNewFile::whatDoesNotFitIsSaid()
{
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{4096, before.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    Status finished;
    if (Result<OutputFile> file = OutputFile::create(pathOf("a.json")); file.ok()) {
        for (int i = 0; i < 100 && !file.value().failed(); ++i)
            file.value().write(std::string(1000, 'x'));
        finished = file.value().finish();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!finished.ok());
    QVERIFY2(finished.error().text.find("ulimit -f") != std::string::npos, finished.error().text.c_str());
    QCOMPARE(files(), QStringList());
}

void TestNewFile::maskOfTheUserHolds()
{
    const mode_t before = umask(027);
    Result<OutputFile> file = OutputFile::create(pathOf("a.json"));
    const bool finished = file.ok() && file.value().finish().ok();
    umask(before);
    QVERIFY(finished);
    struct stat facts = {};
    QCOMPARE(stat(pathOf("a.json").c_str(), &facts), 0);
    QCOMPARE(facts.st_mode & 0777U, 0640U);
}

JETSCOPE_TEST(TestNewFile)
#include "tst_newfile.moc"
