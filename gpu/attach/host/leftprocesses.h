// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace jetscope {

class RingReader;

/// What an inspected program leaves when its first process has ended: a daemon, or what a launcher started in the
/// background. Decides how long recording goes on for it: as long as any of these processes runs, and until they have
/// made no call for a while, because a program may also leave a server that never makes one. Jetscope does not become
/// their parent, because there are daemons that wait until that is process 1. Not thread-safe.
class LeftProcesses {
public:
    /// After so long without a call no other is expected.
    static constexpr std::int64_t kPatienceNs = 5'000'000'000;

    /// Make it before the program starts. `memory`: that of ProgramStart, by which its processes are known: it stands
    /// in the environment of each, and processes that have none are not recorded. Empty: only processes that have made
    /// calls are known.
    explicit LeftProcesses(std::string memory);

    /// Call again and again once the first process has ended, after the rings were read. Returns whether there may be
    /// more to record. `recording`: false while calls are not recorded on purpose, so that none is expected.
    bool goOn(const RingReader &reader, bool recording, std::int64_t nowNs);
    /// Those that run now: it looks.
    std::vector<pid_t> find(const RingReader &reader);
    /// Whether goOn() said no although some may still run.
    bool areSilent() const { return m_end == End::Silent; }
    /// A sentence that says for how many processes recording went on and why it ended; empty if none was left.
    std::string note() const;

private:
    enum class End : std::uint8_t { None, Gone, Silent };

    void look(const RingReader &reader, std::int64_t nowNs);
    bool mayBeOne(pid_t pid) const;

    std::string m_entry; ///< "NAME=value"
    std::int64_t m_startTicks;
    std::int64_t m_endedNs = 0; ///< When the first process had ended; 0: it has not.
    std::int64_t m_lookNs = 0;  ///< When to look again.
    std::int64_t m_lastCallNs = 0;
    std::uint64_t m_calls = 0;
    std::size_t m_most = 0; ///< Processes that were seen at once.
    bool m_running = true;  ///< At the last look.
    bool m_unclear = false; ///< At the last look a process was just being started.
    End m_end = End::None;
};

} // namespace jetscope
