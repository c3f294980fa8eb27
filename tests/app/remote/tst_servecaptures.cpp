// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/database.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/remote/remotehost.h"
#include "tests/app/program.h"
#include "tests/core/remote/reach/fakeboard.h"
#include "tests/support/startserve.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRandomGenerator>

#include <map>
#include <set>
#include <tuple>

using namespace jetscope;
using jetscope::testing::connected;
using jetscope::testing::FakeBoard;
using jetscope::testing::opened;
using jetscope::testing::startCommand;

namespace {

/// A board that has this very program.
class InstalledBoard : public FakeBoard {
public:
    InstalledBoard() { QFile::link(JETSCOPE_PROGRAM, path("bin/jetscope")); }

    QString captures() const { return home() + "/.local/share/jetscope/captures"; }
    /// A capture of bytes that nothing makes smaller.
    QByteArray place(const QString &name, qsizetype size) const
    {
        QByteArray bytes(size, '\0');
        QRandomGenerator random(7);
        for (char &byte : bytes)
            byte = static_cast<char>(random.generate());
        testing::writeFile(captures() + "/" + name, bytes);
        return bytes;
    }
};

using SpanRow = std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::string>;

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The whole numbers of a row.
std::vector<std::int64_t> numbersOf(const std::string &path, const char *select)
{
    std::vector<std::int64_t> numbers;
    Result<Database> file = Database::open(path, Database::Access::ReadOnly);
    if (!file.ok())
        return numbers;
    Result<Statement> row = file.value().prepare(select);
    while (row.ok() && row.value().next())
        for (int i = 0; i < row.value().columns(); ++i)
            numbers.push_back(row.value().integer(i));
    return numbers;
}

/// Whether the frames of a capture follow one another, and are at least so many. Only those are missing that the
/// pipeline itself left out, to measure what tracing costs, and says so.
bool hasAllFrames(const std::string &path, std::int64_t least)
{
    const auto numbers = numbersOf(
        path,
        "SELECT (SELECT count(*) FROM frames), count(*) FROM (SELECT frame AS f, lead(frame) OVER (ORDER BY frame) "
        "AS n FROM frames) WHERE n - f > 1 AND NOT EXISTS (SELECT 1 FROM marks WHERE text LIKE '%not traced%' AND "
        "frame BETWEEN f AND n AND n - f <= 2 * CAST(text AS INTEGER))");
    if (numbers.size() != 2 || numbers[0] < least || numbers[1] != 0)
        qWarning("%lld frames, %lld holes", numbers.empty() ? -1LL : static_cast<long long>(numbers[0]),
                 numbers.size() < 2 ? -1LL : static_cast<long long>(numbers[1]));
    return numbers.size() == 2 && numbers[0] >= least && numbers[1] == 0;
}

long residentKiB(std::uint32_t pid)
{
    const QByteArray text = bytesOf(QStringLiteral("/proc/%1/statm").arg(pid));
    return text.split(' ').value(1).toLong() * ::sysconf(_SC_PAGESIZE) / 1024;
}

} // namespace

/// The program as server and as laptop: what is recorded on a board, whatever happens to either, and brought here.
class TestServeCaptures : public QObject {
    Q_OBJECT
    std::unique_ptr<InstalledBoard> m_board;
    std::unique_ptr<QTemporaryDir> m_laptop;

