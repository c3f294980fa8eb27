// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "tests/support/tooltip.h"
#include "ui/style/theme.h"

#include <QElapsedTimer>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace jetscope;

class TestTimelineView : public QObject {
    Q_OBJECT
private slots:
    void init();
    void followsTheNewestFrames();
    void standsStillWhileNothingComes();
    void resumesByAButton();
    void anotherTraceIsShownWhole();
    void theSameTimeStaysInViewWhenTheRoomChanges();
    void paintsNothingYet();
    void hoverAndSelectionRebuildNothing();
    void panningWithinReachRebuildsNothing();
    void newSpansRebuildOnlyWhatTheyTouch();
    void collapsesGroupsByClick();
    void loadIsStrength();
    void contendedTimeIsHatched();
    void boundedSpansAreHatched();
    void uncertaintyHasAFringe();
    void countersAreDrawn();
    void countersTellTheValueAtTheCursor();
    void countersHaveAScale();
    void costGrowsWithPixelsAndNotWithSpans();

private:
    Trace &trace() { return m_fixture->trace; }
    TimelineView &view() { return *m_fixture->view; }

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestTimelineView::init()
{
    m_fixture = std::make_unique<TimelineFixture>();
    QVERIFY(m_fixture->expose());
}

void TestTimelineView::followsTheNewestFrames()
{
    m_fixture->addFrames(0, 10);
    QVERIFY(view().isFollowing());
    // Triggered: the left edge stays just before the start of a frame.
    const double first = m_fixture->pixelOf(trace().frames().at(8).startNs);
    QVERIFY(first > m_fixture->labelWidth() && first < m_fixture->labelWidth() + 60);
    m_fixture->addFrames(10, 7);
    QVERIFY(std::abs(m_fixture->pixelOf(trace().frames().at(15).startNs) - first) <= 1);
    QVERIFY(view().summary().contains(QStringLiteral("following")));
    QVERIFY(!view().summary().contains(QStringLiteral("frame"))); // The text would be older than the labels below it.
    QTest::keyClick(&view(), Qt::Key_H);
    QVERIFY2(view().summary().contains(QStringLiteral("–16")), qPrintable(view().summary()));
}

void TestTimelineView::standsStillWhileNothingComes()
{
    m_fixture->addFrames(0, 60);
    m_fixture->picture();
    const TimeScale before = view().scale();
    const std::uint64_t rebuilds = view().rebuilds();
    for (int i = 0; i < 10; ++i) {
        view().refresh(); // Like while the pipeline is paused.
        m_fixture->picture();
    }
    QCOMPARE(view().scale().startNs, before.startNs);
    QCOMPARE(view().scale().nsPerPixel, before.nsPerPixel);
    QCOMPARE(view().rebuilds(), rebuilds);
    // When not following, new frames do not move the view.
    QTest::keyClick(&view(), Qt::Key_A);
    const std::int64_t start = view().scale().startNs;
    m_fixture->addFrames(60, 60);
    QCOMPARE(view().scale().startNs, start);
}

void TestTimelineView::resumesByAButton()
{
    m_fixture->addFrames(0, 60);
    auto *resume = view().findChild<QPushButton *>(QStringLiteral("resume"));
    QVERIFY(!resume->isVisible());
    m_fixture->wheel({600, 120}, {0, 120});
    QVERIFY(resume->isVisible());
    QVERIFY(m_fixture->viewport()->rect().contains(resume->geometry()));
    QTest::mouseClick(resume, Qt::LeftButton);
    QVERIFY(view().isFollowing());
    QVERIFY(!resume->isVisible());
}

void TestTimelineView::anotherTraceIsShownWhole()
{
    m_fixture->addFrames(0, 600);
    view().restart(false);
    QVERIFY(!view().isFollowing());
    QVERIFY(std::abs(m_fixture->pixelOf(trace().oldestNs()) - m_fixture->labelWidth()) <= 1);
    QVERIFY(std::abs(m_fixture->pixelOf(trace().newestNs()) - m_fixture->viewport()->width()) <= 1);
    QVERIFY(!view().findChild<QPushButton *>(QStringLiteral("resume"))->isVisible()); // Not a live trace.
    QVERIFY(!view().summary().contains(QStringLiteral("follow")));
}

void TestTimelineView::theSameTimeStaysInViewWhenTheRoomChanges()
{
    m_fixture->addFrames(0, 600);
    view().restart(false);
    const FrameFigures frame = trace().frames().at(300);
    const auto isShown = [&] { // With a margin of a few percent.
        const double left = m_fixture->pixelOf(frame.startNs) - m_fixture->labelWidth();
        const double right = m_fixture->viewport()->width() - m_fixture->pixelOf(frame.startNs + frame.periodNs());
        const double room = m_fixture->viewport()->width() - m_fixture->labelWidth();
        return left > 0 && left < room * 0.05 && right > 0 && right < room * 0.05;
    };
    view().show({frame.startNs, frame.startNs + frame.periodNs()});
    QVERIFY(isShown());
    view().resize(800, 420); // A panel beside the view is shown,
    QVERIFY(isShown());
    view().resize(1400, 420); // and hidden again.
    QVERIFY(isShown());
    QTest::keyClick(&view(), Qt::Key_Backspace);
    view().resize(700, 420);
    QVERIFY(std::abs(m_fixture->pixelOf(trace().oldestNs()) - m_fixture->labelWidth()) <= 1);
    QVERIFY(std::abs(m_fixture->pixelOf(trace().newestNs()) - m_fixture->viewport()->width()) <= 1);
}

void TestTimelineView::paintsNothingYet()
{
    view().refresh();
    QVERIFY(!m_fixture->picture().isNull());
    QCOMPARE(view().summary(), QStringLiteral("nothing recorded yet"));
    for (const Qt::Key key : {Qt::Key_F, Qt::Key_W, Qt::Key_A, Qt::Key_End, Qt::Key_Home, Qt::Key_Left, Qt::Key_Down,
                              Qt::Key_Z, Qt::Key_Backspace, Qt::Key_BracketRight, Qt::Key_Escape})
        QTest::keyClick(&view(), key);
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, {600, 100});
    QTest::mouseDClick(m_fixture->viewport(), Qt::LeftButton, {}, {600, 100});
    QVERIFY(m_fixture->selection.isEmpty());
}

