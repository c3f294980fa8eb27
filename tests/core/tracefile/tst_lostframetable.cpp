// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Missing frames in a capture and in its reports.
#include "core/exchange/opentrace.h"
#include "core/measure/report/losssection.h"
#include "core/system/database.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr std::int64_t kLossNs = 1'000'000;

const std::vector<LostFrames> kLost = {
    {18'446'744'073, 61, LossCause::NoBuffer, kLossNs + 20, "no buffer was queued for 61.0 ms: the program held all 4"},
    {7, 1, LossCause::Damaged, kLossNs + 30, "<b>the driver's flag</b> | 3"}};

Trace traceWithLosses()
{
    Trace trace = sampleTrace();
    TraceMark mark;
    mark.kind = TraceMark::Kind::Drop;
    mark.timeNs = kLossNs + 40;
    mark.text = "62 frames missing";
    mark.lost = kLost;
    trace.add(mark);
    return trace;
}

std::vector<LostFrames> lostOf(const Trace &trace)
{
    std::vector<LostFrames> all;
    for (const TraceMark &mark : trace.marks().all())
        all.insert(all.end(), mark.lost.begin(), mark.lost.end());
    return all;
}

Result<OpenedTrace> openedLosses(const QString &path)
{
    Watcher nobody;
    return openTrace(path.toStdString(), nobody);
}

bool changedLosses(const QString &path, const std::string &sql)
{
    Result<Database> database = Database::open(path.toStdString(), Database::Access::ReadWrite);
    return database.ok() && database.value().run(sql).ok();
}

} // namespace

class TestLostFrameTable : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString saved(const char *name)
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        NoProgress nobody;
        return saveTrace(traceWithLosses(), path.toStdString(), nobody).ok() ? path : QString();
    }

private slots:
    void lossesComeBack()
    {
        const QString path = saved("losses.jscope");
        QVERIFY(!path.isEmpty());
        const Result<OpenedTrace> read = openedLosses(path);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
        QVERIFY(lostOf(read.value().trace) == kLost);
    }

    void anOlderCaptureHasTheirMarksOnly()
    {
        const QString path = saved("older.jscope");
        QVERIFY(changedLosses(path, "DROP TABLE lost_frames"));
        const Result<OpenedTrace> read = openedLosses(path);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
        QVERIFY(lostOf(read.value().trace).empty());
        QVERIFY(std::any_of(read.value().trace.marks().all().begin(), read.value().trace.marks().all().end(),
                            [](const TraceMark &mark) { return mark.text == "62 frames missing"; }));
    }

    void impossibleRowsAreRefused_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::newRow("a cause that nobody knows") << "UPDATE lost_frames SET cause = 'magic'";
        QTest::newRow("a negative number") << "UPDATE lost_frames SET first_number = -1";
        QTest::newRow("a text as count") << "UPDATE lost_frames SET frames = 'many'";
        QTest::newRow("an impossible time") << "UPDATE lost_frames SET time_ns = 9223372036854775807";
    }

    void impossibleRowsAreRefused()
    {
        QFETCH(QString, sql);
        const QString path = saved(QTest::currentDataTag());
        QVERIFY(changedLosses(path, sql.toStdString()));
        QVERIFY(!openedLosses(path).ok());
    }

    /// Rows of marks that are not there belong to nothing; more than a mark may have are left out.
    void rowsWithoutTheirMarkAreLeftOut()
    {
        const QString path = saved("strays.jscope");
        QVERIFY(changedLosses(path, "UPDATE lost_frames SET mark_ns = 1"));
        QVERIFY(openedLosses(path).ok() && lostOf(openedLosses(path).value().trace).empty());
        const QString many = saved("many.jscope");
        QVERIFY(changedLosses(many,
                              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
                              "INSERT INTO lost_frames SELECT i, 1, 'damaged', l.time_ns, 'x', l.mark_ns FROM n, "
                              "(SELECT * FROM lost_frames LIMIT 1) l"));
        QCOMPARE(lostOf(openedLosses(many).value().trace).size(), kMostLossRows);
    }

    void reportsSayThem()
    {
        const Trace trace = traceWithLosses();
        const std::string html = lossHtml(trace);
        QVERIFY(html.find("62 frames missing: 61 no buffer queued, 1 damaged") != std::string::npos);
        QVERIFY(html.find("held all 4") != std::string::npos);
        QVERIFY(html.find("<b>") == std::string::npos); // Texts of a file are no markup.
        QVERIFY(lossMarkdown(trace).find("62 frames missing") != std::string::npos);
        QVERIFY(lossMarkdown(sampleTrace()).empty());
        QVERIFY(lossHtml(sampleTrace()).find("No frame is missing") != std::string::npos);
    }
};

JETSCOPE_TEST(TestLostFrameTable)
#include "tst_lostframetable.moc"
