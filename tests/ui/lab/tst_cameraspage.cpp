// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Several cameras in the window: which are open, which drives the pipeline, how far they are apart.
#include "core/time/clock.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/lab/cameraspage.h"
#include "ui/lab/labview.h"
#include "ui/lab/skewview.h"
#include "ui/window/livehead.h"
#include "ui/window/windowactions.h"

#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include <cmath>

using namespace jetscope;

namespace {

constexpr const char *kThree = "several:1 of synthetic: | pattern: | synthetic:?fps=30";

/// Frames of 33 ms until a time.
std::shared_ptr<CameraLog> logOf(const char *address, std::int64_t untilNs, std::int64_t laterMs)
{
    auto log = std::make_shared<CameraLog>(address);
    const std::int64_t start = untilNs - 60 * 33'000'000;
    for (std::int64_t i = 0; i < 60; ++i) {
        const std::int64_t ns = start + i * 33'000'000 + laterMs * 1'000'000;
        log->add({static_cast<std::uint64_t>(i), ns, {true, ns, ns + 4'000'000, ToldClock::Monotonic, ToldEdge::End}},
                 {});
    }
    return log;
}

} // namespace

class TestCamerasPage : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_fake.reset(); }
    void oneCameraSaysWhatToDo();
    void camerasAreAddedAndOpenedTogether();
    void nonsenseIsRefused();
    void moreThanEightAreNot();
    void theSkewOfOpenCamerasIsShown();
    void anotherCameraDrives();
    void theHeadChoosesACamera();
    void theNextCameraByKey();

private:
    MainWindow &window() { return m_fake->window(); }
    CamerasPage &page() { return *window().lab()->cameras(); }
    QPushButton *button(const char *name) { return page().findChild<QPushButton *>(QLatin1String(name)); }
    const std::vector<std::string> &asked() { return m_fake->pipeline().sourceChanges; }
    void showPage()
    {
        window().showSpace(MainWindow::Space::Lab);
        window().lab()->showPage(&page());
    }
    void openThree();

    std::unique_ptr<FakeWindow> m_fake;
};

void TestCamerasPage::init()
{
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1400, 900);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
    m_fake->pipeline().state.source.uri = "synthetic:";
    m_fake->poll();
}

void TestCamerasPage::openThree()
{
    const std::int64_t ns = nowNs(); // Of all: the test may be kept from the processor between two of them.
    m_fake->pipeline().openCameras = {{logOf("synthetic:", ns, 0), "Test card", "", true},
                                      {logOf("pattern:", ns, 0), "Pattern", "", false},
                                      {logOf("synthetic:?fps=30", ns, 8), "Test card", "it went away", false}};
    m_fake->pipeline().state.source.uri = kThree;
    m_fake->poll();
    showPage();
}

void TestCamerasPage::oneCameraSaysWhatToDo()
{
    showPage();
    QCOMPARE(page().wanted(), QStringList{"synthetic:"});
    QVERIFY2(page().verdictText().contains(QStringLiteral("add another one")), qPrintable(page().verdictText()));
    QVERIFY(!button("openCameras")->isEnabled() && !button("driveCamera")->isEnabled());
    QCOMPARE(page().result(), QString());
}

void TestCamerasPage::camerasAreAddedAndOpenedTogether()
{
    showPage();
    page().add(QStringLiteral(" pattern:?delay=8 "));
    QCOMPARE(page().list()->topLevelItemCount(), 2);
    QVERIFY(page().verdictText().contains(QStringLiteral("open them together")));
    QTest::mouseClick(button("openCameras"), Qt::LeftButton);
    QCOMPARE(asked().back(), std::string("several:1 of synthetic: | pattern:?delay=8"));
    // The list is the user's: it does not follow what else is opened.
    m_fake->pipeline().state.source.uri = "file:other.mp4";
    m_fake->poll();
    QCOMPARE(page().wanted().size(), 2);
    page().list()->setFocus();
    QTest::keyClick(page().list(), Qt::Key_Delete);
    QCOMPARE(page().wanted().size(), 1);
}

