// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// "Try every sync mode" in the window: progress, cancel, what comes back, and what is offered.
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/live/controlspanel.h"
#include "ui/measure/adviceline.h"
#include "ui/measure/comparedtable.h"
#include "ui/measure/trialspanel.h"
#include "ui/window/windowcompare.h"

#include <QAction>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

using namespace jetscope;

class TestChoiceTrials : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void theBestIsOfferedAndUsed();
    void equalModesAreNotOffered();
    void aModeThatFailsInTheMiddleSaysWhy();
    void whatIsNotTriedSaysWhy();
    void memoryKindsAreTriedToo();
    void escapeCancelsAndRestores();
    void whatTheUserChoosesMeanwhileCounts();
    void theChoicesDoNotFlicker();
    void aPauseEndsIt();
    void anotherDeviceEndsIt();
    void theEndOfTheSourceIsSaid();
    void onlyOneTrialAtATime();
    void pinnedFramesAreNotThoseOfATrial();
    void turnsCompareWithA();
    void closingTheWindowInTheMiddleIsSafe();
    void openingAnewInTheMiddleIsSafe();

private:
    FakePipeline &pipeline() { return m_fake->pipeline(); }
    MainWindow &window() { return m_fake->window(); }
    ChoiceTrials &trials() { return window().live().compare().trials(); }
    template <class T>
    T *find(const char *name)
    {
        return window().live().findChild<T *>(QLatin1String(name));
    }
    QString result() { return find<QLabel>("trialResult")->text(); }
    void step();
    void finish();
    void begin(std::string_view key = "sync")
    {
        (key == "sync" ? window().actions().trySyncs : window().actions().tryMemories)->trigger();
        QVERIFY(trials().isRunning());
    }
    void stepUntilAnother()
    {
        for (int i = 0; i < 200 && pipeline().state.config == m_before; ++i)
            step();
        QVERIFY(pipeline().state.config != m_before);
    }
    const ChoiceRow &row(const char *label)
    {
        for (const ChoiceRow &each : trials().table()->rows)
            if (each.label == label)
                return each;
        qFatal("no such row");
    }

    std::unique_ptr<FakeWindow> m_fake;
    PipelineConfig m_before;
    std::uint32_t m_frame = 0;
    std::optional<SyncMode> m_fast;
    std::optional<SyncMode> m_refused;
};

void TestChoiceTrials::init()
{
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1400, 900);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
    m_frame = 0;
    m_fast.reset();
    m_refused.reset();
    for (int i = 0; i < 10; ++i)
        step();
    m_before = pipeline().state.config;
}

void TestChoiceTrials::cleanup()
{
    m_fake.reset();
}

/// Makes or refuses requested changes at once; then some frames follow.
void TestChoiceTrials::step()
{
    PipelineStatus &state = pipeline().state;
    if (!pipeline().changes.empty() && pipeline().changes.back() != state.config) {
        const std::string change = describeChange(state.config, pipeline().changes.back());
        if (pipeline().changes.back().sync == m_refused) {
            pipeline().refuse(change + ": out of memory");
            pipeline().changes.pop_back();
        } else {
            state.config = pipeline().changes.back();
            pipeline().notice(PipelineNotice::Kind::Switched, change, m_frame);
        }
    }
    scriptFrames(pipeline(), m_frame, 10);
    std::uint32_t random = m_frame;
    for (FrameFigures &figures : pipeline().update.figures) {
        random = random * 1664525 + 1013904223;
        const double noise = 1 + 0.02 * (static_cast<double>(random >> 16U) / 65536.0 - 0.5);
        const double ratio = state.config.sync == m_fast ? 0.9 : 1;
        figures.frameNs = static_cast<std::int64_t>(9'000'000 * ratio * noise);
        figures.latencyNs = 2 * figures.frameNs;
        figures.overlap.periodNs = static_cast<std::int64_t>(16'666'667 * ratio * noise);
    }
    m_frame += 10;
    m_fake->poll();
}

void TestChoiceTrials::finish()
{
    for (int i = 0; i < 5000 && trials().isRunning(); ++i)
        step();
    QVERIFY(!trials().isRunning());
    step();
}

