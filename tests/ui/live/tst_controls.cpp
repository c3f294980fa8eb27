// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/memorytable.h"
#include "core/settings/filters.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "tests/support/fakepipeline.h"
#include "tests/support/testprogram.h"
#include "ui/live/controlspanel.h"
#include "ui/live/filtereditor.h"
#include "ui/live/memorycards.h"
#include "ui/measure/baselinetable.h"
#include "ui/measure/pinnedcomparison.h"
#include "ui/style/foldinggroup.h"

#include <QAbstractButton>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace jetscope;

class TestControls : public QObject {
    Q_OBJECT
private slots:
    void init();
    void clickingACardAnnouncesTheMemoryKind();
    void everyChoiceCanBeMade_data();
    void everyChoiceCanBeMade();
    void unavailableIsDisabledAndSaysWhy();
    void unsafeIsMarkedByMoreThanColour();
    void arrowsMoveTheChoice();
    void showingAConfigurationAnnouncesNothing();
    void badgesAreTheDevices();
    void everyControlHasANameAndAHelp();
    void filtersAreAddedMovedSwitchedAndRemoved();
    void deleteRemovesAFilter();
    void filtersThatTheDeviceLacksCannotBeAdded();
    void theWholeChainIsShown();
    void aFullChainTakesNoMore();
    void waitPolicyInForceIsShown();
    void baselineIsPinned();
    void filtersComeFirst();
    void kindsThatTheDeviceLacksAreBehindALine();
    void groupsFoldToALineWithTheirValue();
    void withAltAllGroupsFold();
    void foldedGroupsAreRememberedByName();

private:
    QAbstractButton *button(const char *name) const
    {
        return m_panel->findChild<QAbstractButton *>(QLatin1String(name));
    }
    static QAction *entry(const QToolButton &menu, const char *text)
    {
        for (QAction *action : menu.menu()->actions())
            if (action->text() == QLatin1String(text))
                return action;
        return nullptr;
    }
    FoldingGroup *group(const char *name) const { return m_panel->findChild<FoldingGroup *>(QLatin1String(name)); }
    PipelineConfig lastWanted() const { return m_wanted->back().front().value<PipelineConfig>(); }

    std::unique_ptr<ControlsPanel> m_panel;
    std::unique_ptr<QSignalSpy> m_wanted;
};

void TestControls::init()
{
    m_panel = std::make_unique<ControlsPanel>();
    m_panel->setFacts(orinFacts());
    m_panel->setConfig({});
    m_panel->setFolded({});
    m_panel->resize(340, 1400);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    m_wanted = std::make_unique<QSignalSpy>(m_panel.get(), &ControlsPanel::wanted);
}

void TestControls::clickingACardAnnouncesTheMemoryKind()
{
    QTest::mouseClick(button("zero-copy"), Qt::LeftButton);
    QCOMPARE(m_wanted->count(), 1);
    QVERIFY(lastWanted().memory == MemoryKind::ZeroCopy);
    QTest::mouseClick(button("zero-copy"), Qt::LeftButton); // Already chosen.
    QCOMPARE(m_wanted->count(), 1);
    QTest::mouseClick(button("finish"), Qt::LeftButton);
    QVERIFY(lastWanted().sync == SyncMode::Finish);
    QVERIFY(lastWanted().memory == MemoryKind::ZeroCopy); // Includes the previous choice.
}

void TestControls::everyChoiceCanBeMade_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("setting");
    for (const char *setting :
         {"memory=unified", "memory=registered", "output=copy-back", "sync=stream", "sync=callback", "sync=none",
          "wait=spin", "wait=block", "cpu-stage=pipelined", "cpu-work=histogram"}) {
        const QByteArray text(setting);
        QTest::newRow(setting) << text.mid(text.indexOf('=') + 1) << text;
    }
}

void TestControls::everyChoiceCanBeMade()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, setting);
    if (setting.startsWith("cpu-") && !cpuStageCapability().available)
        QSKIP("this build has no CPU stage");
    PipelineConfig expected;
    const QList<QByteArray> parts = setting.split('=');
    QVERIFY(applySetting(expected, parts[0].toStdString(), parts[1].toStdString()).ok());
    QVERIFY(button(name.constData())->isEnabled());
    QTest::mouseClick(button(name.constData()), Qt::LeftButton);
    QCOMPARE(m_wanted->count(), 1);
    QVERIFY(lastWanted() == expected);
}

