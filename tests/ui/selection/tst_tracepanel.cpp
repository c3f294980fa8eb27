// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"
#include "tests/support/testprogram.h"
#include "ui/selection/flamepage.h"
#include "ui/selection/namefigurestable.h"
#include "ui/selection/pathbar.h"
#include "ui/selection/selectionpanel.h"
#include "ui/selection/topview.h"
#include "ui/selection/tracepanel.h"
#include "ui/selection/whereview.h"
#include "ui/session/traceselection.h"
#include "ui/style/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>

using namespace jetscope;

class TestTracePanel : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aFrameSaysWhereItsTimeWent();
    void aRangeListsOnlyWhatLiesInIt();
    void aFrameOfManySpansIsExplained();
    void withoutFramesTheGpuAndTheThreadsSayIt();
    void whatComesBeforeTheFirstFrameIsSaid();
    void severalGpusAreToldApart();
    void ofManyGpusTheSentenceNamesTwo();
    void nothingSelectedIsTheWholeTrace();
    void aPlaceOfARowIsShown();
    void sharesOfEachKindAddUp();
    void aSingleDurationIsNotRepeated();
    void aRowStepsThroughItsSpans();
    void escapeLeavesARow();
    void flamesAreOfTheSelection();
    void flamesAreZoomedWithKeys();
    void flamesBeginAtEitherEnd();
    void tipsAreOneLine();
    void theTipOfManySharesFitsOnAScreen();
    void anotherSelectionStartsOver();
    void aGrowingTraceIsFollowed();
    void tablesAreCopied();
    void emptyTracesSayIt();

private:
    void addFrames(std::uint32_t count);
    void addThread();
    void addGpus(std::uint32_t count);
    void see(TracePanel::Tab tab);
    std::map<WhereRow::Group, std::int64_t> sums(bool headings) const;
    QTableView *topTable() { return m_panel->top()->table(); }

    std::unique_ptr<Trace> m_trace;
    std::unique_ptr<TraceSelection> m_selection;
    std::unique_ptr<TracePanel> m_panel;
};

