// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/tegrastatsimport.h"

#include "core/exchange/bytesource.h"
#include "core/exchange/tegrastatslog.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <set>

namespace jetscope {

namespace {

constexpr std::size_t kReadAtOnce = 1 << 18;
/// Lines of tegrastats have a few thousand bytes at most.
constexpr std::size_t kMostLineBytes = 1 << 16;

/// Splits a file into lines. Of overlong lines, only their number is kept.
class TegrastatsReader {
public:
    explicit TegrastatsReader(TegrastatsLog &log) : m_log(log) {}

    Status read(const std::string &path, Progress &progress)
    {
        JETSCOPE_TRY_ASSIGN(ByteSource source, ByteSource::open(path));
        std::string buffer(kReadAtOnce, '\0');
        while (true) {
            JETSCOPE_TRY_ASSIGN(const std::size_t got, source.read(buffer));
            if (!progress.advance(source.fraction()))
                return cancelledError();
            split(std::string_view(buffer).substr(0, got));
            if (got < buffer.size())
                break;
        }
        if (m_isOverlong)
            m_log.takeOverlong();
        else if (!m_begun.empty())
            m_log.take(m_begun, false);
        return {};
    }

private:
    void split(std::string_view text)
    {
        while (!text.empty()) {
            const void *found = std::memchr(text.data(), '\n', text.size());
            if (!found) {
                begin(text);
                return;
            }
            const std::string_view line =
                text.substr(0, static_cast<std::size_t>(static_cast<const char *>(found) - text.data()));
            text.remove_prefix(line.size() + 1);
            end(line);
        }
    }

    /// The line goes on in the next part of the file.
    void begin(std::string_view part)
    {
        m_isOverlong = m_isOverlong || m_begun.size() + part.size() > kMostLineBytes;
        if (m_isOverlong)
            m_begun.clear();
        else
            m_begun += part;
    }

    void end(std::string_view part)
    {
        if (!m_isOverlong && m_begun.empty() && part.size() <= kMostLineBytes) {
            m_log.take(part, true);
            return;
        }
        begin(part);
        if (m_isOverlong)
            m_log.takeOverlong();
        else
            m_log.take(m_begun, true);
        m_begun.clear();
        m_isOverlong = false;
    }

    TegrastatsLog &m_log;
    std::string m_begun;
    bool m_isOverlong = false;
};

Result<TegrastatsLog> readLog(const std::string &path, Progress &progress, const TegrastatsTiming &timing)
{
    TegrastatsLog log;
    JETSCOPE_TRY(TegrastatsReader(log).read(path, progress));
    if (log.empty())
        return sentence(path + " has no line of tegrastats: give a file that \"tegrastats --logfile\" wrote");
    log.finish(timing.intervalNs);
    return log;
}

/// Times of a log on the clock of a trace, and how they were found.
struct LogPlace {
    std::int64_t startNs = 0;
    std::string note;
};

std::string secondsText(double seconds)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.3f", seconds);
    return text;
}

LogPlace placeBeside(const Trace &trace, const TegrastatsLog &log)
{
    const std::int64_t offsetNs = trace.origin().wallClockOffsetNs;
    std::int64_t startNs = 0;
    if (!log.startUnixNs())
        return {trace.oldestNs(),
                std::string("the log has no ") + (log.hasStamps() ? "date" : "time stamps")
                    + ": its first line is placed at the beginning of the trace; move it with --with-offset"};
    if (offsetNs == 0 || __builtin_sub_overflow(*log.startUnixNs(), offsetNs, &startNs))
        return {trace.oldestNs(),
                "the trace has no time of day: the first line of the log is placed at its beginning; "
                "move it with --with-offset"};
    return {startNs,
            "the log is aligned by its time stamps, which count whole seconds and are read as local time of "
            "this machine; another time zone can be given in TZ"};
}

/// Says by how much the log would have to be moved if it does not overlap the trace.
void noteDistance(std::vector<std::string> &notes, const Trace &trace, const TegrastatsLog &log, std::int64_t startNs,
                  std::int64_t offsetNs)
{
    if (startNs <= trace.newestNs() && startNs + log.durationNs() >= trace.oldestNs())
        return;
    const double seconds =
        (static_cast<double>(offsetNs) + static_cast<double>(trace.oldestNs()) - static_cast<double>(startNs)) / 1e9;
    notes.push_back("the log lies outside of the trace: --with-offset " + secondsText(seconds)
                    + " would place its first line at the beginning");
}

/// Adds the counters behind those that the trace has. An error if there is no number left for them.
Status addCounters(Trace &trace, const TegrastatsLog &log, std::int64_t startNs)
{
    std::size_t firstId = 0;
    std::set<std::string> names;
    for (const CounterTrack &counter : trace.counters()) {
        firstId = std::max(firstId, counter.info().id + std::size_t{1});
        names.insert(counter.info().name);
    }
    if (firstId + log.counters().size() > std::numeric_limits<CounterId>::max())
        return sentence("the trace has too many counters for those of the log: convert the log on its own");
    std::vector<CounterInfo> infos = log.counters();
    for (CounterInfo &info : infos) {
        info.id = static_cast<CounterId>(info.id + firstId);
        if (names.count(info.name) > 0)
            info.name += " (tegrastats)";
    }
    trace.setCounters(infos);
    std::vector<CounterSample> samples = log.samples();
    for (CounterSample &sample : samples) {
        sample.timeNs += startNs;
        sample.counter = static_cast<CounterId>(sample.counter + firstId);
    }
    trace.add(samples);
    return {};
}

} // namespace

Result<OpenedTrace> importTegrastats(const std::string &path, Progress &progress, const TegrastatsTiming &timing)
{
    JETSCOPE_TRY_ASSIGN(const TegrastatsLog log, readLog(path, progress, timing));
    OpenedTrace opened;
    TraceOrigin origin;
    origin.program = "tegrastats";
    origin.file = path;
    origin.wallClockOffsetNs = log.startUnixNs().value_or(0);
    opened.trace.setOrigin(std::move(origin));
    JETSCOPE_TRY(addCounters(opened.trace, log, 0));
    opened.notes = log.notes();
    opened.account = log.account();
    return opened;
}

Status addTegrastats(OpenedTrace &opened, const std::string &path, Progress &progress, const TegrastatsTiming &timing)
{
    JETSCOPE_TRY_ASSIGN(const TegrastatsLog log, readLog(path, progress, timing));
    LogPlace place = placeBeside(opened.trace, log);
    std::int64_t endNs = 0;
    if (__builtin_add_overflow(place.startNs, timing.offsetNs, &place.startNs) || !isTraceTime(place.startNs)
        || __builtin_add_overflow(place.startNs, log.durationNs(), &endNs) || !isTraceTime(endNs))
        return sentence("the log lies too far from the trace: give a smaller --with-offset");
    opened.notes.push_back(place.note);
    noteDistance(opened.notes, opened.trace, log, place.startNs, timing.offsetNs);
    JETSCOPE_TRY(addCounters(opened.trace, log, place.startNs));
    for (std::string &note : log.notes())
        opened.notes.push_back(std::move(note));
    return {};
}

} // namespace jetscope
