// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/system/besidedatabase.h"
#include "core/system/database.h"
#include "core/system/newfile.h"
#include "core/tracefile/savetrace.h"
#include "core/tracefile/tracefiletables.h"
#include "tests/core/sampletrace.h"
#include "tests/core/unprivileged.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <optional>
#include <sys/stat.h>

using namespace jetscope;
using namespace jetscope::test;

namespace {

QByteArray bytesBeside(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

void putBytes(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("%s cannot be written", qPrintable(path));
}

/// The files of a database as its writer leaves them when it is killed.
struct KilledWriter {
    QByteArray database;
    QByteArray log;
    QByteArray journal;

    void putAt(const QString &path) const
    {
        putBytes(path, database);
        putBesideAt(path);
    }
    void putBesideAt(const QString &path) const
    {
        if (!log.isEmpty())
            putBytes(path + "-wal", log);
        if (!journal.isEmpty())
            putBytes(path + "-journal", journal);
    }
};

KilledWriter killedFilesAt(const QString &path)
{
    const auto there = [](const QString &name) { return QFile::exists(name) ? bytesBeside(name) : QByteArray(); };
    return {bytesBeside(path), there(path + "-wal"), there(path + "-journal")};
}

std::uint64_t spanCountOf(const QString &path, QStringList *notes = nullptr)
{
    Watcher watcher;
    const Result<OpenedTrace> read = openTrace(path.toStdString(), watcher);
    if (!read.ok()) {
        qWarning("%s", read.error().text.c_str());
        return ~std::uint64_t{0};
    }
    if (notes)
        for (const std::string &note : read.value().notes)
            *notes << QString::fromStdString(note);
    return read.value().trace.spanCount();
}

} // namespace

/// Files that a killed writer leaves beside a database, and databases of the same name that come after it.
class TestBesideDatabase : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString pathOf(const char *name) const { return m_folder->filePath(name); }
    QStringList files() const { return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name); }
    KilledWriter killedRecording(int spans);
    KilledWriter killedChange(const QByteArray &database, bool spilled);
    QByteArray saved(int frames);

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void aKilledRecordingIsRead();
    void aLogOfAnotherCaptureIsNotRead_data();
    void aLogOfAnotherCaptureIsNotRead();
    void aLogOfAnotherExportIsNotRead();
    void pipesBesideItAreNotOpened();
    void aKilledChangeIsTakenBack_data();
    void aKilledChangeIsTakenBack();
    void aJournalOfAnotherCaptureIsNotRead_data();
    void aJournalOfAnotherCaptureIsNotRead();
    void writingRefusesWhatIsForeign();
    void aNewDatabaseIsNotMadeBesideLeftOvers();
    void leftOversAreMovedAndNamed();
    void leftOversInUseStay();
    void aReplacedDatabaseLosesNothing();
    void anEndedRecorderLeavesTheNextOneAlone();
};

/// In WAL mode, as recordings are, with all spans in the log.
KilledWriter TestBesideDatabase::killedRecording(int spans)
{
    const QString path = pathOf("killed.tmp");
    KilledWriter killed;
    {
        Result<TraceFileTables> tables = TraceFileTables::create(path.toStdString());
        if (!tables.ok())
            qFatal("%s", tables.error().text.c_str());
        tables.value().setLane({0, LaneRole::Pipeline, "pipeline", ""});
        tables.value().setName(0, {"frame", Category::Submit});
        for (int i = 0; i < spans; ++i)
            tables.value().addSpan(0, 0, {1000 + i * 10, 5, 0, static_cast<std::uint32_t>(i), 0});
        tables.value().commit();
        killed = killedFilesAt(path);
        tables.value().finish();
    }
    removeNewFile(path.toStdString());
    return killed;
}

/// Within a transaction in rollback mode, as of a sweep. With little memory the database is changed before the commit.
KilledWriter TestBesideDatabase::killedChange(const QByteArray &database, bool spilled)
{
    const QString path = pathOf("change.tmp");
    putBytes(path, database);
    KilledWriter killed;
    {
        Result<Database> writer = Database::open(path.toStdString(), Database::Access::ReadWrite);
        if (!writer.ok()
            || !writer.value()
                    .run((spilled ? "PRAGMA cache_size = 1; " : "") + std::string("BEGIN IMMEDIATE; ")
                         + "DELETE FROM names; DELETE FROM frames; DELETE FROM span_rows; CREATE TABLE more(x); "
                           "UPDATE device SET value = 'changed'"
                         + (spilled ? "" : "; PRAGMA cache_spill = 1; PRAGMA cache_size = 1"))
                    .ok())
            qFatal("no change");
        // The header of the journal is complete once the journal is flushed, which a spill does.
        killed = killedFilesAt(path);
        if (!writer.value().run("ROLLBACK").ok())
            qFatal("no end");
    }
    removeNewFile(path.toStdString());
    return killed;
}