void TestCamerasPage::nonsenseIsRefused()
{
    showPage();
    for (const char *text : {"nothing://x", "several:synthetic: | pattern:x", "synthetic:?size=huge"})
        page().add(QString::fromUtf8(text));
    page().add(QStringLiteral("   "));
    page().add(QString());
    QCOMPARE(page().wanted().size(), 1);
    bool isSaid = false;
    for (const QLabel *label : page().findChildren<QLabel *>())
        isSaid = isSaid || label->text().contains(QStringLiteral("no kind of source")) || label->text().contains(u'"');
    QVERIFY(isSaid);
    page().remove(-1);
    page().remove(7);
    page().drive(3);
    QVERIFY(asked().empty());
}

void TestCamerasPage::moreThanEightAreNot()
{
    showPage();
    for (int i = 0; i < 12; ++i)
        page().add(QStringLiteral("pattern:?delay=%1").arg(i));
    QCOMPARE(page().wanted().size(), 8);
    QVERIFY(!button("addCamera")->isEnabled());
}

void TestCamerasPage::theSkewOfOpenCamerasIsShown()
{
    openThree();
    QTRY_COMPARE(page().list()->topLevelItemCount(), 3);
    QVERIFY2(page().verdictText().contains(QStringLiteral("camera 3 (synthetic:?fps=30) is exposed")),
             qPrintable(page().verdictText()));
    const QString off = page().list()->topLevelItem(2)->text(4);
    QVERIFY2(off.startsWith(u'+') && std::abs(off.split(u' ').front().toDouble() - 8) < 0.2, qPrintable(off));
    QVERIFY(page().list()->topLevelItem(0)->text(1).contains(QStringLiteral("drives")));
    QCOMPARE(page().skew()->reachMs(), 10.0);
    QVERIFY(page().skew()->accessibleDescription().contains(QStringLiteral("fps=30: stamps ") + off.mid(1)));
    QVERIFY(std::abs(page().result().split(u' ').front().toDouble() - 8) < 0.2);
    QVERIFY(window().lab()->list()->currentItem()->text().contains(page().result()));
    bool isSaid = false;
    for (const QLabel *label : page().findChildren<QLabel *>())
        isSaid = isSaid || label->text().contains(QStringLiteral("it went away"));
    QVERIFY(isSaid);
}

void TestCamerasPage::anotherCameraDrives()
{
    openThree();
    page().list()->setCurrentItem(page().list()->topLevelItem(0));
    QVERIFY(!button("driveCamera")->isEnabled()); // It does already.
    page().list()->setCurrentItem(page().list()->topLevelItem(2));
    QTest::mouseClick(button("driveCamera"), Qt::LeftButton);
    QCOMPARE(asked().back(), std::string("several:3 of synthetic: | pattern: | synthetic:?fps=30"));
    page().list()->setFocus();
    page().list()->setCurrentItem(page().list()->topLevelItem(1));
    QTest::keyClick(page().list(), Qt::Key_Return);
    QCOMPARE(asked().back(), std::string("several:2 of synthetic: | pattern: | synthetic:?fps=30"));
    m_fake->pipeline().state.source.uri = asked().back();
    m_fake->poll();
    QTRY_VERIFY(page().list()->topLevelItem(1)->text(1).contains(QStringLiteral("drives")));
}

void TestCamerasPage::theHeadChoosesACamera()
{
    auto *camera = window().findChild<QToolButton *>(QStringLiteral("camera"));
    QVERIFY(camera && !camera->isVisible());
    openThree();
    window().showSpace(MainWindow::Space::Live);
    QVERIFY(camera->isVisible());
    const QList<QAction *> choices = camera->menu()->actions();
    QCOMPARE(choices.size(), 3);
    QVERIFY(choices[0]->isChecked() && !choices[1]->isChecked());
    choices[1]->trigger();
    QCOMPARE(asked().back(), std::string("several:2 of synthetic: | pattern: | synthetic:?fps=30"));
}

void TestCamerasPage::theNextCameraByKey()
{
    QTest::keyClick(&window(), Qt::Key_C);
    QVERIFY(asked().empty());
    openThree();
    window().showSpace(MainWindow::Space::Live);
    m_fake->pipeline().state.source.uri = "several:3 of synthetic: | pattern: | synthetic:?fps=30";
    m_fake->poll();
    QTest::keyClick(&window(), Qt::Key_C);
    QCOMPARE(asked().back(), std::string(kThree));
}

JETSCOPE_TEST(TestCamerasPage)
#include "tst_cameraspage.moc"
