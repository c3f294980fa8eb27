// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"
#include "ui/remote/sshconnector.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowremote.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace jetscope;

/// The window and the program as the server of a "board" that is this machine: nothing is replaced but ssh.
class TestBoardWindow : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_home;
    std::function<RemoteState()> m_link;

    /// Runs the last argument in a shell, as an ssh server does.
    QString writeSsh() const
    {
        const QString path = m_home->filePath(QStringLiteral("ssh"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write("#!/bin/sh\necho Welcome to the lab\nfor word; do last=$word; done\nexec sh -c \"$last\"\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path;
    }

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        QVERIFY(m_home->isValid());
        qputenv("HOME", m_home->path().toUtf8());
        qputenv("XDG_RUNTIME_DIR", m_home->path().toUtf8());
        qputenv("XDG_CACHE_HOME", m_home->filePath(QStringLiteral("cache")).toUtf8());
        qputenv("PATH", QFileInfo(QStringLiteral(JETSCOPE_PROGRAM)).path().toUtf8() + ':' + qgetenv("PATH"));
        qputenv("JETSCOPE_SSH", writeSsh().toUtf8());
    }
    /// The server goes on without us, as it should.
    void cleanup()
    {
        if (m_link)
            if (const std::uint32_t pid = m_link().board.pid; pid > 1)
                ::kill(static_cast<pid_t>(pid), SIGTERM);
        m_link = nullptr;
    }

    void thePipelineOfABoardIsShownAndSwitched()
    {
        FakeWindow fake;
        fake.connectBoard = [this](const std::string &address, ConnectWatch &watch) {
            Result<ConnectedBoard> board = sshConnector()(address, watch);
            if (board.ok())
                m_link = board.value().link;
            return board;
        };
        MainWindow &window = fake.window();
        window.show();
        QVERIFY(fake.open());
        Session &session = window.live().session();
        session.setPolling(true);
        window.remote().connectWith(QStringLiteral("me@orin"));
        const auto *problem = window.findChild<QLabel *>(QStringLiteral("boardProblem"));
        const bool isConnected = QTest::qWaitFor([&] { return window.remote().address() == u"me@orin"; }, 20'000);
        QVERIFY2(isConnected, problem ? qPrintable(problem->text()) : "");
        QTRY_COMPARE_WITH_TIMEOUT(session.phase(), Session::Phase::Open, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(session.status().frames > 20 && !session.trace().frames().empty(), 20'000);
        QVERIFY(session.status().facts.software);
        QVERIFY(m_link().isConnected && m_link().givesOrders);
        QVERIFY(m_link().clockOffset.has_value());

        QVERIFY(!window.live().video()->isVisible()); // It would show a picture of this machine.

        PipelineConfig config = session.status().config;
        config.memory = config.memory == MemoryKind::Pageable ? MemoryKind::Pinned : MemoryKind::Pageable;
        session.change(config);
        QTRY_VERIFY_WITH_TIMEOUT(session.status().config.memory == config.memory, 10'000);

        window.actions().leaveBoard->trigger();
        QTRY_COMPARE(session.phase(), Session::Phase::Open);
        QVERIFY(window.remote().address().isEmpty());
        QTRY_VERIFY(window.live().video()->isVisible());
    }
};

QTEST_MAIN(TestBoardWindow)
#include "tst_boardwindow.moc"
