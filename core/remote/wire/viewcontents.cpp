// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/viewcontents.h"

#include "core/remote/wire/windowpacking.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

void fields(Wire &w, ColumnWindow &c)
{
    w.members(c, c.startNs, c.nsPerColumn, c.count);
}

void fields(Wire &w, WindowWish &v)
{
    w.members(v, v.window, v.nsPerPixel, v.tracks, v.counters);
}

void fields(Wire &w, DistantWhole &d)
{
    w.members(d, d.oldestNs, d.newestNs, d.spans, d.frames);
}

void fields(Wire &w, TraceNote &n)
{
    w.members(n, n.startNs, n.endNs, n.text);
}

void fields(Wire &w, OpenView &o)
{
    w.members(o, o.id, o.path);
}

void fields(Wire &w, AskView &a)
{
    w.members(a, a.id, a.ask, a.drops, a.wish);
}

void fields(Wire &w, ViewFacts &f)
{
    w.members(f, f.device, f.source, f.program, f.wallClockOffsetNs, f.config, f.lanes, f.tracks, f.counters,
              f.extremes, f.marks, f.notes, f.remarks, f.whole, f.fileBytes, f.file, f.mark);
}

void fields(Wire &w, ViewHead &h)
{
    w.members(h, h.id, h.fraction, h.error, h.facts);
}

void fields(Wire &w, ViewPart &p)
{
    w.members(p, p.id, p.ask, p.isDropped, p.names, p.isNear, p.path, p.frames, p.numbers, p.uncertainties, p.columns);
}

void fields(Wire &w, ViewWhole &v)
{
    w.members(v, v.id, v.startNs, v.partNs, v.loads, v.frames);
}

namespace {

constexpr double kLoads = 255;

std::uint8_t loadOf(double part)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0, 1.0) * kLoads));
}

} // namespace

ViewWhole ViewWhole::of(const WholePicture &whole)
{
    ViewWhole said;
    said.startNs = whole.loads.startNs();
    said.partNs = whole.loads.partNs();
    for (const OverviewTimes &part : whole.loads.parts())
        for (const std::int64_t ns : {part.cpuNs, part.gpuNs, part.bothNs})
            said.loads.push_back(loadOf(static_cast<double>(ns) / static_cast<double>(said.partNs)));
    for (const FrameColumn &column : whole.frames) {
        said.frames.push_back(column.periodNs > 0 ? 1 : 0);
        for (const double ns : {column.cpuNs, column.gpuNs, column.bothNs})
            said.frames.push_back(column.periodNs > 0 ? loadOf(ns / column.periodNs) : 0);
    }
    return said;
}

std::optional<WholePicture> ViewWhole::picture() const
{
    constexpr std::size_t kOfPart = 3;
    constexpr std::size_t kOfColumn = 4;
    if (loads.size() % kOfPart != 0 || loads.size() / kOfPart > TraceOverview::kMaxParts
        || frames.size() != kOfColumn * WholePicture::kColumns || partNs <= 0 || partNs > kMaxTraceNs)
        return std::nullopt;
    const auto timeOf = [this](std::uint8_t load) { return std::llround(load / kLoads * static_cast<double>(partNs)); };
    std::vector<OverviewTimes> parts;
    for (std::size_t i = 0; i < loads.size(); i += kOfPart)
        parts.push_back({timeOf(loads[i]), timeOf(loads[i + 1]), timeOf(loads[i + 2])});
    WholePicture whole;
    whole.loads = TraceOverview::of(startNs, partNs, std::move(parts));
    for (std::size_t i = 0; i < frames.size(); i += kOfColumn)
        whole.frames.push_back({frames[i] != 0 ? kLoads : 0.0, static_cast<double>(frames[i + 1]),
                                static_cast<double>(frames[i + 2]), static_cast<double>(frames[i + 3])});
    return whole;
}

bool isPossibleWish(const WindowWish &wish)
{
    const ColumnWindow &window = wish.window;
    const double lengthNs = window.nsPerColumn * window.count;
    const auto isRising = [](const std::vector<std::uint32_t> &places) {
        return std::ranges::adjacent_find(places, std::greater_equal()) == places.end();
    };
    return window.count > 0 && window.count <= kMostViewColumns && std::isfinite(lengthNs) && window.nsPerColumn > 0
        && std::isfinite(wish.nsPerPixel) && wish.nsPerPixel > 0 && isTraceTime(window.startNs)
        && lengthNs < static_cast<double>(kMaxTraceNs)
        && (wish.tracks.size() + wish.counters.size()) * static_cast<std::size_t>(window.count) <= kMostViewCells
        && isRising(wish.tracks) && isRising(wish.counters);
}