void TestTimelineView::hoverAndSelectionRebuildNothing()
{
    m_fixture->addFrames(0, 60);
    m_fixture->wheel({600, 120}, {0, 120});
    m_fixture->picture();
    view().prefetchAll();
    const std::uint64_t before = view().rebuilds();
    QVERIFY(before > 0);
    int hovered = 0;
    for (int x = m_fixture->labelWidth() + 32; x < 1390; x += 7) {
        m_fixture->move({x, m_fixture->middleOf(m_fixture->row(QStringLiteral("CPU stage")))});
        hovered += view().hovered().has_value();
        m_fixture->picture();
    }
    QVERIFY(hovered > 20);
    int selected = 0;
    for (int x = m_fixture->labelWidth() + 32; x < 1390; x += 50) {
        QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {},
                          {x, m_fixture->middleOf(m_fixture->row(QStringLiteral("CPU stage")))});
        selected += m_fixture->selection.span().has_value();
        m_fixture->picture();
    }
    QVERIFY(selected > 3);
    m_fixture->drag(Qt::LeftButton, {300, 8}, {700, 8}); // Measuring does not rebuild tiles either.
    m_fixture->picture();
    QVERIFY(m_fixture->selection.range().has_value());
    QCOMPARE(view().rebuilds(), before);
}