void TestChoiceTrials::theBestIsOfferedAndUsed()
{
    m_fast = SyncMode::Stream;
    begin();
    QVERIFY(find<QProgressBar>("choiceProgress")->isVisible());
    QVERIFY(find<QPushButton>("cancelChoices")->isVisible());
    QVERIFY(find<QLabel>("trialWork")->text().contains(" s left"));
    finish();
    QVERIFY(pipeline().state.config == m_before);
    QVERIFY2(result().startsWith("Stream is the best: its "), qPrintable(result()));
    QVERIFY(row("Stream").isBest);
    QVERIFY(!find<QProgressBar>("choiceProgress")->isVisible());
    auto *use = find<QPushButton>("useBest");
    QVERIFY(use->isVisible());
    QTest::mouseClick(use, Qt::LeftButton);
    QVERIFY(pipeline().changes.back().sync == SyncMode::Stream);
    step();
    QVERIFY(pipeline().state.config.sync == SyncMode::Stream);
    QVERIFY(!use->isVisible());
}

void TestChoiceTrials::equalModesAreNotOffered()
{
    begin();
    finish();
    QVERIFY(pipeline().state.config == m_before);
    QVERIFY2(result().startsWith("Nothing is shown to have a shorter "), qPrintable(result()));
    QVERIFY(!find<QPushButton>("useBest")->isVisible());
}

void TestChoiceTrials::aModeThatFailsInTheMiddleSaysWhy()
{
    m_refused = SyncMode::Poll;
    m_fast = SyncMode::Callback;
    begin();
    finish();
    QVERIFY(pipeline().state.config == m_before);
    QVERIFY2(row("Poll").reason.find("out of memory") != std::string::npos, row("Poll").reason.c_str());
    QVERIFY(row("Callback").isBest); // The rest goes on.
    bool said = false;
    const auto *table = find<QTreeWidget>("trialTable");
    for (int i = 0; i < table->topLevelItemCount(); ++i)
        said |= table->topLevelItem(i)->text(0) == "Poll" && table->topLevelItem(i)->text(4).startsWith("failed: ");
    QVERIFY(said);
}

void TestChoiceTrials::whatIsNotTriedSaysWhy()
{
    begin();
    finish();
    QVERIFY(!row("Implicit").cell && !row("Implicit").reason.empty());
    const std::string none(choiceOf(SyncMode::None).label);
    QVERIFY(!row(none.c_str()).cell);
    QVERIFY(row(none.c_str()).reason.starts_with("unsafe"));
    for (const PipelineConfig &config : pipeline().changes)
        QVERIFY(config.sync != SyncMode::None);
}

void TestChoiceTrials::memoryKindsAreTriedToo()
{
    begin("memory");
    finish();
    QVERIFY(trials().table()->rows.size() == choices<MemoryKind>().size());
    QVERIFY(pipeline().state.config == m_before);
    int tried = 0;
    for (const ChoiceRow &each : trials().table()->rows)
        tried += each.latencyMs.has_value();
    QVERIFY(tried >= 6);
}

void TestChoiceTrials::escapeCancelsAndRestores()
{
    begin();
    stepUntilAnother();
    QTest::keyClick(&window(), Qt::Key_Escape);
    QVERIFY(!trials().isRunning());
    step();
    QVERIFY(pipeline().state.config == m_before);
    QVERIFY2(result().startsWith("Ended early, because it was cancelled. No verdict, "), qPrintable(result()));
    QVERIFY(!find<QPushButton>("useBest")->isVisible());
    QVERIFY(find<QPushButton>("trySyncs")->isEnabled());
    begin(); // Again from the beginning.
    finish();
    QVERIFY(result().startsWith("Nothing is shown"));
}

void TestChoiceTrials::whatTheUserChoosesMeanwhileCounts()
{
    begin();
    stepUntilAnother();
    PipelineConfig users = m_before;
    users.memory = MemoryKind::ZeroCopy;
    emit window().live().controls()->wanted(users);
    QVERIFY(!trials().isRunning());
    for (int i = 0; i < 5; ++i)
        step();
    QVERIFY(pipeline().state.config == users);
    QVERIFY(window().session().wanted() == users);
}

void TestChoiceTrials::theChoicesDoNotFlicker()
{
    begin();
    for (int i = 0; i < 400 && trials().isRunning(); ++i) {
        step();
        QVERIFY(window().session().wanted() == m_before); // Which is what the settings remember.
    }
}

