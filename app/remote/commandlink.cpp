// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/commandlink.h"

#include "app/remote/commandserver.h"
#include "core/progress.h"
#include "core/remote/reach/sshfailure.h"
#include "core/text/utf8.h"
#include "core/time/clock.h"

#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::seconds kPingEvery{5};
/// As of all connections to a board.
constexpr std::chrono::seconds kLongestSilence{20};
constexpr int kGoodbyeMs = 1000;
/// As long as a goodbye needs to come there, and the end of the connection to come back.
constexpr std::chrono::seconds kGoodbyeWay{2};
/// Until then it is said again over other connections.
constexpr std::chrono::seconds kLongestGoodbye{8};

ReachWish wishFor(const std::string &id)
{
    ReachWish wish;
    wish.arguments = CommandLink::arguments(id);
    wish.arguments.emplace_back("--join");
    return wish;
}

} // namespace

std::vector<std::string> CommandLink::arguments(const std::string &id)
{
    return {"serve", "--command", id};
}

CommandLink::CommandLink(const BoardAddress &address, ReachedBoard board, const std::string &id)
    : m_address(address), m_id(id)
{
    connect(std::move(board));
}

CommandLink::~CommandLink()
{
    const auto last = std::chrono::steady_clock::now() + kLongestGoodbye;
    while (!m_lost && m_connection > 0 && std::chrono::steady_clock::now() < last) {
        if (m_isUp && sayGoodbye())
            return;
        std::array<pollfd, 3> waits = sources();
        poll(waits.data(), waits.size(), 100);
        work();
    }
}

/// Whether it came there: then the far end closes the connection, and ssh ends well.
bool CommandLink::sayGoodbye()
{
    m_pipe->close(kGoodbyeMs);
    if (m_board.end->waitForEnd(kGoodbyeWay) == 0)
        return true;
    cut();
    return false;
}

void CommandLink::giveUp()
{
    m_redial.reset();
    m_lost = cancelledError();
}

void CommandLink::connect(ReachedBoard board)
{
    m_board = std::move(board);
    m_pipe.emplace(m_board.end->output(), m_board.end->input(), ownHello());
    m_nextPing = std::chrono::steady_clock::now();
    m_answers = 0;
}

std::chrono::milliseconds CommandLink::away() const
{
    const bool isAway = !m_isUp && !m_lost && m_connection > 0;
    return std::chrono::milliseconds(isAway ? (nowWithSleepNs() - m_awaySinceNs) / 1'000'000 : 0);
}

std::array<pollfd, 3> CommandLink::sources() const
{
    std::array<pollfd, 3> sources{{{-1, 0, 0}, {-1, 0, 0}, {m_redial ? m_redial->descriptor() : -1, POLLIN, 0}}};
    if (m_pipe) {
        const std::array<pollfd, 2> pipe = m_pipe->sources();
        sources[0] = pipe[0];
        sources[1] = pipe[1];
    }
    return sources;
}

void CommandLink::work()
{
    if (m_lost)
        return;
    if (m_redial)
        redial();
    if (m_pipe)
        speak();
    if (away() < kLongestCommandAlone)
        return;
    m_redial.reset();
    m_lost = sentence(m_address.name() + " has been away for "
                      + std::to_string(std::chrono::duration_cast<std::chrono::minutes>(away()).count())
                      + " minutes, after which a command ends there: what it measured is lost, give it again");
}

void CommandLink::redial()
{
    std::optional<Result<ReachedBoard>> reached = m_redial->take();
    if (!reached)
        return;
    if (!reached->ok()) {
        m_trouble = reached->error().message();
        return;
    }
    connect(std::move(*reached).value());
}

void CommandLink::speak()
{
    m_pipe->work();
    if (!m_isUp && !takeHello())
        return;
    const auto now = std::chrono::steady_clock::now();
    // A round of pings tells the clock: they follow each other at once.
    const bool goesOn = m_pipe->answers() > m_answers && !m_pipe->clock().isRoundComplete();
    m_answers = m_pipe->answers();
    if (now >= m_nextPing || goesOn) {
        m_nextPing = now + kPingEvery;
        m_pipe->send(Ping{nowNs()});
        m_pipe->push();
    }
    if (m_pipe->silence() >= kLongestSilence)
        cut();
}

/// Whether the far end has said hello.
bool CommandLink::takeHello()
{
    const std::optional<Message> none = m_pipe->next(); // Before the hello there is nothing else.
    if (const std::optional<std::string> &goodbye = m_pipe->farGoodbye()) {
        const bool isOther = m_connection > 0 && m_pipe->hello() && m_pipe->hello()->bootId != m_bootId;
        m_redial.reset();
        m_lost = sentence(isOther ? m_address.name() + " was restarted, and its command is gone: give it again"
                                  : m_address.name() + ": " + quotedRemark(*goodbye));
        return false;
    }
    if (m_pipe->isOver())
        return cut(), false;
    if (!m_pipe->hello())
        return false;
    for (const std::string &feature : m_pipe->hello()->features)
        if (feature.starts_with(kFolderFeature))
            m_folder = feature.substr(kFolderFeature.size());
    if (!m_folder.starts_with('/') || !isPlainLine(m_folder)) {
        m_lost = sentence(m_address.name() + " does not say where its files lie: install the same jetscope there");
        return false;
    }
    m_bootId = m_pipe->hello()->bootId;
    if (m_connection++ > 0)
        m_absence = std::chrono::milliseconds((nowWithSleepNs() - m_awaySinceNs) / 1'000'000);
    m_isUp = true;
    m_redial.reset();
    m_trouble.clear();
    return true;
}

std::optional<ClockOffset> CommandLink::clock() const
{
    return m_isUp ? m_pipe->clock().at(nowNs()) : std::nullopt;
}

std::optional<Message> CommandLink::next()
{
    if (!m_isUp)
        return std::nullopt;
    std::optional<Message> message = m_pipe->next();
    if (!message && m_pipe->isOver())
        cut();
    return message;
}

/// Why the connection ended.
Error CommandLink::ended()
{
    const std::optional<int> code = m_board.end->waitForEnd(std::chrono::seconds(3));
    if (code != 255 && m_pipe->error())
        return sentence(m_address.name() + ": " + m_pipe->error()->message());
    return sshFailure(m_address, LinkStage::Open, code.value_or(255), m_board.end->said());
}

void CommandLink::cut()
{
    const Error why = ended();
    if (std::exchange(m_isUp, false))
        m_awaySinceNs = m_pipe->heardNs();
    m_pipe.reset();
    m_board.end.reset();
    m_trouble = why.message();
    if (m_connection == 0)
        m_lost = why; // It was never there.
    else if (!m_redial)
        m_redial.emplace(m_address, wishFor(m_id));
}

} // namespace jetscope
