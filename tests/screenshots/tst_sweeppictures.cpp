// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of the tab of sweeps and its dialogs.
#include "tests/screenshots/referencepicture.h"
#include "tests/support/fakewindow.h"
#include "tests/support/samplesweep.h"
#include "tests/support/testprogram.h"
#include "ui/measure/heatview.h"
#include "ui/measure/sweepdialog.h"
#include "ui/measure/sweeppage.h"
#include "ui/measure/tunedialog.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using jetscope::testing::SampleSweep;

class TestSweepPictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup() { m_fake.reset(); }
    void sweep_data();
    void sweep();
    void measuring();
    void dialog_data();
    void dialog();
    void tune_data();
    void tune();

private:
    void show(const SampleSweep &sweep);
    void check(QWidget &widget, const QString &name);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestSweepPictures::initTestCase()
{
    if (const char *why = whyNoWindowReferences())
        QSKIP(why);
}

void TestSweepPictures::init()
{
    applyTheme(*qApp, darkTheme());
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(12);
    qApp->setFont(font);
    m_folder = std::make_unique<QTemporaryDir>();
    m_fake = std::make_unique<FakeWindow>();
    m_fake->window().resize(1600, 1000);
    m_fake->window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&m_fake->window()));
    QVERIFY(m_fake->open());
}

void TestSweepPictures::show(const SampleSweep &sweep)
{
    const QString path = m_folder->filePath(QStringLiteral("sweep.jscope"));
    sweep.write(path);
    m_fake->window().trace().opener().open(path);
    QTRY_VERIFY(m_fake->window().live().sweep()->report());
    QTRY_VERIFY(!m_fake->window().trace().opener().job().isRunning());
}

void TestSweepPictures::check(QWidget &widget, const QString &name)
{
    if (QWidget *focus = QApplication::focusWidget())
        focus->clearFocus();
    for (int i = 0; i < 3; ++i) // Layouts and repaints queue further events.
        QApplication::processEvents();
    const QString difference = differenceFromReference(widget.grab().toImage(), name);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestSweepPictures::sweep_data()
{
    QTest::addColumn<bool>("light");
    QTest::addColumn<QSize>("size");
    QTest::newRow("sweep-dark") << false << QSize(1600, 1000);
    QTest::newRow("sweep-light") << true << QSize(1600, 1000);
    QTest::newRow("sweep-1024x600") << false << QSize(1024, 600);
}

void TestSweepPictures::sweep()
{
    QFETCH(bool, light);
    QFETCH(QSize, size);
    if (light)
        m_fake->window().actions().lightTheme->trigger();
    m_fake->window().resize(size);
    SampleSweep sweep;
    sweep.sizes = {{640, 480}, {1280, 720}};
    sweep.variesOutput = sweep.variesWait = true;
    sweep.failures = {14};
    sweep.hazards = {8, 12};
    show(sweep);
    check(m_fake->window(), QString::fromLatin1(QTest::currentDataTag()));
}

void TestSweepPictures::measuring()
{
    SampleSweep sweep;
    sweep.rounds = 1;
    sweep.complete = false;
    show(sweep);
    SweepPage &page = *m_fake->window().live().sweep();
    page.setMeasuring(page.path());
    page.setProgress(0.3, QStringLiteral("Round 2 of 5 · 36 measurements to go · about 0:21 left"));
    check(page, QStringLiteral("sweep-measuring"));
}

void TestSweepPictures::dialog_data()
{
    QTest::addColumn<bool>("light");
    QTest::newRow("sweep-dialog-dark") << false;
    QTest::newRow("sweep-dialog-light") << true;
}

void TestSweepPictures::dialog()
{
    QFETCH(bool, light);
    applyTheme(*qApp, light ? lightTheme() : darkTheme());
    SweepDialog dialog({{"synthetic:?size=1280x720", "soft:orin"},
                        orinFacts(),
                        nearestLegal({}, orinFacts()),
                        4.0,
                        QStringLiteral("/tmp/sweep-of-the-pictures.jscope")},
                       {});
    dialog.resize(560, 520);
    dialog.show();
    check(dialog, QString::fromLatin1(QTest::currentDataTag()));
}

void TestSweepPictures::tune_data()
{
    QTest::addColumn<bool>("light");
    QTest::newRow("tune-dark") << false;
    QTest::newRow("tune-light") << true;
}

void TestSweepPictures::tune()
{
    QFETCH(bool, light);
    applyTheme(*qApp, light ? lightTheme() : darkTheme());
    TuneDialog dialog;
    dialog.resize(680, 360);
    dialog.begin({});
    const char *const lines[] = {
        R"-({"event":"step","what":"memory","tries":[)-"
        R"-({"change":"memory: pinned → zero-copy","outcome":"12.0 % shorter period (-12.9 to -11.1 %)",)-"
        R"-("won":true,"shown":true},)-"
        R"-({"change":"memory: pinned → pageable","outcome":"set aside after 2 turns","won":false}]})-",
        R"-({"event":"step","what":"sync","tries":[)-"
        R"-({"change":"sync: eglsync → event","outcome":"no difference beyond the noise (-0.4 to +0.3 %)",)-"
        R"-("won":false}]})-",
        R"-({"event":"step","what":"final","tries":[)-"
        R"-({"change":"sync: eglsync → stream","outcome":"no result after 2 turns","won":true,"shown":false}]})-",
        R"-({"event":"step","what":"check","tries":[)-"
        R"-({"change":"memory: pinned → zero-copy","outcome":"11.8 % shorter period (-12.4 to -11.2 %)",)-"
        R"-("won":true,"shown":true}]})-",
        R"-({"best":{"memory":"zero-copy"},"result":"memory: pinned → zero-copy: 11.8 % shorter period )-"
        R"-((-12.4 to -11.2 %), checked by turns",)-"
        R"-("measured":9,"combinations":84,"reason":"Nothing that was not tried is expected to be better."})-"};
    for (const char *line : lines)
        dialog.take(QJsonDocument::fromJson(line).object());
    dialog.end({});
    dialog.show();
    check(dialog, QString::fromLatin1(QTest::currentDataTag()));
}

JETSCOPE_TEST(TestSweepPictures)
#include "tst_sweeppictures.moc"
