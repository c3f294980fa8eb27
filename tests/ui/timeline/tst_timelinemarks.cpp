// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "tests/support/tooltip.h"
#include "ui/style/theme.h"
#include "ui/timeline/limitbands.h"
#include "ui/timeline/rangebrief.h"

#include <QScrollBar>

#include <cmath>

using namespace jetscope;

/// Marks, ruler, overlap strip, links and their tooltips.
class TestTimelineMarks : public QObject {
    Q_OBJECT
private slots:
    void init();
    void theStripTellsWhoWasBusy();
    void theCriticalPathIsALineBelowTheStrip();
    void arrowsLeadFromTheLaunchToTheSelectedWork();
    void arrowsAreChosen();
    void panningComputesNoArrows();
    void arrowsThatAreLeftOutAreCounted();
    void arrowChoicesAreTexts();
    void everyOtherFrameHasABand();
    void theRulerCountsFromTheStart();
    void theMouseHasAHairLine();
    void switchesAndHazardsCrossTheLanes();
    void aLateMarkCrossesWhatHasLongBeenPainted();
    void dropsAreTicksAtTheFrameNumbers();
    void measuringSaysHowBusyItWas();
    void tipsCountBytes();
    void tipsOfCountersSayTheValue();
    void limitedClocksAreShaded();
    void shortLimitsAreSeen();

private:
    static constexpr std::uint32_t kFrame = 58; ///< Completely in view.