void TestTimelineView::panningWithinReachRebuildsNothing()
{
    m_fixture->addFrames(0, 1000);
    m_fixture->view->restart(false);
    const FrameFigures middle = trace().frames().at(500);
    view().show({middle.startNs, middle.startNs + 10 * middle.periodNs()});
    m_fixture->picture();
    view().prefetchAll();
    const std::uint64_t before = view().rebuilds();
    // Drag by one view width.
    const int width = m_fixture->viewport()->width() - m_fixture->labelWidth();
    m_fixture->drag(Qt::LeftButton, {250, 390}, {250 + width, 390});
    m_fixture->picture();
    QCOMPARE(view().rebuilds(), before);
    // Beyond the cached tiles, only missing tiles are made.
    view().prefetchAll();
    const std::uint64_t reach = view().rebuilds();
    QVERIFY(reach > before);
    m_fixture->drag(Qt::LeftButton, {250, 390}, {255, 390});
    m_fixture->picture();
    QCOMPARE(view().rebuilds(), reach);
    m_fixture->wheel({600, 120}, {0, 120});
    m_fixture->picture();
    QVERIFY(view().rebuilds() > reach); // Zooming makes new tiles.
}

void TestTimelineView::newSpansRebuildOnlyWhatTheyTouch()
{
    m_fixture->addFrames(0, 600);
    view().show({trace().frames().at(100).startNs, trace().frames().at(110).startNs});
    m_fixture->picture();
    const std::uint64_t before = view().rebuilds();
    m_fixture->addFrames(600, 60); // Outside of the view.
    m_fixture->picture();
    QCOMPARE(view().rebuilds(), before);
}

void TestTimelineView::collapsesGroupsByClick()
{
    m_fixture->addFrames(0, 10);
    const int before = view().layout().height;
    const TimelineRow heading = m_fixture->row(QStringLiteral("CPU threads"));
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, {40, m_fixture->middleOf(heading)});
    QVERIFY(view().layout().height < before);
    QVERIFY(view().laneChoices().isFolded(QStringLiteral("cpu")));
    // The heading still shows the activity of the lanes.
    const QImage picture = m_fixture->picture();
    const TraceSpan dequeue = trace().tracks().front().at(8);
    const QColor bar = picture.pixelColor(qRound(m_fixture->pixelOf(dequeue.startNs + dequeue.durationNs / 2)),
                                          m_fixture->middleOf(m_fixture->row(QStringLiteral("CPU threads"))));
    QVERIFY(bar != darkTheme().panel && bar != darkTheme().band);
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, {40, m_fixture->middleOf(heading)});
    QCOMPARE(view().layout().height, before);
}

