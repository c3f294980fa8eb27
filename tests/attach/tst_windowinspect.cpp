// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// "Inspect a program…" in the window, with programs that run.
#include "core/attach/format/attachcalls.h"
#include "core/attach/format/attachformat.h"
#include "core/exchange/opentrace.h"
#include "tests/support/fakewindow.h"
#include "ui/attach/inspectpage.h"
#include "ui/attach/programdialog.h"
#include "ui/style/headline.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/figuresbar.h"
#include "ui/window/tracestart.h"
#include "ui/window/windowinspect.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace jetscope;

class WindowInspectTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void asksAndRemembers();
    void asksForAProgramOfABoard();
    void showsTheCommandForRoot();
    void refusesWhatCannotStart();
    void showsAProgramWhileItRuns();
    void stopsAndContinuesRecording();
    void recordsWhatBeginsInAPause();
    void recordsWhatTheProgramLeaves();
    void readsWhatTheProgramLeaves();
    void killsAProgramThatStays();
    void showsTheScheduler();
    void saysWhyThereIsNoScheduler();
    void asksForHardwareTimes();
    void showsFindings();
    void isUnsureWhereCallsWereLost();
    void saysTheExitCode();
    void endsTheProgramForAFile();
    void goesOnBesideThePipeline();
    void recordsACapture();

private:
    MainWindow &window() { return m_fake->window(); }
    InspectPage &page() { return *window().trace().inspect().page(); }
    InspectionState state() { return window().session().inspection()->state(); }
    void inspect(std::vector<std::string> command, const QString &scheduler = {});
    std::optional<LaneInfo> laneNamed(const QString &part);
    /// Polls the window until something is so.
    bool until(const std::function<bool()> &done);
    ProgramDialog *dialog();
    void type(ProgramDialog &into, const char *field, const QString &text);

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
};

void WindowInspectTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    m_fake = std::make_unique<FakeWindow>();
    m_fake->attachLibrary = ATTACH_LIBRARY;
    QFile::link(PROGRAM_SCHED, QCoreApplication::applicationDirPath() + "/jetscope-sched"); // Where it is looked for.
    window().show();
}

void WindowInspectTest::cleanup()
{
    m_fake.reset();
}

void WindowInspectTest::inspect(std::vector<std::string> command, const QString &scheduler)
{
    ProgramWish wish;
    wish.scheduler = scheduler.toStdString();
    wish.command = std::move(command);
    window().trace().session().inspect(wish);
    QVERIFY(QTest::qWaitFor([this] { return window().session().phase() != Session::Phase::Opening; }));
}

/// The first lane whose name or detail contains this.
std::optional<LaneInfo> WindowInspectTest::laneNamed(const QString &part)
{
    for (const LaneInfo &lane : window().session().trace().lanes())
        if (toQString(lane.name + "\n" + lane.detail).contains(part))
            return lane;
    return std::nullopt;
}

