// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Sweeps in the window: opening their files, measuring in a child process, the search for the best choices, reports.
// The child is a script that says what the program would say.
#include "core/system/database.h"
#include "core/verify/verifyjson.h"
#include "tests/support/fakewindow.h"
#include "tests/support/samplesweep.h"
#include "tests/support/testprogram.h"
#include "ui/files/tracefilepage.h"
#include "ui/measure/experimentdialog.h"
#include "ui/measure/heatsigns.h"
#include "ui/measure/heatview.h"
#include "ui/measure/sweepdialog.h"
#include "ui/measure/sweeppage.h"
#include "ui/measure/sweeppicker.h"
#include "ui/measure/tunedialog.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/timeline/timelineview.h"
#include "ui/verify/verifydialog.h"
#include "ui/window/errorpage.h"

#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

using namespace jetscope;
using jetscope::testing::SampleSweep;

class TestWindowSweep : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void openingAFileShowsItInTheTab();
    void aDroppedFileToo();
    void aBrokenFileLeavesTheWindowAsItIs();
    void atTheStartTheTabIsShownWithoutAPipeline();
    void withoutSamplesTheFileIsShownAllTheSame();
    void aClickShowsTheRunOfTheCell();
    void withoutASampleItIsSaid();
    void theMetricRanksAnew();
    void aSweepIsMeasuredByAChild();
    void theTabFollowsTheChild();
    void theChildIsCancelled();
    void aPausedPipelineIsPausedAgain();
    void nothingOpensThePipelineMeanwhile();
    void aChildThatFailsIsSaid();
    void aChildThatCrashesIsSaid();
    void aChildThatCannotStartIsSaid();
    void closingTheWindowEndsTheChild();
    void anUnfinishedFileIsResumed();
    void whatAFileNamesIsOpenedOnlyIfAllowed();
    void withoutAPipelineNothingIsMeasured();
    void theSearchShowsItsStepsAndItsResultIsUsed();
    void aSearchThatFailsIsSaid();
    void anExperimentShowsItsFiguresAndItsConclusion();
    void aVerificationShowsItsRows();
    void theFileOfAVerificationIsOpened();
    void aReportIsWrittenAndOffered();
    void aReportOfACaptureIsWritten();
    void reportsThatCannotBeWrittenAreSaid();

private:
    MainWindow &window() { return m_fake->window(); }
    SweepPage &page() { return *window().live().sweep(); }
    HeatModel &cells() { return page().heatMap()->cells(); }
    QString path(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    QString written(const char *name, const SampleSweep &sweep = {}) const
    {
        sweep.write(path(name));
        return path(name);
    }
    /// A new window whose measurements run this script; "$out" is the file of a sweep.
    void childDoes(const QString &script);
    void openWindow(const QString &program = {});
    void open(const QString &file);
    void startSweep(const char *name);
    QString argumentsOfChild() const;
    bool isOpen() { return window().session().phase() == Session::Phase::Open; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

namespace {

/// The script waits for a file that the test makes.
QString waitFor(const QString &file)
{
    return QStringLiteral("while [ ! -e '%1' ]; do sleep 0.02; done\n").arg(file);
}

void make(const QString &file)
{
    QFile made(file);
    QVERIFY(made.open(QIODevice::WriteOnly));
}

const char *const kProgressLine =
    R"(echo '{"event":"progress","progress":0.5,"round":3,"rounds":5,"stretches_left":18,"seconds_left":65,"seconds_needed":null}')";

} // namespace

void TestWindowSweep::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    openWindow();
    QVERIFY(m_fake->open());
}

void TestWindowSweep::cleanup()
{
    m_fake.reset();
}

void TestWindowSweep::openWindow(const QString &program)
{
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Ignore, std::vector<CameraInfo>(), program);
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
}

