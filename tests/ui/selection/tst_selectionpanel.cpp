// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"
#include "tests/support/testprogram.h"
#include "ui/selection/figuresgrid.h"
#include "ui/selection/histogramview.h"
#include "ui/selection/namefigurestable.h"
#include "ui/selection/selectionpanel.h"
#include "ui/session/traceselection.h"
#include "ui/style/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace jetscope;

class TestSelectionPanel : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aFrameHasItsFigures();
    void aFrameSaysWhatChangedInTheMachine();
    void theSelectedSpanIsTheOneShown();
    void aSpanOfNoFrameHasFiguresToo();
    void namesAreSortedByClick();
    void aNameHasAHistogram();
    void copiesAsText();
    void aLongRangeNeverHoldsUpTheWindow();
    void anotherChoiceStartsOver();
    void nothingSelectedSaysWhatToDo();
    void tabLeavesTheTable();
    void figuresStandWhereTheyHaveRoom();

private:
    void addFrames(std::uint32_t count);
    QTableView *table() { return m_panel->findChild<QTableView *>(); }
    int rowOf(const QString &name);

    std::unique_ptr<Trace> m_trace;
    std::unique_ptr<TraceSelection> m_selection;
    std::unique_ptr<SelectionPanel> m_panel;
};

void TestSelectionPanel::init()
{
    m_panel.reset();
    m_trace = std::make_unique<Trace>();
    m_selection = std::make_unique<TraceSelection>(*m_trace);
    m_panel = std::make_unique<SelectionPanel>(*m_trace, *m_selection);
    m_panel->resize(460, 340);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void TestSelectionPanel::addFrames(std::uint32_t count)
{
    FakePipeline pipeline;
    scriptFrames(pipeline, 0, count);
    m_trace->setLanes(pipeline.update.lanes);
    m_trace->add(pipeline.update.spans);
    m_trace->add(pipeline.update.figures);
}

int TestSelectionPanel::rowOf(const QString &name)
{
    for (int row = 0; row < m_panel->table().rowCount(); ++row)
        if (m_panel->table().nameOf(row) == name)
            return row;
    return -1;
}

void TestSelectionPanel::aFrameSaysWhatChangedInTheMachine()
{
    addFrames(200);
    const auto *line = m_panel->findChild<QLabel *>("machineChange");
    QVERIFY(line);
    m_selection->selectFrame(100);
    QTRY_VERIFY(m_panel->isDone());
    QVERIFY(!line->isVisible()); // There are no counters of the machine.
    const std::int64_t ns = m_trace->frames().at(100).startNs;
    m_trace->setCounters({{7, "GPU clock", "Hz", {}}, {8, "throttling", "", {}}});
    const std::vector<CounterSample> samples = {
        {ns - 900'000'000, 612e6, 7}, {ns - 900'000'000, 0, 8}, {ns + 200'000'000, 306e6, 7}, {ns + 200'000'000, 1, 8}};
    m_trace->add(samples);
    m_panel->restart();
    QTRY_VERIFY(m_panel->isDone());
    QVERIFY(line->isVisible());
    QCOMPARE(
        line->text(),
        QString("Within 0.5 s of it: GPU clock moved between 306 MHz and 612 MHz; clocks were limited (throttling)"));
    QVERIFY(m_panel->text().contains("machine\tWithin 0.5 s"));
}

void TestSelectionPanel::tabLeavesTheTable()
{
    addFrames(10);
    m_selection->selectFrame(3);
    QTRY_VERIFY(m_panel->isDone());
    QApplication::setActiveWindow(m_panel.get());
    table()->setFocus();
    QVERIFY(table()->hasFocus());
    const int row = table()->currentIndex().row();
    QTest::keyClick(table(), Qt::Key_Down);
    QCOMPARE(table()->currentIndex().row(), row + 1);
    QTest::keyClick(table(), Qt::Key_Tab);
    QVERIFY(!table()->hasFocus());
    QCOMPARE(table()->currentIndex().row(), row + 1);
}

void TestSelectionPanel::figuresStandWhereTheyHaveRoom()
{
    addFrames(60);
    m_selection->selectFrame(20);
    QTRY_VERIFY(m_panel->isDone());
    const auto *grid = m_panel->findChild<FiguresGrid *>();
    QList<QLabel *> values;
    for (QLabel *label : grid->findChildren<QLabel *>())
        if (label->property("figure").isValid())
            values.append(label);
    const auto columns = [&] {
        QSet<int> left;
        for (const QLabel *value : values)
            left.insert(value->x());
        return static_cast<int>(left.size());
    };
    const auto areWhole = [&] {
        return std::all_of(values.begin(), values.end(), [&](const QLabel *value) {
            return value->width() >= value->sizeHint().width() && value->geometry().right() < grid->width();
        });
    };
    m_panel->resize(SelectionPanel::kWholeWidth, 700);
    QTRY_COMPARE(columns(), 3);
    int before = 3;
    for (int width = m_panel->width(); width >= m_panel->minimumSizeHint().width(); width -= 20) {
        m_panel->resize(width, 700);
        QTRY_COMPARE(m_panel->width(), width);
        QTRY_VERIFY2(columns() <= before && areWhole(), qPrintable(QString::number(width)));
        before = columns();
    }
    QCOMPARE(before, 1);
    m_panel->resize(SelectionPanel::kWholeWidth, 700);
    QTRY_COMPARE(columns(), 3);
}

void TestSelectionPanel::aFrameHasItsFigures()
{
    addFrames(60);
    m_selection->selectFrame(20);
    QTRY_VERIFY(m_panel->isDone());
    const QString text = m_panel->text();
    QVERIFY2(text.startsWith(QStringLiteral("Frame 20 · 16.7 ms\n")), qPrintable(text));
    // CPU: upload and submit 2.0 ms, then Canny until 12.2 ms, minus the wait on its own lane; GPU: kernels and draw.
    QVERIFY2(text.contains(QStringLiteral("CPU busy\t9.1 ms · 55 %")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("GPU busy\t7.4 ms · 44 %")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("blocked\t250 µs")), qPrintable(text));
    QCOMPARE(m_panel->table().rowCount(), 11);
    const int sobel = rowOf(QStringLiteral("sobel"));
    QVERIFY(sobel >= 0);
    QCOMPARE(m_panel->table().row(sobel).count, std::uint64_t(1));
    QCOMPARE(m_panel->table().row(sobel).medianNs, std::int64_t(2'900'000));
}

void TestSelectionPanel::theSelectedSpanIsTheOneShown()
{
    addFrames(60);
    const auto select = [this](const std::string &lane, std::uint64_t index) {
        for (std::size_t i = 0; i < m_trace->tracks().size(); ++i)
            if (m_trace->lane(m_trace->tracks()[i].lane())->name == lane)
                m_selection->selectSpan({i, {index, m_trace->tracks()[i].at(index)}});
    };
    const auto shown = [this] { return m_panel->table().nameOf(table()->currentIndex().row()); };
    const SpanTrack &stream =
        *std::find_if(m_trace->tracks().begin(), m_trace->tracks().end(),
                      [this](const SpanTrack &track) { return m_trace->lane(track.lane())->name == "CUDA stream 0"; });
    const auto nameAt = [&](std::uint64_t index) { return toQString(m_trace->names().text(stream.at(index).name)); };
    select("CUDA stream 0", 41);
    QTRY_VERIFY(m_panel->isDone());
    QCOMPARE(shown(), nameAt(41)); // Not the name with the largest total.
    QVERIFY2(m_panel->text().contains(QStringLiteral("\nspan\t") + nameAt(41)), qPrintable(m_panel->text()));
    QVERIFY(m_panel->text().contains(QStringLiteral(" on CUDA stream 0\n")));
    QVERIFY(nameAt(40) != nameAt(41) && stream.at(40).frame == stream.at(41).frame);
    select("CUDA stream 0", 40); // A span of the same frame.
    QCOMPARE(shown(), nameAt(40));
    // A row that the user selected stays selected until another span is selected.
    table()->selectRow(rowOf(QStringLiteral("Canny")));
    m_selection->traceReshaped();
    QCOMPARE(shown(), QStringLiteral("Canny"));
    m_selection->selectFrame(20);
    QTRY_VERIFY(m_panel->isDone());
    QVERIFY(!m_panel->text().contains(QStringLiteral("span\t")));
}

/// As in a trace of another program without detected frames.
void TestSelectionPanel::aSpanOfNoFrameHasFiguresToo()
{
    m_trace->setLanes({{0, LaneRole::CpuStage, "thread 1", ""}, {1, LaneRole::DeviceStream, "stream 7", ""}});
    const TraceName work = m_trace->names().intern("work", Category::CpuStage);
    const TraceName kernel = m_trace->names().intern("kernel", Category::Kernel);
    m_trace->add(0, 0, {1'000'000, 2'000'000, 0, kNoFrame, work});
    m_trace->add(1, 0, {1'500'000, 500'000, 0, kNoFrame, kernel});
    m_selection->selectSpan({0, {0, m_trace->tracks()[0].at(0)}});
    QTRY_VERIFY(m_panel->isDone());
    const QString text = m_panel->text();
    QVERIFY2(text.startsWith(QStringLiteral("While one span lasted: 2.0 ms\nspan\twork · 2.0 ms on thread 1\n")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("GPU busy\t500 µs · 25 %")), qPrintable(text));
    m_selection->clear();
    QVERIFY(!m_panel->isDone());
}

void TestSelectionPanel::namesAreSortedByClick()
{
    addFrames(60);
    m_selection->selectRange({m_trace->oldestNs(), m_trace->newestNs()});
    QTRY_VERIFY(m_panel->isDone());
    QCOMPARE(m_panel->table().nameOf(0), QStringLiteral("Canny")); // Largest total first.
    const QHeaderView *header = table()->horizontalHeader();
    const auto click = [&](int column) {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 5, header->height() / 2});
    };
    click(NameFiguresTable::Name);
    QStringList names;
    for (int row = 0; row < m_panel->table().rowCount(); ++row)
        names.append(m_panel->table().nameOf(row));
    QStringList sorted = names;
    std::sort(sorted.begin(), sorted.end());
    QCOMPARE(names, sorted);
    click(NameFiguresTable::Min);
    for (int row = 1; row < m_panel->table().rowCount(); ++row)
        QVERIFY(m_panel->table().row(row - 1).minNs <= m_panel->table().row(row).minNs);
    click(NameFiguresTable::Min); // A second click reverses the order.
    for (int row = 1; row < m_panel->table().rowCount(); ++row)
        QVERIFY(m_panel->table().row(row - 1).minNs >= m_panel->table().row(row).minNs);
    click(NameFiguresTable::P99);
    for (int row = 1; row < m_panel->table().rowCount(); ++row)
        QVERIFY(m_panel->table().row(row - 1).p99Ns <= m_panel->table().row(row).p99Ns);
}

void TestSelectionPanel::aNameHasAHistogram()
{
    addFrames(60);
    m_selection->selectRange({m_trace->oldestNs(), m_trace->newestNs()});
    QTRY_VERIFY(m_panel->isDone());
    const int sobel = rowOf(QStringLiteral("sobel"));
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                      table()->visualRect(m_panel->table().index(sobel, 0)).center());
    QCOMPARE(m_panel->histogram()->name(), QStringLiteral("sobel"));
    const auto &bins = m_panel->histogram()->histogram().bins;
    QCOMPARE(std::accumulate(bins.begin(), bins.end(), std::uint64_t(0)), m_panel->table().row(sobel).count);
}

