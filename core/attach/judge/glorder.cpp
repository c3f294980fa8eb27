// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/glorder.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxGlContexts = 64;
constexpr std::size_t kMaxGlObjects = 1 << 14;
constexpr std::uint64_t kFramebuffer = 0x8D40;     // GL_FRAMEBUFFER
constexpr std::uint64_t kReadFramebuffer = 0x8CA8; // GL_READ_FRAMEBUFFER
constexpr std::uint64_t kTexture0 = 0x84C0;        // GL_TEXTURE0
constexpr std::uint64_t kTexture2d = 0x0DE1;       // GL_TEXTURE_2D
constexpr std::uint64_t kFlushBit = 1;             // GL_SYNC_FLUSH_COMMANDS_BIT, also of EGL
constexpr std::uint64_t kExpiredEgl = 0x30F5;      // EGL_TIMEOUT_EXPIRED
constexpr std::uint64_t kExpired = 0x911B;         // GL_TIMEOUT_EXPIRED
constexpr std::uint64_t kFailed = 0x911D;          // GL_WAIT_FAILED

void joinClock(std::map<std::pair<std::int32_t, std::uint64_t>, std::uint64_t> &into,
               const std::map<std::pair<std::int32_t, std::uint64_t>, std::uint64_t> &other)
{
    for (const auto &[id, commands] : other) {
        std::uint64_t &known = into[id];
        known = std::max(known, commands);
    }
}

} // namespace

void GlOrder::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame)
{
    if (attachCall(event.call)->tier == 'B')
        return;
    ++m_events;
    const Call call{event, pid, frame};
    if (event.failed())
        return;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_CONTEXT:
        return makeContext(call);
    case JSA_WORK_CURRENT: // The context that was current before is flushed, which orders nothing.
        if (const auto before = m_contexts.find({pid, m_model.contextBefore()}); before != m_contexts.end())
            flush(before->second, pid);
        return;
    default:
        break;
    }
    const auto context = m_contexts.find({pid, m_model.process().contextOf(tid)});
    takeCpuWait(context == m_contexts.end() ? nullptr : &context->second, call);
    if (context == m_contexts.end())
        return;
    takeState(context->second, call);
    takeWork(context->first, context->second, call);
    takeSync(context->first, context->second, call);
}

void GlOrder::interrupt()
{
    m_written.clear();
    m_fences.clear();
    for (auto &[id, context] : m_contexts) {
        context.unflushed.clear();
        context.units.clear();
        context.framebuffers.clear();
    }
}

// --- contexts

void GlOrder::makeContext(const Call &call)
{
    const auto &argument = call.event.argument;
    if (m_contexts.size() >= kMaxGlContexts) {
        m_tooMany = true;
        return;
    }
    const auto shared = m_contexts.find({call.pid, argument[1]});
    Context context;
    context.group = argument[1] != 0 && shared != m_contexts.end() ? shared->second.group : ++m_groups;
    m_hasShared = m_hasShared || argument[1] != 0;
    m_contexts[{call.pid, argument[0]}] = std::move(context);
}

void GlOrder::takeState(Context &context, const Call &call)
{
    const auto &argument = call.event.argument;
    const auto name = static_cast<std::uint32_t>(argument[1]);
    const bool isRead = argument[0] == kReadFramebuffer;
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_ACTIVETEXTURE:
        context.unit = static_cast<std::uint32_t>(argument[0] - kTexture0);
        break;
    case JSA_WORK_BINDTEXTURE:
        if (context.units.size() < kMaxGlObjects)
            context.units[{context.unit, static_cast<std::uint32_t>(argument[0])}] = {name, m_events, true};
        break;
    case JSA_WORK_BINDFRAMEBUFFER:
        if (isRead || argument[0] == kFramebuffer)
            context.readFrom = name;
        if (!isRead)
            context.drawTo = name;
        if (context.framebuffers.size() < kMaxGlObjects)
            context.framebuffers[name].at = m_events;
        break;
    case JSA_WORK_ATTACHTEXTURE: {
        Framebuffer &framebuffer = context.framebuffers[isRead ? context.readFrom : context.drawTo];
        if (framebuffer.attachments.size() < 64)
            framebuffer.attachments[name] = {static_cast<std::uint32_t>(argument[2]), m_events, true};
        break;
    }
    default:
        break;
    }
}

// --- accesses

