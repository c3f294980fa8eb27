// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/reachboard.h"

#include "core/progress.h"
#include "core/remote/reach/boardscript.h"
#include "core/remote/reach/boardserver.h"
#include "core/remote/reach/sshfailure.h"
#include "core/remote/wire/buildid.h"
#include "core/system/regularfile.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <poll.h>
#include <unistd.h>

namespace jetscope {

namespace {

using std::chrono::milliseconds;

/// A board that printed the first line of its report prints the rest at once; it may take long to unpack.
constexpr milliseconds kReportTime{60'000};
constexpr milliseconds kForever{-1};
constexpr milliseconds kEndTime{3'000};
/// While it is unpacked, both the archive and its content are there.
constexpr std::uint64_t kRoomFactor = 5;

class Reaching {
public:
    Reaching(const BoardAddress &board, const ReachWish &wish) : m_board(board), m_wish(wish) {}

    Result<ReachedBoard> run()
    {
        tell(ReachStep::Connecting, 0);
        const std::string script = boardScript(buildId(), m_wish.arguments);
        Result<std::unique_ptr<FarEnd>> started = FarEnd::start(sshCommand(m_board, script), m_wish.environment);
        if (!started.ok())
            return sentence("ssh cannot be started on this machine (" + started.error().text
                            + "): \"sudo apt install openssh-client\"");
        m_end = std::move(started).value();
        JETSCOPE_TRY(readReport());
        if (m_reader.report().start == BoardReport::Start::Nothing)
            JETSCOPE_TRY(bring());
        tell(ReachStep::Started, 1);
        return ReachedBoard{std::move(m_end), m_reader.report(), remarkOnServer()};
    }

private:
    void tell(ReachStep step, double fraction) const
    {
        if (m_wish.progress)
            m_wish.progress(step, fraction);
    }

    /// Waits until the far end has bytes, or takes some. An error if it was cancelled or takes too long.
    Result<short> waitFor(short events, milliseconds timeout) const
    {
        std::array<pollfd, 3> sources{{{m_end->output(), POLLIN, 0},
                                       {(events & POLLOUT) != 0 ? m_end->input() : -1, POLLOUT, 0},
                                       {m_wish.cancel, POLLIN, 0}}};
        int count = 0;
        do {
            count = poll(sources.data(), sources.size(), static_cast<int>(timeout.count()));
        } while (count < 0 && errno == EINTR);
        if (sources[2].revents != 0)
            return cancelledError();
        if (count == 0)
            return sentence(m_board.name() + " stopped answering: check its network, and whether its disk still works");
        return static_cast<short>((sources[0].revents != 0 ? POLLIN : 0) | (sources[1].revents != 0 ? POLLOUT : 0));
    }

    /// Byte by byte: what follows the report is for others.
    Status readReport()
    {
        for (;;) {
            char byte = 0;
            const ssize_t count = read(m_end->output(), &byte, 1);
            if (count == 1) {
                const Result<bool> more = m_reader.take(byte);
                if (!more.ok())
                    return sentence(m_board.name() + ": " + more.error().text);
                if (!more.value())
                    return {};
            } else if (count == 0) {
                return endedEarly();
            } else if (errno == EAGAIN) {
                const Result<short> ready = waitFor(POLLIN, m_reader.hasBegun() ? kReportTime : kForever);
                JETSCOPE_TRY(ready);
            } else if (errno != EINTR) {
                return endedEarly();
            }
        }
    }

    Error endedEarly() const
    {
        const std::optional<int> code = m_end->waitForEnd(kEndTime);
        const LinkStage stage = m_reader.hasBegun() ? LinkStage::Open : LinkStage::Opening;
        return sshFailure(m_board, stage, code.value_or(255), m_end->said(),
                          m_reader.hasBegun() ? std::string_view() : std::string_view(m_reader.noise()));
    }

    Result<BoardServer> fittingServer()
    {
        const BoardReport &report = m_reader.report();
        const std::string architecture = architectureOf(report.machine);
        if (report.system != "Linux" || architecture.empty())
            return sentence(m_board.name() + " is no board for Jetscope (" + report.system + ", " + report.machine
                            + "): it runs on Linux with an arm64 or amd64 processor");
        JETSCOPE_TRY_ASSIGN(BoardServer server, findBoardServer(architecture, m_board.name()));
        if (server.build != buildId())
            return sentence("the server for boards on this machine is of another build than this program: install "
                            "jetscope-board-"
                            + architecture + " and jetscope of one version");
        JETSCOPE_TRY(checkLibc(server));
        const std::uint64_t wanted = server.bytes * kRoomFactor / 1024;
        if (report.freeKib && *report.freeKib < wanted)
            return sentence(m_board.name() + " has too little room in " + report.folder + " (" + std::to_string(wanted)
                            + " KiB are needed, " + std::to_string(*report.freeKib)
                            + " are free): remove something there, or set XDG_CACHE_HOME on the board");
        return server;
    }

    /// One that is not known is tried.
    Status checkLibc(const BoardServer &server) const
    {
        constexpr std::string_view kGnu = "glibc ";
        const std::string &libc = m_reader.report().libc;
        const auto has = libc.starts_with(kGnu) ? versionIn(libc.substr(kGnu.size())) : std::nullopt;
        if (!has || *has >= *versionIn(server.glibc))
            return {};
        return sentence(
            "the server for boards needs glibc " + server.glibc + " or newer, and " + m_board.name() + " has " + libc
            + ": build it there: \"cmake --preset release -DJETSCOPE_UI=OFF && cmake --build --preset release\", "
              "or update the board");
    }

    Status bring()
    {
        JETSCOPE_TRY_ASSIGN(const BoardServer server, fittingServer());
        JETSCOPE_TRY_ASSIGN(const FileStream archive, openRegularFile(server.archivePath));
        JETSCOPE_TRY(send("bring " + std::to_string(server.bytes) + " " + server.sha256 + "\n"));
        std::vector<char> block(256 * 1024);
        for (std::uint64_t sent = 0; sent < server.bytes && !m_refuses;) {
            tell(ReachStep::Copying, static_cast<double>(sent) / static_cast<double>(server.bytes));
            const std::uint64_t left = server.bytes - sent;
            const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), left));
            const std::size_t count = std::fread(block.data(), 1, wanted, archive.get());
            if (count == 0)
                return sentence(server.archivePath + " cannot be read: install the package again");
            JETSCOPE_TRY(send(std::string_view(block.data(), count)));
            sent += count;
        }
        tell(ReachStep::Unpacking, 1);
        m_reader.goOn();
        JETSCOPE_TRY(readReport());
        if (!m_reader.failure().empty())
            return bringFailure();
        return {};
    }

