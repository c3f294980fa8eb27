// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Advice beside the verdict: untried, under trial, kept or not, and stored for the place of the trial.
#include "gpu/measure/pipelinetrial.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/live/controlspanel.h"
#include "ui/measure/adviceline.h"
#include "ui/measure/triallog.h"
#include "ui/window/livehead.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace jetscope;

namespace {

TrialOutcome outcomeOf(TrialVerdict verdict, double ratio = 1)
{
    TrialOutcome outcome;
    outcome.verdict = verdict;
    outcome.ratio = ratio;
    outcome.noise = 0.02;
    outcome.turns = 8;
    return outcome;
}

} // namespace

class TestAdvice : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void adviceIsUntriedWithTheMostItCanBring();
    void whatHelpsCanBeKept();
    void orLeft();
    void whatDoesNotHelpIsNotOfferedAgain();
    void anOpenMenuDoesNotChange();
    void outcomesOutliveTheWindow();
    void aTrialIsCancelledAtOnce();
    void whatTheUserChoosesMeanwhileCounts();
    void theChoicesDoNotFlickerDuringATrial();
    void aRefusalIsSaid();
    void aPauseEndsATrial();
    void theEndOfTheSourceIsSaid();
    void closingDuringATrialIsSafe();
    void everythingIsReachableAndNamed();
    void theNextTrialWaitsUntilThePipelineIsBack();
    void outcomesBelongToTheirPlace();
    void outcomesHoldBothWays();
    void damagedOutcomesAreLeftOut();

private:
    FakePipeline &pipeline() { return m_fake->pipeline(); }
    MainWindow &window() { return m_fake->window(); }
    QString line() { return window().live().head().advice()->text(); }
    template <class T>
    T *find(const char *name)
    {
        return window().findChild<T *>(QLatin1String(name));
    }
    void press(const char *name) { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    void open();
    void runFrames(std::uint32_t frames, double ratioWithCandidate = 1);
    void runTrial(double ratio);
    QString adviceSetting();

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
    PipelineConfig m_before;
    std::uint32_t m_frame = 0;
};

void TestAdvice::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    open();
}

void TestAdvice::open()
{
    m_fake.reset();
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
    m_before = pipeline().state.config;
    m_frame = 0;
    runFrames(60);
}

void TestAdvice::cleanup()
{
    m_fake.reset();
}

/// Applies requested changes at once. Frames of the candidate take `ratioWithCandidate` times as long.
void TestAdvice::runFrames(std::uint32_t frames, double ratioWithCandidate)
{
    for (const std::uint32_t last = m_frame + frames; m_frame < last; m_frame += 4) {
        if (!pipeline().changes.empty() && pipeline().changes.back() != pipeline().state.config)
            pipeline().accept();
        scriptFrames(pipeline(), m_frame, 4);
        if (pipeline().state.config != m_before)
            for (FrameFigures &figures : pipeline().update.figures)
                figures.overlap.periodNs =
                    static_cast<std::int64_t>(static_cast<double>(figures.overlap.periodNs) * ratioWithCandidate);
        m_fake->poll();
    }
}

void TestAdvice::runTrial(double ratio)
{
    press("tryAdvice");
    QVERIFY(find<QPushButton>("cancelTrial")->isVisible());
    for (int i = 0; i < 400 && find<QPushButton>("cancelTrial")->isVisible(); ++i)
        runFrames(4, ratio);
    QVERIFY(!find<QPushButton>("cancelTrial")->isVisible());
    runFrames(4, ratio); // Return to the configuration before the trial.
}

/// The setting in the present advice: "frames-in-flight: 2 → 3".
QString TestAdvice::adviceSetting()
{
    return line().section(QStringLiteral(": "), 1).section(',', 0, 0);
}

void TestAdvice::adviceIsUntriedWithTheMostItCanBring()
{
    QVERIFY2(line().startsWith("Advice: ") && line().contains(" → "), qPrintable(line()));
    QVERIFY2(line().contains("untried, period at most ") && line().endsWith("% shorter"), qPrintable(line()));
    QVERIFY(find<QPushButton>("tryAdvice")->isVisible());
    QVERIFY(!find<QPushButton>("keepTried")->isVisible());
    QVERIFY(find<QLabel>("advice")->toolTip().contains('\n')); // Basis of the advice.
    QVERIFY(pipeline().changes.empty());
}