void TestWindowSweep::childDoes(const QString &script)
{
    QFile file(path("child"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\necho \"$@\" > '" + path("arguments").toUtf8()
               + "'\nout=; before=\nfor word in \"$@\"; do [ \"$before\" = --out ] && out=$word; before=$word; done\n"
               + script.toUtf8() + "\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    file.close();
    openWindow(path("child"));
    QVERIFY(m_fake->open());
}

QString TestWindowSweep::argumentsOfChild() const
{
    QFile file(path("arguments"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

void TestWindowSweep::open(const QString &file)
{
    m_fake->chosenPath = file;
    QTest::keyClick(&window(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
}

void TestWindowSweep::startSweep(const char *name)
{
    window().actions().sweep->trigger();
    auto *dialog = window().findChild<SweepDialog *>();
    QVERIFY(dialog);
    dialog->findChild<QLineEdit *>(QStringLiteral("sweepFile"))->setText(path(name));
    QTest::mouseClick(dialog->findChild<QPushButton *>(QStringLiteral("startSweep")), Qt::LeftButton);
    QCOMPARE(window().tabs()->currentWidget(), static_cast<QWidget *>(&page()));
}

void TestWindowSweep::openingAFileShowsItInTheTab()
{
    open(written("a.jscope"));
    QCOMPARE(window().tabs()->currentWidget(), static_cast<QWidget *>(&page()));
    QCOMPARE(cells().rowCount(), 4);
    QVERIFY(isOpen()); // The live pipeline goes on.
    QVERIFY2(window().messages()->text().isEmpty(), qPrintable(window().messages()->text()));
}

void TestWindowSweep::aDroppedFileToo()
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(written("a.jscope"))});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &drop);
    QTRY_COMPARE(cells().rowCount(), 4);
}

void TestWindowSweep::aBrokenFileLeavesTheWindowAsItIs()
{
    QFile file(written("a.jscope"));
    QVERIFY(file.resize(file.size() / 2));
    open(file.fileName());
    QVERIFY(window().messages()->text().startsWith(QStringLiteral("The file could not be opened")));
    QVERIFY(!page().report());
    QVERIFY(isOpen());
}

void TestWindowSweep::atTheStartTheTabIsShownWithoutAPipeline()
{
    openWindow();
    window().trace().opener().open(written("a.jscope"));
    QCOMPARE(window().space(), MainWindow::Space::Trace); // Until it is known what the file is.
    QTRY_COMPARE(cells().rowCount(), 4);
    QCOMPARE(window().space(), MainWindow::Space::Live);
    QCOMPARE(window().tabs()->currentWidget(), static_cast<QWidget *>(&page()));
    QVERIFY(page().isVisible());
    QVERIFY(m_fake->requests.empty());
    QCOMPARE(window().session().phase(), Session::Phase::Idle);
}

void TestWindowSweep::withoutSamplesTheFileIsShownAllTheSame()
{
    SampleSweep sweep;
    sweep.samples = false;
    openWindow();
    window().trace().opener().open(written("a.jscope", sweep));
    QTRY_COMPARE(cells().rowCount(), 4);
    QCOMPARE(window().trace().session().phase(), Session::Phase::Idle);
}

void TestWindowSweep::aClickShowsTheRunOfTheCell()
{
    open(written("a.jscope"));
    HeatView *heat = page().heatMap();
    QTest::mouseClick(heat->viewport(), Qt::LeftButton, {}, heat->visualRect(cells().index(1, 2)).center());
    QTRY_VERIFY(window().session().phase() == Session::Phase::File);
    QCOMPARE(window().space(), MainWindow::Space::Trace);
    QCOMPARE(window().tabs()->currentWidget(), static_cast<QWidget *>(window().timeline()));
    QVERIFY(window().session().trace().spanCount() > 0);
    const auto *shown = window().findChild<TraceFilePage *>();
    QVERIFY2(shown->text().contains(QStringLiteral("a.jscope · pinned, eglsync")), qPrintable(shown->text()));
    QCOMPARE(cells().rowCount(), 4); // The sweep stays in its tab.
    QTest::keyClick(&window(), Qt::Key_1, Qt::AltModifier);
    QVERIFY(page().isVisible() && isOpen()); // And the pipeline goes on.
}

void TestWindowSweep::withoutASampleItIsSaid()
{
    SampleSweep sweep;
    sweep.samples = false;
    open(written("a.jscope", sweep));
    QTest::keyClick(page().heatMap(), Qt::Key_Return);
    QVERIFY(window().messages()->text().startsWith(QStringLiteral("No sample trace of ")));
    QVERIFY(isOpen());
}

void TestWindowSweep::theMetricRanksAnew()
{
    open(written("a.jscope"));
    QCOMPARE(page().report()->metric, Figure::Period); // As the command's, where frames are taken as fast as they can.
    QVERIFY2(page().facts().contains(QStringLiteral("frames as fast as they are taken")), qPrintable(page().facts()));
    emit page().metricWanted(Figure::CpuUse);
    QTRY_COMPARE(page().report()->metric, Figure::CpuUse);
    // Less use of the CPU is better, and the slowest cell uses the least.
    QCOMPARE(signOf(cells().cellAt(cells().index(2, 2))), HeatSign::Best);
    QCOMPARE(signOf(cells().cellAt(cells().index(0, 0))), HeatSign::None);
}

void TestWindowSweep::aSweepIsMeasuredByAChild()
{
    const QString source = written("source.jscope");
    childDoes(QString::fromLatin1(kProgressLine) + u'\n' + waitFor(path("go"))
              + QStringLiteral("cp '%1' \"$out\"").arg(source));
    const int destroyed = m_fake->pipelinesDestroyed;
    startSweep("new.jscope");
    QTRY_COMPARE(page().progressText(), QStringLiteral("Round 3 of 5 · 18 measurements to go · about 1:05 left"));
    QCOMPARE(m_fake->pipelinesDestroyed.load(), destroyed + 1); // Before the child was started.
    QCOMPARE(window().session().phase(), Session::Phase::Held);
    QVERIFY(!window().actions().sweep->isEnabled());
    QVERIFY(window().findChild<ErrorPage *>()->isVisible());
    make(path("go"));
    QTRY_VERIFY(isOpen());
    QTRY_COMPARE(cells().rowCount(), 4);
    QVERIFY(page().progressText().isEmpty());
    QVERIFY2(page().problem().isEmpty(), qPrintable(page().problem()));
    QVERIFY(window().actions().sweep->isEnabled());
    const QString arguments = argumentsOfChild();
    QVERIFY2(arguments.startsWith(QStringLiteral("sweep --json --progress --source synthetic:")),
             qPrintable(arguments));
    QVERIFY(arguments.contains(QStringLiteral("--device soft:orin")));
    QVERIFY(arguments.contains(QStringLiteral("--rounds 5")));
    QVERIFY(arguments.endsWith(QStringLiteral("--out ") + path("new.jscope")));
}

void TestWindowSweep::theTabFollowsTheChild()
{
    SampleSweep sweep;
    sweep.rounds = 1;
    sweep.complete = false;
    const QString first = written("first.jscope", sweep);
    sweep.rounds = 5;
    const QString second = written("second.jscope", sweep);
    childDoes(QStringLiteral("cp '%1' \"$out\"\n").arg(first) + waitFor(path("go"))
              + QStringLiteral("cp '%1' \"$out\"\n").arg(second) + waitFor(path("end")));
    startSweep("new.jscope");
    QTRY_VERIFY(page().report() && page().report()->workloads.front().summary.rounds == 1);
    QVERIFY(page().verdict().startsWith(QStringLiteral("No verdict")));
    QVERIFY(page().facts().contains(QStringLiteral("being measured")));
    make(path("go"));
    QTRY_COMPARE(page().report()->workloads.front().summary.rounds, std::size_t{5});
    QVERIFY(!page().progressText().isEmpty()); // Still running.
    make(path("end"));
    QTRY_VERIFY(isOpen());
    QTRY_VERIFY(page().facts().contains(QStringLiteral("unfinished")));
}

void TestWindowSweep::theChildIsCancelled()
{
    SampleSweep sweep;
    sweep.rounds = 2;
    sweep.complete = false;
    const QString source = written("source.jscope", sweep);
    childDoes(QStringLiteral("cp '%1' \"$out\"\n"
                             "trap 'echo interrupted > \"%2\"; exit 0' INT\n"
                             "while :; do sleep 0.02; done")
                  .arg(source, path("trace")));
    startSweep("new.jscope");
    QTRY_VERIFY(page().report());
    QTest::mouseClick(page().findChild<QPushButton *>(QStringLiteral("cancelSweep")), Qt::LeftButton);
    QTRY_VERIFY(isOpen());
    QVERIFY(QFile::exists(path("trace"))); // It could end by itself.
    QVERIFY(window().messages()->text().contains(QStringLiteral("Resume")));
    QTRY_VERIFY(page().findChild<QPushButton *>(QStringLiteral("resume"))->isVisible());
    QCOMPARE(cells().rowCount(), 4); // What was measured is kept.
}

void TestWindowSweep::aPausedPipelineIsPausedAgain()
{
    const QString source = written("source.jscope");
    childDoes(QStringLiteral("cp '%1' \"$out\"").arg(source));
    m_fake->pipeline().state.state = PipelineState::Paused;
    m_fake->poll();
    PipelineConfig chosen = window().session().wanted();
    chosen.memory = MemoryKind::ZeroCopy;
    window().session().change(chosen);
    m_fake->pipeline().accept();
    m_fake->poll();
    startSweep("new.jscope");
    QTRY_VERIFY(isOpen());
    QCOMPARE(window().session().wanted().memory, MemoryKind::ZeroCopy);
    QTRY_COMPARE(m_fake->pipeline().state.state, PipelineState::Paused);
}

/// A device that two pipelines use gives wrong figures.
void TestWindowSweep::nothingOpensThePipelineMeanwhile()
{
    const QString source = written("source.jscope");
    childDoes(QStringLiteral("cp '%1' \"$out\"\n").arg(source) + waitFor(path("go")));
    startSweep("new.jscope");
    QTRY_VERIFY(page().report());
    const std::size_t requests = m_fake->requests.size();
    window().actions().retry->trigger();
    window().session().changeSource("synthetic:?size=64x64");
    // A look at a sample and back.
    QTest::keyClick(page().heatMap(), Qt::Key_Return);
    QTRY_VERIFY(window().session().phase() == Session::Phase::File);
    window().showSpace(MainWindow::Space::Live);
    window().actions().retry->trigger();
    QTRY_VERIFY(window().session().phase() == Session::Phase::Held);
    QCOMPARE(m_fake->requests.size(), requests);
    make(path("go"));
    QTRY_VERIFY(isOpen());
    QCOMPARE(m_fake->requests.size(), requests + 1);
    QCOMPARE(m_fake->requests.back().source, std::string("synthetic:?size=64x64")); // What was wanted last.
}

void TestWindowSweep::aChildThatFailsIsSaid()
{
    childDoes(QStringLiteral("echo 'round 1 of 5' >&2\n"
                             "echo 'jetscope: the disk is full (ENOSPC): free space, then resume the sweep.' >&2\n"
                             "exit 1"));
    startSweep("new.jscope");
    QTRY_VERIFY(isOpen());
    QCOMPARE(page().problem(),
             QStringLiteral("The sweep failed: the disk is full (ENOSPC): free space, then resume the sweep."));
    QVERIFY(page().findChild<QPushButton *>(QStringLiteral("sweep"))->isEnabled());
}

void TestWindowSweep::aChildThatCrashesIsSaid()
{
    childDoes(QStringLiteral("kill -SEGV $$"));
    startSweep("new.jscope");
    QTRY_VERIFY(isOpen());
    QVERIFY2(page().problem().contains(QStringLiteral("crashed")), qPrintable(page().problem()));
}

void TestWindowSweep::aChildThatCannotStartIsSaid()
{
    openWindow(path("missing"));
    QVERIFY(m_fake->open());
    startSweep("new.jscope");
    QTRY_VERIFY(isOpen());
    QVERIFY2(page().problem().contains(QStringLiteral("could not be started")), qPrintable(page().problem()));
}

void TestWindowSweep::closingTheWindowEndsTheChild()
{
    childDoes(
        QStringLiteral("trap 'echo interrupted > \"%1\"; exit 0' INT\necho > \"%2\"\nwhile :; do sleep 0.02; done")
            .arg(path("trace"), path("started")));
    startSweep("new.jscope");
    QTRY_VERIFY(QFile::exists(path("started")));
    m_fake.reset();
    QVERIFY(QFile::exists(path("trace")));
}

void TestWindowSweep::anUnfinishedFileIsResumed()
{
    SampleSweep sweep;
    sweep.rounds = 2;
    sweep.complete = false;
    const QString file = written("a.jscope", sweep);
    SampleSweep whole;
    const QString source = written("whole.jscope", whole);
    childDoes(QStringLiteral("cp '%1' \"$out\"").arg(source));
    open(file);
    QTest::mouseClick(page().findChild<QPushButton *>(QStringLiteral("resume")), Qt::LeftButton);
    QTRY_VERIFY(page().report()->isComplete());
    QCOMPARE(argumentsOfChild(), QStringLiteral("sweep --json --progress --out %1 --resume").arg(file));
    QTRY_VERIFY(isOpen());
}

void TestWindowSweep::whatAFileNamesIsOpenedOnlyIfAllowed()
{
    SampleSweep sweep;
    sweep.rounds = 2;
    sweep.complete = false;
    const QString file = written("a.jscope", sweep);
    const QString source = QStringLiteral("gst:videotestsrc ! tee name=t ! filesink location=/tmp/x t.");
    {
        Database database = Database::open(file.toStdString(), Database::Access::ReadWrite).value();
        QVERIFY(database.run("UPDATE sweep SET value = '" + source.toStdString() + "' WHERE name = 'source'").ok());
    }
    childDoes(QStringLiteral("exit 0"));
    open(file);
    QTest::mouseClick(page().findChild<QPushButton *>(QStringLiteral("resume")), Qt::LeftButton);
    QVERIFY2(window().messages()->text().contains(source), qPrintable(window().messages()->text()));
    QVERIFY(isOpen()); // Nothing was started.
    for (QPushButton *button : window().messages()->findChildren<QPushButton *>())
        if (button->text() == QStringLiteral("Resume with it"))
            QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(argumentsOfChild().contains(QStringLiteral("--resume --source ") + source));
    QTRY_VERIFY(isOpen());
}

void TestWindowSweep::withoutAPipelineNothingIsMeasured()
{
    openWindow();
    window().trace().opener().open(written("a.jscope"));
    QTRY_COMPARE(cells().rowCount(), 4);
    QVERIFY(!window().actions().sweep->isEnabled());
    QVERIFY(window().actions().sweep->toolTip().contains(QStringLiteral("open pipeline")));
    window().actions().tune->trigger(); // The dialog says it.
    const auto *dialog = window().findChild<TuneDialog *>();
    QVERIFY(!dialog->startButton()->isEnabled());
    QVERIFY(dialog->startButton()->toolTip().contains(QStringLiteral("open pipeline")));
}

void TestWindowSweep::theSearchShowsItsStepsAndItsResultIsUsed()
{
    const QString first = QStringLiteral(
        R"-({"event":"step","what":"memory","tries":[{"change":"memory: pinned → zero-copy","outcome":"12.0 % shorter )-"
        R"-(period (-12.9 to -11.1 %)","won":true,"shown":true},{"change":"memory: pinned → pageable",)-"
        R"-("outcome":"set aside after 2 turns","won":false}]})-");
    const QString last = QStringLiteral(R"({"event":"step","what":"final","tries":[{"change":"sync: event → stream",)"
                                        R"("outcome":"no result after 2 turns","won":true,"shown":false}]})");
    const QString result = QStringLiteral(
        R"({"best":{"memory":"zero-copy","output":"eglimage","sync":"event","wait":"spin","cpu_stage":"off",)"
        R"("filters":"gaussian5,sobel","frames_in_flight":3,"streams":1},"result":"memory: pinned → zero-copy: 12.0 % )"
        R"(shorter period, checked by turns","measured":7,"combinations":80,"reason":"Nothing else is expected."})");
    childDoes(QStringLiteral("echo '%1'\necho '%2'\n").arg(first, last) + waitFor(path("go"))
              + QStringLiteral("echo '%1'").arg(result));
    window().actions().tune->trigger();
    auto *dialog = window().findChild<TuneDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_COMPARE(dialog->steps()->topLevelItemCount(), 3);
    QVERIFY(!dialog->useButton()->isEnabled());
    QVERIFY(dialog->steps()->topLevelItem(0)->text(1).startsWith(QStringLiteral("★")));
    QCOMPARE(dialog->steps()->topLevelItem(0)->text(2), QStringLiteral("12.0 % shorter period (-12.9 to -11.1 %)"));
    QVERIFY(dialog->steps()->topLevelItem(2)->text(1).startsWith(QStringLiteral("→"))); // Ahead, and not shown to be.
    QCOMPARE(window().session().phase(), Session::Phase::Held);
    make(path("go"));
    QTRY_VERIFY(dialog->useButton()->isEnabled());
    QVERIFY2(dialog->status().contains(QStringLiteral("7 of 80")), qPrintable(dialog->status()));
    QVERIFY(argumentsOfChild().contains(QStringLiteral("--time 60 --from memory=")));
    // At once, although the pipeline may still be opening.
    QTest::mouseClick(dialog->useButton(), Qt::LeftButton);
    QTRY_VERIFY(isOpen());
    QTRY_COMPARE(window().session().wanted().memory, MemoryKind::ZeroCopy);
    QCOMPARE(window().session().wanted().framesInFlight, 3);
    QCOMPARE(window().session().wanted().wait, WaitPolicy::Spin);
    QTRY_VERIFY(!m_fake->pipeline().changes.empty());
}

