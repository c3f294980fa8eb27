// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"
#include "tests/support/testprogram.h"
#include "ui/frames/framebars.h"
#include "ui/frames/framespage.h"
#include "ui/frames/framesview.h"
#include "ui/session/traceselection.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>
#include <QWheelEvent>

using namespace jetscope;

class TestFramesPage : public QObject {
    Q_OBJECT
private slots:
    void init();
    void followsTheNewest();
    void aFileIsShownWhole();
    void theWorstOfAColumnStaysVisible();
    void clickSelectsTheWorstOfAColumn();
    void theWorstAreListedAndClickable();
    void wheelZoomsAtTheMouse();
    void draggingPans();
    void keysStepThroughFrames();
    void showsNothingYet();
    void theLegendStaysReadableInLittleRoom();

private:
    void addFrames(std::uint32_t first, std::uint32_t count, std::uint32_t worst = 0xffffffff);
    FramesView &view() { return *m_page->view(); }
    void wheel(QPointF at, int delta);

    std::unique_ptr<Trace> m_trace;
    std::unique_ptr<TraceSelection> m_selection;
    std::unique_ptr<FramesPage> m_page;
};

void TestFramesPage::init()
{
    m_page.reset();
    m_trace = std::make_unique<Trace>();
    m_selection = std::make_unique<TraceSelection>(*m_trace);
    m_page = std::make_unique<FramesPage>(*m_trace, *m_selection);
    m_page->resize(1400, 300);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
}

/// Consecutive frames of 16.7 ms; the worst takes ten times as long.
void TestFramesPage::addFrames(std::uint32_t first, std::uint32_t count, std::uint32_t worst)
{
    constexpr std::int64_t kPeriod = 16'666'667;
    std::vector<FrameFigures> frames;
    for (std::uint32_t i = first; i < first + count; ++i) {
        FrameFigures figures;
        figures.frame = i;
        figures.startNs = 1'000'000'000 + i * kPeriod + (i > worst ? 9 * kPeriod : 0);
        figures.overlap.periodNs = i == worst ? 10 * kPeriod : kPeriod;
        figures.overlap.cpuNs = 9'100'000;
        figures.overlap.gpuNs = 7'400'000;
        figures.overlap.bothNs = 5'476'000;
        figures.overlap.idleNs = figures.overlap.periodNs - 11'024'000;
        frames.push_back(figures);
    }
    m_trace->add(frames);
    m_page->refresh();
}

void TestFramesPage::wheel(QPointF at, int delta)
{
    QWheelEvent event(at, view().mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&view(), &event);
}

void TestFramesPage::followsTheNewest()
{
    addFrames(0, 1000);
    QVERIFY(view().isFollowing());
    QCOMPARE(view().shown().second, std::uint64_t(1000));
    QVERIFY(view().shown().first > 800);
    addFrames(1000, 30);
    QCOMPARE(view().shown().second, std::uint64_t(1030));
}