void TestAdvice::whatHelpsCanBeKept()
{
    const QString setting = adviceSetting();
    runTrial(0.8);
    QVERIFY2(line().startsWith(setting + ": faster by 20 % (±"), qPrintable(line()));
    QVERIFY(pipeline().state.config == m_before);
    press("keepTried");
    QVERIFY(pipeline().changes.back() != m_before);
    QCOMPARE(QString::fromStdString(describeChange(m_before, pipeline().changes.back())), setting);
}

void TestAdvice::orLeft()
{
    runTrial(0.8);
    press("leaveTried");
    runFrames(120);
    QVERIFY(pipeline().state.config == m_before);
    QVERIFY(pipeline().changes.back() == m_before);
}

void TestAdvice::whatDoesNotHelpIsNotOfferedAgain()
{
    const QString setting = adviceSetting();
    runTrial(1);
    QVERIFY2(line().startsWith(setting + ": no difference beyond ±"), qPrintable(line()));
    QVERIFY(!find<QPushButton>("keepTried")->isVisible());
    press("leaveTried");
    runFrames(120);
    QVERIFY(adviceSetting() != setting);
    // The menu still lists it with its outcome.
    bool said = false;
    for (const QAction *action : find<QToolButton>("moreAdvice")->menu()->actions())
        said =
            said || (action->text().startsWith(setting + ", tried: no difference") && action->toolTip().contains(':'));
    QVERIFY(said);
}

void TestAdvice::anOpenMenuDoesNotChange()
{
    QMenu *menu = find<QToolButton>("moreAdvice")->menu();
    menu->popup({0, 0});
    QTRY_VERIFY(menu->isVisible());
    QStringList texts;
    for (const QAction *action : menu->actions())
        texts << action->text();
    QAction *last = menu->actions().constLast();
    PipelineConfig other = m_before; // Changes the advice.
    other.framesInFlight = 4;
    pipeline().change(other);
    runFrames(60);
    QStringList after;
    for (const QAction *action : menu->actions())
        after << action->text();
    QCOMPARE(after, texts);
    last->trigger(); // The advice is for another configuration, so no trial starts.
    menu->hide();
    QVERIFY(!find<QPushButton>("cancelTrial")->isVisible());
    runFrames(60);
    QVERIFY(menu->actions().isEmpty() || menu->actions().constFirst()->text() != texts.first());
}

void TestAdvice::outcomesOutliveTheWindow()
{
    const QString setting = adviceSetting();
    runTrial(1.3);
    QVERIFY2(line().startsWith(setting + ": slower by 30 %"), qPrintable(line()));
    open();
    QVERIFY(adviceSetting() != setting);
}

void TestAdvice::aTrialIsCancelledAtOnce()
{
    press("tryAdvice");
    while (pipeline().state.config == m_before)
        runFrames(4);
    QVERIFY(find<QProgressBar>("trialProgress")->value() > 0);
    press("cancelTrial");
    QVERIFY(pipeline().changes.back() == m_before); // Requested without another poll.
    QVERIFY2(line().contains("not finished: it was cancelled"), qPrintable(line()));
    const QString setting = line().section(QStringLiteral(": not finished"), 0, 0);
    press("leaveTried");
    runFrames(120);
    QVERIFY(pipeline().state.config == m_before);
    QCOMPARE(adviceSetting(), setting); // A cancelled trial has no outcome.
}

void TestAdvice::whatTheUserChoosesMeanwhileCounts()
{
    press("tryAdvice");
    while (pipeline().state.config == m_before)
        runFrames(4);
    PipelineConfig chosen = m_before;
    chosen.memory = MemoryKind::ZeroCopy;
    window().session().change(chosen);
    runFrames(120);
    QVERIFY(pipeline().state.config == chosen);
    QVERIFY(window().session().wanted() == chosen);
    QVERIFY(!find<QPushButton>("cancelTrial")->isVisible());
}

void TestAdvice::theChoicesDoNotFlickerDuringATrial()
{
    QSignalSpy wanted(&window().session(), &Session::wantedChanged);
    runTrial(0.8);
    press("leaveTried");
    runFrames(40);
    QCOMPARE(wanted.count(), 0);
    QVERIFY(window().session().wanted() == m_before);
}

void TestAdvice::aRefusalIsSaid()
{
    press("tryAdvice");
    for (int i = 0; i < 50 && pipeline().changes.empty(); ++i)
        runFrames(4);
    pipeline().refuse(describeChange(m_before, pipeline().changes.back()) + ": out of memory");
    m_fake->poll();
    QVERIFY2(line().contains("not possible: out of memory"), qPrintable(line()));
    QVERIFY(pipeline().state.config == m_before);
}

