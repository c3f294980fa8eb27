// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/busyprocesses.h"

#include "core/board/proctexts.h"
#include "core/system/sysfile.h"
#include "core/text/numbertext.h"
#include "core/text/parsenumber.h"
#include "core/time/clock.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::seconds kReadEvery{1};
constexpr std::int64_t kSaidAgainNs = 1'000'000'000;
/// So that the oldest is from before most hold-ups.
constexpr std::size_t kTimesKept = 4;
constexpr std::size_t kMostNamed = 3;
constexpr double kLeastShare = 0.1; ///< Of a processor; the kernel's ticks are of 10 ms.

struct Busy {
    int pid = 0;
    double share = 0; ///< Of one processor.
};

std::vector<Busy> busiest(const ProcessTimes &before, const ProcessTimes &now)
{
    const double seconds = static_cast<double>(now.ns - before.ns) / 1e9;
    const auto ticksPerSecond = static_cast<double>(sysconf(_SC_CLK_TCK));
    std::vector<Busy> busy;
    for (const auto &[pid, process] : now.processes) {
        const auto known = before.processes.find(pid);
        const bool isSame = known != before.processes.end() && known->second.startTicks == process.startTicks;
        const std::uint64_t had = isSame ? std::min(known->second.ranTicks, process.ranTicks) : 0;
        const double share = static_cast<double>(process.ranTicks - had) / ticksPerSecond / seconds;
        if (share >= kLeastShare)
            busy.push_back({pid, share});
    }
    std::stable_sort(busy.begin(), busy.end(), [](const Busy &a, const Busy &b) { return a.share > b.share; });
    busy.resize(std::min(busy.size(), kMostNamed));
    return busy;
}

std::string nameOf(int pid, const std::string &folder)
{
    if (pid == getpid())
        return "this program itself";
    const std::string number = std::to_string(pid);
    const std::string name = lineOf(folder + "/" + number + "/comm");
    return (name.empty() ? "a process" : name) + " (" + number + ")";
}

} // namespace

ProcessTimes readProcessTimes(const std::string &folder)
{
    constexpr std::size_t kMostBytes = 1024; // A line of some 50 numbers.
    ProcessTimes times;
    times.ns = nowNs();
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::optional<int> pid = parseNumber<int>(entry->path().filename().native());
        if (!pid || *pid <= 0)
            continue;
        const Result<std::string> stat = textOf(entry->path().native() + "/stat", kMostBytes);
        if (!stat.ok()) // It has ended, or is hidden.
            continue;
        if (const std::optional<ProcessStat> process = processStatIn(stat.value()))
            times.processes[*pid] = {process->startTicks, process->ranTicks};
    }
    return times;
}

std::string busyWords(const ProcessTimes &before, const ProcessTimes &now, const std::string &folder)
{
    if (now.ns <= before.ns)
        return {};
    std::string text;
    for (const Busy &busy : busiest(before, now)) {
        const std::string name = nameOf(busy.pid, folder);
        const std::string share = fixedText(busy.share * 100, 0) + " %";
        if (text.empty())
            text = "in the last " + fixedText(static_cast<double>(now.ns - before.ns) / 1e9, 1) + " s " + name + " had "
                + share + " of a processor";
        else
            text += ", " + name + " " + share;
    }
    return text;
}

BusyProcesses::BusyProcesses(std::string folder) : m_folder(std::move(folder)), m_thread([this] { watch(); }) {}

BusyProcesses::~BusyProcesses()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

std::shared_ptr<BusyProcesses> BusyProcesses::shared()
{
    static std::mutex mutex;
    static std::weak_ptr<BusyProcesses> kept;
    const std::lock_guard lock(mutex);
    std::shared_ptr<BusyProcesses> one = kept.lock();
    if (!one)
        kept = one = std::make_shared<BusyProcesses>();
    return one;
}

void BusyProcesses::watch()
{
    std::unique_lock lock(m_mutex);
    while (!m_ends) {
        lock.unlock();
        ProcessTimes times = readProcessTimes(m_folder);
        lock.lock();
        m_read.push_back(std::move(times));
        if (m_read.size() > kTimesKept)
            m_read.pop_front();
        m_wake.wait_for(lock, kReadEvery, [this] { return m_ends; });
    }
}

std::string BusyProcesses::words(std::int64_t sinceNs)
{
    ProcessTimes before;
    {
        const std::lock_guard lock(m_mutex);
        if (m_saidNs != 0 && nowNs() - m_saidNs < kSaidAgainNs)
            return m_said;
        if (m_read.empty())
            return {};
        const auto later =
            std::find_if(m_read.begin(), m_read.end(), [&](const ProcessTimes &times) { return times.ns > sinceNs; });
        before = later == m_read.begin() ? *later : *std::prev(later);
    }
    std::string said = busyWords(before, readProcessTimes(m_folder), m_folder);
    const std::lock_guard lock(m_mutex);
    m_saidNs = nowNs();
    m_said = said;
    return said;
}

} // namespace jetscope
