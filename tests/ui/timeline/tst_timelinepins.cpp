// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "tests/support/tooltip.h"
#include "ui/style/theme.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QScrollBar>

using namespace jetscope;

/// Lanes that stay at the top while the others scroll.
class TestTimelinePins : public QObject {
    Q_OBJECT
private slots:
    void init();
    void pPinsTheLaneOfTheSelectedSpan();
    void theMenuPinsAnyLane();
    void theMenuKeyPinsTheLaneOfTheSelectedSpan();
    void pinnedLanesStayWhileTheOthersScroll();
    void nothingOfAScrolledLaneShowsOverThem();
    void theMouseFindsWhatItSees();
    void steppingScrollsTheOthersOnly();
    void tooManyScrollWithTheRest();
    void theNamesSayHow();

private:
    TimelineView &view() { return *m_fixture->view; }
    TraceSelection &selection() { return m_fixture->selection; }
    void pin(std::initializer_list<const char *> names);
    void select(const QString &lane, std::uint64_t index);
    void scrollDown() { view().verticalScrollBar()->setValue(view().verticalScrollBar()->maximum()); }
    QMenu *menuAt(QPoint at, QContextMenuEvent::Reason reason);
    QImage rowsOf(int top, int height);
    int top(const QString &label) { return view().layout().contentTop() + m_fixture->row(label).top; }

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestTimelinePins::init()
{
    applyTheme(*qApp, darkTheme());
    m_fixture = std::make_unique<TimelineFixture>(QSize(1200, 220)); // Too low for all lanes.
    QVERIFY(m_fixture->expose());
    m_fixture->addFrames(0, 60);
    view().setFocus();
    QVERIFY(view().verticalScrollBar()->maximum() > 100);
}

void TestTimelinePins::pin(std::initializer_list<const char *> names)
{
    QStringList pinned;
    for (const char *name : names)
        pinned.append(QLatin1String(name));
    LaneChoices choices = view().laneChoices();
    choices.setPinned(pinned);
    view().setLaneChoices(choices);
}

void TestTimelinePins::select(const QString &lane, std::uint64_t index)
{
    const std::size_t track = m_fixture->row(lane).tracks.front();
    selection().selectSpan({track, {index, m_fixture->trace.tracks()[track].at(index)}});
}

QMenu *TestTimelinePins::menuAt(QPoint at, QContextMenuEvent::Reason reason)
{
    QContextMenuEvent event(reason, at, m_fixture->viewport()->mapToGlobal(at));
    QApplication::sendEvent(m_fixture->viewport(), &event);
    return view().findChild<QMenu *>({}, Qt::FindDirectChildrenOnly);
}

QImage TestTimelinePins::rowsOf(int top, int height)
{
    return m_fixture->picture().copy(0, top, m_fixture->viewport()->width(), height);
}

void TestTimelinePins::pPinsTheLaneOfTheSelectedSpan()
{
    QTest::keyClick(&view(), Qt::Key_P); // No span is selected.
    QVERIFY(view().laneChoices().pinned().isEmpty());
    select(QStringLiteral("GL queue"), 58);
    QTest::keyClick(&view(), Qt::Key_P);
    QCOMPARE(view().layout().rows[0].label, QStringLiteral("GL queue"));
    QCOMPARE(view().laneChoices().pinned(), QStringList{"gl/GL queue"});
    QVERIFY(selection().span().has_value());
    select(QStringLiteral("CUDA stream 0"), 170);
    QTest::keyClick(&view(), Qt::Key_P);
    QCOMPARE(view().layout().rows[0].label, QStringLiteral("GL queue")); // In the order of pinning.
    QCOMPARE(view().layout().rows[1].label, QStringLiteral("CUDA stream 0"));
    select(QStringLiteral("GL queue"), 58);
    QTest::keyClick(&view(), Qt::Key_P);
    QCOMPARE(view().laneChoices().pinned(), QStringList{"cuda/CUDA stream 0"});
}

void TestTimelinePins::theMenuPinsAnyLane()
{
    const int y = m_fixture->middleOf(m_fixture->row(QStringLiteral("Pipeline")));
    for (const int x : {40, 600}) { // Over the name and over the bars.
        QMenu *menu = menuAt({x, y}, QContextMenuEvent::Mouse);
        QVERIFY(menu);
        QCOMPARE(menu->actions().front()->text(), QStringLiteral("Pin Pipeline to the top"));
        menu->actions().front()->trigger();
        QCOMPARE(view().laneChoices().pinned(), QStringList{"cpu/Pipeline"});
        delete menu;
        menu = menuAt({x, m_fixture->middleOf(m_fixture->row(QStringLiteral("Pipeline")))}, QContextMenuEvent::Mouse);
        QCOMPARE(menu->actions().front()->text(), QStringLiteral("Unpin Pipeline"));
        menu->actions().front()->trigger();
        QVERIFY(view().laneChoices().pinned().isEmpty());
        delete menu;
    }
    QVERIFY(!menuAt({600, 8}, QContextMenuEvent::Mouse)); // The ruler is no lane.
}

void TestTimelinePins::theMenuKeyPinsTheLaneOfTheSelectedSpan()
{
    QVERIFY(!menuAt({600, 100}, QContextMenuEvent::Keyboard));
    select(QStringLiteral("GL queue"), 58);
    QMenu *menu = menuAt({600, 100}, QContextMenuEvent::Keyboard);
    QVERIFY(menu);
    menu->actions().front()->trigger();
    QCOMPARE(view().laneChoices().pinned(), QStringList{"gl/GL queue"});
}

void TestTimelinePins::pinnedLanesStayWhileTheOthersScroll()
{
    pin({"gl/GL queue", "cuda/CUDA stream 0"});
    const int height = view().layout().pinnedHeight;
    QCOMPARE(height, 2 * view().layout().metrics.rowHeight);
    const int contentTop = view().layout().contentTop();
    const QImage before = rowsOf(contentTop, height);
    const QImage below = rowsOf(contentTop + height, 60);
    scrollDown();
    QCOMPARE(rowsOf(contentTop, height), before);
    QVERIFY(rowsOf(contentTop + height, 60) != below);
    // The last row can be scrolled to just above the frame numbers.
    const TimelineRow &last = view().layout().rows.back();
    const int bottom = contentTop + last.top + last.height - view().verticalScrollBar()->value();
    QCOMPARE(bottom, m_fixture->viewport()->height() - view().layout().metrics.footerHeight);
    // Unpinning everything restores the first picture.
    pin({});
    view().verticalScrollBar()->setValue(0);
    const QImage unpinned = m_fixture->picture();
    pin({"gl/GL queue"});
    QVERIFY(m_fixture->picture() != unpinned);
    pin({});
    QCOMPARE(m_fixture->picture(), unpinned);
}

/// Outlines and names are painted over the tiles, so they need clipping.
void TestTimelinePins::nothingOfAScrolledLaneShowsOverThem()
{
    pin({"gl/GL queue", "cuda/CUDA stream 0"});
    const int contentTop = view().layout().contentTop();
    const int height = view().layout().pinnedHeight;
    QTest::keyClick(&view(), Qt::Key_H); // Stop following.
    const TimelineRow capture = m_fixture->row(QStringLiteral("Capture"));
    const TraceSpan dequeue = m_fixture->spanOf(QStringLiteral("Capture"), 58);
    selection().selectSpan({capture.tracks.front(), {58, dequeue}});
    const int left = qRound(m_fixture->pixelOf(dequeue.startNs)) - 1; // Left edge of the outline.
    const auto outlined = [&](const QImage &rows) {
        int count = 0;
        for (int y = 0; y < rows.height(); ++y)
            count += rows.pixelColor(left, y) == darkTheme().accentText;
        return count;
    };
    int hidden = 0;
    for (int scroll = 0; scroll <= view().verticalScrollBar()->maximum(); scroll += 3) {
        view().verticalScrollBar()->setValue(scroll);
        QVERIFY2(outlined(rowsOf(contentTop, height - 1)) == 0, qPrintable(QString::number(scroll)));
        const int bottom = contentTop + capture.top + capture.height - scroll;
        hidden += bottom < contentTop + height;
        if (scroll == 0)
            QVERIFY(outlined(rowsOf(contentTop + height, 60)) > 20);
    }
    QVERIFY(hidden > 3); // Includes positions where the lane is completely hidden.
}

void TestTimelinePins::theMouseFindsWhatItSees()
{
    pin({"gl/GL queue"});
    const TraceSpan draw = m_fixture->spanOf(QStringLiteral("GL queue"), 58);
    const TraceSpan submit = m_fixture->spanOf(QStringLiteral("Pipeline"), 58 * 3 + 1);
    for (const bool scrolled : {false, true}) {
        view().verticalScrollBar()->setValue(scrolled ? 30 : 0);
        QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {},
                          m_fixture->pointOf(QStringLiteral("GL queue"), draw));
        QVERIFY(selection().span().has_value());
        QCOMPARE(selection().span()->bar.span.startNs, draw.startNs);
        const QPoint at =
            m_fixture->pointOf(QStringLiteral("Pipeline"), submit) - QPoint(0, view().verticalScrollBar()->value());
        QVERIFY(at.y() > view().layout().contentTop() + view().layout().pinnedHeight);
        QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(selection().span()->bar.span.startNs, submit.startNs);
    }
}

