// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/schedulerfeed.h"

#include "core/attach/record/attachrecorder.h"
#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"
#include "gpu/attach/host/scheduleraccess.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxBytes = 4 << 20;
constexpr std::size_t kPartBytes = 1 << 16;
constexpr std::chrono::milliseconds kFeedEvery{5};
/// The lines of the last moments are late: on a busy machine they are behind, but do not stop for so long.
constexpr std::int64_t kSchedulerDelayNs = 300'000'000;
constexpr std::int64_t kLongestSchedulerDelayNs = 3'000'000'000;

Error cannotRead(const std::string &path, const char *why)
{
    return sentence(quotedWords(path) + " cannot be read: " + why
                    + "; give the file or named pipe into which jetscope-sched writes");
}

/// The N of /dev/fd/N; -1 if the path is none, or of a standard file.
int inheritedNumber(std::string_view path)
{
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (path.starts_with(folder))
            return parseNumber<int>(path.substr(folder.size()), STDERR_FILENO + 1).value_or(-1);
    }
    return -1;
}

/// Files of this process's own are closed by exec, those that it inherited are not.
void closeInherited(int number)
{
    if (const int flags = fcntl(number, F_GETFD); flags >= 0 && (flags & FD_CLOEXEC) == 0)
        close(number);
}

} // namespace

Status checkSchedulerFile(const std::string &path)
{
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0)
        return cannotRead(path, std::strerror(errno));
    if (S_ISDIR(facts.st_mode))
        return cannotRead(path, "it is a folder");
    if (access(path.c_str(), R_OK) != 0)
        return cannotRead(path, std::strerror(errno));
    return {};
}

Result<SchedulerFeed> SchedulerFeed::open(const std::string &path)
{
    if (const Status readable = checkSchedulerFile(path); !readable.ok()) {
        const Result<std::string> command = schedulerCommand(path);
        return sentence(readable.error().text
                        + (command.ok() ? "; in a terminal of that machine run " + command.value() : ""));
    }
    SchedulerFeed feed(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), path);
    struct stat facts {};
    if (feed.m_file < 0 || fstat(feed.m_file, &facts) != 0)
        return cannotRead(path, std::strerror(errno));
    feed.m_isPipe = S_ISFIFO(facts.st_mode);
    closeInherited(inheritedNumber(path));
    return feed;
}

SchedulerFeed::SchedulerFeed(SchedulerFeed &&other) noexcept
    : m_file(std::exchange(other.m_file, -1)),
      m_path(std::move(other.m_path)),
      m_isPipe(other.m_isPipe),
      m_began(other.m_began),
      m_ended(other.m_ended)
{
}

SchedulerFeed::~SchedulerFeed()
{
    if (m_file >= 0)
        close(m_file);
}

/// A file may grow, and a pipe may get another writer.
std::string SchedulerFeed::read()
{
    std::string bytes;
    while (bytes.size() < kMaxBytes) {
        const std::size_t before = bytes.size();
        bytes.resize(before + kPartBytes);
        const ssize_t got = ::read(m_file, bytes.data() + before, kPartBytes);
        bytes.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
        m_began = m_began || got > 0;
        m_ended = (got == 0 && m_began && m_isPipe) || (got < 0 && errno != EAGAIN && errno != EINTR);
        if (got <= 0)
            break;
    }
    return bytes;
}

void SchedulerFeed::take(AttachRecorder &recorder, bool last, const std::function<bool()> &stop)
{
    const std::int64_t endNs = nowNs();
    recorder.addScheduler(read(), false);
    std::int64_t newsNs = endNs;
    while (last && !m_ended && !(stop && stop()) && recorder.scheduler().newestNs() < endNs
           && nowNs() < newsNs + kSchedulerDelayNs && nowNs() < endNs + kLongestSchedulerDelayNs) {
        std::this_thread::sleep_for(kFeedEvery);
        const std::string bytes = read();
        newsNs = bytes.empty() ? newsNs : nowNs();
        recorder.addScheduler(bytes, false);
    }
    if (last)
        recorder.addScheduler({}, true);
}

std::string SchedulerFeed::refusal(const AttachRecorder &recorder) const
{
    const SchedulerTrace &trace = recorder.scheduler();
    if (!trace.refusal().empty())
        return "jetscope-sched: " + trace.refusal();
    if (trace.lines() == 0)
        return "no line of the kernel's trace came from " + m_path;
    if (trace.countsElsewhere())
        return kCountsElsewhere;
    if (!trace.hasTimes())
        return "the kernel's trace has none of the program's threads: jetscope-sched must run on the same machine at "
               "the same time, and count threads as the program does";
    return {};
}

} // namespace jetscope
