// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The time stamps of the open sources in the window.
#include "core/time/clock.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/lab/labview.h"
#include "ui/lab/stampspage.h"

#include <QComboBox>
#include <QLabel>
#include <QTableWidget>
#include <QTest>

using namespace jetscope;

class TestStampsPage : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_fake.reset(); }
    void withoutFramesItSaysWhatToDo();
    void clockEdgeAndOffsetAreShown();
    void aConflictIsSaid();
    void eachOfSeveralSourcesIsChosen();

private:
    MainWindow &window() { return m_fake->window(); }
    StampsPage &page() { return *window().lab()->stamps(); }
    QString cell(const QString &what, int column)
    {
        for (int row = 0; row < page().table()->rowCount(); ++row)
            if (page().table()->item(row, 0)->text() == what)
                return page().table()->item(row, column)->text();
        return {};
    }
    /// Frames of 33 ms whose stamps are so much older than their arrival, by another clock and as the source says.
    static std::shared_ptr<CameraLog> logOf(std::int64_t ageMs, std::int64_t aheadMs, ToldEdge edge);
    void show(std::vector<OpenCamera> cameras);

    std::unique_ptr<FakeWindow> m_fake;
};

void TestStampsPage::init()
{
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1400, 900);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
}

std::shared_ptr<CameraLog> TestStampsPage::logOf(std::int64_t ageMs, std::int64_t aheadMs, ToldEdge edge)
{
    auto log = std::make_shared<CameraLog>("v4l2:/dev/video0");
    const std::int64_t start = nowNs() - 60 * 33'000'000;
    for (std::int64_t i = 0; i < 60; ++i) {
        const std::int64_t ns = start + i * 33'000'000;
        log->add({static_cast<std::uint64_t>(i),
                  ns,
                  {true, ns + aheadMs * 1'000'000, ns + ageMs * 1'000'000, ToldClock::Monotonic, edge}},
                 {});
    }
    return log;
}

void TestStampsPage::show(std::vector<OpenCamera> cameras)
{
    m_fake->pipeline().openCameras = std::move(cameras);
    window().showSpace(MainWindow::Space::Lab);
    window().lab()->showPage(&page());
}

void TestStampsPage::withoutFramesItSaysWhatToDo()
{
    show({{std::make_shared<CameraLog>("v4l2:/dev/video0"), "Webcam", "", true}});
    QVERIFY(page().verdictText().contains(QStringLiteral("No frame came yet")));
    QVERIFY(!page().table()->isVisible() && page().result().isEmpty());
    m_fake->failWith = "the camera is gone";
    QVERIFY(m_fake->open());
    window().showSpace(MainWindow::Space::Lab);
    QTRY_VERIFY(page().verdictText().contains(QStringLiteral("open a camera in Live")));
}

void TestStampsPage::clockEdgeAndOffsetAreShown()
{
    show({{logOf(20, 0, ToldEdge::Start), "Webcam", "", true}});
    QTRY_COMPARE(cell("clock", 1).startsWith(QStringLiteral("CLOCK_MONOTONIC")), true);
    QCOMPARE(cell("clock", 3), QStringLiteral("agrees"));
    QVERIFY2(cell("offset to ours", 1).startsWith(QStringLiteral("0.0"))
                 || cell("offset to ours", 1).startsWith(QStringLiteral("-0.0")),
             qPrintable(cell("offset to ours", 1)));
    QVERIFY(cell("offset to ours", 2).contains(u'±'));
    QVERIFY(cell("drift", 2).contains(u'±'));
    QCOMPARE(cell("odd stamps", 1), QStringLiteral("none"));
    QCOMPARE(page().result(), QStringLiteral("monotonic"));
    QVERIFY(page().notes()->text().contains(QStringLiteral("Latency = now − stamp")));
    QVERIFY(!page().source()->isVisible()); // There is one.
}

void TestStampsPage::aConflictIsSaid()
{
    // Three periods ahead of the arrival: not of the clock that the source says.
    show({{logOf(0, 100, ToldEdge::End), "Webcam", "the cable is loose", true}});
    QTRY_VERIFY(page().result().contains(QStringLiteral("conflict")));
    QVERIFY(page().notes()->text().contains(QStringLiteral("the cable is loose")));
}

void TestStampsPage::eachOfSeveralSourcesIsChosen()
{
    show({{logOf(20, 0, ToldEdge::Start), "One", "", true}, {logOf(30, 0, ToldEdge::End), "Two", "", false}});
    QTRY_VERIFY(page().source()->isVisible());
    QCOMPARE(page().source()->count(), 2);
    page().source()->setFocus();
    QTest::keyClick(page().source(), Qt::Key_Down);
    QTRY_VERIFY(cell("age at arrival", 1).contains(QStringLiteral("30")));
}

JETSCOPE_TEST(TestStampsPage)
#include "tst_stampspage.moc"
