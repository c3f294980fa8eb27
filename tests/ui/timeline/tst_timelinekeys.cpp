// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "ui/timeline/hitlist.h"
#include "ui/timeline/searchbar.h"
#include "ui/timeline/timelinekeys.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

#include <cmath>

using namespace jetscope;

/// Keyboard commands of the timeline.
class TestTimelineKeys : public QObject {
    Q_OBJECT
private slots:
    void init();
    void keysFlyThroughTime();
    void keysGoByTheirPlace();
    void heldKeysGoOnFaster();
    void fitHomeAndEnd();
    void plusAndMinusZoom();
    void arrowsStepThroughSpans();
    void arrowsChangeTheLane();
    void bracketsStepThroughFrames();
    void zZoomsToWhatIsSelected();
    void backspaceGoesBack();
    void zoomsInARowAreOneStepBack();
    void whatWasLeftIsComeBackTo();
    void aJumpFarAwayCanBeUndone();
    void hHoldsStillAndFollows();
    void escapeClearsOneThingAtATime();
    void longerOnesOfItsName();
    void findByName();
    void theSearchGoesOnWhereTheUserLooks();
    void theLongestHitsAreListed();
    void whatWasFoundGoesWithItsTrace_data();
    void whatWasFoundGoesWithItsTrace();
    void whatIsFoundIsSeen();
    void theFieldHidesNoHit();
    void theSearchAddsUpAllHits();

private:
    TimelineView &view() { return *m_fixture->view; }
    TraceSelection &selection() { return m_fixture->selection; }
    void key(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&view(), Qt::Key(key), modifiers); }
    bool isInView(std::int64_t ns)
    {
        return m_fixture->pixelOf(ns) >= m_fixture->labelWidth() - 1
            && m_fixture->pixelOf(ns) <= m_fixture->viewport()->width() + 1;
    }

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestTimelineKeys::init()
{
    m_fixture = std::make_unique<TimelineFixture>();
    QVERIFY(m_fixture->expose());
    m_fixture->addFrames(0, 60);
    view().setFocus();
}

void TestTimelineKeys::keysFlyThroughTime()
{
    const double before = view().scale().nsPerPixel;
    key(Qt::Key_W);
    QVERIFY(std::abs(view().scale().nsPerPixel * 1.2 - before) < 1e-6 * before);
    key(Qt::Key_S);
    QVERIFY(std::abs(view().scale().nsPerPixel - before) < 1e-6 * before);
    const std::int64_t start = view().scale().startNs;
    key(Qt::Key_A);
    QVERIFY(view().scale().startNs < start);
    key(Qt::Key_D);
    QVERIFY(std::abs(view().scale().startNs - start) <= 2);
    QVERIFY(!view().isFollowing());
}

void TestTimelineKeys::keysGoByTheirPlace()
{
    // On a French keyboard, the key at the position of W produces Z; the position counts.
    const double before = view().scale().nsPerPixel;
    constexpr quint32 kPlaceOfW = 25;
    QKeyEvent press(QEvent::KeyPress, Qt::Key_Z, Qt::NoModifier, kPlaceOfW, 0, 0, QStringLiteral("z"));
    QKeyEvent release(QEvent::KeyRelease, Qt::Key_Z, Qt::NoModifier, kPlaceOfW, 0, 0, QStringLiteral("z"));
    QApplication::sendEvent(&view(), &press);
    QApplication::sendEvent(&view(), &release);
    QVERIFY(view().scale().nsPerPixel < before);
}

void TestTimelineKeys::heldKeysGoOnFaster()
{
    const std::int64_t start = view().scale().startNs;
    const double step = view().scale().nsPerPixel * (m_fixture->viewport()->width() - m_fixture->labelWidth()) / 10;
    QTest::keyPress(&view(), Qt::Key_A);
    const auto steps = [&] { return static_cast<double>(start - view().scale().startNs) / step; };
    QVERIFY(steps() > 0.9 && steps() < 1.1);
    QTRY_VERIFY(steps() > 6);
    QTest::keyRelease(&view(), Qt::Key_A);
    const std::int64_t stopped = view().scale().startNs;
    QTest::qWait(60); // A running timer would have moved the view by now.
    QCOMPARE(view().scale().startNs, stopped);
}

