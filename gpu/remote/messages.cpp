// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/messages.h"

#include "core/trace/timelimits.h"

#include <utility>

namespace jetscope {

void fields(Wire &w, UpdatePositions &p)
{
    w.members(p, p.head, p.figures, p.spans);
}

StateCounts StateCounts::of(const PipelineStatus &status)
{
    return {status.wallClockOffsetNs, status.frames, status.droppedBySource, status.droppedByView,
            status.emulationBytes,    status.stream, status.inputStream};
}

void StateCounts::putInto(PipelineStatus &status) const
{
    status.wallClockOffsetNs = wallClockOffsetNs;
    status.frames = frames;
    status.droppedBySource = droppedBySource;
    status.droppedByView = droppedByView;
    status.emulationBytes = emulationBytes;
    status.stream = stream;
    status.inputStream = inputStream;
}

void fields(Wire &w, Join &j)
{
    w.members(j, j.session, j.pipeline, j.known, j.takesOver, j.follows);
}

void fields(Wire &w, Joined &j)
{
    w.members(j, j.session, j.givesOrders, j.pipeline, j.request);
}

void fields(Wire &w, Ask &a)
{
    w.members(a, a.id, a.question, a.request, a.pipeline, a.name, a.firstGpu, a.wantsFacts);
}

void fields(Wire &w, Answer &a)
{
    w.members(a, a.id, a.error, a.devices, a.cameras, a.platform, a.pipeline, a.captures, a.boardFacts, a.boardState);
}

void fields(Wire &w, BoardCapture &c)
{
    w.members(c, c.name, c.bytes, c.lengthNs, c.writtenNs, c.grows, c.version, c.trouble);
    if (!isCaptureName(c.name) || c.bytes > kMostCaptureBytes || c.lengthNs < 0 || c.lengthNs > kMaxTraceNs)
        w.fail();
}

void fields(Wire &w, CaptureList &l)
{
    w.members(l, l.folder, l.freeBytes, l.captures);
}

void fields(Wire &w, RecordingState &r)
{
    w.members(r, r.number, r.isOn, r.name, r.bytes, r.elapsedNs, r.lost, r.freeBytes, r.waiting, r.failure);
    if ((!r.name.empty() && !isCaptureName(r.name)) || r.elapsedNs < 0 || r.elapsedNs > kMaxTraceNs)
        w.fail();
}

void fields(Wire &w, ClockSaid &c)
{
    w.members(c, c.clock, c.atNs, c.offsetNs, c.boundNs);
    if (!isTraceTime(c.atNs) || !isTraceTime(c.offsetNs) || !isTraceTime(c.boundNs) || c.boundNs < 0)
        w.fail();
}

void fields(Wire &w, Order &o)
{
    w.members(o, o.pipeline, o.command);
}

void fields(Wire &w, StateCounts &c)
{
    w.members(c, c.wallClockOffsetNs, c.frames, c.droppedBySource, c.droppedByView, c.emulationBytes, c.stream,
              c.inputStream);
}

void fields(Wire &w, State &s)
{
    w.members(s, s.pipeline, s.counts, s.status);
}

void fields(Wire &w, UpdatePart &p)
{
    w.members(p, p.pipeline, p.position, p.update);
}

bool saysNothing(const PipelineUpdate &u)
{
    return u.names.empty() && u.lanes.empty() && u.counters.empty() && u.facts.empty() && u.spans.empty()
        && u.figures.empty() && u.numbers.empty() && u.path.empty() && u.pathGains.empty() && u.samples.empty()
        && u.marks.empty() && u.spansLost == 0 && u.missedSpans == 0 && u.notices.empty() && u.answers.empty();
}

std::vector<Message> partsOf(std::uint32_t pipeline, std::uint64_t position, PipelineUpdate update)
{
    UpdatePart figures{pipeline, position, {}};
    figures.update.figures = std::exchange(update.figures, {});
    figures.update.path = std::exchange(update.path, {});
    figures.update.pathGains = std::exchange(update.pathGains, {});
    figures.update.samples = std::exchange(update.samples, {});
    UpdatePart spans{pipeline, position, {}};
    spans.update.spans = std::exchange(update.spans, {});
    std::vector<Message> messages{messageOf(MessageKind::Head, UpdatePart{pipeline, position, std::move(update)})};
    if (const PipelineUpdate &u = figures.update;
        !u.figures.empty() || !u.path.empty() || !u.pathGains.empty() || !u.samples.empty())
        messages.push_back(messageOf(MessageKind::FigureUpdate, figures));
    if (!spans.update.spans.empty())
        messages.push_back(messageOf(MessageKind::SpanUpdate, spans));
    return messages;
}

} // namespace jetscope
