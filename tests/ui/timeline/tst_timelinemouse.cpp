// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "tests/support/tooltip.h"
#include "ui/style/theme.h"
#include "ui/timeline/frametip.h"

#include <QBuffer>
#include <QScrollBar>

#include <cmath>
#include <cstring>

using namespace jetscope;

/// Mouse commands of the timeline.
class TestTimelineMouse : public QObject {
    Q_OBJECT
private slots:
    void init();
    void wheelZoomsAtTheCursor();
    void wheelKeepsTheTimeUnderTheCursor();
    void zoomEndsAtTheLimits();
    void horizontalWheelPans();
    void wheelOverNamesMovesTheLanes();
    void draggingPans();
    void draggingMovesOverTheLanes();
    void panningKeepsSomethingInView();
    void aClickDoesNotPan();
    void draggingOnTheRulerMeasures();
    void shiftDraggingMeasures();
    void aClickOnTheRulerEndsMeasuring();
    void middleDraggingZoomsToTheRange();
    void doubleClickZoomsToASpan();
    void doubleClickZoomsToAFrame();
    void clickSelectsASpanAndItsFrame();
    void clickOnASpanOfNoFrameSelectsTheFrameThatItLiesIn();
    void clickOnFrameNumbersSelectsTheFrame();
    void clickBesideClears();
    void tipTellsEverything();
    void tipOfAWaitSaysWhatItWaitedFor();
    void tipOfAMarkSaysWhatToDo();
    void frameNumbersShowPictures();

private:
    TimelineView &view() { return *m_fixture->view; }
    TraceSelection &selection() { return m_fixture->selection; }
    QString tipAt(QPoint at) { return tipOf(m_fixture->viewport(), at); }

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestTimelineMouse::init()
{
    m_fixture = std::make_unique<TimelineFixture>();
    QVERIFY(m_fixture->expose());
    m_fixture->addFrames(0, 60);
}

void TestTimelineMouse::wheelZoomsAtTheCursor()
{
    const QPointF cursor(m_fixture->labelWidth() + 611, 120);
    const double before = view().scale().nsPerPixel;
    m_fixture->wheel(cursor, {0, 120});
    QVERIFY(!view().isFollowing());
    QVERIFY(std::abs(view().scale().nsPerPixel * 1.2 - before) < before * 1e-6);
    m_fixture->wheel(cursor, {0, -120}, Qt::ControlModifier);
    QVERIFY(std::abs(view().scale().nsPerPixel * 1.2 / 1.05 - before) < before * 1e-6);
}

void TestTimelineMouse::wheelKeepsTheTimeUnderTheCursor()
{
    const QPointF cursor(m_fixture->labelWidth() + 611, 120);
    const std::int64_t time = timeAt(view().scale(), 611);
    for (int step = 0; step < 1000; ++step) {
        m_fixture->wheel(cursor, {0, step % 7 < 4 ? 120 : -120});
        QVERIFY2(std::abs(m_fixture->pixelOf(time) - cursor.x()) <= 1, qPrintable(QString::number(step)));
        if (step % 50 == 49)
            for (int back = 0; back < 7; ++back)
                m_fixture->wheel(cursor, {0, -120});
    }
}

void TestTimelineMouse::zoomEndsAtTheLimits()
{
    for (int i = 0; i < 200; ++i)
        m_fixture->wheel({700, 120}, {0, 240});
    QCOMPARE(view().scale().nsPerPixel, kMinNsPerPixel);
    m_fixture->picture();
    for (int i = 0; i < 200; ++i)
        m_fixture->wheel({700, 120}, {0, -240});
    QCOMPARE(view().scale().nsPerPixel, kMaxNsPerPixel);
    QVERIFY(!m_fixture->picture().isNull());
}

void TestTimelineMouse::horizontalWheelPans()
{
    const std::int64_t time = timeAt(view().scale(), 400);
    const double before = m_fixture->pixelOf(time);
    m_fixture->wheel({600, 100}, {120, 0});
    QVERIFY(m_fixture->pixelOf(time) > before);
    m_fixture->wheel({600, 100}, {0, -120}, Qt::ShiftModifier);
    QVERIFY(std::abs(m_fixture->pixelOf(time) - before) <= 1);
    QVERIFY(!view().isFollowing());
}

void TestTimelineMouse::wheelOverNamesMovesTheLanes()
{
    view().resize(1400, 200);
    const double before = view().scale().nsPerPixel;
    m_fixture->wheel({40, 100}, {0, -120});
    QCOMPARE(view().scale().nsPerPixel, before);
    QVERIFY(view().verticalScrollBar()->value() > 0);
}

void TestTimelineMouse::draggingPans()
{
    const std::int64_t time = timeAt(view().scale(), 300);
    const QPoint from(m_fixture->labelWidth() + 300, 150);
    m_fixture->drag(Qt::LeftButton, from, from + QPoint(120, 0));
    QVERIFY(!view().isFollowing());
    QVERIFY(std::abs(m_fixture->pixelOf(time) - (from.x() + 120)) <= 1);
    const TimeScale after = view().scale();
    m_fixture->move(from + QPoint(300, 0)); // The button is released.
    QCOMPARE(view().scale().startNs, after.startNs);
}

void TestTimelineMouse::draggingMovesOverTheLanes()
{
    view().resize(1400, 220);
    QCOMPARE(view().verticalScrollBar()->value(), 0);
    const QPoint from(m_fixture->labelWidth() + 300, 180);
    m_fixture->drag(Qt::LeftButton, from, from - QPoint(0, 60));
    QVERIFY(view().verticalScrollBar()->value() > 40);
    m_fixture->drag(Qt::LeftButton, from - QPoint(0, 60), from + QPoint(0, 100));
    QCOMPARE(view().verticalScrollBar()->value(), 0);
}

void TestTimelineMouse::panningKeepsSomethingInView()
{
    for (int i = 0; i < 20; ++i)
        m_fixture->drag(Qt::LeftButton, {1300, 390}, {200, 390});
    QVERIFY(m_fixture->pixelOf(m_fixture->trace.newestNs()) > m_fixture->labelWidth() + 50);
    for (int i = 0; i < 100; ++i)
        m_fixture->drag(Qt::LeftButton, {200, 390}, {1300, 390});
    QVERIFY(m_fixture->pixelOf(m_fixture->trace.oldestNs()) < m_fixture->viewport()->width() - 50);
}

void TestTimelineMouse::aClickDoesNotPan()
{
    view().restart(false);
    const TimeScale before = view().scale();
    const QPoint at(500, 150);
    QTest::mousePress(m_fixture->viewport(), Qt::LeftButton, {}, at);
    m_fixture->move(at + QPoint(2, 1), Qt::LeftButton);
    QTest::mouseRelease(m_fixture->viewport(), Qt::LeftButton, {}, at + QPoint(2, 1));
    QCOMPARE(view().scale().startNs, before.startNs);
}

void TestTimelineMouse::draggingOnTheRulerMeasures()
{
    const TimeScale before = view().scale();
    m_fixture->drag(Qt::LeftButton, {900, 8}, {500, 8}); // From right to left.
    QVERIFY(!view().isFollowing());
    QCOMPARE(view().scale().startNs, before.startNs);
    const auto range = selection().range();
    QVERIFY(range.has_value());
    QVERIFY(std::abs(m_fixture->pixelOf(range->startNs) - 500) <= 1);
    QVERIFY(std::abs(m_fixture->pixelOf(range->endNs) - 900) <= 1);
}

void TestTimelineMouse::shiftDraggingMeasures()
{
    m_fixture->drag(Qt::LeftButton, {400, 150}, {640, 180}, Qt::ShiftModifier);
    const auto range = selection().range();
    QVERIFY(range.has_value());
    QVERIFY(std::abs(m_fixture->pixelOf(range->endNs) - m_fixture->pixelOf(range->startNs) - 240) <= 1);
    const double width = static_cast<double>(range->endNs - range->startNs);
    QVERIFY(std::abs(width - 240 * view().scale().nsPerPixel) < 2 * view().scale().nsPerPixel);
}

void TestTimelineMouse::aClickOnTheRulerEndsMeasuring()
{
    m_fixture->drag(Qt::LeftButton, {500, 8}, {900, 8});
    QVERIFY(selection().range().has_value());
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, {700, 8});
    QVERIFY(!selection().range().has_value());
}