void TestTimelineKeys::fitHomeAndEnd()
{
    key(Qt::Key_F);
    QCOMPARE(view().scale().startNs, m_fixture->trace.oldestNs());
    QVERIFY(std::abs(m_fixture->pixelOf(m_fixture->trace.newestNs()) - m_fixture->viewport()->width()) <= 1);
    for (int i = 0; i < 10; ++i)
        key(Qt::Key_W);
    const double zoomed = view().scale().nsPerPixel;
    key(Qt::Key_Home);
    QVERIFY(std::abs(m_fixture->pixelOf(m_fixture->trace.oldestNs()) - m_fixture->labelWidth()) <= 1);
    QCOMPARE(view().scale().nsPerPixel, zoomed);
    key(Qt::Key_End);
    QVERIFY(view().isFollowing());
    view().restart(false);
    key(Qt::Key_W);
    key(Qt::Key_End); // In a trace from a file, End moves to its end.
    QVERIFY(!view().isFollowing());
    QVERIFY(std::abs(m_fixture->pixelOf(m_fixture->trace.newestNs()) - m_fixture->viewport()->width()) <= 1);
}

void TestTimelineKeys::plusAndMinusZoom()
{
    const double before = view().scale().nsPerPixel;
    const double middle = (m_fixture->labelWidth() + m_fixture->viewport()->width()) / 2.0;
    const std::int64_t time = timeAt(view().scale(), middle - m_fixture->labelWidth());
    key(Qt::Key_Plus);
    QVERIFY(std::abs(view().scale().nsPerPixel * 1.2 - before) < 1e-6 * before);
    QVERIFY(std::abs(m_fixture->pixelOf(time) - middle) <= 1);
    key(Qt::Key_Minus);
    QVERIFY(std::abs(view().scale().nsPerPixel - before) < 1e-6 * before);
}

void TestTimelineKeys::arrowsStepThroughSpans()
{
    const TraceSpan canny = m_fixture->spanOf(QStringLiteral("CPU stage"), 59);
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {},
                      m_fixture->pointOf(QStringLiteral("CPU stage"), canny));
    for (std::uint64_t index = 58; index > 40; --index) {
        key(Qt::Key_Left);
        QCOMPARE(selection().span()->bar.index, index);
        QCOMPARE(selection().frame()->key, static_cast<std::uint32_t>(index));
        QVERIFY(isInView(selection().span()->bar.span.startNs));
        QVERIFY(isInView(selection().span()->bar.span.endNs()));
    }
    key(Qt::Key_Right);
    QCOMPARE(selection().span()->bar.index, std::uint64_t(42));
    selection().clear();
    key(Qt::Key_Right); // Starts with a visible span.
    QVERIFY(selection().span().has_value());
    QVERIFY(isInView(selection().span()->bar.span.startNs));
}

void TestTimelineKeys::arrowsChangeTheLane()
{
    const TraceSpan canny = m_fixture->spanOf(QStringLiteral("CPU stage"), 59);
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {},
                      m_fixture->pointOf(QStringLiteral("CPU stage"), canny));
    const auto lane = [&] {
        return m_fixture->trace.lane(m_fixture->trace.tracks()[selection().span()->track].lane())->name;
    };
    key(Qt::Key_Up);
    QCOMPARE(lane(), std::string("Pipeline"));
    QCOMPARE(selection().frame()->key, 59u);
    key(Qt::Key_Down);
    key(Qt::Key_Down);
    QCOMPARE(lane(), std::string("Display")); // The last CPU lane.
    key(Qt::Key_Down);
    QCOMPARE(lane(), std::string("CUDA stream 0")); // Skips the heading.
    for (int i = 0; i < 10; ++i)
        key(Qt::Key_Up);
    QCOMPARE(lane(), std::string("Capture"));
}