void GlOrder::takeWork(const ContextId &id, Context &context, const Call &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_DRAWN:
        return draw(id, context, call);
    case JSA_WORK_READBACK:
        return readFramebuffer(id, context, call);
    case JSA_WORK_STORAGE:
    case JSA_WORK_UPLOAD: {
        const auto bound = context.units.find({context.unit, static_cast<std::uint32_t>(kTexture2d)});
        if (bound != context.units.end())
            write(id, context, bound->second.texture);
        return;
    }
    default:
        return;
    }
}

void GlOrder::draw(const ContextId &id, Context &context, const Call &call)
{
    if (call.event.argument[0] == JSA_CALL_glBlitFramebuffer) {
        readFramebuffer(id, context, call);
        return writeFramebuffer(id, context);
    }
    for (auto &[unit, bound] : context.units) {
        // What was bound earlier may be left over, but in the first unit it most likely is in use.
        if (bound.isNew || unit.first == 0)
            read(id, context, bound, Mistake::PossibleOrder, call);
        bound.isNew = false;
    }
    writeFramebuffer(id, context);
}

void GlOrder::readFramebuffer(const ContextId &id, Context &context, const Call &call)
{
    const auto from = context.framebuffers.find(context.readFrom);
    if (context.readFrom == 0 || from == context.framebuffers.end())
        return;
    for (const auto &[attachment, bound] : from->second.attachments)
        read(id, context, {bound.texture, std::max(bound.at, from->second.at), false}, Mistake::Order, call);
}

void GlOrder::writeFramebuffer(const ContextId &id, Context &context)
{
    const auto to = context.framebuffers.find(context.drawTo);
    if (context.drawTo == 0 || to == context.framebuffers.end())
        return;
    for (const auto &[attachment, bound] : to->second.attachments)
        write(id, context, bound.texture);
}

void GlOrder::write(const ContextId &id, Context &context, std::uint32_t texture)
{
    const std::pair key{context.group, texture};
    if (texture == 0)
        return;
    if (m_written.size() >= kMaxGlObjects && !m_written.contains(key)) {
        m_tooMany = true;
        return;
    }
    m_written[key] = {id, ++context.commands, m_events};
}

void GlOrder::read(const ContextId &id, Context &context, const Bound &bound, Mistake mistake, const Call &call)
{
    const auto written = m_written.find({context.group, bound.texture});
    if (bound.texture == 0 || written == m_written.end() || written->second.context == id)
        return;
    const Written &by = written->second;
    if (const auto seen = context.seen.find(by.context); seen == context.seen.end() || seen->second < by.command)
        return count(mistake, call);
    if (bound.at < by.at)
        count(Mistake::Binding, call);
}

// --- order

void GlOrder::takeSync(const ContextId &id, Context &context, const Call &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_FENCE:
        return makeFence(id, context, call);
    case JSA_WORK_FLUSH:
    case JSA_WORK_SWAP:
        return flush(context, call.pid);
    case JSA_WORK_FINISH:
    case JSA_WORK_READBACK:
    case JSA_WORK_MAPBUFFER:
        return finish(id, context);
    case JSA_WORK_SERVERWAIT:
        return waitFor(context, call);
    default:
        if (call.event.call == JSA_CALL_eglDupNativeFenceFDANDROID) // The CPU or a device waits for the descriptor.
            for (auto &[other, each] : m_contexts)
                finish(other, each);
        return;
    }
}

/// Of fences of EGL threads without a context, too.
void GlOrder::takeCpuWait(Context *context, const Call &call)
{
    const auto &argument = call.event.argument;
    const jsa_work work = attachCall(call.event.call)->work;
    if (work == JSA_WORK_FENCEEND)
        m_fences.erase({call.pid, argument[0]});
    if (work == JSA_WORK_GLWAIT && context && (argument[3] & kFlushBit) != 0)
        flush(*context, call.pid);
    const bool hasExpired = argument[2] == kExpired || argument[2] == kExpiredEgl || argument[2] == kFailed;
    // The answer to a question is not recorded; it counts as "signaled".
    if (work != JSA_WORK_GLQUERY && (work != JSA_WORK_GLWAIT || hasExpired))
        return;
    const auto fence = m_fences.find({call.pid, argument[0]});
    if (fence == m_fences.end())
        return;
    fence->second.isFlushed = true;
    fence->second.awaited.reset();
    cpuKnows(fence->second.behind, call.pid);
}