void TestSelectionPanel::copiesAsText()
{
    addFrames(60);
    m_selection->selectFrame(20);
    QTRY_VERIFY(m_panel->isDone());
    QGuiApplication::clipboard()->clear();
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.contains(QStringLiteral("Name\tcount\ttotal")));
    QVERIFY(copied.contains(QStringLiteral("sobel\t1\t2.9 ms")));
    const QStringList lines = copied.split(u'\n');
    const qsizetype head = lines.indexOf(QRegularExpression(QStringLiteral("^Name\t.*")));
    QVERIFY(head > 0);
    for (const QString &line : lines.mid(head, 5))
        QCOMPARE(line.count(u'\t'), 7);
}

void TestSelectionPanel::aLongRangeNeverHoldsUpTheWindow()
{
    addFrames(60'000); // 660,000 spans.
    m_selection->selectRange({m_trace->oldestNs(), m_trace->newestNs()});
    auto *progress = m_panel->findChild<QProgressBar *>();
    int seen = 0;
    int last = -1;
    connect(progress, &QProgressBar::valueChanged, this, [&](int value) {
        seen += value > last && value > 0;
        last = value;
    });
    QTRY_VERIFY_WITH_TIMEOUT(m_panel->isDone(), 60'000);
    QVERIFY2(seen > 3, qPrintable(QString::number(seen))); // The progress was visible.
    QCOMPARE(m_panel->table().row(rowOf(QStringLiteral("sobel"))).count, std::uint64_t(60'000));
}

void TestSelectionPanel::anotherChoiceStartsOver()
{
    addFrames(20'000);
    m_selection->selectRange({m_trace->oldestNs(), m_trace->newestNs()});
    QCoreApplication::processEvents();
    QVERIFY(!m_panel->isDone());
    m_selection->clear();
    m_selection->selectFrame(7);
    QTRY_VERIFY(m_panel->isDone());
    QVERIFY(m_panel->text().startsWith(QStringLiteral("Frame 7 ")));
}

void TestSelectionPanel::nothingSelectedSaysWhatToDo()
{
    QVERIFY(!m_panel->isDone());
    QVERIFY(m_panel->text().isEmpty());
    m_panel->copy();
    for (const QPushButton *button : m_panel->findChildren<QPushButton *>())
        QVERIFY(!button->isEnabled());
    m_selection->selectRange({0, 100}); // No spans there.
    QTRY_VERIFY(m_panel->isDone());
    QCOMPARE(m_panel->table().rowCount(), 0);
}

JETSCOPE_TEST(TestSelectionPanel)
#include "tst_selectionpanel.moc"
