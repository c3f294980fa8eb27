// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The pinned A against the present: figures, refusals, and the two timelines above each other.
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/measure/comparedtable.h"
#include "ui/measure/pairedtimelines.h"
#include "ui/session/traceselection.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/windowcompare.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

class TestCompare : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void equalFramesAreUnchanged();
    void fivePercentAreFound();
    void aGoesOnCollectingUntilItHasEnough();
    void aStopsCollectingAtTheNextChange();
    void withoutFramesNothingIsPinned();
    void unpinningForgets();
    void oneOfThreeBaselinesIsCompared();
    void baselinesAreUndone();
    void otherConditionsAreRefused_data();
    void otherConditionsAreRefused();
    void aOutlivesAnotherPipeline();
    void backToTheSettingOfAComparesAgain();
    void theTableKeepsWhatTheUserSelected();
    void frameStartsAreAboveEachOther();
    void bothTimelinesMoveTogether();
    void theSentenceIsNotCut();
    void aChosenFrameIsAligned();
    void theLowerTimelineFollows();
    void theViewIsRemembered();
    void everythingIsReachableAndNamed();

private:
    FakePipeline &pipeline() { return m_fake->pipeline(); }
    MainWindow &window() { return m_fake->window(); }
    PinnedComparison &pinned() { return window().live().compare().pinned(); }
    ComparePage &page() { return *window().live().compare().page(); }
    void run(std::uint32_t frames, double ratio = 1);
    void change(SyncMode mode);
    bool compare();
    RowVerdict verdictOf(Figure metric) { return pinned().comparison()->of(metric).verdict; }
    void showTimelines();
    static double startAt(const TimelineView &view, const Trace &trace, std::uint64_t index)
    {
        return pixelAt(view.scale(), trace.frames().at(index).startNs);
    }

    std::unique_ptr<FakeWindow> m_fake;
    std::uint32_t m_frame = 0;
};

void TestCompare::init()
{
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1400, 900);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
    m_frame = 0;
}

void TestCompare::cleanup()
{
    m_fake.reset();
}

/// Frames whose times vary by some percent, and take `ratio` times as long.
void TestCompare::run(std::uint32_t frames, double ratio)
{
    scriptFrames(pipeline(), m_frame, frames);
    std::uint32_t random = m_frame + 1;
    for (FrameFigures &figures : pipeline().update.figures) {
        random = random * 1664525 + 1013904223;
        const double noise = 1 + 0.03 * (static_cast<double>(random >> 16U) / 65536.0 - 0.5);
        figures.frameNs = static_cast<std::int64_t>(9'000'000 * ratio * noise);
        figures.latencyNs = figures.frameNs + 500'000;
    }
    m_frame += frames;
    m_fake->poll();
}

void TestCompare::change(SyncMode mode)
{
    PipelineConfig config = pipeline().state.config;
    const std::string text =
        std::string("sync: ") + std::string(nameOf(config.sync)) + " → " + std::string(nameOf(mode));
    config.sync = mode;
    pipeline().state.config = config;
    pipeline().notice(PipelineNotice::Kind::Switched, text, m_frame);
    m_fake->poll();
}

/// Waits until the newest frames are compared.
bool TestCompare::compare()
{
    int compared = 0;
    const auto counting = connect(&pinned(), &PinnedComparison::compared, this, [&compared] { ++compared; });
    // A comparison that is under way may be of earlier frames.
    const bool done = QTest::qWaitFor([&] {
        pinned().refresh();
        m_fake->poll();
        return compared >= 2;
    });
    disconnect(counting);
    return done;
}

void TestCompare::equalFramesAreUnchanged()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(450);
    QVERIFY(compare());
    QVERIFY(pinned().comparison()->noVerdict.empty());
    for (const Figure metric : {Figure::FrameP50, Figure::Period, Figure::Latency})
        QCOMPARE(verdictOf(metric), RowVerdict::Unchanged);
    QVERIFY2(page().sentence().startsWith("No figure of the frames is shown to differ: the period is "),
             qPrintable(page().sentence()));
}