void TestFramesPage::aFileIsShownWhole()
{
    addFrames(0, 50'000);
    m_page->restart(false);
    QCOMPARE(view().shown(), std::pair(std::uint64_t(0), std::uint64_t(50'000)));
    QVERIFY(view().framesPerPixel() > 30);
}

void TestFramesPage::theWorstOfAColumnStaysVisible()
{
    addFrames(0, 50'000, 31'234);
    m_page->restart(false);
    const QImage picture = view().grab().toImage();
    const int x = view().pixelOf(31'234);
    int highest = picture.height();
    for (int y = 0; y < picture.height(); ++y)
        if (picture.pixelColor(x, y) == darkTheme().warn)
            highest = std::min(highest, y);
    QVERIFY2(highest < 60, qPrintable(QString::number(highest))); // Reaches the top of the plot.
    for (const int other : {x - 20, x + 20})
        QVERIFY(picture.pixelColor(other, highest + 5) != darkTheme().warn);
}

void TestFramesPage::clickSelectsTheWorstOfAColumn()
{
    addFrames(0, 50'000, 31'234);
    m_page->restart(false);
    QSignalSpy chosen(m_page.get(), &FramesPage::chosen);
    QTest::mouseClick(&view(), Qt::LeftButton, {}, {view().pixelOf(31'234), 150});
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(m_selection->frame()->key, 31'234u);
    QSignalSpy opened(m_page.get(), &FramesPage::opened);
    QTest::mouseDClick(&view(), Qt::LeftButton, {}, {view().pixelOf(31'234), 150});
    QCOMPARE(opened.count(), 1);
}

void TestFramesPage::theWorstAreListedAndClickable()
{
    addFrames(0, 5'000, 777);
    m_page->restart(false);
    QTreeWidget *list = m_page->worst();
    QCOMPARE(list->topLevelItemCount(), 20);
    QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("frame 777"));
    QCOMPARE(list->topLevelItem(0)->text(1), QStringLiteral("167 ms"));
    QCOMPARE(list->topLevelItem(0)->text(4), QStringLiteral("–")); // Unknown for frames without spans or completions.
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->topLevelItem(0)).center());
    QVERIFY(m_selection->frame().has_value());
    QCOMPARE(m_selection->frame()->key, 777u);
}

void TestFramesPage::wheelZoomsAtTheMouse()
{
    addFrames(0, 50'000);
    m_page->restart(false);
    const int x = 700;
    const std::uint64_t under = *view().frameAt(x);
    for (int i = 0; i < 12; ++i)
        wheel({700, 150}, 120);
    QVERIFY(view().framesPerPixel() < 10);
    QVERIFY(std::abs(view().pixelOf(under) - x) <= 12);
    for (int i = 0; i < 30; ++i)
        wheel({700, 150}, -120);
    QCOMPARE(view().shown(), std::pair(std::uint64_t(0), std::uint64_t(50'000)));
}

void TestFramesPage::draggingPans()
{
    addFrames(0, 5'000);
    const auto before = view().shown();
    QTest::mousePress(&view(), Qt::LeftButton, {}, {400, 150});
    QTest::mouseMove(&view(), {500, 150});
    QTest::mouseMove(&view(), {800, 150});
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, {800, 150});
    QCOMPARE(before.first - view().shown().first, std::uint64_t(50)); // 400 pixels, 8 per frame.
    QVERIFY(!view().isFollowing());
    QVERIFY(!m_selection->frame().has_value()); // A drag does not select.
    QTest::keyClick(&view(), Qt::Key_End);
    QVERIFY(view().isFollowing());
    QCOMPARE(view().shown(), before);
}

void TestFramesPage::keysStepThroughFrames()
{
    addFrames(0, 5'000);
    view().setFocus();
    QTest::keyClick(&view(), Qt::Key_Right);
    const std::uint32_t first = m_selection->frame()->key;
    for (std::uint32_t i = 1; i <= 10; ++i) {
        QTest::keyClick(&view(), Qt::Key_Left);
        QCOMPARE(m_selection->frame()->key, first - i);
        const auto [from, to] = view().shown();
        QVERIFY(from <= first - i && first - i < to);
    }
    QTest::keyClick(&view(), Qt::Key_F);
    QCOMPARE(view().shown().first, std::uint64_t(0));
    QTest::keyClick(&view(), Qt::Key_Escape);
    QVERIFY(m_selection->isEmpty());
}

void TestFramesPage::showsNothingYet()
{
    QVERIFY(!m_page->grab().toImage().isNull());
    QTest::mouseClick(&view(), Qt::LeftButton, {}, {400, 150});
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_F, Qt::Key_End, Qt::Key_Home, Qt::Key_W})
        QTest::keyClick(&view(), key);
    wheel({400, 150}, 120);
    QVERIFY(m_selection->isEmpty());
}

void TestFramesPage::theLegendStaysReadableInLittleRoom()
{
    m_page->resize(760, 300); // As wide as beside the figures of a selection.
    const QRect legend(FrameBars::kLabelWidth, 0, 240, 24);
    const QImage alone = view().grab(legend).toImage();
    addFrames(0, 60);
    QVERIFY(view().width() < 500);
    QCOMPARE(view().grab(legend).toImage(), alone);
}

JETSCOPE_TEST(TestFramesPage)
#include "tst_framespage.moc"