void TestControls::unavailableIsDisabledAndSaysWhy()
{
    for (const char *name : {"gl-interop", "eglstream", "nvbuf", "implicit"}) {
        const QAbstractButton *choice = button(name);
        QVERIFY2(!choice->isEnabled(), name);
        QVERIFY2(choice->toolTip().contains(QStringLiteral("Not available: ")), name);
        QVERIFY2(choice->accessibleDescription().contains(QStringLiteral("Not available: ")), name);
        QTest::mouseClick(button(name), Qt::LeftButton);
    }
    QVERIFY(button("nvbuf")->toolTip().contains(QStringLiteral("NvBufSurface")));
    QCOMPARE(m_wanted->count(), 0);

    DeviceFacts facts = orinFacts();
    facts.glInterop = Capability::yes();
    m_panel->setFacts(facts);
    QVERIFY(button("gl-interop")->isEnabled());
}

void TestControls::unsafeIsMarkedByMoreThanColour()
{
    const QAbstractButton *none = button("none");
    QVERIFY(none->isEnabled());
    QVERIFY(none->text().contains(QStringLiteral("unsafe")));
    QVERIFY(!none->icon().isNull());
    QVERIFY(none->toolTip().contains(QStringLiteral("Unsafe: ")));
    QVERIFY(!button("event")->text().contains(QStringLiteral("unsafe")));
    QVERIFY(button("event")->icon().isNull());

    if (!cpuStageCapability().available)
        QSKIP("this build has no CPU stage");
    // Unified memory: reading on the CPU during kernels is unsafe if the device forbids it.
    PipelineConfig config;
    config.memory = MemoryKind::Unified;
    m_panel->setConfig(config);
    QVERIFY(button("same-input")->text().contains(QStringLiteral("unsafe")));
    DeviceFacts facts = orinFacts();
    facts.concurrentManagedAccess = true;
    m_panel->setFacts(facts);
    QVERIFY(!button("same-input")->text().contains(QStringLiteral("unsafe")));
}

void TestControls::arrowsMoveTheChoice()
{
    button("pinned")->setFocus();
    QVERIFY(button("pinned")->isChecked());
    QTest::keyClick(button("pinned"), Qt::Key_Down);
    QVERIFY(button("zero-copy")->isChecked());
    QCOMPARE(m_wanted->count(), 1);
    QVERIFY(lastWanted().memory == MemoryKind::ZeroCopy);
    QTest::keyClick(button("zero-copy"), Qt::Key_Up);
    QVERIFY(lastWanted().memory == MemoryKind::Pinned);
}

void TestControls::showingAConfigurationAnnouncesNothing()
{
    PipelineConfig config;
    config.memory = MemoryKind::Registered;
    config.sync = SyncMode::None;
    config.wait = WaitPolicy::Yield;
    config.cpuStage = CpuStagePlacement::Serial;
    config.filters = {Filter::Sharpen, Filter::Sharpen};
    config.framesInFlight = 4;
    config.streams = 2;
    m_panel->setConfig(config);
    QCOMPARE(m_wanted->count(), 0);
    QVERIFY(button("registered")->isChecked());
    QVERIFY(button("none")->isChecked());
    QVERIFY(button("serial")->isChecked());
    QCOMPARE(m_panel->findChild<QSpinBox *>(QStringLiteral("frames-in-flight"))->value(), 4);
    QCOMPARE(m_panel->findChild<QListWidget *>(QStringLiteral("filterList"))->count(), 2);
}

void TestControls::badgesAreTheDevices()
{
    const DeviceFacts orin = orinFacts();
    QVERIFY(!documentedCaching(MemoryKind::ZeroCopy, orin).gpu);
    QVERIFY(documentedCaching(MemoryKind::ZeroCopy, orin).cpu);
    QVERIFY(documentedCaching(MemoryKind::Unified, orin).gpu);
    DeviceFacts nano = orin;
    nano.computeMajor = 5;
    nano.computeMinor = 3;
    QVERIFY(!documentedCaching(MemoryKind::Pinned, nano).cpu);
    DeviceFacts thor = orin;
    thor.concurrentManagedAccess = true;
    thor.pageableMemoryAccess = true;
    QVERIFY(documentedCaching(MemoryKind::Registered, thor).gpu);
    QVERIFY(!documentedCaching(MemoryKind::ZeroCopy, thor).gpu);
    QVERIFY(!documentedCaching(MemoryKind::Unified, thor).gpu);

    QVERIFY(button("zero-copy")->accessibleDescription().startsWith(QStringLiteral("CPU cached, GPU uncached")));
    m_panel->setFacts(nano);
    QVERIFY(button("pinned")->accessibleDescription().startsWith(QStringLiteral("CPU uncached")));
    QStringList texts;
    for (const QLabel *badge : button("pinned")->findChildren<QLabel *>())
        texts.append(badge->text());
    QCOMPARE(texts, QStringList({QStringLiteral("CPU uncached"), QStringLiteral("GPU cached")}));
}