void TestTimelineKeys::bracketsStepThroughFrames()
{
    view().restart(false);
    view().show({m_fixture->trace.frames().at(30).startNs, m_fixture->trace.frames().at(33).startNs});
    key(Qt::Key_BracketRight);
    QVERIFY(selection().frame()->key >= 29 && selection().frame()->key <= 31);
    const std::uint32_t first = selection().frame()->key;
    for (std::uint32_t i = 1; i < 20; ++i) {
        key(Qt::Key_BracketRight);
        QCOMPARE(selection().frame()->key, first + i);
        QVERIFY(isInView(selection().frame()->period.startNs));
    }
    key(Qt::Key_BracketLeft);
    QCOMPARE(selection().frame()->key, first + 18);
}

void TestTimelineKeys::zZoomsToWhatIsSelected()
{
    m_fixture->drag(Qt::LeftButton, {500, 8}, {540, 8});
    const Interval range = *selection().range();
    key(Qt::Key_Z);
    QVERIFY(isInView(range.startNs) && isInView(range.endNs));
    QVERIFY(m_fixture->pixelOf(range.endNs) - m_fixture->pixelOf(range.startNs) > 1000);
    selection().clear();
    selection().selectFrame(20);
    key(Qt::Key_Z);
    const FrameFigures frame = m_fixture->trace.frames().at(20);
    QVERIFY(m_fixture->pixelOf(frame.startNs + frame.periodNs()) - m_fixture->pixelOf(frame.startNs) > 1000);
}

void TestTimelineKeys::backspaceGoesBack()
{
    key(Qt::Key_F);
    const TimeScale everything = view().scale();
    selection().selectFrame(20);
    key(Qt::Key_Z);
    const TimeScale frame = view().scale();
    m_fixture->drag(Qt::MiddleButton, {500, 200}, {600, 200});
    key(Qt::Key_Backspace);
    QCOMPARE(view().scale().nsPerPixel, frame.nsPerPixel);
    QCOMPARE(view().scale().startNs, frame.startNs);
    key(Qt::Key_Backspace);
    QCOMPARE(view().scale().startNs, everything.startNs);
    QCOMPARE(view().scale().nsPerPixel, everything.nsPerPixel);
}

void TestTimelineKeys::zoomsInARowAreOneStepBack()
{
    key(Qt::Key_F);
    const TimeScale everything = view().scale();
    for (int i = 0; i < 12; ++i)
        m_fixture->wheel({700, 120}, {0, 120});
    key(Qt::Key_Backspace);
    QCOMPARE(view().scale().nsPerPixel, everything.nsPerPixel);
}

void TestTimelineKeys::whatWasLeftIsComeBackTo()
{
    key(Qt::Key_F);
    const TimeScale everything = view().scale();
    selection().selectFrame(20);
    key(Qt::Key_Z);
    const TimeScale frame = view().scale();
    QVERIFY(!view().camera().forward()); // Nothing was left yet.
    key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(view().scale().nsPerPixel, everything.nsPerPixel);
    key(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(view().scale().nsPerPixel, frame.nsPerPixel);
    QCOMPARE(view().scale().startNs, frame.startNs);
    QVERIFY(!view().camera().canGoForward());
    key(Qt::Key_Left, Qt::AltModifier);
    selection().selectFrame(40);
    key(Qt::Key_Z); // Another way from here.
    QVERIFY(!view().camera().forward());
    view().resize(view().width() - 200, view().height());
    key(Qt::Key_Left, Qt::AltModifier);
    QVERIFY(isInView(m_fixture->trace.oldestNs()) && isInView(m_fixture->trace.newestNs()));
    key(Qt::Key_Right, Qt::AltModifier);
    const FrameFigures last = m_fixture->trace.frames().at(40);
    QVERIFY(isInView(last.startNs) && isInView(last.startNs + last.periodNs()));
}

void TestTimelineKeys::aJumpFarAwayCanBeUndone()
{
    selection().selectFrame(20);
    key(Qt::Key_Z);
    const TimeScale before = view().scale();
    const FrameFigures far = m_fixture->trace.frames().at(50);
    view().reveal({far.startNs, far.startNs + far.periodNs()});
    QVERIFY(view().scale().startNs > before.startNs);
    key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(view().scale().startNs, before.startNs);
    const FrameFigures next = m_fixture->trace.frames().at(21); // A step is no jump.
    view().reveal({next.startNs, next.startNs + next.periodNs()});
    QVERIFY(view().camera().canGoForward());
}

void TestTimelineKeys::hHoldsStillAndFollows()
{
    QVERIFY(view().isFollowing());
    key(Qt::Key_H);
    QVERIFY(!view().isFollowing());
    const std::int64_t start = view().scale().startNs;
    m_fixture->addFrames(60, 30);
    QCOMPARE(view().scale().startNs, start);
    key(Qt::Key_H);
    QVERIFY(view().isFollowing());
    QVERIFY(view().scale().startNs > start);
}

void TestTimelineKeys::escapeClearsOneThingAtATime()
{
    const TraceSpan canny = m_fixture->spanOf(QStringLiteral("CPU stage"), 59);
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {},
                      m_fixture->pointOf(QStringLiteral("CPU stage"), canny));
    m_fixture->drag(Qt::LeftButton, {500, 8}, {900, 8});
    key(Qt::Key_Escape);
    QVERIFY(!selection().range() && selection().span());
    key(Qt::Key_Escape);
    QVERIFY(selection().isEmpty());
    // During a drag, Esc cancels the drag.
    QTest::mousePress(m_fixture->viewport(), Qt::LeftButton, {}, {500, 8});
    m_fixture->move({700, 8}, Qt::LeftButton);
    key(Qt::Key_Escape);
    QTest::mouseRelease(m_fixture->viewport(), Qt::LeftButton, {}, {700, 8});
    QVERIFY(!selection().range());
}

