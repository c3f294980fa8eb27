// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/progress.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/measure/measurement.h"
#include "ui/remote/askpass.h"
#include "ui/remote/boardsdialog.h"
#include "ui/remote/linkmeter.h"
#include "ui/window/livehead.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowmenus.h"
#include "ui/window/windowremote.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

using namespace jetscope;

namespace {

/// A far machine with a device of its own.
class FarHost final : public PipelineHost {
public:
    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        const std::lock_guard lock(m_mutex);
        m_asked.push_back(request.source);
        auto pipeline = std::make_unique<FakePipeline>();
        pipeline->state.config = request.config;
        return std::unique_ptr<PipelineControl>(std::move(pipeline));
    }
    std::vector<DeviceCandidate> devices() override { return {{"cuda:0", "Orin", Capability::yes()}}; }
    std::vector<CameraInfo> cameras() override { return {}; }
    PlatformFacts platform() override { return {}; }

    std::vector<std::string> asked()
    {
        const std::lock_guard lock(m_mutex);
        return m_asked;
    }

private:
    std::mutex m_mutex;
    std::vector<std::string> m_asked; ///< Sources.
};

/// A connection whose steps and end the test decides.
class FakeConnector {
public:
    Result<ConnectedBoard> connectBoard(const std::string &address, ConnectWatch &watch)
    {
        watch.heard("Welcome to the lab\n");
        watch.advance({ConnectStep::Reach, true, 400, "arm64, glibc 2.35, L4T 36.4.3"});
        while (!m_isFree) {
            if (!watch.advance({ConnectStep::Copy, false, 0, {}, 0.66}))
                return cancelledError();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (!failWith.empty())
            return Error{"", 0, failWith};
        for (const ConnectStep step : {ConnectStep::Copy, ConnectStep::Start, ConnectStep::Clocks})
            watch.advance({step, true});
        return ConnectedBoard{host, address, "Jetson AGX Orin, L4T 36.4.3", {}, {}, {}, {}};
    }
    void free() { m_isFree = true; }

    std::string failWith;
    std::shared_ptr<FarHost> host = std::make_shared<FarHost>();

private:
    std::atomic<bool> m_isFree{false};
};

} // namespace