void TestTimelineView::loadIsStrength()
{
    trace().setLanes({{0, LaneRole::Tool, "Tool", ""}});
    std::vector<Span> spans;
    const auto add = [&spans](std::int64_t startNs, std::int64_t durationNs) {
        Span span;
        span.startNs = startNs;
        span.durationNs = durationNs;
        span.name = internName("work", Category::Kernel);
        spans.push_back(span);
    };
    // One second with 90 % load, then one with 10 %.
    for (int i = 0; i < 20'000; ++i)
        add(1 + i * 100'000LL, i < 10'000 ? 90'000 : 10'000);
    trace().add(spans);
    view().restart(false);
    const QImage picture = m_fixture->picture();
    const int y = m_fixture->middleOf(m_fixture->row(QStringLiteral("Tool")));
    const QColor busy = picture.pixelColor(qRound(m_fixture->pixelOf(500'000'000)), y);
    const QColor lazy = picture.pixelColor(qRound(m_fixture->pixelOf(1'500'000'000)), y);
    const auto distance = [](const QColor &a, const QColor &b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    };
    const QColor panel = darkTheme().panel;
    QVERIFY(distance(lazy, panel) > 20);                        // Visible,
    QVERIFY(distance(busy, panel) > 2 * distance(lazy, panel)); // and less than high load.
    QVERIFY(distance(busy, darkTheme().gpuOnly) < 60);          // In the colour of the category.
}

void TestTimelineView::contendedTimeIsHatched()
{
    trace().setLanes({{0, LaneRole::DeviceStream, "CUDA stream 0", ""}, {1, LaneRole::GlQueue, "GL queue", ""}});
    std::vector<Span> spans(2);
    spans[0] = {1'000'000, 8'000'000, 0, 0, internName("sobel", Category::Kernel), 0, 0};
    spans[1] = {5'000'000, 8'000'000, 0, 0, internName("draw", Category::Draw), 1, 0};
    trace().add(spans);
    view().restart(false);
    const QImage picture = m_fixture->picture();
    const auto colours = [&](std::int64_t from, std::int64_t to) {
        QSet<QRgb> found;
        const int y = m_fixture->middleOf(m_fixture->row(QStringLiteral("CUDA stream 0")));
        for (int x = qRound(m_fixture->pixelOf(from)) + 2; x < qRound(m_fixture->pixelOf(to)) - 2; ++x)
            found.insert(picture.pixel(x, y + 8)); // Below the name.
        return found.size();
    };
    QCOMPARE(colours(1'000'000, 5'000'000), 1); // CUDA only: plain.
    QCOMPARE(colours(5'000'000, 9'000'000), 2); // With GL: hatched.
}

void TestTimelineView::boundedSpansAreHatched()
{
    trace().setLanes({{0, LaneRole::GlQueue, "GL queue", ""}});
    std::vector<Span> spans(2);
    spans[0] = {1'000'000, 4'000'000, 0, 0, internName("blit", Category::Draw), 0, 0};
    spans[1] = {5'000'000, 4'000'000, 0, 0, internName("draw", Category::Draw, Certainty::Bounded), 0, 0};
    trace().add(spans);
    view().restart(false);
    for (const Theme &theme : {darkTheme(), lightTheme()}) {
        applyTheme(*qApp, theme);
        view().restart(false);
        const QImage picture = m_fixture->picture();
        const int y = m_fixture->middleOf(m_fixture->row(QStringLiteral("GL queue")));
        const auto lightness = [&](std::int64_t from, std::int64_t to) {
            QMap<int, int> pixels;
            for (int x = qRound(m_fixture->pixelOf(from)) + 3; x < qRound(m_fixture->pixelOf(to)) - 3; ++x)
                ++pixels[qGray(picture.pixel(x, y + 8))]; // Below the name.
            return pixels;
        };
        QCOMPARE(lightness(1'000'000, 5'000'000).size(), 1); // Exact: plain.
        // Bounded: equal parts of two stripes that differ in lightness, not in hue alone.
        const QMap<int, int> striped = lightness(5'000'000, 9'000'000);
        QCOMPARE(striped.size(), 2);
        QVERIFY(striped.lastKey() - striped.firstKey() > 30);
        QVERIFY(std::abs(striped.first() - striped.last()) <= 8);
        // The outline is solid. Stripes are diagonal: they are shifted in the next row.
        const QRgb solid = picture.pixel(qRound(m_fixture->pixelOf(5'000'000)), y + 8);
        QCOMPARE(solid, picture.pixel(qRound(m_fixture->pixelOf(3'000'000)), y + 8));
        const int middle = qRound(m_fixture->pixelOf(7'000'000));
        bool leans = false;
        for (int x = middle; x < middle + 8; ++x)
            leans |= picture.pixel(x, y + 8) != picture.pixel(x, y + 9);
        QVERIFY(leans);
    }
    applyTheme(*qApp, darkTheme());
    // Also if spans are narrower than a pixel.
    std::vector<Span> many;
    for (std::int64_t i = 0; i < 20'000; ++i)
        many.push_back(
            {20'000'000 + i * 100'000, 90'000, 0, 0, internName("draw", Category::Draw, Certainty::Bounded), 0, 0});
    trace().add(many);
    view().restart(false);
    const QImage far = m_fixture->picture();
    const int y = m_fixture->middleOf(m_fixture->row(QStringLiteral("GL queue"))) + 8;
    QSet<QRgb> found;
    for (int x = 0; x < 100; ++x)
        found.insert(far.pixel(qRound(m_fixture->pixelOf(1'000'000'000)) + x, y));
    QVERIFY(found.size() >= 2);
}

void TestTimelineView::uncertaintyHasAFringe()
{
    trace().setLanes({{0, LaneRole::DeviceStream, "CUDA stream 0", ""}});
    trace().setCounters({{0, "Uncertainty", "ns", LaneId(0)}});
    const std::vector<CounterSample> samples = {{1, 200'000, 0}};
    trace().add(samples);
    std::vector<Span> spans(1);
    spans[0] = {5'000'000, 5'000'000, 0, 0, internName("sobel", Category::Kernel), 0, 0};
    trace().add(spans);
    view().restart(false);
    view().show({2'000'000, 12'000'000});
    const int y = m_fixture->middleOf(m_fixture->row(QStringLiteral("CUDA stream 0")));
    QImage picture = m_fixture->picture();
    const QColor before = picture.pixelColor(qRound(m_fixture->pixelOf(4'900'000)), y);
    QVERIFY(before != darkTheme().panel);
    QVERIFY(before != darkTheme().gpuOnly);
    QCOMPARE(picture.pixelColor(qRound(m_fixture->pixelOf(4'500'000)), y), darkTheme().panel);
    // Uncertainty below one pixel is not drawn.
    view().show({0, 2'000'000'000});
    picture = m_fixture->picture();
    QCOMPARE(picture.pixelColor(qRound(m_fixture->pixelOf(5'000'000)) - 2, y), darkTheme().panel);
}

void TestTimelineView::countersAreDrawn()
{
    m_fixture->addFrames(0, 60);
    trace().setCounters({{0, "GPU load", "%", std::nullopt}});
    const std::int64_t start = trace().oldestNs();
    const std::vector<CounterSample> samples = {{start, 100, 0}, {start + 500'000'000, 10, 0}};
    trace().add(samples);
    view().restart(false);
    view().verticalScrollBar()->setValue(view().verticalScrollBar()->maximum());
    const QImage picture = m_fixture->picture();
    const TimelineRow &row = m_fixture->row(QStringLiteral("GPU load"));
    const int top = view().layout().contentTop() + row.top - view().verticalScrollBar()->value();
    const auto height = [&](std::int64_t ns) {
        int filled = 0;
        for (int y = top; y < top + row.height - 1; ++y) {
            const QColor color = picture.pixelColor(qRound(m_fixture->pixelOf(ns)), y);
            filled += color != darkTheme().panel && color != darkTheme().band;
        }
        return filled;
    };
    const int full = height(start + 200'000'000);
    const int tenth = height(start + 700'000'000);
    QVERIFY2(full > row.height / 2, qPrintable(QString::number(full)));
    QVERIFY2(tenth > 0 && tenth < full / 3, qPrintable(QString::number(tenth)));
}

/// Under the mouse, else where the span begins that the keys selected.
void TestTimelineView::countersTellTheValueAtTheCursor()
{
    m_fixture->addFrames(0, 60);
    trace().setCounters({{0, "GPU load", "%", std::nullopt}});
    const std::int64_t start = trace().oldestNs();
    trace().add(std::vector<CounterSample>{{start, 100, 0}, {start + 500'000'000, 10, 0}});
    view().restart(false);
    view().resize(1400, 700);
    QApplication::processEvents();
    const auto dotAt = [&](std::int64_t ns, double part) {
        const TimelineRow &row = m_fixture->row(QStringLiteral("GPU load"));
        const int bottom = view().layout().contentTop() + row.top + row.height - 4;
        // Beside the hair line of the mouse.
        const QPoint at(qRound(m_fixture->pixelOf(ns)) + 1, bottom - qRound(part * (row.height - 8)));
        return m_fixture->picture().pixelColor(at) == darkTheme().accentText;
    };
    const auto lane = [&] {
        const TimelineRow &row = m_fixture->row(QStringLiteral("GPU load"));
        return m_fixture->picture().copy(m_fixture->labelWidth(), view().layout().contentTop() + row.top,
                                         m_fixture->viewport()->width() - m_fixture->labelWidth(), row.height - 1);
    };
    const QImage before = lane();
    const std::int64_t late = start + 700'000'000;
    m_fixture->move({qRound(m_fixture->pixelOf(late)), 100}); // Anywhere over the lanes.
    QVERIFY(lane() != before);
    QVERIFY(dotAt(timeAt(view().scale(), qRound(m_fixture->pixelOf(late)) - m_fixture->labelWidth()), 0.1));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(m_fixture->viewport(), &leave);
    QCOMPARE(lane(), before);
    const TraceSpan span = m_fixture->spanOf(QStringLiteral("Capture"), 40);
    m_fixture->selection.selectSpan({m_fixture->row(QStringLiteral("Capture")).tracks.front(), {40, span}});
    QVERIFY(span.startNs > start + 500'000'000);
    QVERIFY(dotAt(span.startNs, 0.1));
}

void TestTimelineView::countersHaveAScale()
{
    m_fixture->addFrames(0, 10);
    trace().setCounters({{0, "Load", "%", std::nullopt}});
    view().refresh();
    view().resize(1400, 700);
    QApplication::processEvents();
    const auto scale = [&] {
        const TimelineRow &row = m_fixture->row(QStringLiteral("Load"));
        return m_fixture->picture().copy(m_fixture->labelWidth() - 50, view().layout().contentTop() + row.top, 50,
                                         row.height - 1);
    };
    const QImage without = scale();
    trace().add(std::vector<CounterSample>{{trace().oldestNs(), 40, 0}});
    view().setLaneChoices({}); // Paints the names anew.
    QVERIFY(scale() != without);
    const QString tip = tipOf(m_fixture->viewport(),
                              {60, view().layout().contentTop() + m_fixture->row(QStringLiteral("Load")).top + 8});
    QVERIFY2(tip.contains(QStringLiteral("Load · 0 % to 100 %")), qPrintable(tip));
}

void TestTimelineView::costGrowsWithPixelsAndNotWithSpans()
{
    // 100 times more spans in the same 20 seconds must take far less than 100 times as long to paint.
    const auto paintTime = [this](int spans) {
        trace() = Trace();
        std::vector<Span> all;
        const std::int64_t pitch = 19'000'000'000 / spans;
        for (int i = 0; i < spans; ++i) {
            Span span;
            span.startNs = 1 + i * pitch;
            span.durationNs = pitch / 2;
            all.push_back(span);
        }
        trace().setLanes({{0, LaneRole::Tool, "Tool", ""}});
        trace().add(all);
        view().restart(false);
        m_fixture->picture();
        // Minimum, because other load on the machine only increases the times.
        double fastest = std::numeric_limits<double>::max();
        for (int i = 0; i < 12; ++i) {
            QElapsedTimer timer;
            timer.start();
            m_fixture->wheel({700, 120}, {0, i % 2 ? 120 : -120});
            view().grab();
            fastest = std::min(fastest, static_cast<double>(timer.nsecsElapsed()));
        }
        return fastest;
    };
    const double few = paintTime(10'000);
    const double many = paintTime(1'000'000);
    QVERIFY2(many < few * 5, qPrintable(QStringLiteral("%1 against %2 ns").arg(many).arg(few)));
}

JETSCOPE_TEST(TestTimelineView)
#include "tst_timelineview.moc"
