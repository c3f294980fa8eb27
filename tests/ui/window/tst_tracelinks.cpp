// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "tests/support/fakewindow.h"
#include "tests/support/quietprogress.h"
#include "tests/support/testprogram.h"
#include "tests/support/teststep.h"
#include "tests/support/tooltip.h"
#include "ui/frames/framespage.h"
#include "ui/frames/framesview.h"
#include "ui/selection/histogramview.h"
#include "ui/selection/selectionpanel.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/figuresbar.h"
#include "ui/window/tracepanels.h"

#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <functional>

using namespace jetscope;
using namespace jetscope::test;

/// A selection in one panel is shown in the others.
class TestTraceLinks : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void cleanup();
    void aClickOnTheTimelineShowsEverywhere();
    void followingLetsGoOfTheOldFrame();
    void aFileKeepsWhatIsSelected();
    void aBarLeadsToItsFrameOnTheTimeline();
    void theLongestFramesLeadThere();
    void theMeasuredRangeIsExported();
    void barsAndBinsSayWhatTheyAre();
    void collapsedGroupsAreRemembered();
    void pinnedLanesAreRemembered();
    void pinsOfTheFirstVersionAreTaken();
    void lanesAreRememberedByProducer();
    void dropsSayWhoseTheyAre();

private:
    MainWindow &window() { return m_fake->window(); }
    TimelineView &timeline() { return *window().timeline(); }
    FramesPage &frames() { return *window().tracePanels().frames(); }
    TraceSelection &selection() { return window().tracePanels().selection(); }
    const Trace &trace() { return window().session().trace(); }
    QString path(const char *name) const { return m_home->filePath(QLatin1String(name)); }
    void openTab(QWidget *page);
    double xOf(std::int64_t ns) { return timeline().layout().metrics.labelWidth + pixelAt(timeline().scale(), ns); }
    int yOf(const char *lane);
    bool isInView(std::uint64_t frame);
    /// Closes the window and starts the program once more, with some frames.
    void startAgain();

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
};

namespace {

constexpr std::uint32_t kLinkFrames = 300;
constexpr std::uint32_t kLongest = 123;

} // namespace

void TestTraceLinks::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().resize(1600, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
    scriptFrames(m_fake->pipeline(), 0, kLinkFrames);
    // Slightly shorter, except for the longest frame.
    for (FrameFigures &figures : m_fake->pipeline().update.figures)
        if (figures.frame != kLongest)
            figures.overlap.periodNs -= 100'000;
    m_fake->poll();
}

void TestTraceLinks::cleanup()
{
    m_fake.reset();
}

void TestTraceLinks::openTab(QWidget *page)
{
    QTabBar *bar = window().tabs()->tabBar();
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(window().tabs()->indexOf(page)).center());
    QCOMPARE(window().tabs()->currentWidget(), page);
}

int TestTraceLinks::yOf(const char *lane)
{
    for (const TimelineRow &row : timeline().layout().rows)
        if (row.label == QLatin1String(lane))
            return timeline().layout().contentTop() + row.top + (row.kind == TimelineRow::Kind::Heading ? 9 : 17);
    return -1;
}

bool TestTraceLinks::isInView(std::uint64_t frame)
{
    const FrameFigures figures = trace().frames().at(frame);
    return xOf(figures.startNs) >= timeline().layout().metrics.labelWidth - 1
        && xOf(figures.startNs + figures.periodNs()) <= timeline().viewport()->width() + 1;
}