bool WindowInspectTest::until(const std::function<bool()> &done)
{
    return QTest::qWaitFor(
        [&] {
            m_fake->poll();
            return done();
        },
        60'000);
}

ProgramDialog *WindowInspectTest::dialog()
{
    window().actions().inspectProgram->trigger();
    return window().findChild<ProgramDialog *>(QStringLiteral("programDialog"));
}

void WindowInspectTest::type(ProgramDialog &into, const char *field, const QString &text)
{
    into.findChild<QLineEdit *>(QLatin1String(field))->setText(text);
}

void WindowInspectTest::asksAndRemembers()
{
    QTemporaryDir folder;
    QVERIFY(window().actions().all.contains(window().actions().inspectProgram));
    Settings settings(Settings::Use::Normal);
    ProgramDialog first(settings, {}, nullptr);
    QSignalSpy started(&first, &ProgramDialog::started);
    first.findChild<QPushButton *>("startProgram")->click();
    QCOMPARE(started.count(), 0);
    QVERIFY(first.findChild<QLabel *>("programProblem")->text().contains("no program"));
    type(first, "inspect/program", PACED_PROGRAM);
    type(first, "inspect/arguments", "one \"two words\"");
    type(first, "inspect/folder", folder.path());
    auto *environment = first.findChild<QPlainTextEdit *>("inspect/environment");
    environment->setPlainText("nonsense");
    first.findChild<QPushButton *>("startProgram")->click();
    QVERIFY(first.findChild<QLabel *>("programProblem")->text().contains("NAME=value"));
    environment->setPlainText("PACED=a value");
    auto *frames = first.findChild<QComboBox *>("inspect/frames");
    for (const char *way : {"auto", "swap", "nvtx:NAME", "call:NAME"}) // All that is understood.
        QVERIFY2(frames->toolTip().contains(way), way);
    frames->setEditText("call:noSuchCall");
    first.findChild<QPushButton *>("startProgram")->click();
    QVERIFY(first.findChild<QLabel *>("programProblem")->text().contains("noSuchCall"));
    first.findChild<QComboBox *>("inspect/frames")->setEditText("swap");
    first.findChild<QPushButton *>("startProgram")->click();
    QCOMPARE(started.count(), 1);

    ProgramDialog second(settings, {}, nullptr); // Shows it and starts nothing.
    const Result<ProgramWish> wish = second.wish();
    QVERIFY(wish.ok());
    QCOMPARE(wish.value().command, (std::vector<std::string>{PACED_PROGRAM, "one", "two words"}));
    QCOMPARE(wish.value().folder, folder.path().toStdString());
    QCOMPARE(wish.value().environment, (std::vector<std::string>{"PACED=a value"}));
    QCOMPARE(wish.value().frames, "swap");
    window().trace().session().inspect(wish.value());
    QVERIFY(until([this] { return page().output().contains("value a value"); }));
    QVERIFY2(page().output().startsWith("argument one\nargument two words\nfolder " + folder.path()),
             page().output().toUtf8());
}

/// Its paths are typed, and judged there.
void WindowInspectTest::asksForAProgramOfABoard()
{
    Settings settings(Settings::Use::Normal);
    ProgramDialog dialog(settings, {nullptr, nullptr, "orin"}, nullptr);
    QVERIFY(dialog.windowTitle().contains("orin"));
    for (const QPushButton *button : dialog.findChildren<QPushButton *>())
        QVERIFY(!button->text().startsWith("Choose"));
    type(dialog, "inspect/program", "/opt/camera");
    type(dialog, "inspect/scheduler", "/no/such/pipe");
    const auto *command = dialog.findChild<QLabel *>("schedulerCommand");
    QVERIFY2(command->text().contains("of orin") && !command->text().contains("sudo"), command->text().toUtf8());
    QVERIFY(dialog.wish().ok());
    QCOMPARE(dialog.wish().value().scheduler, "/no/such/pipe");
}

void WindowInspectTest::showsTheCommandForRoot()
{
    QTemporaryDir folder;
    const QString pipe = folder.filePath("a pipe");
    Settings settings(Settings::Use::Normal);
    ProgramDialog asked(settings, {}, nullptr);
    QSignalSpy started(&asked, &ProgramDialog::started);
    const auto *command = asked.findChild<QLabel *>("schedulerCommand");
    const auto *problem = asked.findChild<QLabel *>("programProblem");
    asked.show();
    QVERIFY(command->isHidden());
    type(asked, "inspect/program", PACED_PROGRAM);
    asked.findChild<QPushButton *>("usualPipe")->click();
    QVERIFY(asked.findChild<QLineEdit *>("inspect/scheduler")->text().endsWith("/jetscope-sched"));
    type(asked, "inspect/scheduler", pipe);
    const QString expected = "test -e '" + pipe + "' || mkfifo -m 600 '" + pipe + "'; sudo "
        + QCoreApplication::applicationDirPath() + "/jetscope-sched > '" + pipe + "'";
    QCOMPARE(command->text(), expected);
    QCoreApplication::sendPostedEvents();
    QVERIFY(command->isVisible() && command->height() >= command->heightForWidth(command->width()));
    asked.findChild<QPushButton *>("copySchedulerCommand")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), expected);
    asked.findChild<QPushButton *>("startProgram")->click(); // The pipe does not exist yet.
    QVERIFY2(problem->text().contains("cannot be read") && problem->text().contains("in a terminal first"),
             problem->text().toUtf8());
    type(asked, "inspect/scheduler", folder.path());
    asked.findChild<QPushButton *>("startProgram")->click();
    QVERIFY2(problem->text().contains("it is a folder"), problem->text().toUtf8());
    QCOMPARE(started.count(), 0);
    type(asked, "inspect/scheduler", pipe);
    // The command, without root: the pipe is made, and nothing was read from it or written.
    QCOMPARE(QProcess::execute("sh", {"-c", expected.section("; sudo", 0, 0)}), 0);
    asked.findChild<QPushButton *>("startProgram")->click();
    QCOMPARE(started.count(), 1);
    ProgramDialog second(settings, {}, nullptr);
    QVERIFY(second.wish().ok());
    QCOMPARE(second.wish().value().scheduler, pipe.toStdString());
}