void TestTracePanel::init()
{
    m_panel.reset();
    m_trace = std::make_unique<Trace>();
    m_selection = std::make_unique<TraceSelection>(*m_trace);
    m_panel = std::make_unique<TracePanel>(*m_trace, *m_selection);
    m_panel->resize(760, 520);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void TestTracePanel::addFrames(std::uint32_t count)
{
    FakePipeline pipeline;
    scriptFrames(pipeline, 0, count);
    m_trace->setLanes(pipeline.update.lanes);
    m_trace->add(pipeline.update.spans);
    m_trace->add(pipeline.update.figures);
    m_panel->restart();
}

/// A thread with nested spans and a stream, as in a trace of another program without frames.
void TestTracePanel::addThread()
{
    m_trace->setLanes({{0, LaneRole::Pipeline, "thread 1", ""}, {1, LaneRole::DeviceStream, "stream 7", ""}});
    const auto name = [this](const char *text, Category category) { return m_trace->names().intern(text, category); };
    m_trace->add(0, 0, {0, 50'000'000, 0, kNoFrame, name("step", Category::CpuStage)});
    m_trace->add(0, 1, {0, 30'000'000, 0, kNoFrame, name("load", Category::CpuStage)});
    m_trace->add(0, 1, {30'000'000, 10'000'000, 0, kNoFrame, name("launch", Category::Submit)});
    m_trace->add(0, 2, {1'000'000, 4'000'000, 0, kNoFrame, name("parse", Category::CpuStage)});
    m_trace->add(0, 0, {60'000'000, 40'000'000, 0, kNoFrame, name("step", Category::CpuStage)});
    m_trace->add(1, 0, {31'000'000, 60'000'000, 0, kNoFrame, name("kernel", Category::Kernel)});
    m_panel->restart();
}

/// Each has a kernel; that of GPU 0 is the longest one.
void TestTracePanel::addGpus(std::uint32_t count)
{
    addThread();
    std::vector<LaneInfo> lanes = m_trace->lanes();
    lanes[1].gpu = 0;
    for (std::uint32_t gpu = 1; gpu < count; ++gpu)
        lanes.push_back({static_cast<LaneId>(1 + gpu), LaneRole::DeviceStream, "stream 7", "", false, gpu});
    m_trace->setLanes(std::move(lanes));
    for (std::uint32_t gpu = 1; gpu < count; ++gpu)
        m_trace->add(
            static_cast<LaneId>(1 + gpu), 0,
            {0, 60'000'000 - 10'000'000 * gpu, 0, kNoFrame, m_trace->names().intern("kernel", Category::Kernel)});
    m_panel->restart();
}

void TestTracePanel::see(TracePanel::Tab tab)
{
    m_panel->setTab(tab);
    QTRY_VERIFY(m_panel->isDone());
}

std::map<WhereRow::Group, std::int64_t> TestTracePanel::sums(bool headings) const
{
    std::map<WhereRow::Group, std::int64_t> sums;
    for (const WhereRow &row : m_panel->where()->table().rows())
        if (row.heading == headings)
            sums[row.group] += row.ns;
    return sums;
}

void TestTracePanel::aFrameSaysWhereItsTimeWent()
{
    addFrames(60);
    m_selection->selectFrame(20);
    see(TracePanel::Where);
    QCOMPARE(m_panel->title(), QStringLiteral("Frame 20 · 16.7 ms"));
    QCOMPARE(sums(false), sums(true));
    QCOMPARE(sums(true)[WhereRow::Group::Path], m_trace->frames().at(20).periodNs());
    const QString sentence = m_panel->where()->table().sentence();
    // More of it is unexplained.
    QVERIFY2(sentence.startsWith(QStringLiteral("Of what is explained, mostly "))
                 && sentence.contains(QStringLiteral(" of 16.7 ms (")),
             qPrintable(sentence));
    QVERIFY2(m_panel->where()->text().contains(QStringLiteral("kernel sobel on CUDA stream 0\t")),
             qPrintable(m_panel->where()->text()));
    QVERIFY2(sentence.contains(QStringLiteral("The GPU is idle for ")), qPrintable(sentence));
}

void TestTracePanel::aRangeListsOnlyWhatLiesInIt()
{
    addFrames(60);
    const std::int64_t from = m_trace->frames().at(20).startNs;
    m_selection->selectRange({from + 8'000'000, from + 9'000'000});
    see(TracePanel::Where);
    QCOMPARE(sums(false), sums(true));
    QCOMPARE(sums(true)[WhereRow::Group::Path], std::int64_t(1'000'000));
    QVERIFY(m_panel->where()->table().sentence().startsWith(
        QStringLiteral("Mostly kernel sobel on CUDA stream 0: 1.0 ms of 1.0 ms (100 %)")));
    // Of two frames and a half: times and shares have one base.
    m_selection->selectRange({from, from + 41'000'000});
    see(TracePanel::Where);
    QCOMPARE(sums(true)[WhereRow::Group::Path], std::int64_t(41'000'000));
    QCOMPARE(sums(false), sums(true));
    see(TracePanel::Top);
    std::int64_t own = 0;
    for (int row = 0; row < m_panel->top()->model().rowCount(); ++row)
        own += m_panel->top()->model().row(row).ownNs;
    QCOMPARE(own, m_panel->top()->model().baseNs());
}

/// As a step of a PyTorch program, which has more spans than a display can follow at once.
void TestTracePanel::aFrameOfManySpansIsExplained()
{
    m_trace->setLanes({{0, LaneRole::Pipeline, "thread 1", ""}, {1, LaneRole::DeviceStream, "stream 7", ""}});
    const TraceName op = m_trace->names().intern("op", Category::CpuStage);
    constexpr int kOps = 20'000;
    std::vector<FrameFigures> figures;
    for (std::uint32_t frame = 0; frame < 3; ++frame) {
        const std::int64_t start = std::int64_t{frame} * kOps * 1000;
        for (int i = 0; i < kOps; ++i)
            m_trace->add(0, 0, {start + i * 1000, 1000, 0, frame, op});
        FrameFigures figure;
        figure.frame = frame;
        figure.startNs = start;
        figure.overlap.periodNs = kOps * 1000;
        figure.overlap.cpuNs = kOps * 1000;
        figure.frameNs = kOps * 1000;
        figures.push_back(figure);
    }
    m_trace->add(figures);
    m_selection->selectFrame(1);
    see(TracePanel::Where);
    QVERIFY2(m_panel->where()->table().sentence().startsWith(QStringLiteral("Mostly CPU stage op on thread 1: 20.0 ms"))
                 || m_panel->where()->table().sentence().contains(QStringLiteral("op on thread 1: 20.0 ms of 20.0 ms")),
             qPrintable(m_panel->where()->table().sentence()));
}

void TestTracePanel::withoutFramesTheGpuAndTheThreadsSayIt()
{
    addThread();
    see(TracePanel::Where);
    QCOMPARE(m_panel->title(), QStringLiteral("Whole trace · 100 ms"));
    QCOMPARE(m_panel->where()->table().sentence(),
             QStringLiteral(
                 "The GPU is idle for 40.0 ms of 100 ms (40 %), mostly while load ran on thread 1. "
                 "Thread 1 works for 80.0 ms of 100 ms (80 %), calls the GPU's driver for 10.0 ms of 100 ms (10 %)."));
    QCOMPARE(sums(false), sums(true));
    QVERIFY(sums(true).count(WhereRow::Group::Path) == 0);
    QVERIFY(m_panel->where()->text().contains(QStringLiteral("nothing recorded\t10.0 ms\t10.0 %")));
}

void TestTracePanel::whatComesBeforeTheFirstFrameIsSaid()
{
    addFrames(60);
    const std::int64_t first = m_trace->frames().at(0).startNs;
    const FrameFigures last = m_trace->frames().at(59);
    m_selection->selectRange({first - 30'000'000, last.startNs + last.periodNs() + 7'000'000});
    see(TracePanel::Where);
    const QString text = m_panel->where()->text();
    QVERIFY2(text.contains(QStringLiteral("before the first frame: start-up\t30.0 ms")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("behind the last frame: shut-down\t7.0 ms")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("60 frames\t")), qPrintable(text));
    QCOMPARE(sums(false), sums(true));
    // A frame has nothing of it.
    m_selection->selectRange({first, first + m_trace->frames().at(0).periodNs()});
    see(TracePanel::Where);
    QVERIFY2(sums(true).count(WhereRow::Group::Frames) == 0, qPrintable(m_panel->where()->text()));
}

void TestTracePanel::severalGpusAreToldApart()
{
    addGpus(2);
    see(TracePanel::Where);
    const WhereTable &table = m_panel->where()->table();
    QVERIFY2(table.sentence().startsWith(
                 QStringLiteral("GPU 0 is idle for 40.0 ms of 100 ms (40 %), mostly while load ran on thread 1. "
                                "GPU 1 is idle for 50.0 ms of 100 ms (50 %), mostly while step ran on thread 1. ")),
             qPrintable(table.sentence()));
    QCOMPARE(sums(false), sums(true));
    for (const std::size_t gpu : {0, 1}) {
        std::int64_t ns = 0;
        for (const SharePart &part : table.parts(WhereRow::Group::Gpu, gpu))
            ns += part.ns;
        QCOMPARE(ns, std::int64_t(100'000'000));
    }
    QStringList titles;
    for (const ShareBar *bar : m_panel->where()->findChildren<ShareBar *>())
        if (!bar->isHidden())
            titles << bar->accessibleName();
    QCOMPARE(titles, (QStringList{"GPU 0 in the same time", "GPU 1 in the same time"}));
    m_panel->where()->clear();
    QVERIFY(table.parts(WhereRow::Group::Gpu, 1).empty());
}

void TestTracePanel::ofManyGpusTheSentenceNamesTwo()
{
    addGpus(5);
    see(TracePanel::Where);
    const QString sentence = m_panel->where()->table().sentence();
    QVERIFY2(
        sentence.startsWith(QStringLiteral("Of 5 GPUs, these are idle for the longest and the shortest time: GPU 4 "
                                           "is idle for 80.0 ms of 100 ms (80 %)"))
            && sentence.contains(QStringLiteral("GPU 0 is idle for 40.0 ms of 100 ms (40 %)")),
        qPrintable(sentence));
}

void TestTracePanel::nothingSelectedIsTheWholeTrace()
{
    addFrames(60);
    see(TracePanel::Where);
    QVERIFY(m_panel->title().startsWith(QStringLiteral("Whole trace · 1.0")));
    QCOMPARE(m_panel->time(), (Interval{m_trace->oldestNs(), m_trace->newestNs()}));
    m_selection->selectFrame(3);
    QCOMPARE(m_panel->title(), QStringLiteral("Frame 3 · 16.7 ms"));
    m_selection->clear();
    QVERIFY(m_panel->title().startsWith(QStringLiteral("Whole trace")));
}

void TestTracePanel::aPlaceOfARowIsShown()
{
    addThread();
    see(TracePanel::Where);
    const QSignalSpy wanted(m_panel.get(), &TracePanel::timeWanted);
    auto *table = m_panel->where()->findChild<QTableView *>();
    const auto &rows = m_panel->where()->table().rows();
    const auto idle =
        std::find_if(rows.begin(), rows.end(), [](const WhereRow &row) { return row.look == WhereRow::Look::Idle; });
    QVERIFY(idle != rows.end());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                      table->visualRect(table->model()->index(static_cast<int>(idle - rows.begin()), 0)).center());
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.at(0).at(0).value<Interval>(), (Interval{0, 31'000'000}));
}

