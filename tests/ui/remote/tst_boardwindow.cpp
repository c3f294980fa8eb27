// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/filters.h"
#include "core/settings/pipelineconfig.h"
#include "core/system/database.h"
#include "core/tracefile/savetrace.h"
#include "core/tracefile/tracefile.h"
#include "gpu/stages/stage.h"
#include "tests/support/fakewindow.h"
#include "tests/support/largetrace.h"
#include "ui/attach/inspectpage.h"
#include "ui/board/boardview.h"
#include "ui/remote/boardpictureview.h"
#include "ui/remote/capturesdialog.h"
#include "ui/remote/sshconnector.h"
#include "ui/remote/viewbar.h"
#include "ui/remote/viewopener.h"
#include "ui/selection/flamepage.h"
#include "ui/selection/histogramview.h"
#include "ui/selection/namefigurestable.h"
#include "ui/selection/selectionpanel.h"
#include "ui/selection/topview.h"
#include "ui/selection/tracepanel.h"
#include "ui/selection/whereview.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"
#include "ui/window/traceworkspace.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowinspect.h"
#include "ui/window/windowremote.h"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <csignal>
#include <sys/stat.h>

using namespace jetscope;

/// The window and the program as the server of a "board" that is this machine: nothing is replaced but ssh.
class TestBoardWindow : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_home;
    std::function<RemoteState()> m_link;
    pid_t m_server = 0;

    /// A line for each start of ssh: its process, and what it asks for passwords with.
    QString sshCalls() const { return m_home->filePath(QStringLiteral("ssh-calls")); }
    QList<QByteArray> linesOfCalls() const
    {
        QFile file(sshCalls());
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().split('\n') : QList<QByteArray>();
    }

    /// Runs the last argument in a shell, as an ssh server does.
    QString writeSsh() const
    {
        const QString path = m_home->filePath(QStringLiteral("ssh"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write("#!/bin/sh\necho $$ \"$(readlink \"$SSH_ASKPASS\")\" >>" + sshCalls().toUtf8()
                   + "\necho Welcome to the lab\nfor word; do last=$word; done\nexec sh -c \"$last\"\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path;
    }

    BoardConnector connector()
    {
        return [this](const std::string &address, ConnectWatch &watch) {
            Result<ConnectedBoard> board = sshConnector()(address, watch);
            if (board.ok()) {
                m_link = board.value().link;
                m_server = static_cast<pid_t>(m_link().board.pid);
            }
            return board;
        };
    }

    /// For eyes, in both themes, if a folder for them is named.
    static void picture(MainWindow &window, const char *name)
    {
        const QString folder = qEnvironmentVariable("JETSCOPE_TEST_PICTURES");
        if (folder.isEmpty())
            return;
        for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
            applyTheme(*qApp, *theme);
            QTest::qWait(200);
            window.grab().save(folder + u'/' + QLatin1String(name) + u'-' + theme->name + QStringLiteral(".png"));
        }
    }
    /// Reduced ones, and a whole one that is saved.
    void seePictures(FakeWindow &fake)
    {
        const BoardPictureView &view = *fake.window().live().boardPicture();
        const WindowActions &actions = fake.window().actions();
        QTRY_VERIFY_WITH_TIMEOUT(view.isVisible() && !view.image().isNull(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(view.label().contains(QStringLiteral("preview 640 × 360 of 1280 × 720, JPEG")),
                                 20'000);
        for (const QAction *judge : {actions.showBefore, actions.showAnswer, actions.inspect})
            QVERIFY(!judge->isEnabled() && judge->toolTip().contains(QStringLiteral("with loss")));
        QVERIFY(actions.fetchFrame->isEnabled() && !actions.saveFrame->isEnabled());
        picture(fake.window(), "preview");
        actions.fetchFrame->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(view.whole(), 20'000);
        QCOMPARE(view.image().size(), QSize(1280, 720));
        picture(fake.window(), "whole");
        fake.chosenPath = m_home->filePath(QStringLiteral("frame.png"));
        QVERIFY(actions.saveFrame->isEnabled());
        actions.saveFrame->trigger();
        QCOMPARE(QImage(fake.chosenPath).convertToFormat(QImage::Format_RGB32),
                 view.image().convertToFormat(QImage::Format_RGB32));
        view.backToPreviews()->click();
        QTRY_VERIFY_WITH_TIMEOUT(view.label().contains(QStringLiteral("preview")), 20'000);
    }

    /// Of a capture that stays on the board, which computes them.
    void seeFigures(TraceWorkspace &opened)
    {
        TracePanel &panel = *opened.panels().panel();
        QVERIFY(panel.isVisible());
        for (const TracePanel::Tab tab : {TracePanel::Where, TracePanel::Top, TracePanel::Flame}) {
            panel.setTab(tab);
            QTRY_VERIFY_WITH_TIMEOUT(panel.isDone(), 20'000);
        }
        QVERIFY(!panel.where()->table().rows().empty());
        QVERIFY(panel.flame()->view()->tree()->nodes().size() > 5);
        panel.setTab(TracePanel::Top);
        const TopModel &top = panel.top()->model();
        QVERIFY(top.rowCount() > 10);
        const QString sought = top.nameOf(1);
        panel.top()->table()->selectRow(0);
        emit panel.top()->stepWanted(top.placeOf(0), 1);
        const auto &span = opened.panels().selection().span();
        QTRY_VERIFY_WITH_TIMEOUT(span.has_value(), 20'000);
        QCOMPARE(QString::fromStdString(opened.session().trace().names().text(span->bar.span.name)), top.nameOf(0));
        panel.setTab(TracePanel::Details);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isDone() && panel.details()->table().rowCount() > 0, 20'000);
        QVERIFY(!panel.details()->histogram()->histogram().bins.empty());
        const auto before = span->bar.index;
        opened.timeline()->find(sought);
        const auto nameOfSpan = [&] {
            return QString::fromStdString(opened.session().trace().names().text(span->bar.span.name));
        };
        QTRY_VERIFY_WITH_TIMEOUT(span->bar.index != before && nameOfSpan().contains(sought), 20'000);
        opened.panels().selection().clear();
    }

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        QVERIFY(m_home->isValid());
        qputenv("HOME", m_home->path().toUtf8());
        qputenv("XDG_RUNTIME_DIR", m_home->path().toUtf8());
        qunsetenv("XDG_DATA_HOME");
        qputenv("XDG_CACHE_HOME", m_home->filePath(QStringLiteral("cache")).toUtf8());
        qputenv("PATH", QFileInfo(QStringLiteral(JETSCOPE_PROGRAM)).path().toUtf8() + ':' + qgetenv("PATH"));
        qputenv("JETSCOPE_SSH", writeSsh().toUtf8());
    }
    /// The server goes on without us, as it should.
    void cleanup()
    {
        if (m_server > 1)
            ::kill(m_server, SIGTERM);
        m_server = 0;
        m_link = nullptr;
    }

    void thePipelineOfABoardIsShownAndSwitched()
    {
        FakeWindow fake;
        fake.connectBoard = connector();
        MainWindow &window = fake.window();
        window.show();
        QVERIFY(fake.open());
        Session &session = window.live().session();
        session.setPolling(true);
        window.remote().connectWith(QStringLiteral("me@orin"));
        const bool isConnected = QTest::qWaitFor([&] { return window.remote().address() == u"me@orin"; }, 20'000);
        const auto *problem = window.findChild<QLabel *>(QStringLiteral("boardProblem")); // Gone once it is connected.
        QVERIFY2(isConnected, problem ? qPrintable(problem->text()) : "");
        QTRY_COMPARE_WITH_TIMEOUT(session.phase(), Session::Phase::Open, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(session.status().frames > 20 && !session.trace().frames().empty(), 20'000);
        QVERIFY(session.status().facts.software);
        QVERIFY(m_link().isConnected && m_link().givesOrders);
        QVERIFY(m_link().clockOffset.has_value());

        QVERIFY(!window.live().video()->isVisible()); // It would show a picture of this machine.
        seePictures(fake);

        // Values of the machine are the board's, and bear its name.
        BoardView &values = *window.board();
        QCOMPARE(values.detail(), QStringLiteral("orin"));
        QVERIFY(values.series().trace().empty());
        window.showSpace(MainWindow::Space::Board);
        QTRY_VERIFY_WITH_TIMEOUT(!values.series().trace().empty(), 20'000);
        QCOMPARE(values.source(), BoardView::Source::Machine);
        QTRY_VERIFY2(values.title().startsWith(QStringLiteral("orin")), qPrintable(values.title()));
        window.showSpace(MainWindow::Space::Live);

        PipelineConfig config = session.status().config;
        config.memory = config.memory == MemoryKind::Pageable ? MemoryKind::Pinned : MemoryKind::Pageable;
        session.change(config);
        QTRY_VERIFY_WITH_TIMEOUT(session.status().config.memory == config.memory, 10'000);

        QVERIFY(window.windowTitle().contains(QStringLiteral("watching costs"))); // Not measured yet, or how much.
        window.actions().leaveBoard->trigger();
        QTRY_COMPARE(session.phase(), Session::Phase::Open);
        QVERIFY(window.remote().address().isEmpty());
        QCOMPARE(values.detail(), QStringLiteral("this machine"));
        QVERIFY(values.series().trace().empty());
        QTRY_VERIFY(window.live().video()->isVisible());
        QCOMPARE(window.windowTitle(), QStringLiteral("Jetscope"));
        QVERIFY(window.actions().inspect->isEnabled() && !window.actions().fetchFrame->isEnabled());
    }

    void aCaptureOfTheBoardIsShownAndStaysThere()
    {
        const QString path = m_home->filePath(QStringLiteral("night.jscope"));
        NoOpenProgress progress;
        QVERIFY(saveTrace(largeTrace(200'000), path.toStdString(), progress).ok());
        FakeWindow fake;
        fake.connectBoard = connector();
        MainWindow &window = fake.window();
        window.resize(1400, 900);
        window.show();
        QVERIFY(fake.open());
        QVERIFY(!window.actions().openOnBoard->isEnabled());
        window.remote().connectWith(QStringLiteral("me@orin"));
        QTRY_VERIFY_WITH_TIMEOUT(window.remote().address() == u"me@orin", 20'000);
        QVERIFY(window.actions().openOnBoard->isEnabled());
        window.remote().openCapture(QStringLiteral("night.jscope")); // From the home folder there.
        TraceWorkspace &opened = window.trace();
        QTRY_VERIFY_WITH_TIMEOUT(opened.views().isShown(), 20'000);
        QTRY_VERIFY(opened.isVisible() && opened.viewBar()->isVisible());
        const RemoteView *view = opened.views().view();
        TimelineView *timeline = opened.timeline();
        const auto isWhole = [&] {
            timeline->viewport()->grab();
            return view->isWhole();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(), 10'000);
        QCOMPARE(opened.session().trace().spanCount(), std::uint64_t{200'000});
        QVERIFY(opened.session().trace().frames().empty());
        const auto *place = opened.viewBar()->findChild<QLabel *>(QStringLiteral("viewPlace"));
        QVERIFY2(place->text().contains(u"on orin"), qPrintable(place->text()));
        for (const QAction *action :
             {window.actions().listSpans, window.actions().compareFile, window.actions().report})
            QVERIFY(!action->isEnabled());
        // What needs all of it says so; this one is not in the list of captures there.
        window.actions().exportChrome->trigger();
        QVERIFY(window.messages()->text().contains(QStringLiteral("needs the whole capture")));
        seeFigures(opened);
        picture(window, "whole");

        const Interval all = timeline->camera().window();
        const std::int64_t middle = all.startNs + (all.endNs - all.startNs) / 3;
        timeline->show({middle, middle + 60'000'000});
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(), 10'000);
        timeline->camera().panBy(-400);
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(), 10'000);
        QVERIFY(!opened.session().trace().frames().empty()); // Those in view.
        std::optional<SpanPlace> span;
        for (int x = 0; x < 800 && !span; ++x)
            span = spanNear(opened.session().trace(), 0, timeline->scale(), x);
        QVERIFY(span.has_value());
        opened.panels().selection().selectSpan(*span);
        const auto *details = opened.viewBar()->findChild<QLabel *>(QStringLiteral("viewSpan"));
        QVERIFY(details->isVisible() && details->text().contains(u"frame"));
        picture(window, "near");

        // What came stays when the board is left, and it is said that no more comes.
        m_link = nullptr; // It would keep the connection.
        window.actions().leaveBoard->trigger();
        QTRY_VERIFY(!opened.viewBar()->findChild<QLabel *>(QStringLiteral("viewTrouble"))->text().isEmpty());
        QVERIFY(opened.views().isShown() && isWhole());
    }

    /// A password can be asked for as at first.
    void sshAsksAlsoWhenItConnectsAgain()
    {
        FakeWindow fake;
        fake.connectBoard = connector();
        MainWindow &window = fake.window();
        window.show();
        QVERIFY(fake.open());
        window.remote().connectWith(QStringLiteral("me@orin"));
        QTRY_COMPARE_WITH_TIMEOUT(window.remote().address(), QStringLiteral("me@orin"), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_link().isConnected, 20'000);
        QCOMPARE(linesOfCalls().size(), 1);
        const pid_t ssh = linesOfCalls().first().split(' ').first().toInt();
        QVERIFY(ssh > 1);
        ::kill(ssh, SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(m_link().cuts == 1 && m_link().isConnected, 20'000);
        const QByteArray own = QCoreApplication::applicationFilePath().toUtf8();
        QCOMPARE(linesOfCalls().size(), 2);
        for (const QByteArray &call : linesOfCalls())
            QVERIFY2(call.endsWith(' ' + own), call);
    }

    void aProgramOfTheBoardIsSeen()
    {
        FakeWindow fake;
        fake.connectBoard = connector();
        MainWindow &window = fake.window();
        window.show();
        QVERIFY(fake.open());
        window.remote().connectWith(QStringLiteral("me@orin"));
        QTRY_COMPARE_WITH_TIMEOUT(window.remote().address(), QStringLiteral("me@orin"), 20'000);
        Session &session = window.trace().session();
        session.setPolling(true);
        ProgramWish wish;
        wish.command = {"sh", "-c", "echo hello; sleep 2; exit 3"};
        const QByteArray pipe = m_home->filePath(QStringLiteral("sched")).toUtf8();
        wish.scheduler = pipe.toStdString();
        session.inspect(wish);
        QTRY_COMPARE_WITH_TIMEOUT(session.phase(), Session::Phase::Failed, 20'000); // Nobody writes there.
        QVERIFY2(session.failure().text.find("mkfifo -m 600 " + wish.scheduler) != std::string::npos,
                 session.failure().text.c_str());
        QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
        session.inspect(wish);
        QTRY_COMPARE_WITH_TIMEOUT(session.phase(), Session::Phase::Inspecting, 20'000);
        const auto *state = window.trace().findChild<QLabel *>(QStringLiteral("programState"));
        QTRY_COMPARE_WITH_TIMEOUT(state->text(), QStringLiteral("Running"), 20'000);
        const InspectPage &page = *window.trace().inspect().page();
        QTRY_VERIFY_WITH_TIMEOUT(page.factsText().contains(QStringLiteral("no line of the kernel's trace came from")),
                                 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(state->text(), QStringLiteral("Ended with exit code 3"), 20'000);
    }

    /// A library is named by its path on the board, which loads it; this process does not.
    void aStageOfTheBoard()
    {
        FakeWindow fake;
        fake.connectBoard = connector();
        MainWindow &window = fake.window();
        window.show();
        QVERIFY(fake.open());
        Session &session = window.live().session();
        session.setPolling(true);
        window.remote().connectWith(QStringLiteral("me@orin"));
        QTRY_COMPARE_WITH_TIMEOUT(window.remote().address(), QStringLiteral("me@orin"), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(session.status().frames > 0, 20'000);
        const auto add = [&](const QString &path) {
            QTimer::singleShot(0, &window, [&window, path] {
                auto *asked = window.findChild<QInputDialog *>();
                asked->setTextValue(path);
                asked->accept();
            });
            window.findChild<QAction *>(QStringLiteral("stage"))->trigger();
        };
        add(QStringLiteral("/no/such/libmine.so"));
        QTRY_COMPARE_WITH_TIMEOUT(session.phase(), Session::Phase::Failed, 20'000);
        QVERIFY2(session.failure().text.find("/no/such/libmine.so") != std::string::npos,
                 session.failure().text.c_str());
        QVERIFY(window.messages()->text().contains(QStringLiteral("did not open the pipeline with the stage")));
        auto *without = window.messages()->findChild<QPushButton *>();
        QCOMPARE(without->text(), QStringLiteral("Open it without"));
        without->click();
        QTRY_COMPARE_WITH_TIMEOUT(session.phase(), Session::Phase::Open, 20'000);
        const std::string before = filterNames(session.status().config.filters);
        add(QStringLiteral(JETSCOPE_EXAMPLE_STAGE));
        const std::string stage = "stage:" JETSCOPE_EXAMPLE_STAGE;
        QTRY_COMPARE_WITH_TIMEOUT(filterNames(session.status().config.filters), before + "," + stage, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(session.status().frames > 5, 20'000);
        const std::optional<Filter> filter = choiceByName<Filter>(stage);
        QVERIFY(filter && !stageOf(*filter));
    }

    /// The clocks are in what is saved of it here; its panels lie as they were.
    void clocksAndPanelsOfTheBoardAreKept()
    {
        QTemporaryDir settings;
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
        FakeWindow fake({}, Settings::Use::Normal);
        fake.connectBoard = connector();
        MainWindow &window = fake.window();
        window.show();
        QVERIFY(fake.open());
        Session &session = window.live().session();
        session.setPolling(true);
        const auto *controls = window.live().findChild<QDockWidget *>();
        QVERIFY(controls && controls->isVisible());
        window.remote().connectWith(QStringLiteral("me@orin"));
        QTRY_COMPARE_WITH_TIMEOUT(window.remote().address(), QStringLiteral("me@orin"), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(session.status().frames > 20 && !session.trace().frames().empty(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(session.trace().origin().clocks.size(), std::size_t{1}, 20'000);
        const std::string path = m_home->filePath(QStringLiteral("live.jscope")).toStdString();
        NoOpenProgress progress;
        QVERIFY(saveTrace(session.trace(), path, progress).ok());
        auto saved = TraceFile::open(path);
        QVERIFY(saved.ok());
        auto row = saved.value().database().prepare("SELECT count(*), max(bound_ns) FROM clocks");
        QVERIFY(row.ok() && row.value().next());
        QCOMPARE(row.value().integer(0), std::int64_t{1});
        QVERIFY(row.value().integer(1) > 0);

        QVERIFY(controls->isVisible()); // As on this machine, at first.
        const_cast<QDockWidget *>(controls)->hide();
        window.actions().leaveBoard->trigger();
        QTRY_VERIFY(controls->isVisible());
        window.remote().connectWith(QStringLiteral("me@orin"));
        QTRY_COMPARE_WITH_TIMEOUT(window.remote().address(), QStringLiteral("me@orin"), 20'000);
        QTRY_VERIFY(!controls->isVisible());
    }

    void whatTheBoardRecordsIsFetchedAndOpened()
    {
        FakeWindow fake;
        fake.connectBoard = connector();
        MainWindow &window = fake.window();
        window.show();
        QVERIFY(fake.open());
        window.live().session().setPolling(true);
        window.remote().connectWith(QStringLiteral("me@orin"));
        QTRY_COMPARE_WITH_TIMEOUT(window.remote().address(), QStringLiteral("me@orin"), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(window.live().session().status().frames > 5, 20'000);
        window.actions().record->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(window.actions().record->text(), QStringLiteral("Stop"), 20'000);
        const auto frames = window.live().session().status().frames;
        QTRY_VERIFY_WITH_TIMEOUT(window.live().session().status().frames > frames + 200, 30'000);
        window.actions().record->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.messages()->text().startsWith(QStringLiteral("Recorded to ")), 20'000);
        const QDir captures(m_home->filePath(QStringLiteral(".local/share/jetscope/captures")));
        QCOMPARE(captures.entryList(QDir::Files).size(), 1);

        window.actions().boardCaptures->trigger();
        const auto *dialog = window.findChild<CapturesDialog *>();
        QVERIFY(dialog);
        auto *fetch = dialog->findChild<QPushButton *>(QStringLiteral("fetchCapture"));
        QTRY_VERIFY_WITH_TIMEOUT(fetch->isEnabled(), 20'000);
        fake.chosenPath = m_home->filePath(QStringLiteral("fetched.jscope"));
        fetch->click();
        QTRY_COMPARE_WITH_TIMEOUT(window.trace().session().phase(), Session::Phase::File, 20'000);
        const Trace &trace = window.trace().session().trace();
        QVERIFY(trace.frames().endIndex() - trace.frames().firstIndex() > 100);
        QVERIFY(trace.origin().device.ends_with(" on orin"));
        QCOMPARE(trace.origin().clocks.size(), std::size_t{1});
        QFile here(fake.chosenPath);
        QFile there(captures.filePath(captures.entryList(QDir::Files).value(0)));
        QVERIFY(here.open(QIODevice::ReadOnly) && there.open(QIODevice::ReadOnly));
        QVERIFY(here.readAll() == there.readAll());

        // Looked at there, all of it is fetched from its bar.
        dialog->findChild<QPushButton *>(QStringLiteral("viewCapture"))->click();
        auto *fetchView = window.trace().viewBar()->findChild<QPushButton *>(QStringLiteral("fetchView"));
        QTRY_VERIFY_WITH_TIMEOUT(fetchView->isVisible(), 20'000);
        fake.chosenPath = m_home->filePath(QStringLiteral("again.jscope"));
        fetchView->click();
        QTRY_COMPARE_WITH_TIMEOUT(window.trace().opener().shownFile(), fake.chosenPath, 20'000);
        QVERIFY(!window.trace().viewBar()->isVisible());

        // What needs all of it fetches it first, and goes on.
        dialog->findChild<QPushButton *>(QStringLiteral("viewCapture"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(fetchView->isVisible(), 20'000);
        window.actions().exportChrome->trigger();
        QPushButton *goOn = nullptr;
        for (auto *button : window.messages()->findChildren<QPushButton *>())
            if (button->text() == QStringLiteral("Fetch it, then go on"))
                goOn = button;
        QVERIFY(goOn && goOn->isVisible());
        fake.chosenPath = m_home->filePath(QStringLiteral("third.jscope"));
        goOn->click();
        fake.chosenPath = m_home->filePath(QStringLiteral("exported.json"));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(fake.chosenPath).size() > 1000, 20'000);
        QCOMPARE(window.trace().opener().shownFile(), m_home->filePath(QStringLiteral("third.jscope")));
    }
};

QTEST_MAIN(TestBoardWindow)
#include "tst_boardwindow.moc"