QByteArray TestBesideDatabase::saved(int frames)
{
    const QString path = pathOf("saved.tmp");
    NoProgress progress;
    if (!saveTrace(sampleTrace(frames), path.toStdString(), progress).ok())
        qFatal("not saved");
    const QByteArray bytes = bytesBeside(path);
    QFile::remove(path);
    return bytes;
}

void TestBesideDatabase::aKilledRecordingIsRead()
{
    killedRecording(300).putAt(pathOf("k.jscope"));
    QStringList notes;
    QCOMPARE(spanCountOf(pathOf("k.jscope"), &notes), std::uint64_t{300});
    QVERIFY(notes.isEmpty());
}

void TestBesideDatabase::aLogOfAnotherCaptureIsNotRead_data()
{
    QTest::addColumn<bool>("isKilled");
    QTest::newRow("beside a complete capture") << false;
    QTest::newRow("beside another killed recording") << true;
}

void TestBesideDatabase::aLogOfAnotherCaptureIsNotRead()
{
    QFETCH(bool, isKilled);
    const QString path = pathOf("k %#?.jscope");
    const KilledWriter killed = killedRecording(300);
    const KilledWriter other = isKilled ? killedRecording(0) : KilledWriter{saved(2), {}, {}};
    killed.putAt(path);
    putBytes(path, other.database);
    const std::uint64_t expected = isKilled ? 0 : sampleTrace(2).spanCount();
    QStringList notes;
    QCOMPARE(spanCountOf(path, &notes), expected);
    QCOMPARE(notes.size(), 1);
    QVERIFY2(notes[0].contains(path + "-wal is left over") && notes[0].contains("move it away"), qPrintable(notes[0]));
    QCOMPARE(bytesBeside(path + "-wal"), killed.log); // May still be needed.
    QCOMPARE(bytesBeside(path), other.database);
}

/// A database in rollback mode that is no capture, with a log of the same name.
void TestBesideDatabase::aLogOfAnotherExportIsNotRead()
{
    const QString path = pathOf("e.sqlite");
    putBytes(path, {});
    QVERIFY(Database::open(path.toStdString(), Database::Access::ReadWrite)
                .value()
                .run("CREATE TABLE a(x); INSERT INTO a VALUES(1)")
                .ok());
    putBytes(path + "-wal", killedRecording(300).log);
    Database database = Database::open(path.toStdString(), Database::Access::ReadOnly).value();
    QVERIFY(!database.note().empty());
    QVERIFY(database.hasTable("a", {"x"}) && !database.hasTable("span_rows"));
}

void TestBesideDatabase::pipesBesideItAreNotOpened()
{
    const QString path = pathOf("k.jscope");
    putBytes(path, saved(2));
    for (const char *ending : {"-wal", "-journal"})
        QCOMPARE(mkfifo((path + ending).toLocal8Bit().constData(), 0600), 0);
    QStringList notes;
    QCOMPARE(spanCountOf(path, &notes), sampleTrace(2).spanCount());
    QCOMPARE(notes.size(), 1);
}

void TestBesideDatabase::aKilledChangeIsTakenBack_data()
{
    QTest::addColumn<bool>("mayWrite");
    QTest::newRow("in a folder that may be written to") << true;
    QTest::newRow("in a read-only folder") << false;
}

