// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A bad link, for tests: passes standard input to a program or a local port, and what comes back to standard output.
// linkproxy [OPTION VALUE]… (--port N | -- COMMAND…)
//   --delay MS          each way
//   --bits N            a second, each way
//   --cut-bytes N       ends both sides after so many bytes from the far side
//   --cut-ms N          ends both sides after so much time
//   --freeze-ms N       from then on nothing passes, and both sides stay open
//   --dribble N         at most N bytes at once from the far side
// As ssh's ProxyCommand it stands below ssh, in place of ssh (JETSCOPE_SSH) above it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::size_t kMostHeld = 256 * 1024; ///< As much as a link may hold, so that a slow one holds back its writer.
constexpr std::uint64_t kNever = UINT64_MAX;

struct Link {
    milliseconds delay{0};
    std::uint64_t bitsPerSecond = 0;
    std::uint64_t cutBytes = kNever;
    std::uint64_t cutMs = kNever;
    std::uint64_t freezeMs = kNever;
    std::size_t dribble = 0;
    int port = 0;
    char **command = nullptr;
};

struct Piece {
    Clock::time_point due;
    std::string bytes;
};

/// One way of the link.
class Way {
public:
    Way(const Link &link, int from, int to, std::size_t dribble)
        : m_link(link), m_from(from), m_to(to), m_most(dribble > 0 ? dribble : 16 * 1024)
    {
    }

    bool isOver() const { return m_to < 0; }
    std::uint64_t passed() const { return m_passed; }
    bool wantsBytes() const { return m_from >= 0 && m_held < kMostHeld; }
    int from() const { return m_from; }

    void takeBytes(Clock::time_point now)
    {
        std::string bytes(m_most, '\0');
        const ssize_t count = read(m_from, bytes.data(), bytes.size());
        if (count <= 0) {
            if (count == 0 || errno != EINTR)
                m_from = -1;
            return;
        }
        bytes.resize(static_cast<std::size_t>(count));
        m_held += bytes.size();
        // The link is busy with what came before.
        m_free = std::max(m_free, now);
        if (m_link.bitsPerSecond > 0)
            m_free += nanoseconds(8'000'000'000ULL * bytes.size() / m_link.bitsPerSecond);
        m_pieces.push_back({m_free + m_link.delay, std::move(bytes)});
    }

    void passBytes(Clock::time_point now)
    {
        while (!m_pieces.empty() && m_pieces.front().due <= now && m_to >= 0) {
            std::string_view bytes = m_pieces.front().bytes;
            while (!bytes.empty()) {
                const ssize_t count = write(m_to, bytes.data(), bytes.size());
                if (count < 0 && errno == EINTR)
                    continue;
                if (count <= 0) {
                    m_to = m_from = -1;
                    return;
                }
                bytes.remove_prefix(static_cast<std::size_t>(count));
            }
            m_passed += m_pieces.front().bytes.size();
            m_held -= m_pieces.front().bytes.size();
            m_pieces.pop_front();
        }
        if (m_from < 0 && m_pieces.empty())
            end();
    }

    /// Whoever reads at the other end learns that nothing follows.
    void end()
    {
        if (m_to < 0)
            return;
        shutdown(m_to, SHUT_WR);
        close(m_to);
        m_to = -1;
    }

    Clock::time_point next() const { return m_pieces.empty() ? Clock::time_point::max() : m_pieces.front().due; }

private:
    const Link &m_link;
    int m_from;
    int m_to;
    std::size_t m_most;
    std::size_t m_held = 0;
    std::uint64_t m_passed = 0;
    Clock::time_point m_free{};
    std::deque<Piece> m_pieces;
};

[[noreturn]] void die(const char *what)
{
    std::fprintf(stderr, "linkproxy: %s: %s\n", what, std::strerror(errno));
    std::exit(255);
}

Link parse(int argc, char **argv)
{
    Link link;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view option = argv[i];
        if (option == "--") {
            link.command = argv + i + 1;
            return link;
        }
        const std::uint64_t value = i + 1 < argc ? std::strtoull(argv[i + 1], nullptr, 10) : 0;
        if (option == "--delay")
            link.delay = milliseconds(value);
        else if (option == "--bits")
            link.bitsPerSecond = value;
        else if (option == "--cut-bytes")
            link.cutBytes = value;
        else if (option == "--cut-ms")
            link.cutMs = value;
        else if (option == "--freeze-ms")
            link.freezeMs = value;
        else if (option == "--dribble")
            link.dribble = static_cast<std::size_t>(value);
        else if (option == "--port")
            link.port = static_cast<int>(value);
        else
            die(argv[i]);
    }
    return link;
}

/// Where to write to the far side, and where to read from it.
std::array<int, 2> farSide(const Link &link, pid_t &child)
{
    if (link.port > 0) {
        const int peer = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(link.port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (peer < 0 || connect(peer, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
            die("connect");
        const int on = 1;
        setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        return {peer, dup(peer)};
    }
    std::array<int, 2> there{};
    std::array<int, 2> back{};
    if (!link.command || !*link.command || pipe(there.data()) != 0 || pipe(back.data()) != 0)
        die("there is no far side");
    child = fork();
    if (child == 0) {
        dup2(there[0], STDIN_FILENO);
        dup2(back[1], STDOUT_FILENO);
        for (const int end : {there[0], there[1], back[0], back[1]})
            close(end);
        execvp(link.command[0], link.command);
        die(link.command[0]);
    }
    close(there[0]);
    close(back[1]);
    return {there[1], back[0]};
}

/// Whether the link was cut.
bool carry(const Link &link, Way &there, Way &back)
{
    const Clock::time_point start = Clock::now();
    while (!back.isOver()) {
        const Clock::time_point now = Clock::now();
        const auto ms = static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(now - start).count());
        if (ms >= link.cutMs || back.passed() >= link.cutBytes)
            return true;
        const bool frozen = ms >= link.freezeMs;
        std::array<pollfd, 2> sources{{{there.wantsBytes() && !frozen ? there.from() : -1, POLLIN, 0},
                                       {back.wantsBytes() && !frozen ? back.from() : -1, POLLIN, 0}}};
        const auto due = std::min({there.next(), back.next(), now + milliseconds(50)});
        const auto left = std::chrono::duration_cast<milliseconds>(due - now) + milliseconds(1);
        poll(sources.data(), sources.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
        if (frozen)
            continue;
        if (sources[0].revents != 0)
            there.takeBytes(Clock::now());
        if (sources[1].revents != 0)
            back.takeBytes(Clock::now());
        there.passBytes(Clock::now());
        back.passBytes(Clock::now());
    }
    return false;
}

} // namespace

int main(int argc, char **argv)
{
    std::signal(SIGPIPE, SIG_IGN);
    const Link link = parse(argc, argv);
    pid_t child = 0;
    const std::array<int, 2> far = farSide(link, child);
    Way there(link, STDIN_FILENO, far[0], 0);
    Way back(link, far[1], STDOUT_FILENO, link.dribble);
    if (carry(link, there, back)) {
        std::fprintf(stderr, "linkproxy: the link is cut: Broken pipe\n");
        return 255; // As ssh does.
    }
    there.end(); // The laptop may have closed its end first: then nobody else ends the far side.
    close(far[1]);
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child)
        return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
    return 0;
}
