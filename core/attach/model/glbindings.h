// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace jetscope {

enum class GlKind : std::uint8_t { Texture, Renderbuffer, Buffer };
/// Kind and name of an object of GL; a name of 0 is none.
using GlObject = std::uint64_t;
inline GlObject glObjectOf(GlKind kind, std::uint64_t name)
{
    return name == 0 ? 0 : static_cast<GlObject>(kind) << 32 | (name & UINT32_MAX);
}
inline GlKind glKindOf(GlObject object)
{
    return static_cast<GlKind>(object >> 32);
}

/// What a call deletes; only the first names are in its record.
struct GlDeleted {
    std::optional<GlKind> kind; ///< None: framebuffers.
    std::array<std::uint64_t, 3> names{};
    bool areMore = false; ///< Which ones is not known.
};
/// Of JSA_WORK_TEXTURESEND and JSA_WORK_NAMESEND.
GlDeleted deletedBy(const AttachEvent &event);

/// What one context of GL has bound, to which point, and when it last did so. Memory is bounded. Not thread-safe.
class GlBindings {
public:
    struct Texture {
        GlObject texture = 0;
        bool isNew = false; ///< Nothing was drawn since.
    };
    using Textures = std::map<std::pair<std::uint32_t, std::uint32_t>, Texture>; ///< By unit and target.
    using Attachments = std::map<std::uint32_t, GlObject>;

    /// A call of the context, none that failed; `now` grows with each.
    void take(const AttachEvent &event, std::uint64_t now);
    /// Nothing is known any more of what is bound.
    void forgetBound();

    Textures &textures() { return m_textures; }
    /// In the active unit; none if it is not known.
    std::optional<GlObject> texture(std::uint64_t target) const;
    std::optional<GlObject> buffer(std::uint64_t target) const;
    /// Of the framebuffers that are drawn into and read; null if they are the window's, or not known.
    const Attachments *drawnInto() const { return attachmentsOf(m_drawTo); }
    const Attachments *readFrom() const { return attachmentsOf(m_readFrom); }
    /// When the object was last bound or attached; none if it is not known.
    std::optional<std::uint64_t> boundAt(GlObject object) const;

    /// A mapping of the buffer at a target, which the CPU may write.
    void map(std::uint64_t target, bool mayWrite);
    /// Whether the CPU may have written it.
    bool unmap(std::uint64_t target);

private:
    const Attachments *attachmentsOf(std::uint32_t framebuffer) const;
    void note(GlObject object, std::uint64_t now);
    void bindFramebuffer(const AttachEvent &event, std::uint64_t now);
    void attach(const AttachEvent &event, GlKind kind, std::uint64_t now);
    void remove(const GlDeleted &deleted);
    void remove(GlObject object);

    std::map<GlObject, std::uint64_t> m_boundAt;
    Textures m_textures;
    std::map<std::uint32_t, Attachments> m_framebuffers;
    std::map<std::uint64_t, GlObject> m_buffers; ///< By target.
    std::map<std::uint64_t, bool> m_mapped;      ///< Target: whether the CPU may write.
    std::uint32_t m_unit = 0;
    std::uint32_t m_drawTo = 0;
    std::uint32_t m_readFrom = 0;
};

} // namespace jetscope