void TestTimelineKeys::longerOnesOfItsName()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "a", ""}, {1, LaneRole::CpuStage, "b", ""}});
    const TraceName name = trace.names().intern("work", Category::Kernel);
    const TraceName same = trace.names().intern("work", Category::Copy); // Same text.
    const TraceName other = trace.names().intern("other", Category::Kernel);
    const auto add = [&](LaneId lane, std::int64_t startNs, std::int64_t durationNs, TraceName which) {
        QVERIFY(trace.add(lane, 0, {startNs, durationNs, 0, kNoFrame, which}));
    };
    add(0, 100, 20, name);
    add(0, 200, 10, name);
    add(0, 300, 90, other);
    add(0, 500, 30, name);
    add(1, 450, 25, same);
    add(1, 600, 21, name);
    TraceSelection chosen(trace);
    TimelineView timeline(trace, chosen);
    timeline.restart(false);
    QSignalSpy said(&timeline, &TimelineView::said);
    timeline.stepLonger(1);
    QCOMPARE(said.count(), 1); // Nothing is selected.
    const auto start = [&] { return chosen.span()->bar.span.startNs; };
    chosen.selectSpan({0, {1, trace.tracks()[0].at(1)}});
    timeline.stepLonger(1); // On the other lane, over the shorter and the other name.
    QCOMPARE(start(), std::int64_t(450));
    timeline.stepLonger(1);
    QCOMPARE(start(), std::int64_t(500));
    timeline.stepLonger(1);
    QCOMPARE(start(), std::int64_t(500));
    QCOMPARE(said.count(), 2);
    chosen.selectSpan({1, {1, trace.tracks()[1].at(1)}});
    timeline.stepLonger(-1);
    QCOMPARE(start(), std::int64_t(500));
    chosen.selectSpan({0, {1, trace.tracks()[0].at(1)}});
    timeline.stepLonger(-1);
    QCOMPARE(start(), std::int64_t(100));
}