void TestChoiceTrials::aPauseEndsIt()
{
    begin();
    stepUntilAnother();
    window().actions().pause->trigger();
    m_fake->poll();
    QVERIFY(!trials().isRunning());
    QVERIFY(result().contains("the pipeline was paused"));
    window().actions().pause->trigger();
    step();
    QVERIFY(pipeline().state.config == m_before);
}

void TestChoiceTrials::anotherDeviceEndsIt()
{
    begin();
    stepUntilAnother();
    pipeline().state.facts.id = "cuda:0";
    pipeline().state.config = m_before;
    pipeline().changes.clear();
    pipeline().notice(PipelineNotice::Kind::Switched, "device: soft:orin → cuda:0", m_frame);
    m_fake->poll();
    QVERIFY(!trials().isRunning());
    QVERIFY2(result().contains("the device was changed"), qPrintable(result()));
    QVERIFY(pipeline().changes.empty()); // The new device determines the choices.
}

void TestChoiceTrials::theEndOfTheSourceIsSaid()
{
    begin();
    stepUntilAnother();
    pipeline().notice(PipelineNotice::Kind::Ended, "end of file");
    m_fake->poll();
    QVERIFY(!trials().isRunning());
    QVERIFY2(result().contains("the pipeline stopped: end of file"), qPrintable(result()));
}

void TestChoiceTrials::onlyOneTrialAtATime()
{
    begin();
    step();
    QVERIFY(!window().actions().trySyncs->isEnabled() && !window().actions().tryMemories->isEnabled());
    trials().start("memory");
    QVERIFY(trials().choice() == "sync");
    const auto *advice = find<QPushButton>("tryAdvice");
    QVERIFY(!advice->isVisible() || !advice->isEnabled());
    trials().cancel();
    for (int i = 0; i < 10; ++i)
        step();
    QVERIFY(window().actions().trySyncs->isEnabled());
}

void TestChoiceTrials::pinnedFramesAreNotThoseOfATrial()
{
    PinnedComparison &pinned = window().live().compare().pinned();
    begin();
    stepUntilAnother();
    pinned.pin();
    QVERIFY(!pinned.pinned());
    trials().cancel();
    for (int i = 0; i < 50; ++i)
        step();
    pinned.pin();
    QVERIFY(pinned.pinned() && pinned.pinned()->config == m_before);
}

void TestChoiceTrials::turnsCompareWithA()
{
    PinnedComparison &pinned = window().live().compare().pinned();
    for (int i = 0; i < 50; ++i)
        step();
    pinned.pin();
    QVERIFY(pinned.pinned().has_value());
    PipelineConfig users = m_before;
    users.sync = SyncMode::Stream;
    m_fast = SyncMode::Stream;
    window().session().change(users);
    for (int i = 0; i < 20; ++i)
        step();
    QTRY_VERIFY((pinned.refresh(), step(), pinned.reasonAgainstTurns().isEmpty()));
    window().actions().compareTurns->trigger();
    QVERIFY(trials().isRunning());
    finish();
    QVERIFY(pinned.isByTurns());
    QVERIFY(pinned.comparison()->of(Figure::FrameP50).verdict == RowVerdict::Better);
    QVERIFY2(
        window().live().compare().page()->sentence().startsWith("By turns: The present is better than A: Period -"),
        qPrintable(window().live().compare().page()->sentence()));
    QVERIFY(pipeline().state.config == users);
    // It lasts until the setting changes.
    for (int i = 0; i < 20; ++i)
        step();
    QVERIFY(pinned.isByTurns());
    window().session().change(m_before);
    for (int i = 0; i < 50; ++i)
        step();
    QTRY_VERIFY((pinned.refresh(), step(), !pinned.isByTurns()));
}

void TestChoiceTrials::closingTheWindowInTheMiddleIsSafe()
{
    begin();
    stepUntilAnother();
    window().close();
    QVERIFY(window().session().wanted() == m_before);
    m_fake.reset();
}

void TestChoiceTrials::openingAnewInTheMiddleIsSafe()
{
    begin();
    stepUntilAnother();
    QVERIFY(m_fake->open());
    QVERIFY(!trials().isRunning());
    QVERIFY(m_fake->requests.back().config == m_before || pipeline().state.config == m_before);
    m_frame = 0;
    step();
    QVERIFY(pipeline().state.config == m_before);
}

JETSCOPE_TEST(TestChoiceTrials)
#include "tst_choicetrials.moc"
