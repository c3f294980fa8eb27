// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages in the window: added from files, with a control for each option, and never loaded unasked. The child process
// of a trial is this program.
#include "core/settings/filters.h"
#include "gpu/stages/dla/dlastage.h"
#include "gpu/stages/kernelstage.h"
#include "gpu/stages/nviva/nvivaprocess.h"
#include "gpu/stages/stage.h"
#include "gpu/stages/stagetrial.h"
#include "gpu/stages/vpi/vpistage.h"
#include "tests/support/fakewindow.h"
#include "ui/live/controlspanel.h"
#include "ui/live/filtereditor.h"
#include "ui/style/messagebar.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QStandardItemModel>
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
    void optionsThatAreWordsAreLists();
    void withoutVpiItsAlgorithmsAreNotOffered();
    void whatTheDeviceRefusesIsNotOffered();
    void buffersOfVpiAreAList();
    void buffersThatCrashAreNotRead();
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
    m_fake->window().live().controls()->setFacts(facts);
}

/// Through the menu, and the chooser of files.
void TestWindowStages::add(const char *scheme, const QString &path)
{
    m_fake->chosenPath = path;
    auto *button = m_fake->window().findChild<QToolButton *>(QStringLiteral("addFilter"));
    for (QAction *action : button->menu()->actions())
        if (action->objectName() == QLatin1String(scheme)) {
            QTRY_VERIFY2(action->isEnabled(), qPrintable(action->toolTip()));
            return action->trigger();
        }
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

void TestWindowStages::optionsThatAreWordsAreLists()
{
    vpiTools().library = JETSCOPE_FAKE_VPI "/libjetscope_fakevpi_3.so";
    vpiTools().major = 3;
    start();
    add("vpi:gaussian", {});
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), std::string("gaussian5,sobel,vpi:gaussian"), 60'000);
    const auto words = [&](const char *name) { return m_fake->window().findChild<QComboBox *>(QLatin1String(name)); };
    QComboBox *const backend = words("option-backend");
    QVERIFY(backend && backend->isVisible());
    QCOMPARE(backend->accessibleName(), QStringLiteral("backend of VPI gaussian on CPU"));
    QCOMPARE(backend->toolTip(), QStringLiteral("What executes the algorithm. Usually cpu."));
    const auto *items = qobject_cast<QStandardItemModel *>(words("option-wait")->model());
    QVERIFY(!items->item(1)->isEnabled());
    QVERIFY2(items->item(1)->toolTip().contains("needs stream=wrapped"), qPrintable(items->item(1)->toolTip()));

    backend->setFocus();
    QTest::keyClick(backend, Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), std::string("gaussian5,sobel,vpi:gaussian?backend=pva"), 60'000);
    QCOMPARE(backend->currentText(), QStringLiteral("pva"));
    QCOMPARE(backend->parentWidget()->focusWidget(), backend);
    // What the device cannot have is said, and the list shows again what is in force.
    QTest::keyClick(words("option-stream"), Qt::Key_End);
    QTRY_VERIFY_WITH_TIMEOUT(message().contains("the software iGPU has none: take stream=own"), 60'000);
    QCOMPARE(words("option-stream")->currentText(), QStringLiteral("own"));
}

void TestWindowStages::withoutVpiItsAlgorithmsAreNotOffered()
{
    vpiTools().library = JETSCOPE_FAKE_VPI "/libjetscope_of_nobody.so";
    start();
    const QMenu *menu = m_fake->window().findChild<QToolButton *>(QStringLiteral("addFilter"))->menu();
    QVERIFY(menu->toolTipsVisible());
    QList<QAction *> algorithms;
    for (QAction *action : menu->actions())
        if (action->objectName().startsWith(QStringLiteral("vpi:")))
            algorithms.append(action);
    QCOMPARE(algorithms.size(), 4);
    for (const QAction *action : algorithms) {
        QTRY_VERIFY2(!action->isEnabled(), qPrintable(action->text()));
        QVERIFY2(action->toolTip().contains("libjetscope_of_nobody.so"), qPrintable(action->toolTip()));
    }
    vpiTools().library = JETSCOPE_FAKE_VPI "/libjetscope_fakevpi_3.so"; // It was installed meanwhile.
    m_fake->window().live().controls()->setFacts(orinFacts());
    for (const QAction *action : algorithms)
        QTRY_VERIFY2(action->isEnabled(), qPrintable(action->text()));
    vpiTools() = {};
}

void TestWindowStages::whatTheDeviceRefusesIsNotOffered()
{
    start();
    const auto *menu = m_fake->window().findChild<QToolButton *>(QStringLiteral("addFilter"))->menu();
    const auto action = [menu](const char *scheme) { return menu->findChild<QAction *>(QLatin1String(scheme)); };
    for (const char *scheme : {"cu", "nviva", "dla"}) {
        QVERIFY2(action(scheme), scheme);
        QTRY_VERIFY2(!action(scheme)->isEnabled(), scheme);
        QVERIFY2(action(scheme)->toolTip().contains("Take a CUDA device"), qPrintable(action(scheme)->toolTip()));
    }
    QVERIFY(action("stage")->isEnabled());
    DeviceFacts facts = orinFacts();
    facts.software = false;
    m_fake->window().live().controls()->setFacts(facts);
    QTRY_VERIFY(action("nviva")->isEnabled());
    QVERIFY(!action("nviva")->toolTip().contains("Take a CUDA device"));
    QTRY_COMPARE(action("cu")->isEnabled(), hasKernelCompiler().available);
    QTRY_COMPARE(action("dla")->isEnabled(), canPackForDla().available);
}

/// Which of a camera's buffers VIC reads is an option like others; its word for EGLImages goes with VIC only.
void TestWindowStages::buffersOfVpiAreAList()
{
    vpiTools().library = JETSCOPE_FAKE_VPI "/libjetscope_fakevpi_3.so";
    vpiTools().major = 3;
    start();
    add("vpi:rescale", {});
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), std::string("gaussian5,sobel,vpi:rescale"), 60'000);
    const auto words = [&](const char *name) { return m_fake->window().findChild<QComboBox *>(QLatin1String(name)); };
    const auto item = [&](int row) {
        return qobject_cast<QStandardItemModel *>(words("option-buffer")->model())->item(row);
    };
    QVERIFY(words("option-buffer") && words("option-buffer")->isVisible());
    QCOMPARE(words("option-buffer")->count(), 3);
    QCOMPARE(words("option-buffer")->currentText(), QStringLiteral("nvbuf"));
    QVERIFY(!item(1)->isEnabled() && item(2)->isEnabled());
    QVERIFY2(item(1)->toolTip().contains("needs backend=vic and wait=yes"), qPrintable(item(1)->toolTip()));

    words("option-backend")->setFocus();
    QTest::keyClick(words("option-backend"), Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), std::string("gaussian5,sobel,vpi:rescale?backend=vic"), 60'000);
    QVERIFY(item(1)->isEnabled());
    words("option-buffer")->setFocus();
    QTest::keyClick(words("option-buffer"), Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), std::string("gaussian5,sobel,vpi:rescale?backend=vic&buffer=memory"),
                              60'000);
    QCOMPARE(words("option-buffer")->currentText(), QStringLiteral("memory"));
}

