// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "tests/support/tooltip.h"
#include "ui/style/theme.h"

#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>

using namespace jetscope;

/// Filtering, hiding, moving and folding lanes by mouse and keys.
class TestTimelineLanes : public QObject {
    Q_OBJECT
private slots:
    void init();
    void theFieldFilters();
    void escapeEndsTheFilter();
    void xHidesTheLaneOfTheSelectedSpan();
    void theNoteShowsAllAgain();
    void theEyeHides();
    void thePinPins();
    void aLaneThatIsFilteredOutCanBeUnpinned();
    void aNameIsDragged();
    void aLaneStaysInItsGroup();
    void aDragOnTheLanesStillPans();
    void altArrowsMove();
    void theKeysReachEveryRow();
    void headingsHaveAMenu();
    void deepLevelsOpenByClickAndKey();
    void whatIsShownComesOutOfHiding();
    void hidingChangesNoFigure();
    void lowTimelinesShowFewerLevels();

private:
    TimelineView &view() { return *m_fixture->view; }
    TraceSelection &selection() { return m_fixture->selection; }
    QStringList shown();
    void select(const QString &lane);
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&view(), key, modifiers);
    }
    /// On the name of a row, `fromRight` pixels from the end of the names if it is positive.
    QPoint onName(const QString &label, int fromRight = 0);
    void click(QPoint at) { QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, at); }
    void addDeepLane();

    std::unique_ptr<TimelineFixture> m_fixture;
};

namespace {

constexpr int kEye = 11; ///< Pixels from the end of the names.
constexpr int kPin = 30;

} // namespace

void TestTimelineLanes::init()
{
    applyTheme(*qApp, darkTheme());
    m_fixture = std::make_unique<TimelineFixture>(QSize(1200, 700));
    QVERIFY(m_fixture->expose());
    m_fixture->addFrames(0, 60);
    view().restart(false);
    view().setFocus();
}

QStringList TestTimelineLanes::shown()
{
    QStringList labels;
    for (const TimelineRow &row : view().layout().rows)
        if (row.kind == TimelineRow::Kind::Lane)
            labels.append(row.label);
    return labels;
}

void TestTimelineLanes::select(const QString &lane)
{
    const std::size_t track = m_fixture->row(lane).tracks.front();
    selection().selectSpan({track, {30, m_fixture->trace.tracks()[track].at(30)}});
}

QPoint TestTimelineLanes::onName(const QString &label, int fromRight)
{
    const TimelineRow &row = m_fixture->row(label);
    return {fromRight > 0 ? m_fixture->labelWidth() - fromRight : 40, view().layout().contentTop() + row.top + 10};
}

void TestTimelineLanes::theFieldFilters()
{
    const QStringList all = shown();
    key(Qt::Key_L);
    QLineEdit *field = view().lanes().filter();
    QVERIFY(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("cuda "));
    QCOMPARE(shown(), QStringList{"CUDA stream 0"});
    QCOMPARE(field->text(), QStringLiteral("cuda ")); // Typing goes on behind the blank.
    QVERIFY2(view().summary().contains(QStringLiteral("lanes filtered out")), qPrintable(view().summary()));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(view().hasFocus());
    QCOMPARE(shown(), QStringList{"CUDA stream 0"});
    view().showAllLanes();
    QCOMPARE(shown(), all);
    QVERIFY(field->text().isEmpty());
    QVERIFY(!view().summary().contains(QStringLiteral("filtered")));
}

void TestTimelineLanes::escapeEndsTheFilter()
{
    const QStringList all = shown();
    view().filterLanes();
    QTest::keyClicks(view().lanes().filter(), QStringLiteral("no such lane"));
    QVERIFY(shown().isEmpty());
    QCOMPARE(view().layout().rows.size(), std::size_t(1)); // The note says why.
    QTest::keyClick(view().lanes().filter(), Qt::Key_Escape);
    QCOMPARE(shown(), all);
    QVERIFY(view().hasFocus());
}