/// A fence of before that a context waits for and that nothing has flushed may never be signaled.
void GlOrder::makeFence(const ContextId &id, Context &context, const Call &call)
{
    for (const std::uint64_t handle : std::exchange(context.unflushed, {})) {
        const auto fence = m_fences.find({call.pid, handle});
        if (fence != m_fences.end() && !fence->second.isFlushed && fence->second.awaited)
            count(Mistake::Flush, {*std::exchange(fence->second.awaited, {}), call.pid, fence->second.frame});
    }
    if (m_fences.size() >= kMaxGlObjects) {
        m_tooMany = true;
        return;
    }
    Fence fence{id, context.seen, false, {}, call.pid, call.frame};
    fence.behind[id] = ++context.commands;
    m_fences[{call.pid, call.event.argument[0]}] = std::move(fence);
    context.unflushed.push_back(call.event.argument[0]);
}

void GlOrder::flush(Context &context, std::int32_t pid)
{
    for (const std::uint64_t handle : std::exchange(context.unflushed, {}))
        if (const auto fence = m_fences.find({pid, handle}); fence != m_fences.end())
            fence->second.isFlushed = true;
}

/// How threads hand on what they know is not seen, so that all know it.
void GlOrder::cpuKnows(const Clock &clock, std::int32_t pid)
{
    for (auto &[id, context] : m_contexts)
        if (id.first == pid)
            joinClock(context.seen, clock);
}

void GlOrder::finish(const ContextId &id, Context &context)
{
    flush(context, id.first);
    Clock all = context.seen;
    all[id] = context.commands;
    cpuKnows(all, id.first);
}

void GlOrder::waitFor(Context &context, const Call &call)
{
    const auto fence = m_fences.find({call.pid, call.event.argument[0]});
    if (fence == m_fences.end())
        return;
    joinClock(context.seen, fence->second.behind);
    if (fence->second.isFlushed)
        return;
    fence->second.awaited = call.event;
    fence->second.frame = call.frame;
}

// --- what was found

void GlOrder::count(Mistake mistake, const Call &call)
{
    m_found[mistake].add(call.event, call.pid, call.frame, m_newSites);
}

std::vector<WasteFinding> GlOrder::findings(std::uint32_t frames, const UnseenCalls &unseen) const
{
    std::vector<WasteFinding> found;
    for (const auto &[mistake, tally] : m_found) {
        if (mistake == Mistake::PossibleOrder && m_found.contains(Mistake::Order))
            continue; // The same, said with more certainty.
        if (mistake != Mistake::Order && frames > 0 && !tally.isFrequent(frames))
            continue;
        if (mistake == Mistake::Binding)
            found.push_back(findingOf(
                tally, "hazard-gl-binding", FindingGrade::Possible,
                "A texture that another context of GL has changed is used without being bound or attached again, so "
                "that its old content may be shown",
                "bind it again behind the wait", frames, unseen));
        else if (mistake == Mistake::Flush)
            found.push_back(findingOf(
                tally, "hazard-gl-flush", FindingGrade::Seen,
                "A context of GL waits for a fence that the context which made it has not flushed, so that the fence "
                "may never be signaled, or the wait may do nothing",
                "call glFlush behind glFenceSync in the context that makes the fence", frames, unseen));
        else
            found.push_back(findingOf(
                tally, "hazard-gl-order", mistake == Mistake::Order ? FindingGrade::Seen : FindingGrade::Possible,
                "A texture that one context of GL has drawn or uploaded is used in another one, and nothing orders "
                "the two: the picture may be an old one or half of a new one",
                "call glFenceSync and glFlush behind the drawing, and glWaitSync with that fence before the use, or "
                "glFinish behind the drawing",
                frames, unseen));
    }
    return found;
}

std::vector<WasteCheck> GlOrder::checks(const UnseenCalls &unseen) const
{
    std::string reason;
    if (!m_hasShared)
        reason = "eglCreateContext made no context that shares objects with another one";
    else if (m_tooMany)
        reason = "there were too many contexts, textures or fences to follow";
    else if (unseen.any())
        reason = unseen.text() + ", so that it cannot be told";
    return {{"hazard-gl-order", reason}, {"hazard-gl-binding", reason}, {"hazard-gl-flush", reason}};
}

} // namespace jetscope