void TestControls::everyControlHasANameAndAHelp()
{
    int controls = 0;
    for (const QWidget *widget : m_panel->findChildren<QWidget *>()) {
        const bool control = qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QSpinBox *>(widget)
            || qobject_cast<const QListWidget *>(widget);
        if (!control || widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        ++controls;
        const auto *asButton = qobject_cast<const QAbstractButton *>(widget);
        const QString name =
            widget->accessibleName().isEmpty() && asButton ? asButton->text() : widget->accessibleName();
        QVERIFY2(!name.isEmpty(), qPrintable(widget->objectName()));
        QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(name));
        QVERIFY2(!widget->isEnabled() || widget->focusPolicy() != Qt::NoFocus, qPrintable(name));
    }
    QVERIFY(controls > 35);
}

void TestControls::filtersAreAddedMovedSwitchedAndRemoved()
{
    auto *list = m_panel->findChild<QListWidget *>(QStringLiteral("filterList"));
    auto *add = m_panel->findChild<QToolButton *>(QStringLiteral("addFilter"));
    const auto tool = [this](const QString &name) {
        for (QAbstractButton *each : m_panel->findChildren<QAbstractButton *>())
            if (each->accessibleName() == name)
                return each;
        return static_cast<QAbstractButton *>(nullptr);
    };
    QCOMPARE(list->count(), 2); // gaussian5, sobel

    QCOMPARE(add->popupMode(), QToolButton::InstantPopup);
    entry(*add, "invert")->trigger();
    QCOMPARE(m_wanted->count(), 1);
    QVERIFY(lastWanted().filters == std::vector<Filter>({Filter::Gaussian5, Filter::Sobel, Filter::Invert}));

    list->setCurrentRow(2);
    QTest::mouseClick(tool(QStringLiteral("Move up")), Qt::LeftButton);
    QVERIFY(lastWanted().filters == std::vector<Filter>({Filter::Gaussian5, Filter::Invert, Filter::Sobel}));
    QTest::keyClick(list, Qt::Key_Space); // Unchecks the current filter.
    QVERIFY(lastWanted().filters == std::vector<Filter>({Filter::Gaussian5, Filter::Sobel}));
    QCOMPARE(list->count(), 3);
    m_panel->setConfig(lastWanted()); // The answer of the pipeline keeps the unchecked filter.
    QCOMPARE(list->count(), 3);
    QTest::keyClick(list, Qt::Key_Space);
    QTest::mouseClick(tool(QStringLiteral("Remove")), Qt::LeftButton);
    QVERIFY(lastWanted().filters == std::vector<Filter>({Filter::Gaussian5, Filter::Sobel}));
    QCOMPARE(list->count(), 2);
    list->setCurrentRow(0);
    QVERIFY(!tool(QStringLiteral("Move up"))->isEnabled());
    for (int i = 0; i < 2; ++i)
        QTest::mouseClick(tool(QStringLiteral("Remove")), Qt::LeftButton);
    QVERIFY(lastWanted().filters.empty());
    QVERIFY(!tool(QStringLiteral("Remove"))->isEnabled());
}

void TestControls::filtersThatTheDeviceLacksCannotBeAdded()
{
    FilterRow row{{}, "cuda-only", "CUDA only", "Needs what only CUDA has."};
    row.onCpu = Capability::no("It has no loop for the CPU.");
    QVERIFY(addFilter(row).ok());
    ControlsPanel panel;
    QAction *added = entry(*panel.findChild<QToolButton *>(QStringLiteral("addFilter")), "CUDA only");
    QVERIFY(added);
    DeviceFacts facts;
    panel.setFacts(facts);
    QVERIFY(added->isEnabled());
    facts.software = true;
    panel.setFacts(facts);
    QVERIFY(!added->isEnabled());
    QCOMPARE(added->toolTip(), QStringLiteral("Not available: It has no loop for the CPU."));
}

