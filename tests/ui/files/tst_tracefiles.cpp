// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/tracefile/tracefilewriter.h"
#include "tests/support/fakewindow.h"
#include "tests/support/quietprogress.h"
#include "tests/support/samplefiles.h"
#include "tests/support/testprogram.h"
#include "tests/support/teststep.h"
#include "ui/files/tracefilepage.h"
#include "ui/files/workbar.h"
#include "ui/live/controlspanel.h"
#include "ui/live/videoview.h"
#include "ui/selection/pathbar.h"
#include "ui/session/traceselection.h"
#include "ui/style/headline.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/frametip.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/droptarget.h"
#include "ui/window/figuresbar.h"
#include "ui/window/tracepanels.h"
#include "ui/window/tracestart.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

/// Recording, opening, saving and exporting from the window.
class TestTraceFiles : public QObject {
    Q_OBJECT
private slots:
    void oneIsSingular();
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void cleanup();
    void recordsByKeyAndOpensWhatItRecorded();
    void asksWhatStandsForAFrame();
    void suggestsANameInTheLastFolder();
    void thinkingBetterOfItDoesNothing();
    void endsTheRecordingWithThePipeline();
    void aFileHasAWorkspaceOfItsOwn();
    void aCaptureShowsItsOwnChoices();
    void aFileHasAVerdictAndAPath();
    void aFileOfTooFewFramesSaysSo();
    void whatCannotBeOpenedLeavesTheWindowAsItIs();
    void startsWithoutAPipeline();
    void whatCannotBeOpenedAtTheStartIsSaid();
    void exportsTheWholeAndTheSelection();
    void savesWhatIsThere();
    void whatKilledProgramsLeftIsMovedAway_data();
    void whatKilledProgramsLeftIsMovedAway();
    void savesAPicture();
    void updatesComeAfterTheWriting();
    void longWorkCanBeCancelled();
    void filesCanBeDropped();
    void keepsPicturesOfFrames();

private:
    MainWindow &window() { return m_fake->window(); }
    const Trace &trace() { return window().session().trace(); }
    QString path(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    void key(int key, Qt::KeyboardModifiers modifiers) { QTest::keyClick(&window(), Qt::Key(key), modifiers); }
    void run(std::uint32_t first, std::uint32_t frames);
    void open(const QString &path);
    static Result<OpenedTrace> read(const QString &path);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

void TestTraceFiles::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
}

void TestTraceFiles::cleanup()
{
    m_fake.reset();
}

void TestTraceFiles::run(std::uint32_t first, std::uint32_t frames)
{
    scriptFrames(m_fake->pipeline(), first, frames);
    m_fake->poll();
}

void TestTraceFiles::open(const QString &path)
{
    m_fake->chosenPath = path;
    key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
}

Result<OpenedTrace> TestTraceFiles::read(const QString &path)
{
    QuietProgress quiet;
    return openTrace(path.toStdString(), quiet);
}

void TestTraceFiles::recordsByKeyAndOpensWhatItRecorded()
{
    run(0, 30);
    m_fake->chosenPath = path("a.jscope");
    key(Qt::Key_R, Qt::ControlModifier);
    QVERIFY2(window().files().recorder().isRecording(), qPrintable(window().messages()->text()));
    QCOMPARE(window().actions().record->text(), QStringLiteral("Stop"));
    const auto *label = window().findChild<QLabel *>(QStringLiteral("recording"));
    QVERIFY(label->isVisible());
    QVERIFY(label->text().contains(QStringLiteral("0:00")));
    run(30, 60);
    m_fake->pipeline().notice(PipelineNotice::Kind::Switched, "sync: finish → eglsync", 80, trace().newestNs());
    m_fake->poll();
    key(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Recorded to")));
    QVERIFY(!label->isVisible());
    QCOMPARE(window().actions().record->text(), QStringLiteral("Record"));

    // A click opens the recording: it contains only data from the time of recording.
    for (QPushButton *button : window().messages()->findChildren<QPushButton *>())
        if (button->text() == QStringLiteral("Open it"))
            QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(window().session().phase() == Session::Phase::File);
    QCOMPARE(trace().frames().at(trace().frames().firstIndex()).frame, 30u);
    QCOMPARE(trace().spanCount(), std::uint64_t(60 * 11));
    // Figures of the whole recording.
    QCOMPARE(window().session().figures().frames, std::size_t(60));
    QCOMPARE(window().figures()->text(FiguresBar::OverlapRatio), QStringLiteral("74 %"));
    QCOMPARE(window().figures()->text(FiguresBar::Dropped), QStringLiteral("0"));
    QCOMPARE(trace().marks().all().size(), std::size_t(1));
    QCOMPARE(trace().origin().device, std::string("software iGPU (orin rules) on a test CPU"));
}

void TestTraceFiles::asksWhatStandsForAFrame()
{
    // Traces of Bazel and PyTorch are not taken for videos.
    for (const char *name : {"command.profile.gz", "host.pt.trace.json.gz", "a.json.zst", "B.JSON", "c.sqlite"})
        QVERIFY2(isTraceName(QLatin1String(name)), name);
    for (const char *name : {"a.mp4", "gz", "json"})
        QVERIFY2(!isTraceName(QLatin1String(name)), name);
    QByteArray json = "[";
    for (int i = 0; i < 6; ++i)
        json += R"({"ph":"X","ts":)" + QByteArray::number(i * 100) + R"(,"dur":90,"name":"iteration )"
            + QByteArray::number(i) + R"("},{"ph":"X","ts":)" + QByteArray::number(i * 100)
            + R"(,"dur":10,"name":"part"},)";
    QFile file(path("other.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) == json.size());
    file.close();
    const auto press = [this] {
        auto *button = window().trace().findChild<QPushButton *>(QStringLiteral("chooseFrames"));
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(!window().trace().opener().job().isRunning());
    };
    window().trace().opener().open(path("other.json"));
    QTRY_VERIFY2(window().session().phase() == Session::Phase::File, qPrintable(window().messages()->text()));
    const auto isNoted = [this](const char *text) {
        return window().trace().filePage()->text().contains(QLatin1String(text));
    };
    QVERIFY(window().messages()->text().isEmpty()); // Nothing covers the timeline.
    QVERIFY2(isNoted("6 frames are guessed"), qPrintable(window().trace().filePage()->text()));
    QVERIFY2(isNoted("events: 12 read, 12 shown, 0 left out"), qPrintable(window().trace().filePage()->text()));
    const auto *notes = window().trace().findChild<QPushButton *>(QStringLiteral("traceNotes"));
    QVERIFY(notes->isVisible() && notes->text().startsWith(QStringLiteral("events: 12 read")));
    QCOMPARE(trace().frames().endIndex(), std::uint64_t(6));
    m_fake->chosenText.clear(); // The user cancels.
    JETSCOPE_STEP(press());
    QCOMPARE(m_fake->offeredTexts, (QStringList{QStringLiteral("iteration"), QStringLiteral("part")}));
    QCOMPARE(trace().frames().endIndex(), std::uint64_t(6));
    m_fake->chosenText = QStringLiteral("iteration");
    JETSCOPE_STEP(press());
    QTRY_COMPARE(trace().frames().endIndex(), std::uint64_t(6));
    QVERIFY2(isNoted("6 frames are taken"), qPrintable(window().trace().filePage()->text()));
    // The user can choose another name.
    m_fake->chosenText = QStringLiteral("part");
    JETSCOPE_STEP(press());
    QTRY_COMPARE(trace().frames().at(0).periodNs(), std::int64_t(10'000));
    // What is no trace is refused by name, and what was open stays.
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate)
            && file.write(R"({"Layers":["conv"],"Bindings":["images"]})") > 0);
    file.close();
    window().trace().opener().open(path("other.json"));
    QTRY_VERIFY2(window().messages()->text().contains(QStringLiteral("--exportLayerInfo")),
                 qPrintable(window().messages()->text()));
    QCOMPARE(trace().frames().endIndex(), std::uint64_t(6));
}

void TestTraceFiles::suggestsANameInTheLastFolder()
{
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Ignore);
    QVERIFY(m_fake->open());
    m_fake->chosenPath = path("named"); // The suffix is added.
    window().actions().record->trigger();
    QVERIFY(window().files().recorder().isRecording());
    QCOMPARE(window().files().recorder().path(), path("named.jscope"));
    QVERIFY(m_fake->suggestedPath.contains(QStringLiteral("jetscope-20")));
    QVERIFY(m_fake->suggestedPath.endsWith(QStringLiteral(".jscope")));
}

void TestTraceFiles::thinkingBetterOfItDoesNothing()
{
    run(0, 10);
    m_fake->chosenPath.clear();
    for (QAction *action :
         {window().actions().record, window().actions().open, window().actions().save, window().actions().exportChrome,
          window().actions().exportFrames, window().actions().exportPicture})
        action->trigger();
    QVERIFY(!window().files().recorder().isRecording());
    QVERIFY(!window().files().job().isRunning());
    QVERIFY(window().session().isLive());
}

void TestTraceFiles::endsTheRecordingWithThePipeline()
{
    m_fake->chosenPath = path("b.jscope");
    key(Qt::Key_R, Qt::ControlModifier);
    run(0, 20);
    QVERIFY(m_fake->open()); // Opens another pipeline.
    QVERIFY(!window().files().recorder().isRecording());
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Recorded to")));
    auto result = read(path("b.jscope"));
    QVERIFY(result.ok());
    QCOMPARE(result.value().trace.spanCount(), std::uint64_t(20 * 11));
}

void TestTraceFiles::aFileHasAWorkspaceOfItsOwn()
{
    run(0, 30);
    m_fake->chosenPath = path("c.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Written to")));
    open(path("c.jscope"));
    QCOMPARE(window().space(), MainWindow::Space::Trace);
    QVERIFY(window().session().phase() == Session::Phase::File);
    const TraceFilePage *page = window().trace().filePage();
    for (const char *part : {"c.jscope", "software iGPU (orin rules) on a test CPU", "330"})
        QVERIFY2(page->text().contains(QLatin1String(part)), part);
    QVERIFY(!window().live().controls()->isVisible()); // Nothing is shown as chosen that is not of the file.
    QVERIFY(!window().live().video()->isVisible());
    QVERIFY(!window().actions().pause->isEnabled());
    QVERIFY(window().actions().pause->toolTip().contains(QStringLiteral("Alt+1")));
    QVERIFY(window().windowTitle().startsWith(QStringLiteral("c.jscope")));
    QVERIFY(!window().timeline()->isFollowing());
    // The pipeline went on meanwhile, with everything that it had.
    QCOMPARE(m_fake->pipelinesDestroyed.load(), 0);
    run(30, 10);
    key(Qt::Key_1, Qt::AltModifier);
    QVERIFY(window().session().phase() == Session::Phase::Open);
    QVERIFY(window().live().controls()->isVisible());
    QVERIFY(window().actions().pause->toolTip().contains(QStringLiteral("Space")));
    QCOMPARE(trace().spanCount(), std::uint64_t(440));
    QVERIFY(window().timeline()->isFollowing());
    QCOMPARE(window().windowTitle(), QStringLiteral("Jetscope"));
    // And so does the file.
    key(Qt::Key_2, Qt::AltModifier);
    QCOMPARE(trace().spanCount(), std::uint64_t(330));
}