ViewFacts viewFacts(const Trace &trace, const std::vector<std::string> &remarks)
{
    const TraceOrigin &origin = trace.origin();
    ViewFacts facts;
    facts.device = origin.device;
    facts.source = origin.source;
    facts.program = origin.program;
    facts.wallClockOffsetNs = origin.wallClockOffsetNs;
    facts.config = origin.config;
    facts.lanes = trace.lanes();
    for (const SpanTrack &track : trace.tracks())
        facts.tracks.emplace_back(track.lane(), track.depth());
    for (const CounterTrack &counter : trace.counters()) {
        facts.counters.push_back(counter.info());
        facts.extremes.push_back(counter.extremes());
    }
    const auto &marks = trace.marks().all();
    facts.marks.assign(marks.end() - static_cast<std::ptrdiff_t>(std::min(marks.size(), kMostViewMarks)), marks.end());
    facts.notes = trace.notes();
    facts.remarks = remarks;
    if (marks.size() > kMostViewMarks)
        facts.remarks.push_back("Of " + std::to_string(marks.size()) + " marks the newest "
                                + std::to_string(kMostViewMarks) + " are shown.");
    facts.whole = {trace.oldestNs(), trace.newestNs(), trace.spanCount(),
                   trace.frames().endIndex() - trace.frames().firstIndex()};
    return facts;
}

std::optional<Trace> traceOf(const ViewFacts &facts)
{
    const DistantWhole &whole = facts.whole;
    if (!isTraceTime(whole.oldestNs) || !isTraceTime(whole.newestNs) || whole.oldestNs > whole.newestNs
        || facts.tracks.size() > Trace::kMaxTracks || facts.counters.size() != facts.extremes.size()
        || facts.notes.size() > kMaxTraceNotes || facts.marks.size() > kMostViewMarks)
        return std::nullopt;
    Trace trace;
    TraceOrigin origin;
    origin.device = facts.device;
    origin.source = facts.source;
    origin.program = facts.program;
    origin.file = facts.file;
    origin.wallClockOffsetNs = facts.wallClockOffsetNs;
    origin.config = facts.config;
    trace.setOrigin(std::move(origin));
    trace.setLanes(facts.lanes);
    trace.setCounters(facts.counters);
    if (trace.counters().size() != facts.counters.size())
        return std::nullopt; // Two of one number.
    for (const auto &[lane, depth] : facts.tracks)
        trace.addTrack(lane, depth);
    for (std::size_t i = 0; i < facts.tracks.size(); ++i) // Their numbers are those of the board.
        if (trace.tracks().size() != facts.tracks.size() || trace.tracks()[i].lane() != facts.tracks[i].first
            || trace.tracks()[i].depth() != facts.tracks[i].second)
            return std::nullopt;
    for (std::size_t i = 0; i < facts.extremes.size(); ++i)
        if (const auto &extremes = facts.extremes[i]) {
            if (!std::isfinite(extremes->first) || !std::isfinite(extremes->second)
                || extremes->first > extremes->second)
                return std::nullopt;
            trace.setExtremes(i, *extremes);
        }
    for (const TraceMark &mark : facts.marks)
        trace.add(mark);
    for (const TraceNote &note : facts.notes)
        if (!isTraceTime(note.startNs) || !isTraceTime(note.endNs) || note.endNs < note.startNs)
            return std::nullopt;
    trace.setNotes(facts.notes);
    return trace;
}

ViewPart ViewPart::of(const WindowPicture &picture)
{
    ViewPart part;
    part.isNear = picture.isNear;
    part.path = picture.path;
    part.frames = picture.frames;
    part.numbers = picture.numbers;
    part.uncertainties = picture.uncertainties;
    part.columns = packColumns(picture);
    return part;
}

ViewPart ViewPart::dropped(std::uint32_t id, std::uint32_t ask)
{
    ViewPart part;
    part.id = id;
    part.ask = ask;
    part.isDropped = true;
    return part;
}

std::optional<WindowPicture> ViewPart::picture(const WindowWish &wish) const
{
    WindowPicture picture;
    if (!unpackColumns(columns, wish, picture))
        return std::nullopt;
    const auto isTime = [](std::int64_t startNs, std::int64_t endNs) {
        return isTraceTime(startNs) && isTraceTime(endNs) && startNs <= endNs;
    };
    if (!std::ranges::all_of(path, [&](const PathPiece &piece) { return isTime(piece.startNs, piece.endNs); })
        || !std::ranges::all_of(frames,
                                [](const FrameFigures &frame) { return isTracePiece(frame.startNs, frame.periodNs()); })
        || !std::ranges::all_of(uncertainties,
                                [](const auto &each) { return std::isfinite(each.second) && each.second >= 0; }))
        return std::nullopt;
    picture.isNear = isNear;
    picture.path = path;
    picture.frames = frames;
    picture.numbers = numbers;
    picture.uncertainties = uncertainties;
    return picture;
}

} // namespace jetscope
