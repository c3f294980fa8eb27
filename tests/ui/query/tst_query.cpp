// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/query/querypage.h"
#include "ui/query/queryrows.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

/// Queries on the open trace.
class TestQuery : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void asksTheLiveTrace();
    void asksAnOpenedCapture();
    void asksTheTraceOfAnotherProgram();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void readsOnly();
    void canBeCancelled();
    void showsNoMoreThanThereIsRoomFor();
    void aRowLeadsToItsSpan();
    void aRowLeadsToTheSpanOfItsName();
    void aRowLeadsToItsFrame();
    void aRowOfAnotherTraceLeadsNowhere();
    void anotherTraceEndsTheQuery();
    void everyExampleIsAnswered();
    void rowsAreCopied();
    void theQueryIsRemembered();
    void fractionsAreShort();
    void wholeNumbersStayWhole();
    void damagedPiecesDoNoHarm();

private:
    MainWindow &window() { return m_fake->window(); }
    QueryPage &page() { return *window().tracePanels().query(); }
    TraceQuery &query() { return window().files().query(); }
    TraceSelection &selection() { return window().tracePanels().selection(); }
    const Trace &trace() { return window().session().trace(); }
    QString path(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    void run(std::uint32_t first, std::uint32_t frames);
    void open(const QString &path);
    void ask(const QString &sql);
    QStringList row(int row);
    bool isInView(std::int64_t ns);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestQuery::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().resize(1600, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
    window().tabs()->setCurrentWidget(&page());
}

void TestQuery::cleanup()
{
    m_fake.reset();
}

void TestQuery::run(std::uint32_t first, std::uint32_t frames)
{
    scriptFrames(m_fake->pipeline(), first, frames);
    m_fake->poll();
}

void TestQuery::open(const QString &path)
{
    window().trace().opener().open(path);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    QCOMPARE(window().session().phase(), Session::Phase::File);
    window().tabs()->setCurrentWidget(&page());
}

/// Types the query and presses Ctrl+Enter, like a user.
void TestQuery::ask(const QString &sql)
{
    auto *text = page().findChild<QPlainTextEdit *>();
    text->setFocus();
    text->selectAll();
    QTest::keyClick(text, Qt::Key_Delete);
    QTest::keyClicks(text, sql);
    QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!query().isRunning(), 30'000);
    QTRY_VERIFY(page().findChild<QPushButton *>()->isEnabled());
}

QStringList TestQuery::row(int row)
{
    QStringList cells;
    for (int column = 0; column < page().rows().columnCount(); ++column)
        cells.append(page().rows().index(row, column).data().toString());
    return cells;
}

bool TestQuery::isInView(std::int64_t ns)
{
    const TimelineView &timeline = *window().timeline();
    const double x = pixelAt(timeline.scale(), ns);
    return x >= -1 && x <= timeline.viewport()->width() - timeline.layout().metrics.labelWidth + 1;
}

void TestQuery::asksTheLiveTrace()
{
    run(0, 40);
    ask(QStringLiteral(
        "SELECT name, count(*) AS spans FROM spans WHERE category = 'kernel' GROUP BY name ORDER BY name"));
    QCOMPARE(page().rows().answer()->columns, (QStringList{"name", "spans"}));
    QCOMPARE(page().rows().rowCount(), 3);
    QCOMPARE(row(0), (QStringList{"gaussian", "40"}));
    QVERIFY2(page().status().startsWith(QStringLiteral("3 rows in ")), qPrintable(page().status()));
    // The next query uses the current trace, including new frames.
    run(40, 10);
    ask(QStringLiteral("SELECT count(*) FROM frames"));
    QCOMPARE(row(0), QStringList{"50"});
    run(50, 5); // The trace is not held any more.
    QCOMPARE(trace().frames().endIndex(), std::uint64_t(55));
}

void TestQuery::asksAnOpenedCapture()
{
    run(0, 30);
    window().files().write(TraceFiles::Format::Capture, path("a.jscope"), std::nullopt);
    QTRY_VERIFY(!window().files().job().isRunning());
    open(path("a.jscope"));
    ask(QStringLiteral("SELECT count(*), (SELECT value FROM device WHERE name = 'source') FROM spans"));
    QCOMPARE(row(0), (QStringList{"330", "synthetic:?size=1280x720&fps=60"}));
}

void TestQuery::asksTheTraceOfAnotherProgram()
{
    QFile file(path("other.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        R"([{"name":"work","ph":"X","ts":1,"dur":5,"pid":1,"tid":1},{"name":"work","ph":"X","ts":9,"dur":5,"pid":1,"tid":1}])");
    file.close();
    open(path("other.json"));
    for (int i = 0; i < 2; ++i) { // The second query does not write the trace again.
        ask(QStringLiteral("SELECT name, sum(duration_ns) FROM spans GROUP BY name"));
        QCOMPARE(row(0), (QStringList{"work", "10000"}));
    }
}

void TestQuery::saysWhatIsWrong_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("nothing") << QString() << "no statement";
    QTest::newRow("no SQL") << "hello there"
                            << "syntax error";
    QTest::newRow("no such table") << "SELECT * FROM nowhere"
                                   << "no such table: nowhere";
    QTest::newRow("two") << "SELECT 1; SELECT 2"
                         << "more than one statement";
    QTest::newRow("unbalanced") << "SELECT '"
                                << "unrecognized token";
    QTest::newRow("late error")
        << "SELECT abs(CASE WHEN duration_ns > 2000000 THEN -9223372036854775808 ELSE 1 END) FROM spans"
        << "overflow";
}

void TestQuery::saysWhatIsWrong()
{
    QFETCH(QString, sql);
    QFETCH(QString, mentions);
    run(0, 10);
    ask(sql);
    QVERIFY2(page().status().contains(mentions), qPrintable(page().status()));
    QVERIFY2(page().status().at(0).isUpper() && page().status().endsWith(u'.'), qPrintable(page().status()));
    ask(QStringLiteral("SELECT 1")); // Queries still work after an error.
    QCOMPARE(row(0), QStringList{"1"});
}

void TestQuery::readsOnly()
{
    run(0, 10);
    window().files().write(TraceFiles::Format::Capture, path("a.jscope"), std::nullopt);
    QTRY_VERIFY(!window().files().job().isRunning());
    open(path("a.jscope"));
    QFile file(path("a.jscope"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    for (const char *sql :
         {"DELETE FROM span_rows", "DROP TABLE frames", "ATTACH '/tmp/x' AS x", "PRAGMA journal_mode = DELETE"}) {
        ask(QLatin1String(sql));
        QVERIFY2(page().status().contains(QStringLiteral("only reads")), qPrintable(page().status()));
    }
    file.seek(0);
    QCOMPARE(file.readAll(), before);
}

void TestQuery::canBeCancelled()
{
    window().trace().session().showTrace(Trace(), std::nullopt);
    window().tabs()->setCurrentWidget(&page());
    page().setSql(
        QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"));
    page().run();
    QPushButton *cancel = nullptr;
    for (QPushButton *button : page().findChildren<QPushButton *>())
        if (button->text() == QStringLiteral("Cancel"))
            cancel = button;
    QTRY_COMPARE(page().status(), QStringLiteral("The query is running…"));
    QVERIFY(cancel->isEnabled());
    page().run(); // Ignored while a query runs.
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY(!query().isRunning());
    QTRY_VERIFY2(page().status().startsWith(QStringLiteral("The query was cancelled")), qPrintable(page().status()));
    QVERIFY(!cancel->isEnabled());
    ask(QStringLiteral("SELECT 1"));
    QCOMPARE(row(0), QStringList{"1"});
}

void TestQuery::showsNoMoreThanThereIsRoomFor()
{
    run(0, 2);
    ask(QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"));
    QCOMPARE(page().rows().rowCount(), static_cast<int>(QueryAnswer::kMaxRows));
    QVERIFY2(page().status().startsWith(QStringLiteral("The first 100,000 rows are shown, and there are more")),
             qPrintable(page().status()));
    // The limit of bytes applies to a few large rows.
    ask(QStringLiteral(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex(zeroblob(3000000)) FROM n"));
    QVERIFY(page().rows().rowCount() >= 1 && page().rows().rowCount() < 20);
    QVERIFY(page().rows().answer()->isCut);
    QVERIFY(row(0).front().size() < 1000); // Displayed cells are shortened.
    QCOMPARE(page().rows().wholeText(page().rows().index(0, 0)).size(), qsizetype(6'000'000));
}

void TestQuery::aRowLeadsToItsSpan()
{
    run(0, 300);
    LaneChoices choices;
    choices.setFolded(QStringLiteral("cuda"), true);
    window().timeline()->setLaneChoices(choices);
    ask(QStringLiteral("SELECT lane, name, start_ns, duration_ns FROM spans WHERE name = 'sobel' AND frame = 123"));
    QCOMPARE(page().rows().rowCount(), 1);
    QVERIFY(page().status().contains(QStringLiteral("Double-click a row")));
    QTableView *table = page().table();
    const QPoint cell = table->visualRect(page().rows().index(0, 1)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell);
    QVERIFY(selection().span().has_value());
    const TraceSpan span = selection().span()->bar.span;
    QCOMPARE(toQString(trace().names().text(span.name)), QStringLiteral("sobel"));
    QCOMPARE(span.frame, 123u);
    QVERIFY(isInView(span.startNs) && isInView(span.endNs()));
    QVERIFY(!window().timeline()->laneChoices().isFolded(QStringLiteral("cuda")));
    QCOMPARE(window().tabs()->currentWidget(), &page());
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell);
    QCOMPARE(window().tabs()->currentWidget(), window().timeline());
    const double width =
        pixelAt(window().timeline()->scale(), span.endNs()) - pixelAt(window().timeline()->scale(), span.startNs);
    QVERIFY2(width > 500, qPrintable(QString::number(width)));
}

/// Also among several spans with the same start.
void TestQuery::aRowLeadsToTheSpanOfItsName()
{
    run(0, 30);
    ask(QStringLiteral("SELECT lane, name, start_ns FROM spans WHERE frame = 12 AND name IN ('Canny', 'submit')"));
    QCOMPARE(page().rows().rowCount(), 2);
    QCOMPARE(row(0).at(2), row(1).at(2));
    for (int i = 0; i < 2; ++i) {
        page().table()->setCurrentIndex(page().rows().index(i, 0));
        QCOMPARE(toQString(trace().names().text(selection().span()->bar.span.name)), row(i).at(1));
    }
}

void TestQuery::aRowLeadsToItsFrame()
{
    run(0, 300);
    ask(QStringLiteral("SELECT frame, period_ns FROM frames WHERE frame IN (17, 250) ORDER BY frame"));
    QTableView *table = page().table();
    table->setFocus();
    table->setCurrentIndex(page().rows().index(0, 0));
    QCOMPARE(selection().frame()->key, 17u);
    QTest::keyClick(table, Qt::Key_Down);
    QCOMPARE(selection().frame()->key, 250u);
    QVERIFY(isInView(selection().frame()->period.startNs));
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(window().tabs()->currentWidget(), window().timeline());
    // A row without time and frame leads nowhere.
    window().tabs()->setCurrentWidget(&page());
    ask(QStringLiteral("SELECT count(*) FROM spans"));
    selection().clear();
    table->setCurrentIndex(page().rows().index(0, 0));
    QVERIFY(selection().isEmpty());
    QVERIFY(!page().status().contains(QStringLiteral("Double click")));
}

void TestQuery::aRowOfAnotherTraceLeadsNowhere()
{
    run(0, 20);
    ask(QStringLiteral("SELECT 99999 AS frame, 5 AS start_ns UNION SELECT -1, 9223372036854775807"));
    for (int i = 0; i < 2; ++i) {
        page().table()->setCurrentIndex(page().rows().index(i, 0));
        QVERIFY(selection().isEmpty());
        QVERIFY2(page().status().contains(QStringLiteral("not in the shown trace")), qPrintable(page().status()));
    }
}

void TestQuery::anotherTraceEndsTheQuery()
{
    window().trace().session().showTrace(Trace(), std::nullopt);
    window().tabs()->setCurrentWidget(&page());
    page().setSql(
        QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"));
    page().run();
    QTRY_COMPARE(page().status(), QStringLiteral("The query is running…"));
    Trace other;
    other.setLanes({{0, LaneRole::Pipeline, "one", ""}});
    other.add(0, 0, {5, 10, 0, kNoFrame, other.names().intern("alone", Category::Submit)});
    window().trace().session().showTrace(std::move(other), std::nullopt);
    QTRY_VERIFY(!query().isRunning());
    ask(QStringLiteral("SELECT name FROM spans"));
    QCOMPARE(page().rows().rowCount(), 1);
    QCOMPARE(row(0), QStringList{"alone"});
}

void TestQuery::everyExampleIsAnswered()
{
    run(0, 30);
    int examples = 0;
    for (QPushButton *button : page().findChildren<QPushButton *>()) {
        if (!button->menu())
            continue;
        for (QAction *example : button->menu()->actions()) {
            example->trigger();
            QTRY_VERIFY(!query().isRunning());
            QTRY_VERIFY2(page().status().contains(QStringLiteral(" rows in ")), qPrintable(page().status()));
            ++examples;
        }
    }
    QVERIFY(examples >= 4);
}

void TestQuery::rowsAreCopied()
{
    run(0, 3);
    ask(QStringLiteral("SELECT frame, 'a' AS text, NULL AS missing, 0.5 AS half FROM frames ORDER BY frame"));
    page().table()->setFocus();
    page().table()->selectAll();
    QTest::keySequence(page().table(), QKeySequence::Copy);
    QCOMPARE(QGuiApplication::clipboard()->text(),
             QStringLiteral("frame\ttext\tmissing\thalf\n0\ta\t\t0.5\n1\ta\t\t0.5\n2\ta\t\t0.5\n"));
}

void TestQuery::theQueryIsRemembered()
{
    page().setSql(QStringLiteral("SELECT 'mine'"));
    window().close();
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    QCOMPARE(page().sql(), QStringLiteral("SELECT 'mine'"));
}

void TestQuery::fractionsAreShort()
{
    run(0, 1);
    ask(QStringLiteral("SELECT 1.0 / 3, 1234567.891, 2.5e-9, 1e300, -0.5"));
    QCOMPARE(row(0), (QStringList{"0.333333", "1234567.9", "2.5e-09", "1e+300", "-0.5"}));
    QCOMPARE(page().rows().wholeText(page().rows().index(0, 0)), QStringLiteral("0.333333333333")); // For copies.
}

/// Times have more digits than a double can hold.
void TestQuery::wholeNumbersStayWhole()
{
    QueryAnswer answer;
    QueryAnswerReader reader(answer);
    QVERIFY(reader.take("{\"columns\":[\"start_ns\",\"frame\"],\"rows\":["));
    QVERIFY(reader.take("[9007199254740993,7]"));
    QVERIFY(reader.take(",\n[-9223372036854775807,4294967296]"));
    QVERIFY(reader.take("],\"complete\":true}\n"));
    QCOMPARE(answer.rows.size(), std::size_t(2));
    QCOMPARE(targetOf(answer, 0).startNs, std::optional<std::int64_t>(9007199254740993));
    QCOMPARE(targetOf(answer, 0).frame, std::optional<std::uint32_t>(7));
    QCOMPARE(targetOf(answer, 1).startNs, std::optional<std::int64_t>(-9223372036854775807));
    QVERIFY(!targetOf(answer, 1).frame);
    QVERIFY(targetOf(answer, 2).isEmpty());
}

void TestQuery::damagedPiecesDoNoHarm()
{
    for (const char *head :
         {"", "{", "{\"columns\":[", "{\"columns\":7,\"rows\":[", "[]", "{\"columns\":[1,null],\"rows\":["})
        for (const char *row : {"", "[", "[1,2,3,4]", ",\n[{\"a\":[]}]", "]", "nonsense", "[1e999]", "[\"\\ud800\"]"}) {
            QueryAnswer answer;
            QueryAnswerReader reader(answer);
            reader.take(head);
            reader.take(row);
            for (std::size_t i = 0; i < answer.rows.size(); ++i) {
                QCOMPARE(answer.rows[i].size(), static_cast<std::size_t>(answer.columns.size()));
                QVERIFY(targetOf(answer, i).isEmpty());
            }
        }
}

JETSCOPE_TEST(TestQuery)
#include "tst_query.moc"
