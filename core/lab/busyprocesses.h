// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace jetscope {

/// The processor time that each process has had until now, from its /proc/PID/stat.
struct ProcessTimes {
    struct Process {
        std::int64_t startTicks = 0; ///< Tells apart two processes of one number.
        std::uint64_t ranTicks = 0;  ///< Of all its threads, in ticks of the kernel (sysconf(_SC_CLK_TCK)).
    };
    std::int64_t ns = 0; ///< nowNs()
    std::map<int, Process> processes;
};

/// `folder` is /proc, but in tests. Costs 10 to 20 us for each process.
ProcessTimes readProcessTimes(const std::string &folder);

/// "in the last 1.2 s stress-ng (1234) had 98 % of a processor, ffmpeg (77) 40 %": those that had at least a tenth of
/// one, at most three; empty if there is none. Names are read now.
std::string busyWords(const ProcessTimes &before, const ProcessTimes &now, const std::string &folder);

/// Which programs had the processors while a thread that could have run did not. As long as it lives, a thread of its
/// own reads the times of all processes once a second. Where /proc hides those of other users, they are not known.
class BusyProcesses {
public:
    explicit BusyProcesses(std::string folder = "/proc");
    ~BusyProcesses();
    BusyProcesses(const BusyProcesses &) = delete;
    BusyProcesses &operator=(const BusyProcesses &) = delete;

    /// The one of this program, as long as anyone keeps it.
    static std::shared_ptr<BusyProcesses> shared();

    /// busyWords from that time or a little earlier until now, as far as times were read by then. Any thread; reads all
    /// processes, but at most once a second, and repeats itself until then.
    std::string words(std::int64_t sinceNs);

private:
    void watch();

    const std::string m_folder;
    std::mutex m_mutex; ///< For all that follows.
    std::condition_variable m_wake;
    bool m_ends = false;
    std::deque<ProcessTimes> m_read; ///< The last few.
    std::int64_t m_saidNs = 0;
    std::string m_said;
    std::thread m_thread; ///< Last: uses all of the above.
};

} // namespace jetscope