void TestTimelineMouse::middleDraggingZoomsToTheRange()
{
    const std::int64_t from = timeAt(view().scale(), 400 - m_fixture->labelWidth());
    const std::int64_t to = timeAt(view().scale(), 600 - m_fixture->labelWidth());
    m_fixture->drag(Qt::MiddleButton, {400, 150}, {600, 150});
    QVERIFY(!selection().range().has_value());
    const double left = m_fixture->pixelOf(from) - m_fixture->labelWidth();
    const double right = m_fixture->viewport()->width() - m_fixture->pixelOf(to);
    QVERIFY2(left > 0 && left < 80, qPrintable(QString::number(left)));
    QVERIFY2(right > 0 && right < 80, qPrintable(QString::number(right)));
}

void TestTimelineMouse::doubleClickZoomsToASpan()
{
    const TraceSpan canny = m_fixture->spanOf(QStringLiteral("CPU stage"), 59);
    QTest::mouseDClick(m_fixture->viewport(), Qt::LeftButton, {},
                       m_fixture->pointOf(QStringLiteral("CPU stage"), canny));
    QVERIFY(!view().isFollowing());
    QVERIFY(m_fixture->pixelOf(canny.startNs) > m_fixture->labelWidth());
    QVERIFY(m_fixture->pixelOf(canny.endNs()) < m_fixture->viewport()->width());
    QVERIFY(m_fixture->pixelOf(canny.endNs()) - m_fixture->pixelOf(canny.startNs) > 1000);
}

