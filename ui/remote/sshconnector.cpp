// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sshconnector.h"

#include "core/progress.h"
#include "core/remote/reach/boardserver.h"
#include "core/remote/reach/reachboard.h"
#include "core/system/temporaryfolder.h"
#include "ui/remote/askpass.h"
#include "ui/style/text.h"

#include <QCoreApplication>

#include <chrono>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace jetscope {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kClockTime{3'000};
constexpr milliseconds kClockStep{20};

/// The ssh of a connection, which ends when it is dialled again. Any thread.
class Dialling {
public:
    explicit Dialling(BoardAddress board) : m_board(std::move(board)), m_folder(TemporaryFolder::create())
    {
        if (m_folder.ok())
            m_environment =
                askPassEnvironment(m_folder.value().path(), QCoreApplication::applicationFilePath().toStdString());
    }

    /// The first connection. The board's report stays valid until the next one.
    Result<const ReachedBoard *> reach(ReachWish wish)
    {
        const std::lock_guard lock(m_mutex);
        JETSCOPE_TRY(reachNow(std::move(wish)));
        m_isFresh = true;
        return &*m_reached;
    }
    /// The connection that was just made, or a new one.
    Result<LinkEnds> dial()
    {
        const std::lock_guard lock(m_mutex);
        if (!std::exchange(m_isFresh, false))
            JETSCOPE_TRY(reachNow({}));
        // The link closes descriptors of its own.
        LinkEnds ends{FileDescriptor(::fcntl(m_reached->end->output(), F_DUPFD_CLOEXEC, 0)),
                      FileDescriptor(::fcntl(m_reached->end->input(), F_DUPFD_CLOEXEC, 0))};
        if (!ends.in.isOpen() || !ends.out.isOpen())
            return sentence("this program has too many open files: close some traces, and connect again");
        return ends;
    }

private:
    Status reachNow(ReachWish wish)
    {
        m_reached.reset();
        wish.arguments = {"serve"};
        wish.environment = m_environment;
        JETSCOPE_TRY_ASSIGN(ReachedBoard reached, reachBoard(m_board, wish));
        m_reached = std::move(reached);
        return {};
    }

    const BoardAddress m_board;
    const Result<TemporaryFolder> m_folder; ///< For what ssh asks with, also when it connects again.
    std::vector<std::string> m_environment;
    std::mutex m_mutex;
    std::optional<ReachedBoard> m_reached;
    bool m_isFresh = false;
};

/// A board on which a pipeline may run already: the first to open gets it.
class JoinedHost final : public PipelineHost {
public:
    explicit JoinedHost(std::shared_ptr<RemoteHost> board)
        : m_board(std::move(board)), m_running(m_board->takeRunning())
    {
    }

    bool isRunning() const { return m_running != nullptr; }

    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        const std::unique_lock lock(m_mutex);
        if (m_running)
            return std::move(m_running);
        return m_board->open(request);
    }
    std::vector<DeviceCandidate> devices() override { return m_board->devices(); }
    std::vector<CameraInfo> cameras() override { return m_board->cameras(); }
    PlatformFacts platform() override { return m_board->platform(); }
    std::unique_ptr<MachineReader> machine() override { return m_board->machine(); }

private:
    const std::shared_ptr<RemoteHost> m_board;
    std::mutex m_mutex;
    std::unique_ptr<PipelineControl> m_running;
};

/// Tells of steps, and how long each took.
class Steps {
public:
    explicit Steps(ConnectWatch &watch) : m_watch(watch) {}