void TestControls::deleteRemovesAFilter()
{
    auto *list = m_panel->findChild<QListWidget *>(QStringLiteral("filterList"));
    list->setFocus();
    list->setCurrentRow(-1);
    QTest::keyClick(list, Qt::Key_Delete); // No filter is selected.
    QCOMPARE(m_wanted->count(), 0);
    list->setCurrentRow(0);
    QTest::keyClick(list, Qt::Key_Delete);
    QVERIFY(lastWanted().filters == std::vector<Filter>({Filter::Sobel}));
    QTest::keyClick(list, Qt::Key_Delete); // The next filter is current now.
    QVERIFY(lastWanted().filters.empty());
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(m_wanted->count(), 2);
}

void TestControls::theWholeChainIsShown()
{
    auto *list = m_panel->findChild<QListWidget *>(QStringLiteral("filterList"));
    PipelineConfig config;
    config.filters.assign(8, Filter::Sharpen);
    m_panel->setConfig(config);
    QApplication::processEvents();
    QCOMPARE(list->verticalScrollBar()->maximum(), 0);
    QVERIFY(list->viewport()->rect().contains(list->visualItemRect(list->item(7))));
    const int high = list->height();
    config.filters.resize(1);
    m_panel->setConfig(config);
    QApplication::processEvents();
    QVERIFY(list->height() < high / 2);
    config.filters.assign(64, Filter::Sharpen); // Too long for the panel: the list scrolls.
    m_panel->setConfig(config);
    QApplication::processEvents();
    QVERIFY(list->verticalScrollBar()->maximum() > 0);
}

/// The entries of a disabled button can be triggered, and a pipeline at the other end of a wire takes no more.
void TestControls::aFullChainTakesNoMore()
{
    auto *list = m_panel->findChild<QListWidget *>(QStringLiteral("filterList"));
    auto *add = m_panel->findChild<QToolButton *>(QStringLiteral("addFilter"));
    QVERIFY(add);
    PipelineConfig config;
    config.filters.assign(kMaxFilters - 1, Filter::Sharpen);
    m_panel->setConfig(config);
    for (int i = 0; i < 3; ++i)
        entry(*add, "invert")->trigger();
    QCOMPARE(list->count(), kMaxFilters);
    QCOMPARE(lastWanted().filters.size(), std::size_t{kMaxFilters});
    QVERIFY(!add->isEnabled());
}

void TestControls::waitPolicyInForceIsShown()
{
    m_panel->setWaitInForce(WaitPolicy::Block);
    bool shown = false;
    for (const QLabel *label : m_panel->findChildren<QLabel *>())
        shown |= label->text() == QStringLiteral("In force: Block");
    QVERIFY(shown);
}

void TestControls::baselineIsPinned()
{
    BaselineTable *table = m_panel->baseline();
    auto *pin = table->findChild<QPushButton *>(QStringLiteral("pinBaseline"));
    QVERIFY(!pin->isEnabled()); // There are no figures yet.
    table->setCanPin(QString());
    int wanted = 0;
    connect(table, &BaselineTable::pinWanted, table, [&wanted] { ++wanted; });
    QTest::mouseClick(pin, Qt::LeftButton);
    QCOMPARE(wanted, 1);

    PinnedPresent pinned;
    pinned.config.sync = SyncMode::Finish;
    PresentFigures now;
    now.config.sync = SyncMode::EglSync;
    now.figures.frames = 100;
    now.figures.frameMs.p50 = 9.8;
    table->setNow(now);
    CaptureComparison comparison;
    for (const Figure figure : captureFigures())
        comparison.metrics.push_back({figure, {}});
    ComparedFigure &frame = comparison.of(Figure::FrameP50);
    frame.a = 14.1;
    frame.b = 9.8;
    frame.verdict = RowVerdict::Better;
    table->setComparison(pinned, comparison);
    const auto texts = [table] {
        QStringList all;
        for (const QLabel *label : table->findChildren<QLabel *>())
            all.append(label->text());
        return all;
    };
    for (const char *expected : {"A Finish", "now EGLSync", "14.1 ms", "9.8 ms", "−30 % ✓"})
        QVERIFY2(texts().contains(QString::fromUtf8(expected)), expected);
    table->setComparison(std::nullopt, std::nullopt);
    QVERIFY(!texts().contains(QStringLiteral("14.1 ms")));
    QVERIFY(texts().contains(QStringLiteral("9.8 ms"))); // The present figures remain.
}

