// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Sweeps in the window: opening their files, measuring in a child process, the search for the best choices, reports.
// The child is a script that says what the program would say.
#include "core/system/database.h"
#include "tests/support/samplesweep.h"
#include "tests/support/testprogram.h"
#include "tests/ui/window/measuringwindow.h"
#include "ui/files/tracefilepage.h"
#include "ui/measure/heatsigns.h"
#include "ui/measure/heatview.h"
#include "ui/measure/sweepdialog.h"
#include "ui/measure/sweeppage.h"
#include "ui/measure/sweeppicker.h"
#include "ui/measure/tunedialog.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/errorpage.h"

#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTest>

using namespace jetscope;
using jetscope::testing::SampleSweep;

class TestWindowSweep : public QObject, private MeasuringWindow {
    Q_OBJECT
private slots:
    void init() { MeasuringWindow::init(); }
    void cleanup() { MeasuringWindow::cleanup(); }
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
    void aReportIsWrittenAndOffered();
    void aReportOfACaptureIsWritten();
    void reportsThatCannotBeWrittenAreSaid();

private:
    SweepPage &page() { return *window().live().sweep(); }
    HeatModel &cells() { return page().heatMap()->cells(); }
    QString written(const char *name, const SampleSweep &sweep = {}) const
    {
        sweep.write(path(name));
        return path(name);
    }
    void startSweep(const char *name);
};

namespace {

const char *const kProgressLine =
    R"(echo '{"event":"progress","progress":0.5,"round":3,"rounds":5,"stretches_left":18,"seconds_left":65,"seconds_needed":null}')";

} // namespace

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