void WindowInspectTest::refusesWhatCannotStart()
{
    ProgramDialog *asked = dialog();
    QVERIFY(asked);
    type(*asked, "inspect/program", "/no/such/program");
    type(*asked, "inspect/folder", {});
    asked->findChild<QPushButton *>("startProgram")->click();
    QVERIFY(QTest::qWaitFor([this] { return window().session().phase() == Session::Phase::Failed; }));
    const QString said = toQString(window().session().failure().text);
    QVERIFY2(said.contains("/no/such/program") && said.contains("give the path"), said.toUtf8());
    bool shown = false;
    for (const QLabel *label : window().findChild<TraceStart *>()->findChildren<QLabel *>())
        shown = shown || label->text() == "The program could not be started";
    QVERIFY(shown);
    QCOMPARE(m_fake->requests.size(), 1u);
    QVERIFY(m_fake->open()); // The pipeline is another workspace's.
    QCOMPARE(window().session().phase(), Session::Phase::Open);
    QVERIFY(!m_fake->requests.back().program);
}

void WindowInspectTest::showsAProgramWhileItRuns()
{
    inspect({PACED_PROGRAM});
    QCOMPARE(window().session().phase(), Session::Phase::Inspecting);
    QVERIFY(page().isVisible());
    QVERIFY(until([this] { return window().session().figures().frames > 50; }));
    QVERIFY(!state().end);
    QVERIFY(window().session().trace().spanCount() > 100);
    QVERIFY(window().session().path().frames > 0);
    FiguresBar &figures = *window().figures();
    QVERIFY(figures.text(FiguresBar::Rate).toDouble() > 10);
    QCOMPARE(figures.text(FiguresBar::OverlapRatio), QStringLiteral("–"));
    // The state, which says so, comes four times a second.
    QVERIFY(until([&] { return figures.toolTipOf(FiguresBar::OverlapRatio).contains("GL are not seen"); }));
    QCOMPARE(page().stateText(), "Running");
    // It sleeps between its calls.
    QVERIFY2(window().shown().head().verdictText().endsWith("whether it works or waits there is not seen."),
             window().shown().head().verdictText().toUtf8());
    QVERIFY(!window().actions().step->isEnabled());
    page().findChild<QPushButton *>("stopProgram")->click();
    QVERIFY(until([this] { return state().end.has_value(); }));
    QVERIFY(until([this] { return page().stateText() == "Ended with exit code 42"; }));
    QVERIFY2(page().output().contains("ended as asked"), page().output().toUtf8());
    // What the program counted itself.
    const QString made = page().output().section("made ", 1).section(' ', 0, 0);
    QCOMPARE(state().frames, made.toULongLong());
    // What is kept of the program keeps its lanes and frames.
    const Trace &trace = window().session().trace();
    QVERIFY(std::any_of(trace.tracks().begin(), trace.tracks().end(),
                        [](const SpanTrack &track) { return track.endIndex() > track.firstIndex(); }));
    for (const SpanTrack &track : trace.tracks())
        QVERIFY2(track.lane() < trace.lanes().size(), qPrintable(QString::number(track.lane())));
    QVERIFY(trace.frames().endIndex() > trace.frames().firstIndex());
}

