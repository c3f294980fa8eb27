// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/progress.h"
#include "core/system/database.h"
#include "tests/support/scriptedboard.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>

#include <atomic>
#include <csignal>
#include <poll.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace jetscope;
using jetscope::testing::socketEnds;
using Board = jetscope::testing::ScriptedBoard;

namespace {

std::shared_ptr<RemoteHost> reached(Board &board, RemoteWish wish = {})
{
    auto host = RemoteHost::connect(board.dialer(), wish);
    return host.ok() ? host.value() : nullptr;
}

std::unique_ptr<PipelineControl> pipelineOf(RemoteHost &host)
{
    auto control = host.open(SessionRequest());
    return control.ok() ? std::move(control).value() : nullptr;
}

bool goOn(const FetchProgress &)
{
    return true;
}

/// Whether the frames of the spans in a capture are all from a first one on.
bool isWhole(const std::string &path, std::int64_t first, std::int64_t spans)
{
    Result<Database> file = Database::open(path, Database::Access::ReadOnly);
    if (!file.ok())
        return false;
    Result<Statement> row =
        file.value().prepare("SELECT count(*), count(DISTINCT frame), min(frame), max(frame) FROM span_rows");
    if (!row.ok() || !row.value().next())
        return false;
    const auto is = [&](int column, std::int64_t number) { return row.value().integer(column) == number; };
    return is(0, spans) && is(1, spans) && is(2, first) && is(3, first + spans - 1);
}

/// A link between two ends that can be stopped without being closed.
class Relay {
public:
    Relay(LinkEnds near, LinkEnds far)
        : m_near(std::move(near)), m_far(std::move(far)), m_thread([this] {
              while (!m_ends) {
                  std::array<pollfd, 2> sources{{{m_near.in.get(), POLLIN, 0}, {m_far.in.get(), POLLIN, 0}}};
                  ::poll(sources.data(), sources.size(), 5);
                  if (m_isFrozen)
                      std::this_thread::sleep_for(std::chrono::milliseconds(5));
                  else if ((sources[0].revents != 0 && !copy(m_near, m_far))
                           || (sources[1].revents != 0 && !copy(m_far, m_near)))
                      break;
              }
              ::shutdown(m_near.in.get(), SHUT_RDWR);
              ::shutdown(m_far.in.get(), SHUT_RDWR);
          })
    {
    }
    ~Relay()
    {
        m_ends = true;
        m_thread.join();
    }
    void freeze() { m_isFrozen = true; }

private:
    static bool copy(const LinkEnds &from, const LinkEnds &to)
    {
        std::array<char, 1 << 16> bytes;
        const ssize_t size = ::read(from.in.get(), bytes.data(), bytes.size());
        return size > 0 && ::send(to.out.get(), bytes.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
    }

    const LinkEnds m_near;
    const LinkEnds m_far;
    std::atomic<bool> m_isFrozen{false};
    std::atomic<bool> m_ends{false};
    std::thread m_thread;
};

/// A connection through a new relay.
Result<LinkEnds> relayed(Board &board, std::vector<std::unique_ptr<Relay>> &relays, std::mutex &mutex)
{
    Result<LinkEnds> far = board.dialer()();
    if (!far.ok())
        return far;
    auto near = socketEnds().value();
    const std::lock_guard lock(mutex);
    relays.push_back(std::make_unique<Relay>(std::move(near.second), std::move(far).value()));
    return std::move(near.first);
}

long residentKiB()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLong() * ::sysconf(_SC_PAGESIZE) / 1024;
}

} // namespace