void TestBesideDatabase::aKilledChangeIsTakenBack()
{
    QFETCH(bool, mayWrite);
    const QString folder = pathOf("folder");
    QVERIFY(QDir().mkpath(folder));
    const KilledWriter killed = killedChange(saved(400), true);
    QVERIFY(!killed.journal.isEmpty() && killed.database != saved(400));
    killed.putAt(folder + "/k.jscope");
    QVERIFY(QFile::setPermissions(m_folder->path(), QFile::Permissions(0x7755)));
    QCOMPARE(chmod(folder.toLocal8Bit().constData(), mayWrite ? 0755 : 0555), 0);
    std::uint64_t spans = 0;
    {
        std::optional<Unprivileged> nobody;
        if (!mayWrite)
            nobody.emplace();
        spans = spanCountOf(folder + "/k.jscope");
    }
    QCOMPARE(chmod(folder.toLocal8Bit().constData(), 0755), 0);
    QCOMPARE(spans, sampleTrace(400).spanCount());
    QCOMPARE(bytesBeside(folder + "/k.jscope"), killed.database); // Reading changes nothing.
    QCOMPARE(bytesBeside(folder + "/k.jscope-journal"), killed.journal);
    // The program that goes on with the file takes the change back in it.
    Database database = Database::open((folder + "/k.jscope").toStdString(), Database::Access::ReadWrite).value();
    QVERIFY(database.run("UPDATE device SET value = value").ok());
    QVERIFY(!database.hasTable("more"));
    QCOMPARE(spanCountOf(folder + "/k.jscope"), sampleTrace(400).spanCount());
}

void TestBesideDatabase::aJournalOfAnotherCaptureIsNotRead_data()
{
    QTest::addColumn<bool>("spilled");
    QTest::newRow("of a change that is partly in the file") << true;
    QTest::newRow("of a change in memory") << false;
}

void TestBesideDatabase::aJournalOfAnotherCaptureIsNotRead()
{
    QFETCH(bool, spilled);
    const QString path = pathOf("k.jscope");
    const KilledWriter killed = killedChange(saved(400), spilled);
    const QByteArray other = saved(300);
    putBytes(path, other);
    killed.putBesideAt(path);
    QStringList notes;
    QCOMPARE(spanCountOf(path, &notes), sampleTrace(300).spanCount());
    QCOMPARE(bytesBeside(path), other);
    QCOMPARE(bytesBeside(path + "-journal"), killed.journal);
    if (spilled)
        QVERIFY2(notes.size() == 1 && notes[0].contains("k.jscope-journal is left over"), qPrintable(notes.join('|')));
}

void TestBesideDatabase::writingRefusesWhatIsForeign()
{
    const QString path = pathOf("k.jscope");
    putBytes(path, saved(2));
    const QByteArray log = killedRecording(300).log;
    putBytes(path + "-wal", log);
    const Result<Database> writer = Database::open(path.toStdString(), Database::Access::ReadWrite);
    QVERIFY(!writer.ok());
    QVERIFY2(writer.error().text.find("k.jscope-wal is left over") != std::string::npos, writer.error().text.c_str());
    QCOMPARE(bytesBeside(path + "-wal"), log);
}

void TestBesideDatabase::aNewDatabaseIsNotMadeBesideLeftOvers()
{
    const QString path = pathOf("k.jscope");
    for (const char *ending : {"-wal", "-journal", "-shm"}) {
        putBytes(path + ending, "precious");
        for (const QString &refusal : {
                 QString::fromStdString(TraceFileTables::create(path.toStdString()).error().text),
                 [&] {
                     NoProgress progress;
                     return QString::fromStdString(
                         saveTrace(sampleTrace(2), path.toStdString(), progress).error().text);
                 }(),
             })
            QVERIFY2(refusal.contains(path + ending + " is left over"), qPrintable(refusal));
        QCOMPARE(bytesBeside(path + ending), QByteArray("precious"));
        QCOMPARE(files().size(), 1);
        QFile::remove(path + ending);
    }
    // One that appears while the new file is written.
    Result<UnfinishedFile> file = UnfinishedFile::createDatabase(path.toStdString());
    QVERIFY(file.ok());
    putBytes(path + "-wal", "precious");
    QVERIFY(!file.value().publish().ok());
    QVERIFY(!QFile::exists(path));
    QCOMPARE(bytesBeside(path + "-wal"), QByteArray("precious"));
}

