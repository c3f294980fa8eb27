// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/largetrace.h"
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "ui/style/theme.h"
#include "ui/timeline/overviewstrip.h"

#include <QElapsedTimer>

#include <algorithm>

using namespace jetscope;

/// The whole trace above the timeline.
class TestOverviewStrip : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { m_fixture.reset(); }
    void showsTheLoad();
    void theWindowIsMoved();
    void theWindowIsResized();
    void aDragBesideMakesAWindow();
    void aClickBesideBringsItThere();
    void aDoubleClickShowsAll();
    void keysMoveAndZoom();
    void followsTheTimeline();
    void growsWithTheTrace();
    void paintingOf200TimesTheSpansTakesLessThan5Times();

private:
    OverviewStrip &strip() { return *m_fixture->view->overview(); }
    Interval shown() { return m_fixture->view->camera().window(); }
    int x(std::int64_t ns) { return qRound(strip().pixelOf(ns)); }
    void drag(int from, int to);
    bool isNear(std::int64_t ns, std::int64_t other)
    {
        const Interval whole = strip().whole();
        return std::abs(ns - other) <= (whole.endNs - whole.startNs) / 200;
    }
    Interval part(double from, double to)
    {
        const Interval whole = strip().whole();
        const auto length = static_cast<double>(whole.endNs - whole.startNs);
        return {whole.startNs + std::llround(from * length), whole.startNs + std::llround(to * length)};
    }

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestOverviewStrip::init()
{
    m_fixture = std::make_unique<TimelineFixture>(QSize(1200, 420));
    QVERIFY(m_fixture->expose());
    m_fixture->addFrames(0, 300);
    m_fixture->view->setOverviewShown(true);
    m_fixture->view->restart(false);
    QTRY_VERIFY(strip().isDone() && !strip().overview().empty());
}

void TestOverviewStrip::drag(int from, int to)
{
    constexpr int kY = 40;
    QTest::mousePress(&strip(), Qt::LeftButton, {}, {from, kY});
    for (int i = 1; i <= 4; ++i) {
        const QPoint at(from + (to - from) * i / 4, kY);
        QMouseEvent move(QEvent::MouseMove, at, strip().mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&strip(), &move);
    }
    QTest::mouseRelease(&strip(), Qt::LeftButton, {}, {to, kY});
}

void TestOverviewStrip::showsTheLoad()
{
    const TraceOverview &overview = strip().overview();
    const Interval whole = strip().whole();
    QCOMPARE(overview.startNs(), whole.startNs);
    QCOMPARE(overview.endNs(), whole.endNs);
    const TraceOverview::Load load = overview.loadOf(whole);
    QVERIFY(load.cpu > 0.4 && load.cpu < 0.7); // 9.1 ms of 16.7 ms.
    QVERIFY(load.gpu > 0.35 && load.gpu < 0.6);
    const QImage picture = strip().grab().toImage();
    int blue = 0;
    for (int column = 400; column < 1100; ++column)
        blue += picture.pixelColor(column, 2 + 14 + 13) == theme().cpuOnly ? 1 : 0;
    QVERIFY2(blue > 600, qPrintable(QString::number(blue)));
    QCOMPARE(m_fixture->viewport()->y(), OverviewStrip::usualHeight());
}

void TestOverviewStrip::theWindowIsMoved()
{
    m_fixture->view->camera().show(part(0.2, 0.4));
    const Interval before = shown();
    drag((x(before.startNs) + x(before.endNs)) / 2, (x(before.startNs) + x(before.endNs)) / 2 + 300);
    const std::int64_t moved = strip().timeOf(600) - strip().timeOf(300);
    QVERIFY(isNear(shown().startNs, before.startNs + moved));
    QVERIFY(isNear(shown().endNs - shown().startNs, before.endNs - before.startNs));
    drag((x(shown().startNs) + x(shown().endNs)) / 2, 5000); // Part of the trace stays in view.
    QVERIFY(shown().startNs < strip().whole().endNs);
}

void TestOverviewStrip::theWindowIsResized()
{
    m_fixture->view->camera().show(part(0.4, 0.6));
    const Interval before = shown();
    drag(x(before.startNs), x(part(0.1, 1).startNs));
    QVERIFY(isNear(shown().startNs, part(0.1, 1).startNs));
    QVERIFY(isNear(shown().endNs, before.endNs));
    drag(x(shown().endNs), x(part(0.8, 1).startNs));
    QVERIFY(isNear(shown().endNs, part(0.8, 1).startNs));
    QVERIFY(isNear(shown().startNs, part(0.1, 1).startNs));
}