void WindowInspectTest::stopsAndContinuesRecording()
{
    inspect({PACED_PROGRAM});
    QVERIFY(until([this] { return state().frames > 20; }));
    window().actions().pause->trigger();
    QVERIFY(until([this] { return window().session().status().state == PipelineState::Paused; }));
    QVERIFY(until([this] { return page().stateText().startsWith("Running, not recorded"); }));
    const std::int64_t pausedNs = nowNs();
    std::uint64_t before = 0;
    std::int64_t lastNs = 0;
    const auto nothingComes = [&] { // For long beside a frame; what was on its way comes first.
        if (std::exchange(before, state().frames) != before)
            lastNs = nowNs();
        return nowNs() - lastNs > 300'000'000;
    };
    QVERIFY2(until(nothingComes), "frames went on");
    QVERIFY(!state().end);
    window().actions().pause->trigger();
    QVERIFY(until([&] { return state().frames > before + 20; }));
    QVERIFY(until([&] { return window().session().figures().frames > before; }));
    // The pause is in no frame.
    const FrameTable &frames = window().session().trace().frames();
    for (std::uint64_t i = frames.firstIndex(); i < frames.endIndex(); ++i) {
        const FrameFigures frame = frames.at(i);
        QVERIFY(frame.startNs + frame.periodNs() <= pausedNs + 50'000'000 || frame.startNs > pausedNs + 250'000'000);
    }
}

