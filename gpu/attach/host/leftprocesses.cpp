// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/leftprocesses.h"

#include "core/attach/format/attachformat.h"
#include "core/attach/read/ringreader.h"
#include "core/board/proctexts.h"
#include "core/text/parsenumber.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr std::int64_t kLookEveryNs = 200'000'000;
constexpr std::int64_t kLookAgainNs = 10'000'000;       ///< While a process is just being started,
constexpr std::int64_t kLongestStartNs = 1'000'000'000; ///< but not for longer.

/// What can be read: the process may end at any time. Streams of the standard library would throw then.
std::string bytesOf(pid_t pid, const char *name)
{
    const std::string path = "/proc/" + std::to_string(pid) + "/" + name;
    std::string all;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return all;
    std::array<char, 16 * 1024> bytes{};
    for (ssize_t got; (got = read(file, bytes.data(), bytes.size())) > 0;)
        all.append(bytes.data(), static_cast<std::size_t>(got));
    close(file);
    return all;
}

bool hasEntry(std::string_view environment, std::string_view entry)
{
    for (std::size_t at = 0; at < environment.size();) {
        const std::size_t end = std::min(environment.find('\0', at), environment.size());
        if (environment.substr(at, end - at) == entry)
            return true;
        at = end + 1;
    }
    return false;
}

std::int64_t ticksSinceBoot()
{
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<std::int64_t>(now.tv_sec) * sysconf(_SC_CLK_TCK);
}

std::vector<pid_t> allProcesses()
{
    std::vector<pid_t> all;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        if (const std::optional<pid_t> pid = parseNumber<pid_t>(entry->path().filename().string(), 1))
            all.push_back(*pid);
    }
    return all;
}

} // namespace

LeftProcesses::LeftProcesses(std::string memory)
    : m_entry(memory.empty() ? memory : std::string(JSA_VARIABLE) + "=" + memory), m_startTicks(ticksSinceBoot())
{
}

/// Not one of before this recording, which a ring names falsely. While a process executes another file it has no
/// environment for a moment. Threads of the kernel never have one.
bool LeftProcesses::mayBeOne(pid_t pid) const
{
    constexpr std::uint64_t kOfKernel = 0x00200000;
    const std::optional<ProcessStat> state = processStatIn(bytesOf(pid, "stat")); // None: there is no such process.
    return state && state->state != 'Z' && state->state != 'X' && (state->flags & kOfKernel) == 0
        && state->startTicks >= m_startTicks;
}

std::vector<pid_t> LeftProcesses::find(const RingReader &reader)
{
    m_unclear = false;
    std::vector<pid_t> found;
    for (const std::int32_t pid : reader.processes())
        if (mayBeOne(pid))
            found.push_back(pid);
    if (m_entry.empty())
        return found;
    for (const pid_t pid : allProcesses()) {
        if (std::find(found.begin(), found.end(), pid) != found.end())
            continue;
        const std::string environment = bytesOf(pid, "environ");
        if (!(environment.empty() || hasEntry(environment, m_entry)) || !mayBeOne(pid))
            continue;
        if (environment.empty())
            m_unclear = true;
        else
            found.push_back(pid);
    }
    return found;
}

void LeftProcesses::look(const RingReader &reader, std::int64_t nowNs)
{
    const std::size_t count = find(reader).size();
    m_most = std::max(m_most, count);
    const bool starting = m_unclear && nowNs - m_endedNs < kLongestStartNs;
    m_running = count > 0 || starting;
    m_lookNs = nowNs + (count > 0 ? kLookEveryNs : kLookAgainNs);
    const auto counts = reader.counts();
    const std::uint64_t calls = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (calls != std::exchange(m_calls, calls))
        m_lastCallNs = nowNs;
}

bool LeftProcesses::goOn(const RingReader &reader, bool recording, std::int64_t nowNs)
{
    if (m_endedNs == 0)
        m_endedNs = m_lastCallNs = nowNs;
    if (!recording)
        m_lastCallNs = nowNs;
    if (nowNs >= m_lookNs)
        look(reader, nowNs);
    if (!m_running)
        m_end = End::Gone;
    else if (nowNs - m_lastCallNs >= kPatienceNs)
        m_end = End::Silent;
    return m_end == End::None;
}

std::string LeftProcesses::note() const
{
    if (m_most == 0)
        return {};
    const bool one = m_most == 1;
    std::string text = "the first process of the program ended before " + std::to_string(m_most)
        + (one ? " other that it left" : " others that it left") + ": recording went on";
    if (m_end == End::Gone)
        text += one ? " until that had ended, too" : " until those had ended, too";
    if (m_end == End::Silent)
        text += " until no call was made for " + std::to_string(kPatienceNs / 1'000'000'000) + " s";
    return text;
}

} // namespace jetscope
