// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/importers.h"

#include "core/exchange/linereader.h"
#include "core/exchange/tegrastatslog.h"
#include "core/text/numbertext.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <limits>
#include <set>

namespace jetscope {

namespace {

Result<TegrastatsLog> readLog(const std::string &path, Progress &progress, const TegrastatsTiming &timing)
{
    TegrastatsLog log;
    const LineTaker taker{[&log](std::string_view line, bool isComplete) { log.take(line, isComplete); },
                          [&log] { log.takeOverlong(); }};
    JETSCOPE_TRY(readLines(path, taker, progress));
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

LogPlace placeBeside(const Trace &trace, const TegrastatsLog &log)
{
    const std::optional<std::int64_t> offsetNs = trace.unixOffsetNs();
    std::int64_t startNs = 0;
    if (!log.startUnixNs())
        return {trace.oldestNs(),
                std::string("the log has no ") + (log.hasStamps() ? "date" : "time stamps")
                    + ": its first line is placed at the beginning of the trace; move it with --with-offset"};
    if (!offsetNs || __builtin_sub_overflow(*log.startUnixNs(), *offsetNs, &startNs))
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
    notes.push_back("the log lies outside of the trace: --with-offset " + fixedText(seconds, 3)
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
    for (const ImportAccount::Row &row : log.account().rows()) // The account of `opened` is that of another file.
        if (!row.reason.empty())
            opened.notes.push_back(row.kind + " of the log left out (" + std::to_string(row.events)
                                   + "): " + row.reason);
    for (std::string &note : log.notes())
        opened.notes.push_back(std::move(note));
    return {};
}

} // namespace jetscope