void TestBesideDatabase::leftOversAreMovedAndNamed()
{
    const QString path = pathOf("k.jscope");
    QCOMPARE(moveLeftOversAway(path.toStdString()).value(), std::string());
    putBytes(path + "-wal", "first");
    putBytes(path + "-shm", "index");
    const std::string moved = moveLeftOversAway(path.toStdString()).value();
    QVERIFY2(moved.find("k.jscope-wal and") != std::string::npos && moved.find(".left-over") != std::string::npos,
             moved.c_str());
    putBytes(path + "-wal", "second");
    QVERIFY(!moveLeftOversAway(path.toStdString()).value().empty());
    QCOMPARE(files(), (QStringList{"k.jscope-shm.left-over", "k.jscope-wal.left-over", "k.jscope-wal.left-over2"}));
    QCOMPARE(bytesBeside(path + "-wal.left-over"), QByteArray("first"));
    QCOMPARE(bytesBeside(path + "-wal.left-over2"), QByteArray("second"));
    // Files of a database that is there are its own.
    killedRecording(3).putAt(path);
    QCOMPARE(moveLeftOversAway(path.toStdString()).value(), std::string());
    QVERIFY(QFile::exists(path + "-wal"));
}

/// Renaming the log of a recording whose file was removed would tear it.
void TestBesideDatabase::leftOversInUseStay()
{
    const QString path = pathOf("k.jscope");
    putBytes(path + "-shm", QByteArray(4096, 'x'));
    putBytes(path + "-wal", "log");
    QProcess other;
    other.start("python3",
                {"-c",
                 "import fcntl,sys\nf=open(sys.argv[1],'r+b')\nfcntl.lockf(f,fcntl.LOCK_EX)\n"
                 "print('locked',flush=True)\nsys.stdin.read()",
                 path + "-shm"});
    if (!other.waitForStarted())
        QSKIP("This test needs python3, to lock a file in another process.");
    QVERIFY(other.waitForReadyRead(60'000));
    const Result<std::string> moved = moveLeftOversAway(path.toStdString());
    other.closeWriteChannel();
    QVERIFY(other.waitForFinished());
    QVERIFY(!moved.ok());
    QVERIFY2(moved.error().text.find("by another program") != std::string::npos, moved.error().text.c_str());
    QCOMPARE(files(), (QStringList{"k.jscope-shm", "k.jscope-wal"}));
}

void TestBesideDatabase::aReplacedDatabaseLosesNothing()
{
    const QString path = pathOf("k.jscope");
    const KilledWriter killed = killedRecording(300);
    const auto write = [](const std::string &place) {
        NoProgress progress;
        return saveTrace(sampleTrace(2), place, progress);
    };
    for (const bool isThere : {true, false}) {
        killed.putBesideAt(path);
        if (isThere)
            putBytes(path, killed.database);
        const Result<std::string> moved = replaceDatabase(path.toStdString(), write);
        QVERIFY2(moved.ok(), moved.ok() ? "" : moved.error().text.c_str());
        QVERIFY2(moved.value().find("k.jscope-wal is left over") != std::string::npos, moved.value().c_str());
        QCOMPARE(files(), (QStringList{"k.jscope", "k.jscope-wal.left-over"}));
        QCOMPARE(bytesBeside(path + "-wal.left-over"), killed.log);
        QCOMPARE(spanCountOf(path), sampleTrace(2).spanCount());
        QVERIFY(QFile::remove(path) && QFile::remove(path + "-wal.left-over"));
    }
    // If the new one cannot be written, nothing has changed.
    killed.putAt(path);
    QVERIFY(!replaceDatabase(path.toStdString(), [](const std::string &) { return Status(sentence("no")); }).ok());
    QCOMPARE(files(), (QStringList{"k.jscope", "k.jscope-wal"}));
}

/// A recorder whose file was removed ends after another one of the same name has begun.
void TestBesideDatabase::anEndedRecorderLeavesTheNextOneAlone()
{
    const std::string path = pathOf("k.jscope").toStdString();
    Result<TraceFileTables> first = TraceFileTables::create(path);
    QVERIFY(first.ok());
    first.value().setFact("a", "1");
    first.value().commit();
    for (const char *ending : {"", "-wal", "-shm"})
        QVERIFY(QFile::remove(QString::fromStdString(path) + ending));
    Result<TraceFileTables> second = TraceFileTables::create(path);
    QVERIFY(second.ok());
    second.value().setFact("b", "2");
    second.value().commit();
    QVERIFY(QFile::exists(pathOf("k.jscope-wal")));
    first.value().setFact("c", "3");
    first.value().commit();
    QVERIFY(!first.value().status().ok());
    first.value().finish();
    QVERIFY(QFile::exists(pathOf("k.jscope-wal"))); // Would be lost if this process were killed.
    second.value().finish();
    QVERIFY(second.value().status().ok());
}

JETSCOPE_TEST(TestBesideDatabase)
#include "tst_besidedatabase.moc"