void TestCompare::fivePercentAreFound()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(450, 0.95);
    QVERIFY(compare());
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::Better);
    QCOMPARE(verdictOf(Figure::Period), RowVerdict::Unchanged);
    QVERIFY2(page().sentence().startsWith("The present is better than A: Frame time, median -"),
             qPrintable(page().sentence()));
    bool said = false; // In words, too.
    for (QTreeWidgetItemIterator item(page().table()); *item; ++item)
        said |=
            (*item)->text(0) == QStringLiteral("Frame time, median") && (*item)->text(4) == QStringLiteral("✓ better");
    QVERIFY(said);
    change(SyncMode::Poll);
    run(450, 1.05);
    QVERIFY(compare());
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::Worse);
}

void TestCompare::aGoesOnCollectingUntilItHasEnough()
{
    run(30);
    pinned().pin();
    QVERIFY(pinned().pinned()->isCollecting);
    QCOMPARE(pinned().pinned()->frames, std::uint64_t{30});
    QVERIFY2(page().sentence().startsWith("A has 30 of the 420 frames"), qPrintable(page().sentence()));
    run(500);
    QVERIFY(compare());
    QVERIFY(!pinned().pinned()->isCollecting);
    QCOMPARE(pinned().pinned()->frames, PinnedComparison::kWholeFrames);
    QCOMPARE(pinned().kept().frames().at(0).frame, 0U);
    QCOMPARE(pinned().comparison()->framesB, std::uint64_t{110}); // Frames of A are not compared with themselves.
}

void TestCompare::aStopsCollectingAtTheNextChange()
{
    run(60);
    pinned().pin();
    change(SyncMode::Stream);
    run(300);
    QVERIFY(compare());
    QVERIFY(!pinned().pinned()->isCollecting);
    QCOMPARE(pinned().pinned()->frames, std::uint64_t{60});
    QCOMPARE(pinned().comparison()->framesB, std::uint64_t{300});
    QCOMPARE(verdictOf(Figure::FrameP99), RowVerdict::TooFewFrames);
    change(SyncMode::Poll);
    run(20);
    QVERIFY(compare());
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::TooFewFrames);
    QVERIFY2(page().sentence().startsWith("Not enough frames yet"), qPrintable(page().sentence()));
}

void TestCompare::withoutFramesNothingIsPinned()
{
    QVERIFY(!pinned().reason().isEmpty());
    pinned().pin();
    QVERIFY(!pinned().pinned());
    QVERIFY(!window().actions().pinBaseline->isEnabled());
    run(1); // A single frame can be pinned; it is never enough.
    pinned().pin();
    QVERIFY(pinned().pinned().has_value());
    change(SyncMode::Stream);
    run(1);
    QVERIFY(compare());
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::TooFewFrames);
}

void TestCompare::unpinningForgets()
{
    run(450);
    pinned().pin();
    QVERIFY(compare());
    QTest::keyClick(&window(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!pinned().pinned() && !pinned().comparison());
    QVERIFY(pinned().kept().empty());
    QVERIFY(page().timelines()->isEmpty());
    QVERIFY(page().sentence().startsWith("Pin the present as A"));
    run(10); // Results that are still computed are discarded.
    QTest::qWait(0);
    QVERIFY(!pinned().comparison());
}

void TestCompare::oneOfThreeBaselinesIsCompared()
{
    run(450);
    pinned().pin(); // A: as fast as the first frames.
    change(SyncMode::Stream);
    run(450, 0.8);
    QTest::keyClick(&window(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(!pinned().pinned() && pinned().letter() == QStringLiteral("B"));
    QVERIFY2(page().sentence().startsWith("Pin the present as B"), qPrintable(page().sentence()));
    QCOMPARE(window().actions().pinBaseline->text(), QStringLiteral("Pin as baseline B"));
    window().actions().pinBaseline->trigger(); // B: faster.
    QVERIFY(pinned().pinned(0) && pinned().pinned(1) && !pinned().pinned(2));
    change(SyncMode::Poll);
    run(450, 0.9); // Between the two.
    QVERIFY(compare());
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::Worse);
    QVERIFY2(page().sentence().startsWith("The present is worse than B"), qPrintable(page().sentence()));
    const std::uint64_t ofB = pinned().kept().frames().at(0).frame;
    auto *letter = window().findChild<QAbstractButton *>(QStringLiteral("baselineA"));
    QVERIFY(letter->toolTip().contains(QStringLiteral("pinned at")));
    letter->click();
    QVERIFY(window().actions().baselines[0]->isChecked() && !window().actions().baselines[1]->isChecked());
    QCOMPARE(pinned().kept().frames().at(0).frame, 0U);
    QVERIFY(compare());
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::Better);
    QVERIFY2(page().sentence().startsWith("The present is better than A"), qPrintable(page().sentence()));
    pinned().choose(1);
    QCOMPARE(std::uint64_t{pinned().kept().frames().at(0).frame}, ofB);
    QVERIFY(compare());
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::Worse);
}