void TestTimelineMouse::doubleClickZoomsToAFrame()
{
    const FrameFigures frame = m_fixture->trace.frames().at(58);
    const QPoint at = m_fixture->inFrameStrip(m_fixture->pixelOf(frame.startNs + frame.periodNs() / 2));
    QTest::mouseDClick(m_fixture->viewport(), Qt::LeftButton, {}, at);
    QVERIFY(m_fixture->pixelOf(frame.startNs + frame.periodNs()) - m_fixture->pixelOf(frame.startNs) > 1000);
}

void TestTimelineMouse::clickSelectsASpanAndItsFrame()
{
    const TraceSpan canny = m_fixture->spanOf(QStringLiteral("CPU stage"), 59);
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {},
                      m_fixture->pointOf(QStringLiteral("CPU stage"), canny));
    QVERIFY(selection().span().has_value());
    QCOMPARE(selection().span()->bar.span.startNs, canny.startNs);
    QVERIFY(selection().frame().has_value());
    QCOMPARE(selection().frame()->key, 59u);
    QCOMPARE(selection().time()->startNs, m_fixture->trace.frames().at(59).startNs);
    QVERIFY(!view().isFollowing()); // The clicked span must stay in place.
}

void TestTimelineMouse::clickOnASpanOfNoFrameSelectsTheFrameThatItLiesIn()
{
    const FrameFigures frame = m_fixture->trace.frames().at(59);
    std::vector<Span> spans(1);
    spans[0] = {
        frame.startNs + 13'000'000, 3'000'000, kNoFrame, 0, internName("wait for frame", Category::WaitInput), 1, 0};
    m_fixture->trace.add(spans);
    m_fixture->view->refresh();
    const std::uint64_t last =
        m_fixture->trace.tracks()[m_fixture->row(QStringLiteral("Pipeline")).tracks[0]].endIndex();
    QTest::mouseClick(
        m_fixture->viewport(), Qt::LeftButton, {},
        m_fixture->pointOf(QStringLiteral("Pipeline"), m_fixture->spanOf(QStringLiteral("Pipeline"), last - 1)));
    QVERIFY(selection().span().has_value());
    QVERIFY(selection().time().has_value());
    QCOMPARE(selection().frame()->key, 59u);
}

void TestTimelineMouse::clickOnFrameNumbersSelectsTheFrame()
{
    const FrameFigures frame = m_fixture->trace.frames().at(58);
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {},
                      m_fixture->inFrameStrip(m_fixture->pixelOf(frame.startNs + frame.periodNs() / 2)));
    QVERIFY(selection().frame().has_value());
    QCOMPARE(selection().frame()->key, 58u);
    QVERIFY(!selection().span().has_value());
}

void TestTimelineMouse::clickBesideClears()
{
    clickSelectsASpanAndItsFrame();
    const TraceSpan canny = m_fixture->spanOf(QStringLiteral("CPU stage"), 59);
    const QPoint beside(qRound(m_fixture->pixelOf(canny.startNs)) - 12,
                        m_fixture->middleOf(m_fixture->row(QStringLiteral("CPU stage"))));
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, beside);
    QVERIFY(selection().isEmpty());
}

void TestTimelineMouse::tipTellsEverything()
{
    const TraceSpan canny = m_fixture->spanOf(QStringLiteral("CPU stage"), 59);
    const QString tip = tipAt(m_fixture->pointOf(QStringLiteral("CPU stage"), canny));
    for (const char *part : {"Canny", "cpu-stage", "8.2 ms", "CPU stage", "frame 59", "49 %", "16.7 ms", "starts at"})
        QVERIFY2(tip.contains(QLatin1String(part)), qPrintable(QLatin1String(part) + QStringLiteral(" in ") + tip));
    QVERIFY(!tip.contains(QStringLiteral("waited")));
    QTRY_VERIFY(tipAt({60, 8}).isEmpty()); // Qt hides a tooltip with a delay.
}