    QString here(const QString &name = "fetched.jscope") const { return m_laptop->filePath(name); }
    /// What stands for ssh and its login, before the words that become the server.
    Dialer dialerOf(const QString &before = {}, const QString &link = {}) const
    {
        const std::string command = "export HOME=" + m_board->home().toStdString()
            + "; unset XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR; " + before.toStdString() + " exec "
            + link.toStdString() + " \"" + JETSCOPE_PROGRAM + "\" serve --alone 60";
        return [command] { return startCommand(command); };
    }
    /// The path on the board; empty if none begins.
    std::string recorded(RemoteHost &host) const
    {
        const Status started = host.startRecording("orin-lab-3");
        if (!started.ok() || !QTest::qWaitFor([&] { return host.state().recording.isOn; }, 10'000)) {
            qWarning("%s", started.ok() ? "it does not begin" : started.error().text.c_str());
            return {};
        }
        return (m_board->captures() + "/").toStdString() + host.state().recording.name;
    }
    static bool waitForFrames(const PipelineControl &control, std::uint64_t more)
    {
        const std::uint64_t wanted = control.status().frames + more;
        return QTest::qWaitFor([&] { return control.status().frames >= wanted; }, 30'000);
    }

private slots:
    void init()
    {
        qunsetenv("XDG_DATA_HOME"); // The board has folders of its own.
        m_board = std::make_unique<InstalledBoard>();
        m_laptop = std::make_unique<QTemporaryDir>();
    }
    void cleanup()
    {
        // The server of this test, whatever the test did.
        if (const auto host = connected(dialerOf()))
            ::kill(static_cast<pid_t>(host->state().board.pid), SIGKILL);
        m_board.reset();
    }

    /// What came to a laptop over a link on which nothing was left out is what a recording on the laptop has.
    void hasWhatARecordingHereHas()
    {
        const auto host = connected(dialerOf());
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        TraceUpdate seen;
        const auto take = [&] { append(seen, control->drainUpdates(), std::size_t{1} << 24); };
        Result<std::unique_ptr<TraceFileWriter>> local =
            TraceFileWriter::create(here("local.jscope").toStdString(), {});
        QVERIFY(local.ok());
        const std::shared_ptr<TraceFileWriter> writer = std::move(local).value();
        control->setSink(writer);
        const std::string path = recorded(*host);
        QVERIFY(!path.empty());
        QVERIFY(QTest::qWaitFor([&] { return take(), seen.figures.size() > 400; }, 30'000));
        QVERIFY(host->stopRecording().ok());
        QTest::qWait(200);
        take();
        QCOMPARE(host->state().notSent.messages, NotSent().messages);
        // The path of a frame comes some frames later than its figures.
        const auto [first, last, rows] = [&] {
            const auto numbers = numbersOf(path, "SELECT min(frame) + 20, max(frame) - 60, count(*) FROM frames");
            return std::tuple(numbers.at(0), numbers.at(1), numbers.at(2));
        }();
        QVERIFY(rows > 200);
        std::multiset<SpanRow> there;
        std::multiset<SpanRow> came;
        Result<Database> file = Database::open(path, Database::Access::ReadOnly);
        QVERIFY(file.ok());
        Result<Statement> row = file.value().prepare(
            "SELECT s.frame, s.start_ns, s.duration_ns, s.lane, n.name FROM span_rows s JOIN names n ON n.id = s.name");
        QVERIFY(row.ok());
        while (row.value().next())
            if (row.value().integer(0) >= first && row.value().integer(0) <= last)
                there.insert({static_cast<std::uint32_t>(row.value().integer(0)), row.value().integer(1),
                              row.value().integer(2), row.value().integer(3), std::string(row.value().text(4))});
        for (const Span &span : seen.spans)
            if (span.frame >= first && span.frame <= last)
                came.insert({span.frame, span.startNs, span.durationNs, span.lane, seen.names[span.name].text});
        QVERIFY(there.size() > 1000);
        QVERIFY(there == came);
        // And so has the recording that the laptop made meanwhile.
        control->setSink(nullptr);
        QVERIFY(writer->stop().ok());
        for (const char *table : {"span_rows WHERE", "frames WHERE", "path_rows WHERE"}) {
            const std::string count = std::string("SELECT count(*) FROM ") + table + " frame BETWEEN "
                + std::to_string(first) + " AND " + std::to_string(last);
            const auto rowsHere = numbersOf(here("local.jscope").toStdString(), count.c_str());
            QVERIFY(rowsHere.size() == 1 && rowsHere[0] > 200);
            QCOMPARE(numbersOf(path, count.c_str()), rowsHere);
        }
    }

    void aKilledServerLeavesWhatItRecorded()
    {
        const auto host = connected(dialerOf());
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        const std::string path = recorded(*host);
        QVERIFY(!path.empty());
        QVERIFY(waitForFrames(*control, 200));
        const std::string name = host->state().recording.name;
        const std::uint32_t before = host->state().board.pid;
        ::kill(static_cast<pid_t>(before), SIGKILL);
        QVERIFY(hasAllFrames(path, 100)); // Readable as it lies there.
        QTRY_VERIFY_WITH_TIMEOUT(host->state().isConnected && host->state().board.pid != before, 30'000);
        QTRY_COMPARE(host->state().survivor, name);
        const Status fetched =
            host->fetchCapture(name, here().toStdString(), [](const FetchProgress &) { return true; });
        QVERIFY2(fetched.ok(), fetched.ok() ? "" : fetched.error().text.c_str());
        QVERIFY(hasAllFrames(here().toStdString(), 100));
    }

    void theServerStaysWhileItRecords()
    {
        std::atomic<bool> isAway{false};
        std::atomic<pid_t> proxy{0};
        const std::string command = "export HOME=" + m_board->home().toStdString()
            + "; unset XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR; exec \"" JETSCOPE_PROGRAM "\" serve --alone 1";
        const Dialer dial = [&]() -> Result<LinkEnds> {
            return isAway ? Result<LinkEnds>(Error{"", 0, "away"}) : startCommand(command, &proxy);
        };
        auto host = connected(dial);
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        const std::string path = recorded(*host);
        QVERIFY(!path.empty());
        const auto server = static_cast<pid_t>(host->state().board.pid);
        isAway = true;
        ::kill(proxy, SIGKILL);
        QTRY_VERIFY(!host->state().isConnected);
        control.reset();
        host.reset();
        QTest::qWait(3000); // Three times as long as it may be alone.
        QCOMPARE(::kill(server, 0), 0);
        isAway = false;
        host = connected(dial);
        QVERIFY(host && host->state().board.pid == static_cast<std::uint32_t>(server));
        QTRY_VERIFY(host->state().recording.isOn);
        QVERIFY(host->stopRecording().ok());
        QVERIFY(hasAllFrames(path, 120));
        host.reset();
        QTRY_VERIFY_WITH_TIMEOUT(::kill(server, 0) != 0, 30'000);
    }

    /// A limit of the system stands for a disk that takes no more.
    void aFullDiskIsSaidAndEndsOnlyTheRecording()
    {
        const auto host = connected(dialerOf("ulimit -f 2000;")); // 1 MB, or 2 where the shell counts KiB.
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        const std::string path = recorded(*host);
        QVERIFY(!path.empty());
        QTRY_VERIFY_WITH_TIMEOUT(!host->state().recording.isOn, 60'000);
        const std::string failure = host->state().recording.failure;
        for (const std::string &part : {std::string("orin-lab-3"), m_board->captures().toStdString(),
                                        std::string("MB free"), std::string("delete")})
            QVERIFY2(failure.find(part) != std::string::npos, failure.c_str());
        QVERIFY(waitForFrames(*control, 50)); // The pipeline goes on.
        QVERIFY(hasAllFrames(path, 20));
        const auto captures = host->captures();
        QVERIFY(captures.ok() && captures.value().captures.size() == 1 && !captures.value().captures[0].grows);
    }

    /// A small disk: what others on a board need of it is left.
    void aNearlyFullDiskIsNotFilled()
    {
        const QString data = m_board->home() + "/.local/share";
        QDir().mkpath(data);
        const QString mounts = "mount -t tmpfs -o size=66m tmpfs " + data + " && ";
        if (QProcess::execute("unshare", {"-rm", "sh", "-c", mounts + "true"}) != 0)
            QSKIP("this user may not mount");
        const auto host = connected([this, mounts] {
            return startCommand("export HOME=" + m_board->home().toStdString()
                                + "; unset XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR; exec unshare -rm sh -c '"
                                + mounts.toStdString() + "exec \"" JETSCOPE_PROGRAM "\" serve --alone 60'");
        });
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        QVERIFY(!recorded(*host).empty());
        const std::string name = host->state().recording.name;
        QTRY_VERIFY_WITH_TIMEOUT(!host->state().recording.isOn, 60'000);
        const std::string failure = host->state().recording.failure;
        QVERIFY2(failure.find("nearly full") != std::string::npos && failure.find(" MB free") != std::string::npos,
                 failure.c_str());
        QVERIFY(host->fetchCapture(name, here().toStdString(), [](const FetchProgress &) { return true; }).ok());
        QVERIFY(hasAllFrames(here().toStdString(), 20));
        QVERIFY(host->removeCapture(name).ok());
        QVERIFY(host->startRecording("orin-lab-3").ok()); // There is room again.
        QVERIFY(host->stopRecording().ok());
    }

    /// The laptop sleeps: bytes stop, nothing is closed, for longer than all limits.
    void aSleepingLaptopLosesNothing()
    {
        std::atomic<int> dials{0};
        const Dialer frozen = dialerOf({}, QStringLiteral("\"" JETSCOPE_LINKPROXY "\" --freeze-ms 4000 --"));
        const Dialer awake = dialerOf();
        RemoteWish wish;
        wish.longestSilence = std::chrono::milliseconds(3000);
        const auto host = connected([&] { return ++dials == 1 ? frozen() : awake(); }, wish);
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        const std::string path = recorded(*host);
        QVERIFY(!path.empty());
        QVERIFY(waitForFrames(*control, 100));
        const std::uint32_t server = host->state().board.pid;
        const long before = residentKiB(server);
        QTRY_VERIFY_WITH_TIMEOUT(dials >= 2 && host->state().isConnected, 60'000);
        QVERIFY(host->state().away >= wish.longestSilence);
        QVERIFY(waitForFrames(*control, 100));
        QVERIFY(residentKiB(server) - before < 40'000);
        QCOMPARE(host->state().board.pid, server);
        QVERIFY(host->stopRecording().ok());
        QCOMPARE(host->state().recording.lost, std::uint64_t{0});
        QVERIFY(hasAllFrames(path, 300)); // 100 a second, also while nothing passed.
    }

    void fetchesOverALinkThatIsCut()
    {
        const QByteArray bytes = m_board->place("big.jscope", 24 << 20);
        const QString cuts = m_laptop->filePath("dials");
        testing::writeFile(m_board->path("counting-ssh"),
                           "#!/bin/sh\necho >>" + cuts.toUtf8()
                               + "\nexec " JETSCOPE_LINKPROXY " --bits 40000000 --cut-bytes 6000000 -- "
                               + m_board->path("ssh").toUtf8() + " \"$@\"\n",
                           true);
        FakeBoard::useSsh(m_board->path("counting-ssh"));
        const Outcome outcome =
            runProgram({"captures", "--host", "orin", "--fetch", "big.jscope", "--out", here(), "--json"});
        QVERIFY2(outcome.code == 0, outcome.describe());
        QCOMPARE(outcome.json()["bytes"].toInt(), 24 << 20);
        QVERIFY(bytesOf(here()) == bytes);
        QVERIFY(bytesOf(cuts).count('\n') >= 4);
        QVERIFY(QDir(m_laptop->path()).entryList({"*.part"}).isEmpty());
    }

    void aKilledFetchIsGoneOnWith()
    {
        const QByteArray bytes = m_board->place("big.jscope", 12 << 20);
        FakeBoard::useSsh(QString(JETSCOPE_LINKPROXY) + " --bits 40000000 -- " + m_board->path("ssh"));
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(JETSCOPE_PROGRAM, {"captures", "--host", "orin", "--fetch", "big.jscope", "--out", here()});
        const auto came = [this] {
            const QFileInfoList parts = QDir(m_laptop->path()).entryInfoList({"*.part"});
            return parts.isEmpty() ? qint64{0} : parts[0].size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(came() > 4 << 20, 30'000);
        process.kill();
        process.waitForFinished();
        FakeBoard::useSsh(m_board->path("ssh"));
        QVERIFY(!QFile::exists(here()));
        const Outcome outcome = runProgram({"captures", "--host", "orin", "--fetch", "big.jscope", "--out", here()});
        QVERIFY2(outcome.code == 0 && outcome.err.contains("goes on behind the"), outcome.describe());
        QVERIFY(bytesOf(here()) == bytes);
    }

    void listsAndDeletes()
    {
        const Outcome none = runProgram({"captures", "--host", "orin"});
        QVERIFY2(none.code == 0 && none.out.contains("no captures"), none.describe());
        const auto host = connected(dialerOf());
        QVERIFY(host);
        auto control = opened(*host);
        QVERIFY(control);
        QVERIFY(!recorded(*host).empty());
        const QString name = QString::fromStdString(host->state().recording.name);
        QVERIFY(waitForFrames(*control, 100));
        const Outcome growing = runProgram({"captures", "--host", "orin", "--json"});
        QVERIFY2(growing.code == 0, growing.describe());
        QCOMPARE(growing.json()["folder"].toString(), m_board->captures());
        QVERIFY(growing.json()["free_bytes"].toDouble() > 0);
        QJsonObject row = growing.json()["captures"].toArray()[0].toObject();
        QVERIFY(row["name"].toString() == name && row["growing"].toBool());
        for (const char *option : {"--delete", "--fetch"}) {
            const Outcome refused = runProgram({"captures", "--host", "orin", option, name});
            QVERIFY2(refused.code == 1 && refused.err.contains("still being recorded"), refused.describe());
        }
        QVERIFY(host->state().givesOrders); // Nobody took them.
        QVERIFY(host->stopRecording().ok());
        const Outcome whole = runProgram({"captures", "--host", "orin", "--json"});
        row = whole.json()["captures"].toArray()[0].toObject();
        QVERIFY2(!row["growing"].toBool() && row["length_s"].toDouble() > 0.5 && row["trouble"].isNull(),
                 whole.describe());
        QCOMPARE(row["bytes"].toInteger(), QFileInfo(m_board->captures() + "/" + name).size());
        const Outcome text = runProgram({"captures", "--host", "orin"});
        QVERIFY2(text.out.contains(name) && text.out.contains(" MB"), text.describe());
        const Outcome other = runProgram({"captures", "--host", "orin", "--fetch", "none.jscope"});
        QVERIFY2(other.code == 1 && other.oneSentence(), other.describe());
        const Outcome path = runProgram({"captures", "--host", "orin", "--delete", "../captures/" + name});
        QVERIFY2(path.code == 1, path.describe());
        const Outcome deleted = runProgram({"captures", "--host", "orin", "--delete", name});
        QVERIFY2(deleted.code == 0, deleted.describe());
        QVERIFY(QDir(m_board->captures()).entryList(QDir::Files).isEmpty());
    }

    void wrongWordsAreSaid()
    {
        for (const QStringList &words : {QStringList{"captures", "--fetch", "a.jscope"},
                                         QStringList{"captures", "--host", "orin", "--out", "a.jscope"},
                                         QStringList{"captures", "--host", "orin", "--fetch", "a", "--delete", "b"}}) {
            const Outcome outcome = runProgram(words);
            QVERIFY2(outcome.code == 2 && outcome.oneSentence(), outcome.describe());
        }
    }
};

QTEST_GUILESS_MAIN(TestServeCaptures)
#include "tst_servecaptures.moc"