/// As a table: nothing of them can be changed, and the choices of the pipeline stay what they are.
void TestTraceFiles::aCaptureShowsItsOwnChoices()
{
    const auto isChosen = [this](const char *value) {
        const auto *button = window().live().controls()->findChild<QAbstractButton *>(QLatin1String(value));
        return button && button->isChecked();
    };
    const auto tableSays = [this](const char *label) {
        return window().trace().filePage()->text().contains(QStringLiteral("<td>%1</td>").arg(QLatin1String(label)));
    };
    const PipelineConfig live = window().session().wanted();
    PipelineConfig recorded = live;
    recorded.cpuStage = CpuStagePlacement::Pipelined;
    recorded.sync = SyncMode::Finish;
    QVERIFY(TraceFileWriter::create(path("recorded.jscope").toStdString(), traceFileHeader({}, {}, recorded)).ok());
    open(path("recorded.jscope"));
    QVERIFY(window().session().phase() == Session::Phase::File);
    QVERIFY2(tableSays("Previous result, pipelined") && tableSays("Finish"),
             qPrintable(window().trace().filePage()->text()));
    QVERIFY(!isChosen("pipelined") && !isChosen("finish"));
    QVERIFY(window().live().session().wanted() == live);

    // A live trace that is saved contains them, too.
    window().showSpace(MainWindow::Space::Live);
    window().session().change(recorded);
    m_fake->pipeline().accept();
    m_fake->poll();
    run(0, 30);
    m_fake->chosenPath = path("saved.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Written to")));
    window().session().change(live);
    m_fake->pipeline().accept();
    m_fake->poll();
    open(path("saved.jscope"));
    QVERIFY(tableSays("Previous result, pipelined") && tableSays("Finish") && !isChosen("pipelined"));
    QVERIFY(!window().session().trace().facts().empty()); // Of the device.
}