void TestTracePanel::sharesOfEachKindAddUp()
{
    addFrames(60);
    see(TracePanel::Top);
    TopView &top = *m_panel->top();
    const TopModel &model = top.model();
    const int all = model.rowCount();
    QVERIFY(all > 5);
    int ofKinds = 0;
    for (const auto kind : {std::optional<WorkKind>(), std::optional(WorkKind::Kernel), std::optional(WorkKind::Copy),
                            std::optional(WorkKind::Call), std::optional(WorkKind::Range)}) {
        top.setKind(kind);
        double share = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            share += model.index(row, TopModel::Share).data().toString().split(u' ').first().toDouble();
        QVERIFY2(model.rowCount() == 0 || std::abs(share - 100) < 0.06 * model.rowCount(),
                 qPrintable(QString::number(share)));
        QVERIFY2(model.rowCount() == 0 || top.base().startsWith(durationText(model.baseNs())), qPrintable(top.base()));
        QVERIFY(top.base().endsWith(QStringLiteral("= 100 %")) || model.rowCount() == 0);
        ofKinds += kind ? model.rowCount() : 0;
    }
    QCOMPARE(ofKinds, all);
}

void TestTracePanel::aSingleDurationIsNotRepeated()
{
    addThread();
    see(TracePanel::Top);
    const TopModel &model = m_panel->top()->model();
    int texts = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.nameOf(row) == QStringLiteral("kernel"))
            for (int column = 0; column < TopModel::Columns; ++column)
                texts += model.index(row, column).data().toString() == QStringLiteral("60.0 ms") ? 1 : 0;
    QCOMPARE(texts, 1);
    m_selection->selectRange({0, 100'000'000});
    see(TracePanel::Details);
    const NameFiguresTable &details = m_panel->details()->table();
    int row = 0;
    while (details.nameOf(row) != QStringLiteral("kernel"))
        ++row;
    texts = 0;
    for (int column = 0; column < NameFiguresTable::Columns; ++column)
        texts += details.index(row, column).data().toString() == QStringLiteral("60.0 ms") ? 1 : 0;
    QCOMPARE(texts, 1);
}

