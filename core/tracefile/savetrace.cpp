// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/savetrace.h"

#include "core/path/tracepaths.h"
#include "core/system/newfile.h"
#include "core/trace/spanorder.h"
#include "core/tracefile/tracefiletables.h"

#include <algorithm>

namespace jetscope {

namespace {

// Spans per commit, which limits the size of the -wal file.
constexpr std::uint64_t kSpansAtOnce = 1 << 17;
constexpr std::uint64_t kFramesAtOnce = 4096;
constexpr std::size_t kEdgesCommitted = 1 << 17;

void saveHead(const Trace &trace, TraceFileTables &tables)
{
    tables.setOrigin(trace.origin());
    for (const auto &[name, value] : trace.facts())
        tables.setFact(name, value);
    for (const LaneInfo &lane : trace.lanes())
        tables.setLane(lane);
    for (std::size_t i = 0; i < trace.names().size(); ++i) {
        const auto name = static_cast<TraceName>(i);
        tables.setName(name, trace.names().at(name));
    }
}

void saveRest(const Trace &trace, TraceFileTables &tables)
{
    for (std::uint64_t i = trace.frames().firstIndex(); i < trace.frames().endIndex(); ++i)
        tables.addFrame(trace.frames().at(i));
    for (const FrameNumber &number : trace.frameNumbers().changes())
        tables.addFrameNumber(number);
    for (const CounterTrack &counter : trace.counters()) {
        tables.setCounter(counter.info());
        for (std::uint64_t i = counter.firstIndex(); i < counter.endIndex(); ++i) {
            const auto [ns, value] = counter.at(i);
            tables.addSample({ns, value, counter.info().id});
        }
    }
    for (const TraceMark &mark : trace.marks().all())
        tables.addMark(mark);
    for (const Thumbnail &thumbnail : trace.thumbnails().all())
        tables.addThumbnail(thumbnail);
    for (const TraceNote &note : trace.notes())
        tables.addNote(note);
}

/// The error of the file, or of the user's cancellation.
Status commit(TraceFileTables &tables, Progress &progress, double done)
{
    tables.commit();
    JETSCOPE_TRY(tables.status());
    return progress.advance(done) ? Status() : cancelledError();
}

/// The paths are computed again: the file then contains this version's results for its spans.
Status savePaths(const Trace &trace, TraceFileTables &tables, Progress &progress)
{
    TracePaths paths(trace);
    std::vector<PathPiece> pieces;
    const FrameTable &frames = trace.frames();
    for (std::uint64_t i = frames.firstIndex(); i < frames.endIndex(); i += kFramesAtOnce) {
        pieces.clear();
        paths.follow(i, std::min(i + kFramesAtOnce, frames.endIndex()), pieces);
        for (const PathPiece &piece : pieces)
            tables.addPathPiece(piece);
        JETSCOPE_TRY(commit(tables, progress, 1.0));
    }
    return {};
}

Status saveEdges(const Trace &trace, TraceFileTables &tables, Progress &progress)
{
    std::size_t done = 0;
    for (const SpanEdge &edge : trace.edges()) {
        tables.addEdge(edge);
        if (++done % kEdgesCommitted == 0)
            JETSCOPE_TRY(commit(tables, progress, 1.0));
    }
    return {};
}

Status saveSpans(const Trace &trace, TraceFileTables &tables, Progress &progress)
{
    const auto all = static_cast<double>(std::max(std::uint64_t{1}, trace.spanCount()));
    std::uint64_t done = 0;
    Status saved;
    eachSpanInOrder(trace, [&](const SpanTrack &track, const TraceSpan &span) {
        tables.addSpan(track.lane(), track.depth(), span);
        if (++done % kSpansAtOnce == 0)
            saved = commit(tables, progress, std::min(1.0, static_cast<double>(done) / all));
        return saved.ok() && tables.status().ok();
    });
    return saved;
}

Status saveAll(const Trace &trace, TraceFileTables &tables, Progress &progress)
{
    saveHead(trace, tables);
    saveRest(trace, tables);
    JETSCOPE_TRY(saveSpans(trace, tables, progress));
    JETSCOPE_TRY(saveEdges(trace, tables, progress));
    return savePaths(trace, tables, progress);
}

} // namespace

Status saveTrace(const Trace &trace, const std::string &path, Progress &progress, const ImportAccount &account)
{
    JETSCOPE_TRY_ASSIGN(UnfinishedFile file, UnfinishedFile::createDatabase(path));
    JETSCOPE_TRY_ASSIGN(TraceFileTables tables, TraceFileTables::fill(file.partPath(), path));
    tables.setAccount(account);
    const Status saved = saveAll(trace, tables, progress);
    tables.finish();
    JETSCOPE_TRY(saved);
    return tables.status().ok() ? file.publish() : tables.status();
}

} // namespace jetscope
