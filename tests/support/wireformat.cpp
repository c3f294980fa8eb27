// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/wireformat.h"

namespace jetscope {

// In the namespace of the types, where Wire finds them.
using testing::Wire;

void fields(Wire &w, PipelineConfig &c)
{
    w(c.memory, c.output, c.sync, c.wait, c.cpuStage, c.cpuWork, c.filters, c.framesInFlight, c.streams, c.gpuTime);
}

void fields(Wire &w, Capability &c)
{
    w(c.available, c.reason);
}

void fields(Wire &w, DeviceAttribute &a)
{
    w(a.name, a.value, a.reason);
}

void fields(Wire &w, ReportedMemory &m)
{
    w(m.freeBytes, m.totalBytes);
}

void fields(Wire &w, DeviceFacts &f)
{
    w(f.id, f.name, f.software, f.integrated, f.computeMajor, f.computeMinor, f.concurrentManagedAccess,
      f.pageableMemoryAccess, f.driverVersion, f.runtimeVersion, f.reportedMemory, f.attributes, f.mapHostMemory,
      f.managedMemory, f.hostRegister, f.eglImage, f.eglSync, f.glInterop, f.eglStream, f.eglStreamArrays,
      f.eglStreamInput, f.nvBuf, f.cupti, f.cuptiLibrary, f.kernelStamps, f.kernelBinaries);
}

void fields(Wire &w, PlaneLayout &p)
{
    w(p.offset, p.pitch, p.rows, p.rowBytes);
}

void fields(Wire &w, ImageLayout &l)
{
    w(l.format, l.colour, l.width, l.height, l.planeCount, l.planes, l.bytes);
}

void fields(Wire &w, SourceInfo &s)
{
    w(s.uri, s.description, s.layout, s.fps, s.live, s.throughStream, s.pacedFps);
}

void fields(Wire &w, SourceFaults &f)
{
    w(f.missed, f.damaged, f.torn, f.repeated, f.oddStamps, f.gaps);
}

void fields(Wire &w, StreamColor &c)
{
    w(c.matrix, c.range, c.transfer, c.assumed);
}

void fields(Wire &w, StreamFacts &f)
{
    w(f.container, f.codec, f.width, f.height, f.claimedFps, f.measuredFps, f.color, f.rotation, f.mirrored,
      f.sampleAspect, f.fieldOrder, f.decoder, f.decoderKind, f.decoderReason);
}

void fields(Wire &w, SourceState &s)
{
    w(s.copies, s.externalCopies, s.trouble, s.remark, s.faults, s.facts);
}

void fields(Wire &w, StreamCounts &c)
{
    w(c.returned, c.timeouts, c.repeats);
}

void fields(Wire &w, TraceCost &c)
{
    w(c.frameRatio, c.noise, c.turns);
}

void fields(Wire &w, PipelineCounts &c)
{
    w(c.dropped, c.emulationBytes, c.faults, c.frames, c.droppedByView, c.switches);
}

void fields(Wire &w, HazardAccess &a)
{
    w(a.what, a.queue, a.access, a.frame, a.timeNs);
}

void fields(Wire &w, PipelineNotice &n)
{
    w(n.kind, n.frame, n.timeNs, n.text, n.rule, n.fix, n.level, n.memory, n.first, n.second, n.ofSource, n.deviceLost,
      n.counts);
}

void fields(Wire &w, SpanName &n)
{
    w(n.text, n.category, n.certainty, n.purpose);
}

void fields(Wire &w, Span &s)
{
    w(s.startNs, s.durationNs, s.frame, s.bytes, s.name, s.lane, s.depth);
}

void fields(Wire &w, LaneInfo &l)
{
    w(l.id, l.role, l.name, l.detail, l.emulated, l.gpu);
}

void fields(Wire &w, Overlap &o)
{
    w(o.periodNs, o.cpuNs, o.gpuNs, o.bothNs, o.idleNs, o.gpuBoundedNs, o.bothBoundedNs);
}

void fields(Wire &w, FrameFigures &f)
{
    w(f.frame, f.startNs, f.overlap, f.frameNs, f.latencyNs, f.traced, f.captureBusyNs, f.viewBusyNs, f.sourcePeriodNs);
    eachFrameAmount([&](auto member) { w(f.*member); });
}

void fields(Wire &w, FrameNumber &n)
{
    w(n.frame, n.number);
}

void fields(Wire &w, PathPiece &p)
{
    w(p.startNs, p.endNs, p.frame, p.workFrame, p.name, p.lane, p.cause, p.bounded);
}

void fields(Wire &w, PathKind &k)
{
    w(k.cause, k.name);
}

void fields(Wire &w, PathGain &g)
{
    w(g.firstFrame, g.lastFrame, g.kind, g.savedNs, g.ofNs);
}

void fields(Wire &w, Point &p)
{
    w(p.x, p.y);
}

void fields(Wire &w, CpuAnswer &a)
{
    w(a.frame, a.work, a.width, a.height, a.edges, a.contours, a.histogram, a.keypoints);
}

void fields(Wire &w, CounterInfo &c)
{
    w(c.id, c.name, c.unit, c.lane);
}

void fields(Wire &w, CounterSample &s)
{
    w(s.timeNs, s.value, s.counter);
}

void fields(Wire &w, DeviceCandidate &d)
{
    w(d.id, d.name, d.usable, d.integrated, d.software);
}

void fields(Wire &w, CameraSize &s)
{
    w(s.width, s.height, s.rates);
}

template <class T>
void fields(Wire &w, Reading<T> &r)
{
    w(r.value, r.reason);
}

void fields(Wire &w, L4tRelease &r)
{
    w(r.major, r.minor, r.patch);
}

void fields(Wire &w, BoardIdentity &b)
{
    w(b.model, b.module, b.chip, b.l4t, b.jetpack, b.kernel);
}

void fields(Wire &w, NodeAccess &n)
{
    w(n.pattern, n.purpose, n.state, n.found, n.denied, n.reason, n.command);
}

void fields(Wire &w, GroupMembership &g)
{
    w(g.group, g.isMember, g.reason, g.command);
}

void fields(Wire &w, ProfilingAccess &p)
{
    w(p.state, p.reason, p.command);
}

void fields(Wire &w, LibraryFact &l)
{
    w(l.name, l.purpose, l.state, l.path, l.version, l.reason);
}

void fields(Wire &w, DlaCount &d)
{
    w(d.count, d.reason);
}

void fields(Wire &w, AllocatableMemory &m)
{
    w(m.allocatable, m.hostAllocated, m.deviceAllocated, m.swapFree);
}

void fields(Wire &w, PlatformFacts &p)
{
    w(p.board, p.nodes, p.groups, p.profiling, p.libraries, p.dlas, p.allocatable, p.allocatableReason);
}

void fields(Wire &w, CameraFormat &f)
{
    w(f.name, f.readable, f.sizes);
}

void fields(Wire &w, CameraInfo &c)
{
    w(c.uri, c.path, c.name, c.driver, c.bus, c.usable, c.formats, c.stream);
}

} // namespace jetscope