void TestTracePanel::aRowStepsThroughItsSpans()
{
    addThread();
    see(TracePanel::Top);
    const QSignalSpy spans(m_panel.get(), &TracePanel::spanWanted);
    const TopModel &model = m_panel->top()->model();
    int row = 0;
    while (model.nameOf(row) != QStringLiteral("step"))
        ++row;
    const auto startNs = [this] { return m_selection->span()->bar.span.startNs; };
    QTest::mouseClick(topTable()->viewport(), Qt::LeftButton, {}, topTable()->visualRect(model.index(row, 0)).center());
    QCOMPARE(startNs(), std::int64_t(0));
    QTest::keyClick(topTable(), Qt::Key_Right);
    QCOMPARE(startNs(), std::int64_t(60'000'000));
    QTest::keyClick(topTable(), Qt::Key_Return); // From the first again.
    QCOMPARE(startNs(), std::int64_t(0));
    QTest::keyClick(topTable(), Qt::Key_Left);
    QCOMPARE(startNs(), std::int64_t(60'000'000));
    QCOMPARE(spans.count(), 4);
    QVERIFY(m_panel->title().startsWith(QStringLiteral("Whole trace"))); // Not of the span.
    QVERIFY(m_panel->isDone());
    m_selection->selectRange({0, 1'000'000});
    QVERIFY(m_panel->title().startsWith(QStringLiteral("Measured range")));
}

