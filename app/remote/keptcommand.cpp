// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/keptcommand.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kEndTime{35'000};
/// A program that was left behind may hold the output of a command open.
constexpr std::chrono::milliseconds kOutputTime{500};
constexpr std::size_t kOutputBytes = 16 * 1024;

int numberOf(CommandSignal::Signal signal)
{
    switch (signal) {
    case CommandSignal::Signal::Interrupt:
        return SIGINT;
    case CommandSignal::Signal::Terminate:
        return SIGTERM;
    case CommandSignal::Signal::Kill:
        return SIGKILL;
    }
    return SIGKILL;
}

} // namespace

Result<std::unique_ptr<KeptCommand>> KeptCommand::start(const RunCommand &wish)
{
    std::error_code unknown;
    std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe", unknown).string()};
    command.insert(command.end(), wish.arguments.begin(), wish.arguments.end());
    std::vector<std::string> environment;
    for (const auto &[name, value] : wish.environment)
        environment.push_back(name + "=" + value);
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<FarEnd> process, FarEnd::start(command, environment, FarEnd::Use::Command));
    process->closeInput();
    return std::unique_ptr<KeptCommand>(new KeptCommand(wish.id, std::move(process)));
}

void KeptCommand::signal(CommandSignal::Signal signal)
{
    m_process->signal(numberOf(signal));
}

std::array<pollfd, 2> KeptCommand::sources() const
{
    const bool listens = !m_exitCode && mayKeepMore();
    return {
        {{listens && m_open[0] ? outputOf(0) : -1, POLLIN, 0}, {listens && m_open[1] ? outputOf(1) : -1, POLLIN, 0}}};
}

int KeptCommand::longestWaitMs() const
{
    return m_exitCode ? -1 : m_open[0] || m_open[1] ? 100 : 10;
}

void KeptCommand::read()
{
    for (std::size_t stream = 0; stream < m_open.size(); ++stream)
        while (m_open[stream] && mayKeepMore()) {
            CommandOutput part{m_id, static_cast<CommandOutput::Stream>(stream), std::vector<std::byte>(kOutputBytes)};
            const ssize_t count = ::read(outputOf(stream), part.bytes.data(), part.bytes.size());
            if (count < 0 && (errno == EAGAIN || errno == EINTR))
                break;
            m_open[stream] = count > 0;
            if (count <= 0)
                break;
            part.bytes.resize(static_cast<std::size_t>(count));
            m_keptBytes += part.bytes.size();
            m_kept.push_back(std::move(part));
        }
    if (m_exitCode || !m_process->exitCode())
        return;
    const auto now = std::chrono::steady_clock::now();
    if (!m_endedAt)
        m_endedAt = now;
    if ((!m_open[0] && !m_open[1]) || (mayKeepMore() && now - *m_endedAt >= kOutputTime))
        m_exitCode = m_process->exitCode();
}

std::optional<CommandOutput> KeptCommand::next()
{
    if (m_given == m_kept.size())
        return std::nullopt;
    CommandOutput part = m_kept[m_given++];
    m_givenBytes += part.bytes.size();
    for (; m_givenBytes > kMostGiven; m_kept.pop_front(), --m_given) {
        const std::size_t bytes = m_kept.front().bytes.size();
        m_givenBytes -= bytes;
        m_keptBytes -= bytes;
        m_forgotten += bytes;
    }
    return part;
}

std::optional<int> KeptCommand::exitCode() const
{
    return m_given == m_kept.size() ? m_exitCode : std::nullopt;
}

bool KeptCommand::goBackTo(std::uint64_t taken)
{
    const std::uint64_t before = m_forgotten;
    std::size_t given = 0;
    std::size_t bytes = 0;
    for (; given < m_given && before + bytes < taken; ++given)
        bytes += m_kept[given].bytes.size();
    if (before + bytes != taken)
        return false;
    m_given = given;
    m_givenBytes = bytes;
    return true;
}

void KeptCommand::end()
{
    m_process->signal(SIGTERM);
    const auto last = std::chrono::steady_clock::now() + kEndTime;
    std::array<char, 4096> lost;
    while (!m_process->waitForEnd(std::chrono::milliseconds(20)) && std::chrono::steady_clock::now() < last)
        for (std::size_t stream = 0; stream < m_open.size(); ++stream) // A full pipe would hold it up.
            while (::read(outputOf(stream), lost.data(), lost.size()) > 0) {}
}

} // namespace jetscope
