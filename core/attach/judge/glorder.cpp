// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/glorder.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxGlContexts = 64;
constexpr std::size_t kMaxGlObjects = 1 << 14;
constexpr std::size_t kMaxAttachments = 64;
constexpr std::size_t kMaxTargets = 64;
constexpr std::uint64_t kFramebuffer = 0x8D40;     // GL_FRAMEBUFFER
constexpr std::uint64_t kReadFramebuffer = 0x8CA8; // GL_READ_FRAMEBUFFER
constexpr std::uint64_t kTexture0 = 0x84C0;        // GL_TEXTURE0
constexpr std::uint64_t kTexture2d = 0x0DE1;       // GL_TEXTURE_2D
constexpr std::uint64_t kExternal = 0x8D65;        // GL_TEXTURE_EXTERNAL_OES
constexpr std::uint64_t kElements = 0x8893;        // GL_ELEMENT_ARRAY_BUFFER, which belongs to vertex arrays.
constexpr std::uint64_t kPackBuffer = 0x88EB;      // GL_PIXEL_PACK_BUFFER
constexpr std::uint64_t kUnpackBuffer = 0x88EC;    // GL_PIXEL_UNPACK_BUFFER
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
    ++m_events;
    const Call call{event, pid, frame};
    if (event.failed())
        return;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_CONTEXT:
        return makeContext(call);
    case JSA_WORK_CURRENT: // The context that was current before is flushed, which orders nothing.
        m_hasGlx = m_hasGlx || event.call == JSA_CALL_glXMakeCurrent;
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
    m_reads.clear();
    m_hasForgotFences = m_hasForgotFences || !m_fences.empty();
    m_fences.clear();
    for (auto &[id, context] : m_contexts) {
        context.unflushed.clear();
        context.units.clear();
        context.framebuffers.clear();
        context.attached.clear();
        context.buffers.clear();
        context.mapped.clear();
    }
}

// --- contexts

void GlOrder::makeContext(const Call &call)
{
    const auto &argument = call.event.argument;
    const ContextId id{call.pid, argument[0]};
    if (m_contexts.size() >= kMaxGlContexts && !m_contexts.contains(id)) {
        m_tooMany = m_lostContexts = true;
        return;
    }
    const auto shared = m_contexts.find({call.pid, argument[1]});
    Context context;
    context.group = argument[1] != 0 && shared != m_contexts.end() ? shared->second.group : ++m_groups;
    learn(context, m_known[call.pid]);
    // Of a context that had this handle before, nothing is in flight that could be told apart.
    if (const auto before = m_contexts.find(id); before != m_contexts.end())
        context.commands = before->second.commands;
    m_hasShared = m_hasShared || argument[1] != 0;
    m_contexts[id] = std::move(context);
}

void GlOrder::takeState(Context &context, const Call &call)
{
    const auto &argument = call.event.argument;
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_ACTIVETEXTURE:
        context.unit = static_cast<std::uint32_t>(argument[0] - kTexture0);
        return;
    case JSA_WORK_BINDTEXTURE: {
        const Object texture = objectOf(Kind::Texture, argument[1]);
        if (context.units.size() < kMaxGlObjects)
            context.units[{context.unit, static_cast<std::uint32_t>(argument[0])}] = {texture, true};
        return attach(context, texture);
    }
    case JSA_WORK_BINDBUFFER: {
        const Object buffer = objectOf(Kind::Buffer, argument[1]);
        if (argument[0] != kElements && context.buffers.size() < kMaxTargets)
            context.buffers[argument[0]] = buffer;
        return attach(context, buffer);
    }
    case JSA_WORK_BINDFRAMEBUFFER:
        return bindFramebuffer(context, call);
    case JSA_WORK_ATTACHTEXTURE:
        return attachToFramebuffer(context, call, Kind::Texture);
    case JSA_WORK_ATTACHBUFFER:
        return attachToFramebuffer(context, call, Kind::Renderbuffer);
    case JSA_WORK_TEXTURESEND:
    case JSA_WORK_NAMESEND:
        return endNames(context, call);
    default:
        break;
    }
    if (call.event.call != JSA_CALL_glEGLImageTargetTexture2DOES)
        return;
    m_hasImages = true; // Its pixels are others from now on.
    for (const std::uint64_t target : {kTexture2d, kExternal})
        if (const auto bound = context.units.find({context.unit, static_cast<std::uint32_t>(target)});
            bound != context.units.end()) {
            m_written.erase({context.group, bound->second.texture});
            m_reads.erase({context.group, bound->second.texture});
        }
}

void GlOrder::attach(Context &context, Object object)
{
    if (context.attached.size() >= kMaxGlObjects) // Of what is not known, nothing is said.
        context.attached.clear();
    if (object != 0)
        context.attached[object] = m_events;
}