void TestTraceFiles::aFileHasAVerdictAndAPath()
{
    run(0, 40);
    const PathSummary live = window().session().path();
    QVERIFY(!live.empty());
    m_fake->chosenPath = path("a.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!window().files().job().isRunning());
    open(path("a.jscope"));
    QCOMPARE(window().session().phase(), Session::Phase::File);
    // The largest share of the path is the same after writing and reading.
    const PathSummary &read = window().session().path();
    QVERIFY(!read.empty());
    QCOMPARE(read.shares.front().what, live.shares.front().what);
    const QString percent = QStringLiteral("%1 %").arg(qRound(read.shares.front().share * 100));
    QVERIFY2(window().shown().head().verdictText().contains(percent),
             qPrintable(window().shown().head().verdictText()));
    const TraceFilePage *page = window().trace().filePage();
    QVERIFY2(page->text().contains(pathSentence(live)), qPrintable(page->text()));
}

void TestTraceFiles::aFileOfTooFewFramesSaysSo()
{
    run(0, 2);
    m_fake->chosenPath = path("a.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!window().files().job().isRunning());
    open(path("a.jscope"));
    QCOMPARE(window().shown().head().verdictText(), QStringLiteral("There are too few complete frames for a verdict."));
    QVERIFY(writeChromeTrace(path("profile.json")));
    open(path("profile.json"));
    QCOMPARE(window().shown().head().verdictText(),
             QStringLiteral("This trace has no frames; Where tells what its time went for."));
}

void TestTraceFiles::whatCannotBeOpenedLeavesTheWindowAsItIs()
{
    run(0, 30);
    QFile file(path("no.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("this is no trace");
    file.close();
    for (const char *name : {"no.json", "missing.jscope"}) {
        open(path(name));
        QVERIFY2(window().messages()->text().contains(QStringLiteral("could not be opened")), name);
        QVERIFY(window().session().phase() == Session::Phase::Open);
        QCOMPARE(trace().spanCount(), std::uint64_t(330));
    }
    run(30, 10);
    QCOMPARE(trace().spanCount(), std::uint64_t(440));
}

void TestTraceFiles::startsWithoutAPipeline()
{
    run(0, 30);
    m_fake->chosenPath = path("d.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(QFileInfo::exists(path("d.jscope")) && !window().files().job().isRunning());
    m_fake = std::make_unique<FakeWindow>();
    window().show();
    window().trace().opener().open(path("d.jscope"));
    QTRY_VERIFY(window().session().phase() == Session::Phase::File);
    QVERIFY(m_fake->requests.empty());
    QCOMPARE(trace().spanCount(), std::uint64_t(330));
}

void TestTraceFiles::whatCannotBeOpenedAtTheStartIsSaid()
{
    m_fake = std::make_unique<FakeWindow>();
    window().show();
    window().trace().opener().open(path("missing.jscope"));
    QTRY_VERIFY(window().session().phase() == Session::Phase::Failed);
    const auto *page = window().findChild<TraceStart *>();
    QVERIFY(page->isVisible());
    QVERIFY(page->accessibleDescription().contains(QStringLiteral("missing.jscope")));
    bool named = false;
    for (const QLabel *label : page->findChildren<QLabel *>())
        named = named || label->text() == QStringLiteral("The file could not be opened");
    QVERIFY(named);
}

void TestTraceFiles::exportsTheWholeAndTheSelection()
{
    run(0, 30);
    const auto exportTo = [this](const char *name, Qt::KeyboardModifiers modifiers) {
        m_fake->chosenPath = path(name);
        key(Qt::Key_E, modifiers);
        QTRY_VERIFY(window().messages()->text().contains(QLatin1String(name)));
    };
    JETSCOPE_STEP(exportTo("all.json", Qt::ControlModifier));
    JETSCOPE_STEP(exportTo("all.csv", Qt::ControlModifier | Qt::ShiftModifier));
    window().tracePanels().selection().selectFrame(7);
    JETSCOPE_STEP(exportTo("seven.json", Qt::ControlModifier));
    JETSCOPE_STEP(exportTo("seven.csv", Qt::ControlModifier | Qt::ShiftModifier));
    QCOMPARE(read(path("all.json")).value().trace.spanCount(), std::uint64_t(330));
    const std::uint64_t few = read(path("seven.json")).value().trace.spanCount();
    QVERIFY2(few >= 11 && few < 22, qPrintable(QString::number(few)));
    QCOMPARE(contentOf(path("all.csv")).trimmed().count('\n'), 30); // Plus a header line.
    QCOMPARE(contentOf(path("seven.csv")).trimmed().count('\n'), 1);
}

void TestTraceFiles::savesWhatIsThere()
{
    run(0, 30);
    QFile old(path("old.jscope"));
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write("something that the dialog was told may go");
    old.close();
    m_fake->chosenPath = path("old.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Written to")));
    QCOMPARE(read(path("old.jscope")).value().trace.spanCount(), std::uint64_t(330));
    m_fake->chosenPath = QStringLiteral("/proc/nowhere/x.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("could not be written")));
}

void TestTraceFiles::whatKilledProgramsLeftIsMovedAway_data()
{
    QTest::addColumn<bool>("isRecording");
    QTest::addColumn<bool>("isThere");
    for (const bool isThere : {false, true}) {
        QTest::addRow("record, %s", isThere ? "with the file" : "without") << true << isThere;
        QTest::addRow("save, %s", isThere ? "with the file" : "without") << false << isThere;
    }
}

void TestTraceFiles::whatKilledProgramsLeftIsMovedAway()
{
    QFETCH(bool, isRecording);
    QFETCH(bool, isThere);
    const QByteArray precious(5000, 'p');
    run(0, 30);
    for (const char *name : {"k.jscope-wal", isThere ? "k.jscope" : "k.jscope-shm"}) {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(precious) == precious.size());
    }
    m_fake->chosenPath = path("k.jscope");
    key(isRecording ? Qt::Key_R : Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY2(window().messages()->text().contains(path("k.jscope-wal")), qPrintable(window().messages()->text()));
    if (isRecording) {
        QVERIFY(window().files().recorder().isRecording());
        run(30, 30);
        key(Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Recorded to")));
    }
    QCOMPARE(read(path("k.jscope")).value().trace.spanCount(), std::uint64_t(330));
    QCOMPARE(contentOf(path("k.jscope-wal.left-over")), precious);
}

void TestTraceFiles::savesAPicture()
{
    run(0, 30);
    m_fake->chosenPath = path("view.png");
    key(Qt::Key_P, Qt::ControlModifier);
    const QImage picture(path("view.png"));
    // Below a line with what it shows.
    QCOMPARE(picture.width(), window().timeline()->width());
    QVERIFY(picture.height() > window().timeline()->height());
    QVERIFY(picture.height() < window().timeline()->height() + 60);
    QGuiApplication::clipboard()->clear();
    key(Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(QGuiApplication::clipboard()->image().size(), picture.size());
    m_fake->chosenPath = QStringLiteral("/proc/nowhere/x.png");
    key(Qt::Key_P, Qt::ControlModifier);
    QVERIFY(window().messages()->text().contains(QStringLiteral("could not be written")));
}

void TestTraceFiles::updatesComeAfterTheWriting()
{
    run(0, 30);
    m_fake->chosenPath = path("e.json");
    key(Qt::Key_E, Qt::ControlModifier);
    QVERIFY(window().files().job().isRunning()); // The event loop delivers the end of the job.
    run(30, 30);
    QCOMPARE(trace().spanCount(), std::uint64_t(330)); // The trace is held for another thread.
    QTRY_VERIFY(!window().files().job().isRunning());
    QCOMPARE(trace().spanCount(), std::uint64_t(660));
    QCOMPARE(trace().frames().endIndex(), std::uint64_t(60));
    QCOMPARE(read(path("e.json")).value().trace.spanCount(), std::uint64_t(330));
}

void TestTraceFiles::longWorkCanBeCancelled()
{
    BackgroundJob &job = window().files().job();
    const auto shownBar = [this]() -> const WorkBar * {
        for (const WorkBar *bar : window().findChildren<WorkBar *>())
            if (bar->isVisible())
                return bar;
        return nullptr;
    };
    QVERIFY(!shownBar());
    bool stopped = false;
    job.start(QStringLiteral("Counting"), [&stopped](OpenProgress &progress) -> std::function<void()> {
        double fraction = 0;
        while (progress.advance(fraction))
            fraction = std::min(0.5, fraction + 1e-6);
        return [&stopped] { stopped = true; };
    });
    const WorkBar *bar = shownBar();
    QVERIFY(bar);
    QTRY_VERIFY(bar->findChild<QProgressBar *>()->value() > 0);
    QFile old(path("x.jscope"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("precious") == 8);
    old.close();
    m_fake->chosenPath = path("x.jscope");
    window().actions().save->trigger(); // Only one job at a time.
    QVERIFY(window().messages()->text().contains(QStringLiteral("Another file")));
    QCOMPARE(contentOf(path("x.jscope")),
             QByteArray("precious")); // Not overwritten.
    QTest::mouseClick(bar->cancelButton(), Qt::LeftButton);
    QTRY_VERIFY(stopped);
    QVERIFY(!bar->isVisible());
}

void TestTraceFiles::filesCanBeDropped()
{
    run(0, 30);
    m_fake->chosenPath = path("f.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(QFileInfo::exists(path("f.jscope")) && !window().files().job().isRunning());
    const auto drop = [this](const QString &path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window(), &enter);
        QVERIFY(enter.isAccepted());
        const auto *target = window().findChild<DropTarget *>(); // What will happen is said before.
        QVERIFY(target->isVisible() && target->text().contains(QFileInfo(path).fileName()));
        QDropEvent event(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window(), &event);
        QVERIFY(!target->isVisible());
    };
    drop(QStringLiteral("/clips/street.avi")); // A video is opened as a source.
    QTRY_COMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t(1));
    QCOMPARE(m_fake->pipeline().sourceChanges.front(), std::string("file:/clips/street.avi"));
    JETSCOPE_STEP(drop(path("f.jscope")));
    QTRY_VERIFY(window().session().phase() == Session::Phase::File);
    QCOMPARE(trace().spanCount(), std::uint64_t(330));
}

void TestTraceFiles::keepsPicturesOfFrames()
{
    m_fake->chosenPath = path("g.jscope");
    key(Qt::Key_R, Qt::ControlModifier);
    QImage picture(640, 360, QImage::Format_RGB32);
    picture.fill(QColor(200, 40, 40));
    QVERIFY(m_fake->showPicture(12, picture));
    run(0, 20); // Now the start of frame 12 is known.
    QTRY_VERIFY((m_fake->poll(), trace().thumbnails().all().size() == 1));
    const Thumbnail &thumbnail = trace().thumbnails().all().front();
    QCOMPARE(thumbnail.frame, 12u);
    QCOMPARE(thumbnail.timeNs, trace().frames().at(12).startNs);
    const QImage decoded = decodeThumbnail(thumbnail);
    QVERIFY(decoded.width() > 100 && decoded.width() < 320);
    QVERIFY(std::abs(decoded.pixelColor(40, 40).red() - 200) < 12);
    key(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Recorded to")));
    QCOMPARE(read(path("g.jscope")).value().trace.thumbnails().all().size(), std::size_t(1));
}

void TestTraceFiles::oneIsSingular()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "Pipeline", ""}});
    Span span;
    span.durationNs = 1'000'000;
    span.name = internName("alone", Category::CpuStage);
    trace.add(std::vector<Span>{span});
    QVERIFY2(traceWords(trace).endsWith(QStringLiteral("1 span on 1 lane")), qPrintable(traceWords(trace)));
    span.startNs = 2'000'000;
    trace.add(std::vector<Span>{span});
    QVERIFY2(traceWords(trace).endsWith(QStringLiteral("2 spans on 1 lane")), qPrintable(traceWords(trace)));
}

JETSCOPE_TEST(TestTraceFiles)
#include "tst_tracefiles.moc"