/// A thread whose first call comes in a pause is recorded afterwards.
void WindowInspectTest::recordsWhatBeginsInAPause()
{
    inspect({"sh", "-c", std::string("sleep 1.5; exec '") + PACED_PROGRAM + "'"});
    window().actions().pause->trigger();
    QVERIFY(until([this] { return page().stateText().startsWith("Running, not recorded"); }));
    const std::int64_t pausedNs = nowNs();
    QVERIFY(until([&] { return nowNs() - pausedNs > 3'000'000'000; }));
    QCOMPARE(state().frames, 0U);
    window().actions().pause->trigger();
    QVERIFY(until([this] { return state().frames > 20; }));
}

void WindowInspectTest::recordsWhatTheProgramLeaves()
{
    inspect({"sh", "-c", std::string("'") + PACED_PROGRAM + "' & echo $!; exit 3"});
    QVERIFY(until([this] { return state().frames > 100; }));
    QVERIFY(!state().end);
    QCOMPARE(page().stateText(), "Running");
    page().findChild<QPushButton *>("stopProgram")->click(); // The first process has ended long ago.
    QVERIFY(until([this] { return state().end.has_value(); }));
    QCOMPARE(state().end->exitCode, 3);
    QVERIFY2(page().output().contains("ended as asked"), page().output().toUtf8());
    QVERIFY(until([this] { return window().messages()->text().contains("that it left"); }));
}

/// A server that makes no call goes on when the recording has ended, and is not held up by what it prints.
void WindowInspectTest::readsWhatTheProgramLeaves()
{
    QTemporaryDir folder;
    const QString go = folder.filePath("go");
    const QString done = folder.filePath("done");
    const QString script =
        "(until test -e " + go + "; do sleep 0.05; done; head -c 300000 /dev/zero; touch " + done + ") & exit 3";
    inspect({"sh", "-c", script.toStdString()});
    QVERIFY(until([this] { return state().end.has_value(); }));
    QVERIFY(QFile(go).open(QIODevice::WriteOnly));
    QVERIFY(until([&] { return QFile::exists(done); })); // More than fits into a pipe.
    QVERIFY(until([this] { return state().outputBytes == 300'000; }));
    QCOMPARE(state().end->exitCode, 3);
}

void WindowInspectTest::killsAProgramThatStays()
{
    inspect({PACED_PROGRAM, "stubborn"});
    QVERIFY(until([this] { return state().frames > 5; }));
    auto *stop = page().findChild<QPushButton *>("stopProgram");
    stop->click();
    QVERIFY(until([&] { return stop->text() == "Kill the program"; }));
    stop->click();
    QVERIFY(until([this] { return state().end.has_value(); }));
    QCOMPARE(state().end->signal, SIGKILL);
    QVERIFY(until([this] { return page().stateText() == "Ended by signal 9"; }));
}

namespace {

/// A switch between two threads, as a line of the kernel's trace.
QByteArray switchLine(std::int64_t ns, int from, int to)
{
    return QString("            name-%1      [001] d..2. %2.%3: sched_switch: prev_comm=name prev_pid=%1 prev_prio=120 "
                   "prev_state=S ==> next_comm=other next_pid=%4 next_prio=120\n")
        .arg(from)
        .arg(ns / 1'000'000'000)
        .arg(ns / 1000 % 1'000'000, 6, 10, QChar('0'))
        .arg(to)
        .toUtf8();
}

} // namespace

void WindowInspectTest::showsTheScheduler()
{
    QTemporaryDir folder;
    const QString pipe = folder.filePath("pipe");
    QCOMPARE(mkfifo(pipe.toUtf8().constData(), 0600), 0);
    inspect({PACED_PROGRAM}, pipe);
    QVERIFY(until([this] { return page().factsText().contains("no line of the kernel's trace came from"); }));
    QVERIFY2(page().factsText().contains("Run in a terminal: test -e " + pipe), page().factsText().toUtf8());
    QVERIFY(until([this] { return window().session().figures().frames > 20; }));
    const std::optional<LaneInfo> calls = laneNamed(" · thread ");
    QVERIFY(calls);
    const int thread = toQString(calls->detail).section(" · thread ", 1).toInt();
    QVERIFY(thread > 0);
    std::signal(SIGPIPE, SIG_IGN);
    const int to = ::open(pipe.toUtf8().constData(), O_WRONLY | O_CLOEXEC);
    QVERIFY(to >= 0);
    const std::int64_t ns = nowNs();
    const QByteArray lines = switchLine(ns - 30'000'000, 0, thread) + switchLine(ns - 20'000'000, thread, 0)
        + switchLine(ns - 10'000'000, 0, thread);
    QCOMPARE(::write(to, lines.constData(), static_cast<std::size_t>(lines.size())), ssize_t(lines.size()));
    QVERIFY(until([this] { return laneNamed(", scheduler").has_value(); }));
    const LaneId lane = laneNamed(", scheduler")->id;
    QStringList states;
    QVERIFY(until([&] {
        states.clear();
        for (const SpanTrack &track : window().session().trace().tracks())
            for (std::uint64_t i = track.firstIndex(); track.lane() == lane && i < track.endIndex(); ++i)
                states += toQString(window().session().trace().names().text(track.at(i).name));
        return states.size() == 2;
    }));
    QCOMPARE(states, QStringList({"on a CPU", "blocked"}));
    QVERIFY(!state().end); // Live.
    QVERIFY(until([this] { return page().factsText().contains("Lines of the kernel's trace: 3"); }));
    QVERIFY(!page().factsText().contains("terminal"));
    window().session().inspection()->endProgram();
    QVERIFY(until([this] { return state().end.has_value(); }));
    QCOMPARE(::write(to, "#\n", 2), ssize_t(-1)); // So that jetscope-sched ends, too.
    ::close(to);
}

void WindowInspectTest::saysWhyThereIsNoScheduler()
{
    QTemporaryDir folder;
    inspect({PACED_PROGRAM}, folder.filePath("missing"));
    QCOMPARE(window().session().phase(), Session::Phase::Failed);
    QVERIFY(toQString(window().session().failure().text).contains("cannot be read"));
    QFile refused(folder.filePath("refused"));
    QVERIFY(refused.open(QIODevice::WriteOnly) && refused.write("# error: only root may see it\n") > 0);
    refused.close();
    inspect({PACED_PROGRAM}, refused.fileName());
    QVERIFY(until([this] { return page().factsText().contains("jetscope-sched: only root may see it"); }));
}

void WindowInspectTest::asksForHardwareTimes()
{
    m_fake->hardwareVariables = {"PACED=of the library for hardware times"};
    inspect({PACED_PROGRAM});
    QVERIFY(until([this] { return page().output().contains("value of the library for hardware times"); }));
}

void WindowInspectTest::showsFindings()
{
    inspect({PACED_PROGRAM}); // Each frame has a glFinish, a texture and an image.
    QVERIFY(until([this] { return page().findings().size() == 3; }));
    QCOMPARE(page().findings().filter("glFinish").size(), 1);
    QCOMPARE(page().findings().filter("seen: ").size(), 3);
}

namespace {

/// The memory that this process shares with the program.
jsa_session *sharedMemory()
{
    const QDir files("/proc/self/fd");
    for (const QString &name : files.entryList(QDir::Files | QDir::System))
        if (QFile::symLinkTarget(files.filePath(name)).contains("memfd:jetscope-attach"))
            if (void *bytes =
                    mmap(nullptr, JSA_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, name.toInt(), 0);
                bytes != MAP_FAILED)
                return static_cast<jsa_session *>(bytes);
    return nullptr;
}

} // namespace

void WindowInspectTest::isUnsureWhereCallsWereLost()
{
    inspect({PACED_PROGRAM});
    QVERIFY(until([this] { return page().findings().filter("seen: ").size() == 3; }));
    QVERIFY(!page().factsText().contains("hooked"));
    jsa_session *const session = sharedMemory();
    QVERIFY(session);
    const auto release = qScopeGuard([&] { munmap(session, JSA_FILE_BYTES); });
    session->counts[JSA_CALL_glFinish] = 5; // Of a thread without a ring.
    session->unhooked = 1;
    QVERIFY(until([this] { return page().findings().filter("unknown: ").size() == 3; }));
    QVERIFY(!state().end); // While it runs.
    QVERIFY(page().findings().filter("5 calls were lost and the program got functions").size() == 3);
    QVERIFY(until([this] { return page().factsText().contains("Functions that could not be hooked: 1"); }));
}

void WindowInspectTest::saysTheExitCode()
{
    inspect({"sh", "-c", "echo out; echo err >&2; exit 3"});
    QVERIFY(until([this] { return state().end.has_value(); }));
    QVERIFY(until([this] { return window().messages()->text().contains("exit code 3"); }));
    QCOMPARE(page().output(), "out\nerr\n");
    QVERIFY(until([this] { return page().stateText() == "Ended with exit code 3"; }));
    m_fake->poll(); // Nothing else follows.
    window().actions().retry->trigger();
    QVERIFY(QTest::qWaitFor([this] { return window().session().phase() == Session::Phase::Inspecting; }));
    QCOMPARE(m_fake->requests.size(), 2u);
}

void WindowInspectTest::endsTheProgramForAFile()
{
    inspect({"sh", "-c", "echo $$; exec sleep 1000"});
    QVERIFY(until([this] { return page().output().endsWith('\n'); }));
    const pid_t pid = page().output().trimmed().toInt();
    QVERIFY(pid > 0 && kill(pid, 0) == 0);
    window().trace().session().showTrace(Trace(), std::nullopt);
    QVERIFY(QTest::qWaitFor([pid] { return kill(pid, 0) != 0; }, 60'000));
    QVERIFY(!page().isVisible());
}

void WindowInspectTest::goesOnBesideThePipeline()
{
    inspect({PACED_PROGRAM});
    QVERIFY(m_fake->open());
    QCOMPARE(window().session().phase(), Session::Phase::Open);
    QCOMPARE(window().trace().session().phase(), Session::Phase::Inspecting);
    const std::size_t before = window().trace().session().figures().frames;
    QVERIFY(until([&] { return window().trace().session().figures().frames > before; }));
    QVERIFY(window().actions().step->isEnabled()); // Commands are for what is shown.
    window().showSpace(MainWindow::Space::Trace);
    QVERIFY(!window().actions().step->isEnabled());
    QVERIFY(page().isVisible());
}

void WindowInspectTest::recordsACapture()
{
    QTemporaryDir folder;
    inspect({PACED_PROGRAM});
    const QString path = folder.filePath("a.jscope");
    QVERIFY(window().files().recorder().start(path).ok());
    QSignalSpy stopped(&window().files().recorder(), &Recorder::stopped);
    QVERIFY(until([this] { return state().frames > 30; }));
    window().files().recorder().stop();
    QVERIFY(stopped.wait());
    QCOMPARE(stopped.front()[1].toString(), QString());
    window().trace().opener().open(path);
    QVERIFY(QTest::qWaitFor([this] { return window().session().phase() == Session::Phase::File; }));
    QVERIFY(QTest::qWaitFor([this] { return window().session().trace().spanCount() > 30; }));
    QCOMPARE(window().session().trace().origin().source, std::string(PACED_PROGRAM));
    QVERIFY(!window().session().trace().origin().config);
    QVERIFY(!window().session().request().program); // "Open again" does not start it again.
}

QTEST_MAIN(WindowInspectTest)
#include "tst_windowinspect.moc"
