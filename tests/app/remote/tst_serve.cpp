// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remotehost.h"
#include "tests/support/startserve.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <future>
#include <netinet/in.h>
#include <set>
#include <sys/stat.h>

using namespace jetscope;
using jetscope::testing::opened;
using jetscope::testing::startServe;

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The network sockets of a process, by the kernel's tables of its network.
QStringList networkSockets(std::int64_t pid)
{
    const QString folder = QString("/proc/%1/").arg(pid);
    QSet<QString> own;
    for (const QFileInfo &each :
         QDir(folder + "fd").entryInfoList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot))
        if (const QString target = QFile::symLinkTarget(each.filePath()); target.contains("socket:["))
            own << target.section('[', 1).section(']', 0, 0);
    QStringList found;
    for (const char *table : {"tcp", "tcp6", "udp", "udp6", "raw", "raw6"}) {
        const QList<QByteArray> lines = ::contentOf(folder + "net/" + table).split('\n');
        for (const QByteArray &line : lines.mid(1))
            if (const QStringList words = QString(line).split(' ', Qt::SkipEmptyParts);
                words.size() > 9 && own.contains(words[9]))
                found << line;
    }
    return found;
}

/// Whether the frames follow one another.
bool isWhole(const std::vector<std::uint32_t> &frames)
{
    for (std::size_t i = 1; i < frames.size(); ++i)
        if (frames[i] != frames[i - 1] + 1)
            return false;
    return !frames.empty();
}

bool isRunning(std::int64_t pid)
{
    return ::kill(static_cast<pid_t>(pid), 0) == 0;
}

} // namespace

