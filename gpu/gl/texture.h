// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/livecount.h"
#include "gpu/gl/display.h"

#include <cstddef>
#include <memory>

namespace jetscope {

/// An immutable RGBA8 texture with one level and nearest filtering. Create, use and destroy it with its context (or one
/// of its share group) current.
class GlTexture {
public:
    static Result<std::unique_ptr<GlTexture>> create(int width, int height);
    /// A texture in the current context that shares the memory of `eglImage`.
    static Result<std::unique_ptr<GlTexture>> fromEglImage(void *eglImage, int width, int height);
    ~GlTexture();
    GlTexture(const GlTexture &) = delete;
    GlTexture &operator=(const GlTexture &) = delete;

    unsigned id() const { return m_id; }
    int width() const { return m_width; }
    int height() const { return m_height; }

    /// Replaces all pixels; `pitch` is in bytes, a multiple of 4. GL has read `rgba` when this returns.
    Status upload(const std::byte *rgba, std::size_t pitch);

private:
    GlTexture(unsigned id, int width, int height) : m_id(id), m_width(width), m_height(height) {}
    unsigned m_id;
    int m_width;
    int m_height;
    CountedHandle m_counted;
};

/// A framebuffer with one texture as its colour attachment, for drawing into it or reading it back. Same thread rules.
class GlFramebuffer {
public:
    static Result<std::unique_ptr<GlFramebuffer>> create(unsigned texture, int width, int height);
    ~GlFramebuffer();
    GlFramebuffer(const GlFramebuffer &) = delete;
    GlFramebuffer &operator=(const GlFramebuffer &) = delete;

    int width() const { return m_width; }
    int height() const { return m_height; }

    void bind() const; ///< Binds it for drawing and reading.
    void bindForDrawing() const;
    /// Reads all pixels as RGBA8 rows in the texture's memory order (row 0 first); `pitch` is in bytes, a multiple of
    /// 4.
    Status read(std::byte *rgba, std::size_t pitch) const;

private:
    GlFramebuffer(unsigned id, int width, int height) : m_id(id), m_width(width), m_height(height) {}
    unsigned m_id;
    int m_width;
    int m_height;
    CountedHandle m_counted;
};

/// An EGLImage made from a GLES texture (level 0, undefined content: upload only after creation, rule C7).
class EglImage {
public:
    /// `context`, the texture's context, must be current.
    static Result<std::unique_ptr<EglImage>> create(std::shared_ptr<EglDisplay> display, void *context,
                                                    unsigned texture);
    ~EglImage();
    EglImage(const EglImage &) = delete;
    EglImage &operator=(const EglImage &) = delete;

    void *native() const { return m_image; }

private:
    EglImage(std::shared_ptr<EglDisplay> display, void *image) : m_display(std::move(display)), m_image(image) {}
    std::shared_ptr<EglDisplay> m_display;
    void *m_image;
    CountedHandle m_counted;
};

} // namespace jetscope