void TestTracePanel::escapeLeavesARow()
{
    addThread();
    see(TracePanel::Top);
    connect(m_panel.get(), &TracePanel::clearWanted, m_selection.get(), &TraceSelection::clear);
    QTest::mouseClick(topTable()->viewport(), Qt::LeftButton, {},
                      topTable()->visualRect(topTable()->model()->index(0, 0)).center());
    QVERIFY(m_selection->span());
    QVERIFY(topTable()->selectionModel()->hasSelection());
    QTest::keyClick(topTable(), Qt::Key_Escape);
    QVERIFY(m_selection->isEmpty());
    QVERIFY(!topTable()->selectionModel()->hasSelection() && !topTable()->currentIndex().isValid());
    QTest::keyClick(topTable(), Qt::Key_Right); // No row is left to step through.
    QVERIFY(m_selection->isEmpty());
}

void TestTracePanel::flamesAreOfTheSelection()
{
    addThread();
    m_selection->selectRange({0, 50'000'000});
    see(TracePanel::Flame);
    QCOMPARE(m_panel->flame()->view()->tree()->root().totalNs, std::int64_t(50'000'000));
    QCOMPARE(m_panel->flame()->view()->textOf(0), QStringLiteral("all: 50.0 ms recorded = 100 %"));
    m_panel->flame()->findChild<QPushButton *>()->click(); // The GPU.
    QTRY_VERIFY(m_panel->isDone());
    QCOMPARE(m_panel->flame()->view()->tree()->root().totalNs, std::int64_t(19'000'000));
}

void TestTracePanel::flamesAreZoomedWithKeys()
{
    addThread();
    see(TracePanel::Flame);
    FlameView &view = *m_panel->flame()->view();
    const auto press = [&](int key) { QTest::keyClick(&view, static_cast<Qt::Key>(key)); };
    for (const int key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Down})
        press(key);
    QCOMPARE(view.textOf(view.current()), QStringLiteral("load: 30.0 ms of 90.0 ms (33 %) in 1 span, 26.0 ms own"));
    QCOMPARE(view.accessibleDescription(), view.textOf(view.current()));
    press(Qt::Key_Right);
    QVERIFY(view.textOf(view.current()).startsWith(QStringLiteral("launch: 10.0 ms")));
    press(Qt::Key_Left);
    const std::uint32_t load = view.current();
    const int before = view.rectOf(load).width();
    press(Qt::Key_Return);
    QCOMPARE(view.zoomed(), load);
    QVERIFY(view.rectOf(load).width() > 2 * before);
    press(Qt::Key_Escape);
    QCOMPARE(view.zoomed(), view.tree()->nodes()[load].parent);
    view.zoomTo(0);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.rectOf(load).center());
    QCOMPARE(view.zoomed(), load);
}

void TestTracePanel::flamesBeginAtEitherEnd()
{
    addThread();
    see(TracePanel::Flame);
    FlameView &view = *m_panel->flame()->view();
    m_panel->flame()->setReversed(true);
    const FlameTree &tree = *view.tree();
    QCOMPARE(tree.root().totalNs, std::int64_t(90'000'000));
    QVERIFY(view.textOf(tree.root().firstChild).startsWith(QStringLiteral("step: 50.0 ms of 90.0 ms")));
}