/// What a board records, and how it comes to a laptop.
class TestBoardCaptures : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_laptop;

    std::string here(const char *name = "fetched.jscope") const
    {
        return m_laptop->filePath(QString::fromLatin1(name)).toStdString();
    }
    /// A file of bytes that nothing makes smaller, in the folder of the board.
    static QByteArray place(const Board &board, const char *name, qsizetype size, quint32 seed = 1)
    {
        QByteArray bytes(size, '\0');
        QRandomGenerator random(seed);
        for (char &byte : bytes)
            byte = static_cast<char>(random.generate());
        QDir().mkpath(QString::fromStdString(board.captures()));
        QFile file(QString::fromStdString(board.captures() + "/" + name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == size ? bytes : QByteArray();
    }
    static QByteArray bytesOf(const std::string &path)
    {
        QFile file(QString::fromStdString(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QStringList parts() const { return QDir(m_laptop->path()).entryList({"*.part"}); }

private slots:
    void init() { m_laptop = std::make_unique<QTemporaryDir>(); }

    void recordsThroughCutsAndWithoutALaptop()
    {
        Board board;
        auto host = reached(board);
        QVERIFY(host);
        QVERIFY(!host->startRecording("orin").ok()); // There is no pipeline yet.
        auto control = pipelineOf(*host);
        QVERIFY(control);
        board.host->script->tell(100);
        QTRY_COMPARE(control->status().frames, std::uint64_t{100});
        QVERIFY(host->startRecording("orin").ok());
        QTRY_VERIFY(host->state().recording.isOn);
        const std::string name = host->state().recording.name;
        std::int64_t spans = 0;
        const auto tell = [&] {
            board.host->script->tell(500);
            spans += 500;
        };
        for (int cut = 1; cut <= 3; ++cut) {
            tell();
            board.cut();
            QTRY_VERIFY(!host->state().isConnected);
            tell();
            board.back();
            QTRY_VERIFY_WITH_TIMEOUT(host->state().isConnected, 20'000);
        }
        board.cut();
        control.reset();
        host.reset();
        QTRY_COMPARE(board.host->script->ended.load(), 0);
        tell();
        QTest::qWait(50);
        QVERIFY(!board.server->aloneFor()); // It records.
        board.back();
        host = reached(board);
        QVERIFY(host);
        QTRY_VERIFY(host->state().recording.isOn);
        const auto growing = host->captures();
        QVERIFY(growing.ok() && growing.value().captures.size() == 1 && growing.value().captures[0].grows);
        const Status early = host->fetchCapture(name, here(), goOn);
        QVERIFY(!early.ok() && early.error().text.find("still being recorded") != std::string::npos);
        QVERIFY(!host->removeCapture(name).ok());
        tell();
        QTest::qWait(100); // What was told is taken within 20 ms.
        QVERIFY(host->stopRecording().ok());
        QTRY_VERIFY(!host->state().recording.isOn);
        QCOMPARE(host->state().recording.failure, std::string());
        QVERIFY(host->fetchCapture(name, here(), goOn).ok());
        QCOMPARE(bytesOf(here()), bytesOf(board.captures() + "/" + name));
        QVERIFY(isWhole(here(), 100, spans));
        QVERIFY(host->removeCapture(name).ok());
        QVERIFY(host->captures().value().captures.empty());
        host.reset();
        QTRY_VERIFY(board.server->aloneFor().has_value());
    }

    void onlyWhoGivesOrdersRecords()
    {
        Board board;
        const auto first = reached(board);
        QVERIFY(first);
        auto control = pipelineOf(*first);
        QVERIFY(control);
        QVERIFY(first->startRecording("orin").ok());
        const auto second = reached(board);
        QVERIFY(second);
        QTRY_VERIFY(second->state().recording.isOn && first->state().recording.isOn);
        QCOMPARE(second->state().recording.name, first->state().recording.name);
        QVERIFY(!second->stopRecording().ok());
        QVERIFY(!second->startRecording("orin").ok());
        QVERIFY(first->state().recording.isOn);
        QVERIFY(second->takeOver().ok());
        QVERIFY(second->stopRecording().ok());
        QTRY_VERIFY(!first->state().recording.isOn && !second->state().recording.isOn);
        // Who only fetches takes the orders from nobody.
        RemoteWish onlyCaptures;
        onlyCaptures.follows = false;
        const auto third = reached(board, onlyCaptures);
        QVERIFY(third && third->captures().ok());
        QVERIFY(!third->startRecording("orin").ok());
        QVERIFY(!third->state().givesOrders && second->state().givesOrders);
    }

    void theEndOfThePipelineEndsTheRecording()
    {
        Board board;
        const auto host = reached(board);
        QVERIFY(host);
        auto control = pipelineOf(*host);
        QVERIFY(control);
        QVERIFY(host->startRecording("orin").ok());
        QTRY_VERIFY(host->state().recording.isOn);
        board.host->script->tell(700);
        {
            const std::lock_guard lock(board.host->script->mutex);
            board.host->script->status.state = PipelineState::Ended;
        }
        QTRY_VERIFY(!host->state().recording.isOn);
        QVERIFY(isWhole(board.captures() + "/" + host->state().recording.name, 0, 700));
    }

    void theClocksAreInTheCapture()
    {
        Board board;
        const auto host = reached(board);
        QVERIFY(host);
        auto control = pipelineOf(*host);
        QVERIFY(control);
        QTRY_VERIFY(host->state().clockOffset.has_value());
        QVERIFY(host->startRecording("orin").ok());
        const std::string name = [&] {
            static_cast<void>(QTest::qWaitFor([&] { return host->state().recording.isOn; }));
            return host->state().recording.name;
        }();
        QTest::qWait(2500); // It is said within two seconds.
        QVERIFY(host->stopRecording().ok());
        Result<Database> file = Database::open(board.captures() + "/" + name, Database::Access::ReadOnly);
        QVERIFY(file.ok());
        Result<Statement> row = file.value().prepare("SELECT offset_ns, bound_ns FROM clocks");
        QVERIFY(row.ok() && row.value().next());
        // Both clocks are the same one here.
        QVERIFY(std::abs(row.value().integer(0)) <= row.value().integer(1));
    }

    void aFetchGoesOnAfterEachCut()
    {
        Board board;
        const QByteArray bytes = place(board, "big.jscope", 24 << 20);
        const auto host = reached(board);
        QVERIFY(host && !bytes.isEmpty());
        std::atomic<int> cuts{0};
        std::uint64_t least = 0;
        bool isForward = true;
        const Status fetched = host->fetchCapture("big.jscope", here(), [&](const FetchProgress &progress) {
            if (progress.step == FetchProgress::Step::Coming) {
                isForward = isForward && progress.bytes >= least;
                least = progress.bytes;
                if (progress.bytes > static_cast<std::uint64_t>(cuts + 1) * (4 << 20) && cuts < 4) {
                    ++cuts;
                    board.cut();
                }
            } else if (progress.step == FetchProgress::Step::Away) {
                board.back();
            }
            return true;
        });
        QVERIFY2(fetched.ok(), fetched.ok() ? "" : fetched.error().text.c_str());
        QVERIFY(cuts >= 2);
        QVERIFY(isForward);
        QVERIFY(bytesOf(here()) == bytes);
        QVERIFY(parts().isEmpty());
    }

    void aCancelledFetchIsGoneOnWithByAnotherProgram()
    {
        Board board;
        const QByteArray bytes = place(board, "big.jscope", 24 << 20);
        {
            const auto host = reached(board);
            QVERIFY(host);
            const Status cancelled = host->fetchCapture(
                "big.jscope", here(), [](const FetchProgress &progress) { return progress.bytes < (8 << 20); });
            QVERIFY(!cancelled.ok() && wasCancelled(cancelled.error()));
            QVERIFY(host->captures().ok()); // The connection is as good as before.
        }
        QCOMPARE(parts().size(), 1);
        QVERIFY(!QFile::exists(QString::fromStdString(here())));
        const qint64 came = QFileInfo(m_laptop->filePath(parts()[0])).size();
        QVERIFY(came >= 8 << 20);
        const auto host = reached(board);
        QVERIFY(host);
        std::string said;
        std::uint64_t first = 0;
        QVERIFY(host->fetchCapture("big.jscope", here(),
                                   [&](const FetchProgress &progress) {
                                       said += progress.said;
                                       if (first == 0 && progress.step == FetchProgress::Step::Coming)
                                           first = progress.bytes;
                                       return true;
                                   })
                    .ok());
        QVERIFY2(said.find("goes on behind") != std::string::npos, said.c_str());
        QVERIFY(first >= static_cast<std::uint64_t>(came));
        QVERIFY(bytesOf(here()) == bytes);
        QVERIFY(parts().isEmpty());
        const Status again = host->fetchCapture("big.jscope", here(), goOn);
        QVERIFY(!again.ok() && again.error().text.find("exists already") != std::string::npos);
    }

    void aChangedCaptureIsFetchedAnew()
    {
        Board board;
        place(board, "big.jscope", 24 << 20);
        const auto host = reached(board);
        QVERIFY(host);
        QVERIFY(!host->fetchCapture("big.jscope", here(),
                                    [](const FetchProgress &progress) { return progress.bytes < (8 << 20); })
                     .ok());
        const QByteArray other = place(board, "big.jscope", 20 << 20, 2);
        std::string said;
        bool hasChanged = false;
        QByteArray last = other;
        QVERIFY(host->fetchCapture("big.jscope", here(),
                                   [&](const FetchProgress &progress) {
                                       said += progress.said;
                                       if (!hasChanged && progress.bytes > (6 << 20)) { // And once more on its way.
                                           hasChanged = true;
                                           last = place(board, "big.jscope", 21 << 20, 3);
                                       }
                                       return true;
                                   })
                    .ok());
        QVERIFY2(said.find("changed on the board") != std::string::npos, said.c_str());
        QVERIFY(hasChanged);
        QVERIFY(bytesOf(here()) == last);
        QVERIFY(parts().isEmpty());
    }

    void aDamagedPartIsFetchedAnew()
    {
        Board board;
        const QByteArray bytes = place(board, "big.jscope", 24 << 20);
        const auto host = reached(board);
        QVERIFY(host);
        QVERIFY(!host->fetchCapture("big.jscope", here(),
                                    [](const FetchProgress &progress) { return progress.bytes < (4 << 20); })
                     .ok());
        QFile part(m_laptop->filePath(parts().value(0)));
        QVERIFY(part.open(QIODevice::ReadWrite) && part.seek(1000) && part.write("damage") == 6);
        part.close();
        std::string said;
        QVERIFY(host->fetchCapture("big.jscope", here(),
                                   [&](const FetchProgress &progress) {
                                       said += progress.said;
                                       return true;
                                   })
                    .ok());
        QVERIFY2(said.find("not what lies on the board") != std::string::npos, said.c_str());
        QVERIFY(bytesOf(here()) == bytes);
    }

    void aFullDiskOfTheLaptopIsSaid()
    {
        Board board;
        place(board, "big.jscope", 8 << 20);
        const auto host = reached(board);
        QVERIFY(host);
        rlimit before{};
        QVERIFY(::getrlimit(RLIMIT_FSIZE, &before) == 0);
        const auto handled = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{2 << 20, before.rlim_max};
        QVERIFY(::setrlimit(RLIMIT_FSIZE, &small) == 0);
        const Status full = host->fetchCapture("big.jscope", here(), goOn);
        QVERIFY(::setrlimit(RLIMIT_FSIZE, &before) == 0);
        std::signal(SIGXFSZ, handled);
        QVERIFY(!full.ok());
        QVERIFY2(full.error().text.find("could not be written") != std::string::npos, full.error().text.c_str());
        QVERIFY(!QFile::exists(QString::fromStdString(here())));
        QVERIFY(host->fetchCapture("big.jscope", here(), goOn).ok()); // It goes on when there is room.
    }

    void aRestartedBoardOffersWhatSurvived()
    {
        Board board;
        const auto host = reached(board);
        QVERIFY(host);
        auto control = pipelineOf(*host);
        QVERIFY(control);
        board.host->script->tell(300);
        QVERIFY(host->startRecording("orin").ok());
        QTRY_VERIFY(host->state().recording.isOn);
        const std::string name = host->state().recording.name;
        QCOMPARE(host->state().survivor, std::string());
        board.cut();
        board.restart();
        board.back();
        QTRY_COMPARE_WITH_TIMEOUT(host->state().survivor, name, 20'000);
        QVERIFY(!host->state().recording.isOn);
        QTRY_VERIFY(host->state().isConnected);
        QVERIFY(host->fetchCapture(name, here(), goOn).ok());
    }

    /// Sooner than a silent connection of a laptop that did not sleep.
    void aConnectionThatDiedInASleepIsMadeAnewSoon()
    {
        Board board;
        static std::atomic<std::int64_t> slept;
        RemoteWish wish;
        wish.longestSilence = std::chrono::seconds(12);
        wish.slept = [] { return slept.load(); };
        std::vector<std::unique_ptr<Relay>> relays;
        std::mutex mutex;
        const auto connecting = RemoteHost::connect([&]() { return relayed(board, relays, mutex); }, wish);
        QVERIFY(connecting.ok());
        const auto &host = connecting.value();
        QTRY_VERIFY(host->state().clockOffset.has_value());
        // One that is well goes on, and its clocks are compared anew.
        slept += 3'600'000'000'000;
        QTest::qWait(5000);
        QCOMPARE(host->state().cuts, 0U);
        QVERIFY(host->state().clockOffset.has_value());
        {
            const std::lock_guard lock(mutex);
            relays.back()->freeze();
        }
        slept += 3'600'000'000'000;
        QTRY_VERIFY_WITH_TIMEOUT(host->state().cuts == 1 && host->state().isConnected, 9'000);
    }

    /// The laptop sleeps: its connection stays open and carries nothing, for longer than all limits.
    void aSleepingLaptopLosesNothing()
    {
        Board board;
        RemoteWish wish;
        wish.longestSilence = std::chrono::milliseconds(1000);
        std::vector<std::unique_ptr<Relay>> relays;
        std::mutex mutex;
        auto connecting = RemoteHost::connect([&] { return relayed(board, relays, mutex); }, wish);
        QVERIFY(connecting.ok());
        const auto host = std::move(connecting).value();
        auto control = pipelineOf(*host);
        QVERIFY(control);
        QVERIFY(host->startRecording("orin").ok());
        QTRY_VERIFY(host->state().recording.isOn);
        const std::string name = host->state().recording.name;
        std::int64_t spans = 100;
        board.host->script->tell(100);
        QTRY_COMPARE(control->status().frames, std::uint64_t{100});
        // A board that answers is not silent, even if nothing happens there.
        QTest::qWait(1500);
        QCOMPARE(host->state().cuts, 0U);
        const long before = residentKiB();
        {
            const std::lock_guard lock(mutex);
            relays.back()->freeze();
            board.leave();
        }
        QElapsedTimer asleep;
        asleep.start();
        // More than a link, the log of what was missed, and a queue hold.
        while (asleep.elapsed() < 3000) {
            board.host->script->tell(500);
            board.host->script->notice(std::string(1'000'000, 'n'));
            spans += 500;
            QTest::qWait(30);
        }
        QVERIFY(spans > 1'000);
        board.back();
        QTRY_VERIFY_WITH_TIMEOUT(host->state().cuts >= 1 && host->state().isConnected, 60'000);
        const qint64 awayMs = asleep.elapsed();
        // It counts from the last answer, at most a second before the link froze: later it would have been cut.
        const auto away = host->state().away.count();
        QVERIFY2(away >= 2900 && away <= awayMs + 1000, qPrintable(QString("%1 of %2 ms").arg(away).arg(awayMs)));
        QVERIFY(residentKiB() - before < 250 * 1024);
        board.host->script->tell(100);
        spans += 100;
        QTRY_COMPARE_WITH_TIMEOUT(control->status().frames, static_cast<std::uint64_t>(spans), 20'000);
        QTest::qWait(100);
        QVERIFY(host->stopRecording().ok());
        QCOMPARE(host->state().recording.lost, std::uint64_t{0});
        QVERIFY(isWhole(board.captures() + "/" + name, 0, spans));
    }
};

JETSCOPE_TEST(TestBoardCaptures)
#include "tst_boardcaptures.moc"
