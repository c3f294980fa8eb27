// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/glorder.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxGlContexts = 64;
constexpr std::size_t kMaxGlObjects = 1 << 14;
constexpr std::uint64_t kTexture2d = 0x0DE1;    // GL_TEXTURE_2D
constexpr std::uint64_t kExternal = 0x8D65;     // GL_TEXTURE_EXTERNAL_OES
constexpr std::uint64_t kPackBuffer = 0x88EB;   // GL_PIXEL_PACK_BUFFER
constexpr std::uint64_t kUnpackBuffer = 0x88EC; // GL_PIXEL_UNPACK_BUFFER
constexpr std::uint64_t kMapRead = 1, kMapWrite = 2, kMapUnsynchronized = 0x20;
/// No address of a program is as small, so that a pointer below it is an offset in a buffer.
constexpr std::uint64_t kMinPointer = 0x10000;
/// A window holds up a context that runs ahead of it, so that what was drawn so many swaps ago counts as complete.
constexpr std::uint64_t kSwapsInFlight = 2;

} // namespace

void GlOrder::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame)
{
    if (attachCall(event.call)->tier == 'B')
        return;
    const GlCall call{event, pid, frame, ++m_calls};
    if (event.failed())
        return;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_CONTEXT:
        return makeContext(call);
    case JSA_WORK_CURRENT: // The context that was current before is flushed, which orders nothing.
        m_hasGlx = m_hasGlx || event.call == JSA_CALL_glXMakeCurrent;
        if (const auto before = m_contexts.find({pid, m_model.contextBefore()}); before != m_contexts.end())
            m_sequence.flush(*before->second.queue);
        return;
    default:
        break;
    }
    const auto found = m_contexts.find({pid, m_model.process().contextOf(tid)});
    Context *const context = found == m_contexts.end() ? nullptr : &found->second;
    m_sequence.takeCpuWait(context ? context->queue : nullptr, call);
    if (!context)
        return;
    takeObjects(*context, call);
    takeWork(*context, call);
    m_sequence.take(*context->queue, call);
    for (const GlSequence::EndlessWait &wait : m_sequence.takeEndlessWaits())
        count(Mistake::Flush, {wait.call, wait.pid, wait.frame});
}

void GlOrder::interrupt()
{
    m_written.clear();
    m_reads.clear();
    m_sequence.interrupt();
    for (auto &[id, context] : m_contexts)
        context.bindings.forgetBound();
}

// --- contexts and objects

void GlOrder::makeContext(const GlCall &call)
{
    const auto &argument = call.event.argument;
    const ContextId id{call.pid, argument[0]};
    if (m_contexts.size() >= kMaxGlContexts && !m_contexts.contains(id)) {
        m_tooMany = m_lostContexts = true;
        return;
    }
    const auto shared = m_contexts.find({call.pid, argument[1]});
    Context context;
    context.queue = &m_sequence.make(call);
    context.group = argument[1] != 0 && shared != m_contexts.end() ? shared->second.group : ++m_groups;
    m_hasShared = m_hasShared || argument[1] != 0;
    m_contexts[id] = std::move(context);
}

void GlOrder::takeObjects(Context &context, const GlCall &call)
{
    context.bindings.take(call.event, call.number);
    const jsa_work work = attachCall(call.event.call)->work;
    if (work == JSA_WORK_TEXTURESEND || work == JSA_WORK_NAMESEND)
        return forget(context.group, deletedBy(call.event));
    if (call.event.call != JSA_CALL_glEGLImageTargetTexture2DOES)
        return;
    m_hasImages = true; // Its pixels are others from now on.
    for (const std::uint64_t target : {kTexture2d, kExternal})
        if (const auto texture = context.bindings.texture(target))
            forget({context.group, *texture});
}

void GlOrder::forget(const Key &key)
{
    m_written.erase(key);
    m_reads.erase(key);
}

/// Their names may mean other objects from now on.
void GlOrder::forget(std::uint64_t group, const GlDeleted &deleted)
{
    if (!deleted.kind)
        return;
    for (const std::uint64_t name : deleted.names)
        forget({group, glObjectOf(*deleted.kind, name)});
    if (!deleted.areMore)
        return;
    const auto isOfKind = [&](const auto &entry) {
        return entry.first.first == group && glKindOf(entry.first.second) == *deleted.kind;
    };
    std::erase_if(m_written, isOfKind);
    std::erase_if(m_reads, isOfKind);
}

// --- accesses