void TestTraceLinks::aClickOnTheTimelineShowsEverywhere()
{
    auto *dock = window().shown().findChild<QDockWidget *>(QStringLiteral("selectionDock"));
    QVERIFY(!dock->isVisible());
    const std::int64_t start = trace().frames().at(kLinkFrames - 2).startNs;
    QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {},
                      {qRound(xOf(start + 8'500'000)), yOf("CUDA stream 0")});
    QVERIFY(selection().span().has_value());
    // The figures appear after a delay, so that a double click is possible,
    QVERIFY(!dock->isVisible());
    QTRY_VERIFY(dock->isVisible());
    SelectionPanel *figures = window().tracePanels().figures();
    QTRY_VERIFY(figures->isDone());
    QVERIFY2(figures->text().startsWith(QStringLiteral("Frame %1").arg(kLinkFrames - 2)), qPrintable(figures->text()));
    // and the bar of the frame is in view.
    openTab(&frames());
    const FramesView &bars = *frames().view();
    const QImage picture = frames().view()->grab().toImage();
    const auto isMarked = [&](std::uint64_t frame) {
        return picture.pixelColor(bars.pixelOf(frame) + 3, picture.height() - 9) == darkTheme().accent;
    };
    QVERIFY(isMarked(kLinkFrames - 2));
    QVERIFY(!isMarked(kLinkFrames - 6));
    openTab(&timeline());
    QTest::keyClick(&timeline(), Qt::Key_Escape);
    QVERIFY(!dock->isVisible());
}

void TestTraceLinks::followingLetsGoOfTheOldFrame()
{
    auto *dock = window().shown().findChild<QDockWidget *>(QStringLiteral("selectionDock"));
    const int width = timeline().width();
    const auto follows = {
        std::function([this] { QTest::keyClick(&timeline(), Qt::Key_H); }),
        std::function([this] { QTest::keyClick(&timeline(), Qt::Key_End); }),
        std::function([this] { QTest::keyClick(&window(), Qt::Key_End, Qt::ControlModifier); }),
        std::function([this] {
            openTab(&frames());
            QTest::keyClick(frames().view(), Qt::Key_End);
            openTab(&timeline());
        }),
    };
    for (const auto &follow : follows) {
        selection().selectFrame(kLinkFrames - 20);
        timeline().reveal(selection().frame()->period);
        QTRY_VERIFY(dock->isVisible());
        QVERIFY(timeline().width() < width);
        follow();
        QVERIFY(selection().isEmpty());
        QVERIFY(!dock->isVisible());
        QTRY_COMPARE(timeline().width(), width);
    }
    // A measured range is cleared as well.
    QTest::keyClick(&timeline(), Qt::Key_End);
    QTest::keyClick(&timeline(), Qt::Key_H);
    selection().selectRange({trace().frames().at(10).startNs, trace().frames().at(12).startNs});
    QTest::keyClick(&timeline(), Qt::Key_H);
    QVERIFY(selection().isEmpty());
}

void TestTraceLinks::aFileKeepsWhatIsSelected()
{
    FakePipeline script;
    scriptFrames(script, 0, 10);
    Trace file;
    file.setLanes(script.update.lanes);
    file.add(script.update.spans);
    file.add(script.update.figures);
    window().trace().session().showTrace(std::move(file), {});
    selection().selectFrame(3);
    QTest::keyClick(&timeline(), Qt::Key_End); // Only moves to the end.
    QVERIFY(selection().frame().has_value());
}

void TestTraceLinks::aBarLeadsToItsFrameOnTheTimeline()
{
    openTab(&frames());
    FramesView &bars = *frames().view();
    const std::uint64_t frame = kLinkFrames - 40;
    QVERIFY(!isInView(frame));
    QTest::mouseClick(&bars, Qt::LeftButton, {}, {bars.pixelOf(frame) + 3, bars.height() - 20});
    QCOMPARE(selection().frame()->key, static_cast<std::uint32_t>(frame));
    QVERIFY(isInView(frame)); // For the user's return to the timeline.
    QCOMPARE(window().tabs()->currentWidget(), &frames());
    QTest::mouseDClick(&bars, Qt::LeftButton, {}, {bars.pixelOf(frame) + 3, bars.height() - 20});
    QCOMPARE(window().tabs()->currentWidget(), &timeline());
    const FrameFigures figures = trace().frames().at(frame);
    const auto isZoomed = [&] {
        const double width = xOf(figures.startNs + figures.periodNs()) - xOf(figures.startNs);
        return isInView(frame)
            && width > (timeline().viewport()->width() - timeline().layout().metrics.labelWidth) * 0.8;
    };
    QVERIFY(isZoomed());
    const int width = timeline().width();
    QTRY_VERIFY(timeline().width() < width); // The panel of figures takes room:
    QVERIFY(isZoomed());                     // the same interval stays in view.
    openTab(&frames());
    QVERIFY(bars.pixelOf(frame) > 0 && bars.pixelOf(frame) < bars.width());
}