    std::int64_t inFrame(double ms, std::uint32_t frame = kFrame) const
    {
        return m_fixture->trace.frames().at(frame).startNs + std::llround(ms * 1e6);
    }
    QColor at(const QImage &picture, std::int64_t ns, int y) const
    {
        return picture.pixelColor(qRound(m_fixture->pixelOf(ns)), y);
    }
    QString tipAt(QPoint at) { return tipOf(m_fixture->viewport(), at); }

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestTimelineMarks::init()
{
    applyTheme(*qApp, darkTheme());
    m_fixture = std::make_unique<TimelineFixture>();
    QVERIFY(m_fixture->expose());
    m_fixture->addFrames(0, 60);
}

void TestTimelineMarks::theStripTellsWhoWasBusy()
{
    const QImage picture = m_fixture->picture();
    const int y = m_fixture->view->layout().metrics.rulerHeight + 5 + 22; // Below the text in the strip.
    QCOMPARE(at(picture, inFrame(3.5), y), darkTheme().cpuOnly);          // Upload.
    QCOMPARE(at(picture, inFrame(8), y), darkTheme().both);               // Canny and sobel overlap.
    QCOMPARE(at(picture, inFrame(12.4), y), darkTheme().gpuOnly);         // Draw after Canny.
    const QColor idle = at(picture, inFrame(15), y);
    for (const QColor &busy : {darkTheme().cpuOnly, darkTheme().gpuOnly, darkTheme().both})
        QVERIFY(idle != busy);
    QCOMPARE(idle, at(picture, inFrame(1), y)); // Waiting for capture is idle time.
}

void TestTimelineMarks::theCriticalPathIsALineBelowTheStrip()
{
    const QImage picture = m_fixture->picture();
    const int y = m_fixture->view->layout().metrics.rulerHeight + 5 + 25 + 3;
    QCOMPARE(at(picture, inFrame(8), y),
             barColors(Category::Kernel, darkTheme()).fill); // sobel until the frame is complete.
    QCOMPARE(at(picture, inFrame(4.5), y), barColors(Category::Submit, darkTheme()).fill);
    // The tooltip contains the same.
    const QString tip = tipAt({qRound(m_fixture->pixelOf(inFrame(8))), y - 8});
    QVERIFY2(tip.contains(QStringLiteral("on the critical path of frame 58"))
                 && tip.contains(QStringLiteral("<b>kernel sobel</b> on CUDA stream 0, 2.7 ms")),
             qPrintable(tip));
}

void TestTimelineMarks::arrowsLeadFromTheLaunchToTheSelectedWork()
{
    const QImage before = m_fixture->picture();
    const TimelineRow &stream = m_fixture->row(QStringLiteral("CUDA stream 0"));
    const std::size_t track = stream.tracks.front();
    const std::uint64_t index = m_fixture->trace.tracks()[track].firstFrom(inFrame(7.1));
    const TraceSpan sobel = m_fixture->trace.tracks()[track].at(index);
    const int above = m_fixture->middleOf(stream) - 12 - 3; // The arrow head touches the bar.
    QVERIFY(at(before, sobel.startNs, above) != darkTheme().warn);
    m_fixture->selection.selectSpan({track, {index, sobel}});
    const QImage with = m_fixture->picture();
    QCOMPARE(at(with, sobel.startNs, above), darkTheme().warn);
    const TraceSpan submit = m_fixture->spanOf(QStringLiteral("Pipeline"), 58 * 3 + 1); // Start of the arrow.
    QCOMPARE(at(with, submit.endNs(), m_fixture->middleOf(m_fixture->row(QStringLiteral("Pipeline")))),
             darkTheme().warn);
    m_fixture->selection.clear();
    QCOMPARE(m_fixture->picture(), before);
}

void TestTimelineMarks::arrowsAreChosen()
{
    TimelineView &view = *m_fixture->view;
    const QImage before = m_fixture->picture();
    view.setArrows({ArrowChoice::Kind::All, 1'000'000});
    const QImage with = m_fixture->picture();
    QVERIFY(with != before);
    QVERIFY(view.arrows().computations() == 1);
    view.setArrows({ArrowChoice::Kind::All, 500'000'000}); // No span is as long.
    QCOMPARE(m_fixture->picture(), before);
    // Without arrows, those of the selected span are not shown either.
    const std::size_t track = m_fixture->row(QStringLiteral("CUDA stream 0")).tracks.front();
    const std::uint64_t index = m_fixture->trace.tracks()[track].firstFrom(inFrame(7.1));
    const TraceSpan sobel = m_fixture->trace.tracks()[track].at(index);
    m_fixture->selection.selectSpan({track, {index, sobel}});
    const int above = m_fixture->middleOf(m_fixture->row(QStringLiteral("CUDA stream 0"))) - 12 - 3;
    QCOMPARE(at(m_fixture->picture(), sobel.startNs, above), darkTheme().warn);
    view.setArrows({ArrowChoice::Kind::Off});
    QVERIFY(at(m_fixture->picture(), sobel.startNs, above) != darkTheme().warn);
}

void TestTimelineMarks::panningComputesNoArrows()
{
    TimelineView &view = *m_fixture->view;
    view.restart(false);
    view.show({m_fixture->trace.frames().at(20).startNs, m_fixture->trace.frames().at(24).startNs});
    view.setArrows({ArrowChoice::Kind::All, 1'000'000});
    m_fixture->picture();
    const std::uint64_t before = view.arrows().computations();
    QVERIFY(before > 0);
    for (int step = 0; step < 5; ++step) {
        m_fixture->drag(Qt::LeftButton, {600, 150}, {500, 150});
        m_fixture->move({700 + step, 150});
        m_fixture->picture();
    }
    QCOMPARE(view.arrows().computations(), before);
    view.fitAll();
    m_fixture->picture();
    QVERIFY(view.arrows().computations() > before);
}

void TestTimelineMarks::arrowsThatAreLeftOutAreCounted()
{
    TimelineView &view = *m_fixture->view;
    m_fixture->addFrames(60, 400);
    view.restart(false);
    QVERIFY(!view.summary().contains(QStringLiteral("arrows")));
    view.setArrows({ArrowChoice::Kind::All, 1000});
    QVERIFY2(view.summary().contains(QStringLiteral("the longest 200 of")), qPrintable(view.summary()));
    view.show({m_fixture->trace.frames().at(20).startNs, m_fixture->trace.frames().at(24).startNs});
    QVERIFY2(!view.summary().contains(QStringLiteral("arrows")), qPrintable(view.summary()));
}

void TestTimelineMarks::arrowChoicesAreTexts()
{
    for (const ArrowChoice &choice :
         {ArrowChoice{ArrowChoice::Kind::Off}, ArrowChoice{}, ArrowChoice{ArrowChoice::Kind::All, 5'000'000}})
        QVERIFY(ArrowChoice::fromText(choice.toText()) == choice);
    for (const char *text : {"", "all", "-5", "1e3"})
        QVERIFY(ArrowChoice::fromText(QLatin1String(text)) == ArrowChoice());
    ArrowMenu menu(nullptr);
    std::optional<ArrowChoice> chosen;
    connect(&menu, &ArrowMenu::chosen, this, [&](const ArrowChoice &choice) { chosen = choice; });
    for (QAction *action : menu.actions()) {
        menu.setCurrent({ArrowChoice::Kind::All, 500'000});
        QCOMPARE(action->isChecked(), action->objectName() == QStringLiteral("500000"));
        action->trigger();
        QCOMPARE(chosen->toText(), action->objectName());
    }
    QVERIFY(menu.actions().size() >= 5);
}

void TestTimelineMarks::everyOtherFrameHasABand()
{
    const QImage picture = m_fixture->picture();
    const int y = m_fixture->middleOf(m_fixture->row(QStringLiteral("GL queue"))); // No work this early.
    QCOMPARE(at(picture, inFrame(2, 58), y), darkTheme().band);
    QCOMPARE(at(picture, inFrame(2, 59), y), darkTheme().panel);
    const int numbers = picture.height() - 3;
    QCOMPARE(at(picture, inFrame(15, 58), numbers), darkTheme().band);
    QCOMPARE(at(picture, inFrame(15, 59), numbers), darkTheme().panel);
}

void TestTimelineMarks::theRulerCountsFromTheStart()
{
    m_fixture->view->restart(false); // The whole trace, with the ruler's 0 at its start.
    const QImage picture = m_fixture->picture();
    const std::int64_t step = rulerStepNs(m_fixture->view->scale().nsPerPixel, 130);
    int ticks = 0;
    for (std::int64_t ns = step; ns + step <= 60 * 16'666'667; ns += step, ++ticks) {
        const std::int64_t time = m_fixture->trace.oldestNs() + ns;
        QCOMPARE(at(picture, time, 8), darkTheme().muted);              // Major tick.
        QCOMPARE(at(picture, time + step / 2, 8), darkTheme().panel);   // No tick between.
        QCOMPARE(at(picture, time + step / 5, 16), darkTheme().border); // Minor tick.
    }
    QVERIFY(ticks >= 3);
}

void TestTimelineMarks::theMouseHasAHairLine()
{
    const QImage before = m_fixture->picture();
    const QPoint mouse(qRound(m_fixture->pixelOf(inFrame(15))),
                       m_fixture->middleOf(m_fixture->row(QStringLiteral("Pipeline"))));
    m_fixture->move(mouse);
    const QImage with = m_fixture->picture();
    for (const int y : {40, mouse.y() + 9, with.height() - 30})
        QVERIFY2(with.pixelColor(mouse.x(), y) != before.pixelColor(mouse.x(), y), qPrintable(QString::number(y)));
    int box = 0; // Box with the time on the ruler.
    for (int x = mouse.x() - 20; x < mouse.x() + 20; ++x)
        box += with.pixelColor(x, 4) == darkTheme().hover;
    QVERIFY(box > 20);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(m_fixture->viewport(), &leave);
    QCOMPARE(m_fixture->picture(), before);
}

void TestTimelineMarks::switchesAndHazardsCrossTheLanes()
{
    m_fixture->trace.add(TraceMark{TraceMark::Kind::Switch, inFrame(1), kFrame, "sync: finish → eglsync", {}, {}});
    m_fixture->trace.add(
        TraceMark{TraceMark::Kind::Hazard, inFrame(15), kFrame, "CPU read while a kernel runs", "A1", "wait"});
    m_fixture->view->refresh();
    const QImage picture = m_fixture->picture();
    const auto share = [&](std::int64_t ns, const QColor &color) { // Fraction of the height of the lanes.
        int found = 0;
        for (int y = m_fixture->view->layout().contentTop(); y < picture.height() - 20; ++y)
            found += at(picture, ns, y) == color;
        return static_cast<double>(found) / (picture.height() - 20 - m_fixture->view->layout().contentTop());
    };
    QVERIFY(share(inFrame(1), darkTheme().accentText) > 0.3); // Dashed line.
    QVERIFY(share(inFrame(15), darkTheme().bad) > 0.2);       // Dotted line with a triangle.
    QVERIFY(share(inFrame(14.5), darkTheme().bad) < 0.1);     // At its own time only.
    const int lane = m_fixture->middleOf(m_fixture->row(QStringLiteral("GL queue")));
    const auto tip = [&](std::int64_t ns) { return tipAt({qRound(m_fixture->pixelOf(ns)), lane}); };
    QVERIFY(tip(inFrame(1)).contains(QStringLiteral("sync: finish → eglsync")));
    QVERIFY(tip(inFrame(15)).contains(QStringLiteral("CPU read while a kernel runs")));
}

void TestTimelineMarks::aLateMarkCrossesWhatHasLongBeenPainted()
{
    m_fixture->addFrames(60, 100); // More than a second later, so the tiles of these frames count as final.
    m_fixture->view->show({inFrame(0), inFrame(40)});
    const int y = m_fixture->middleOf(m_fixture->row(QStringLiteral("GL queue")));
    const auto inks = [&] { // Counts line pixels over the height of two dashes.
        const QImage picture = m_fixture->picture();
        int found = 0;
        for (int row = y; row < y + 12; ++row)
            found += at(picture, inFrame(1), row) == darkTheme().accentText;
        return found;
    };
    QCOMPARE(inks(), 0);
    m_fixture->trace.add(TraceMark{TraceMark::Kind::Switch, inFrame(1), kFrame, "sync: finish → eglsync", {}, {}});
    m_fixture->view->refresh();
    QCOMPARE(inks(), 8);
}

void TestTimelineMarks::dropsAreTicksAtTheFrameNumbers()
{
    const QImage before = m_fixture->picture();
    m_fixture->trace.add(
        TraceMark{TraceMark::Kind::Drop, inFrame(15), kFrame, "2 frames not shown: the view was late", {}, {}});
    m_fixture->view->refresh();
    const QImage picture = m_fixture->picture();
    int ticks = 0;
    for (int y = 0; y < picture.height(); ++y) {
        QVERIFY(at(before, inFrame(15), y) != darkTheme().warn);
        ticks += at(picture, inFrame(15), y) == darkTheme().warn;
    }
    QVERIFY2(ticks >= 5, qPrintable(QString::number(ticks)));
    const QString tip = tipAt(
        {qRound(m_fixture->pixelOf(inFrame(15))), m_fixture->middleOf(m_fixture->row(QStringLiteral("Pipeline")))});
    QVERIFY2(tip.contains(QStringLiteral("2 frames not shown: the view was late")), qPrintable(tip));
}

void TestTimelineMarks::measuringSaysHowBusyItWas()
{
    const int from = qRound(m_fixture->pixelOf(inFrame(5.5)));
    const int to = qRound(m_fixture->pixelOf(inFrame(10.5)));
    QTest::mousePress(m_fixture->viewport(), Qt::LeftButton, {}, {from, 8});
    m_fixture->move({to, 8}, Qt::LeftButton);
    const QImage picture = m_fixture->picture(); // Before the button is released.
    int box = 0;
    for (int x = from; x < to; ++x)
        box += picture.pixelColor(x, m_fixture->view->layout().contentTop() + 5) == darkTheme().selected;
    QVERIFY2(box > 100, qPrintable(QString::number(box)));
    QTest::mouseRelease(m_fixture->viewport(), Qt::LeftButton, {}, {to, 8});
    const QString text = rangeText(m_fixture->trace, *m_fixture->selection.range());
    QVERIFY2(text.startsWith(QStringLiteral("5.0 ms · CPU 100 % · GPU 100 % · overlap 100 %")), qPrintable(text));
}

void TestTimelineMarks::tipsCountBytes()
{
    Span span;
    span.startNs = inFrame(13, 59); // After all other spans of its lane.
    span.durationNs = 2'000'000;
    span.frame = 59;
    span.name = internName("copy to the device", Category::Copy);
    span.lane = 3;
    span.bytes = 3'686'400;
    m_fixture->trace.add(std::vector{span});
    m_fixture->view->refresh();
    const auto &row = m_fixture->row(QStringLiteral("CUDA stream 0"));
    const SpanTrack &track = m_fixture->trace.tracks()[row.tracks.front()];
    const TraceSpan copy = track.at(track.endIndex() - 1);
    const QString tip = tipAt(m_fixture->pointOf(QStringLiteral("CUDA stream 0"), copy));
    QVERIFY2(tip.contains(QStringLiteral("copy to the device")) && tip.contains(QStringLiteral("3.7 MB moved")),
             qPrintable(tip));
}

void TestTimelineMarks::tipsOfCountersSayTheValue()
{
    m_fixture->trace.setCounters({{0, "GPU load", "%", std::nullopt}});
    const std::vector<CounterSample> samples = {
        {inFrame(0), 62, 0}, {inFrame(10), 17.5, 0}, {inFrame(14), std::nan(""), 0}};
    m_fixture->trace.add(samples);
    m_fixture->view->refresh();
    m_fixture->view->verticalScrollBar()->setValue(m_fixture->view->verticalScrollBar()->maximum());
    const int y =
        m_fixture->middleOf(m_fixture->row(QStringLiteral("GPU load"))) - m_fixture->view->verticalScrollBar()->value();
    const auto tip = [&](double ms) { return tipAt({qRound(m_fixture->pixelOf(inFrame(ms))), y}); };
    QVERIFY2(tip(8).contains(QStringLiteral("GPU load")) && tip(8).contains(QStringLiteral("62 %")),
             qPrintable(tip(8)));
    QVERIFY2(tip(12).contains(QStringLiteral("17.5 %")), qPrintable(tip(12)));
    QVERIFY2(tip(16).contains(QStringLiteral("unknown")), qPrintable(tip(16)));
}

void TestTimelineMarks::limitedClocksAreShaded()
{
    m_fixture->trace.setCounters({{0, "throttling", "", std::nullopt}, {1, "GPU load", "%", std::nullopt}});
    const QImage before = m_fixture->picture();
    const std::vector<CounterSample> samples = {
        {inFrame(0), 0, 0}, {inFrame(0), 62, 1}, {inFrame(4), 1, 0}, {inFrame(9), 0, 0}};
    m_fixture->trace.add(samples);
    m_fixture->view->refresh();
    const QImage picture = m_fixture->picture();
    const int y = m_fixture->view->layout().metrics.rulerHeight;
    QCOMPARE(at(picture, inFrame(6), y), darkTheme().warn);
    QCOMPARE(at(picture, inFrame(2), y), at(before, inFrame(2), y));
    QCOMPARE(at(picture, inFrame(12), y), at(before, inFrame(12), y));
    const auto tip = [&](double ms) { return tipAt({qRound(m_fixture->pixelOf(inFrame(ms))), y + 8}); };
    QVERIFY2(tip(6).contains(QStringLiteral("Clocks limited: throttling")), qPrintable(tip(6)));
    QVERIFY2(!tip(12).contains(QStringLiteral("limited")), qPrintable(tip(12)));
}

/// Also a limit that is much shorter than a pixel, and times in which the state is unknown.
void TestTimelineMarks::shortLimitsAreSeen()
{
    Trace trace;
    trace.setCounters({{0, "throttling", "", std::nullopt}, {1, "rails at their limit", "", std::nullopt}});
    const std::vector<CounterSample> samples = {{0, 0, 0},       {500'000, 1, 0}, {500'100, 0, 0},
                                                {700'000, 2, 1}, {720'000, 1, 0}, {790'000, std::nan(""), 1},
                                                {810'000, 0, 0}};
    trace.add(samples);
    QCOMPARE(limitBands(trace, {5'000, 10'000, 100}), (std::vector<LimitBand>{{49, 50}, {69, 81}}));
    QCOMPARE(limitsAt(trace, 730'000), QStringLiteral("throttling, rails at their limit"));
    QCOMPARE(limitsAt(trace, 800'000), QStringLiteral("throttling"));
    QCOMPARE(limitsAt(trace, 900'000), QString());
}

JETSCOPE_TEST(TestTimelineMarks)
#include "tst_timelinemarks.moc"