void TestCompare::baselinesAreUndone()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(450, 0.8);
    pinned().pin(); // In place of the first.
    QCOMPARE(pinned().kept().frames().at(0).frame, 450U);
    const auto press = [this](Qt::KeyboardModifiers modifiers) { QTest::keyClick(&window(), Qt::Key_Z, modifiers); };
    QVERIFY(window().actions().undo->toolTip().contains(QStringLiteral("baseline A")));
    press(Qt::ControlModifier);
    QCOMPARE(pinned().kept().frames().at(0).frame, 0U);
    QVERIFY(compare());
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::Better);
    press(Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(pinned().kept().frames().at(0).frame, 450U);
    pinned().choose(2);
    pinned().choose(0);
    pinned().unpin();
    pinned().choose(2);
    press(Qt::ControlModifier); // Goes to the baseline whose loss is undone.
    QCOMPARE(pinned().letter(), QStringLiteral("A"));
    QCOMPARE(pinned().kept().frames().at(0).frame, 450U);
    QVERIFY(page().timelines()->isEmpty() == false);
}

void TestCompare::otherConditionsAreRefused_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("mention");
    QTest::newRow("device") << "device"
                            << "the device differs (soft:orin ";
    QTest::newRow("same name") << "id"
                               << "the device differs (soft:orin ";
    QTest::newRow("source") << "source"
                            << "the source differs (synthetic:?size=1280x720&fps=60 in A, file:clip.avi now)";
    QTest::newRow("size") << "size"
                          << "the frame size differs (1280x720 in A, 640x480 now)";
    QTest::newRow("filters") << "filters"
                             << "the filters differ (";
    QTest::newRow("clocks") << "clocks"
                            << "GPU clock moved by 50 % between A and now";
    QTest::newRow("temperature") << "temperature"
                                 << "temperature moved by 30 °C between A and now";
}

void TestCompare::otherConditionsAreRefused()
{
    QFETCH(QString, what);
    QFETCH(QString, mention);
    const auto counters = [this](double hertz, double degrees) {
        pipeline().update.counters = {{0, "GPU clock", "Hz", std::nullopt}, {1, "temperature", "°C", std::nullopt}};
        const std::int64_t now = 1'000'000'000 + m_frame * std::int64_t{16'666'667};
        pipeline().update.samples = {{now, hertz, 0}, {now, degrees, 1}};
    };
    counters(1e9, 40);
    run(450);
    pinned().pin();
    PipelineStatus &state = pipeline().state;
    if (what == QStringLiteral("device"))
        state.facts.name = "another GPU";
    else if (what == QStringLiteral("id"))
        state.facts.id = "soft:nano";
    else if (what == QStringLiteral("source"))
        state.source.uri = "file:clip.avi";
    else if (what == QStringLiteral("size"))
        state.source.layout = makeImageLayout(PixelFormat::Nv12, 640, 480);
    else if (what == QStringLiteral("filters"))
        state.config.filters = {Filter::Invert};
    pipeline().notice(PipelineNotice::Kind::Switched, what.toStdString() + ": a → b", m_frame);
    counters(what == QStringLiteral("clocks") ? 0.5e9 : 1e9, what == QStringLiteral("temperature") ? 70 : 40);
    run(450, 2);
    QVERIFY(compare());
    const QString why = QString::fromStdString(pinned().comparison()->noVerdict);
    QVERIFY2(why.startsWith(mention), qPrintable(why));
    QVERIFY(page().sentence().startsWith("No verdict, because " + mention));
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::NotComparable);
    QVERIFY(!page().findChild<QPushButton *>(QStringLiteral("compareTurns"))->isEnabled());
}

