// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/exporters.h"
#include "core/exchange/opentrace.h"
#include "core/exchange/tracenotes.h"
#include "core/system/database.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/sampletrace.h"
#include "tests/support/quietprogress.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

/// Notes in captures, beside other files, and in exports.
class TestTraceNotes : public QObject {
    Q_OBJECT
private slots:
    void init();
    void areSavedWithATrace();
    void changeInACapture();
    void captureOfBeforeGetsATable();
    void ofAnotherTraceAreBesideIt();
    void whereNothingCanBeWrittenAFolderHasThem();
    void anyOrderInAFileIsThatOfTheTimes();
    void damagedNotesAreRefused_data();
    void damagedNotesAreRefused();
    void damagedRowsAreRefused();
    void areExportedAndReadAgain();

private:
    std::string path(const char *name) const { return m_folder->filePath(QLatin1String(name)).toStdString(); }
    std::string elsewhere() const { return path("kept"); }
    static Result<OpenedTrace> read(const std::string &path)
    {
        QuietProgress quiet;
        return openTrace(path, quiet);
    }
    std::string save(const char *name, std::vector<TraceNote> notes);
    static std::vector<TraceNote> some();

    std::unique_ptr<QTemporaryDir> m_folder;
};

std::vector<TraceNote> TestTraceNotes::some()
{
    return {{987654321012345, 987654321012345, ""}, {987654321999999, 987654322999999, "look \"here\": ☃\n"}};
}

void TestTraceNotes::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

std::string TestTraceNotes::save(const char *name, std::vector<TraceNote> notes)
{
    Trace trace = sampleTrace();
    trace.setNotes(std::move(notes));
    QuietProgress quiet;
    return saveTrace(trace, path(name), quiet).ok() ? path(name) : std::string();
}

void TestTraceNotes::areSavedWithATrace()
{
    const Result<OpenedTrace> none = read(save("none.jscope", {}));
    QVERIFY(none.ok() && none.value().trace.notes().empty());
    const Result<OpenedTrace> opened = read(save("a.jscope", some()));
    QVERIFY(opened.ok());
    QVERIFY(opened.value().trace.notes() == some());
}

void TestTraceNotes::changeInACapture()
{
    const std::string capture = save("a.jscope", some());
    const std::vector<TraceNote> other = {{5, 7, "another"}};
    const Result<std::string> place = keepNotes(capture, other, elsewhere());
    QVERIFY(place.ok());
    QCOMPARE(place.value(), capture);
    QVERIFY(!QDir(m_folder->path()).exists(QStringLiteral("a.jscope.notes.json")));
    const Result<OpenedTrace> opened = read(capture);
    QVERIFY(opened.ok() && opened.value().trace.notes() == other);
    QCOMPARE(described(opened.value().trace), described(sampleTrace())); // Nothing else has changed.
    QVERIFY(!keptNotes(capture, elsewhere()).value());
}

void TestTraceNotes::captureOfBeforeGetsATable()
{
    const std::string capture = save("old.jscope", {});
    {
        Result<Database> database = Database::open(capture, Database::Access::ReadWrite);
        QVERIFY(database.ok() && database.value().run("DROP TABLE notes").ok());
    }
    QVERIFY(read(capture).ok() && read(capture).value().trace.notes().empty());
    QVERIFY(keepNotes(capture, some(), elsewhere()).ok());
    const Result<OpenedTrace> opened = read(capture);
    QVERIFY(opened.ok() && opened.value().trace.notes() == some());
}

void TestTraceNotes::ofAnotherTraceAreBesideIt()
{
    const std::string trace = path("other.json");
    QVERIFY(writeFile(QString::fromStdString(trace), R"([{"ph":"X","ts":1,"dur":2,"name":"a"}])"));
    QVERIFY(!keptNotes(trace, elsewhere()).value());
    const Result<std::string> place = keepNotes(trace, some(), elsewhere());
    QVERIFY(place.ok());
    QCOMPARE(place.value(), notesBeside(trace));
    QVERIFY(keptNotes(trace, elsewhere()).value() == some());
    QCOMPARE(readFile(QString::fromStdString(trace)).size(), qsizetype(38)); // The trace is not touched.
    QVERIFY(keepNotes(trace, {}, elsewhere()).ok());
    QVERIFY(keptNotes(trace, elsewhere()).value()->empty()); // And not those of before.
}

