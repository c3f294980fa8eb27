// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/glbindings.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxBound = 1 << 14;
constexpr std::size_t kMaxAttachments = 64;
constexpr std::size_t kMaxTargets = 64;
constexpr std::uint64_t kFramebuffer = 0x8D40;     // GL_FRAMEBUFFER
constexpr std::uint64_t kReadFramebuffer = 0x8CA8; // GL_READ_FRAMEBUFFER
constexpr std::uint64_t kTexture0 = 0x84C0;        // GL_TEXTURE0
constexpr std::uint64_t kElements = 0x8893;        // GL_ELEMENT_ARRAY_BUFFER, which belongs to vertex arrays.

} // namespace

GlDeleted deletedBy(const AttachEvent &event)
{
    GlDeleted deleted;
    if (event.call == JSA_CALL_glDeleteBuffers)
        deleted.kind = GlKind::Buffer;
    else if (event.call == JSA_CALL_glDeleteRenderbuffers)
        deleted.kind = GlKind::Renderbuffer;
    else if (event.call != JSA_CALL_glDeleteFramebuffers)
        deleted.kind = GlKind::Texture;
    std::copy_n(event.argument.begin() + 1, deleted.names.size(), deleted.names.begin());
    deleted.areMore = event.argument[0] > deleted.names.size();
    return deleted;
}

void GlBindings::take(const AttachEvent &event, std::uint64_t now)
{
    const auto &argument = event.argument;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_ACTIVETEXTURE:
        m_unit = static_cast<std::uint32_t>(argument[0] - kTexture0);
        return;
    case JSA_WORK_BINDTEXTURE: {
        const GlObject texture = glObjectOf(GlKind::Texture, argument[1]);
        if (m_textures.size() < kMaxBound)
            m_textures[{m_unit, static_cast<std::uint32_t>(argument[0])}] = {texture, true};
        return note(texture, now);
    }
    case JSA_WORK_BINDBUFFER: {
        const GlObject buffer = glObjectOf(GlKind::Buffer, argument[1]);
        if (argument[0] != kElements && m_buffers.size() < kMaxTargets)
            m_buffers[argument[0]] = buffer;
        return note(buffer, now);
    }
    case JSA_WORK_BINDFRAMEBUFFER:
        return bindFramebuffer(event, now);
    case JSA_WORK_ATTACHTEXTURE:
        return attach(event, GlKind::Texture, now);
    case JSA_WORK_ATTACHBUFFER:
        return attach(event, GlKind::Renderbuffer, now);
    case JSA_WORK_TEXTURESEND:
    case JSA_WORK_NAMESEND:
        return remove(deletedBy(event));
    default:
        return;
    }
}

void GlBindings::note(GlObject object, std::uint64_t now)
{
    if (m_boundAt.size() >= kMaxBound) // Of what is not known, nothing is said.
        m_boundAt.clear();
    if (object != 0)
        m_boundAt[object] = now;
}

/// That binds what is attached to it, too.
void GlBindings::bindFramebuffer(const AttachEvent &event, std::uint64_t now)
{
    const auto &argument = event.argument;
    const auto name = static_cast<std::uint32_t>(argument[1]);
    if (argument[0] == kReadFramebuffer || argument[0] == kFramebuffer)
        m_readFrom = name;
    if (argument[0] != kReadFramebuffer)
        m_drawTo = name;
    if (const auto known = m_framebuffers.find(name); known != m_framebuffers.end())
        for (const auto &[attachment, object] : known->second)
            note(object, now);
}

void GlBindings::attach(const AttachEvent &event, GlKind kind, std::uint64_t now)
{
    const auto &argument = event.argument;
    const std::uint32_t name = argument[0] == kReadFramebuffer ? m_readFrom : m_drawTo;
    const GlObject object = glObjectOf(kind, argument[2]);
    if (name == 0 || (m_framebuffers.size() >= kMaxBound && !m_framebuffers.contains(name)))
        return;
    Attachments &attachments = m_framebuffers[name];
    if (attachments.size() < kMaxAttachments)
        attachments[static_cast<std::uint32_t>(argument[1])] = object;
    note(object, now);
}

/// The context in which objects end has them nowhere bound any more.
void GlBindings::remove(const GlDeleted &deleted)
{
    for (const std::uint64_t each : deleted.names) {
        if (deleted.kind) {
            remove(glObjectOf(*deleted.kind, each));
            continue;
        }
        const auto name = static_cast<std::uint32_t>(each);
        m_framebuffers.erase(name);
        m_drawTo = m_drawTo == name ? 0 : m_drawTo;
        m_readFrom = m_readFrom == name ? 0 : m_readFrom;
    }
    if (!deleted.kind && deleted.areMore)
        m_framebuffers.clear();
}

void GlBindings::remove(GlObject object)
{
    if (object == 0)
        return;
    m_boundAt.erase(object);
    std::erase_if(m_textures, [&](const auto &bound) { return bound.second.texture == object; });
    std::erase_if(m_buffers, [&](const auto &bound) { return bound.second == object; });
    for (auto &[name, attachments] : m_framebuffers)
        std::erase_if(attachments, [&](const auto &attachment) { return attachment.second == object; });
}

void GlBindings::forgetBound()
{
    m_textures.clear();
    m_framebuffers.clear();
    m_boundAt.clear();
    m_buffers.clear();
    m_mapped.clear();
}

std::optional<GlObject> GlBindings::texture(std::uint64_t target) const
{
    const auto bound = m_textures.find({m_unit, static_cast<std::uint32_t>(target)});
    return bound == m_textures.end() ? std::nullopt : std::optional(bound->second.texture);
}

std::optional<GlObject> GlBindings::buffer(std::uint64_t target) const
{
    const auto bound = m_buffers.find(target);
    return bound == m_buffers.end() ? std::nullopt : std::optional(bound->second);
}

const GlBindings::Attachments *GlBindings::attachmentsOf(std::uint32_t framebuffer) const
{
    const auto known = framebuffer == 0 ? m_framebuffers.end() : m_framebuffers.find(framebuffer);
    return known == m_framebuffers.end() ? nullptr : &known->second;
}

std::optional<std::uint64_t> GlBindings::boundAt(GlObject object) const
{
    const auto bound = m_boundAt.find(object);
    return bound == m_boundAt.end() ? std::nullopt : std::optional(bound->second);
}

void GlBindings::map(std::uint64_t target, bool mayWrite)
{
    if (m_mapped.size() < kMaxTargets)
        m_mapped[target] = mayWrite;
}

bool GlBindings::unmap(std::uint64_t target)
{
    const auto mapped = m_mapped.find(target);
    const bool mayWrite = mapped != m_mapped.end() && mapped->second;
    if (mapped != m_mapped.end())
        m_mapped.erase(mapped);
    return mayWrite;
}

} // namespace jetscope