void TestTimelineKeys::theLongestHitsAreListed()
{
    key(Qt::Key_F, Qt::ControlModifier);
    auto *bar = view().findChild<SearchBar *>();
    auto *field = bar->findChild<QLineEdit *>();
    HitList *list = bar->hits();
    QVERIFY(!list->isVisible());
    QTest::keyClicks(field, QStringLiteral("sobel"));
    QTRY_COMPARE(bar->status(), QStringLiteral("59 of 60"));
    QTest::keyClick(field, Qt::Key_Down);
    QVERIFY(list->isVisible() && list->hasFocus());
    QCOMPARE(list->table().rowCount(), 60);
    QVERIFY(bar->geometry().right() < m_fixture->viewport()->width());
    list->sortByColumn(HitTable::Start, Qt::AscendingOrder);
    list->selectRow(7);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(selection().frame()->key, 7u);
    QCOMPARE(bar->status(), QStringLiteral("8 of 60"));
    QVERIFY(isInView(selection().span()->bar.span.startNs));
    QCOMPARE(list->table().index(7, HitTable::Lane).data().toString(), QStringLiteral("CUDA stream 0"));
    field->setFocus();
    field->setText(QStringLiteral("> 5 ms"));
    const auto areLong = [list] {
        for (int row = 0; row < list->table().rowCount(); ++row)
            if (list->table().hit(row).bar.span.durationNs <= 5'000'000)
                return false;
        return list->table().rowCount() > 0;
    };
    QTRY_VERIFY(areLong()); // "sobel" takes 2.9 ms.
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!list->isVisible());
}

void TestTimelineKeys::findByName()
{
    key(Qt::Key_F, Qt::ControlModifier);
    auto *bar = view().findChild<SearchBar *>();
    QVERIFY(bar->isVisible());
    auto *field = bar->findChild<QLineEdit *>();
    QTest::keyClicks(field, QStringLiteral("SOBEL"));
    QTRY_COMPARE(bar->status(), QStringLiteral("59 of 60")); // First match in view.
    QCOMPARE(selection().frame()->key, 58u);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(bar->status(), QStringLiteral("60 of 60"));
    QTest::keyClick(field, Qt::Key_Return); // Wraps around.
    QCOMPARE(bar->status(), QStringLiteral("1 of 60"));
    QVERIFY(isInView(selection().span()->bar.span.startNs));
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(bar->status(), QStringLiteral("60 of 60"));
    QTest::keyClicks(field, QStringLiteral("xyz"));
    QTRY_COMPARE(bar->status(), QStringLiteral("none"));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!bar->isVisible());
    QVERIFY(view().hasFocus());
}

void TestTimelineKeys::theSearchGoesOnWhereTheUserLooks()
{
    key(Qt::Key_F, Qt::ControlModifier);
    auto *bar = view().findChild<SearchBar *>();
    auto *field = bar->findChild<QLineEdit *>();
    QTest::keyClicks(field, QStringLiteral("sobel"));
    QTRY_COMPARE(bar->status(), QStringLiteral("59 of 60"));
    const auto frame = [this](std::uint64_t number) { return m_fixture->trace.frames().at(number); };
    view().show(Interval{frame(20).startNs, frame(23).startNs});
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(bar->status(), QStringLiteral("21 of 60"));
    QTest::keyClick(field, Qt::Key_Return); // From there on.
    QCOMPARE(bar->status(), QStringLiteral("22 of 60"));
    view().show(Interval{frame(40).startNs, frame(43).startNs});
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier); // The last one in view.
    QCOMPARE(bar->status(), QStringLiteral("43 of 60"));
}

void TestTimelineKeys::whatWasFoundGoesWithItsTrace_data()
{
    QTest::addColumn<bool>("isClosed");
    QTest::newRow("open") << false;
    QTest::newRow("closed, in order of the names") << true; // Its list is still there.
}

/// A list of the former trace would look up its names and lanes in the new one.
void TestTimelineKeys::whatWasFoundGoesWithItsTrace()
{
    QFETCH(bool, isClosed);
    key(Qt::Key_F, Qt::ControlModifier);
    auto *bar = view().findChild<SearchBar *>();
    auto *field = bar->findChild<QLineEdit *>();
    QTest::keyClicks(field, QStringLiteral("sobel"));
    QTRY_COMPARE(bar->status(), QStringLiteral("59 of 60"));
    QTest::keyClick(field, Qt::Key_Down);
    QCOMPARE(bar->hits()->table().rowCount(), 60);
    if (isClosed) {
        bar->hits()->sortByColumn(HitTable::Name, Qt::AscendingOrder);
        QTest::keyClick(field, Qt::Key_Escape);
    }
    QCOMPARE(bar->isVisible(), !isClosed);
    m_fixture->trace = Trace();
    view().restart(false);
    QCOMPARE(bar->hits()->table().rowCount(), 0);
}