/// Where VPI crashes with a Jetson's buffer in its trial, the list shows what is in force and why.
void TestWindowStages::buffersThatCrashAreNotRead()
{
    vpiTools().library = JETSCOPE_FAKE_VPI "/libjetscope_fakevpi_3_crashes_on_buffers.so";
    vpiTools().major = 3;
    nvivaTools().surfaces = JETSCOPE_PITCHED_SURFACES;
    start();
    add("vpi:convert", {});
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), std::string("gaussian5,sobel,vpi:convert"), 60'000);
    auto *const backend = m_fake->window().findChild<QComboBox *>(QStringLiteral("option-backend"));
    backend->setFocus();
    QTest::keyClick(backend, Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(wantedFilters(), std::string("gaussian5,sobel,vpi:convert?backend=vic"), 60'000);
    nvivaTools() = {};
    auto *const buffer = m_fake->window().findChild<QComboBox *>(QStringLiteral("option-buffer"));
    QVERIFY(buffer && buffer->isVisible());
    QCOMPARE(buffer->currentText(), QStringLiteral("memory"));
    const QStandardItem *const refused = qobject_cast<QStandardItemModel *>(buffer->model())->item(0);
    QVERIFY(!refused->isEnabled());
    QVERIFY2(refused->toolTip().contains("in its trial it crashed"), qPrintable(refused->toolTip()));
}

void TestWindowStages::aRefusedStageIsSaid()
{
    start();
    add("stage", QStringLiteral(JETSCOPE_TEST_STAGES "/libjetscope_stage_fails.so"));
    QTRY_VERIFY_WITH_TIMEOUT(message().contains("the lamp is broken"), 60'000);
    QCOMPARE(list()->count(), 2);
    QCOMPARE(wantedFilters(), std::string("gaussian5,sobel"));
    auto *const filters = m_fake->window().live().controls()->filters();
    filters->addStage("cu:" JETSCOPE_KERNEL_EXAMPLES "/vignette.cu");
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
