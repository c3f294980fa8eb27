// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/gpufields.h"

namespace jetscope {

namespace {

/// Where it is drawn its size is relied on.
bool isAnswer(const CpuAnswer &a)
{
    const auto isSide = [](int side) { return side >= 0 && side <= kMaxImageSide; };
    return isSide(a.width) && isSide(a.height)
        && (a.edges.empty()
            || a.edges.size() == static_cast<std::size_t>(a.width) * static_cast<std::size_t>(a.height));
}

} // namespace

void fields(Wire &w, SourceInfo &s)
{
    w.members(s, s.uri, s.description, s.layout, s.fps, s.live, s.throughStream, s.pacedFps);
}

void fields(Wire &w, SourceFaults &f)
{
    w.members(f, f.missed, f.damaged, f.torn, f.repeated, f.oddStamps, f.gaps);
}

void fields(Wire &w, StreamColor &c)
{
    w.members(c, c.matrix, c.range, c.transfer, c.assumed);
}

void fields(Wire &w, StreamFacts &f)
{
    w.members(f, f.container, f.codec, f.width, f.height, f.claimedFps, f.measuredFps, f.isRatedByArrival,
              f.isRateAssumed, f.color, f.rotation, f.mirrored, f.sampleAspect, f.fieldOrder, f.decoder, f.decoderKind,
              f.stamps, f.decoderReason);
}

void fields(Wire &w, SourceState &s)
{
    w.members(s, s.copies, s.externalCopies, s.trouble, s.remark, s.faults, s.facts);
}

void fields(Wire &w, StreamCounts &c)
{
    w.members(c, c.returned, c.timeouts, c.repeats);
}

void fields(Wire &w, PipelineCounts &c)
{
    w.members(c, c.dropped, c.emulationBytes, c.faults, c.frames, c.droppedByView, c.switches, c.lost);
}

void fields(Wire &w, PipelineNotice &n)
{
    w.members(n, n.kind, n.frame, n.timeNs, n.text, n.rule, n.fix, n.level, n.memory, n.first, n.second, n.ofSource,
              n.deviceLost, n.counts, n.lost);
}

void fields(Wire &w, Point &p)
{
    w.members(p, p.x, p.y);
}

void fields(Wire &w, CpuAnswer &a)
{
    w.members(a, a.frame, a.work, a.width, a.height, a.edges, a.contours, a.histogram, a.keypoints);
    if (!isAnswer(a))
        w.fail();
}

void fields(Wire &w, PipelineUpdate &u)
{
    w.members(u, static_cast<TraceUpdate &>(u), u.notices, u.answers);
}

void fields(Wire &w, PipelineStatus &s)
{
    w.members(s, s.wallClockOffsetNs, s.state, s.config, s.facts, s.source, s.sourceState, s.waitInForce, s.gpuTime,
              s.gpuTimeUnseenNs, s.traceCost, s.gpuTimeReason, s.frames, s.droppedBySource, s.droppedByView,
              s.emulationBytes, s.switches, s.stream, s.inputStream, s.liveHandles, s.mappedBytes, s.powerMode, s.lost,
              s.inspected);
}

void fields(Wire &w, PipelineCommand &c)
{
    w.members(c, c.kind, c.config, c.address, c.on);
}

void fields(Wire &w, ProgramWish &p)
{
    w.members(p, p.command, p.folder, p.environment, p.frames, p.scheduler);
}

void fields(Wire &w, SessionRequest &r)
{
    w.members(r, r.source, r.deviceId, r.config, r.fixed, r.frameLimit, r.asksFirst, r.scene, r.program);
}

void fields(Wire &w, DeviceCandidate &d)
{
    w.members(d, d.id, d.name, d.usable, d.integrated, d.software);
}

void fields(Wire &w, CameraSize &s)
{
    w.members(s, s.width, s.height, s.rates);
}

void fields(Wire &w, CameraFormat &f)
{
    w.members(f, f.name, f.readable, f.sizes);
}

void fields(Wire &w, CameraInfo &c)
{
    w.members(c, c.uri, c.path, c.name, c.driver, c.bus, c.usable, c.formats, c.stream);
}

} // namespace jetscope