namespace jetscope::testing {

void fields(Wire &w, PipelineCommand &c)
{
    w(c.kind, c.config, c.address, c.on);
}

void fields(Wire &w, TraceMark &m)
{
    w(m.kind, m.timeNs, m.frame, m.text, m.rule, m.fix, m.memory, m.first, m.second);
}

void fields(Wire &w, PipelineUpdate &u)
{
    w(u.names, u.firstName, u.lanes, u.counters, u.facts, u.spans, u.figures, u.numbers, u.path, u.pathGains, u.samples,
      u.marks, u.spansLost, u.missedSpans, u.notices, u.answers);
}

void fields(Wire &w, PipelineStatus &s)
{
    w(s.wallClockOffsetNs, s.state, s.config, s.facts, s.source, s.sourceState, s.waitInForce, s.gpuTime, s.traceCost,
      s.gpuTimeReason, s.frames, s.droppedBySource, s.droppedByView, s.emulationBytes, s.switches, s.stream,
      s.inputStream, s.liveHandles, s.mappedBytes, s.powerMode, s.inspected);
}

void fields(Wire &w, ProgramWish &p)
{
    w(p.command, p.folder, p.environment, p.frames, p.scheduler);
}

void fields(Wire &w, SessionRequest &r)
{
    w(r.source, r.deviceId, r.config, r.fixed, r.frameLimit, r.asksFirst, r.scene, r.program);
}

void fields(Wire &w, std::vector<DeviceCandidate> &devices)
{
    w(devices);
}

void fields(Wire &w, std::vector<CameraInfo> &cameras)
{
    w(cameras);
}

} // namespace jetscope::testing