void TestTimelinePins::steppingScrollsTheOthersOnly()
{
    pin({"cpu/Capture"});
    scrollDown();
    const int bottom = view().verticalScrollBar()->value();
    select(QStringLiteral("Capture"), 58);
    QTest::keyClick(&view(), Qt::Key_Left); // The pinned lane is always visible.
    QCOMPARE(view().verticalScrollBar()->value(), bottom);
    QTest::keyClick(&view(), Qt::Key_Down); // First lane below.
    const TimelineRow &row = *view().layout().rowOfTrack(selection().span()->track);
    QCOMPARE(row.label, QStringLiteral("Pipeline"));
    const int shown = view().layout().contentTop() + row.top - view().verticalScrollBar()->value();
    QVERIFY2(shown >= view().layout().contentTop() + view().layout().pinnedHeight, qPrintable(QString::number(shown)));
}

void TestTimelinePins::tooManyScrollWithTheRest()
{
    pin({"cpu/Capture", "cpu/Pipeline", "cpu/CPU stage", "cpu/Display", "cuda/CUDA stream 0"});
    const int contentTop = view().layout().contentTop();
    const QImage before = rowsOf(contentTop, 36);
    scrollDown();
    QVERIFY(rowsOf(contentTop, 36) != before);
    const TimelineRow &last = view().layout().rows.back();
    QCOMPARE(contentTop + last.top + last.height - view().verticalScrollBar()->value(),
             m_fixture->viewport()->height() - view().layout().metrics.footerHeight);
}

void TestTimelinePins::theNamesSayHow()
{
    const QPoint at(40, m_fixture->middleOf(m_fixture->row(QStringLiteral("Pipeline"))));
    const QString tip = tipOf(m_fixture->viewport(), at);
    QVERIFY2(tip.contains(QStringLiteral("Pipeline · thread")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("Right click pins it")), qPrintable(tip));
}

JETSCOPE_TEST(TestTimelinePins)
#include "tst_timelinepins.moc"