void TestAdvice::aPauseEndsATrial()
{
    press("tryAdvice");
    while (pipeline().state.config == m_before)
        runFrames(4);
    window().session().setPaused(true);
    m_fake->poll();
    QVERIFY2(line().contains("the pipeline was paused"), qPrintable(line()));
    QVERIFY(pipeline().changes.back() == m_before);
    press("leaveTried");
    QVERIFY(!find<QPushButton>("tryAdvice")->isEnabled());
}

void TestAdvice::theEndOfTheSourceIsSaid()
{
    press("tryAdvice");
    while (pipeline().state.config == m_before)
        runFrames(4);
    pipeline().state.state = PipelineState::Ended;
    pipeline().notice(PipelineNotice::Kind::Ended, "end of file");
    m_fake->poll();
    QVERIFY2(line().contains("the source ended"), qPrintable(line()));
    QVERIFY(pipeline().changes.back() == m_before);
}

void TestAdvice::closingDuringATrialIsSafe()
{
    press("tryAdvice");
    runFrames(40);
    window().session().open(); // Opens another pipeline.
    QTRY_COMPARE(m_fake->pipelinesDestroyed.load(), 1);
    QTRY_VERIFY(window().session().phase() == Session::Phase::Open);
    QVERIFY(!find<QPushButton>("cancelTrial")->isVisible());
    m_before = pipeline().state.config;
    m_frame = 0;
    runFrames(60);
    press("tryAdvice");
    runFrames(8);
    m_fake.reset(); // Closes the window.
}

void TestAdvice::everythingIsReachableAndNamed()
{
    for (const char *name : {"tryAdvice", "cancelTrial", "keepTried", "leaveTried"}) {
        QVERIFY2(!find<QPushButton>(name)->toolTip().isEmpty() && !find<QPushButton>(name)->text().isEmpty(), name);
        QVERIFY2(find<QPushButton>(name)->focusPolicy() & Qt::TabFocus, name);
    }
    const auto *more = find<QToolButton>("moreAdvice");
    QVERIFY(more->focusPolicy() & Qt::TabFocus);
    QVERIFY(!more->accessibleName().isEmpty() && !more->toolTip().isEmpty());
    QCOMPARE(find<QLabel>("advice")->accessibleName(), QString("Advice"));
    QVERIFY(!find<QProgressBar>("trialProgress")->accessibleName().isEmpty());
    // Keyboard only: the focus moves to the button for the next press.
    QApplication::setActiveWindow(&window());
    find<QPushButton>("tryAdvice")->setFocus();
    QTest::keyClick(find<QPushButton>("tryAdvice"), Qt::Key_Space);
    QTRY_VERIFY(find<QPushButton>("cancelTrial")->hasFocus());
    QTest::keyClick(find<QPushButton>("cancelTrial"), Qt::Key_Space);
    QTRY_VERIFY(find<QPushButton>("leaveTried")->hasFocus());
}