void TestOverviewStrip::aDragBesideMakesAWindow()
{
    m_fixture->view->camera().show(part(0.1, 0.2));
    drag(x(part(0.8, 1).startNs), x(part(0.6, 1).startNs)); // In either direction.
    QVERIFY(isNear(shown().startNs, part(0.6, 1).startNs));
    QVERIFY(isNear(shown().endNs, part(0.8, 1).startNs));
}

void TestOverviewStrip::aClickBesideBringsItThere()
{
    m_fixture->view->camera().show(part(0.1, 0.2));
    const std::int64_t length = shown().endNs - shown().startNs;
    QTest::mouseClick(&strip(), Qt::LeftButton, {}, {x(part(0.7, 1).startNs), 40});
    QVERIFY(isNear(shown().startNs + length / 2, part(0.7, 1).startNs));
    QVERIFY(isNear(shown().endNs - shown().startNs, length));
}

void TestOverviewStrip::aDoubleClickShowsAll()
{
    m_fixture->view->camera().show(part(0.1, 0.2));
    QTest::mouseDClick(&strip(), Qt::LeftButton, {}, {x(part(0.15, 1).startNs), 40});
    QVERIFY(shown().startNs <= strip().whole().startNs && shown().endNs >= strip().whole().endNs);
}

void TestOverviewStrip::keysMoveAndZoom()
{
    m_fixture->view->camera().show(part(0.4, 0.5));
    const Interval before = shown();
    QTest::keyClick(&strip(), Qt::Key_Right);
    QVERIFY(shown().startNs > before.startNs);
    QTest::keyClick(&strip(), Qt::Key_Left);
    QVERIFY(isNear(shown().startNs, before.startNs));
    QTest::keyClick(&strip(), Qt::Key_Plus);
    QVERIFY(shown().endNs - shown().startNs < before.endNs - before.startNs);
    QTest::keyClick(&strip(), Qt::Key_Home);
    QVERIFY(shown().endNs - shown().startNs >= strip().whole().endNs - strip().whole().startNs);
    QVERIFY(!strip().accessibleName().isEmpty() && !strip().accessibleDescription().isEmpty());
}

void TestOverviewStrip::followsTheTimeline()
{
    m_fixture->view->camera().show(part(0.1, 0.2));
    const QImage before = strip().grab().toImage();
    m_fixture->view->camera().show(part(0.7, 0.8));
    QVERIFY(strip().grab().toImage() != before);
    m_fixture->view->setOverviewShown(false);
    QVERIFY(!strip().isVisible());
    QCOMPARE(m_fixture->viewport()->y(), 0);
}

void TestOverviewStrip::growsWithTheTrace()
{
    const std::int64_t before = strip().overview().endNs();
    m_fixture->addFrames(300, 60);
    const auto isRead = [&] {
        m_fixture->view->refresh();
        return strip().overview().endNs() > before;
    };
    QTRY_VERIFY(isRead());
    QCOMPARE(strip().overview().endNs(), strip().whole().endNs);
}

void TestOverviewStrip::paintingOf200TimesTheSpansTakesLessThan5Times()
{
    const auto bestNs = [this] {
        qint64 best = std::numeric_limits<qint64>::max();
        for (int round = 0; round < 7; ++round) {
            QEvent anew(QEvent::StyleChange);
            QApplication::sendEvent(&strip(), &anew); // Paints everything again.
            QElapsedTimer timer;
            timer.start();
            strip().grab();
            best = std::min(best, timer.nsecsElapsed());
        }
        return best;
    };
    m_fixture->trace = largeTrace(5'000);
    m_fixture->view->restart(false);
    QTRY_VERIFY(strip().isDone() && !strip().overview().empty());
    const qint64 few = bestNs();
    m_fixture->trace = largeTrace(1'000'000);
    m_fixture->view->restart(false);
    QTRY_VERIFY_WITH_TIMEOUT(strip().isDone() && !strip().overview().empty(), 60'000);
    const qint64 many = bestNs();
    QVERIFY2(many < 5 * few, qPrintable(QStringLiteral("%1 ns, %2 ns").arg(many).arg(few)));
}

JETSCOPE_TEST(TestOverviewStrip)
#include "tst_overviewstrip.moc"
