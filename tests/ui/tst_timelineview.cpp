// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"
#include "ui/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/timeline/tracehistory.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace jetscope;

class TestTimelineView : public QObject {
    Q_OBJECT
private slots:
    void init();
    void followsTheNewestFrames();
    void wheelZoomsAtTheCursor();
    void draggingPans();
    void aClickDoesNotPan();
    void horizontalWheelPans();
    void keysZoomPanFitAndFollow();
    void standsStillWhileNothingComes();
    void paintsNothingYet();
    void paintsManySpansInPixelTime();

private:
    void addFrames(std::uint32_t first, std::uint32_t count);
    void wheel(QPointF at, QPoint delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    double pixelOf(std::int64_t ns) const { return kLabels + pixelAt(m_view->scale(), ns); }

    const double kLabels = TimelineMetrics().labelWidth;
    std::unique_ptr<TraceHistory> m_history;
    std::unique_ptr<TimelineView> m_view;
};

void TestTimelineView::init()
{
    m_view.reset();
    m_history = std::make_unique<TraceHistory>();
    m_view = std::make_unique<TimelineView>(*m_history);
    m_view->resize(1400, 340);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
}

void TestTimelineView::addFrames(std::uint32_t first, std::uint32_t count)
{
    FakePipeline pipeline;
    scriptFrames(pipeline, first, count);
    m_history->setLanes(pipeline.news.lanes);
    m_history->add(pipeline.news.spans);
    m_history->add(pipeline.news.figures);
    m_view->refresh();
}

void TestTimelineView::wheel(QPointF at, QPoint delta, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(at, m_view->viewport()->mapToGlobal(at), {}, delta, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(m_view->viewport(), &event);
}

void TestTimelineView::followsTheNewestFrames()
{
    addFrames(0, 10);
    QVERIFY(m_view->isFollowing());
    // Triggered: the left edge stays just before the start of a frame.
    const double first = pixelOf(m_history->frames()[8].startNs);
    QVERIFY(first > kLabels && first < kLabels + 60);
    addFrames(10, 7);
    QCOMPARE(qRound(pixelOf(m_history->frames()[15].startNs)), qRound(first));
    QVERIFY(m_view->summary().contains(QStringLiteral("following")));
    QVERIFY(m_view->summary().contains(QStringLiteral("–16")));
}

void TestTimelineView::wheelZoomsAtTheCursor()
{
    addFrames(0, 60);
    const QPointF cursor(kLabels + 611, 120);
    const std::int64_t time = timeAt(m_view->scale(), 611);
    const double before = m_view->scale().nsPerPixel;
    wheel(cursor, {0, 120});
    QVERIFY(!m_view->isFollowing());
    QVERIFY(std::abs(m_view->scale().nsPerPixel * 1.2 - before) < before * 1e-6);
    wheel(cursor, {0, -120}, Qt::ControlModifier);
    QVERIFY(std::abs(m_view->scale().nsPerPixel * 1.2 / 1.05 - before) < before * 1e-6);
    for (int step = 0; step < 1000; ++step) {
        wheel(cursor, {0, step % 7 < 4 ? 120 : -120});
        QVERIFY2(std::abs(pixelOf(time) - cursor.x()) <= 1, qPrintable(QString::number(step)));
        if (step % 50 == 49)
            for (int back = 0; back < 7; ++back)
                wheel(cursor, {0, -120});
    }
}

void TestTimelineView::draggingPans()
{
    addFrames(0, 60);
    const std::int64_t time = timeAt(m_view->scale(), 300);
    const QPoint from(qRound(kLabels) + 300, 150);
    QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 10; ++i)
        QTest::mouseMove(m_view->viewport(), from + QPoint(12 * i, 0));
    QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, from + QPoint(120, 0));
    QVERIFY(!m_view->isFollowing());
    QVERIFY(std::abs(pixelOf(time) - (from.x() + 120)) <= 1);
    const TimeScale after = m_view->scale();
    QTest::mouseMove(m_view->viewport(), from + QPoint(300, 0)); // Not pressed any more.
    QCOMPARE(m_view->scale().startNs, after.startNs);
}