void TestCompare::aOutlivesAnotherPipeline()
{
    run(450);
    pinned().pin();
    QVERIFY(compare());
    showTimelines();
    QVERIFY(m_fake->open());
    m_frame = 0;
    QVERIFY(pinned().pinned().has_value());
    run(450);
    QVERIFY(compare());
    QCOMPARE(pinned().comparison()->framesB, std::uint64_t{450});
    QCOMPARE(verdictOf(Figure::FrameP50), RowVerdict::Unchanged);
    QCOMPARE(page().timelines()->isEmpty(), false);
}

void TestCompare::backToTheSettingOfAComparesAgain()
{
    run(450);
    pinned().pin();
    const std::vector<Filter> filters = pipeline().state.config.filters;
    pipeline().state.config.filters = {Filter::Invert};
    change(SyncMode::Stream);
    run(450);
    QVERIFY(compare());
    QVERIFY(!pinned().comparison()->noVerdict.empty());
    pipeline().state.config.filters = filters;
    change(SyncMode::Poll);
    run(450);
    QVERIFY(compare());
    QVERIFY(pinned().comparison()->noVerdict.empty());
}

void TestCompare::theTableKeepsWhatTheUserSelected()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(450);
    QVERIFY(compare());
    QTreeWidgetItem *row = page().table()->topLevelItem(0)->child(2);
    const QString name = row->text(0);
    page().table()->setCurrentItem(row);
    run(100, 1.4);
    QVERIFY(compare());
    QVERIFY(page().table()->currentItem());
    QCOMPARE(page().table()->currentItem()->text(0), name);
}

void TestCompare::showTimelines()
{
    window().tabs()->setCurrentWidget(&page());
    page().setView(ComparePage::View::Timelines);
    QApplication::processEvents();
}

void TestCompare::frameStartsAreAboveEachOther()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(200);
    showTimelines();
    const PairedTimelines &both = *page().timelines();
    QVERIFY(!both.isEmpty() && both.aligned());
    const auto [a, b] = *both.aligned();
    QVERIFY(std::abs(pixelAt(both.above()->scale(), a) - pixelAt(both.below()->scale(), b)) < 0.01);
    QCOMPARE(both.above()->scale().nsPerPixel, both.below()->scale().nsPerPixel);
    const FrameTable &kept = pinned().kept().frames();
    QCOMPARE(kept.at(kept.range(a, a + 1).first).startNs, a);
    // Equal periods: every frame is above a frame.
    const Trace &live = window().session().trace();
    const std::uint64_t frame = live.frames().range(b, b + 1).first;
    const std::uint64_t other = kept.range(a, a + 1).first;
    for (std::uint64_t i = 0; i < 3; ++i)
        QVERIFY(std::abs(startAt(*both.above(), pinned().kept(), other - i) - startAt(*both.below(), live, frame - i))
                < 0.01);
}

/// Also where the timelines need the room, and "Follow" is below the lanes and within the view.
void TestCompare::theSentenceIsNotCut()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(450, 0.7);
    QVERIFY(compare());
    showTimelines();
    const auto *sentence = page().findChild<QLabel *>(QStringLiteral("compareSentence"));
    QTRY_VERIFY(sentence->isVisible() && sentence->height() >= sentence->heightForWidth(sentence->width()));
    window().resize(1024, 600);
    QTRY_COMPARE(window().width(), 1024);
    QTRY_VERIFY(sentence->height() >= sentence->heightForWidth(sentence->width()));
    TimelineView &below = *page().timelines()->below();
    below.camera().stopFollowing();
    const auto *follow = below.findChild<QPushButton *>(QStringLiteral("resume"));
    QTRY_VERIFY(follow->isVisible());
    const QRect room = below.viewport()->rect();
    QVERIFY(room.contains(follow->geometry()));
    QVERIFY(follow->y() >= room.height() - below.layout().metrics.footerHeight);
}