void TestTracePanel::tipsAreOneLine()
{
    addFrames(60);
    see(TracePanel::Where);
    int bars = 0;
    for (const ShareBar *bar : m_panel->where()->findChildren<ShareBar *>()) {
        if (bar->isHidden()) // Of further GPUs.
            continue;
        QVERIFY(!bar->parts().empty());
        for (int x = 0; x < bar->width(); x += 5)
            QVERIFY2(!bar->textAt(x).isEmpty() && !bar->textAt(x).contains(u'\n'), qPrintable(bar->textAt(x)));
        ++bars;
    }
    QCOMPARE(bars, 2);
}

void TestTracePanel::theTipOfManySharesFitsOnAScreen()
{
    PathSummary path;
    for (int i = 0; i < 100; ++i) {
        PathShare share;
        share.what = "kernel k" + std::to_string(i);
        share.share = 0.01;
        path.shares.push_back(share);
    }
    const QString tip = pathTipText(path);
    QCOMPARE(tip.count(u'\n'), 11);
    QVERIFY(tip.contains(QStringLiteral("\nkernel k0: ")) && tip.endsWith(QStringLiteral("\n90 others: 90 %")));
}

void TestTracePanel::anotherSelectionStartsOver()
{
    addFrames(60'000);
    m_panel->setTab(TracePanel::Where);
    QVERIFY(!m_panel->isDone());
    m_selection->selectFrame(7);
    QTRY_VERIFY(m_panel->isDone());
    QCOMPARE(sums(true)[WhereRow::Group::Path], m_trace->frames().at(7).periodNs());
    for (const auto tab : {TracePanel::Top, TracePanel::Flame}) {
        see(tab);
        m_selection->clear();
        QVERIFY(!m_panel->isDone());
        m_selection->selectFrame(7);
        QTRY_VERIFY(m_panel->isDone());
    }
    QCOMPARE(m_panel->top()->model().rowCount(), 0); // Cleared, and not seen since.
    see(TracePanel::Top);
    for (int row = 0; row < m_panel->top()->model().rowCount(); ++row)
        QVERIFY(m_panel->top()->model().row(row).count < 10);
}

void TestTracePanel::aGrowingTraceIsFollowed()
{
    addFrames(30);
    see(TracePanel::Top);
    const std::int64_t before = m_panel->top()->model().baseNs();
    FakePipeline pipeline;
    scriptFrames(pipeline, 30, 30);
    m_trace->add(pipeline.update.spans);
    m_trace->add(pipeline.update.figures);
    const auto isFollowed = [&] {
        m_panel->refresh();
        return m_panel->top()->model().baseNs() > before;
    };
    QTRY_VERIFY(isFollowed());
    QCOMPARE(m_panel->time().endNs, m_trace->newestNs());
}

void TestTracePanel::tablesAreCopied()
{
    addThread();
    const std::map<TracePanel::Tab, QString> lines = {
        {TracePanel::Where, QStringLiteral("\nwhere\ttime\tshare\n")},
        {TracePanel::Top, QStringLiteral("\nname\town\t%\tcount\t")},
        {TracePanel::Flame, QStringLiteral("\n      load\t30.0 ms\t26.0 ms\t1\n")},
    };
    for (const auto &[tab, line] : lines) {
        see(tab);
        QGuiApplication::clipboard()->clear();
        for (QPushButton *button : m_panel->findChildren<QPushButton *>())
            if (button->text() == QStringLiteral("Copy") && button->isVisible())
                button->click();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(QStringLiteral("Whole trace · 100 ms\n")) && copied.contains(line),
                 qPrintable(copied));
    }
}

void TestTracePanel::emptyTracesSayIt()
{
    see(TracePanel::Where);
    QCOMPARE(m_panel->where()->table().sentence(), QStringLiteral("Nothing was recorded in this time."));
    see(TracePanel::Top);
    QCOMPARE(m_panel->top()->base(), QStringLiteral("Nothing was recorded in this time."));
    see(TracePanel::Flame);
    QVERIFY(!m_panel->grab().isNull());
}

JETSCOPE_TEST(TestTracePanel)
#include "tst_tracepanel.moc"