void TestTimelineLanes::xHidesTheLaneOfTheSelectedSpan()
{
    key(Qt::Key_X); // No span is selected.
    QCOMPARE(view().layout().hidden, 0);
    select(QStringLiteral("GL queue"));
    key(Qt::Key_X);
    QVERIFY(!shown().contains(QStringLiteral("GL queue")));
    QVERIFY(view().laneChoices().isHidden(QStringLiteral("gl/GL queue")));
    QVERIFY2(view().summary().contains(QStringLiteral("1 lane hidden")), qPrintable(view().summary()));
    key(Qt::Key_Down); // From a lane that is not shown one gets to one that is.
    QVERIFY(view().layout().rowOfTrack(selection().span()->track));
}

void TestTimelineLanes::theNoteShowsAllAgain()
{
    const QStringList all = shown();
    select(QStringLiteral("GL queue"));
    key(Qt::Key_X);
    const QPoint note = onName(QStringLiteral("1 lane hidden"));
    const QString tip = tipOf(m_fixture->viewport(), note);
    QVERIFY2(tip.contains(QStringLiteral("still count them")), qPrintable(tip));
    click(note);
    QCOMPARE(shown(), all);
}

void TestTimelineLanes::theEyeHides()
{
    const QPoint eye = onName(QStringLiteral("Capture"), kEye);
    const QImage before = m_fixture->picture();
    m_fixture->move(eye);
    QVERIFY(m_fixture->picture() != before); // It shows under the mouse only.
    QCOMPARE(tipOf(m_fixture->viewport(), eye), QStringLiteral("Hides the lane (X)"));
    click(eye);
    QVERIFY(!shown().contains(QStringLiteral("Capture")));
}

void TestTimelineLanes::thePinPins()
{
    const QPoint pin = onName(QStringLiteral("GL queue"), kPin);
    QCOMPARE(tipOf(m_fixture->viewport(), pin), QStringLiteral("Pins the lane to the top (P)"));
    click(pin);
    QVERIFY(view().layout().rows.front().pinned);
    QCOMPARE(view().layout().rows.front().label, QStringLiteral("GL queue"));
    click(onName(QStringLiteral("GL queue"), kPin));
    QVERIFY(!view().layout().rows.front().pinned);
}

/// Pinned, it is there whatever the filter says.
void TestTimelineLanes::aLaneThatIsFilteredOutCanBeUnpinned()
{
    select(QStringLiteral("GL queue"));
    key(Qt::Key_P);
    QVERIFY(view().laneChoices().isPinned(QStringLiteral("gl/GL queue")));
    view().filterLanes();
    QTest::keyClicks(view().lanes().filter(), QStringLiteral("capture"));
    QTest::keyClick(view().lanes().filter(), Qt::Key_Return);
    QVERIFY(shown().contains(QStringLiteral("GL queue")));
    key(Qt::Key_P);
    QCOMPARE(shown(), QStringList{"Capture"});
    view().showAllLanes();
    QVERIFY(shown().contains(QStringLiteral("GL queue")));
}

void TestTimelineLanes::aNameIsDragged()
{
    const QStringList before = shown();
    QCOMPARE(before.mid(0, 2), (QStringList{"Capture", "Pipeline"}));
    const Interval window = view().camera().window();
    m_fixture->drag(Qt::LeftButton, onName(QStringLiteral("Capture")),
                    onName(QStringLiteral("Pipeline")) + QPoint(0, 20));
    QCOMPARE(shown().mid(0, 2), (QStringList{"Pipeline", "Capture"}));
    QVERIFY(view().camera().window() == window);
    m_fixture->drag(Qt::LeftButton, onName(QStringLiteral("Capture")), onName(QStringLiteral("Pipeline")));
    QCOMPARE(shown(), before);
    // Esc gives the drag up.
    QTest::mousePress(m_fixture->viewport(), Qt::LeftButton, {}, onName(QStringLiteral("Capture")));
    m_fixture->move(onName(QStringLiteral("Pipeline")) + QPoint(0, 20), Qt::LeftButton);
    key(Qt::Key_Escape);
    QTest::mouseRelease(m_fixture->viewport(), Qt::LeftButton, {}, onName(QStringLiteral("Pipeline")) + QPoint(0, 20));
    QCOMPARE(shown(), before);
}

