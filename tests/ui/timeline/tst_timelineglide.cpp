// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"

#include <QVariantAnimation>

#include <cmath>

using namespace jetscope;

/// Animated zooming. No events are processed between the steps, so the test does not depend on the clock.
class TestTimelineGlide : public QObject {
    Q_OBJECT
private slots:
    void init();
    void theTimeUnderTheCursorStays();
    void theWheelBuildsOnTheTarget();
    void jumpsArriveExactly();
    void panningEndsIt();
    void followingEndsIt();
    void anotherTraceIsThereAtOnce();

private:
    TimelineView &view() { return *m_fixture->view; }
    QVariantAnimation &glide() { return *view().findChild<QVariantAnimation *>(); }
    bool isGliding() { return glide().state() == QAbstractAnimation::Running; }
    void finish() { glide().setCurrentTime(glide().totalDuration()); }

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestTimelineGlide::init()
{
    m_fixture = std::make_unique<TimelineFixture>();
    QVERIFY(m_fixture->expose());
    m_fixture->addFrames(0, 600);
    view().restart(false);
    view().setAnimated(true);
    QVERIFY(glide().totalDuration() > 0 && glide().totalDuration() <= 150);
}

void TestTimelineGlide::theTimeUnderTheCursorStays()
{
    const QPointF cursor(m_fixture->labelWidth() + 611, 120);
    for (const int notch : {120, 120, -120}) {
        const std::int64_t time = timeAt(view().scale(), 611);
        const double before = view().scale().nsPerPixel;
        const double after = notch > 0 ? before / 1.2 : before * 1.2;
        m_fixture->wheel(cursor, {0, notch});
        QVERIFY(isGliding());
        QCOMPARE(view().scale().nsPerPixel, before); // Starts at the previous scale.
        double last = before;
        for (int ms = 10; ms < glide().totalDuration(); ms += 10) {
            glide().setCurrentTime(ms);
            const double now = view().scale().nsPerPixel;
            QVERIFY2(notch > 0 ? now < last : now > last, qPrintable(QString::number(ms)));
            QVERIFY(now > std::min(before, after) * (1 - 1e-9) && now < std::max(before, after) * (1 + 1e-9));
            QVERIFY2(std::abs(m_fixture->pixelOf(time) - cursor.x()) <= 1, qPrintable(QString::number(ms)));
            last = now;
        }
        finish();
        QVERIFY(!isGliding());
        QVERIFY(std::abs(view().scale().nsPerPixel - after) < after * 1e-9);
        QVERIFY(std::abs(m_fixture->pixelOf(time) - cursor.x()) <= 1);
    }
}

void TestTimelineGlide::theWheelBuildsOnTheTarget()
{
    const QPointF cursor(m_fixture->labelWidth() + 611, 120);
    const std::int64_t time = timeAt(view().scale(), 611);
    const double before = view().scale().nsPerPixel;
    for (int i = 0; i < 8; ++i) { // Each notch comes before the previous animation ends.
        m_fixture->wheel(cursor, {0, 120});
        glide().setCurrentTime(25);
        QVERIFY(isGliding());
    }
    finish();
    QVERIFY(std::abs(view().scale().nsPerPixel * std::pow(1.2, 8) - before) < before * 1e-6); // No notch is lost.
    QVERIFY(std::abs(m_fixture->pixelOf(time) - cursor.x()) <= 1);
    QTest::keyClick(&view(), Qt::Key_Backspace); // All notches together are one step back.
    finish();
    QCOMPARE(view().scale().nsPerPixel, before);
}

void TestTimelineGlide::jumpsArriveExactly()
{
    const TimeScale everything = view().scale();
    const FrameFigures frame = m_fixture->trace.frames().at(300);
    m_fixture->selection.selectFrame(300);
    QTest::keyClick(&view(), Qt::Key_Z);
    QVERIFY(isGliding());
    glide().setCurrentTime(60);
    QVERIFY(view().scale().nsPerPixel < everything.nsPerPixel);
    finish();
    const TimeScale there = view().scale();
    view().setAnimated(false); // Targets without animation:
    QTest::keyClick(&view(), Qt::Key_Backspace);
    QCOMPARE(view().scale().startNs, everything.startNs);
    QTest::keyClick(&view(), Qt::Key_Z);
    QCOMPARE(view().scale().startNs, there.startNs);
    QCOMPARE(view().scale().nsPerPixel, there.nsPerPixel);
    QVERIFY(m_fixture->pixelOf(frame.startNs) > m_fixture->labelWidth());
}

void TestTimelineGlide::panningEndsIt()
{
    m_fixture->wheel({700, 120}, {0, 120});
    glide().setCurrentTime(40);
    const double half = view().scale().nsPerPixel;
    const std::int64_t time = timeAt(view().scale(), 300);
    m_fixture->drag(Qt::LeftButton, {600, 150}, {660, 150});
    QVERIFY(!isGliding());
    QCOMPARE(view().scale().nsPerPixel, half); // The drag moves the view without further zooming.
    QVERIFY(std::abs(pixelAt(view().scale(), time) - 360) <= 1);
}

void TestTimelineGlide::followingEndsIt()
{
    view().restart(true);
    m_fixture->wheel({700, 120}, {0, -120});
    QVERIFY(isGliding() && !view().isFollowing());
    QTest::keyClick(&view(), Qt::Key_End);
    QVERIFY(!isGliding() && view().isFollowing());
    const TimeScale followed = view().scale();
    m_fixture->addFrames(600, 10); // Following is not animated: it updates 30 times a second.
    QVERIFY(!isGliding());
    QVERIFY(view().scale().startNs > followed.startNs);
}

void TestTimelineGlide::anotherTraceIsThereAtOnce()
{
    m_fixture->wheel({700, 120}, {0, 120});
    view().restart(false);
    QVERIFY(!isGliding());
    QVERIFY(std::abs(m_fixture->pixelOf(m_fixture->trace.oldestNs()) - m_fixture->labelWidth()) <= 1);
}

JETSCOPE_TEST(TestTimelineGlide)
#include "tst_timelineglide.moc"
