// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages in the window: added from files, with a control for each option, and never loaded unasked. The child process
// of a trial is this program.
#include "core/filters.h"
#include "gpu/stages/kernelstage.h"
#include "gpu/stages/stage.h"
#include "gpu/stages/stagetrial.h"
#include "tests/support/fakewindow.h"
#include "ui/controls/controlspanel.h"
#include "ui/controls/filtereditor.h"
#include "ui/window/messagebar.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <fstream>

using namespace jetscope;

namespace {

std::string goodStage(const std::string &options = {})
{
    return std::string("stage:") + JETSCOPE_TEST_STAGES + "/libjetscope_stage_good.so" + options;
}

} // namespace

class TestWindowStages : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void nothingIsLoadedUnasked();
    void aStageIsAddedAndItsOptionChanged();
    void aRefusedStageIsSaid();
    void compileErrorsAreSaid();
    void anOpenedNameIsNotLoaded();

private:
    void start(Settings::Use use = Settings::Use::Ignore, const DeviceFacts &facts = orinFacts());
    void add(const char *scheme, const QString &path);
    std::string wantedFilters() { return filterNames(m_fake->window().session().wanted().filters); }
    QListWidget *list() { return m_fake->window().findChild<QListWidget *>(QStringLiteral("filterList")); }
    QDoubleSpinBox *mask() { return m_fake->window().findChild<QDoubleSpinBox *>(QStringLiteral("option-mask")); }
    QString message() { return m_fake->window().messages()->text(); }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestWindowStages::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
}

void TestWindowStages::cleanup()
{
    m_fake.reset();
}

void TestWindowStages::start(Settings::Use use, const DeviceFacts &facts)
{
    m_fake = std::make_unique<FakeWindow>(Settings(use).request(), use);
    m_fake->window().resize(1500, 950);
    m_fake->window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&m_fake->window()));
    QVERIFY(m_fake->open());
    m_fake->pipeline().state.facts = facts;
    m_fake->poll();
    m_fake->window().controls()->setFacts(facts);
}

/// Through the menu, and the chooser of files.
void TestWindowStages::add(const char *scheme, const QString &path)
{
    m_fake->chosenPath = path;
    auto *button = m_fake->window().findChild<QToolButton *>(QStringLiteral("addFilter"));
    for (QAction *action : button->menu()->actions())
        if (action->objectName() == QLatin1String(scheme))
            return action->trigger();
    QFAIL("there is no such entry");
}