void TestTimelineView::aClickDoesNotPan()
{
    addFrames(0, 60);
    const TimeScale before = m_view->scale();
    const QPoint at(500, 150);
    QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseMove(m_view->viewport(), at + QPoint(2, 1));
    QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, at + QPoint(2, 1));
    QVERIFY(m_view->isFollowing());
    QCOMPARE(m_view->scale().startNs, before.startNs);
}

void TestTimelineView::horizontalWheelPans()
{
    addFrames(0, 60);
    const std::int64_t time = timeAt(m_view->scale(), 400);
    const double before = pixelOf(time);
    wheel({600, 100}, {120, 0});
    QVERIFY(pixelOf(time) > before);
    wheel({600, 100}, {0, -120}, Qt::ShiftModifier);
    QVERIFY(std::abs(pixelOf(time) - before) <= 1);
    QVERIFY(!m_view->isFollowing());
}

void TestTimelineView::keysZoomPanFitAndFollow()
{
    addFrames(0, 60);
    const double before = m_view->scale().nsPerPixel;
    QTest::keyClick(m_view.get(), Qt::Key_W);
    QVERIFY(m_view->scale().nsPerPixel < before);
    QTest::keyClick(m_view.get(), Qt::Key_S);
    QVERIFY(std::abs(m_view->scale().nsPerPixel - before) < 1e-6 * before);
    const std::int64_t start = m_view->scale().startNs;
    QTest::keyClick(m_view.get(), Qt::Key_D);
    QVERIFY(m_view->scale().startNs > start);
    QTest::keyClick(m_view.get(), Qt::Key_A);
    QVERIFY(std::abs(m_view->scale().startNs - start) <= 2);
    QTest::keyClick(m_view.get(), Qt::Key_F);
    QCOMPARE(m_view->scale().startNs, m_history->oldestNs());
    QVERIFY(std::abs(pixelOf(m_history->newestNs()) - m_view->viewport()->width()) <= 1);
    QTest::keyClick(m_view.get(), Qt::Key_End);
    QVERIFY(m_view->isFollowing());
}

void TestTimelineView::standsStillWhileNothingComes()
{
    addFrames(0, 60);
    const TimeScale before = m_view->scale();
    for (int i = 0; i < 10; ++i)
        m_view->refresh(); // As while the pipeline is paused.
    QCOMPARE(m_view->scale().startNs, before.startNs);
    QCOMPARE(m_view->scale().nsPerPixel, before.nsPerPixel);
    // Not following, new frames do not move it either.
    QTest::keyClick(m_view.get(), Qt::Key_A);
    const std::int64_t start = m_view->scale().startNs;
    addFrames(60, 60);
    QCOMPARE(m_view->scale().startNs, start);
}

void TestTimelineView::paintsNothingYet()
{
    m_view->refresh();
    const QImage image = m_view->grab().toImage();
    QVERIFY(!image.isNull());
    QCOMPARE(m_view->summary(), QStringLiteral("nothing recorded yet"));
    for (const Qt::Key key : {Qt::Key_F, Qt::Key_W, Qt::Key_A, Qt::Key_End})
        QTest::keyClick(m_view.get(), key);
}

void TestTimelineView::paintsManySpansInPixelTime()
{
    // The same 20 seconds with 100 times the spans must not take anywhere near 100 times as long.
    const auto paintTime = [this](int spans) {
        m_history->clear();
        std::vector<Span> all;
        const std::int64_t pitch = 19'000'000'000 / spans;
        for (int i = 0; i < spans; ++i) {
            Span span;
            span.startNs = 1 + i * pitch;
            span.durationNs = pitch / 2;
            all.push_back(span);
        }
        m_history->setLanes({{0, LaneRole::Tool, "Tool", ""}}); // Not in the overlap strip.
        m_history->add(all);
        m_view->fitAll();
        m_view->refresh();
        m_view->grab();
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 5; ++i)
            m_view->grab();
        return static_cast<double>(timer.nsecsElapsed());
    };
    const double few = paintTime(2'000);
    const double many = paintTime(200'000);
    QVERIFY2(many < few * 10, qPrintable(QStringLiteral("%1 against %2 ns").arg(many).arg(few)));
}

QTEST_MAIN(TestTimelineView)
#include "tst_timelineview.moc"