void TestAdvice::theNextTrialWaitsUntilThePipelineIsBack()
{
    FakePipeline pipeline;
    const PipelineConfig before = pipeline.state.config;
    Candidate candidate;
    candidate.key = "memory";
    candidate.value = "zero-copy";
    TrialLimits limits;
    limits.frames = 150; // Five turns, of which the last ends with the candidate.
    PipelineTrial trial(pipeline, candidate, limits);
    std::uint32_t frame = 0;
    while (!trial.isOver()) {
        QVERIFY(frame < 10'000);
        if (!pipeline.changes.empty() && pipeline.changes.back() != pipeline.state.config)
            pipeline.accept();
        scriptFrames(pipeline, frame, 4);
        frame += 4;
        trial.take(pipeline.drainUpdates(), std::int64_t{frame} * 1'000'000);
    }
    QVERIFY(pipeline.changes.back() == before && pipeline.state.config != before);
    QVERIFY(!trial.isBack());
    // The update arrives before the status contains the change.
    pipeline.notice(PipelineNotice::Kind::Switched, describeChange(pipeline.state.config, before), frame);
    trial.take(pipeline.drainUpdates(), 0);
    QVERIFY(!trial.isBack());
    pipeline.state.config = before;
    QVERIFY(trial.isBack());
}

void TestAdvice::outcomesBelongToTheirPlace()
{
    PipelineConfig other = m_before;
    other.memory = MemoryKind::ZeroCopy;
    const TrialPlace place = trialPlaceOf(pipeline().state, QStringLiteral("Mesa 1"));
    TrialLog log;
    log.add(place, m_before, other, outcomeOf(TrialVerdict::Same), QDate(2026, 11, 22));
    QVERIFY(log.find(place, m_before, other));
    PipelineStatus status = pipeline().state;
    QVERIFY(!log.find(trialPlaceOf(status, QStringLiteral("Mesa 2")), m_before, other));
    status.facts.name += " of another machine";
    QVERIFY(!log.find(trialPlaceOf(status, QStringLiteral("Mesa 1")), m_before, other));
    status = pipeline().state;
    status.source.layout = makeImageLayout(PixelFormat::Nv12, 640, 480);
    QVERIFY(!log.find(trialPlaceOf(status, QStringLiteral("Mesa 1")), m_before, other));
    PipelineConfig filtered = m_before;
    PipelineConfig otherFiltered = other;
    filtered.filters = otherFiltered.filters = {Filter::Gaussian15};
    QVERIFY(!log.find(place, filtered, otherFiltered));
    QCOMPARE(TrialLog::fromText(log.toText(), QStringLiteral("9.9")).size(), std::size_t{0}); // Other version.
    const auto kept = TrialLog::fromText(log.toText(), place.program).find(place, m_before, other);
    QVERIFY(kept && kept->date == QDate(2026, 11, 22) && kept->outcome.verdict == TrialVerdict::Same);
}

void TestAdvice::outcomesHoldBothWays()
{
    PipelineConfig other = m_before;
    other.memory = MemoryKind::ZeroCopy;
    const TrialPlace place = trialPlaceOf(pipeline().state, {});
    TrialLog log;
    log.add(place, m_before, other, outcomeOf(TrialVerdict::Faster, 0.8), QDate(2026, 1, 1));
    const auto back = log.find(place, other, m_before);
    QVERIFY(back && back->outcome.verdict == TrialVerdict::Slower);
    QCOMPARE(back->outcome.ratio, 1.25);
    log.add(place, other, m_before, outcomeOf(TrialVerdict::Same), QDate(2026, 1, 2)); // Replaces the older entry.
    QCOMPARE(log.size(), std::size_t{1});
    QVERIFY(log.find(place, m_before, other)->outcome.verdict == TrialVerdict::Same);
    TrialOutcome unfinished = outcomeOf(TrialVerdict::Unfinished);
    PipelineConfig third = other;
    third.streams = 2;
    log.add(place, m_before, third, unfinished, QDate(2026, 1, 2));
    QVERIFY(!log.find(place, m_before, third));
    for (int i = 0; i < 300; ++i) { // The log has a limit.
        TrialPlace elsewhere = place;
        elsewhere.source = QString::number(i);
        log.add(elsewhere, m_before, other, outcomeOf(TrialVerdict::Same), QDate(2026, 1, 2));
    }
    QCOMPARE(log.size(), TrialLog::kMax);
}

void TestAdvice::damagedOutcomesAreLeftOut()
{
    const QString program = QStringLiteral("1");
    for (const char *text :
         {"", "[", "{}", "[1,null,[],{}]", "[{\"program\":\"1\",\"verdict\":\"faster\"}]",
          "[{\"program\":\"1\",\"verdict\":\"faster\",\"ratio\":-1,\"noise\":0,\"date\":\"2026-01-01\"}]",
          "[{\"program\":\"1\",\"verdict\":\"best\",\"ratio\":0.5,\"noise\":0,\"date\":\"2026-01-01\"}]",
          "[{\"program\":\"1\",\"verdict\":\"faster\",\"ratio\":0.5,\"noise\":0,\"date\":\"never\"}]",
          "[{\"program\":\"1\",\"verdict\":\"faster\",\"ratio\":1e999,\"noise\":0,\"date\":\"2026-01-01\"}]"})
        QVERIFY2(TrialLog::fromText(QString::fromLatin1(text), program).size() == 0, text);
    QCOMPARE(
        TrialLog::fromText(
            QStringLiteral(
                "[{\"program\":\"1\",\"verdict\":\"faster\",\"ratio\":0.5,\"noise\":0.1,\"date\":\"2026-01-01\"}]"),
            program)
            .size(),
        std::size_t{1});
}

JETSCOPE_TEST(TestAdvice)
#include "tst_advice.moc"