void TestTimelineLanes::aLaneStaysInItsGroup()
{
    const QStringList before = shown();
    m_fixture->drag(Qt::LeftButton, onName(QStringLiteral("Capture")), onName(QStringLiteral("GL queue")));
    QCOMPARE(shown(), before);
}

void TestTimelineLanes::aDragOnTheLanesStillPans()
{
    view().show({m_fixture->trace.frames().at(20).startNs, m_fixture->trace.frames().at(24).startNs});
    const Interval window = view().camera().window();
    const QStringList before = shown();
    m_fixture->drag(Qt::LeftButton, {600, 150}, {500, 150});
    QVERIFY(view().camera().window().startNs > window.startNs);
    QCOMPARE(shown(), before);
}

void TestTimelineLanes::altArrowsMove()
{
    select(QStringLiteral("Capture"));
    const auto span = selection().span();
    key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(shown().mid(0, 2), (QStringList{"Pipeline", "Capture"}));
    QCOMPARE(selection().span()->bar.index, span->bar.index); // The selection stays.
    key(Qt::Key_Up, Qt::AltModifier);
    key(Qt::Key_Up, Qt::AltModifier); // It is the first.
    QCOMPARE(shown().mid(0, 2), (QStringList{"Capture", "Pipeline"}));
}

/// Headings, counters and the note too, which have no spans.
void TestTimelineLanes::theKeysReachEveryRow()
{
    m_fixture->trace.setCounters({{0, "GPU load", "%", std::nullopt}});
    m_fixture->trace.add(std::vector<CounterSample>{{m_fixture->trace.oldestNs(), 40, 0}});
    view().refresh();
    const int height = view().layout().height;
    key(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(view().lanes().currentRow()->label, QStringLiteral("CPU threads"));
    key(Qt::Key_Return);
    QVERIFY(view().layout().height < height);
    key(Qt::Key_Return);
    QCOMPARE(view().layout().height, height);
    for (std::size_t i = 1; i < view().layout().rows.size(); ++i)
        key(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(view().lanes().currentRow()->label, QStringLiteral("GPU load"));
    key(Qt::Key_X);
    QCOMPARE(view().layout().rows.back().label, QStringLiteral("1 lane hidden"));
    for (std::size_t i = 0; i < view().layout().rows.size(); ++i)
        key(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(view().lanes().currentRow()->kind, TimelineRow::Kind::Note);
    key(Qt::Key_Return);
    QCOMPARE(view().layout().height, height);
}

void TestTimelineLanes::headingsHaveAMenu()
{
    const auto menuOf = [this] {
        const QPoint at = onName(QStringLiteral("CPU threads"));
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, m_fixture->viewport()->mapToGlobal(at));
        QApplication::sendEvent(m_fixture->viewport(), &event);
        return view().findChild<QMenu *>({}, Qt::FindDirectChildrenOnly);
    };
    std::unique_ptr<QMenu> menu(menuOf());
    QVERIFY(menu);
    QCOMPARE(menu->actions().front()->text(), QStringLiteral("Fold CPU threads"));
    menu->findChild<QAction *>(QStringLiteral("hide"))->trigger();
    QVERIFY(!shown().contains(QStringLiteral("Capture")) && shown().contains(QStringLiteral("CUDA stream 0")));
    QVERIFY(view().layout().hidden > 2);
    menu->findChild<QAction *>(QStringLiteral("resetLanes"))->trigger();
    QVERIFY(view().laneChoices() == LaneChoices());
}

void TestTimelineLanes::addDeepLane()
{
    std::vector<Span> spans;
    for (std::uint8_t level = 3; level < 9; ++level) {
        Span span;
        span.lane = m_fixture->row(QStringLiteral("Pipeline")).lane;
        span.depth = level;
        span.startNs = m_fixture->trace.oldestNs() + 1000 * level;
        span.durationNs = 20'000'000 - 2000 * level;
        span.name = internName("deep", Category::Tool);
        spans.push_back(span);
    }
    for (std::uint8_t level = 0; level < 3; ++level)
        spans.push_back([&] {
            Span span = spans.front();
            span.depth = level;
            span.startNs = m_fixture->trace.newestNs() + 1'000'000;
            return span;
        }());
    m_fixture->trace.add(spans);
    view().refresh();
}

void TestTimelineLanes::deepLevelsOpenByClickAndKey()
{
    addDeepLane();
    QCOMPARE(m_fixture->row(QStringLiteral("Pipeline")).deeper.size(), std::size_t(2));
    const auto levels = [this] { return onName(QStringLiteral("Pipeline")) + QPoint(0, 31); };
    QCOMPARE(tipOf(m_fixture->viewport(), levels()), QStringLiteral("Shows all levels"));
    click(levels());
    QVERIFY(m_fixture->row(QStringLiteral("Pipeline")).deeper.empty());
    click(levels());
    QCOMPARE(m_fixture->row(QStringLiteral("Pipeline")).deeper.size(), std::size_t(2));
    click(onName(QStringLiteral("Pipeline")));
    key(Qt::Key_Return);
    QVERIFY(m_fixture->row(QStringLiteral("Pipeline")).deeper.empty());
}

void TestTimelineLanes::whatIsShownComesOutOfHiding()
{
    addDeepLane();
    const TimelineRow row = m_fixture->row(QStringLiteral("Pipeline"));
    const std::size_t deepest = row.deeper.back();
    LaneChoices choices;
    choices.setHidden(row.key, true);
    choices.setFolded(QStringLiteral("cpu"), true);
    choices.setFilter(QStringLiteral("stream"));
    view().setLaneChoices(choices);
    QVERIFY(!view().layout().rowOfTrack(deepest));
    view().showSpan({deepest, {0, m_fixture->trace.tracks()[deepest].at(0)}});
    const TimelineRow *found = view().layout().rowOfTrack(deepest);
    QVERIFY(found && found->kind == TimelineRow::Kind::Lane);
    QVERIFY(view().lanes().filter()->text().isEmpty());
}

/// Overlap and the figures of a range are of all lanes.
void TestTimelineLanes::hidingChangesNoFigure()
{
    view().show({m_fixture->trace.frames().at(20).startNs, m_fixture->trace.frames().at(24).startNs});
    const auto overlap = [this] {
        return m_fixture->picture().copy(m_fixture->labelWidth(), view().layout().metrics.rulerHeight,
                                         m_fixture->viewport()->width() - m_fixture->labelWidth(),
                                         view().layout().overlap.height - 1);
    };
    const QImage before = overlap();
    LaneChoices choices;
    for (const TimelineRow &row : view().layout().rows)
        choices.setHidden(row.key, true);
    view().setLaneChoices(choices);
    QVERIFY(shown().isEmpty());
    QCOMPARE(overlap(), before);
}

void TestTimelineLanes::lowTimelinesShowFewerLevels()
{
    addDeepLane();
    QCOMPARE(m_fixture->row(QStringLiteral("Pipeline")).tracks.size(), std::size_t(7));
    view().resize(1200, 260);
    QApplication::processEvents();
    QCOMPARE(m_fixture->row(QStringLiteral("Pipeline")).tracks.size(), std::size_t(4));
    view().resize(1200, 700);
    QApplication::processEvents();
    QCOMPARE(m_fixture->row(QStringLiteral("Pipeline")).tracks.size(), std::size_t(7));
}

JETSCOPE_TEST(TestTimelineLanes)
#include "tst_timelinelanes.moc"