/// First, before another test loads the stage.
void TestWindowStages::nothingIsLoadedUnasked()
{
    const std::string chain = "gaussian5," + goodStage("?mask=7") + ",sobel";
    {
        Settings settings(Settings::Use::Normal);
        settings.saveRequest("synthetic:", "soft:orin", PipelineConfig(), orinFacts());
        settings.save("stages/chain", QString::fromStdString(chain));
        settings.save("choices/filters", QString::fromStdString(chain)); // As a foreign hand may write it.
    }
    start(Settings::Use::Normal);
    QVERIFY2(message().contains("is not loaded unasked"), qPrintable(message()));
    QVERIFY(!choiceByName<Filter>(goodStage("?mask=7")));
    QCOMPARE(wantedFilters(), std::string("gaussian5,sobel"));
    m_fake->window().close(); // Closed unanswered, it asks again.
    m_fake.reset();
    QCOMPARE(Settings(Settings::Use::Normal).text("stages/chain").toStdString(), chain);
    start(Settings::Use::Normal);
    QVERIFY(!choiceByName<Filter>(goodStage("?mask=7")));

    QTest::mouseClick(m_fake->window().messages()->findChild<QPushButton *>(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), chain, 60'000);
    QVERIFY(stageOf(*choiceByName<Filter>(goodStage("?mask=7"))));
    m_fake->pipeline().accept();
    m_fake->poll();
    m_fake->window().close();
    QCOMPARE(Settings(Settings::Use::Normal).text("stages/chain").toStdString(), chain);
    QCOMPARE(Settings(Settings::Use::Normal).text("choices/filters"), QStringLiteral("gaussian5,sobel"));
}

void TestWindowStages::aStageIsAddedAndItsOptionChanged()
{
    start();
    QVERIFY(!mask());
    add("stage", QString::fromStdString(goodStage().substr(6)));
    QVERIFY(list()->item(2)->text().contains("is being tried"));
    QCOMPARE(wantedFilters(), std::string("gaussian5,sobel")); // Until it was tried.
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), "gaussian5,sobel," + goodStage(), 60'000);
    QCOMPARE(list()->item(2)->text(), QStringLiteral("test stage"));
    QVERIFY(mask() && mask()->isVisible());
    QCOMPARE(mask()->text(), QStringLiteral("85"));
    QCOMPARE(mask()->accessibleName(), QStringLiteral("mask of test stage"));
    QCOMPARE(mask()->toolTip(), QStringLiteral("What is turned around. From 0 to 255, usually 85."));
    QCOMPARE(mask()->accessibleDescription(), mask()->toolTip());

    // By key; the value between may be left out, and the focus stays.
    mask()->setFocus();
    QTest::keyClick(mask(), Qt::Key_Up);
    QTest::keyClick(mask(), Qt::Key_Up);
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), "gaussian5,sobel," + goodStage("?mask=87"), 60'000);
    QCOMPARE(mask()->text(), QStringLiteral("87"));
    QCOMPARE(mask()->parentWidget()->focusWidget(), mask());
    m_fake->pipeline().accept();
    m_fake->poll();
    QCOMPARE(mask()->text(), QStringLiteral("87"));

    // Another row has no options; the stage keeps its value.
    list()->setCurrentRow(0);
    QVERIFY(!mask() || !mask()->isVisible());
    list()->setCurrentRow(2);
    QCOMPARE(mask()->text(), QStringLiteral("87"));
}

void TestWindowStages::aRefusedStageIsSaid()
{
    start();
    add("stage", QStringLiteral(JETSCOPE_TEST_STAGES "/libjetscope_stage_fails.so"));
    QTRY_VERIFY_WITH_TIMEOUT(message().contains("the lamp is broken"), 60'000);
    QCOMPARE(list()->count(), 2);
    QCOMPARE(wantedFilters(), std::string("gaussian5,sobel"));
    add("cu", QStringLiteral(JETSCOPE_KERNEL_EXAMPLES "/vignette.cu"));
    QTRY_VERIFY_WITH_TIMEOUT(message().contains("which the software iGPU does not run"), 60'000);
    QCOMPARE(list()->count(), 2);
    add("stage", QString()); // The chooser was left.
    QCOMPARE(list()->count(), 2);
}

void TestWindowStages::compileErrorsAreSaid()
{
    if (const Result<NvrtcFile> nvrtc = findNvrtc(); !nvrtc.ok())
        QSKIP(nvrtc.error().text.c_str());
    DeviceFacts facts = orinFacts();
    facts.software = false;
    facts.id = "cuda:0";
    start(Settings::Use::Ignore, facts);
    const QString path = m_home->filePath("broken.cu");
    std::ofstream(path.toStdString()) << "\n\n__global__ void jetscope_filter(nonsense) {}\n";
    kernelTools().cache = KernelCache("");
    add("cu", path);
    QTRY_VERIFY_WITH_TIMEOUT(message().contains(path + "(3): error: "), 60'000);
    QCOMPARE(list()->count(), 2);
}

/// A capture that names a stage makes a row without code, which cannot be chosen.
void TestWindowStages::anOpenedNameIsNotLoaded()
{
    const std::string name = goodStage("?mask=9");
    addStagesOfFile(name);
    start();
    auto *button = m_fake->window().findChild<QToolButton *>(QStringLiteral("addFilter"));
    const auto filter = choiceByName<Filter>(name);
    QVERIFY(filter && !stageOf(*filter));
    for (const QAction *action : button->menu()->actions())
        if (action->data().isValid() && action->data().toInt() == static_cast<int>(*filter))
            QVERIFY(!action->isEnabled());
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    QApplication::setAttribute(Qt::AA_Use96Dpi);
    const QApplication application(argc, argv);
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
    TestWindowStages test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_windowstages.moc"