void GlOrder::takeWork(Context &context, const GlCall &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_DRAWN:
        return draw(context, call);
    case JSA_WORK_READBACK:
        return readPixels(context, call);
    case JSA_WORK_STORAGE:
    case JSA_WORK_UPLOAD:
        return upload(context, call);
    case JSA_WORK_BUFFERDATA:
        if (const auto bound = context.bindings.buffer(call.event.argument[3]))
            write(context, *bound, call, call.event.call == JSA_CALL_glBufferData);
        return;
    case JSA_WORK_MAPBUFFER:
        return mapBuffer(context, call);
    case JSA_WORK_SWAP:
        ++context.swaps;
        return;
    default:
        if (call.event.call == JSA_CALL_glUnmapBuffer)
            unmapBuffer(context, call);
        return;
    }
}

void GlOrder::draw(Context &context, const GlCall &call)
{
    const std::uint64_t function = call.event.argument[0];
    if (function == JSA_CALL_glBlitFramebuffer)
        readFramebuffer(context, call);
    if (function != JSA_CALL_glBlitFramebuffer && function != JSA_CALL_glClear)
        for (auto &[unit, bound] : context.bindings.textures()) {
            // What was bound earlier may be left over, but in the first unit it most likely is in use.
            if (bound.isNew || unit.first == 0)
                read(context, bound.texture, Mistake::PossibleOrder, call);
            if (bound.isNew)
                noteRead(context, bound.texture);
            bound.isNew = false;
        }
    if (function != JSA_CALL_glDispatchCompute)
        writeFramebuffer(context, call);
}

void GlOrder::upload(Context &context, const GlCall &call)
{
    const bool replaces = attachCall(call.event.call)->work == JSA_WORK_STORAGE;
    const auto from = context.bindings.buffer(kUnpackBuffer);
    if (from && call.event.call != JSA_CALL_glTexStorage2D && call.event.argument[2] < kMinPointer) {
        read(context, *from, Mistake::Order, call);
        noteRead(context, *from);
    }
    if (const auto bound = context.bindings.texture(kTexture2d))
        write(context, *bound, call, replaces);
}

/// Into memory of the program it waits, into a buffer it does not.
void GlOrder::readPixels(Context &context, const GlCall &call)
{
    readFramebuffer(context, call);
    const GlObject into = context.bindings.buffer(kPackBuffer).value_or(0);
    if (into != 0 && call.event.argument[2] < kMinPointer)
        write(context, into, call);
    else
        m_sequence.finish(*context.queue, call);
}

void GlOrder::mapBuffer(Context &context, const GlCall &call)
{
    const std::uint64_t access = call.event.argument[2];
    const std::uint64_t target = call.event.argument[3];
    if (const auto bound = context.bindings.buffer(target)) {
        if ((access & kMapRead) != 0)
            read(context, *bound, Mistake::Order, call);
        context.bindings.map(target, (access & kMapWrite) != 0);
    }
    if ((access & kMapUnsynchronized) == 0)
        m_sequence.finish(*context.queue, call);
}

void GlOrder::unmapBuffer(Context &context, const GlCall &call)
{
    const std::uint64_t target = call.event.argument[0];
    const auto bound = context.bindings.buffer(target);
    // Mapping it has waited for those that read it, or the program has said that it takes care of that.
    if (context.bindings.unmap(target) && bound)
        write(context, *bound, call, true);
}

void GlOrder::readFramebuffer(Context &context, const GlCall &call)
{
    const GlBindings::Attachments *const from = context.bindings.readFrom();
    if (!from)
        return;
    for (const auto &[attachment, object] : *from) {
        read(context, object, Mistake::Order, call);
        noteRead(context, object);
    }
}

void GlOrder::writeFramebuffer(Context &context, const GlCall &call)
{
    const GlBindings::Attachments *const to = context.bindings.drawnInto();
    if (!to)
        return;
    for (const auto &[attachment, object] : *to)
        write(context, object, call);
}

void GlOrder::write(Context &context, GlObject object, const GlCall &call, bool replaces)
{
    const Key key{context.group, object};
    if (object == 0)
        return;
    if (!replaces)
        overwrite(context, key, call);
    m_reads.erase(key);
    if (m_written.size() >= kMaxGlObjects && !m_written.contains(key)) {
        m_tooMany = true;
        return;
    }
    m_written[key] = {context.queue->id, ++context.queue->commands, call.number};
}