void TestTraceLinks::theLongestFramesLeadThere()
{
    openTab(&frames());
    QTreeWidget *list = frames().worst();
    QTRY_VERIFY((m_fake->poll(), list->topLevelItemCount() > 0));
    QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("frame %1").arg(kLongest));
    const QPoint first = list->visualItemRect(list->topLevelItem(0)).center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, first);
    QCOMPARE(selection().frame()->key, kLongest);
    QVERIFY(isInView(kLongest));
    const auto [from, to] = frames().view()->shown(); // Also in view among the bars.
    QVERIFY(from <= kLongest && kLongest < to);
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, first);
    QCOMPARE(window().tabs()->currentWidget(), &timeline());
    QVERIFY(isInView(kLongest));
}

void TestTraceLinks::theMeasuredRangeIsExported()
{
    QTest::keyClick(&timeline(), Qt::Key_H); // Stop following.
    const auto x = [this](std::uint64_t frame, std::int64_t ns) {
        return qRound(xOf(trace().frames().at(frame).startNs + ns));
    };
    const QPoint from(x(kLinkFrames - 2, 1'000'000), 8);
    const QPoint to(x(kLinkFrames - 1, 1'000'000), 8);
    QTest::mousePress(timeline().viewport(), Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, timeline().viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(timeline().viewport(), &move);
    QTest::mouseRelease(timeline().viewport(), Qt::LeftButton, {}, to);
    QVERIFY(selection().range().has_value());
    const auto write = [this](const char *name, Qt::KeyboardModifiers modifiers) {
        m_fake->chosenPath = path(name);
        QTest::keyClick(&window(), Qt::Key_E, modifiers);
        QTRY_VERIFY(window().messages()->text().contains(QLatin1String(name)));
    };
    JETSCOPE_STEP(write("range.json", Qt::ControlModifier));
    JETSCOPE_STEP(write("range.csv", Qt::ControlModifier | Qt::ShiftModifier));
    QuietProgress quiet;
    const auto written = openTrace(path("range.json").toStdString(), quiet);
    QVERIFY(written.ok());
    QCOMPARE(written.value().trace.spanCount(),
             std::uint64_t(11 + 1)); // And the capture span of the next frame.
    QFile table(path("range.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll().trimmed().count('\n'), 2); // Header line and both frames.
}

void TestTraceLinks::barsAndBinsSayWhatTheyAre()
{
    QTest::keyClick(&timeline(), Qt::Key_BracketRight);
    SelectionPanel *figures = window().tracePanels().figures();
    QTRY_VERIFY(figures->isDone());
    HistogramView *histogram = figures->histogram();
    const QString bin = tipOf(histogram, histogram->rect().center());
    QVERIFY2(bin.contains(QStringLiteral(" from ")) && bin.contains(QStringLiteral(" to ")), qPrintable(bin));
    QTRY_VERIFY(tipOf(histogram, {histogram->width() / 2, 2}).isEmpty()); // No tooltip above the bars.
    openTab(&frames());
    FramesView *bars = frames().view();
    const QString bar = tipOf(bars, {bars->pixelOf(kLinkFrames - 5) + 3, bars->height() - 20});
    for (const char *part :
         {"frame 295", "period 16.6 ms", "CPU busy 9.1 ms", "GPU busy 7.4 ms", "overlap 74 %", "blocked 250"})
        QVERIFY2(bar.contains(QLatin1String(part)), qPrintable(bar));
}

void TestTraceLinks::startAgain()
{
    window().close();
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().show();
    QVERIFY(m_fake->open());
    scriptFrames(m_fake->pipeline(), 0, 10);
    m_fake->poll();
}

void TestTraceLinks::collapsedGroupsAreRemembered()
{
    const int height = timeline().layout().height;
    QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, {40, yOf("CPU threads")});
    const int collapsed = timeline().layout().height;
    QVERIFY(collapsed < height);
    JETSCOPE_STEP(startAgain());
    QCOMPARE(timeline().layout().height, collapsed);
}

void TestTraceLinks::pinnedLanesAreRemembered()
{
    selection().selectSpan({timeline().layout().rows[1].tracks.front(),
                            {5, trace().tracks()[timeline().layout().rows[1].tracks.front()].at(5)}});
    const QString lane = timeline().layout().rows[1].label;
    timeline().setFocus();
    QTest::keyClick(&timeline(), Qt::Key_P);
    QVERIFY(timeline().layout().rows[0].pinned);
    JETSCOPE_STEP(startAgain());
    QCOMPARE(timeline().layout().rows[0].label, lane);
    QVERIFY(timeline().layout().rows[0].pinned);
}

/// It kept them in other places. They do not come back once they were changed.
void TestTraceLinks::pinsOfTheFirstVersionAreTaken()
{
    window().close();
    m_fake.reset();
    {
        Settings older(Settings::Use::Normal);
        for (const char *const lanes : {"live/lanes", "trace/lanes"})
            older.save(lanes, QString());
        older.save("timeline/pinned", QStringLiteral("gl/GL queue"));
        older.save("timeline/collapsed", QStringLiteral("counters,tool"));
    }
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    JETSCOPE_STEP(startAgain());
    QCOMPARE(timeline().laneChoices().pinned(), QStringList{"gl/GL queue"});
    QVERIFY(timeline().laneChoices().isFolded(QStringLiteral("counters")));
    timeline().setLaneChoices({});
    JETSCOPE_STEP(startAgain());
    QCOMPARE(timeline().laneChoices(), LaneChoices());
}

/// Hidden lanes of one producer's traces are not looked for in another's.
void TestTraceLinks::lanesAreRememberedByProducer()
{
    window().close();
    m_fake.reset();
    Settings(Settings::Use::Normal)
        .save("live/lanes", QStringLiteral(R"({".json":"{\"hidden\":[\"cpu/Pipeline\"]}"})"));
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    JETSCOPE_STEP(startAgain());
    QCOMPARE(timeline().layout().hidden, 0);
    LaneChoices choices;
    choices.setHidden(QStringLiteral("cpu/Capture"), true);
    timeline().setLaneChoices(choices);
    const ArrowChoice arrows{ArrowChoice::Kind::All, 100'000};
    timeline().setArrows(arrows);
    JETSCOPE_STEP(startAgain());
    QCOMPARE(timeline().layout().hidden, 1);
    QVERIFY(timeline().laneChoices() == choices);
    QVERIFY(timeline().arrows().choice() == arrows);
    window().close();
    QVERIFY(Settings(Settings::Use::Normal).text("live/lanes").contains(QStringLiteral("Pipeline"))); // Still there.
}

void TestTraceLinks::dropsSayWhoseTheyAre()
{
    m_fake->pipeline().state.droppedBySource = 2;
    m_fake->pipeline().state.droppedByView = 7;
    m_fake->pipeline().notice(PipelineNotice::Kind::Dropped, "7 frames not shown: the view was late", kLinkFrames - 2,
                              trace().frames().at(kLinkFrames - 2).startNs);
    m_fake->poll();
    const FiguresBar *figures = window().figures();
    QCOMPARE(figures->text(FiguresBar::Dropped), QStringLiteral("9"));
    const QString said = figures->toolTipOf(FiguresBar::Dropped);
    QVERIFY(said.contains(QStringLiteral("2 before")) && said.contains(QStringLiteral("7 processed but not shown")));
    QVERIFY(trace().marks().all().back().kind == TraceMark::Kind::Drop);
}

JETSCOPE_TEST(TestTraceLinks)
#include "tst_tracelinks.moc"