/// That binds what is attached to it, too.
void GlOrder::bindFramebuffer(Context &context, const Call &call)
{
    const auto &argument = call.event.argument;
    const auto name = static_cast<std::uint32_t>(argument[1]);
    if (argument[0] == kReadFramebuffer || argument[0] == kFramebuffer)
        context.readFrom = name;
    if (argument[0] != kReadFramebuffer)
        context.drawTo = name;
    if (const auto known = context.framebuffers.find(name); known != context.framebuffers.end())
        for (const auto &[attachment, object] : known->second)
            attach(context, object);
}

void GlOrder::attachToFramebuffer(Context &context, const Call &call, Kind kind)
{
    const auto &argument = call.event.argument;
    const std::uint32_t name = argument[0] == kReadFramebuffer ? context.readFrom : context.drawTo;
    const Object object = objectOf(kind, argument[2]);
    if (name == 0 || (context.framebuffers.size() >= kMaxGlObjects && !context.framebuffers.contains(name)))
        return;
    auto &attachments = context.framebuffers[name];
    if (attachments.size() < kMaxAttachments)
        attachments[static_cast<std::uint32_t>(argument[1])] = object;
    attach(context, object);
}

/// Their names may mean other objects from now on. The context in which they end has them nowhere bound any more.
void GlOrder::endNames(Context &context, const Call &call)
{
    constexpr std::uint64_t kNamesSeen = 3;
    const auto &argument = call.event.argument;
    const Kind kind = call.event.call == JSA_CALL_glDeleteBuffers ? Kind::Buffer
        : call.event.call == JSA_CALL_glDeleteRenderbuffers       ? Kind::Renderbuffer
                                                                  : Kind::Texture;
    const bool ofFramebuffers = call.event.call == JSA_CALL_glDeleteFramebuffers;
    for (std::size_t i = 1; i <= kNamesSeen; ++i) {
        if (!ofFramebuffers) {
            forget(context, objectOf(kind, argument[i]));
            continue;
        }
        const auto name = static_cast<std::uint32_t>(argument[i]);
        context.framebuffers.erase(name);
        context.drawTo = context.drawTo == name ? 0 : context.drawTo;
        context.readFrom = context.readFrom == name ? 0 : context.readFrom;
    }
    if (argument[0] <= kNamesSeen)
        return;
    if (ofFramebuffers) { // Which ones is not known.
        context.framebuffers.clear();
        return;
    }
    const auto isOfKind = [&](const Key &key) {
        return key.first == context.group && key.second >> 32 == static_cast<std::uint64_t>(kind);
    };
    std::erase_if(m_written, [&](const auto &entry) { return isOfKind(entry.first); });
    std::erase_if(m_reads, [&](const auto &entry) { return isOfKind(entry.first); });
}

void GlOrder::forget(Context &context, Object object)
{
    if (object == 0)
        return;
    m_written.erase({context.group, object});
    m_reads.erase({context.group, object});
    context.attached.erase(object);
    std::erase_if(context.units, [&](const auto &unit) { return unit.second.texture == object; });
    std::erase_if(context.buffers, [&](const auto &buffer) { return buffer.second == object; });
    for (auto &[name, attachments] : context.framebuffers)
        std::erase_if(attachments, [&](const auto &attachment) { return attachment.second == object; });
}

// --- accesses

void GlOrder::takeWork(const ContextId &id, Context &context, const Call &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_DRAWN:
        return draw(id, context, call);
    case JSA_WORK_READBACK:
        return readPixels(id, context, call);
    case JSA_WORK_STORAGE:
    case JSA_WORK_UPLOAD:
        return upload(id, context, call);
    case JSA_WORK_BUFFERDATA:
        if (const auto bound = context.buffers.find(call.event.argument[3]); bound != context.buffers.end())
            write(id, context, bound->second, call, call.event.call == JSA_CALL_glBufferData);
        return;
    case JSA_WORK_MAPBUFFER:
        return mapBuffer(id, context, call);
    case JSA_WORK_SWAP:
        ++context.swaps;
        return;
    default:
        if (call.event.call == JSA_CALL_glUnmapBuffer)
            unmapBuffer(id, context, call);
        return;
    }
}

void GlOrder::draw(const ContextId &id, Context &context, const Call &call)
{
    const std::uint64_t function = call.event.argument[0];
    if (function == JSA_CALL_glBlitFramebuffer)
        readFramebuffer(id, context, call);
    if (function != JSA_CALL_glBlitFramebuffer && function != JSA_CALL_glClear)
        for (auto &[unit, bound] : context.units) {
            // What was bound earlier may be left over, but in the first unit it most likely is in use.
            if (bound.isNew || unit.first == 0)
                read(id, context, bound.texture, Mistake::PossibleOrder, call);
            if (bound.isNew)
                noteRead(id, context, bound.texture);
            bound.isNew = false;
        }
    if (function != JSA_CALL_glDispatchCompute)
        writeFramebuffer(id, context, call);
}