/// In a low window they are in view without scrolling.
void TestControls::filtersComeFirst()
{
    m_panel->resize(m_panel->minimumSizeHint().width(), 300);
    const auto *list = m_panel->findChild<QListWidget *>(QStringLiteral("filterList"));
    QTRY_VERIFY(m_panel->viewport()->height() <= 300);
    QTRY_COMPARE(list->visibleRegion().boundingRect().size(), list->size());
    QVERIFY(group("filters")->y() < group("memory")->y());
}

void TestControls::kindsThatTheDeviceLacksAreBehindALine()
{
    QAbstractButton *line = button("otherMemory");
    QVERIFY(button("pool")->isVisible() && line->isVisible());
    const QStringList lacking{"system", "unified-prefetch", "dmabuf"};
    const auto shown = [&] {
        return std::count_if(lacking.begin(), lacking.end(),
                             [this](const QString &kind) { return button(kind.toLatin1())->isVisible(); });
    };
    QCOMPARE(shown(), 0);
    QTest::mouseClick(line, Qt::LeftButton);
    QCOMPARE(shown(), lacking.size());
    QVERIFY(!button("system")->isEnabled() && button("system")->toolTip().contains("pageableMemoryAccess"));
    QTest::mouseClick(line, Qt::LeftButton);
    QCOMPARE(shown(), 0);
    PipelineConfig config; // Of another device, say.
    config.memory = MemoryKind::System;
    m_panel->setConfig(config);
    QVERIFY(button("system")->isVisible() && !button("dmabuf")->isVisible());
}

void TestControls::groupsFoldToALineWithTheirValue()
{
    FoldingGroup *memory = group("memory");
    QVERIFY(button("pinned")->isVisible());
    const int height = memory->height();
    QTest::mouseClick(memory->title(), Qt::LeftButton);
    QVERIFY(!button("pinned")->isVisible());
    QTRY_VERIFY(memory->height() < height / 4);
    QCOMPARE(memory->value(), QStringLiteral("Pinned + copy"));
    QVERIFY(memory->title()->accessibleName().contains(memory->value()));
    QVERIFY(group("sync")->title()->isVisible() && !group("sync")->isFolded());
    const auto saysValue = [&] {
        const QList<QLabel *> labels = memory->title()->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->text() == memory->value(); });
    };
    QVERIFY(saysValue());
    PipelineConfig config; // Changed elsewhere: the folded group says so.
    config.memory = MemoryKind::Unified;
    config.filters = {};
    m_panel->setConfig(config);
    QCOMPARE(memory->value(), QStringLiteral("Unified"));
    QVERIFY(saysValue());
    QCOMPARE(group("filters")->value(), QStringLiteral("none"));
    QTest::keyClick(memory->title(), Qt::Key_Return);
    QVERIFY(button("unified")->isVisible() && !saysValue());
    QTest::keyClick(memory->title(), Qt::Key_Space);
    QVERIFY(memory->isFolded());
    QCOMPARE(m_wanted->count(), 0);
}

void TestControls::withAltAllGroupsFold()
{
    QTest::mouseClick(group("sync")->title(), Qt::LeftButton, Qt::AltModifier);
    for (const FoldingGroup *each : m_panel->findChildren<FoldingGroup *>())
        QVERIFY2(each->isFolded(), qPrintable(each->name()));
    QTest::mouseClick(group("memory")->title(), Qt::LeftButton);
    QVERIFY(!group("memory")->isFolded() && group("sync")->isFolded());
    QTest::keyClick(group("sync")->title(), Qt::Key_Enter, Qt::AltModifier);
    for (const FoldingGroup *each : m_panel->findChildren<FoldingGroup *>())
        QVERIFY2(!each->isFolded(), qPrintable(each->name()));
}

void TestControls::foldedGroupsAreRememberedByName()
{
    QVERIFY(m_panel->folded().isEmpty());
    QTest::mouseClick(group("filters")->title(), Qt::LeftButton);
    QTest::mouseClick(group("wait")->title(), Qt::LeftButton);
    QCOMPARE(m_panel->folded(), QStringList({QStringLiteral("filters"), QStringLiteral("wait")}));
    ControlsPanel next;
    QVERIFY(!next.folded().isEmpty()); // What is seldom changed.
    next.setFolded(m_panel->folded());
    QCOMPARE(next.folded(), m_panel->folded());
}

JETSCOPE_TEST(TestControls)
#include "tst_controls.moc"