    /// Of a Jetson on which a server of this machine runs.
    std::string remarkOnServer() const
    {
        const BoardReport &report = m_reader.report();
        if (report.l4t.empty() || report.start == BoardReport::Start::Installed)
            return {};
        const Result<BoardServer> server = findBoardServer(architectureOf(report.machine), m_board.name());
        if (!server.ok() || server.value().hasCuda)
            return {};
        return m_board.name()
            + " has a GPU that the server brought from here cannot use, for it was built without CUDA: "
              "install a jetscope-headless there that was built on a Jetson";
    }

    /// Until the far end answers, which it does before the end only if it refuses.
    Status send(std::string_view bytes)
    {
        while (!bytes.empty() && !m_refuses) {
            JETSCOPE_TRY_ASSIGN(const short ready, waitFor(POLLOUT, kReportTime));
            if ((ready & POLLIN) != 0) {
                m_refuses = true;
                break;
            }
            const ssize_t count = write(m_end->input(), bytes.data(), bytes.size());
            if (count > 0)
                bytes.remove_prefix(static_cast<std::size_t>(count));
            else if (errno != EAGAIN && errno != EINTR)
                m_refuses = true;
        }
        return {};
    }

    Error bringFailure() const
    {
        m_end->waitForEnd(kEndTime);
        const std::string &where = m_reader.failure();
        const std::string said = quotedRemark(m_end->said());
        const std::string folder = m_reader.report().folder + " on " + m_board.name();
        const std::string reason = said.empty() ? "" : "; the board says: " + said;
        if (where == "run" && said.find("Permission denied") != std::string::npos)
            return sentence(
                "no program may run in " + folder
                + " (it may be mounted noexec): set XDG_CACHE_HOME on the board to another folder, or install "
                  "jetscope-headless there"
                + reason);
        if (where == "run")
            return sentence("the server for boards does not run on " + m_board.name()
                            + ": install what it misses, or jetscope-headless, there" + reason);
        if (where == "folder")
            return sentence("the folder " + folder
                            + " cannot be written: make it writable, or set XDG_CACHE_HOME on the board to one that is"
                            + reason);
        if (where == "space" || where == "unpack")
            return sentence("the server for boards could not be written to " + folder
                            + ": is there room? Remove something there, or set XDG_CACHE_HOME on the board" + reason);
        if (where == "short" || where == "sum")
            return sentence("the server for boards arrived damaged on " + m_board.name() + ": try again" + reason);
        return sentence("the server for boards could not be brought to " + m_board.name() + " (" + where
                        + "): install jetscope-headless there" + reason);
    }

    const BoardAddress &m_board;
    const ReachWish &m_wish;
    std::unique_ptr<FarEnd> m_end;
    ReportReader m_reader;
    bool m_refuses = false; ///< The far end answered while it was sent to, or is gone.
};

} // namespace

Result<ReachedBoard> reachBoard(const BoardAddress &board, const ReachWish &wish)
{
    return Reaching(board, wish).run();
}

} // namespace jetscope