/// The program itself on both sides of a connection: only the distance is missing.
class TestServe : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_home;
    std::atomic<pid_t> m_proxy{0};
    std::vector<std::uint32_t> m_frames;
    std::vector<PipelineNotice> m_notices;

    std::shared_ptr<RemoteHost> connected(const std::string &alone = "60")
    {
        return testing::connected([this, alone] { return startServe(JETSCOPE_PROGRAM, alone, &m_proxy); });
    }
    void take(PipelineControl &control)
    {
        const PipelineUpdate update = control.drainUpdates();
        for (const FrameFigures &frame : update.figures)
            m_frames.push_back(frame.frame);
        m_notices.insert(m_notices.end(), update.notices.begin(), update.notices.end());
    }
    bool seesFrames(PipelineControl &control, std::size_t more)
    {
        const std::size_t wanted = m_frames.size() + more;
        return QTest::qWaitFor(
            [&] {
                take(control);
                return m_frames.size() >= wanted;
            },
            30'000);
    }

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("HOME", m_home->path().toLocal8Bit());
        qunsetenv("XDG_CACHE_HOME");
        m_frames.clear();
        m_notices.clear();
    }
    void cleanup()
    {
        // The server of this test, whatever the test did.
        if (const auto host = connected("1")) {
            ::kill(static_cast<pid_t>(host->state().board.pid), SIGKILL);
        }
    }

    void framesComeAndChoicesGo()
    {
        const auto host = connected();
        QVERIFY(host);
        QVERIFY(host->state().board.pid != static_cast<std::uint32_t>(getpid()));
        QVERIFY(!host->devices().empty());
        QVERIFY(!host->platform().nodes.empty());
        auto control = opened(*host);
        QVERIFY(control);
        QVERIFY(seesFrames(*control, 50));
        QVERIFY(control->status().facts.software);
        PipelineConfig config = control->status().config;
        config.sync = config.sync == SyncMode::Finish ? SyncMode::Event : SyncMode::Finish;
        control->change(config);
        QTRY_VERIFY_WITH_TIMEOUT(control->status().config == config, 30'000);
        QVERIFY(seesFrames(*control, 50));
        QVERIFY(isWhole(m_frames));
        const auto isSwitch = [](const PipelineNotice &notice) {
            return notice.kind == PipelineNotice::Kind::Switched;
        };
        QTRY_VERIFY((take(*control), std::any_of(m_notices.begin(), m_notices.end(), isSwitch)));
        QTRY_VERIFY(host->state().clockOffset.has_value());
        const ClockOffset offset = *host->state().clockOffset;
        QVERIFY(std::abs(offset.offsetNs) <= offset.boundNs);
    }

    void nothingListensOnANetwork()
    {
        const auto host = connected();
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        const std::int64_t server = host->state().board.pid;
        QVERIFY(isRunning(server));
        QCOMPARE(networkSockets(server), QStringList());
        QCOMPARE(networkSockets(m_proxy), QStringList());
        // What is looked for would be found.
        const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        QVERIFY(::bind(listener.get(), reinterpret_cast<sockaddr *>(&address), sizeof address) == 0);
        QVERIFY(::listen(listener.get(), 1) == 0);
        QCOMPARE(networkSockets(getpid()).size(), 1);
        // Only this user may open its socket.
        const QFileInfo folder(m_home->path() + "/.cache/jetscope");
        QVERIFY((folder.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther))
                == QFile::Permissions());
        const QFileInfoList sockets = QDir(folder.filePath()).entryInfoList({"serve-*"}, QDir::System);
        QCOMPARE(sockets.size(), 1);
        struct stat facts {};
        QVERIFY(::stat(sockets[0].filePath().toLocal8Bit(), &facts) == 0);
        QVERIFY(S_ISSOCK(facts.st_mode));
        QCOMPARE(facts.st_mode & 0777U, 0600U);
    }

    void aKilledProxyEndsNothing()
    {
        const auto host = connected();
        QVERIFY(host);
        const std::uint32_t server = host->state().board.pid;
        auto control = opened(*host);
        QVERIFY(control);
        QVERIFY(seesFrames(*control, 20));
        for (std::uint32_t cut = 1; cut <= 3; ++cut) {
            ::kill(m_proxy, SIGKILL);
            QTRY_VERIFY_WITH_TIMEOUT(host->state().cuts == cut && host->state().isConnected, 30'000);
            QCOMPARE(host->state().board.pid, server);
            QVERIFY(seesFrames(*control, 100));
            QVERIFY(isWhole(m_frames));
        }
    }

    void aKilledServerIsSaid()
    {
        const auto host = connected();
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        QVERIFY(seesFrames(*control, 5));
        const std::uint32_t before = host->state().board.pid;
        ::kill(static_cast<pid_t>(before), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(control->status().state == PipelineState::Failed, 30'000);
        take(*control);
        QVERIFY(m_notices.back().kind == PipelineNotice::Kind::Failed);
        QTRY_VERIFY_WITH_TIMEOUT(host->state().isConnected && host->state().board.pid != before, 30'000);
        control = opened(*host);
        QVERIFY(control);
        m_frames.clear();
        QVERIFY(seesFrames(*control, 5));
    }

    void endsWhenItIsAlone()
    {
        std::int64_t server = 0;
        {
            const auto host = connected("1");
            QVERIFY(host);
            server = host->state().board.pid;
            QVERIFY(isRunning(server));
        }
        QTRY_VERIFY_WITH_TIMEOUT(!isRunning(server), 30'000);
        QVERIFY(QDir(m_home->path() + "/.cache/jetscope").entryList({"serve-*"}, QDir::System).isEmpty());
        QCOMPARE(::contentOf(QDir(m_home->path() + "/.cache/jetscope").entryInfoList({"*.log"}).value(0).filePath()),
                 QByteArray());
    }

    void whoeverComesFindsTheSameServer()
    {
        std::vector<std::future<std::uint32_t>> servers;
        for (int i = 0; i < 4; ++i)
            servers.push_back(std::async(std::launch::async, [] {
                const auto host = RemoteHost::connect([] { return startServe(JETSCOPE_PROGRAM, "60"); });
                return host.ok() ? host.value()->state().board.pid : 0;
            }));
        std::set<std::uint32_t> pids;
        for (std::future<std::uint32_t> &server : servers)
            pids.insert(server.get());
        QCOMPARE(pids.size(), std::size_t{1});
        QVERIFY(!pids.contains(0));
    }
};

QTEST_GUILESS_MAIN(TestServe)
#include "tst_serve.moc"
