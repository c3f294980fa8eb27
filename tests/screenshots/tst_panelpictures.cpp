// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/referencepicture.h"
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "ui/selection/flamepage.h"
#include "ui/selection/tracepanel.h"
#include "ui/style/theme.h"
#include "ui/timeline/overviewstrip.h"

using namespace jetscope;

/// The panel of a trace and the whole trace above the timeline, in both themes.
class TestPanelPictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void tabs_data();
    void tabs();
    void overview_data();
    void overview();

private:
    void start(bool dark);
    void check(QWidget &widget, const QString &name);

    std::unique_ptr<TimelineFixture> m_fixture;
};

void TestPanelPictures::initTestCase()
{
    if (const char *why = whyNoReferences())
        QSKIP(why);
}

void TestPanelPictures::start(bool dark)
{
    m_fixture.reset();
    applyTheme(*qApp, dark ? darkTheme() : lightTheme());
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(12);
    qApp->setFont(font);
    m_fixture = std::make_unique<TimelineFixture>(QSize(1200, 420));
    QVERIFY(m_fixture->expose());
    m_fixture->addFrames(0, 12);
    Trace &trace = m_fixture->trace;
    const TraceName parse =
        trace.names().intern("parse of a name that is too long to be read in one line of a panel", Category::CpuStage);
    const std::vector<LaneInfo> &lanes = trace.lanes();
    for (std::uint64_t frame = 0; frame < 12; ++frame) {
        const std::int64_t start = trace.frames().at(frame).startNs;
        for (const LaneInfo &lane : lanes)
            if (lane.role == LaneRole::CpuStage)
                for (int i = 0; i < 3; ++i)
                    trace.add(lane.id, 1, {start + 5'500'000 + i * 900'000, 300'000 + i * 100'000, 0, kNoFrame, parse});
    }
}

void TestPanelPictures::check(QWidget &widget, const QString &name)
{
    const QString difference = differenceFromReference(widget.grab().toImage(), QStringLiteral("panel-") + name);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestPanelPictures::tabs_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("tab");
    for (const bool dark : {true, false}) {
        const char *theme = dark ? "dark" : "light";
        QTest::addRow("where-%s", theme) << dark << int(TracePanel::Where);
        QTest::addRow("top-%s", theme) << dark << int(TracePanel::Top);
        QTest::addRow("flame-%s", theme) << dark << int(TracePanel::Flame);
    }
}

void TestPanelPictures::tabs()
{
    QFETCH(bool, dark);
    QFETCH(int, tab);
    start(dark);
    TracePanel panel(m_fixture->trace, m_fixture->selection);
    panel.resize(560, 460);
    panel.setTab(static_cast<TracePanel::Tab>(tab));
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QTRY_VERIFY(panel.isDone());
    check(panel, QString::fromLatin1(QTest::currentDataTag()));
}

void TestPanelPictures::overview_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("overview-dark") << true;
    QTest::newRow("overview-light") << false;
}

void TestPanelPictures::overview()
{
    QFETCH(bool, dark);
    start(dark);
    m_fixture->view->setOverviewShown(true);
    m_fixture->view->restart(false);
    const FrameFigures third = m_fixture->trace.frames().at(3);
    m_fixture->view->show({third.startNs, third.startNs + 3 * third.periodNs()});
    OverviewStrip &strip = *m_fixture->view->overview();
    QTRY_VERIFY(strip.isDone() && !strip.overview().empty());
    const std::vector<TimelineRow> &rows = m_fixture->view->layout().rows; // One more makes room for a scroll bar.
    const auto isIdle = [](const TimelineRow &row) { return row.kind == TimelineRow::Kind::Idle; };
    QTRY_VERIFY(std::any_of(rows.begin(), rows.end(), isIdle));
    QTRY_VERIFY(strip.width() < m_fixture->view->width()); // The bar comes by an event.
    check(strip, QString::fromLatin1(QTest::currentDataTag()));
}

JETSCOPE_TEST(TestPanelPictures)
#include "tst_panelpictures.moc"