    void begin(ConnectStep step)
    {
        m_step = step;
        m_since = steady_clock::now();
        m_watch.advance({step});
    }
    void end(std::string found = {})
    {
        ConnectNews news{m_step, true};
        news.tookMs = std::chrono::duration<double, std::milli>(steady_clock::now() - m_since).count();
        news.found = std::move(found);
        m_watch.advance(news);
    }
    void follow(ReachStep step, double fraction)
    {
        if (step == ReachStep::Connecting)
            return begin(ConnectStep::Reach);
        if (m_step == ConnectStep::Reach) {
            end();
            begin(ConnectStep::Copy);
        }
        if (step == ReachStep::Started)
            end(m_copied ? std::string() : "the board has this build");
        else
            m_watch.advance({ConnectStep::Copy, false, 0, {}, fraction});
        m_copied = true;
    }

private:
    ConnectWatch &m_watch;
    ConnectStep m_step = ConnectStep::Reach;
    steady_clock::time_point m_since;
    bool m_copied = false;
};

std::string wordsOf(const BoardReport &report)
{
    const std::string architecture = architectureOf(report.machine);
    std::string words = architecture.empty() ? report.machine : architecture;
    if (!report.libc.empty())
        words += ", " + report.libc;
    return words + (report.l4t.empty() ? ", no Jetson" : "");
}

/// "Jetson AGX Orin, L4T 36.4.3"
std::string aboutOf(const PlatformFacts &facts)
{
    std::string about = facts.board.model.value.value_or("");
    if (facts.board.l4t.value)
        about += (about.empty() ? "L4T " : ", L4T ") + facts.board.l4t.value->text();
    return about;
}

/// The bound of the clocks in words, when the first pings are back.
std::string waitForClocks(const RemoteHost &board, ConnectWatch &watch)
{
    const auto until = steady_clock::now() + kClockTime;
    while (steady_clock::now() < until && watch.advance({ConnectStep::Clocks})) {
        if (const std::optional<ClockOffset> offset = board.state().clockOffset)
            return "within ±" + durationText(offset->boundNs).toStdString();
        std::this_thread::sleep_for(kClockStep);
    }
    return "not known yet";
}

Result<ConnectedBoard> connectOverSsh(const std::string &address, ConnectWatch &watch)
{
    JETSCOPE_TRY_ASSIGN(const BoardAddress board, BoardAddress::parse(address));
    auto dialling = std::make_shared<Dialling>(board);
    Steps steps(watch);
    ReachWish wish;
    wish.cancel = watch.cancelDescriptor();
    wish.progress = [&steps](ReachStep step, double fraction) { steps.follow(step, fraction); };
    JETSCOPE_TRY_ASSIGN(const ReachedBoard *reached, dialling->reach(std::move(wish)));
    watch.heard(reached->end->said());
    ConnectNews what{ConnectStep::Reach, true};
    what.found = wordsOf(reached->report);
    watch.advance(what);

    ConnectedBoard connected;
    connected.remark = reached->remark;
    steps.begin(ConnectStep::Start);
    JETSCOPE_TRY_ASSIGN(std::shared_ptr<RemoteHost> remote,
                        RemoteHost::connect([dialling] { return dialling->dial(); }));
    auto joined = std::make_shared<JoinedHost>(remote);
    steps.end(joined->isRunning() ? "a pipeline runs there already" : "");
    steps.begin(ConnectStep::Clocks);
    steps.end(waitForClocks(*remote, watch));
    if (joined->isRunning())
        connected.running = remote->runningRequest();
    connected.host = joined;
    connected.name = board.name();
    connected.about = aboutOf(joined->platform());
    connected.link = [remote] { return remote->state(); };
    connected.captures = remote;
    connected.takeOver = [remote] { return remote->takeOver(); };
    // A view may be shown when its board was left.
    connected.openView = [weak = std::weak_ptr(remote), name = board.name()](
                             const std::string &path, std::function<void()> onNews) -> std::shared_ptr<RemoteView> {
        const std::shared_ptr<RemoteHost> host = weak.lock();
        return host ? host->openView(name, path, std::move(onNews)) : nullptr;
    };
    return connected;
}

} // namespace

BoardConnector sshConnector()
{
    return connectOverSsh;
}

} // namespace jetscope