/// From the name of a board to its pipeline in the window.
class TestBoards : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<KnownBoards> m_known;
    std::unique_ptr<FakeConnector> m_connector;
    std::unique_ptr<BoardsDialog> m_dialog;

    void makeDialog(const QStringList &hosts = {})
    {
        m_dialog =
            std::make_unique<BoardsDialog>(BoardsDialog::Parts{*m_known, hosts,
                                                               [this](const std::string &address, ConnectWatch &watch) {
                                                                   return m_connector->connectBoard(address, watch);
                                                               }},
                                           nullptr);
        m_dialog->show();
    }
    template <class Widget>
    Widget *part(const char *name) const
    {
        return m_dialog->findChild<Widget *>(QLatin1String(name));
    }
    bool shows(const QString &text) const
    {
        for (const QLabel *label : m_dialog->findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }
    QStringList listed() const
    {
        QStringList rows;
        const auto *list = part<QListWidget>("boards");
        for (int i = 0; i < list->count(); ++i)
            rows.append(list->item(i)->text());
        return rows;
    }

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        QVERIFY(m_home->isValid());
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
        m_settings = std::make_unique<Settings>(Settings::Use::Normal);
        m_known = std::make_unique<KnownBoards>(*m_settings);
        m_connector = std::make_unique<FakeConnector>();
    }
    void cleanup() { m_dialog.reset(); }

    void thePlanIsSaidBeforeAnythingRuns()
    {
        makeDialog();
        QVERIFY(!part<QPushButton>("connectBoard")->isEnabled());
        part<QLineEdit>("boardAddress")->setText(QStringLiteral("me@orin-nano-7"));
        QVERIFY(shows(QStringLiteral("ssh -T me@orin-nano-7 jetscope serve")));
        QVERIFY(part<QPushButton>("connectBoard")->isEnabled());
    }

    void eachStepIsShown()
    {
        makeDialog();
        m_dialog->connectWith(QStringLiteral("orin"));
        QTRY_VERIFY(shows(QStringLiteral("arm64, glibc 2.35, L4T 36.4.3")));
        QTRY_VERIFY(shows(QStringLiteral("66 %")));
        QVERIFY(!part<QPushButton>("connectBoard")->isEnabled());
        QSignalSpy connected(m_dialog.get(), &BoardsDialog::connected);
        m_connector->free();
        QTRY_COMPARE(connected.size(), 1);
        QVERIFY(!m_dialog->isVisible());
        QCOMPARE(m_known->all().size(), 1);
        QCOMPARE(m_known->all().first().address, QStringLiteral("orin"));
    }

    void anErrorStaysWithTheRemedy()
    {
        m_connector->failWith = "The board orin refused the key: add it there with ssh-copy-id.";
        m_connector->free();
        makeDialog();
        m_dialog->connectWith(QStringLiteral("orin"));
        QTRY_VERIFY(shows(QStringLiteral("ssh-copy-id")));
        QVERIFY(m_dialog->isVisible());
        QVERIFY(m_known->all().isEmpty());
        part<QPushButton>("showHeard")->click();
        QVERIFY(part<QPlainTextEdit>("boardHeard")->toPlainText().contains(QStringLiteral("Welcome to the lab")));
        m_connector->failWith.clear(); // Again, without a new dialog.
        QSignalSpy connected(m_dialog.get(), &BoardsDialog::connected);
        part<QPushButton>("connectBoard")->click();
        QTRY_COMPARE(connected.size(), 1);
    }

    void itCanBeCancelledAndTriedAgain()
    {
        makeDialog();
        QSignalSpy connected(m_dialog.get(), &BoardsDialog::connected);
        m_dialog->connectWith(QStringLiteral("orin"));
        QTRY_VERIFY(shows(QStringLiteral("66 %")));
        for (QPushButton *button : m_dialog->findChildren<QPushButton *>())
            if (button->text() == QStringLiteral("Cancel"))
                button->click();
        QVERIFY(part<QPushButton>("connectBoard")->isEnabled());
        m_connector->free();
        part<QPushButton>("connectBoard")->click();
        QTRY_COMPARE(connected.size(), 1);
    }

    void closingWhileItConnectsEndsIt()
    {
        makeDialog();
        m_dialog->connectWith(QStringLiteral("orin"));
        QTRY_VERIFY(shows(QStringLiteral("66 %")));
        m_dialog->reject();
        m_dialog.reset(); // Waits for the thread, which was told to give up.
        QVERIFY(Worker::leftBehind().empty());
    }

    void boardsAreRememberedAndForgotten()
    {
        for (int i = 0; i < 25; ++i)
            m_known->addUsed({QStringLiteral("board-%1").arg(i), {}, QDateTime::currentDateTime()});
        m_known->addUsed({QStringLiteral("board-10"), QStringLiteral("Orin"), QDateTime::currentDateTime()});
        m_settings = std::make_unique<Settings>(Settings::Use::Normal);
        m_known = std::make_unique<KnownBoards>(*m_settings);
        QCOMPARE(m_known->all().size(), 20);
        QCOMPARE(m_known->all().first().address, QStringLiteral("board-10"));
        makeDialog({QStringLiteral("board-1"), QStringLiteral("gate")});
        // board-1 was dropped from the newest 20, but ssh knows it; "board-10" is another one.
        QVERIFY(listed().mid(21).contains(QStringLiteral("board-1")));
        auto *list = part<QListWidget>("boards");
        list->setCurrentRow(1);
        QCOMPARE(part<QLineEdit>("boardAddress")->text(), QStringLiteral("board-10"));
        m_dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Delete);
        QVERIFY(!listed().contains(QStringLiteral("board-10")));
        QCOMPARE(m_known->all().size(), 19);
    }

    void thePipelineRunsThereAndComesBack()
    {
        FakeWindow fake;
        fake.connectBoard = [this](const std::string &address, ConnectWatch &watch) {
            return m_connector->connectBoard(address, watch);
        };
        m_connector->free();
        MainWindow &window = fake.window();
        window.show();
        QVERIFY(fake.open());
        const std::size_t before = fake.asked;
        auto *board = window.findChild<QToolButton *>(QStringLiteral("board"));
        QVERIFY(board && !board->isVisible());
        QVERIFY(!window.actions().leaveBoard->isEnabled());

        window.remote().connectWith(QStringLiteral("orin"));
        QTRY_COMPARE(m_connector->host->asked().size(), std::size_t(1));
        QTRY_COMPARE(window.live().session().phase(), Session::Phase::Open);
        QTRY_VERIFY(board->isVisible());
        QVERIFY(board->text().contains(QStringLiteral("orin")));
        QCOMPARE(fake.asked, before);
        QCOMPARE(window.live().deviceMenu()->title(), QStringLiteral("Device"));
        emit window.live().deviceMenu()->aboutToShow();
        QCOMPARE(window.live().deviceMenu()->actions().size(), 1); // The devices of the board.

        QVERIFY(window.actions().leaveBoard->isEnabled());
        window.actions().leaveBoard->trigger();
        QTRY_COMPARE(fake.asked, before + 1);
        QVERIFY(!board->isVisible());
    }

    void sshAsksInADialog_data()
    {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("echo"); ///< -1: nothing is typed.
        QTest::newRow("password") << "me@orin's password: "
                                  << "" << int(QLineEdit::Password);
        QTest::newRow("words of a key") << "Enter passphrase for key '/k': "
                                        << "" << int(QLineEdit::Password);
        QTest::newRow("host key") << "Are you sure you want to continue connecting (yes/no/[fingerprint])? "
                                  << "" << int(QLineEdit::Normal);
        QTest::newRow("touch") << "Confirm user presence for key"
                               << "none" << -1;
        QTest::newRow("confirm") << "Allow use of key?"
                                 << "confirm" << -1;
        QTest::newRow("hostile") << "<img src=x><b>password</b>"
                                 << "" << int(QLineEdit::Password);
    }
    void sshAsksInADialog()
    {
        QFETCH(const QString, prompt);
        QFETCH(const QString, kind);
        QFETCH(const int, echo);
        AskPassDialog dialog(prompt, kind);
        QCOMPARE(dialog.findChild<QLabel *>()->text(), prompt.trimmed());
        QCOMPARE(dialog.findChild<QLabel *>()->textFormat(), Qt::PlainText);
        auto *line = dialog.findChild<QLineEdit *>();
        QCOMPARE(line ? int(line->echoMode()) : -1, echo);
        if (line)
            line->setText(QStringLiteral("secret"));
        QCOMPARE(dialog.answer(), line ? QStringLiteral("secret") : QString());
    }

    /// What watching costs is read in a narrow window, too.
    void thePriceIsRead()
    {
        FakeWindow fake;
        MainWindow &window = fake.window();
        window.resize(1366, 768);
        window.show();
        QVERIFY(fake.open());
        LinkMeter meter(QStringLiteral("orin-lab-3"));
        RemoteState state;
        state.isConnected = state.givesOrders = true;
        state.watchCost = WatchCost{1, 1.0041, 0.0018, 12};
        state.clockOffset = ClockOffset{77, 12'000'000, 0};
        meter.add(state, 0);
        state.bytesRead = 775'000;
        meter.add(state, 2'000'000'000);
        QCOMPARE(meter.text(), QStringLiteral("costs 0.4 % · 24.0 ms · 3.1 Mbit/s"));
        LiveHead &head = window.live().head();
        head.setBoard(QStringLiteral("orin-lab-3"), {});
        head.setLink(meter.text(), {}, false);
        const auto *board = window.findChild<QToolButton *>(QStringLiteral("board"));
        QTRY_VERIFY2(board->isVisible() && board->text().contains(QStringLiteral("costs 0.4 %")),
                     qPrintable(board->text()));
    }

    void theLinkIsSaid()
    {
        LinkMeter meter;
        QCOMPARE(meter.text(), QString());
        RemoteState state;
        state.isConnected = state.givesOrders = true;
        state.bytesRead = 1'000'000;
        meter.add(state, 0);
        QCOMPARE(meter.text(), QStringLiteral("connected"));
        state.bytesRead += 500'000;
        state.clockOffset = ClockOffset{77, 12'000'000, 0};
        meter.add(state, 2'000'000'000);
        QCOMPARE(meter.text(), QStringLiteral("24.0 ms · 2.0 Mbit/s"));
        QVERIFY(!meter.isTrouble());
        state.notSent.messages[static_cast<std::size_t>(MessageClass::Spans)] = 24;
        meter.add(state, 3'000'000'000);
        QVERIFY(meter.details().contains(QStringLiteral("24 updates of spans")));
        state.isConnected = false;
        state.trouble = "orin does not answer.";
        state.away = std::chrono::milliseconds(12'000);
        state.cuts = 1;
        meter.add(state, 4'000'000'000);
        QVERIFY2(meter.text().startsWith(QStringLiteral("away for 12")), qPrintable(meter.text()));
        QVERIFY(meter.details().contains(QStringLiteral("orin does not answer.")));
        QVERIFY(meter.isTrouble());
        state.isConnected = true; // Bytes are counted anew: no rate before two states of this connection.
        state.bytesRead = 100;
        meter.add(state, 5'000'000'000);
        QVERIFY(!meter.text().contains(QStringLiteral("Mbit")));
        state.givesOrders = false;
        meter.add(state, 6'000'000'000);
        QVERIFY(meter.text().contains(QStringLiteral("watching")));
        QVERIFY(meter.isTrouble());
    }

    void whatWatchingCostsIsSaid()
    {
        LinkMeter meter(QStringLiteral("orin-lab-3"));
        RemoteState state;
        state.isConnected = state.givesOrders = true;
        meter.add(state, 0);
        QCOMPARE(meter.cost(), QString()); // There is no pipeline.
        state.watchCost = WatchCost{1, 1, 0, 0};
        meter.add(state, 1);
        QVERIFY(meter.cost().contains(QStringLiteral("not measured yet")));
        QVERIFY(meter.details().contains(QStringLiteral("orin-lab-3")));
        QVERIFY(!meter.text().contains(QStringLiteral("cost")));
        state.watchCost = WatchCost{1, 1.0041, 0.0018, 12};
        meter.add(state, 2);
        QCOMPARE(meter.cost(), QStringLiteral("watching costs 0.4 % (±0.2)"));
        QVERIFY2(meter.text().startsWith(QStringLiteral("costs 0.4 %")), qPrintable(meter.text()));
        QVERIFY(meter.details().contains(QStringLiteral("orin-lab-3 take 1.004 times as long (±0.002)")));
        state.watchCost->frameRatio = 0.99996; // No "-0.0".
        meter.add(state, 3);
        QCOMPARE(meter.cost(), QStringLiteral("watching costs 0.0 % (±0.2)"));
    }

    /// Figures of this machine would stand below the name of the board.
    void whatIsMeasuredIsTheBoard()
    {
        const QString path = m_home->filePath(QStringLiteral("program"));
        QFile program(path);
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\necho \"$@\" >\"$0.said\"\n");
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        program.close();
        Session session([](const SessionRequest &) { return Error{"", 0, "nothing is opened"}; }, {});
        Measurement measurement(session, path);
        QSignalSpy ended(&measurement, &Measurement::ended);
        measurement.setBoard(QStringLiteral("me@orin"));
        measurement.start({QStringLiteral("sweep"), QStringLiteral("--json")}, QStringLiteral("a test measures"));
        QTRY_COMPARE(ended.size(), 1);
        QFile said(path + QStringLiteral(".said"));
        QVERIFY(said.open(QIODevice::ReadOnly));
        QCOMPARE(said.readAll(), QByteArray("sweep --json --host me@orin\n"));
    }

    void eachMachineHasItsOwnChoices()
    {
        PipelineConfig here;
        here.sync = SyncMode::Poll;
        m_settings->saveRequest("file:/clip.avi", "soft:orin", here, orinFacts());
        m_settings->setBoard(QStringLiteral("me@orin/3"));
        QVERIFY(m_settings->request().source == kDefaultSource);
        PipelineConfig there;
        there.sync = SyncMode::Event;
        m_settings->saveRequest("csi:0", "cuda:0", there, orinFacts());
        m_settings->setBoard({});
        QCOMPARE(m_settings->request().source, std::string("file:/clip.avi"));
        QVERIFY(m_settings->request().config.sync == SyncMode::Poll);
        m_settings->setBoard(QStringLiteral("me@orin/3"));
        QCOMPARE(m_settings->request().source, std::string("csi:0"));
        QVERIFY(m_settings->request().config.sync == SyncMode::Event);
    }
};

JETSCOPE_TEST(TestBoards)
#include "tst_boards.moc"