/// /proc has files, and takes none, also from root.
void TestTraceNotes::whereNothingCanBeWrittenAFolderHasThem()
{
    const std::string trace = "/proc/self/limits";
    const Result<std::string> place = keepNotes(trace, some(), elsewhere());
    QVERIFY2(place.ok(), place.ok() ? "" : place.error().text.c_str());
    QCOMPARE(QFileInfo(QString::fromStdString(place.value())).path(), QString::fromStdString(elsewhere()));
    QVERIFY(keptNotes(trace, elsewhere()).value() == some());
    QVERIFY(notesIn(elsewhere(), "/a/x.json") != notesIn(elsewhere(), "/b/x.json"));
    const Result<std::string> nowhere = keepNotes(trace, some(), "/proc/nowhere");
    QVERIFY(!nowhere.ok());
}

void TestTraceNotes::anyOrderInAFileIsThatOfTheTimes()
{
    const std::string trace = path("other.json");
    QVERIFY(writeFile(QString::fromStdString(notesBeside(trace)),
                      R"({"format":"jetscope-notes-1","notes":[{"start_ns":9,"end_ns":9,"text":"late"},)"
                      R"({"start_ns":2,"end_ns":3,"text":"early"}]})"));
    Trace shown;
    shown.setNotes(*keptNotes(trace, elsewhere()).value());
    QVERIFY((shown.notes() == std::vector<TraceNote>{{2, 3, "early"}, {9, 9, "late"}}));
}

void TestTraceNotes::damagedNotesAreRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("no JSON") << QByteArray("note");
    QTest::newRow("other format") << QByteArray(R"({"format":"x","notes":[]})");
    QTest::newRow("no list") << QByteArray(R"({"format":"jetscope-notes-1"})");
    QTest::newRow("no time") << QByteArray(R"({"format":"jetscope-notes-1","notes":[{"end_ns":1,"text":""}]})");
    QTest::newRow("ends before it starts")
        << QByteArray(R"({"format":"jetscope-notes-1","notes":[{"start_ns":2,"end_ns":1,"text":""}]})");
    QTest::newRow("no such time") << QByteArray(
        R"({"format":"jetscope-notes-1","notes":[{"start_ns":1,"end_ns":9223372036854775807,"text":""}]})");
}

void TestTraceNotes::damagedNotesAreRefused()
{
    QFETCH(QByteArray, json);
    QVERIFY(writeFile(QString::fromStdString(path("a.json.notes.json")), json));
    const auto kept = keptNotes(path("a.json"), elsewhere());
    QVERIFY(!kept.ok());
    QVERIFY(kept.error().text.find("a.json.notes.json") != std::string::npos);
}

void TestTraceNotes::damagedRowsAreRefused()
{
    const std::string capture = save("a.jscope", some());
    {
        Result<Database> database = Database::open(capture, Database::Access::ReadWrite);
        QVERIFY(database.ok() && database.value().run("UPDATE notes SET start_ns = 'x'").ok());
    }
    QVERIFY(!read(capture).ok());
}

void TestTraceNotes::areExportedAndReadAgain()
{
    Trace trace = sampleTrace();
    trace.setNotes(some());
    QuietProgress quiet;
    QVERIFY(exportChrome(trace, path("a.json"), std::nullopt, quiet).ok());
    const Result<OpenedTrace> opened = read(path("a.json"));
    QVERIFY(opened.ok());
    QVERIFY(opened.value().trace.notes() == some());
    QCOMPARE(opened.value().trace.marks().all().size(), trace.marks().all().size());
    QVERIFY(exportChrome(trace, path("part.json"), Interval{987654321500000, 987654322000000}, quiet).ok());
    const Result<OpenedTrace> part = read(path("part.json"));
    QVERIFY(part.ok());
    QVERIFY(part.value().trace.notes() == std::vector<TraceNote>({some()[1]}));
}

JETSCOPE_TEST(TestTraceNotes)
#include "tst_tracenotes.moc"
