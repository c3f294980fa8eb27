// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/reach/farend.h"
#include "core/remote/wire/contents.h"
#include "core/result.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include <poll.h>

namespace jetscope {

/// A command of this program, and what it prints until somebody has it: it goes on while nobody takes that, and waits
/// only when kMostKept bytes are kept. What was given lately can be given again. One thread.
class KeptCommand {
public:
    static constexpr std::size_t kMostKept = 32 << 20;
    /// Of what was given, as much as can be on its way.
    static constexpr std::size_t kMostGiven = 1 << 20;

    static Result<std::unique_ptr<KeptCommand>> start(const RunCommand &wish);

    std::uint32_t id() const { return m_id; }
    void signal(CommandSignal::Signal signal);

    /// What to wait for: it has printed something, or -1.
    std::array<pollfd, 2> sources() const;
    /// How long to wait for that at most: the end of a process has no descriptor.
    int longestWaitMs() const;
    /// Takes what it has printed, without waiting.
    void read();

    /// The next part of what it printed.
    std::optional<CommandOutput> next();
    /// Its exit code, behind all that it printed.
    std::optional<int> exitCode() const;
    /// Goes back to where so many bytes of both streams were given. False: they are not kept any more.
    bool goBackTo(std::uint64_t taken);

    /// Ends it as Ctrl-C does, with what it measured; kills it when that takes long.
    void end();

private:
    KeptCommand(std::uint32_t id, std::unique_ptr<FarEnd> process) : m_id(id), m_process(std::move(process)) {}
    int outputOf(std::size_t stream) const { return stream == 0 ? m_process->output() : m_process->error(); }
    bool mayKeepMore() const { return m_keptBytes < kMostKept; }

    const std::uint32_t m_id;
    std::unique_ptr<FarEnd> m_process;
    std::array<bool, 2> m_open{true, true}; ///< Standard output and error.
    std::optional<int> m_exitCode;          ///< When all that it printed was read, too.
    std::optional<std::chrono::steady_clock::time_point> m_endedAt;

    std::deque<CommandOutput> m_kept; ///< In the order in which it was read.
    std::size_t m_given = 0;          ///< So many of them.
    std::size_t m_keptBytes = 0;
    std::size_t m_givenBytes = 0;  ///< Of those that are kept.
    std::uint64_t m_forgotten = 0; ///< The bytes before.
};

} // namespace jetscope