void TestTimelineMouse::tipOfAWaitSaysWhatItWaitedFor()
{
    m_fixture->trace = Trace();
    m_fixture->trace.setLanes(
        {{0, LaneRole::Pipeline, "Pipeline", ""}, {1, LaneRole::DeviceStream, "CUDA stream 0", ""}});
    std::vector<Span> spans(2);
    spans[0] = {1'000'000, 7'000'000, 7, 0, internName("sobel", Category::Kernel), 1, 0};
    spans[1] = {2'000'000, 6'100'000, 7, 0, internName("cudaEventSynchronize", Category::WaitSync), 0, 0};
    m_fixture->trace.add(spans);
    view().restart(false);
    const TraceSpan wait = m_fixture->spanOf(QStringLiteral("Pipeline"), 0);
    const QString tip = tipAt(m_fixture->pointOf(QStringLiteral("Pipeline"), wait));
    QVERIFY2(tip.contains(QStringLiteral("waited for <b>sobel</b> on CUDA stream 0")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("100 µs late")), qPrintable(tip));
    // When selected, a line connects the two.
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, m_fixture->pointOf(QStringLiteral("Pipeline"), wait));
    const QImage picture = m_fixture->picture();
    const int x = qRound(m_fixture->pixelOf(8'000'000));
    int linked = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int near = x - 4; near < x + 8; ++near)
            linked += picture.pixelColor(near, y) == darkTheme().warn;
    QVERIFY2(linked > 20, qPrintable(QString::number(linked)));
}

void TestTimelineMouse::tipOfAMarkSaysWhatToDo()
{
    const std::int64_t at = m_fixture->trace.frames().at(59).startNs + 14'000'000;
    m_fixture->trace.add(TraceMark{TraceMark::Kind::Hazard, at, 59, "CPU read while a kernel is in flight", "A1",
                                   "wait for the event first", "managed memory, 64 bytes"});
    const QPoint point(qRound(m_fixture->pixelOf(at)), m_fixture->middleOf(m_fixture->row(QStringLiteral("Pipeline"))));
    const QString tip = tipAt(point);
    QVERIFY2(tip.contains(QStringLiteral("CPU read while a kernel is in flight")), qPrintable(tip));
    QVERIFY(tip.contains(QStringLiteral("A1")));
    QVERIFY(tip.contains(QStringLiteral("wait for the event first")));
    QVERIFY(tip.contains(QStringLiteral("managed memory, 64 bytes")));
}

void TestTimelineMouse::frameNumbersShowPictures()
{
    QImage picture(64, 36, QImage::Format_RGB32);
    picture.fill(Qt::magenta);
    QByteArray encoded;
    QBuffer buffer(&encoded);
    QVERIFY(buffer.open(QIODevice::WriteOnly));
    QVERIFY(picture.save(&buffer, "PNG"));
    const FrameFigures frame = m_fixture->trace.frames().at(58);
    auto *tip = view().findChild<FrameTip *>();
    const QPoint at = m_fixture->inFrameStrip(m_fixture->pixelOf(frame.startNs + frame.periodNs() / 2));
    m_fixture->move(at);
    QVERIFY(tip->isVisible());
    QVERIFY(!tip->hasPicture());
    QVERIFY(tip->text().contains(QStringLiteral("no picture was kept")));

    Thumbnail thumbnail;
    thumbnail.frame = 57;
    thumbnail.timeNs = m_fixture->trace.frames().at(57).startNs;
    thumbnail.encoded.resize(static_cast<std::size_t>(encoded.size()));
    std::memcpy(thumbnail.encoded.data(), encoded.constData(), thumbnail.encoded.size());
    m_fixture->trace.add(thumbnail);
    m_fixture->move(at + QPoint(1, 0));
    QVERIFY(tip->hasPicture());
    QVERIFY(tip->text().contains(QStringLiteral("frame 58")));
    QVERIFY(tip->text().contains(QStringLiteral("picture of frame 57"))); // Of another frame.
    QCOMPARE(tip->grab().toImage().pixelColor(tip->width() / 2, 30), QColor(Qt::magenta));
    QVERIFY(m_fixture->viewport()->rect().contains(tip->geometry()));
    // The tooltip follows the frame under the mouse when the view moves.
    m_fixture->addFrames(60, 5);
    QVERIFY(view().isFollowing());
    QVERIFY2(tip->text().contains(QStringLiteral("frame 63")), qPrintable(tip->text()));
    m_fixture->move({600, 150});
    QVERIFY(!tip->isVisible());
}

JETSCOPE_TEST(TestTimelineMouse)
#include "tst_timelinemouse.moc"