void GlOrder::upload(const ContextId &id, Context &context, const Call &call)
{
    const bool replaces = attachCall(call.event.call)->work == JSA_WORK_STORAGE;
    if (const auto from = context.buffers.find(kUnpackBuffer); from != context.buffers.end()
        && call.event.call != JSA_CALL_glTexStorage2D && call.event.argument[2] < kMinPointer) {
        read(id, context, from->second, Mistake::Order, call);
        noteRead(id, context, from->second);
    }
    const auto bound = context.units.find({context.unit, static_cast<std::uint32_t>(kTexture2d)});
    if (bound != context.units.end())
        write(id, context, bound->second.texture, call, replaces);
}

/// Into memory of the program it waits, into a buffer it does not.
void GlOrder::readPixels(const ContextId &id, Context &context, const Call &call)
{
    readFramebuffer(id, context, call);
    const auto into = context.buffers.find(kPackBuffer);
    if (into != context.buffers.end() && into->second != 0 && call.event.argument[2] < kMinPointer)
        write(id, context, into->second, call);
    else
        finish(id, context);
}

void GlOrder::mapBuffer(const ContextId &id, Context &context, const Call &call)
{
    const std::uint64_t access = call.event.argument[2];
    const std::uint64_t target = call.event.argument[3];
    if (const auto bound = context.buffers.find(target); bound != context.buffers.end()) {
        if ((access & kMapRead) != 0)
            read(id, context, bound->second, Mistake::Order, call);
        if (context.mapped.size() < kMaxTargets)
            context.mapped[target] = (access & kMapWrite) != 0;
    }
    if ((access & kMapUnsynchronized) == 0)
        finish(id, context);
}

void GlOrder::unmapBuffer(const ContextId &id, Context &context, const Call &call)
{
    const auto mapped = context.mapped.find(call.event.argument[0]);
    const auto bound = context.buffers.find(call.event.argument[0]);
    // Mapping it has waited for those that read it, or the program has said that it takes care of that.
    if (mapped != context.mapped.end() && mapped->second && bound != context.buffers.end())
        write(id, context, bound->second, call, true);
    if (mapped != context.mapped.end())
        context.mapped.erase(mapped);
}

void GlOrder::readFramebuffer(const ContextId &id, Context &context, const Call &call)
{
    const auto from = context.framebuffers.find(context.readFrom);
    if (context.readFrom == 0 || from == context.framebuffers.end())
        return;
    for (const auto &[attachment, object] : from->second) {
        read(id, context, object, Mistake::Order, call);
        noteRead(id, context, object);
    }
}

void GlOrder::writeFramebuffer(const ContextId &id, Context &context, const Call &call)
{
    const auto to = context.framebuffers.find(context.drawTo);
    if (context.drawTo == 0 || to == context.framebuffers.end())
        return;
    for (const auto &[attachment, object] : to->second)
        write(id, context, object, call);
}

void GlOrder::write(const ContextId &id, Context &context, Object object, const Call &call, bool replaces)
{
    const Key key{context.group, object};
    if (object == 0)
        return;
    if (!replaces)
        overwrite(id, context, key, call);
    m_reads.erase(key);
    if (m_written.size() >= kMaxGlObjects && !m_written.contains(key)) {
        m_tooMany = true;
        return;
    }
    m_written[key] = {id, ++context.commands, m_events};
}

void GlOrder::overwrite(const ContextId &id, const Context &context, const Key &key, const Call &call)
{
    const auto readers = m_reads.find(key);
    if (readers == m_reads.end())
        return;
    for (const auto &[reader, access] : readers->second) {
        const auto other = m_contexts.find(reader);
        if (reader == id || other == m_contexts.end() || hasSeen(context, reader, access.command)
            || other->second.swaps - access.swaps >= kSwapsInFlight)
            continue;
        return count(Mistake::Overwrite, call);
    }
}

void GlOrder::noteRead(const ContextId &id, Context &context, Object object)
{
    const Key key{context.group, object};
    if (object == 0)
        return;
    if (m_reads.size() >= kMaxGlObjects && !m_reads.contains(key))
        m_tooMany = true;
    else
        m_reads[key][id] = {++context.commands, context.swaps};
}

void GlOrder::read(const ContextId &id, Context &context, Object object, Mistake mistake, const Call &call)
{
    const auto written = m_written.find({context.group, object});
    if (object == 0 || written == m_written.end() || written->second.context == id)
        return;
    const Written &by = written->second;
    if (!hasSeen(context, by.context, by.command))
        return count(mistake, call);
    const auto attached = context.attached.find(object);
    if (attached != context.attached.end() && attached->second < std::max(by.at, learnedAt(context, by)))
        count(Mistake::Binding, call);
}

void GlOrder::count(Mistake mistake, const Call &call)
{
    if (!m_lostContexts)
        m_found[mistake].add(call.event, call.pid, call.frame, m_newSites);
}

} // namespace jetscope
