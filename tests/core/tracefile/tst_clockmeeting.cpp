// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/system/database.h"
#include "core/trace/clockmeeting.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

namespace {

Result<OpenedTrace> openedCapture(const QString &path)
{
    Watcher nobody;
    return openTrace(path.toStdString(), nobody);
}

bool changeCapture(const QString &path, const std::string &sql)
{
    Result<Database> database = Database::open(path.toStdString(), Database::Access::ReadWrite);
    return database.ok() && database.value().run(sql).ok();
}

} // namespace

/// Clocks of other machines in a capture.
class TestClockMeeting : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void clocksComeBack()
    {
        const std::vector<ClockMeeting> clocks{{100, "ada", 12'345'678'000, 110'000},
                                               {200, "ada", 12'345'679'000, 90'000}};
        Trace trace = sampleTrace();
        TraceOrigin origin = trace.origin();
        origin.clocks = clocks;
        trace.setOrigin(origin);
        const QString path = m_folder.filePath("clocks.jscope");
        NoProgress nobody;
        QVERIFY(saveTrace(trace, path.toStdString(), nobody).ok());
        const Result<OpenedTrace> read = openedCapture(path);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
        QVERIFY(read.value().trace.origin().clocks == clocks);
        QCOMPARE(clockLines(clocks),
                 (std::vector<std::string>{"ada: 12.345679 s behind this one within ±0.09 ms, measured 2 times"}));
        QCOMPARE(clockLines({{1, "bob", -1'000'000'000, 2'000'000}}),
                 (std::vector<std::string>{"bob: 1.000000 s ahead of this one within ±2 ms"}));
        // A capture of an older version without them, and rows that cannot be.
        QVERIFY(changeCapture(path, "UPDATE clocks SET bound_ns = -1"));
        QVERIFY(!openedCapture(path).ok());
        QVERIFY(changeCapture(path, "UPDATE clocks SET bound_ns = 9223372036854775807"));
        QVERIFY(!openedCapture(path).ok());
        QVERIFY(changeCapture(path, "UPDATE clocks SET bound_ns = 'far'"));
        QVERIFY(!openedCapture(path).ok());
        QVERIFY(changeCapture(path, "DROP TABLE clocks"));
        const Result<OpenedTrace> older = openedCapture(path);
        QVERIFY2(older.ok(), older.ok() ? "" : older.error().text.c_str());
        QVERIFY(older.value().trace.origin().clocks.empty());
    }
};

JETSCOPE_TEST(TestClockMeeting)
#include "tst_clockmeeting.moc"