void GlOrder::overwrite(const Context &context, const Key &key, const GlCall &call)
{
    const auto readers = m_reads.find(key);
    if (readers == m_reads.end())
        return;
    for (const auto &[reader, access] : readers->second) {
        const auto other = m_contexts.find(reader);
        if (reader == context.queue->id || other == m_contexts.end() || context.queue->hasSeen(reader, access.command)
            || other->second.swaps - access.swaps >= kSwapsInFlight)
            continue;
        return count(Mistake::Overwrite, call);
    }
}

void GlOrder::noteRead(Context &context, GlObject object)
{
    const Key key{context.group, object};
    if (object == 0)
        return;
    if (m_reads.size() >= kMaxGlObjects && !m_reads.contains(key))
        m_tooMany = true;
    else
        m_reads[key][context.queue->id] = {++context.queue->commands, context.swaps};
}

void GlOrder::read(const Context &context, GlObject object, Mistake mistake, const GlCall &call)
{
    const auto written = m_written.find({context.group, object});
    if (object == 0 || written == m_written.end() || written->second.context == context.queue->id)
        return;
    const Written &by = written->second;
    if (!context.queue->hasSeen(by.context, by.command))
        return count(mistake, call);
    const auto boundAt = context.bindings.boundAt(object);
    if (boundAt && *boundAt < std::max(by.at, context.queue->learnedAt(by.context, by.command)))
        count(Mistake::Binding, call);
}

void GlOrder::count(Mistake mistake, const GlCall &call)
{
    if (!m_lostContexts)
        m_found[mistake].add(call.event, call.pid, call.frame, m_newSites);
}

// --- what was found

std::vector<WasteFinding> GlOrder::findings(std::uint32_t frames, const UnseenCalls &unseen) const
{
    std::vector<WasteFinding> found;
    const auto add = [&](const FindingTally &tally, const char *what, FindingGrade grade, const char *text,
                         const char *fix) {
        found.push_back(findingOf(tally, what, grade, text, fix, frames, unseen));
    };
    for (const auto &[mistake, tally] : m_found) {
        if (mistake == Mistake::PossibleOrder && m_found.contains(Mistake::Order))
            continue; // The same, said with more certainty.
        if (mistake != Mistake::Order && frames > 0 && !tally.isFrequent(frames))
            continue;
        if (mistake == Mistake::Binding)
            add(tally, "hazard-gl-binding", FindingGrade::Possible,
                "Another context of GL has changed a texture or buffer, and it is used without being bound or attached "
                "again: its old content may be shown",
                "bind it again behind the wait");
        else if (mistake == Mistake::Flush)
            add(tally, "hazard-gl-flush", FindingGrade::Seen,
                "The context of GL that made a fence has not flushed it, and another one waits for it: the wait may "
                "last for ever, or do nothing",
                "call glFlush behind glFenceSync in the context that makes the fence");
        else if (mistake == Mistake::Overwrite)
            add(tally, "hazard-gl-overwrite", FindingGrade::Possible,
                "A texture or buffer is overwritten in one context of GL while another one may still read it: nothing "
                "orders the two",
                "call glFenceSync and glFlush behind the reading, and glWaitSync with that fence before it is "
                "overwritten, or take more textures by turns");
        else
            add(tally, "hazard-gl-order", mistake == Mistake::Order ? FindingGrade::Seen : FindingGrade::Possible,
                "A texture or buffer that one context of GL has drawn or uploaded is used in another one, and nothing "
                "orders the two: the picture may be an old one or half of a new one",
                "call glFenceSync and glFlush behind the drawing, and glWaitSync with that fence before the use, or "
                "glFinish behind the drawing");
    }
    return found;
}

std::vector<WasteCheck> GlOrder::checks(const UnseenCalls &unseen) const
{
    std::string reason;
    if (!m_hasShared)
        reason = m_hasGlx ? "which contexts of GLX share objects is not seen"
                          : "eglCreateContext made no context that shares objects with another one";
    else if (m_tooMany)
        reason = "there were too many contexts or objects to follow";
    else if (unseen.any())
        reason = unseen.text() + ", so that it cannot be told";
    std::vector<WasteCheck> all;
    for (const char *const what : {"hazard-gl-order", "hazard-gl-binding", "hazard-gl-flush", "hazard-gl-overwrite"})
        all.push_back({what, reason});
    all.push_back({"hazard-gl-shaders",
                   m_hasShared ? "what shaders write to images and buffers, and which buffers they read, is not in the "
                                 "calls"
                               : reason});
    if (m_hasImages)
        all.push_back({"hazard-gl-images", "who else writes or reads the pixels of an EGLImage is not followed"});
    return all;
}

} // namespace jetscope
