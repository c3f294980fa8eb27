// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/corefields.h"

#include "core/settings/filters.h"
#include "core/settings/settingtable.h"

namespace jetscope {

void fields(Wire &w, Error &e)
{
    w.members(e, e.call, e.code, e.text);
}

void fields(Wire &w, Capability &c)
{
    w.members(c, c.available, c.reason);
}

void fields(Wire &w, PipelineConfig &c)
{
    // By their names: the number of a filter is that of one process.
    std::string filters = w.reads() ? std::string() : filterNames(c.filters);
    w.members(c, c.memory, c.output, c.sync, c.wait, c.cpuStage, c.cpuWork, filters, c.framesInFlight, c.streams,
              c.gpuTime, c.priority, c.share, c.beside);
    if (!w.reads())
        return;
    addStagesOfFile(filters); // A stage of the other machine is code of that one: here it has a name only.
    if (!applySetting(c, "filters", filters).ok() || filterNames(c.filters) != filters) // There is one way to say it.
        w.fail();
}

void fields(Wire &w, DeviceAttribute &a)
{
    w.members(a, a.name, a.value, a.reason);
}

void fields(Wire &w, ReportedMemory &m)
{
    w.members(m, m.freeBytes, m.totalBytes);
}

void fields(Wire &w, DeviceFacts &f)
{
    w.members(f, f.id, f.name, f.pciBusId, f.software, f.integrated, f.computeMajor, f.computeMinor,
              f.concurrentManagedAccess, f.pageableMemoryAccess, f.driverVersion, f.runtimeVersion, f.reportedMemory,
              f.attributes, f.mapHostMemory, f.managedMemory, f.hostRegister, f.eglImage, f.eglSync, f.glInterop,
              f.eglStream, f.eglStreamArrays, f.eglStreamInput, f.nvBuf, f.cupti, f.cuptiLibrary, f.kernelStamps,
              f.kernelBinaries, f.streamFlags, f.graphs, f.semaphores, f.systemMemory, f.prefetch, f.hostRegisterIo,
              f.memoryPools, f.dmabuf, f.streamPriorities, f.greenContexts, f.multiprocessors);
}

void fields(Wire &w, PlaneLayout &p)
{
    w.members(p, p.offset, p.pitch, p.rows, p.rowBytes);
}

void fields(Wire &w, ImageLayout &l)
{
    w.members(l, l.format, l.colour, l.width, l.height, l.planeCount, l.planes, l.bytes);
    const bool isSize = l.width >= 0 && l.width <= kMaxImageSide && l.height >= 0 && l.height <= kMaxImageSide;
    if (!isSize || l.planeCount < 0 || l.planeCount > static_cast<int>(l.planes.size()))
        w.fail();
}

void fields(Wire &w, TraceCost &c)
{
    w.members(c, c.frameRatio, c.noise, c.turns);
}

void fields(Wire &w, HazardAccess &a)
{
    w.members(a, a.what, a.queue, a.access, a.frame, a.timeNs);
}

// A trace

void fields(Wire &w, SpanName &n)
{
    w.members(n, n.text, n.category, n.certainty, n.purpose);
}

void fields(Wire &w, Span &s)
{
    w.members(s, s.startNs, s.durationNs, s.frame, s.bytes, s.name, s.lane, s.depth);
}

void fields(Wire &w, LaneInfo &l)
{
    w.members(l, l.id, l.role, l.name, l.detail, l.emulated, l.gpu);
}

void fields(Wire &w, CounterInfo &c)
{
    w.members(c, c.id, c.name, c.unit, c.lane);
}

void fields(Wire &w, CounterSample &s)
{
    w.members(s, s.timeNs, s.value, s.counter);
}

void fields(Wire &w, Overlap &o)
{
    w.members(o, o.periodNs, o.cpuNs, o.gpuNs, o.bothNs, o.idleNs, o.gpuBoundedNs, o.bothBoundedNs);
}

void fields(Wire &w, FrameAmounts &a)
{
    eachFrameAmount([&](auto member) { w(a.*member); });
}

void fields(Wire &w, FrameFigures &f)
{
    w.members(f, static_cast<FrameAmounts &>(f), f.frame, f.startNs, f.overlap, f.frameNs, f.latencyNs, f.traced,
              f.captureBusyNs, f.viewBusyNs, f.sourcePeriodNs);
}

void fields(Wire &w, FrameNumber &n)
{
    w.members(n, n.frame, n.number);
}

void fields(Wire &w, PathPiece &p)
{
    w.members(p, p.startNs, p.endNs, p.frame, p.workFrame, p.name, p.lane, p.cause, p.bounded);
}

void fields(Wire &w, PathKind &k)
{
    w.members(k, k.cause, k.name);
}

void fields(Wire &w, PathGain &g)
{
    w.members(g, g.firstFrame, g.lastFrame, g.kind, g.savedNs, g.ofNs);
}

void fields(Wire &w, LostFrames &l)
{
    w.members(l, l.first, l.count, l.cause, l.timeNs, l.evidence);
}

void fields(Wire &w, LossCounts &c)
{
    w.members(c, c.of);
}

void fields(Wire &w, TraceMark &m)
{
    w.members(m, m.kind, m.timeNs, m.frame, m.text, m.rule, m.fix, m.memory, m.first, m.second, m.lost);
}

void fields(Wire &w, TraceUpdate &u)
{
    w.members(u, u.names, u.firstName, u.lanes, u.counters, u.facts, u.spans, u.figures, u.numbers, u.path, u.pathGains,
              u.samples, u.marks, u.spansLost, u.missedSpans);
}

// A machine

void fields(Wire &w, L4tRelease &r)
{
    w.members(r, r.major, r.minor, r.patch);
}

void fields(Wire &w, BoardIdentity &b)
{
    w.members(b, b.model, b.module, b.chip, b.l4t, b.jetpack, b.kernel);
}

void fields(Wire &w, NodeAccess &n)
{
    w.members(n, n.pattern, n.purpose, n.isForProfiling, n.state, n.found, n.denied, n.reason, n.command);
}

void fields(Wire &w, GroupMembership &g)
{
    w.members(g, g.group, g.isMember, g.reason, g.command);
}

void fields(Wire &w, ProfilingAccess &p)
{
    w.members(p, p.state, p.reason, p.command);
}

void fields(Wire &w, LibraryFact &l)
{
    w.members(l, l.name, l.purpose, l.state, l.path, l.version, l.reason);
}

void fields(Wire &w, DlaCount &d)
{
    w.members(d, d.count, d.reason);
}

void fields(Wire &w, AllocatableMemory &m)
{
    w.members(m, m.allocatable, m.hostAllocated, m.deviceAllocated, m.swapFree);
}

void fields(Wire &w, PlatformFacts &p)
{
    w.members(p, p.board, p.nodes, p.groups, p.profiling, p.libraries, p.dlas, p.allocatable, p.allocatableReason);
}

} // namespace jetscope