void TestCompare::bothTimelinesMoveTogether()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(200);
    showTimelines();
    const PairedTimelines &both = *page().timelines();
    const auto offset = [&both] {
        return pixelAt(both.above()->scale(), (*both.aligned())[0])
            - pixelAt(both.below()->scale(), (*both.aligned())[1]);
    };
    both.above()->camera().zoomAt(100, 0.5);
    QCOMPARE(both.above()->scale().nsPerPixel, both.below()->scale().nsPerPixel);
    QVERIFY(!both.below()->isFollowing());
    QVERIFY(std::abs(offset()) < 0.01);
    both.below()->camera().panBy(-37);
    QVERIFY(std::abs(offset()) < 0.01);
    both.below()->camera().zoomAt(10, 3);
    QCOMPARE(both.above()->scale().nsPerPixel, both.below()->scale().nsPerPixel);
    QVERIFY(std::abs(offset()) < 0.01);
    const double ruler = pixelAt(both.above()->scale(), both.above()->camera().rulerOriginNs());
    QVERIFY(std::abs(ruler - pixelAt(both.below()->scale(), both.below()->camera().rulerOriginNs())) < 0.01);
}

void TestCompare::aChosenFrameIsAligned()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(200);
    showTimelines();
    PairedTimelines &both = *page().timelines();
    both.above()->setFocus();
    QTest::keyClick(both.above(), Qt::Key_BracketRight);
    QTest::keyClick(both.above(), Qt::Key_BracketRight);
    const auto [a, b] = *both.aligned();
    const FrameTable &kept = pinned().kept().frames();
    QCOMPARE(kept.at(kept.range(a, a + 1).first).startNs, a);
    QVERIFY(std::abs(pixelAt(both.above()->scale(), a) - pixelAt(both.below()->scale(), b)) < 0.01);
    for (int i = 0; i < 3; ++i) // The first one selects a frame in view, which may be the aligned one.
        QTest::keyClick(both.below(), Qt::Key_BracketRight);
    QCOMPARE((*both.aligned())[0], a); // Both are chosen now.
    QVERIFY((*both.aligned())[1] != b);
}

void TestCompare::theLowerTimelineFollows()
{
    run(450);
    pinned().pin();
    change(SyncMode::Stream);
    run(200);
    showTimelines();
    const PairedTimelines &both = *page().timelines();
    QVERIFY(both.below()->isFollowing());
    const TimeScale above = both.above()->scale();
    const TimeScale below = both.below()->scale();
    run(50);
    QVERIFY(both.below()->scale().startNs > below.startNs);
    // The frame of A stays where it was, to the pixel.
    QVERIFY(std::abs(pixelAt(both.above()->scale(), (*both.aligned())[0]) - pixelAt(above, (*both.aligned())[0])) <= 1);
}

void TestCompare::theViewIsRemembered()
{
    const QTemporaryDir home;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home.path());
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    QVERIFY(page().view() == ComparePage::View::Figures);
    page().findChild<QPushButton *>(QStringLiteral("compareTrials"))->click();
    QVERIFY(page().view() == ComparePage::View::Trials);
    window().close();
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    QVERIFY(page().view() == ComparePage::View::Trials);
    m_fake.reset();
}

void TestCompare::everythingIsReachableAndNamed()
{
    window().tabs()->setCurrentWidget(&page());
    run(450);
    pinned().pin();
    for (const ComparePage::View view :
         {ComparePage::View::Figures, ComparePage::View::Timelines, ComparePage::View::Trials}) {
        page().setView(view);
        QApplication::processEvents();
        for (const QAbstractButton *button : page().findChildren<QAbstractButton *>()) {
            if (!button->isVisible())
                continue;
            QVERIFY2(button->focusPolicy() != Qt::NoFocus || !button->isEnabled(), qPrintable(button->text()));
            QVERIFY2(!button->toolTip().isEmpty() || !button->parentWidget()->toolTip().isEmpty(),
                     qPrintable(button->text()));
        }
    }
    for (const QWidget *widget : {static_cast<QWidget *>(page().table()), static_cast<QWidget *>(page().timelines()),
                                  static_cast<QWidget *>(page().timelines()->above())})
        QVERIFY(!widget->accessibleName().isEmpty());
    window().resize(1024, 600);
    QApplication::processEvents();
    QVERIFY(window().width() <= 1024 && window().height() <= 600);
    QVERIFY(page().minimumSizeHint().width() < 680);
}

JETSCOPE_TEST(TestCompare)
#include "tst_compare.moc"