void TestTimelineKeys::whatIsFoundIsSeen()
{
    m_fixture->addFrames(60, 3000);
    LaneChoices choices;
    choices.setFolded(QStringLiteral("cuda"), true);
    view().setLaneChoices(choices);
    key(Qt::Key_F); // Shows everything: a span is much narrower than a pixel.
    key(Qt::Key_F, Qt::ControlModifier);
    auto *bar = view().findChild<SearchBar *>();
    auto *field = bar->findChild<QLineEdit *>();
    QTest::keyClicks(field, QStringLiteral("sobel"));
    QTRY_COMPARE(bar->status(), QStringLiteral("1 of 3,060"));
    const auto width = [&] {
        const TraceSpan &span = selection().span()->bar.span;
        return m_fixture->pixelOf(span.endNs()) - m_fixture->pixelOf(span.startNs);
    };
    QVERIFY(!view().laneChoices().isFolded(QStringLiteral("cuda")));
    QVERIFY(width() < 1); // Typing does not zoom.
    TimeScale lastHit;
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(field, Qt::Key_Return, i == 0 ? Qt::ShiftModifier : Qt::NoModifier); // First wraps to the end.
        QVERIFY2(width() >= 5, qPrintable(QString::number(width())));
        QVERIFY(isInView(selection().span()->bar.span.startNs) && isInView(selection().span()->bar.span.endNs()));
        if (i == 0)
            lastHit = view().scale();
    }
    QTest::keyClick(field, Qt::Key_Escape);
    key(Qt::Key_Backspace); // From the first hits to the last one, which is a jump.
    QCOMPARE(view().scale().startNs, lastHit.startNs);
    key(Qt::Key_Backspace); // Back to the whole trace.
    QVERIFY(isInView(m_fixture->trace.oldestNs()) && isInView(m_fixture->trace.newestNs()));
}

void TestTimelineKeys::theFieldHidesNoHit()
{
    view().restart(false);
    view().show({m_fixture->trace.frames().at(30).startNs, m_fixture->trace.frames().at(34).startNs});
    key(Qt::Key_F, Qt::ControlModifier);
    auto *bar = view().findChild<SearchBar *>();
    auto *field = bar->findChild<QLineEdit *>();
    QTest::keyClicks(field, QStringLiteral("dequeue"));
    QTRY_VERIFY(bar->status().endsWith(QStringLiteral(" of 60")));
    for (int i = 0; i < 10; ++i) {
        const TraceSpan &span = selection().span()->bar.span;
        const QPoint at = m_fixture->pointOf(QStringLiteral("Capture"), span);
        QVERIFY2(at.x() < bar->x(), qPrintable(QString::number(at.x())));
        QVERIFY(isInView(span.startNs));
        QTest::keyClick(field, Qt::Key_Return);
    }
}

void TestTimelineKeys::theSearchAddsUpAllHits()
{
    key(Qt::Key_F, Qt::ControlModifier);
    auto *bar = view().findChild<SearchBar *>();
    auto *field = bar->findChild<QLineEdit *>();
    QVERIFY(bar->figures().isEmpty());
    QTest::keyClicks(field, QStringLiteral("sobel"));
    QTRY_COMPARE(bar->status(), QStringLiteral("59 of 60"));
    QCOMPARE(bar->figures(), QStringLiteral("total 174 ms · median 2.9 ms · p95 2.9 ms · p99 2.9 ms · longest 2.9 ms"));
    QVERIFY(bar->parentWidget()->rect().contains(bar->geometry()));
    QCOMPARE(bar->size(), bar->sizeHint());
    QTest::keyClicks(field, QStringLiteral("xyz"));
    QTRY_COMPARE(bar->status(), QStringLiteral("none"));
    QVERIFY(bar->figures().isEmpty());
}

JETSCOPE_TEST(TestTimelineKeys)
#include "tst_timelinekeys.moc"
