// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// "Inspect a program…" in the window, with programs that run.
#include "core/tracefile/opentrace.h"
#include "tests/support/fakewindow.h"
#include "ui/inspect/inspectpage.h"
#include "ui/inspect/programdialog.h"
#include "ui/style/text.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/errorpage.h"
#include "ui/window/figuresbar.h"
#include "ui/window/messagebar.h"
#include "ui/window/topbar.h"
#include "ui/window/windowinspect.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace jetscope;

class WindowInspectTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void asksAndRemembers();
    void refusesWhatCannotStart();
    void showsAProgramWhileItRuns();
    void stopsAndContinuesRecording();
    void killsAProgramThatStays();
    void showsFindings();
    void saysTheExitCode();
    void endsTheProgramForAnotherSource();
    void recordsACapture();

private:
    MainWindow &window() { return m_fake->window(); }
    InspectPage &page() { return *window().inspect().page(); }
    InspectionState state() { return window().session().inspection()->state(); }
    void inspect(std::vector<std::string> command);
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
    window().show();
}

void WindowInspectTest::cleanup()
{
    m_fake.reset();
}

void WindowInspectTest::inspect(std::vector<std::string> command)
{
    ProgramWish wish;
    wish.command = std::move(command);
    window().session().inspect(wish);
    QVERIFY(QTest::qWaitFor([this] { return window().session().phase() != Session::Phase::Opening; }));
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
    first.findChild<QComboBox *>("inspect/frames")->setEditText("call:noSuchCall");
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
    window().session().inspect(wish.value());
    QVERIFY(until([this] { return page().output().contains("value a value"); }));
    QVERIFY2(page().output().startsWith("argument one\nargument two words\nfolder " + folder.path()),
             page().output().toUtf8());
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
    for (const QLabel *label : window().findChild<ErrorPage *>()->findChildren<QLabel *>())
        shown = shown || label->text() == "The program could not be started";
    QVERIFY(shown);
    QCOMPARE(m_fake->requests.size(), 1u);
    window().session().changeSource(kDefaultSource); // The way back.
    QVERIFY(QTest::qWaitFor([this] { return window().session().phase() == Session::Phase::Open; }));
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
    FiguresBar &figures = *window().topBar()->figures();
    QVERIFY(figures.text(FiguresBar::Rate).toDouble() > 10);
    QCOMPARE(figures.text(FiguresBar::OverlapRatio), QStringLiteral("–"));
    QVERIFY(figures.toolTipOf(FiguresBar::OverlapRatio).contains("GL are not seen"));
    QCOMPARE(page().stateText(), "Running");
    QVERIFY(!window().actions().step->isEnabled());
    page().findChild<QPushButton *>("stopProgram")->click();
    QVERIFY(until([this] { return state().end.has_value(); }));
    QVERIFY(until([this] { return page().stateText() == "Ended with exit code 42"; }));
    QVERIFY2(page().output().contains("ended as asked"), page().output().toUtf8());
    // What the program counted itself.
    const QString made = page().output().section("made ", 1).section(' ', 0, 0);
    QCOMPARE(state().frames, made.toULongLong());
}

void WindowInspectTest::stopsAndContinuesRecording()
{
    inspect({PACED_PROGRAM});
    QVERIFY(until([this] { return state().frames > 20; }));
    window().actions().pause->trigger();
    QVERIFY(until([this] { return window().session().status().state == PipelineState::Paused; }));
    QVERIFY(until([this] { return page().stateText().startsWith("Running, not recorded"); }));
    const std::uint64_t before = state().frames;
    const std::int64_t pausedNs = nowNs();
    QVERIFY(until([&] { return nowNs() - pausedNs > 300'000'000; })); // Long beside a frame.
    QVERIFY2(state().frames <= before + 1, "frames went on");
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

void WindowInspectTest::showsFindings()
{
    inspect({PACED_PROGRAM}); // Each frame has a glFinish, a texture and an image.
    QVERIFY(until([this] { return page().findings().size() == 3; }));
    QCOMPARE(page().findings().filter("glFinish").size(), 1);
    QCOMPARE(page().findings().filter("seen: ").size(), 3);
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

void WindowInspectTest::endsTheProgramForAnotherSource()
{
    inspect({"sh", "-c", "echo $$; exec sleep 1000"});
    QVERIFY(until([this] { return page().output().endsWith('\n'); }));
    const pid_t pid = page().output().trimmed().toInt();
    QVERIFY(pid > 0 && kill(pid, 0) == 0);
    window().session().changeSource(kDefaultSource);
    QVERIFY(QTest::qWaitFor([this] { return window().session().phase() == Session::Phase::Open; }, 60'000));
    QVERIFY(kill(pid, 0) != 0);
    QVERIFY(!page().isVisible());
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
    window().files().open(path);
    QVERIFY(QTest::qWaitFor([this] { return window().session().phase() == Session::Phase::File; }));
    QVERIFY(QTest::qWaitFor([this] { return window().session().trace().spanCount() > 30; }));
    QCOMPARE(window().session().trace().origin().source, std::string(PACED_PROGRAM));
    QVERIFY(!window().session().trace().origin().config);
    QVERIFY(!window().session().request().program); // "Back to live" does not start it again.
}

QTEST_MAIN(WindowInspectTest)
#include "tst_windowinspect.moc"