void TestWindowSweep::aSearchThatFailsIsSaid()
{
    childDoes(QStringLiteral("echo 'jetscope: the camera is busy: close the other program.' >&2\nexit 1"));
    window().actions().tune->trigger();
    auto *dialog = window().findChild<TuneDialog *>();
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_VERIFY(isOpen());
    QCOMPARE(dialog->status(), QStringLiteral("The search failed: the camera is busy: close the other program."));
    QVERIFY(!dialog->useButton()->isEnabled());
    QVERIFY(dialog->startButton()->isEnabled());
}

void TestWindowSweep::anExperimentShowsItsFiguresAndItsConclusion()
{
    const QString result = QStringLiteral(
        R"({"experiment":"wait-policy","device":"a <GPU>","question":"?","varies":"v","teaches":"Spinning costs a core.",)"
        R"("rounds":10,"variants":[{"name":"a wait that spins","figures":[{"column":"latency","unit":"us","value":12.34,)"
        R"("at_least":12,"at_most":13}]},{"name":"a wait that blocks","figures":[{"column":"latency",)"
        R"("unavailable":"the device has none"}]}],"conclusions":[{"text":"a wait that spins is 40 % shorter"}]})");
    childDoes(QStringLiteral("echo '{\"event\":\"progress\",\"progress\":0.5,\"rounds\":4}'\n") + waitFor(path("go"))
              + QStringLiteral("echo '%1'").arg(result));
    window().actions().experiments->trigger();
    auto *dialog = window().findChild<ExperimentDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    dialog->names()->setCurrentIndex(dialog->names()->findData(QStringLiteral("wait-policy")));
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_COMPARE(dialog->status(), QStringLiteral("4 rounds measured"));
    QCOMPARE(window().session().phase(), Session::Phase::Held);
    make(path("go"));
    QTRY_VERIFY(isOpen());
    const QString text = dialog->result()->toPlainText();
    for (const char *part : {"a <GPU>", "12.34 us ±5 %", "the device has none", "40 % shorter", "costs a core"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    QVERIFY(argumentsOfChild().startsWith(QStringLiteral("experiment wait-policy --json --progress --device ")));
    QVERIFY(dialog->startButton()->isEnabled() && dialog->status().isEmpty());
}

namespace {

/// One row that failed and one that passed.
VerifyReport sampleVerification()
{
    VerifyReport report;
    report.machine.device = "cuda:0, <Orin>";
    report.rows = {
        {"sync.cuda-to-gl", "GL waits for CUDA", "EGL_NV_cuda_event", "the sync is signalled later",
         failed("GL did not wait: 3 of 9 bytes are wrong"), 1.5},
        {"filters.bytes", "filters give the bytes of the reference", "OpenCV", "the same bytes", passed(), 0.5}};
    report.rows[1].result.facts = {{"blur", "0 wrong bytes", "0 <wrong> bytes", Agreement::Yes}};
    return report;
}

QString inOneLine(const VerifyReport &report)
{
    return toQString(verifyJson(report)).remove(u'\n');
}

QStringList rowsOf(const QTreeWidget &tree)
{
    QStringList rows;
    for (int i = 0; i < tree.topLevelItemCount(); ++i) {
        const QTreeWidgetItem *group = tree.topLevelItem(i);
        if (group->isHidden())
            continue;
        rows += group->text(0);
        for (int row = 0; row < group->childCount(); ++row)
            rows += group->child(row)->text(0);
    }
    return rows;
}

} // namespace

void TestWindowSweep::aVerificationShowsItsRows()
{
    const VerifyReport report = sampleVerification();
    childDoes(QStringLiteral("echo '{\"event\":\"progress\",\"progress\":0.5,\"check\":\"filters.bytes\","
                             "\"index\":1,\"count\":2}'\necho '{\"event\":\"row\",\"row\":%1}'\n")
                  .arg(toQString(verifyRowJson(report.rows[1])))
              + waitFor(path("go")) + QStringLiteral("echo '%1'\nexit 1\n").arg(inOneLine(report)));
    window().actions().verify->trigger();
    auto *dialog = window().findChild<VerifyDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(!dialog->saveButton()->isEnabled());
    QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
    QTRY_COMPARE(rowsOf(*dialog->rows()), QStringList({"Passed: 1", "filters.bytes"}));
    QCOMPARE(dialog->status(), QStringLiteral("filters.bytes, 2 of 2"));
    QCOMPARE(window().session().phase(), Session::Phase::Held);
    make(path("go"));
    QTRY_VERIFY(isOpen());
    QCOMPARE(rowsOf(*dialog->rows()), QStringList({"Failed: 1", "sync.cuda-to-gl", "Passed: 1", "filters.bytes"}));
    QCOMPARE(dialog->status(), QStringLiteral("1 passed, 1 failed, 0 not possible here."));
    QVERIFY(argumentsOfChild().startsWith(QStringLiteral("verify --json --progress --device ")));
    // What failed is shown at once.
    QString text = dialog->details()->toPlainText();
    for (const char *part : {"GL waits for CUDA", "EGL_NV_cuda_event", "3 of 9 bytes are wrong"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    dialog->rows()->setCurrentItem(dialog->rows()->topLevelItem(2)->child(0));
    text = dialog->details()->toPlainText();
    QVERIFY2(text.contains(QStringLiteral("0 <wrong> bytes")), qPrintable(text));
    m_fake->chosenPath = path("rows.json");
    QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
    QCOMPARE(readVerifyReport(path("rows.json").toStdString()).value().rows.size(), std::size_t{2});
}

void TestWindowSweep::theFileOfAVerificationIsOpened()
{
    QFile file(path("board.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(verifyJson(sampleVerification())));
    file.close();
    open(file.fileName()); // As any other file.
    QTRY_VERIFY(window().findChild<VerifyDialog *>());
    auto *dialog = window().findChild<VerifyDialog *>();
    QVERIFY(dialog->isVisible());
    QCOMPARE(rowsOf(*dialog->rows()), QStringList({"Failed: 1", "sync.cuda-to-gl", "Passed: 1", "filters.bytes"}));
    dialog->rows()->setCurrentItem(nullptr);
    QVERIFY(dialog->details()->toPlainText().contains(QStringLiteral("cuda:0, <Orin>")));
    QVERIFY(file.open(QIODevice::WriteOnly)); // Damaged meanwhile.
    file.write("{\"format\":\"jetscope-verify-1\"");
    file.close();
    m_fake->chosenPath = file.fileName();
    QTest::mouseClick(dialog->openButton(), Qt::LeftButton);
    QVERIFY2(dialog->status().contains(QStringLiteral("the JSON cannot be read")), qPrintable(dialog->status()));
    QCOMPARE(dialog->rows()->topLevelItem(0)->childCount(), 1); // What was shown stays.
}

void TestWindowSweep::aReportIsWrittenAndOffered()
{
    QVERIFY(!window().actions().report->isEnabled());
    open(written("a.jscope"));
    QVERIFY(window().actions().report->isEnabled());
    for (const char *name : {"a.html", "a.md", "a.csv"}) {
        m_fake->chosenPath = path(name);
        QTest::mouseClick(page().findChild<QPushButton *>(QStringLiteral("report")), Qt::LeftButton);
        QTRY_VERIFY(window().messages()->text().contains(QString::fromLatin1(name)));
        QFile report(path(name));
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(report.readAll().contains("pinned"));
    }
    auto *offer = window().messages()->findChild<QPushButton *>();
    QCOMPARE(offer->text(), QStringLiteral("Open it"));
    m_fake->showsFiles = false;
    QTest::mouseClick(offer, Qt::LeftButton);
    QCOMPARE(m_fake->shownFiles, QStringList(path("a.csv")));
    QVERIFY(window().messages()->text().contains(QStringLiteral("by hand")));
}

void TestWindowSweep::aReportOfACaptureIsWritten()
{
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    m_fake->chosenPath = path("run.jscope");
    QTest::keyClick(&window(), Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().startsWith(QStringLiteral("Written to")));
    open(path("run.jscope"));
    QTRY_VERIFY(window().session().phase() == Session::Phase::File);
    QVERIFY(window().actions().report->isEnabled());
    m_fake->chosenPath = path("run"); // Without an ending.
    window().actions().report->trigger();
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("run.html")));
    QFile report(path("run.html"));
    QVERIFY(report.open(QIODevice::ReadOnly));
    QVERIFY(report.readAll().contains("Critical path"));
}

void TestWindowSweep::reportsThatCannotBeWrittenAreSaid()
{
    open(written("a.jscope"));
    m_fake->chosenPath = path("a.pdf");
    window().actions().report->trigger();
    QVERIFY2(window().messages()->text().contains(QStringLiteral(".html, .md or .csv")),
             qPrintable(window().messages()->text()));
    m_fake->chosenPath = path("missing/a.html");
    window().actions().report->trigger();
    QTRY_VERIFY(window().messages()->text().startsWith(QStringLiteral("The report was not written")));
    QVERIFY(QFile::remove(path("a.jscope")));
    m_fake->chosenPath = path("b.html");
    window().messages()->hide();
    window().actions().report->trigger();
    QTRY_VERIFY(window().messages()->text().startsWith(QStringLiteral("The report was not written")));
    QVERIFY(!QFile::exists(path("b.html")));
}

JETSCOPE_TEST(TestWindowSweep)
#include "tst_windowsweep.moc"
