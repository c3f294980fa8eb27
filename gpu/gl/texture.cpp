// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/texture.h"

#include "gpu/gl/api.h"

namespace jetscope {

namespace {

unsigned newTexture()
{
    GLuint id = 0;
    glGenTextures(1, &id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return id;
}

} // namespace

Result<std::unique_ptr<GlTexture>> GlTexture::create(int width, int height)
{
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (width > limit || height > limit)
        return Error{"glTexStorage2D", 0,
                     "a " + std::to_string(width) + "x" + std::to_string(height)
                         + " texture is larger than this GL's limit of " + std::to_string(limit)
                         + "; choose a smaller frame size"};
    std::unique_ptr<GlTexture> texture(new GlTexture(newTexture(), width, height));
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    JETSCOPE_TRY(glStatus("glTexStorage2D"));
    return texture;
}

Result<std::unique_ptr<GlTexture>> GlTexture::fromEglImage(void *eglImage, int width, int height)
{
    if (!eglApi().imageTargetTexture2D)
        return Error{"glEGLImageTargetTexture2DOES", 0,
                     "this driver has no GL_OES_EGL_image; update the graphics driver"};
    std::unique_ptr<GlTexture> texture(new GlTexture(newTexture(), width, height));
    eglApi().imageTargetTexture2D(GL_TEXTURE_2D, eglImage);
    JETSCOPE_TRY(glStatus("glEGLImageTargetTexture2DOES"));
    return texture;
}

GlTexture::~GlTexture()
{
    glDeleteTextures(1, &m_id);
}

Status GlTexture::upload(const std::byte *rgba, std::size_t pitch)
{
    glBindTexture(GL_TEXTURE_2D, m_id);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(pitch / 4));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, m_width, m_height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    return glStatus("glTexSubImage2D");
}

Result<std::unique_ptr<GlFramebuffer>> GlFramebuffer::create(unsigned texture, int width, int height)
{
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    std::unique_ptr<GlFramebuffer> framebuffer(new GlFramebuffer(id, width, height));
    framebuffer->bind();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return Error{"glFramebufferTexture2D", 0, "this driver cannot render to the texture (framebuffer incomplete)"};
    return framebuffer;
}

GlFramebuffer::~GlFramebuffer()
{
    glDeleteFramebuffers(1, &m_id);
}

void GlFramebuffer::bind() const
{
    glBindFramebuffer(GL_FRAMEBUFFER, m_id);
}

void GlFramebuffer::bindForDrawing() const
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_id);
}

Status GlFramebuffer::read(std::byte *rgba, std::size_t pitch) const
{
    bind();
    glPixelStorei(GL_PACK_ROW_LENGTH, static_cast<GLint>(pitch / 4));
    glReadPixels(0, 0, m_width, m_height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    return glStatus("glReadPixels");
}

Result<std::unique_ptr<EglImage>> EglImage::create(std::shared_ptr<EglDisplay> display, void *context, unsigned texture)
{
    const EGLAttrib attributes[] = {EGL_IMAGE_PRESERVED, EGL_TRUE, EGL_NONE};
    EGLImage image =
        eglCreateImage(display->native(), context, EGL_GL_TEXTURE_2D,
                       reinterpret_cast<EGLClientBuffer>(static_cast<std::uintptr_t>(texture)), attributes);
    if (image == EGL_NO_IMAGE)
        return eglError("eglCreateImage(EGL_GL_TEXTURE_2D)");
    return std::unique_ptr<EglImage>(new EglImage(std::move(display), image));
}

EglImage::~EglImage()
{
    eglDestroyImage(m_display->native(), m_image);
}

} // namespace jetscope
